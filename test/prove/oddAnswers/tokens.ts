/** Answers that quote the token of the call or of a bot. */
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { ServiceError } from '../../../src/service/errors.ts';
import { KINDS, type Kind } from '../../../src/service/model.ts';
import type { Operation } from '../../../src/service/operations.ts';
import { callsWithToken, dataFields, embedded, operations } from '../../unit/service/answering.ts';
import { type Json, mutated, mutations, odd, textOf } from './answers.ts';

/** Too long to appear in a text by chance; of printable ASCII or the usual token characters. */
const tokens = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 40 }).filter((token) => /\S{8}/.test(token)),
  fc.stringMatching(/^[A-Za-z0-9+/=_-]{12,40}$/),
);

const asForm = (token: string) => new URLSearchParams({ token }).toString();
const asJson = (token: string) => JSON.stringify(token).slice(1, -1);
const spellings = [(token: string) => token, encodeURIComponent, asForm, asJson];

const inFields = (value: Json) => Object.fromEntries(dataFields.map((field) => [field, value]));
const quoting: fc.Arbitrary<(quote: string) => string> = fc.oneof(
  fc.string().map((page) => (quote: string) => `<p>${page} ${quote}</p>`),
  fc.constant((quote: string) => quote),
  odd.map((code) => (quote: string) => textOf({ code, msg: quote, data: quote })),
  odd.map((data) => (quote: string) => textOf({ code: 1, data: { [quote]: data, ...inFields(quote) } })),
  odd.map((data) => (quote: string) => textOf({ code: 1, data: inFields([quote, { [quote]: data }]) })),
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

export const quotedTokens = (good: Record<Operation, Json>) => {
  const lookUp = (kind: Kind) =>
    fc.asyncProperty(mutations, secrets, fc.boolean(), async (changes, secret, inTexts) => {
      const data = mutated((good[kind] as { data: Json }).data, changes);
      const text = textOf({ code: 1, msg: 'success', data: inTexts ? addressed(data) : filled(data, secret) });
      const found = await operations[kind](embedded(() => new Response(text))).catch((error: unknown) => {
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
        const client = embedded(() => new Response(body, { status }));
        for (const call of callsWithToken) {
          const ended: unknown = await call(client, undefined, token).catch((thrown: unknown) => thrown);
          const isError = ended instanceof ServiceError;
          const told = isError ? [ended.message, ended.stack, ...Object.values(ended.failure)].map(String) : [];
          for (const form of spellings.map((one) => one(token))) {
            for (const one of told) assert.ok(!one.includes(form), `${form} is in ${one}`);
          }
          assert.ok(!inspect(ended, { depth: Infinity, showHidden: true }).includes(token));
        }
      },
    ),
    ...Object.fromEntries(
      KINDS.map((kind) => [
        `a ${kind} never holds the value of a field "token" or of a parameter of that name`,
        lookUp(kind),
      ]),
    ),
  };
};
