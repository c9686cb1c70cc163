/** The IDs that are known here: listed in the settings, named by drafts, met in histories, or found before. */
import { type Disposable, EventEmitter, workspace } from 'vscode';
import type { Host } from '../platform/host.ts';
import type { Service } from '../platform/service.ts';
import type { Found, Kind } from '../service/model.ts';
import { candidatePattern } from './findIds.ts';

type KnownIdsHost = Pick<Host, 'connection' | 'lists' | 'mentionedIds'>;

/** What is known of IDs at one moment. */
export interface KnownSnapshot {
  readonly service: Service;
  /** Finds words, and the known IDs that are none. */
  readonly candidates: RegExp;
  /** What is in the sidebar, with the person's own names. */
  readonly listed: ReadonlyMap<string, { readonly kind: Kind; readonly label?: string }>;
  /** Whether an ID is known without having been looked up. */
  isListedOrMentioned(id: string): boolean;
  /** What an ID belongs to; undefined where it is not known. */
  kindOf(id: string): Kind | undefined;
}

export class KnownIds {
  readonly #host: KnownIdsHost;
  readonly #changed = new EventEmitter<'ids' | 'names'>();
  readonly #disposables: Disposable[];
  #snapshot: Promise<KnownSnapshot | undefined> | undefined;
  #stopListening = () => {};

  /** Fires when other IDs are known, or but other names of them. */
  readonly onDidChange = this.#changed.event;

  constructor(host: KnownIdsHost) {
    this.#host = host;
    const drafted = () => {
      this.#snapshot = undefined;
    };
    this.#disposables = [
      this.#changed,
      host.connection.onDidChange(() => this.invalidate()),
      workspace.onDidOpenTextDocument(drafted),
      workspace.onDidCloseTextDocument(drafted),
      workspace.onDidChangeTextDocument(({ document }) => document.languageId === 'markdown' && drafted()),
    ];
  }

  /** What is known now; undefined while no service can be used. Makes no request. */
  read(): Promise<KnownSnapshot | undefined> {
    if (this.#snapshot) return this.#snapshot;
    const reading = this.#takeSnapshot().then(
      (known) => {
        // Another service may be named by now, and must not be taken for this one.
        if (this.#snapshot !== reading) return this.read();
        this.#listen(known);
        return known;
      },
      () => {
        // An address that cannot be used is told of in the sidebar, not over every ID.
        if (this.#snapshot === reading) this.#snapshot = undefined;
        return undefined;
      },
    );
    this.#snapshot = reading;
    return reading;
  }

  /** More is known, or less. */
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
    const met = mentionedIds.kinds;
    if ((await connection.state()) === 'none') return undefined;
    const [service, named] = await Promise.all([connection.open(), mentionedIds.fromSources()]);
    const kinds = (['group', 'bot', 'user'] as const).flatMap((kind) =>
      lists.read(kind, service).entries.map(({ id, label }) => [id, { kind, ...(label && { label }) }] as const),
    );
    const listed = new Map(kinds);
    const others = new Map(named.map(({ kind, id }) => [id, kind]));
    const isNamed = (id: string) => listed.has(id) || met.has(id) || others.has(id);
    return {
      service,
      candidates: candidatePattern([...listed.keys(), ...others.keys(), ...met.keys()]),
      listed,
      isListedOrMentioned: isNamed,
      // A draft may say anything.
      kindOf: (id) => listed.get(id)?.kind ?? service.directory.kindOf(id) ?? met.get(id) ?? others.get(id),
    };
  }
}

/**
 * Looks up what an ID belongs to, of a kind or of any; undefined if an ID of any kind isn't found.
 * @throws ServiceError if the lookup fails, or there is none of that kind
 */
export async function resolveId(
  id: string,
  kind: Kind | undefined,
  { directory }: Service,
  signal: AbortSignal,
): Promise<Found | undefined> {
  return kind ? directory.get(kind, id, { signal }) : directory.identify(id, signal);
}
