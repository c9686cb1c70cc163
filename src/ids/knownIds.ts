/** The IDs that are known here: listed in the settings, named by drafts, met in histories, or found before. */
import { type Disposable, EventEmitter, workspace } from 'vscode';
import type { Host } from '../platform/host.ts';
import type { Service } from '../platform/service.ts';
import type { Kind } from '../service/model.ts';
import { wordsAnd } from './findIds.ts';

type KnownIdsHost = Pick<Host, 'connection' | 'lists' | 'mentionedIds'>;

/** What is known of IDs at one moment. */
export interface KnownSnapshot {
  readonly service: Service;
  /** Finds words, and the known IDs that are none. */
  readonly candidates: RegExp;
  /** What is in the sidebar, with the person's own names. */
  readonly listed: ReadonlyMap<string, { readonly kind: Kind; readonly label?: string }>;
  /** Whether an ID is known without having been looked up. */
  isNamed(id: string): boolean;
  /** What an ID belongs to; undefined where it is not known. */
  kindOf(id: string): Kind | undefined;
}

export class KnownIds {
  readonly #host: KnownIdsHost;
  readonly #changed = new EventEmitter<'ids' | 'names'>();
  readonly #disposables: Disposable[];
  #known: Promise<KnownSnapshot | undefined> | undefined;
  #unlisten = () => {};

  /** Fires when other IDs are known, or but other names of them. */
  readonly onDidChange = this.#changed.event;

  constructor(host: KnownIdsHost) {
    this.#host = host;
    const drafted = () => {
      this.#known = undefined;
    };
    this.#disposables = [
      this.#changed,
      host.connection.onDidChange(() => this.forget()),
      workspace.onDidOpenTextDocument(drafted),
      workspace.onDidCloseTextDocument(drafted),
      workspace.onDidChangeTextDocument(({ document }) => document.languageId === 'markdown' && drafted()),
    ];
  }

  /** What is known now; undefined while no service can be used. Makes no request. */
  read(): Promise<KnownSnapshot | undefined> {
    if (this.#known) return this.#known;
    const reading = this.#gather().then(
      (known) => {
        // Another service may be named by now, and must not be taken for this one.
        if (this.#known !== reading) return this.read();
        this.#listen(known);
        return known;
      },
      () => {
        // An address that cannot be used is told of in the sidebar, not over every ID.
        if (this.#known === reading) this.#known = undefined;
        return undefined;
      },
    );
    this.#known = reading;
    return reading;
  }

  /** More is known, or less. */
  forget(): void {
    this.#known = undefined;
    this.#changed.fire('ids');
  }

  dispose(): void {
    this.#unlisten();
    for (const one of this.#disposables) one.dispose();
  }

  #listen(known: KnownSnapshot | undefined): void {
    this.#unlisten();
    const names = (_: Kind, id: string) => this.#changed.fire(known?.isNamed(id) ? 'names' : 'ids');
    this.#unlisten = known?.service.directory.onDidChange(names) ?? (() => {});
  }

  async #gather(): Promise<KnownSnapshot | undefined> {
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
      candidates: wordsAnd([...listed.keys(), ...others.keys(), ...met.keys()]),
      listed,
      isNamed,
      // A draft may say anything.
      kindOf: (id) => listed.get(id)?.kind ?? service.directory.kindOf(id) ?? met.get(id) ?? others.get(id),
    };
  }
}
