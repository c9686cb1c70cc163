import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { Client, type ClientOptions } from '../../../src/service/client.ts';
import {
  body,
  callsWithToken,
  dataFields,
  embedded,
  errorOf,
  late,
  NOBODY,
  patientClock,
  silence,
  succeeding,
  success,
  unfinished,
} from './answering.ts';
import { assertSecret } from './secret.ts';

/** One that no encoding changes, a random one, and one with characters that are encoded. */
const tokens = ['5f2c9e7ab1d04c36', 'Zx9/Qk+7wA3=', 'a:b/c@d=e+f&g%h,i$j;k?l#m\'n"o<p>q ä'];

/** The errors of all calls that send a token. */
const errorsOf = (client: Client, token: string) =>
  Promise.all(callsWithToken.map((call) => errorOf(call(client, undefined, token))));

/** The part of a URL with the token, as sent. */
const quoted = (url: string) => url.match(/[?&](token=[^&]*)/)?.[1] ?? assert.fail('no token');

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** The ways in which a server may quote a URL with a token. */
const quotes: Record<string, (url: string, token: string) => string> = {
  'as it is': (_, token) => `token=${token}`,
  'as the address has it': (url) => quoted(url),
  'with each special character encoded': (_, token) => `token=${encodeURIComponent(token)}`,
  'encoded like a form': (_, token) => new URLSearchParams({ token }).toString(),
  'encoded in lower case': (url) => quoted(url).replace(/%../g, (hex) => hex.toLowerCase()),
  'encoded twice': (url) => encodeURIComponent(quoted(url)),
  'as HTML writes it': (_, token) => `token=${token.replace(/[&<>"']/g, (special) => ENTITIES[special] ?? '')}`,
  'as HTML writes it with numbers': (_, token) =>
    `token=${token.replace(/[^\w ]/gu, (one) => `&#${one.codePointAt(0)};`)}`,
  'as JSON writes it': (_, token) => `token=${JSON.stringify(token).slice(1, -1)}`,
  'as JSON writes it with every slash escaped': (_, token) =>
    `token=${JSON.stringify(token).slice(1, -1).replaceAll('/', '\\/')}`,
  'as JSON writes it in ASCII': (_, token) =>
    `token=${token.replace(/[^\w ]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}`,
};

/** Makes all calls that send a token, with each token, against servers that answer alike. */
async function assertAllSecret(
  answer: (quote: string) => Response | Promise<Response>,
  quote: (url: string, token: string) => string = (_, token) => token,
  options: Partial<ClientOptions> = {},
) {
  for (const token of tokens) {
    const said: string[] = [];
    const client = embedded(({ url }) => {
      said.push(quote(url, token));
      return answer(said.at(-1) ?? '');
    }, options);
    for (const error of await errorsOf(client, token)) {
      assertSecret(error, token, ...said.map((one) => one.replace(/^token(=|%3D)/, '')));
    }
  }
}

