import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { ServiceError } from '../../../src/service/errors.ts';
import { operations } from './answering.ts';
import { clientOf, goodAnswers, type Json, mutated, mutations, type Name, odd, textOf } from './fuzzed.ts';

/** Long enough to stand in no text by chance, and made of all that can be printed or of what tokens usually have. */
const tokens = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 40 }).filter((token) => /\S{8}/.test(token)),
  fc.stringMatching(/^[A-Za-z0-9+/=_-]{12,40}$/),
);

const asForm = (token: string) => new URLSearchParams({ token }).toString();
const asJson = (token: string) => JSON.stringify(token).slice(1, -1);
const spellings = [(token: string) => token, encodeURIComponent, asForm, asJson];

describe('Whatever an answer quotes', () => {
  const put = fc.constantFrom(...spellings);
  const answers: fc.Arbitrary<(quote: string) => string> = fc.oneof(
    fc.string().map((page) => (quote: string) => `<p>${page} ${quote}</p>`),
    fc.constant((quote: string) => quote),
    odd.map((code) => (quote: string) => textOf({ code, msg: quote, data: quote })),
    odd.map((data) => (quote: string) => textOf({ code: 1, msg: 'success', data: { [quote]: data, list: quote } })),
    odd.map((data) => (quote: string) => textOf({ error: { [quote]: [quote, data] } })),
  );
  const statuses = fc.constantFrom(200, 400, 401, 404, 429, 500);

  it('no error tells the token that was sent', () =>
    fc.assert(
      fc.asyncProperty(tokens, put, answers, statuses, async (token, spelling, answer, status) => {
        const body = answer(spelling(token));
        const client = clientOf(async () => new Response(body, { status }));
        for (const name of ['messages', 'batchSend'] as const) {
          const error: unknown = await operations[name](client, undefined, token).catch((thrown: unknown) => thrown);
          if (!(error instanceof ServiceError)) continue;
          const told = [error.message, error.stack, ...Object.values(error.failure)].map(String);
          for (const form of spellings.map((one) => one(token))) {
            for (const one of told) assert.ok(!one.includes(form), `${form} is in ${one}`);
          }
          assert.ok(!inspect(error, { depth: Infinity, showHidden: true }).includes(token));
        }
      }),
      { numRuns: 500 },
    ));
});

describe('Whatever a lookup answers', () => {
  const SECRET = 'tok-6f1d2c';
  const secrets = fc.constantFrom<Json[]>(SECRET, [SECRET], { token: SECRET }, { value: SECRET });
  let good: Record<Name, Json>;
  before(async () => {
    good = await goodAnswers();
  });

  /** The value with a field `token` in all its objects. */
  const filled = (value: Json, token: Json): Json => {
    if (Array.isArray(value)) return value.map((one) => filled(one, token));
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.entries(value).map(([name, inner]) => [name, filled(inner, token)]);
    return Object.fromEntries([...fields, ['token', token]]);
  };

  /** The value with a token in all its texts, an address with it each. */
  const addressed = (value: Json): Json => {
    const read = JSON.parse(JSON.stringify(value), (name, inner) =>
      typeof inner === 'string' && !/Id$/.test(name) ? `${inner}https://chat.example/?token=${SECRET}&a=b` : inner,
    );
    return read as Json;
  };

  const assertHidden = async (kind: 'group' | 'bot' | 'user', data: Json) => {
    const answer = textOf({ code: 1, msg: 'success', data });
    const found = await operations[kind](clientOf(async () => new Response(answer))).catch((error: unknown) => {
      assert.ok(error instanceof ServiceError);
      return error.failure;
    });
    const shown = JSON.stringify(found);
    assert.ok(!shown.includes(SECRET), shown);
  };

  for (const kind of ['group', 'bot', 'user'] as const) {
    it(`no ${kind} that was found holds a value of a field "token", or of a parameter of that name`, () =>
      fc.assert(
        fc.asyncProperty(mutations, secrets, fc.boolean(), async (changes, secret, inTexts) => {
          const data = mutated((good[kind] as { data: Json }).data, changes);
          await assertHidden(kind, inTexts ? addressed(data) : filled(data, secret));
        }),
        { numRuns: 300 },
      ));
  }

  it('a token that is empty or no text reads as what it is, and what is around one stays', async () => {
    const uri = 'https://chat.example/batch_send?a=1&token=x#y';
    for (const [token, expected] of [
      ['', ''],
      [null, ''],
      ['x', '***'],
      [7, '***'],
    ]) {
      const client = clientOf(async () => Response.json({ code: 1, data: { bot: { botId: 'b', token, uri } } }));
      const { resource } = await client.bot('b');
      assert.equal(resource.token, expected);
      assert.equal(resource.uri, 'https://chat.example/batch_send?a=1&token=***#y');
    }
  });
});
