import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationTarget, Uri, window, workspace } from 'vscode';
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import type { Keeping } from '../../src/workbench/openService.ts';
import { serve } from '../host/serve.ts';

/** The service as the extension under test meets it: the sandbox over HTTP, and what was asked of it. */
export interface TestService {
  readonly sandbox: Sandbox;
  readonly origin: string;
  /** Addresses of the requests so far, with their queries. */
  readonly requests: URL[];
  /** Ends it and takes the settings back. */
  close(): Promise<void>;
}

/** Serves a sandbox and makes it the service that the settings name; `settings` are set beside it. */
export async function useService(settings: Record<string, unknown> = {}): Promise<TestService> {
  const requests: URL[] = [];
  let answer = (_: Request): Response | Promise<Response> => new Response(null, { status: 503 });
  const { origin, close } = await serve((request) => {
    requests.push(new URL(request.url));
    return answer(request);
  });
  const sandbox = createSandbox({ origin });
  answer = sandbox.fetch;
  const { webUrl, openApiUrl } = sandbox;
  const all = { 'service.webUrl': webUrl, 'service.openApiUrl': openApiUrl, ...settings };
  await configure(all);
  return {
    sandbox,
    origin,
    requests,
    async close() {
      await configure(Object.fromEntries(Object.keys(all).map((name) => [name, undefined])));
      await close();
    },
  };
}

/** Writes user settings of the extension; undefined takes one away. */
export async function configure(settings: Record<string, unknown>): Promise<void> {
  for (const [name, value] of Object.entries(settings)) {
    await workspace.getConfiguration('botChats').update(name, value, ConfigurationTarget.Global);
  }
}

/** A place of its own for what a connection keeps over a restart; nothing is kept there yet. */
export function keeping(): Keeping {
  const folder = Uri.file(join(tmpdir(), `bot-chats-${randomUUID()}`));
  return { folder, log: window.createOutputChannel('Bot Chats Tests', { log: true }) };
}
