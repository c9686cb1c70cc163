/** The documents of deliveries: those that were sent, and those without a file in which deliveries are edited. */
import {
  type Disposable,
  EventEmitter,
  type Memento,
  TabInputText,
  type TextDocument,
  type Uri,
  window,
  workspace,
} from 'vscode';
import { textTabs } from '../../presentation/textEditors.ts';
import type { Delivery } from './record.ts';

/** The key of these documents in the memento of the workspace. */
const KEY = 'editedDeliveries';

/** Whether a delivery may be edited in a document without a file, whose tab is to be followed then. */
export const mayBeEdited = (memento: Pick<Memento, 'get'>) =>
  Object.values({ ...memento.get<object>(KEY) }).some((address) => isUntitled(`${address}`));

/** A document, which has a `source` if it has a file. */
export interface DocumentAddress {
  source?: string | undefined;
  uri?: string | undefined;
}

/** Whether a delivery sent the text of a document. A file or an image that was sent by its address has none. */
export const hasDocument = (delivery: Delivery): delivery is Delivery & { source: string } =>
  delivery.source !== undefined && (delivery.document !== undefined || 'text' in delivery.message.content);

/**
 * VS Code keeps such documents while a window reloads, so that they are remembered for as long. They are forgotten when
 * their tab is closed: a later document may get the same address. A file that such a document was saved as stands in for
 * it.
 */
export class EditedDocuments implements Disposable {
  readonly #memento: Pick<Memento, 'get' | 'update'>;
  readonly #listeners: Disposable[];
  readonly #changed = new EventEmitter<void>();
  /** Fires when a document is forgotten, or saved as a file. */
  readonly onDidChange = this.#changed.event;
  /** The files with the texts of documents, by the addresses of those. */
  readonly #savedAs = new Map<string, string>();
  /** The addresses of documents, by the IDs of their deliveries. */
  #documents: Readonly<Record<string, string>>;

  /** `memento` is that of the workspace. */
  constructor(memento: Pick<Memento, 'get' | 'update'>) {
    this.#memento = memento;
    const stored = memento.get<unknown>(KEY);
    this.#documents =
      typeof stored === 'object' ? Object.fromEntries(Object.entries({ ...stored }).filter(isText)) : {};
    this.#forget(() => true);
    this.#listeners = [
      this.#changed,
      window.tabGroups.onDidChangeTabs(({ closed }) => {
        const addresses = closed.flatMap(({ input }) => (input instanceof TabInputText ? [`${input.uri}`] : []));
        if (this.#forget((address) => addresses.includes(address))) this.#changed.fire();
      }),
      // VS Code writes the text into the file, saves that, and only then closes the document: no event names both.
      workspace.onWillSaveTextDocument(({ document }) => this.#findSaved(document)),
    ];
  }

  /** The address of the document of a delivery. */
  get(deliveryId: string): string | undefined {
    return this.#documents[deliveryId];
  }

  /** The addresses of the documents that a delivery was made of, or is edited in. */
  addressesOf(delivery: Delivery): string[] {
    return [hasDocument(delivery) ? delivery.source : undefined, this.get(delivery.id)].filter(
      (address) => address !== undefined,
    );
  }

  /** Whether a delivery was made of a document, or is edited in it. */
  isOf(delivery: Delivery, { source, uri = source }: DocumentAddress): boolean {
    return uri !== undefined && this.addressesOf(delivery).includes(source ?? uri);
  }

  set(deliveryId: string, uri: Uri): void {
    if (isUntitled(`${uri}`)) this.#keep({ ...this.#documents, [deliveryId]: `${uri}` });
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
  }

  /** Takes a file that is about to be saved for the one that a document is saved as, if it has the text of that. */
  #findSaved(file: TextDocument): void {
    const text = file.getText();
    if (file.isUntitled || text === '') return;
    const known = new Set(Object.values(this.#documents));
    for (const one of workspace.textDocuments) {
      if (known.has(`${one.uri}`) && one.isUntitled && one.getText() === text)
        this.#savedAs.set(`${one.uri}`, `${file.uri}`);
    }
  }

  /** Forgets documents that may be gone, have no tab and weren't saved as files. Returns whether there were any. */
  #forget(mayBeGone: (address: string) => boolean): boolean {
    const open = new Set(textTabs().map(({ uri }) => `${uri}`));
    const isGone = (address: string) => isUntitled(address) && !open.has(address) && mayBeGone(address);
    const all = Object.entries(this.#documents);
    const gone = all.filter(([, address]) => isGone(address));
    if (gone.length === 0) return false;
    const kept = all.flatMap(([id, address]) => {
      const now = isGone(address) ? this.#savedAs.get(address) : address;
      return now === undefined ? [] : [[id, now]];
    });
    for (const [, address] of gone) this.#savedAs.delete(address);
    this.#keep(Object.fromEntries(kept));
    return true;
  }

  #keep(documents: Readonly<Record<string, string>>): void {
    this.#documents = documents;
    // If this fails, the worst is that a document isn't known after a reload.
    this.#memento.update(KEY, documents).then(undefined, () => {});
  }
}

const isUntitled = (address: string) => address.startsWith('untitled:');

const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string';