describe('No error contains the token', () => {
  const answers: Record<string, (said: string) => Response> = {
    'in a page': (said) => body(`<p>Cannot GET /messages?${said}&chat-id=1</p>`),
    'in an error page': (said) => body(`<p>Upstream of ?${said} is down</p>`, 502),
    'in the text of a refusal': (said) => Response.json({ code: 1003, msg: `未授权: ${said}` }),
    'instead of data': (said) => success(said),
    'in invalid data': (said) => success(Object.fromEntries(dataFields.map((field) => [field, said]))),
  };
  for (const [how, quote] of Object.entries(quotes)) {
    describe(`when the service quotes it ${how}`, () => {
      for (const [where, answer] of Object.entries(answers)) it(where, () => assertAllSecret(answer, quote));
    });
  }

  it('even in part, if an excerpt cuts it in two', async () => {
    const token = 'Zx9QkwA3Zx9QkwA3';
    const client = embedded(() => body(`${'-'.repeat(190)}${token}`));
    for (const error of await errorsOf(client, token)) assert.doesNotMatch(inspect(error), /Zx9/);
  });

  it('even in part, if the redacted text cuts it in two', async () => {
    const token = 'Zx9QkwA3Zx9QkwA3';
    for (const before of [99_990, 99_995, 99_999]) {
      const client = embedded(() => body(`${' '.repeat(before)}${token}`, 500));
      for (const error of await errorsOf(client, token)) assert.doesNotMatch(inspect(error), /Zx9/);
    }
  });

  it("even in part, if it's quoted truncated or masked", async () => {
    const token = 'Zx9QkwA3-Hj5RtbV7';
    for (const quote of [token.slice(0, 9), token.slice(4), `${token.slice(0, 8)}****${token.slice(-8)}`]) {
      for (const answer of [() => Response.json({ code: 1003, msg: `非法token: ${quote}` }), () => body(quote, 502)]) {
        const client = embedded(answer);
        for (const error of await errorsOf(client, token)) {
          assert.doesNotMatch(inspect(error), /Zx9Qkw|kwA3-Hj5|RtbV7/);
        }
      }
    }
  });

  it('as base64, at any alignment', async () => {
    for (const token of tokens) {
      for (const before of ['', 'a', 'ab', 'Bot ']) {
        for (const encoding of ['base64', 'base64url'] as const) {
          const quote = Buffer.from(`${before}${token}:`).toString(encoding);
          const client = embedded(() => Response.json({ code: 1003, msg: `Basic ${quote}` }));
          for (const error of await errorsOf(client, token)) {
            assert.ok(!inspect(error).includes(quote.slice(6, 18)), `${before}${token} as ${encoding}`);
          }
        }
      }
    }
  });

  it('when the service is unreachable', async () => {
    const client = new Client({ webUrl: NOBODY, openApiUrl: NOBODY, clock: patientClock() });
    for (const token of tokens) {
      for (const error of await errorsOf(client, token)) assertSecret(error, token);
    }
  });

  it('when fetch fails with the URL in its message', async () => {
    const failing: typeof globalThis.fetch = async (url) => {
      throw new TypeError(`Failed to fetch ${url}`, { cause: new Error(`connect to ${url}`) });
    };
    await assertAllSecret(() => body(''), undefined, { fetch: failing });
  });

  it('when the call times out', async () => {
    for (const answer of [silence, unfinished]) {
      const { answerLate, clock } = late(answer);
      await assertAllSecret(answerLate, undefined, { clock });
    }
  });

  it('when the call is redirected', async () => {
    await assertAllSecret(
      (location) => new Response(null, { status: 302, headers: { location } }),
      (url) => `/elsewhere?${quoted(url)}`,
    );
  });

  it('when the call is canceled', async () => {
    for (const token of tokens) {
      for (const call of callsWithToken) {
        const abort = new AbortController();
        const client = embedded(({ url }) => {
          abort.abort(new Error(`no longer waiting for ${url}`));
          return silence();
        });
        assertSecret(await errorOf(call(client, abort.signal, token)), token);
      }
    }
  });
});

describe('No result contains the token', () => {
  const chat = { kind: 'group', id: 'big' } as const;

  it('in what is listed, its raw form or the name of a field', async () => {
    for (const token of tokens) {
      const quote = [token, encodeURIComponent(token), Buffer.from(`x${token}`).toString('base64')].join(' ');
      const entry = { msgId: 'm', contentType: 'text', content: { text: quote }, [token]: [{ deep: quote }] };
      const client = succeeding(Object.fromEntries(dataFields.map((field) => [field, [entry, quote]])));
      for (const call of callsWithToken) {
        const shown = inspect(await call(client, undefined, token), { depth: Infinity });
        assert.match(shown, /\*\*\*/);
        for (const part of [token, token.slice(0, 10), encodeURIComponent(token), quote.slice(-14, -4)]) {
          assert.ok(!shown.includes(part), `${part} is in ${shown}`);
        }
      }
    }
  });

  it('and other data stays as it is', async () => {
    const list = [{ msgId: 'm', content: { text: 'Hi', ['__proto__']: 1 }, odd: [1, null, true, { a: 'b' }] }];
    const client = succeeding({ list, token: tokens[0] });
    const [entry] = await client.messages(tokens[0] ?? '', chat, { latest: 1 });
    assert.deepEqual(entry?.raw, list[0]);
  });

  it("unless it's too short to be redacted safely", async () => {
    const client = succeeding({ list: [{ msgId: 'm', content: { text: 'list' } }] });
    for (const token of ['t', 'list']) {
      const [entry] = await client.messages(token, chat, { latest: 1 });
      assert.ok(entry?.readable && entry.message.content.text === 'list');
    }
  });

  it('as a receiver', async () => {
    const token = '5f2c9e7ab1d04c36';
    const client = succeeding({ successList: [{ msgId: token, recvId: 'big' }, token] });
    const message = { contentType: 'text', content: { text: 'Hi' } } as const;
    const answer = await client.batchSend(token, 'group', ['big'], message);
    assert.deepEqual([answer.reached, answer.unreadable], [[{ msgId: '***', recvId: 'big' }], ['***']]);
  });
});
