/** The service that the settings name, opened when it is first needed. */
import { EventEmitter } from 'vscode';
import type { Service } from './service.ts';
import { onDidChangeSettings, serviceSettings } from './settings.ts';

export type ConnectionState = 'none' | 'sandbox' | 'service';

export class Connection {
  readonly #changed = new EventEmitter<void>();
  readonly #openService: () => Promise<Service>;
  readonly #watch = onDidChangeSettings(['service'], () => {
    void this.close();
    this.#changed.fire();
  });
  #opened: Promise<Service> | undefined;
  #closed: Promise<unknown> = Promise.resolve();

  /** `openService` opens what the settings name. */
  constructor(openService: () => Promise<Service>) {
    this.#openService = openService;
  }

  /** Fires when the settings name another service; the one opened before is not to be used any more. */
  readonly onDidChange = this.#changed.event;

  /** What the settings ask for; reads nothing else. */
  async state(): Promise<ConnectionState> {
    const { sandbox, webUrl, openApiUrl } = serviceSettings();
    if (sandbox) return 'sandbox';
    return webUrl || openApiUrl ? 'service' : 'none';
  }

  /** The service, opened once. Rejects with a `SetupError` when the settings name none that can be used. */
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

  /** Lets go of the service; the next call opens it anew. Resolves when all is kept that it was to keep. */
  close(): Promise<unknown> {
    const opened = this.#opened;
    this.#opened = undefined;
    // One that could not be opened has said so to those who asked for it.
    const closing = opened?.then((service) => service.close()).catch(() => {});
    this.#closed = Promise.all([this.#closed, closing]);
    return this.#closed;
  }
}
