import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ConnectionReset } from '../../faults/answers.ts';
import type { FaultPlan } from '../../faults/plan.ts';
import { assertRefused, type Calls, createCalls, dataOf, GROUP, posting, textTo } from './calls.ts';

type Rule = FaultPlan['faults'][number];

describe('Sandbox faults', () => {
  let calls: Calls;
  // Isolates the tests from each other.
  beforeEach(() => {
    calls = createCalls({ messages: 2 });
  });

  const fetchSend = (signal?: AbortSignal, ...recvIds: string[]) => {
    const body = textTo(...(recvIds.length > 0 ? recvIds : [GROUP]));
    return calls.sandbox.fetch(new Request(calls.sendUrl(), { ...posting(body), signal: signal ?? null }));
  };
  const strike = (...faults: Rule[]) => calls.sandbox.setFaults({ faults });
  /** The number of messages that have arrived in a chat. */
  const arrived = async (chatId = GROUP) => {
    calls.sandbox.setFaults(undefined);
    const { list } = dataOf(await calls.messages({ 'chat-id': chatId, before: '1000' }));
    return list.filter(({ content }: { content: { text?: string } }) => content.text === 'Hello').length;
  };

  const isReset = (answer: Promise<unknown>) =>
    assert.rejects(answer, (error) => {
      assert.ok(error instanceof ConnectionReset && error instanceof TypeError);
      assert.equal((error.cause as { code?: string }).code, 'ECONNRESET');
      return true;
    });
  const isPage = (status: number) => async (answer: Promise<Response>) => {
    const response = await answer;
    assert.deepEqual([response.status, response.headers.get('content-type')], [status, 'text/html; charset=utf-8']);
    assert.match(await response.text(), /^<!DOCTYPE html>[\s\S]*\?token=sandbox-token-62118403/);
  };
  const isRefusal = (status: number, body: object) => async (answer: Promise<Response>) => {
    const response = await answer;
    assert.deepEqual([response.status, await response.json()], [status, body]);
  };
  const leadsTo = (status: number, address: string) => async (answer: Promise<Response>) => {
    const { status: given, headers } = await answer;
    assert.deepEqual([given, headers.get('location')], [status, `${address}token=${calls.token}`]);
  };

  /** Each fault, its default work, and what a client gets. */
  const table: [Rule, 'done' | 'undone', (answer: Promise<Response>) => Promise<void>][] = [
    [{ fault: 'reset' }, 'undone', isReset],
    [
      { fault: 'half-body' },
      'done',
      async (answer) => {
        const { body, headers } = await answer;
        let text = '';
        const reading = (async () => {
          for await (const chunk of body ?? []) text += Buffer.from(chunk).toString();
        })();
        await assert.rejects(reading, { name: 'TypeError', message: 'terminated' });
        assert.match(text, /^\{"code":1,"msg":"/);
        assert.equal(Buffer.byteLength(text), Math.floor(Number(headers.get('content-length')) / 2));
      },
    ],
    [
      { fault: 'garbage' },
      'done',
      async (answer) => {
        const response = await answer;
        assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'application/json']);
        const bytes = await response.arrayBuffer();
        assert.throws(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes), TypeError);
        assert.throws(() => JSON.parse(new TextDecoder().decode(bytes)), SyntaxError);
      },
    ],
    [{ fault: 'html' }, 'done', isPage(200)],
    [{ fault: 'html', status: 502 }, 'undone', isPage(502)],
    [{ fault: 'code', code: 1004, msg: '机器人被封禁' }, 'undone', isRefusal(200, { code: 1004, msg: '机器人被封禁' })],
    [{ fault: 'code', code: 1007, status: 503 }, 'undone', isRefusal(503, { code: 1007, msg: '错误' })],
    [{ fault: 'too-many' }, 'undone', isPage(429)],
    [{ fault: 'too-many', code: 1007 }, 'undone', isRefusal(429, { code: 1007, msg: '调用频率超限' })],
    [
      { fault: 'endless' },
      'done',
      async (answer) => {
        let text = '';
        // Leaving the loop cancels the body.
        for await (const chunk of (await answer).body ?? []) {
          text += Buffer.from(chunk).toString();
          if (text.length > 100_000) break;
        }
        assert.match(text, /^\{"code":1,"msg":"success","data":\{ +$/);
      },
    ],
    [{ fault: 'redirect' }, 'undone', leadsTo(307, 'http://sandbox.localhost/elsewhere?')],
    [{ fault: 'redirect', status: 302, to: 'http://a.test/b?c=d' }, 'undone', leadsTo(302, 'http://a.test/b?c=d&')],
    [
      { fault: 'wrong-types' },
      'done',
      async (answer) => {
        const { code, data } = (await (await answer).json()) as { code: number; data: object };
        assert.deepEqual([code, data], [1, { successCount: 'one', successList: GROUP }]);
      },
    ],
  ];

  for (const [rule, work, isShown] of table) {
    it(`${JSON.stringify(rule)} occurs with its work ${work}, unless the rule says otherwise`, async () => {
      strike(rule);
      await isShown(fetchSend());
      assert.equal(await arrived(), work === 'done' ? 1 : 0);
      strike({ ...rule, work: work === 'done' ? 'undone' : 'done' } as Rule);
      await isShown(fetchSend());
      assert.equal(await arrived(), 1);
    });
  }

  it('html quotes the address that was asked for, as HTML', async () => {
    strike({ fault: 'html' });
    const response = await calls.sandbox.fetch(new Request(calls.messagesUrl({})));
    assert.match(await response.text(), /<p>\/open\/open-apis\/v1\/bot\/messages\?token=[\w-]+&amp;chat-id=\d+&amp;/);
  });

  it('wrong-types has wrong data for each operation', async () => {
    strike({ fault: 'wrong-types' });
    assert.equal(typeof dataOf(await calls.group({ groupId: GROUP })).group.groupId, 'number');
    assert.equal(typeof dataOf(await calls.bot({ botId: '1' })).bot.botId, 'number');
    assert.equal(typeof dataOf(await calls.user('?userId=1')).user.userId, 'number');
    assert.ok(!Array.isArray(dataOf(await calls.messages({})).list));
  });

  it('too-many says when to try again', async () => {
    for (const retryAfter of [17, 'Fri, 13 Mar 2026 16:00:00 GMT', 'soon'])
      for (const more of [{}, { code: 1007 }]) {
        strike({ fault: 'too-many', retryAfter, ...more });
        assert.equal((await fetchSend()).headers.get('retry-after'), `${retryAfter}`);
      }
  });

  it('duplicates and missing change which receivers are named, not who gets the message', async () => {
    const recvIds = [GROUP, 'big', '524317890'];
    for (const [fault, expected] of [
      ['duplicates', [GROUP, GROUP, 'big', '524317890', '524317890']],
      ['missing', ['big']],
    ] as const) {
      calls = createCalls({ messages: 2 });
      strike({ fault });
      const { successCount, successList } = dataOf(await calls.send({ recvIds }));
      assert.deepEqual(
        successList.map(({ recvId }: { recvId: string }) => recvId),
        expected,
      );
      assert.equal(successCount, expected.length);
      strike({ fault });
      assertRefused(await calls.send({ recvType: 'bot' }), 1002, 'recvType取值错误，取值仅支持group、user');
      for (const recvId of recvIds) assert.equal(await arrived(recvId), 1);
    }
  });

  for (const [rule, total] of [
    [{ delay: 600_000 }, 1],
    [{ delay: 600_000, work: 'undone' }, 0],
    [{ fault: 'endless' }, 1],
  ] as const) {
    it(`${JSON.stringify(rule)} ends at once if the request is aborted`, async () => {
      strike(rule);
      const controller = new AbortController();
      const text = fetchSend(controller.signal).then((response) => response.text());
      for (let turns = 0; turns < 5; turns++) await turn();
      const reason = new Error('no longer wanted');
      controller.abort(reason);
      await assert.rejects(text, reason);
      assert.equal(await arrived(), total);
      await assert.rejects(fetchSend(controller.signal), reason);
    });
  }

  it('a delay precedes the fault or the correct response, and work undone before it is done after it', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      for (const rule of [{ delay: 60 }, { delay: 60, work: 'undone' }] as const) {
        calls = createCalls({ messages: 2 });
        strike(rule);
        let isOver = false;
        const answer = fetchSend().finally(() => {
          isOver = true;
        });
        await turn();
        mock.timers.tick(59);
        await turn();
        assert.equal(isOver, false);
        mock.timers.tick(1);
        assert.equal((await answer).status, 200);
        assert.equal(await arrived(), 1);
      }
      strike({ fault: 'reset', delay: 60 });
      const lost = isReset(fetchSend());
      await turn();
      mock.timers.tick(60);
      await lost;
    } finally {
      mock.timers.reset();
    }
  });
});
