/** Inlay hints with the names of known IDs. */
import { LRUCache } from 'lru-cache';
import {
  type CancellationToken,
  type Disposable,
  EventEmitter,
  type InlayHintsProvider,
  type Range,
  type TextDocument,
} from 'vscode';
import type { Directory } from '../directory/directory.ts';
import { excerpt } from '../markup/escapeInvisible.ts';
import type { Settings } from '../platform/settings.ts';
import { cardOf } from '../presentation/card.ts';
import { knownName } from '../presentation/describe.ts';
import { Hint } from '../presentation/shown.ts';
import { Timer } from '../service/clock.ts';
import { type Reference, resourceKey } from '../service/model.ts';
import { knownIdsInLines } from './idsInLines.ts';
import type { KnownIds, KnownSnapshot } from './knownIds.ts';

/** How long to wait for more names before hints are refreshed (milliseconds). */
const REFRESH_DELAY = 100;
/** Longer names are truncated (UTF-16 units). */
const MAX_LENGTH = 40;
/** How long after a failed lookup an ID isn't looked up again (milliseconds). VS Code asks for hints at each keystroke. */
const RETRY_DELAY = 60_000;
/** How many failed lookups are remembered. */
const MAX_FAILED = 1_000;

/** How many lookups run at once. When the user scrolls on, the oldest are canceled. */
const MAX_RUNNING = 200;

export class NameHints implements InlayHintsProvider {
  readonly #known: KnownIds;
  readonly #settings: Pick<Settings, 'hoverLookUp'>;
  readonly #changed = new EventEmitter<void>();
  readonly #disposables: Disposable[];
  readonly #timer = new Timer(() => this.#changed.fire());
  #directory: Directory | undefined;
  /** Lookups in progress in this directory, latest last. */
  readonly #lookUps = new Map<string, AbortController>();
  /** Lookups in this directory that have failed. */
  readonly #failed = new LRUCache<string, true>({ max: MAX_FAILED, ttl: RETRY_DELAY });

  readonly onDidChangeInlayHints = this.#changed.event;

  constructor(known: KnownIds, settings: Pick<Settings, 'hoverLookUp'>) {
    this.#known = known;
    this.#settings = settings;
    this.#disposables = [
      this.#changed,
      known.onDidChange(() => {
        // A running timer isn't restarted: names may keep coming.
        this.#timer.start(REFRESH_DELAY);
      }),
    ];
  }

  async provideInlayHints(document: TextDocument, range: Range, token: CancellationToken): Promise<Hint[]> {
    const known = await this.#known.read();
    if (!known || token.isCancellationRequested) return [];
    const ids = knownIdsInLines(document, range, known).filter((one) => range.contains(one.range));
    this.#lookUp(
      ids.map(({ reference }) => reference),
      known,
    );
    return ids.flatMap(({ reference: { kind, id }, range: { end } }) => {
      const found = known.service.directory.peek(kind, id);
      const name = knownName(known.service.directory, kind, id);
      if (!name || name === id) return [];
      const hint = new Hint(end, excerpt(name, MAX_LENGTH));
      hint.paddingLeft = true;
      if (found) hint.tooltip = cardOf(found, { known: known.service.directory });
      return [hint];
    });
  }

  dispose(): void {
    this.#timer.stop();
    for (const abort of this.#lookUps.values()) abort.abort();
    for (const one of this.#disposables) one.dispose();
  }

  /** Looks up unknown names in the background. */
  #lookUp(references: readonly Reference[], { service: { directory } }: KnownSnapshot): void {
    if (this.#settings.hoverLookUp === 'never') return;
    this.#use(directory);
    for (const { kind, id } of references) {
      const key = resourceKey(kind, id);
      if (this.#failed.has(key) || directory.peek(kind, id)) continue;
      const running = this.#lookUps.get(key);
      const abort = running ?? new AbortController();
      this.#lookUps.delete(key);
      this.#lookUps.set(key, abort);
      if (running) continue;
      const end = () => this.#lookUps.get(key) === abort && this.#lookUps.delete(key);
      directory.get(kind, id, { signal: abort.signal }).then(end, () => {
        // The error isn't shown here: hovering the ID looks it up again and shows it.
        if (end()) this.#failed.set(key, true);
      });
    }
    for (const [key, abort] of this.#lookUps) {
      if (this.#lookUps.size <= MAX_RUNNING) break;
      this.#lookUps.delete(key);
      abort.abort();
    }
  }

  /** Starts over with another directory: lookups that failed at one service say nothing about another. */
  #use(directory: Directory): void {
    if (directory === this.#directory) return;
    this.#directory = directory;
    for (const abort of this.#lookUps.values()) abort.abort();
    this.#lookUps.clear();
    this.#failed.clear();
  }
}
