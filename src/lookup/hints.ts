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
import type { Reference } from '../service/model.ts';
import { cardOf } from '../words/card.ts';
import { nameOf } from '../words/describe.ts';
import { hoverLookUp } from '../workbench/settings.ts';
import type { Known, KnownIds } from './known.ts';
import { knownInLines } from './lines.ts';

/** How long a name that has come waits for others (milliseconds). */
const PAUSE = 100;
/** Longer names are cut off (UTF-16 units). */
const LONGEST = 40;

export class NameHints implements InlayHintsProvider {
  readonly #known: KnownIds;
  readonly #changed = new EventEmitter<void>();
  readonly #disposables: Disposable[];
  #waiting: ReturnType<typeof setTimeout> | undefined;
  readonly #abort = new AbortController();

  readonly onDidChangeInlayHints = this.#changed.event;

  constructor(known: KnownIds) {
    this.#known = known;
    this.#disposables = [
      this.#changed,
      known.onDidChange(() => {
        clearTimeout(this.#waiting);
        this.#waiting = setTimeout(() => this.#changed.fire(), PAUSE);
      }),
    ];
  }

  async provideInlayHints(document: TextDocument, range: Range, token: CancellationToken): Promise<InlayHint[]> {
    const known = await this.#known.read();
    if (!known || token.isCancellationRequested) return [];
    const placed = knownInLines(document, range, known).filter((one) => range.contains(one.range));
    this.#lookUp(
      placed.map(({ reference }) => reference),
      known,
    );
    return placed.flatMap(({ reference: { kind, id }, range: { end } }) => {
      const found = known.service.directory.peek(kind, id);
      const name = known.listed.get(id)?.label ?? (found && nameOf(found));
      if (!name || name === id) return [];
      const hint = new InlayHint(end, name.length > LONGEST ? `${name.slice(0, LONGEST)}…` : name);
      hint.paddingLeft = true;
      if (found) hint.tooltip = cardOf(found);
      return [hint];
    });
  }

  dispose(): void {
    clearTimeout(this.#waiting);
    this.#abort.abort();
    for (const one of this.#disposables) one.dispose();
  }

  /** Names that are not remembered come later. */
  #lookUp(references: readonly Reference[], { service: { directory } }: Known): void {
    if (hoverLookUp() === 'never') return;
    const { signal } = this.#abort;
    const unknown = references.filter(({ kind, id }) => !directory.knows(kind, id));
    // A name that is missing says enough of a failure: hovering the ID tells of it.
    for (const { kind, id } of unknown) directory.get(kind, id, { signal }).catch(() => undefined);
  }
}
