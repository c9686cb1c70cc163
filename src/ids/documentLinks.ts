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
import { commandUri, followCommand, followTitle } from './idActions.ts';
import { knownIdsInLines } from './idsInLines.ts';
import type { KnownIds } from './knownIds.ts';

/** How many lines around those on the screen have links, too: that far one scrolls without new ones being asked for. */
const MARGIN = 200;
/** Links are asked for anew this long after scrolling, or after more is known, and no sooner again (milliseconds). */
const REFRESH_DELAY = 300;

interface Lines {
  readonly start: { readonly line: number };
  readonly end: { readonly line: number };
}

export class IdLinks implements DocumentLinkProvider {
  readonly #known: KnownIds;
  /** The lines whose links VS Code has. */
  readonly #linkedLines = new WeakMap<TextDocument, readonly Lines[]>();
  readonly #disposables: Disposable[];
  readonly #refreshLinks: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `askAnew` makes VS Code ask for the links of all that it shows. */
  constructor(known: KnownIds, askAnew: () => void) {
    this.#known = known;
    this.#refreshLinks = askAnew;
    this.#disposables = [
      known.onDidChange((what) => what === 'ids' && this.#refreshSoon()),
      window.onDidChangeTextEditorVisibleRanges(({ textEditor, visibleRanges }) => {
        const given = this.#linkedLines.get(textEditor.document);
        const isGiven = ({ start, end }: Range) =>
          given?.some((lines) => lines.start.line <= start.line && lines.end.line >= end.line);
        if (given && !visibleRanges.every(isGiven)) this.#refreshSoon();
      }),
    ];
  }

  async provideDocumentLinks(document: TextDocument, token: CancellationToken): Promise<DocumentLink[]> {
    const known = await this.#known.read();
    if (!known || token.isCancellationRequested) return [];
    const lines = window.visibleTextEditors.filter((editor) => editor.document === document).flatMap(linesAround);
    this.#linkedLines.set(document, lines);
    return lines.flatMap((some) =>
      knownIdsInLines(document, some, known).map(({ reference, range }) => {
        const link = new DocumentLink(range, commandUri(followCommand(reference), reference));
        link.tooltip = followTitle(reference);
        return link;
      }),
    );
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const one of this.#disposables) one.dispose();
  }

  #refreshSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#refreshLinks();
    }, REFRESH_DELAY);
  }
}

/** The lines on the screen and those around; what is folded away between them is not. */
function linesAround({ visibleRanges }: TextEditor): Lines[] {
  const last = visibleRanges.length - 1;
  return visibleRanges.map(({ start, end }, at) => ({
    start: { line: start.line - (at === 0 ? MARGIN : 0) },
    end: { line: end.line + (at === last ? MARGIN : 0) },
  }));
}
