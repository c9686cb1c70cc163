import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CancellationError, workspace } from 'vscode';
import { estimateTokens, fitToBudget } from '../../../src/agent/createTools.ts';
import { ToolError } from '../../../src/agent/toolError.ts';
import { type AgentRow, shownText } from '../../../src/markup/safeText.ts';
import { UserFacingError } from '../../../src/presentation/errorText.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { logged } from '../chats/history/test-page.ts';
import { deferred, settled } from '../deferred.ts';
import { newHost } from '../test-host.ts';
import { configure } from '../test-service.ts';
import { type Agent, newAgent, type ToolName } from './agents.ts';

type Input = Record<string, unknown>;

/** An input that each tool takes. */
const GOOD: Record<ToolName, Input> = {
  list: {},
  look_up: { ids: ['7058314'] },
  read: { chatType: 'group', chatId: '518204736', count: 50 },
  search: { query: 'tea' },
  activity: {},
  draft: { body: 'Hello', groups: ['518204736'] },
  delivery: {},
};

const TOOLS = Object.keys(GOOD) as ToolName[];

describe('Every tool for agents', () => {
  let agent: Agent;

  beforeEach(() => {
    agent = newAgent(newHost());
  });

  it('says what is wrong with its input, and what to do', async () => {
    for (const name of TOOLS) {
      for (const wrong of [{ id: 1, ids: 'x', query: 2, body: 3, chatId: {} }, name, undefined])
        await assert.rejects(
          agent.call(name, wrong),
          /The input isn't valid\. .* Correct it and call the tool again\./,
        );
      await assert.rejects(agent.call(name, { ...GOOD[name], sendNow: true }), /sendNow: Unknown, leave it out\./);
    }
  });

  it('says what it does while it runs', async () => {
    for (const [name, input, words] of [
      ['list', {}, 'Listing groups, bots, and people'],
      ['look_up', { ids: ['7'] }, 'Looking up 7'],
      ['look_up', { ids: ['7', '8'] }, 'Looking up 2 IDs'],
      ['read', { chatType: 'group', chatId: '7' }, 'Reading messages of 7'],
      ['search', { query: 'tea' }, 'Searching archived messages for “tea”'],
      ['activity', {}, 'Reading the activity of watched chats'],
      ['draft', { body: 'Hi' }, 'Opening a draft'],
      ['delivery', {}, 'Reading the outbox'],
    ] as const)
      assert.equal(await agent.progress(name, input), words);
  });

  it('says which limits, pages and lists it takes', async () => {
    for (const [name, input, problem] of [
      ['list', { limit: 0 }, 'limit: Must be a number from 1 to 50'],
      ['list', { limit: 1.5 }, 'limit: Must be a whole number from 1 to 50'],
      ['search', { query: 'x', limit: '9' }, 'limit: Must be a number from 1 to 20'],
      ['list', { page: 'next' }, 'page: Must be the page that the result before named'],
      ['delivery', { page: '-1' }, 'page: Must be the page that the result before named'],
      ['list', { kind: 'chat' }, 'kind: Must be "group", "bot", "person" or "audience"'],
      ['list', { page: '12345678901234567' }, 'page: Must be the page that the result before named'],
      ['list', { page: 'page 2' }, 'page: Must be the page that the result before named'],
      ['list', { page: {} }, 'page: Must be the page that the result before named'],
      ['list', { query: ' ' }, 'query: Must not be empty'],
      ['look_up', { ids: ['7'], kind: 'audience' }, 'kind: Must be "group", "bot" or "person"'],
      ['look_up', { ids: '7' }, 'ids: Must be a list of IDs'],
      ['look_up', { ids: [] }, 'ids: Must have at least one ID'],
      ['look_up', { ids: Array.from({ length: 11 }, (_, at) => `${at}`) }, 'ids: Can have up to 10 IDs'],
      ['delivery', { id: '../../tokens' }, 'id: Must be an id that botchats_delivery has listed'],
      ['delivery', { id: 7 }, 'id: Must be an id that botchats_delivery has listed'],
      ['activity', { only: 'mine' }, 'only: Must be "unread", "replies" or "words"'],
      ['activity', { chatIds: [] }, 'chatIds: Leave out chatIds to list all watched chats'],
      ['search', { query: 'x', chatIds: [] }, 'chatIds: Leave out chatIds to search all chats'],
    ] as const)
      await assert.rejects(agent.call(name, input), (error: Error) => {
        assert.equal(error.message, `The input isn't valid. ${problem}. Correct it and call the tool again.`);
        return true;
      });
  });

  it('names the first five things that are wrong', async () => {
    await assert.rejects(
      agent.call('look_up', { ids: Array.from({ length: 7 }, () => 'a b') }),
      /valid\. ids\.0: Must be an ID: .*; ids\.4: Must be an ID: [\w ]+\. Correct it/,
    );
  });

  it('answers a huge input with a short error', async () => {
    const huge = 'x'.repeat(2_000_000);
    const inputs: Record<ToolName, Input> = {
      list: { query: huge },
      look_up: { ids: [huge] },
      read: { chatType: 'group', chatId: huge },
      search: { query: huge },
      activity: { chatIds: [huge] },
      draft: { body: huge },
      delivery: { id: huge },
    };
    for (const name of TOOLS)
      for (const input of [inputs[name], { ...GOOD[name], [huge]: 1 }])
        await assert.rejects(agent.call(name, input), (error: Error) => {
          assert.match(error.message, /The input isn't valid/, name);
          assert.ok(error.message.length < 1_000, name);
          return true;
        });
  });

  it('logs what no one expected, and nothing that a user can see the reason of', async () => {
    const { log, lines } = logged();
    const fail = (error: Error) =>
      newAgent(newHost({ log }), { deliveries: { list: () => Promise.reject(error), get: async () => undefined } });
    const refused = new ServiceError({ kind: 'rejected', status: 200, code: 1005, text: 'no' });
    for (const expected of [new ToolError('No.'), refused, new UserFacingError(shownText`No.`)])
      await assert.rejects(fail(expected).call('delivery', {}));
    assert.deepEqual(lines, []);
    await assert.rejects(fail(new Error('odd')).call('delivery', {}), /^ToolError: .*odd Tell the user\.$/);
    assert.match(lines.join(), /odd/);
  });

  it('is cancelled, whatever went wrong meanwhile or not', async () => {
    for (const end of [
      () => Promise.resolve({ deliveries: [], unreadable: 0 }),
      () => Promise.reject(new Error('odd')),
    ]) {
      const { promise: cancelled, resolve: cancel } = deferred<void>();
      const list = async () => {
        cancel();
        await settled();
        return end();
      };
      agent = newAgent(newHost(), { deliveries: { list, get: async () => undefined } });
      await assert.rejects(agent.call('delivery', {}, { cancelAfter: cancelled }), CancellationError);
    }
  });

  it('is off when the user turns them off', async () => {
    await configure({ 'agents.enabled': false });
    try {
      for (const name of TOOLS)
        await assert.rejects(agent.call(name, GOOD[name]), /turned off the tools of Bot Chats/, name);
    } finally {
      await configure({ 'agents.enabled': undefined });
    }
  });

  it('is off, and asks nothing, in an untrusted workspace', async () => {
    Object.defineProperty(workspace, 'isTrusted', { value: false, configurable: true });
    try {
      for (const name of TOOLS) {
        await assert.rejects(agent.call(name, GOOD[name]), /don't work in an untrusted workspace/, name);
        assert.equal(await agent.question(name, GOOD[name]), undefined, name);
      }
    } finally {
      Object.defineProperty(workspace, 'isTrusted', { value: true, configurable: true });
    }
  });
});

const render = (rows: readonly string[], isCut: boolean) =>
  `head\n${rows.join('\n')}\n${rows.length} shown${isCut ? ', cut' : ''}`;
const length = (text: string) => text.length;

describe('A budget of tokens', () => {
  it('is estimated from bytes: three letters of English, or one Chinese character', async () => {
    assert.equal(await estimateTokens('words'), 2);
    assert.equal(await estimateTokens('中文'), 2);
    assert.equal(await estimateTokens(''), 0);
  });

  it('is used for as many rows as fit', async () => {
    const rows = ['1111', '2222', '3333'] as AgentRow[];
    assert.equal(await fitToBudget(rows, render, 27, length), 'head\n1111\n2222\n3333\n3 shown');
    assert.equal(await fitToBudget(rows, render, 26, length), 'head\n1111\n2222\n2 shown');
    assert.equal(await fitToBudget([], render, 13, length), 'head\n\n0 shown');
  });

  it('cuts the first row if it does not fit, and says so', async () => {
    const row = `${'1'.repeat(89)}👍${'1'.repeat(50)}` as AgentRow;
    assert.equal(await fitToBudget([row], render, 109, length), `head\n${'1'.repeat(89)}…\n1 shown, cut`);
    assert.equal(await fitToBudget([row, row], render, 110, length), `head\n${'1'.repeat(89)}👍…\n1 shown, cut`);
    const flag = `${'1'.repeat(89)}🇨🇳${'1'.repeat(50)}` as AgentRow;
    assert.equal(await fitToBudget([flag], render, 110, length), `head\n${'1'.repeat(89)}…\n1 shown, cut`);
  });

  it('says that it is too small, instead of a result that would offer the same rows again', async () => {
    for (const [row, budget] of [
      ['1111', 13],
      ['1'.repeat(100), 90],
    ] as const)
      assert.equal(
        await fitToBudget([row as AgentRow], render, budget, length),
        `A budget of ${budget} tokens is too small for this result. Call the tool again with more.`,
      );
  });

  it('is never exceeded by rows', async () => {
    const rows = fc.array(fc.string({ unit: 'grapheme', maxLength: 120 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(rows, fc.nat(600), async (rows, budget) => {
        const text = await fitToBudget(rows as AgentRow[], render, budget, length);
        if (text.startsWith('A budget of')) return assert.ok(rows.length === 0 || render(rows, false).length > budget);
        assert.ok(text.length <= budget);
        // As many rows as possible.
        const shown = Number(/(\d+) shown(?:, cut)?$/.exec(text)?.[1]);
        assert.ok(shown > 0 || rows.length === 0);
        assert.ok(shown === rows.length || render(rows.slice(0, shown + 1), false).length > budget);
      }),
    );
  });
});
