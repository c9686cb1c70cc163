import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { Client } from '../../../src/service/client.ts';
import { isRefusal } from '../../../src/service/errors.ts';
import { endingOf } from '../../prove/oddAnswers/answers.ts';
import { body, counting, dataFields, embedded, errorOf, failureOf, operationNames, operations } from './answering.ts';

const answered = (text: string) => embedded(() => body(text));
const page = (client: Client, latest = 50, signal?: AbortSignal) =>
  client.messages('a-token-of-a-bot', { kind: 'group', id: 'big' }, { latest }, signal);
const listOf = (elements: string) => `{"code":1,"msg":"success","data":{"total":1,"list":[${elements}],"more":[1]}}`;
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('A response with too many values', () => {
  it('is rejected if it lists far more than requested', async () => {
    for (const element of ['0', '""', '{}', '[]', ' { } ', '{"msgId":"m","content":{"at":[1,2]}}']) {
      const text = (count: number) => listOf(Array<string>(count).fill(element).join());
      const failure = { kind: 'tooLarge', of: 'elements', bound: 1_100 };
      assert.deepEqual(await failureOf(page(answered(text(1_101)))), failure);
      assert.equal((await page(answered(text(1_100)))).length, 1_100, element);
    }
  });

  it('is rejected beyond a number of values, counted at every level', async () => {
    for (const [value, counted] of [
      ['0', 1],
      ['""', 1],
      ['{}', 2],
      ['[]', 2],
      [' { } ', 2],
      ['null', 1],
    ] as const) {
      // 10,000 plus 100 for each message. Eight surround the elements: three commas, four brackets and the one below.
      const many = (count: number) => `[${Array<string>(count).fill(value).join()}]`;
      const text = (count: number) => listOf([many(4_000), many(count)].join());
      const room = 15_000 - 8 - 2 - 4_000 * counted;
      const most = Math.floor(room / counted);
      const failure = { kind: 'tooLarge', of: 'values', bound: 15_000 };
      assert.deepEqual(await failureOf(page(answered(text(most + 3)))), failure, value);
      assert.equal((await page(answered(text(most - 3)))).length, 2, value);
    }
    const fields = (count: number) =>
      `{"code":1,"data":{"user":{"userId":"7058314"${Array.from({ length: count }, (_, at) => `,"${at}":[0]`).join('')}}}}`;
    assert.deepEqual(await failureOf(operations.user(answered(fields(2_500)))), {
      kind: 'tooLarge',
      of: 'values',
      bound: 5_000,
    });
    await operations.user(answered(fields(2_400)));
  });

  it('has an ellipsis for what is nested deeper than 100 levels', async () => {
    for (const levels of [101, 7_000]) {
      const [odd, next] = await page(answered(listOf(`${nested(levels)},{"msgId":"m"}`)));
      assert.deepEqual(odd, { readable: false, raw: JSON.parse(`${'['.repeat(100)}"…"${']'.repeat(100)}`) });
      assert.equal(next?.readable && next.message.msgId, 'm');
    }
    const deep = nested(100);
    assert.deepEqual(await page(answered(listOf(deep))), [{ readable: false, raw: JSON.parse(deep) }]);
    const user = (inner: string) => `{"code":1,"data":{"user":{"userId":"7058314","medals":${inner}}}}`;
    await operations.user(answered(user(nested(4_000))));
  });

  it('is read or rejected as usual even if it is nested deeper than the stack', async () => {
    const deep = (open: string, close: string) => `${open.repeat(50_000)}0${close.repeat(50_000)}`;
    for (const nest of [deep('[', ']'), deep('{"a":', '}')]) {
      for (const name of operationNames) {
        const bodies = [nest, `{"code":${nest}}`, `{"code":1,"msg":${nest}}`, `{"code":1,"data":${nest}}`];
        for (const inner of dataFields)
          bodies.push(`{"code":1,"data":{"${inner}":${nest}}}`, `{"code":1,"data":{"${inner}":{"userId":${nest}}}}`);
        for (const body of bodies) await endingOf(name, body);
      }
    }
  });

  it('has an ellipsis for a message of more than 700,000 characters or 5,000 values', async () => {
    const long = (length: number) => JSON.stringify({ msgId: 'long', content: { text: 'x'.repeat(length) } });
    const wide = (length: number) => `{"msgId":"wide","content":{"at":[${Array(length).fill('"7"').join()}]}}`;
    for (const [fits, exceeds] of [
      [long(690_000), long(700_001)],
      [wide(4_990), wide(5_000)],
    ]) {
      const [one, odd, other] = await page(answered(listOf(`${fits},${exceeds},{"msgId":"m"}`)));
      assert.equal(one?.readable, true);
      assert.deepEqual(odd, { readable: false, raw: '…' });
      assert.equal(other?.readable && other.message.msgId, 'm');
    }
  });

  it("isn't a refusal of a sent message, which is requested once", async () => {
    for (const text of [
      `{"data":[${'0,'.repeat(20_000)}0]}`,
      `{"code":1,"data":{"successList":[${'{},'.repeat(20_000)}{}]}}`,
    ]) {
      const { client, at } = counting(() => body(text));
      assert.equal(isRefusal(await errorOf(operations.batchSend(client))), false);
      assert.equal(at.length, 1);
    }
  });

  it("is reported as not from the service if it's an HTML page", async () => {
    const html = `<html><script>${'[{'.repeat(200)}${'a,'.repeat(30_000)}</script>`;
    for (const text of [html, `\n ${html}`, nested(200), `"${'a,'.repeat(30_000)}`]) {
      for (const call of Object.values(operations)) {
        assert.equal((await failureOf(call(answered(text)))).kind, 'notEnvelope');
      }
    }
  });

  it("doesn't count punctuation in strings", async () => {
    const odd = '[{,}]"\\'.repeat(30_000);
    const [entry] = await page(answered(listOf(JSON.stringify({ msgId: 'm', content: { text: odd } }))));
    assert.equal(entry?.readable && entry.message.content.text, odd);
  });

  it('is quoted only in part in a long error message', async () => {
    const text = JSON.stringify({ code: 1004, msg: 'x'.repeat(690_000) });
    const { failure } = await errorOf(operations.user(answered(text)));
    assert.equal(failure.kind === 'rejected' && failure.text, 'x'.repeat(90_000));
  });
});

