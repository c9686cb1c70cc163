/** Links for known IDs and to messages, in documents and terminals. */
import {
  type CancellationToken,
  commands,
  type Disposable,
  type DocumentLinkProvider,
  type Range,
  type TerminalLink,
  type TerminalLinkContext,
  type TerminalLinkProvider,
  type TextDocument,
  type TextEditor,
  window,
} from 'vscode';
import { type ShownText, TextLink } from '../presentation/shown.ts';
import { Timer } from '../service/clock.ts';
import { commandUri, followCommand, followTitle, linkTitle, OPEN_LINK, openLinkUri } from './commandLinks.ts';
import { chatLinksIn, chatLinksInLines, knownIdsIn, knownIdsInLines } from './idsInLines.ts';
import type { KnownIds } from './knownIds.ts';

/** How many lines above and below the screen have links, too. */
const MARGIN = 200;
/** How long after scrolling, or after a change of the known IDs, links are refreshed (milliseconds). */
const REFRESH_DELAY = 300;

interface Lines {
  readonly start: { readonly line: number };
  readonly end: { readonly line: number };
}

/**
 * Links in documents. VS Code asks once for all links of a document, and not again after scrolling. It gets those near the
 * screen, and the provider is registered again to be asked for others.
 */
export class IdLinks implements DocumentLinkProvider {
  readonly #known: KnownIds;
  /** The lines that have links. */
  readonly #linkedLines = new WeakMap<TextDocument, readonly Lines[]>();
  readonly #disposables: Disposable[];
  readonly #timer: Timer;

  /** `refreshLinks` makes VS Code ask for the links of all visible documents. */
  constructor(known: KnownIds, refreshLinks: () => void) {
    this.#known = known;
    this.#timer = new Timer(refreshLinks);
    this.#disposables = [
      known.onDidChange((change) => change === 'ids' && this.#refreshSoon()),
      window.onDidChangeTextEditorVisibleRanges(({ textEditor, visibleRanges }) => {
        const linked = this.#linkedLines.get(textEditor.document);
        const isLinked = ({ start, end }: Range) =>
          linked?.some((lines) => lines.start.line <= start.line && lines.end.line >= end.line);
        if (linked && !visibleRanges.every(isLinked)) this.#refreshSoon();
      }),
    ];
  }

  async provideDocumentLinks(document: TextDocument, token: CancellationToken): Promise<TextLink[]> {
    const known = await this.#known.read();
    if (token.isCancellationRequested) return [];
    const lines = window.visibleTextEditors.filter((editor) => editor.document === document).flatMap(linesAround);
    this.#linkedLines.set(document, lines);
    return lines.flatMap((part) => [
      // Links with the scheme of the app run a command: VS Code can't follow them by itself.
      ...chatLinksInLines(document, part).map(
        ({ found, range }) => new TextLink(range, openLinkUri(found.address), linkTitle(found)),
      ),
      ...(known ? knownIdsInLines(document, part, known) : []).map(
        ({ reference, range }) =>
          new TextLink(range, commandUri(followCommand(reference), reference), followTitle(reference)),
      ),
    ]);
  }

  dispose(): void {
    this.#timer.stop();
    for (const one of this.#disposables) one.dispose();
  }

  #refreshSoon(): void {
    this.#timer.start(REFRESH_DELAY);
  }
}

/** The lines on the screen and around it, without folded lines. */
function linesAround({ visibleRanges }: TextEditor): Lines[] {
  const last = visibleRanges.length - 1;
  return visibleRanges.map(({ start, end }, at) => ({
    start: { line: start.line - (at === 0 ? MARGIN : 0) },
    end: { line: end.line + (at === last ? MARGIN : 0) },
  }));
}

interface IdTerminalLink extends TerminalLink {
  readonly tooltip: ShownText;
  readonly command: string;
  readonly argument: unknown;
}

/** Links in a line of a terminal. */
export class TerminalLinks implements TerminalLinkProvider<IdTerminalLink> {
  readonly #known: KnownIds;

  constructor(known: KnownIds) {
    this.#known = known;
  }

  async provideTerminalLinks({ line }: TerminalLinkContext, token: CancellationToken): Promise<IdTerminalLink[]> {
    const known = await this.#known.read();
    if (token.isCancellationRequested) return [];
    const at = ({ start, end }: { start: number; end: number }) => ({ startIndex: start, length: end - start });
    return [
      ...chatLinksIn(line).map((found) => ({
        ...at(found),
        tooltip: linkTitle(found),
        command: OPEN_LINK,
        argument: found.address,
      })),
      ...(known ? knownIdsIn(line, known) : []).map(({ start, end, ...reference }) => ({
        ...at({ start, end }),
        tooltip: followTitle(reference),
        command: followCommand(reference),
        argument: reference,
      })),
    ];
  }

  async handleTerminalLink({ command, argument }: IdTerminalLink): Promise<void> {
    await commands.executeCommand(command, argument);
  }
}
