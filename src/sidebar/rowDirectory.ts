/** The directory of the service in use, as the source of the sidebar's rows. */
import type { Directory } from '../directory/directory.ts';
import type { Connection, Service } from '../platform/service.ts';
import type { Found, Kind } from '../service/model.ts';
import type { RowSource } from './rows.ts';

export class RowDirectory implements RowSource {
  readonly #connection: Connection;
  readonly #onDidChange: (kind: Kind, id: string) => void;
  #directory: Directory | undefined;
  #removeListener = () => {};

  /** `onDidChange` is called for each changed entry, whichever feature looked it up. */
  constructor(connection: Connection, onDidChange: (kind: Kind, id: string) => void) {
    this.#connection = connection;
    this.#onDidChange = onDidChange;
  }

  peek(kind: Kind, id: string): Found | undefined {
    return this.#directory?.peek(kind, id);
  }

  labelOf(kind: Kind, id: string): string | undefined {
    return this.#directory?.labelOf(kind, id);
  }

  /** Opens the service in use. Its directory is the source from then on. @throws SetupError */
  async open(): Promise<Service> {
    const service = await this.#connection.open();
    this.#use(service.directory);
    return service;
  }

  async lookUp(kind: Kind, id: string, { refresh, signal }: { refresh: boolean; signal: AbortSignal }): Promise<void> {
    const { directory } = await this.open();
    await directory.get(kind, id, { accept: refresh ? 'new' : 'fresh', signal });
  }

  /** Stops using the current directory, because the service has changed. */
  clear(): void {
    this.#removeListener();
    this.#removeListener = () => {};
    this.#directory = undefined;
  }

  /** Uses and follows this directory instead of another one. */
  #use(directory: Directory): void {
    if (directory === this.#directory) return;
    this.clear();
    this.#directory = directory;
    this.#removeListener = directory.onDidChange(this.#onDidChange);
  }
}
