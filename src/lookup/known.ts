/** The IDs that are known here: listed in the settings, named by drafts, met in histories, or found before. */
import { type Disposable, EventEmitter, workspace } from 'vscode';
import type { Kind, Reference } from '../service/model.ts';
import type { Connection } from '../workbench/connection.ts';
import { listOf } from '../workbench/listSettings.ts';
import type { Service } from '../workbench/service.ts';
import { wordsAnd } from './ids.ts';

export interface KnownNeeds {
  readonly connection: Connection;
  /** All that drafts which are open and audiences name. */
  named(): Promise<readonly Reference[]>;
  /** All that was met in histories since VS Code has started. */
  readonly met: ReadonlyMap<string, Kind>;
}

/** What is known of IDs at one moment. */
export interface Known {
  readonly service: Service;
  /** Finds words, and the known IDs that are none. */
  readonly candidates: RegExp;
  /** What is in the sidebar, with the person's own names. */
  readonly listed: ReadonlyMap<string, { readonly kind: Kind; readonly label?: string }>;
  /** What an ID belongs to; undefined where it is not known. */
  kindOf(id: string): Kind | undefined;
}

export class KnownIds {
  readonly #needs: KnownNeeds;
  readonly #changed = new EventEmitter<void>();
  readonly #disposables: Disposable[];
  #known: Promise<Known | undefined> | undefined;
  #unlisten = () => {};

  /** Fires when another ID is known, or another name. */
  readonly onDidChange = this.#changed.event;

  constructor(needs: KnownNeeds) {
    this.#needs = needs;
    const drafted = () => {
      this.#known = undefined;
    };
    this.#disposables = [
      this.#changed,
      needs.connection.onDidChange(() => this.forget()),
      workspace.onDidOpenTextDocument(drafted),
      workspace.onDidCloseTextDocument(drafted),
      workspace.onDidChangeTextDocument(({ document }) => document.languageId === 'markdown' && drafted()),
    ];
  }

  /** What is known now; undefined while no service can be used. Makes no request. */
  read(): Promise<Known | undefined> {
    if (this.#known) return this.#known;
    const reading = this.#gather().then(
      (known) => {
        if (this.#known === reading) this.#listen(known?.service);
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
    this.#changed.fire();
  }

  dispose(): void {
    this.#unlisten();
    for (const one of this.#disposables) one.dispose();
  }

  #listen(service: Service | undefined): void {
    this.#unlisten();
    this.#unlisten = service?.directory.onDidChange(() => this.#changed.fire()) ?? (() => {});
  }

  async #gather(): Promise<Known | undefined> {
    const { connection, met } = this.#needs;
    if ((await connection.state()) === 'none') return undefined;
    const [service, named] = await Promise.all([connection.open(), this.#needs.named()]);
    const kinds = (['group', 'bot', 'user'] as const).flatMap((kind) =>
      listOf(kind, service).entries.map(({ id, label }) => [id, { kind, ...(label && { label }) }] as const),
    );
    const listed = new Map(kinds);
    const others = new Map(named.map(({ kind, id }) => [id, kind]));
    return {
      service,
      candidates: wordsAnd([...listed.keys(), ...others.keys(), ...met.keys()]),
      listed,
      kindOf: (id) => listed.get(id)?.kind ?? others.get(id) ?? met.get(id) ?? service.directory.kindOf(id),
    };
  }
}
