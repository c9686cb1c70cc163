import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { ConfigurationTarget, type Event, EventEmitter, Uri, window, workspace } from 'vscode';
import type { Lookups } from '../../src/directory/directory.ts';
import { Directory } from '../../src/directory/directory.ts';
import { Connection } from '../../src/platform/connection.ts';
import { type DirectoryStorage, openService } from '../../src/platform/openService.ts';
import type { Service } from '../../src/platform/service.ts';
import { Settings } from '../../src/platform/settings.ts';
import { createFaultySandbox, type FaultySandbox } from '../../src/sandbox/faulty.ts';
import { User } from '../../src/service/model.ts';
import { serve } from '../host/serve.ts';
import { temporaryPath } from '../host/temporary.ts';

/** The service as the extension under test meets it: the sandbox over HTTP, and what was asked of it. */
export interface TestService {
  readonly sandbox: FaultySandbox;
  readonly origin: string;
  /** Addresses of the requests so far, with their queries. */
  readonly requests: URL[];
  /** How many requests were under way at once, at most. */
  readonly mostInFlight: number;
  /** Answers in the sandbox's stead, where it gives an answer. */
  instead: (request: Request) => Promise<Response | undefined> | undefined;
  /** Ends it. Its settings are taken back by the next `configure`. */
  close(): Promise<void>;
}

/** Serves a sandbox and makes it the service that the settings name; `settings` are set beside it. */
export async function useService(settings: Record<string, unknown> = {}): Promise<TestService> {
  const requests: URL[] = [];
  let inFlight = 0;
  let mostInFlight = 0;
  const { origin, close } = await serveElsewhere(async (request) => {
    requests.push(new URL(request.url));
    mostInFlight = Math.max(mostInFlight, ++inFlight);
    try {
      return (await service.instead(request)) ?? (await sandbox.fetch(request));
    } finally {
      inFlight--;
    }
  });
  const sandbox = createFaultySandbox({ origin });
  const { webUrl, openApiUrl } = sandbox;
  const all = { 'service.webUrl': webUrl, 'service.openApiUrl': openApiUrl, ...settings };
  const service: TestService = {
    sandbox,
    origin,
    requests,
    get mostInFlight() {
      return mostInFlight;
    },
    instead: () => undefined,
    async close() {
      for (const name of Object.keys(all)) left.add(name);
      await close();
    },
  };
  await configure(all);
  return service;
}

/** Settings of services that were closed: to write one takes long, and the next service often wants the same. */
const left = new Set<string>();
/** Addresses that were a service's already: the extension remembers what it learned there. */
const served = new Set<string>();

/** Serves at an address that nothing was served at before. */
async function serveElsewhere(...what: Parameters<typeof serve>): ReturnType<typeof serve> {
  const serving = await serve(...what);
  if (!served.has(serving.origin)) {
    served.add(serving.origin);
    return serving;
  }
  // Closed after the next one has taken another port.
  const next = await serveElsewhere(...what);
  await serving.close();
  return next;
}

/**
 * Writes user settings of the extension, those that are others now; undefined takes one away, as it does for those that
 * a service has left.
 */
export async function configure(wanted: Record<string, unknown>): Promise<void> {
  // First what goes: what comes may make the extension look at all of them.
  const gone = [...left].filter((name) => !(name in wanted)).map((name) => [name, undefined] as const);
  const settings = Object.fromEntries([...gone, ...Object.entries(wanted)]);
  left.clear();
  for (const [name, value] of Object.entries(settings)) {
    if (isDeepStrictEqual(written(name).user, value)) continue;
    await workspace.getConfiguration('botChats').update(name, value, ConfigurationTarget.Global);
  }
  // A file of settings that is read while the next one is written into it is empty for a moment.
  while (!Object.entries(settings).every(([name, value]) => isDeepStrictEqual(written(name).user, value))) {
    await new Promise<void>((resolve) => {
      const listening = workspace.onDidChangeConfiguration(() => {
        listening.dispose();
        resolve();
      });
    });
  }
}

/** Writes a setting of the workspace; undefined takes it away. */
export async function configureWorkspace(name: string, value: unknown): Promise<void> {
  await workspace.getConfiguration('botChats').update(name, value, ConfigurationTarget.Workspace);
}

/** What stands in the settings themselves. */
export function written(name: string): { workspace: unknown; user: unknown } {
  const inspected = workspace.getConfiguration('botChats').inspect(name);
  return { workspace: inspected?.workspaceValue, user: inspected?.globalValue };
}

/** A place of its own for what a connection keeps over a restart; nothing is kept there yet. */
export function keeping(): DirectoryStorage {
  const folder = Uri.file(temporaryPath('kept'));
  return { folder, log: window.createOutputChannel('Bot Chats Tests', { log: true }) };
}

/** A connection to the service that the settings name. */
export function newConnection(kept = keeping()): Connection {
  const settings = new Settings();
  return new Connection(settings, () => openService(settings.service, kept));
}

/** A connection to services that `open` gives. */
export const connectionTo = (open: () => Promise<Service>, onDidChange: Event<void> = new EventEmitter<void>().event) =>
  ({ onDidChange, state: async () => 'service', open }) as unknown as Connection;

/** A service of users alone, all called Alice where `user` does not fail. */
export function serviceOf(user: (id: string, signal: AbortSignal) => Promise<unknown>, now?: () => number): Service {
  const lookUps = {
    user: async (userId: string, signal: AbortSignal) => {
      await user(userId, signal);
      const resource = v.parse(User, { userId, nickname: 'Alice' });
      return { kind: 'user' as const, resource, raw: {} };
    },
  };
  return { directory: new Directory(lookUps as unknown as Lookups, now && { now }) } as Service;
}
