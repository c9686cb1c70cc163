import assert from 'node:assert/strict';
import * as v from 'valibot';
import { CancellationTokenSource, type LanguageModelTextPart, type LanguageModelTool } from 'vscode';
import { createTools } from '../../../src/agent/createTools.ts';
import type { AgentHost } from '../../../src/agent/tool.ts';
import { messageReader } from '../../../src/chats/history/historySource.ts';
import type { Host } from '../../../src/platform/host.ts';
import type { Connection } from '../../../src/platform/service.ts';
import { Listed } from '../../../src/service/message.ts';
import { newHost } from '../test-host.ts';
import { configure, newConnection, type TestService, useService } from '../test-service.ts';

export const BOT = '30481126';
/** Has 480 messages in the sandbox. */
export const SHOP = '518204736';
/** Has 120 messages. */
export const HIKING = '546790213';
export const ALICE = '7058314';

export type ToolName = keyof ReturnType<typeof createTools>;

/** A language model that calls tools. */
export interface Agent {
  /** The text of a result. Rejects as the tool does. */
  call(name: ToolName, input: unknown, options?: CallOptions): Promise<string>;
  /** The title and text of the question that the user is asked before, without escapes; undefined if there's none. */
  question(name: ToolName, input: unknown): Promise<string | undefined>;
  /** What the user sees while it runs, without escapes. */
  progress(name: ToolName, input: unknown): Promise<string>;
}

interface CallOptions {
  budget?: number;
  countTokens?(text: string): number;
  /** Cancels the call when this has resolved. */
  cancelAfter?: Promise<unknown>;
  /** Whether it's cancelled before it starts. */
  isCancelled?: boolean;
}

/** Nothing watched, nothing archived, nothing sent, no messages. Opened drafts go nowhere. */
const NO_PORTS: Pick<AgentHost, 'activity' | 'deliveries' | 'drafts' | 'messages' | 'search'> = {
  activity: { list: async () => ({ items: [], watched: [] }) },
  deliveries: { list: async () => ({ deliveries: [], unreadable: 0 }), get: async () => undefined },
  drafts: { open: async () => ({ problems: [], recipients: 0, leftOut: 0, unchecked: 0 }) },
  messages: { read: async () => ({ entries: [] }) },
  search: { search: async () => ({ hits: [], next: undefined, chats: [] }) },
};

export function newAgent(host: Host, ports: Partial<typeof NO_PORTS> = {}): Agent {
  const tools = createTools({ ...host, ...NO_PORTS, ...ports });
  const toolOf = (name: ToolName): LanguageModelTool<unknown> => tools[name];
  const prepare = (name: ToolName, input: unknown) =>
    toolOf(name).prepareInvocation?.({ input }, new CancellationTokenSource().token);
  return {
    async call(name, input, { budget, countTokens = (text: string) => text.length, cancelAfter, isCancelled } = {}) {
      const source = new CancellationTokenSource();
      const tokenizationOptions = budget !== undefined && {
        tokenBudget: budget,
        countTokens: async (text: string) => countTokens(text),
      };
      const options = { input, toolInvocationToken: undefined, ...(tokenizationOptions && { tokenizationOptions }) };
      if (isCancelled) source.cancel();
      void cancelAfter?.then(() => source.cancel());
      const result = await toolOf(name).invoke(options, source.token);
      assert.ok(result);
      return (result.content as LanguageModelTextPart[]).map(({ value }) => value).join('');
    },
    async question(name, input) {
      const { confirmationMessages: asked } = (await prepare(name, input)) ?? {};
      return asked && `${asked.title} ${plain(asked.message)}`;
    },
    progress: async (name, input) => plain((await prepare(name, input))?.invocationMessage),
  };
}

const plain = (text: string | { value: string } | undefined) =>
  (typeof text === 'string' ? text : (text?.value ?? '')).replace(/\\(.)/g, '$1');

/** The parts of a result: its rows, and everything around them. */
export function parts(result: string): { rows: string[]; around: string } {
  const boundary = /^--- untrusted ([\da-f]{16})$/m.exec(result)?.[1];
  if (boundary === undefined) return { rows: [], around: result };
  const [before = '', rest = ''] = result.split(`\n--- untrusted ${boundary}\n`);
  const [rows = '', after = '', ...more] = rest.split(`\n--- end of untrusted ${boundary}`);
  assert.deepEqual(more, []);
  return { rows: rows.split('\n'), around: `${before}\n--- rows ---${after}`.replaceAll(boundary, '<boundary>') };
}

/** The rows of a result. */
export const rowsOf = (result: string): Record<string, unknown>[] =>
  parts(result).rows.map((row) => JSON.parse(row) as Record<string, unknown>);

/** The IDs in the rows of a result. */
export const idsOf = (result: string) => rowsOf(result).map(({ id }) => id);

/** The results of all pages: `next` is the input that a result offers, if any. */
export async function pagesOf(
  call: (next: object) => Promise<string>,
  next: (result: string) => object | undefined,
): Promise<string[]> {
  const results: string[] = [];
  for (let input: object | undefined = {}; input; ) {
    assert.ok(results.length < 100, 'The pages have no end.');
    const result = await call(input);
    results.push(result);
    input = next(result);
  }
  return results;
}

/** The page that a result offers next. */
export const nextPage = (result: string) => {
  const page = / page "(\d+)"/.exec(result)?.[1];
  return page === undefined ? undefined : { page };
};

/** What a test of tools needs. Everything but the service is new for each test. */
interface Tools {
  service: TestService;
  connection: Connection;
  host: ReturnType<typeof newHost>;
  agent: Agent;
}

/** Serves a sandbox with some chats in the sidebar to the tests of a suite, which may change these settings. */
export function useTools(): Tools {
  const lists = {
    groups: [{ id: SHOP, label: 'Work' }, HIKING],
    bots: [BOT],
    people: [ALICE],
    audiences: { testers: { groups: [SHOP], people: [ALICE] } },
  };
  const service = useService({ 'service.callsPerSecond': 1000, ...lists });
  const tools = { service } as Tools;
  beforeEach(() => {
    tools.connection = newConnection();
    tools.host = newHost({ connection: tools.connection });
    tools.agent = newAgent(tools.host);
    service.requests.splice(0);
  });
  afterEach(async () => {
    service.instead = () => undefined;
    tools.connection.dispose();
    await configure({ ...lists, 'agents.access': undefined, 'agents.chats': undefined });
  });
  return tools;
}

/** The input that reads the shop's messages. */
export const SHOP_INPUT = { chatType: 'group', chatId: SHOP };

/** Serves a sandbox to tests of the tool that reads messages, as a bot with a token. */
export function useReadTool() {
  const tools = useTools();
  beforeEach(async () => {
    const { connection, host, service } = tools;
    await host.tokens.set(await connection.open(), BOT, service.sandbox.token(BOT) ?? '');
    tools.agent = newAgent(host, { messages: messageReader(host) });
  });
  const read = (more: object = {}, options?: CallOptions) =>
    tools.agent.call('read', { ...SHOP_INPUT, ...more }, options);
  /** Lets the agent read these messages instead, newest first. */
  const list = (...messages: readonly object[]) => {
    const entries = messages.map((message) => v.parse(Listed, message));
    tools.agent = newAgent(tools.host, { messages: { read: async () => ({ entries }) } });
  };
  return { tools, read, list };
}
