/** Answers that quote the token of the call or of a bot. */
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { ServiceError } from '../../../src/service/errors.ts';
import { operations } from '../../unit/service/answering.ts';
import { clientOf, type Json, mutated, mutations, type Name, odd, textOf } from './answers.ts';

/** Too long to appear in a text by chance; of printable ASCII or the usual token characters. */
const tokens = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 40 }).filter((token) => /\S{8}/.test(token)),
  fc.stringMatching(/^[A-Za-z0-9+/=_-]{12,40}$/),
);

const asForm = (token: string) => new URLSearchParams({ token }).toString();
const asJson = (token: string) => JSON.stringify(token).slice(1, -1);
const spellings = [(token: string) => token, encodeURIComponent, asForm, asJson];

const quoting: fc.Arbitrary<(quote: string) => string> = fc.oneof(
  fc.string().map((page) => (quote: string) => `<p>${page} ${quote}</p>`),
  fc.constant((quote: string) => quote),
  odd.map((code) => (quote: string) => textOf({ code, msg: quote, data: quote })),
  odd.map((data) => (quote: string) => textOf({ code: 1, msg: 'success', data: { [quote]: data, list: quote } })),
  odd.map(
    (data) => (quote: string) => textOf({ code: 1, data: { list: [quote, { [quote]: data }], successList: [quote] } }),
  ),
  odd.map((data) => (quote: string) => textOf({ error: { [quote]: [quote, data] } })),
);
const statuses = fc.constantFrom(200, 400, 401, 404, 429, 500);

const SECRET = 'tok-6f1d2c';
const secrets = fc.constantFrom<Json[]>(SECRET, [SECRET], { token: SECRET }, { value: SECRET });

/** Adds a field `token` to all objects of a value. */
function filled(value: Json, token: Json): Json {
  if (Array.isArray(value)) return value.map((one) => filled(one, token));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, inner]) => [name, filled(inner, token)]);
  return Object.fromEntries([...fields, ['token', token]]);
}

/** Appends an address with a token to all texts of a value. */
const addressed = (value: Json): Json =>
  JSON.parse(JSON.stringify(value), (name, inner) =>
    typeof inner === 'string' && !/Id$/.test(name) ? `${inner}https://chat.example/?token=${SECRET}&a=b` : inner,
  );

export const quotedTokens = (good: Record<Name, Json>) => {
  const lookUp = (kind: 'group' | 'bot' | 'user') =>
    fc.asyncProperty(mutations, secrets, fc.boolean(), async (changes, secret, inTexts) => {
      const data = mutated((good[kind] as { data: Json }).data, changes);
      const text = textOf({ code: 1, msg: 'success', data: inTexts ? addressed(data) : filled(data, secret) });
      const found = await operations[kind](clientOf(async () => new Response(text))).catch((error: unknown) => {
        assert.ok(error instanceof ServiceError);
        return error.failure;
      });
      const shown = JSON.stringify(found);
      assert.ok(!shown.includes(SECRET), shown);
    });

  return {
    'whatever an answer quotes, neither a result nor an error reveals the token that was sent': fc.asyncProperty(
      tokens,
      fc.constantFrom(...spellings),
      quoting,
      statuses,
      async (token, spelling, answer, status) => {
        const body = answer(spelling(token));
        const client = clientOf(async () => new Response(body, { status }));
        for (const name of ['messages', 'batchSend'] as const) {
          const ended: unknown = await operations[name](client, undefined, token).catch((thrown: unknown) => thrown);
          const isError = ended instanceof ServiceError;
          const told = isError ? [ended.message, ended.stack, ...Object.values(ended.failure)].map(String) : [];
          for (const form of spellings.map((one) => one(token))) {
            for (const one of told) assert.ok(!one.includes(form), `${form} is in ${one}`);
          }
          assert.ok(!inspect(ended, { depth: Infinity, showHidden: true }).includes(token));
        }
      },
    ),
    'a group never holds the value of a field "token" or of a parameter of that name': lookUp('group'),
    'a bot never holds the value of a field "token" or of a parameter of that name': lookUp('bot'),
    'a user never holds the value of a field "token" or of a parameter of that name': lookUp('user'),
  };
};
