/** The service in use. */

import { type Disposable, EventEmitter } from 'vscode';
import type { Directory } from '../directory/directory.ts';
import type { Client } from '../service/client.ts';
import { onDidChangeSettings } from './configuration.ts';
import type { Settings } from './settings.ts';

/** The address of the sandbox, which isn't on a network. */
export const SANDBOX_ADDRESS = 'sandbox:';

/** A service that is ready to use. */
export interface Service {
  /** The address that tokens are sent to, and saved for. */
  readonly address: string;
  readonly client: Client;
  readonly directory: Directory;
  /** Cancels lookups. Resolves when the directory is saved. */
  close(): Promise<void>;
  /** The IDs and bot tokens that the sandbox comes with; undefined for any other service. */
  readonly sandbox?: {
    readonly group: readonly string[];
    readonly bot: readonly string[];
    readonly user: readonly string[];
    token(botId: string): string | undefined;
  };
}

export type ConnectionState = 'none' | 'sandbox' | 'service';

/** The service from the settings, opened on first use. */
export class Connection {
  readonly #changed = new EventEmitter<void>();
  readonly #settings: () => Promise<Pick<Settings, 'service'>>;
  readonly #openService: () => Promise<Service>;
  readonly #watch: Disposable;
  #opened: Promise<Service> | undefined;
  #closed: Promise<unknown> = Promise.resolve();

  /** `settings` loads the settings, and `openService` opens the service that they name. */
  constructor(settings: () => Promise<Pick<Settings, 'service'>>, openService: () => Promise<Service>) {
    this.#settings = settings;
    this.#openService = openService;
    this.#watch = onDidChangeSettings(['service'], () => {
      void this.close();
      this.#changed.fire();
    });
  }

  /** Fires when the service settings change. Don't use a service opened before. */
  readonly onDidChange = this.#changed.event;

  /** What kind of service is set. Opens nothing. */
  async state(): Promise<ConnectionState> {
    const { sandbox, webUrl, openApiUrl } = (await this.#settings()).service;
    if (sandbox) return 'sandbox';
    return webUrl || openApiUrl ? 'service' : 'none';
  }

  /** The service, opened once. @throws SetupError if the settings are incomplete or invalid */
  open(): Promise<Service> {
    if (!this.#opened) {
      const opening = this.#closed.then(this.#openService);
      this.#opened = opening;
      // Failures aren't cached: the next call tries again.
      opening.catch(() => {
        if (this.#opened === opening) this.#opened = undefined;
      });
    }
    return this.#opened;
  }

  dispose(): void {
    this.#watch.dispose();
    this.#changed.dispose();
    void this.close();
  }

  /** Closes the service; the next call opens it again. Resolves when everything is saved. */
  close(): Promise<unknown> {
    const opened = this.#opened;
    this.#opened = undefined;
    // Callers of `open` have received the error.
    const closing = opened?.then((service) => service.close()).catch(() => {});
    this.#closed = Promise.all([this.#closed, closing]);
    return this.#closed;
  }
}
