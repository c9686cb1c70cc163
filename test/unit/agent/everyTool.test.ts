import assert from 'node:assert/strict';
import { workspace } from 'vscode';
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
