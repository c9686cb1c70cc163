/** The known IDs: listed in the settings, mentioned in drafts or histories, or looked up before. */
import { type Disposable, EventEmitter, workspace } from 'vscode';
import type { Host } from '../platform/host.ts';
import type { Service } from '../platform/service.ts';
import { KINDS, type Kind } from '../service/model.ts';
import { candidatePattern } from './findIds.ts';

type KnownIdsHost = Pick<Host, 'connection' | 'lists' | 'mentionedIds'>;

/** The known IDs at one moment. */
export interface KnownSnapshot {
  readonly service: Service;
  /** Matches words, and the known IDs that aren't words. */
  readonly candidates: RegExp;
  /** The kinds of the sidebar's entries, by ID. */
  readonly listed: ReadonlyMap<string, Kind>;
  /** Whether an ID is known without a lookup. */
  isListedOrMentioned(id: string): boolean;
  /** The kind of a known ID; undefined for any other. */
  kindOf(id: string): Kind | undefined;
}

export class KnownIds {
  readonly #host: KnownIdsHost;
  readonly #changed = new EventEmitter<'ids' | 'names'>();
  readonly #disposables: Disposable[];
  #snapshot: Promise<KnownSnapshot | undefined> | undefined;
  #stopListening = () => {};

  /** Fires when the set of known IDs, or only their names, may have changed. */
  readonly onDidChange = this.#changed.event;

  constructor(host: KnownIdsHost) {
    this.#host = host;
    const onDraftChange = () => {
      this.#snapshot = undefined;
    };
    this.#disposables = [
      this.#changed,
      host.connection.onDidChange(() => this.invalidate()),
      workspace.onDidOpenTextDocument(onDraftChange),
      workspace.onDidCloseTextDocument(onDraftChange),
      workspace.onDidChangeTextDocument(({ document }) => document.languageId === 'markdown' && onDraftChange()),
    ];
  }

  /** A current snapshot; undefined if no service can be used. Makes no request. */
  read(): Promise<KnownSnapshot | undefined> {
    if (this.#snapshot) return this.#snapshot;
    const reading = this.#takeSnapshot().then(
      (known) => {
        // The snapshot was invalidated while it was taken.
        if (this.#snapshot !== reading) return this.read();
        this.#listen(known);
        return known;
      },
      () => {
        // The sidebar shows why no service can be used.
        if (this.#snapshot === reading) this.#snapshot = undefined;
        return undefined;
      },
    );
    this.#snapshot = reading;
    return reading;
  }

  /** The known IDs have changed. */
  invalidate(): void {
    this.#snapshot = undefined;
    this.#changed.fire('ids');
  }

  dispose(): void {
    this.#stopListening();
    for (const one of this.#disposables) one.dispose();
  }

  #listen(known: KnownSnapshot | undefined): void {
    this.#stopListening();
    const names = (_: Kind, id: string) => this.#changed.fire(known?.isListedOrMentioned(id) ? 'names' : 'ids');
    this.#stopListening = known?.service.directory.onDidChange(names) ?? (() => {});
  }

  async #takeSnapshot(): Promise<KnownSnapshot | undefined> {
    const { connection, lists, mentionedIds } = this.#host;
    const mentioned = mentionedIds.kinds;
    if ((await connection.state()) === 'none') return undefined;
    const [service, references] = await Promise.all([connection.open(), mentionedIds.fromSources()]);
    const entries = KINDS.flatMap((kind) => lists.read(kind, service).entries.map(({ id }) => [id, kind] as const));
    const listed = new Map(entries);
    const drafted = new Map(references.map(({ kind, id }) => [id, kind]));
    return {
      service,
      candidates: candidatePattern([...listed.keys(), ...drafted.keys(), ...mentioned.keys()]),
      listed,
      isListedOrMentioned: (id) => listed.has(id) || mentioned.has(id) || drafted.has(id),
      // What a draft says of an ID counts least.
      kindOf: (id) => listed.get(id) ?? service.directory.kindOf(id) ?? mentioned.get(id) ?? drafted.get(id),
    };
  }
}
