import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { ConfigurationTarget, type Event, EventEmitter, Uri, window, workspace } from 'vscode';
import type { Lookups } from '../../src/directory/directory.ts';
import { Directory } from '../../src/directory/directory.ts';
import { diskFiles } from '../../src/platform/diskFiles.ts';
import { ListSettings } from '../../src/platform/listSettings.ts';
import { type DirectoryStorage, openService } from '../../src/platform/openService.ts';
import type { Service } from '../../src/platform/service.ts';
import { Connection } from '../../src/platform/service.ts';
import { Settings } from '../../src/platform/settings.ts';
import { systemClock } from '../../src/service/clock.ts';
import { User } from '../../src/service/model.ts';
import { createFaultySandbox, type FaultyOptions, type FaultySandbox } from '../faults/faultySandbox.ts';
import { serve } from '../host/serve.ts';
import { temporaryPath } from '../host/temporary.ts';
import { until } from './deferred.ts';

/** The service for the extension under test: the sandbox over HTTP, with a log of requests. */
export class TestService {
  sandbox!: FaultySandbox;
  origin!: string;
  /** The paths and queries of all requests. */
  readonly requests: URL[] = [];
  /** Answers instead of the sandbox if it returns a response. */
  instead: (request: Request) => Promise<Response | undefined> | undefined = () => undefined;
  /** Stops it. The next `configure` resets its settings. */
  close!: () => Promise<void>;

  async open(settings: Record<string, unknown>, options: Omit<FaultyOptions, 'origin'>): Promise<void> {
    const { origin, close } = await serveElsewhere((request) => this.#answer(request));
    this.origin = origin;
    this.sandbox = createFaultySandbox({ now: () => systemClock.wall(), ...options, origin });
    const { webUrl, openApiUrl } = this.sandbox;
    const all = { 'service.webUrl': webUrl, 'service.openApiUrl': openApiUrl, ...settings };
    this.close = () => {
      for (const name of Object.keys(all)) left.add(name);
      return close();
    };
    await configure(all);
  }

  async #answer(request: Request): Promise<Response> {
    this.requests.push(new URL(request.url));
    return (await this.instead(request)) ?? this.sandbox.fetch(request);
  }
}

/** Serves a sandbox and configures it as the service, along with `settings`. */
export async function startService(
  settings: Record<string, unknown> = {},
  options: Omit<FaultyOptions, 'origin'> = {},
): Promise<TestService> {
  const service = new TestService();
  await service.open(settings, options);
  return service;
}

/** Serves a sandbox to the tests of a suite, like {@link startService}. */
export function useService(
  settings: Record<string, unknown> = {},
  options: Omit<FaultyOptions, 'origin'> = {},
): TestService {
  const service = new TestService();
  before(() => service.open(settings, options));
  after(() => service.close());
  return service;
}

/** Settings of closed services: writing is slow, and the next service often needs the same. */
const left = new Set<string>();
/** URLs that were used before: the extension caches what it looked up there. */
const served = new Set<string>();

/** Serves at an unused URL. */
async function serveElsewhere(...what: Parameters<typeof serve>): ReturnType<typeof serve> {
  const serving = await serve(...what);
  if (!served.has(serving.origin)) {
    served.add(serving.origin);
    return serving;
  }
  // Closed after the next one has another port.
  const next = await serveElsewhere(...what);
  await serving.close();
  return next;
}

/**
 * Writes the user settings that change. Undefined removes a setting, as do settings that a closed service left.
 */
export async function configure(wanted: Record<string, unknown>): Promise<void> {
  // Removals first: additions may make the extension read all settings.
  const gone = [...left].filter((name) => !(name in wanted)).map((name) => [name, undefined] as const);
  const settings = Object.fromEntries([...gone, ...Object.entries(wanted)]);
  left.clear();
  for (const [name, value] of Object.entries(settings)) {
    if (isDeepStrictEqual(written(name).user, value)) continue;
    await workspace.getConfiguration('botChats').update(name, value, ConfigurationTarget.Global);
  }
  // A settings file that is being written may be read as empty.
  await until(workspace.onDidChangeConfiguration, () =>
    Object.entries(settings).every(([name, value]) => isDeepStrictEqual(written(name).user, value)),
  );
}

/** Writes a workspace setting, or removes it if undefined. */
export async function configureWorkspace(name: string, value: unknown): Promise<void> {
  await workspace.getConfiguration('botChats').update(name, value, ConfigurationTarget.Workspace);
}

/** The configured values. */
export function written(name: string): { workspace: unknown; user: unknown } {
  const inspected = workspace.getConfiguration('botChats').inspect(name);
  return { workspace: inspected?.workspaceValue, user: inspected?.globalValue };
}

/** An empty folder for a connection's persistent data. */
export function keeping(): DirectoryStorage & { readonly folder: Uri } {
  const folder = Uri.file(temporaryPath('kept'));
  const log = window.createOutputChannel('Bot Chats Tests', { log: true });
  return { folder, files: diskFiles(folder.fsPath), lists: new ListSettings(), log };
}

/** A connection to the configured service. */
export function newConnection(kept: DirectoryStorage = keeping()): Connection {
  const settings = new Settings();
  return new Connection(
    async () => settings,
    () => openService(settings, kept),
  );
}

/** A connection to services that `open` returns. */
export const connectionTo = (open: () => Promise<Service>, onDidChange: Event<void> = new EventEmitter<void>().event) =>
  ({ onDidChange, state: async () => 'service', open }) as unknown as Connection;

/** A service with users only, all named Alice unless `user` fails. */
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
