/** The service that the settings name, opened when it is first needed. */
import { type Disposable, EventEmitter } from 'vscode';
import type { Service } from './service.ts';
import type { Settings } from './settings.ts';

export type ConnectionState = 'none' | 'sandbox' | 'service';

export class Connection {
  readonly #changed = new EventEmitter<void>();
  readonly #settings: Settings;
  readonly #openService: () => Promise<Service>;
  readonly #watch: Disposable;
  #opened: Promise<Service> | undefined;
  #closed: Promise<unknown> = Promise.resolve();

  /** `openService` opens what the settings name. */
  constructor(settings: Settings, openService: () => Promise<Service>) {
    this.#settings = settings;
    this.#openService = openService;
    this.#watch = settings.onDidChange(['service'], () => {
      void this.close();
      this.#changed.fire();
    });
  }

  /** Fires when the settings name another service; don't use the one opened before. */
  readonly onDidChange = this.#changed.event;

  /** What the settings ask for. Reads nothing else. */
  async state(): Promise<ConnectionState> {
    const { sandbox, webUrl, openApiUrl } = this.#settings.service;
    if (sandbox) return 'sandbox';
    return webUrl || openApiUrl ? 'service' : 'none';
  }

  /** The service, opened once. Rejects with a `SetupError` if the settings name none that can be used. */
  open(): Promise<Service> {
    if (!this.#opened) {
      const opening = this.#closed.then(this.#openService);
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
    void this.close();
  }

  /** Closes the service; the next call opens it again. Resolves when everything is saved. */
  close(): Promise<unknown> {
    const opened = this.#opened;
    this.#opened = undefined;
    // A failure to open was reported to those who called `open`.
    const closing = opened?.then((service) => service.close()).catch(() => {});
    this.#closed = Promise.all([this.#closed, closing]);
    return this.#closed;
  }
}
