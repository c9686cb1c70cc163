/** The documents without a file that deliveries were scheduled from, or are edited in, as long as they're open. */
import { type Disposable, type Memento, TabInputText, type Uri, window } from 'vscode';
import { textTabs } from '../platform/tabs.ts';
import type { Delivery } from './record.ts';

const KEY = 'editedDeliveries';

/** A document, which has a `source` if it has a file. */
export interface DocumentAddress {
  source?: string | undefined;
  uri?: string | undefined;
}

/**
 * VS Code keeps such documents while a window reloads, so that they are remembered for as long. They are forgotten when
 * their tab is closed: a later document may get the same address.
 */
export class EditedDocuments implements Disposable {
  readonly #memento: Pick<Memento, 'get' | 'update'>;
  readonly #listener: Disposable;
  /** Their addresses, by the IDs of deliveries. */
  #documents: Readonly<Record<string, string>>;

  /** `memento` is that of the workspace. */
  constructor(memento: Pick<Memento, 'get' | 'update'>) {
    this.#memento = memento;
    const stored = memento.get<unknown>(KEY);
    this.#documents =
      typeof stored === 'object' ? Object.fromEntries(Object.entries({ ...stored }).filter(isText)) : {};
    this.#forget(() => true);
    this.#listener = window.tabGroups.onDidChangeTabs(({ closed }) => {
      const addresses = closed.flatMap(({ input }) => (input instanceof TabInputText ? [`${input.uri}`] : []));
      this.#forget((address) => addresses.includes(address));
    });
  }

  /** The address of the document of a delivery. */
  get(deliveryId: string): string | undefined {
    return this.#documents[deliveryId];
  }

  /** Whether a delivery was made of a document, or is edited in it. */
  isOf({ id, source: from }: Pick<Delivery, 'id' | 'source'>, { source, uri }: DocumentAddress): boolean {
    return source !== undefined ? from === source : uri !== undefined && this.get(id) === uri;
  }

  set(deliveryId: string, uri: Uri): void {
    if (uri.scheme === 'untitled') this.#keep({ ...this.#documents, [deliveryId]: `${uri}` });
  }

  dispose(): void {
    this.#listener.dispose();
  }

  /** Forgets those of these documents that have no tab. */
  #forget(mayBeGone: (address: string) => boolean): void {
    const open = new Set(textTabs().map(({ uri }) => `${uri}`));
    const all = Object.entries(this.#documents);
    const kept = all.filter(([, address]) => open.has(address) || !mayBeGone(address));
    if (kept.length < all.length) this.#keep(Object.fromEntries(kept));
  }

  #keep(documents: Readonly<Record<string, string>>): void {
    this.#documents = documents;
    // At worst, a document isn't known after a reload.
    this.#memento.update(KEY, documents).then(undefined, () => {});
  }
}

const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string';
