import assert from 'node:assert/strict';
import type { FaultPlan } from '../../../src/sandbox/faulty.ts';
import { type Served, served } from './served.ts';
import * as shows from './shows.ts';
import { type Ask, broken, parsed } from './shows.ts';

type Rule = FaultPlan['faults'][number];

describe('Sandbox faults over HTTP', () => {
  let service: Served;
  // Isolates the tests from each other.
  beforeEach(async () => {
    service = await served({ messages: 2 });
  });
  afterEach(() => service.close());

  const messagesUrl = () => {
    const query = { token: service.token, 'chat-id': '518204736', 'chat-type': 'group', before: '1' };
    return `${service.sandbox.openApiUrl}/open-apis/v1/bot/messages?${new URLSearchParams(query)}`;
  };
  const sendUrl = () => `${service.sandbox.openApiUrl}/open-apis/v1/bot/batch_send?token=${service.token}`;
  const read: Ask = () => fetch(messagesUrl(), { redirect: 'manual' });
  const sendTo =
    (...recvIds: string[]): Ask =>
    () => {
      const body = { recvIds, recvType: 'group', contentType: 'text', content: { text: 'Hello' } };
      const headers = { 'Content-Type': 'application/json' };
      return fetch(sendUrl(), { method: 'POST', headers, body: JSON.stringify(body), redirect: 'manual' });
    };
  const send = sendTo('518204736');
  const strike = (...faults: Rule[]) => service.sandbox.setFaults({ faults });
  /** How often the message of `sendTo` is in a chat. */
  const arrived = async (chatId = '518204736') => {
    service.sandbox.setFaults(undefined);
    const { body } = await service.messages({ 'chat-id': chatId, before: '1000' });
    return body.data.list.filter(({ content }: { content: { text?: string } }) => content.text === 'Hello').length;
  };

  const table: [Rule, 'done' | 'undone', (ask: Ask) => Promise<void>][] = [
    [{ fault: 'reset' }, 'undone', shows.reset],
    [{ fault: 'half-body' }, 'done', shows.cut],
    [{ fault: 'garbage' }, 'done', shows.garbage],
    [{ fault: 'html' }, 'done', shows.page(200)],
    [{ fault: 'html', status: 502 }, 'undone', shows.page(502)],
    [{ fault: 'wrong-types' }, 'done', shows.wrongData],
    [
      { fault: 'code', code: 1004, msg: '机器人被封禁' },
      'undone',
      shows.refusal({ code: 1004, msg: '机器人被封禁' }, 200),
    ],
    [
      { fault: 'code', code: 1007, msg: '错误', status: 503 },
      'undone',
      shows.refusal({ code: 1007, msg: '错误' }, 503),
    ],
    [{ fault: 'code', code: 1 }, 'undone', shows.refusal({ code: 1, msg: '错误' }, 200)],
    [{ fault: 'too-many' }, 'undone', shows.page(429)],
    [{ fault: 'too-many', code: 1007 }, 'undone', shows.refusal({ code: 1007, msg: '调用频率超限' }, 429)],
    [{ fault: 'endless' }, 'done', shows.endless],
    [{ fault: 'redirect' }, 'undone', shows.redirect(307, () => `${service.origin}/elsewhere?token=`)],
    [
      { fault: 'redirect', status: 302, to: 'http://other.invalid/a?b=c' },
      'undone',
      shows.redirect(302, () => 'http://other.invalid/a?b=c&token='),
    ],
  ];

  for (const [rule, defaultWork, isShown] of table) {
    const name = JSON.stringify(rule);
    it(`${name} occurs when reading`, async () => {
      strike(rule);
      await isShown(read);
      service.sandbox.setFaults(undefined);
      assert.equal((await parsed(read)).body.data.total, 1);
    });

    it(`${name} occurs when sending, with work ${defaultWork} by default`, async () => {
      strike(rule);
      await isShown(send);
      assert.equal(await arrived(), defaultWork === 'done' ? 1 : 0);
    });

    it(`${name} occurs with the work done or undone`, async () => {
      strike({ ...rule, work: 'done' } as Rule);
      await isShown(send);
      assert.equal(await arrived(), 1);
      strike({ ...rule, work: 'undone' } as Rule);
      await isShown(send);
      assert.equal(await arrived(), 1);
    });
  }

  it('half-body is the first half of the correct response', async () => {
    const right = await (await read()).text();
    strike({ fault: 'half-body' });
    const response = await read();
    assert.equal(response.headers.get('content-length'), String(Buffer.byteLength(right)));
    assert.ok(right.startsWith((await broken(response)).text));
  });

  it('html quotes the URL escaped', async () => {
    strike({ fault: 'html' });
    const quoted = /<p>\/open\/open-apis\/v1\/bot\/messages\?token=sandbox-token-62118403&amp;chat-id=518204736&amp;/;
    assert.match(await (await read()).text(), quoted);
  });

  it('wrong-types has different data for each operation', async () => {
    strike({ fault: 'wrong-types' });
    const types = (object: object) => Object.fromEntries(Object.entries(object).map(([key, of]) => [key, typeof of]));
    const { group } = (await service.group({ groupId: 'big' })).body.data;
    const wrongGroup = { groupId: 'number', name: 'object', headcount: 'object', groupBotRel: 'string' };
    assert.deepEqual(types(group), wrongGroup);
    const { bot } = (await service.bot({ botId: '30481126' })).body.data;
    assert.deepEqual(types(bot), { botId: 'number', nickname: 'object', headcount: 'string', private: 'object' });
    const { user } = (await service.user('?userId=7058314')).body.data;
    assert.deepEqual(types(user), { userId: 'number', nickname: 'number', registerTime: 'string', medals: 'string' });
    assert.deepEqual(types((await service.messages({ before: '1' })).body.data), { list: 'object', total: 'string' });
    const sent = { successCount: 'string', successList: 'string' };
    assert.deepEqual(types((await service.send({})).body.data), sent);
  });

  for (const [retryAfter, header] of [
    [0, '0'],
    [17, '17'],
    ['Fri, 13 Mar 2026 16:00:00 GMT', 'Fri, 13 Mar 2026 16:00:00 GMT'],
    ['soon', 'soon'],
  ] as const) {
    it(`too-many says Retry-After: ${header} with a page and with a refusal`, async () => {
      for (const code of [{}, { code: 1007 }]) {
        strike({ fault: 'too-many', retryAfter, ...code });
        const response = await send();
        assert.deepEqual([response.status, response.headers.get('retry-after')], [429, header]);
        await response.text();
      }
    });
  }

  it('redirect leads to an unknown path, so that there is no loop', async () => {
    strike({ fault: 'redirect' });
    const { status, url } = await fetch(messagesUrl());
    assert.equal(status, 404);
    assert.ok(url.startsWith(`${service.origin}/elsewhere?token=`));
  });

  it("redirect combines its own query with the request's", async () => {
    strike({ fault: 'redirect', to: '/there?x=1' });
    const bare = await fetch(`${service.sandbox.webUrl}/v1/user/homepage`, { redirect: 'manual' });
    assert.equal(bare.headers.get('location'), `${service.origin}/there?x=1`);
    const full = await fetch(`${service.sandbox.webUrl}/v1/user/homepage?userId=%20`, { redirect: 'manual' });
    assert.equal(full.headers.get('location'), `${service.origin}/there?x=1&userId=%20`);
  });

  describe('in successList', () => {
    const recvIds = ['518204736', 'big', '524317890'];
    const answerOf = async (rule: Rule) => {
      strike(rule);
      const { body } = await parsed(sendTo(...recvIds));
      const { successCount, successList } = body.data;
      return { successCount, named: successList.map(({ recvId }: { recvId: string }) => recvId), successList };
    };

    it('duplicates lists and counts every other receiver twice, who gets the message once', async () => {
      const { successCount, named, successList } = await answerOf({ fault: 'duplicates' });
      assert.deepEqual(named, ['518204736', '518204736', 'big', '524317890', '524317890']);
      assert.equal(successCount, 5);
      assert.deepEqual(successList[0], successList[1]);
      for (const recvId of recvIds) assert.equal(await arrived(recvId), 1);
    });

    it('missing omits every other receiver, who still gets the message', async () => {
      const { successCount, named } = await answerOf({ fault: 'missing' });
      assert.deepEqual(named, ['big']);
      assert.equal(successCount, 1);
      for (const recvId of recvIds) assert.equal(await arrived(recvId), 1);
    });

    it("don't change refusals and other operations", async () => {
      strike({ fault: 'missing' }, { fault: 'duplicates' });
      assert.deepEqual((await service.send({ recvType: 'bot' })).body, { code: 1002, msg: '参数错误: recvType' });
      assert.equal((await parsed(read)).body.data.total, 1);
    });
  });
});