describe('A long response', () => {
  /** Messages of different lengths, 3 MB in total. */
  const messages = Array.from({ length: 2_000 }, (_, at) => ({
    msgId: `m${at}`,
    content: { text: `${at}: "\\[{,}] 爱\u2028 ${'x'.repeat((at * 7919) % 3000)}` },
    list: [at, [], {}],
  }));

  const rawOf = async (data: object) => {
    const entries = await page(answered(JSON.stringify({ code: 1, data })), 1000);
    return entries.map(({ raw }) => raw);
  };

  it('is read like a short one', async () => {
    for (const list of [messages, messages.slice(0, 100), [...messages, {}, [], '', null]]) {
      assert.deepEqual(await rawOf({ list, total: 7, more: [[]] }), list);
    }
  });

  it('is parsed like JSON if a name is duplicate', async () => {
    const list = JSON.stringify(messages);
    for (const [text, length] of [
      [`{"code":1,"data":{"list":${list},"list":[{}]}}`, 1],
      [`{"code":1,"data":{"list":[{}],"list":${list}}}`, 2000],
      [`{"code":1,"data":{"list":${list}},"data":{"list":[{},{}]}}`, 2],
      [`{"code":1,"data":{"more":${list},"list":[]}}`, 0],
    ] as const) {
      assert.equal((await page(answered(text), 1000)).length, length);
    }
  });

  it("is invalid if any part isn't JSON", async () => {
    const list = JSON.stringify(messages).slice(1, -1);
    for (const odd of [`${list},`, `,${list}`, `${list} {}`, `${list},nul`, `${list}]]}`, `${list},[}`, `${list},{]`]) {
      assert.equal((await failureOf(page(answered(listOf(odd)), 1000))).kind, 'notEnvelope', odd.slice(-9));
    }
    for (const text of [listOf(list).slice(0, -1), `${listOf(list)}]`, `${listOf(list)} 1`]) {
      assert.equal((await failureOf(page(answered(text), 1000))).kind, 'notEnvelope', text.slice(-9));
    }
  });

  it("doesn't block the event loop while it's parsed, and parsing stops when canceled", async () => {
    let now = 0;
    const timing = mock.method(performance, 'now', () => (now += 4));
    try {
      const text = listOf(Array<string>(100).fill('{}').join());
      let turns = 0;
      const timer = setInterval(() => turns++, 0);
      assert.equal((await page(answered(text))).length, 100);
      clearInterval(timer);
      assert.ok(turns > 10, `${turns} turns of others`);
      const abort = new AbortController();
      const client = embedded(() => {
        setTimeout(() => abort.abort());
        return body(text);
      });
      assert.equal((await failureOf(page(client, 50, abort.signal))).kind, 'cancelled');
    } finally {
      timing.mock.restore();
    }
  });

  it('contains no token in any part', async () => {
    const quoting = messages.map((message, at) => ({
      ...message,
      quote: at % 500 === 7 ? 'say a-token-of-a-bot' : '',
    }));
    const redacted = quoting.map((one) => ({ ...one, quote: one.quote && 'say ***' }));
    assert.deepEqual(await rawOf({ list: quoting }), redacted);
  });
});
