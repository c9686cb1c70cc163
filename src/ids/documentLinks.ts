/** Known IDs in documents are links. VS Code asks once for all links of a document: it is given those near the screen. */
import {
  type CancellationToken,
  type Disposable,
  DocumentLink,
  type DocumentLinkProvider,
  type Range,
  type TextDocument,
  type TextEditor,
  window,
} from 'vscode';
import { commandUri, followCommand, followWords } from './idCommands.ts';
import { knownInLines } from './idsInLines.ts';
import type { KnownIds } from './knownIds.ts';

/** How many lines around those on the screen have links, too: that far one scrolls without new ones being asked for. */
const AROUND = 200;
/** Links are asked for anew this long after scrolling, or after more is known, and no sooner again (milliseconds). */
const PAUSE = 300;

interface Lines {
  readonly start: { readonly line: number };
  readonly end: { readonly line: number };
}

export class IdLinks implements DocumentLinkProvider {
  readonly #known: KnownIds;
  /** The lines whose links VS Code has. */
  readonly #given = new WeakMap<TextDocument, readonly Lines[]>();
  readonly #disposables: Disposable[];
  readonly #askAnew: () => void;
  #waiting: ReturnType<typeof setTimeout> | undefined;

  /** `askAnew` makes VS Code ask for the links of all that it shows. */
  constructor(known: KnownIds, askAnew: () => void) {
    this.#known = known;
    this.#askAnew = askAnew;
    this.#disposables = [
      known.onDidChange((what) => what === 'ids' && this.#ask()),
      window.onDidChangeTextEditorVisibleRanges(({ textEditor, visibleRanges }) => {
        const given = this.#given.get(textEditor.document);
        const isGiven = ({ start, end }: Range) =>
          given?.some((lines) => lines.start.line <= start.line && lines.end.line >= end.line);
        if (given && !visibleRanges.every(isGiven)) this.#ask();
      }),
    ];
  }

  async provideDocumentLinks(document: TextDocument, token: CancellationToken): Promise<DocumentLink[]> {
    const known = await this.#known.read();
    if (!known || token.isCancellationRequested) return [];
    const lines = window.visibleTextEditors.filter((editor) => editor.document === document).flatMap(linesOn);
    this.#given.set(document, lines);
    return lines.flatMap((some) =>
      knownInLines(document, some, known).map(({ reference, range }) => {
        const link = new DocumentLink(range, commandUri(followCommand(reference), reference));
        link.tooltip = followWords(reference);
        return link;
      }),
    );
  }

  dispose(): void {
    clearTimeout(this.#waiting);
    for (const one of this.#disposables) one.dispose();
  }

  #ask(): void {
    this.#waiting ??= setTimeout(() => {
      this.#waiting = undefined;
      this.#askAnew();
    }, PAUSE);
  }
}

/** The lines on the screen and those around; what is folded away between them is not. */
function linesOn({ visibleRanges }: TextEditor): Lines[] {
  const last = visibleRanges.length - 1;
  return visibleRanges.map(({ start, end }, at) => ({
    start: { line: start.line - (at === 0 ? AROUND : 0) },
    end: { line: end.line + (at === last ? AROUND : 0) },
  }));
}
