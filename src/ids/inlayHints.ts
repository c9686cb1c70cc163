/** Names beside known IDs. */
import {
  type CancellationToken,
  type Disposable,
  EventEmitter,
  InlayHint,
  type InlayHintsProvider,
  type Range,
  type TextDocument,
} from 'vscode';
import type { Settings } from '../platform/settings.ts';
import { cardOf } from '../presentation/card.ts';
import { displayName } from '../presentation/describe.ts';
import type { Reference } from '../service/model.ts';
import { knownIdsInLines } from './idsInLines.ts';
import type { KnownIds, KnownSnapshot } from './knownIds.ts';

/** How long a name that has come waits for others (milliseconds). */
const REFRESH_DELAY = 100;
/** Longer names are cut off (UTF-16 units). */
const MAX_LENGTH = 40;
/** How long an ID whose lookup failed is not asked for again, for VS Code wants hints at each key (milliseconds). */
const RETRY_DELAY = 60_000;

/** More than this are not on a screen: of those that were scrolled past, the oldest are not looked up. */
const MAX_LOOKUPS = 200;

export class NameHints implements InlayHintsProvider {
  readonly #known: KnownIds;
  readonly #settings: Pick<Settings, 'hoverLookUp'>;
  readonly #changed = new EventEmitter<void>();
  readonly #disposables: Disposable[];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The lookups that are under way, the latest at the end. */
  readonly #lookUps = new Map<string, AbortController>();
  /** When a lookup failed (Unix milliseconds). */
  readonly #failedAt = new Map<string, number>();

  readonly onDidChangeInlayHints = this.#changed.event;

  constructor(known: KnownIds, settings: Pick<Settings, 'hoverLookUp'>) {
    this.#known = known;
    this.#settings = settings;
    this.#disposables = [
      this.#changed,
      known.onDidChange(() => {
        // Not put off by each further one: where many are looked up, some always come.
        this.#timer ??= setTimeout(() => {
          this.#timer = undefined;
          this.#changed.fire();
        }, REFRESH_DELAY);
      }),
    ];
  }

  async provideInlayHints(document: TextDocument, range: Range, token: CancellationToken): Promise<InlayHint[]> {
    const known = await this.#known.read();
    if (!known || token.isCancellationRequested) return [];
    const placed = knownIdsInLines(document, range, known).filter((one) => range.contains(one.range));
    this.#lookUp(
      placed.map(({ reference }) => reference),
      known,
    );
    return placed.flatMap(({ reference: { kind, id }, range: { end } }) => {
      const found = known.service.directory.peek(kind, id);
      const name = known.listed.get(id)?.label ?? (found && displayName(found));
      if (!name || name === id) return [];
      const hint = new InlayHint(
        end,
        name.length > MAX_LENGTH ? `${name.slice(0, MAX_LENGTH).replace(/[\uD800-\uDBFF]$/, '')}…` : name,
      );
      hint.paddingLeft = true;
      if (found) hint.tooltip = cardOf(found);
      return [hint];
    });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const abort of this.#lookUps.values()) abort.abort();
    for (const one of this.#disposables) one.dispose();
  }

  /** Names that are not remembered come later. */
  #lookUp(references: readonly Reference[], { service: { directory } }: KnownSnapshot): void {
    if (this.#settings.hoverLookUp === 'never') return;
    for (const { kind, id } of references) {
      const hasFailed = Date.now() - (this.#failedAt.get(id) ?? 0) < RETRY_DELAY;
      if (hasFailed || directory.has(kind, id)) continue;
      const underWay = this.#lookUps.get(id);
      const abort = underWay ?? new AbortController();
      this.#lookUps.delete(id);
      this.#lookUps.set(id, abort);
      if (underWay) continue;
      const end = () => this.#lookUps.get(id) === abort && this.#lookUps.delete(id);
      directory.get(kind, id, { signal: abort.signal }).then(end, () => {
        // A name that is missing says enough of a failure: hovering the ID tells of it, and asks again.
        if (end()) this.#failedAt.set(id, Date.now());
      });
    }
    for (const [id, abort] of this.#lookUps) {
      if (this.#lookUps.size <= MAX_LOOKUPS) break;
      this.#lookUps.delete(id);
      abort.abort();
    }
  }
}
