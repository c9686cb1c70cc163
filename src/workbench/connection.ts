/** The service that the settings name, opened when it is first needed. */
import { EventEmitter } from 'vscode';
import type { AddressProblem } from '../service/address.ts';
import type { Client } from '../service/client.ts';
import type { Directory } from '../service/directory.ts';
import type { Kind } from '../service/model.ts';
import { type IdList, idList, onDidChangeSettings, type SettingName, serviceSettings } from './settings.ts';

/** A service ready to be called. */
export interface Service {
  /** What tokens are saved for: the address that they are sent to. */
  readonly address: string;
  readonly client: Client;
  readonly directory: Directory;
  /** What the sandbox comes with, where that is the service: IDs to show at first, and its bots' tokens. */
  readonly sandbox?: {
    readonly group: readonly string[];
    readonly bot: readonly string[];
    readonly user: readonly string[];
    token(botId: string): string | undefined;
  };
}

/** The IDs that the person works with: the configured ones, or those that the sandbox comes with. */
export function idsOf(kind: Kind, { sandbox }: Pick<Service, 'sandbox'>): IdList {
  return idList(kind) ?? { ids: [...(sandbox?.[kind] ?? [])], unusable: [] };
}

/** No service can be opened until the person changes a setting. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
  readonly setting: SettingName;
  readonly problem: AddressProblem;

  constructor(setting: SettingName, problem: AddressProblem) {
    super(`${setting}: ${problem}`);
    this.setting = setting;
    this.problem = problem;
  }
}

export type ConnectionState = 'none' | 'sandbox' | 'service';

/** Where the sandbox answers: nowhere on a network. */
const SANDBOX_ADDRESS = 'sandbox:';

export class Connection {
  readonly #changed = new EventEmitter<void>();
  readonly #watch = onDidChangeSettings(['service'], () => {
    this.#opened = undefined;
    this.#changed.fire();
  });
  #opened: Promise<Service> | undefined;

  /** Fires when the settings name another service; the one opened before is not to be used any more. */
  readonly onDidChange = this.#changed.event;

  /** What the settings ask for; reads nothing else. */
  get state(): ConnectionState {
    const { sandbox, webUrl, openApiUrl } = serviceSettings();
    if (sandbox) return 'sandbox';
    return webUrl || openApiUrl ? 'service' : 'none';
  }

  /** The service, opened once. Rejects with a {@link SetupError} when the settings name none that can be used. */
  open(): Promise<Service> {
    if (!this.#opened) {
      const opening = this.state === 'sandbox' ? openSandbox() : openService();
      this.#opened = opening;
      // A failure is not kept: the next call tries again.
      opening.catch(() => {
        if (this.#opened === opening) this.#opened = undefined;
      });
    }
    return this.#opened;
  }

  dispose(): void {
    this.#watch.dispose();
    this.#changed.dispose();
  }
}

async function openService(): Promise<Service> {
  const { webUrl, openApiUrl } = serviceSettings();
  const { readAddress } = await import('../service/address.ts');
  const web = readAddress(webUrl, { token: false });
  if ('problem' in web) throw new SetupError('botChats.service.webUrl', web.problem);
  const openApi = readAddress(openApiUrl, { token: true });
  if ('problem' in openApi) throw new SetupError('botChats.service.openApiUrl', openApi.problem);
  return { address: openApi.url, ...(await clientOf({ webUrl: web.url, openApiUrl: openApi.url })) };
}

async function openSandbox(): Promise<Service> {
  const { createSandbox } = await import('../sandbox/index.ts');
  const sandbox = createSandbox();
  const { groups: group, bots: bot, users: user, webUrl, openApiUrl } = sandbox;
  const fetch: typeof globalThis.fetch = async (input, init) => sandbox.fetch(new Request(input, init));
  return {
    address: SANDBOX_ADDRESS,
    ...(await clientOf({ webUrl, openApiUrl, fetch })),
    sandbox: { group, bot, user, token: (botId) => sandbox.token(botId) },
  };
}

async function clientOf(options: ConstructorParameters<typeof Client>[0]) {
  const [{ Client }, { Directory }] = await Promise.all([
    import('../service/client.ts'),
    import('../service/directory.ts'),
  ]);
  const client = new Client(options);
  return { client, directory: new Directory(client) };
}
