/** Opens the suggestions where a key or a value begins: in Markdown, VS Code does so only after characters that are in no word. */
import {
  type CancellationToken,
  commands,
  type Position,
  type TextDocument,
  type TextDocumentChangeEvent,
  type TextEditorSelectionChangeEvent,
  TextEditorSelectionChangeKind,
  window,
  workspace,
} from 'vscode';

/**
 * Where completions are asked for, as it was then: somebody may type on before they're found, and VS Code places them by what it
 * asked about.
 */
export interface Asked extends Pick<TextDocument, 'isUntitled' | 'uri'> {
  readonly text: string;
  readonly offset: number;
  readonly position: Position;
  /** The text of the line. */
  readonly line: string;
}

/** Where completions of a document are asked for now. */
export const askedAt = (document: TextDocument, position: Position): Asked => ({
  isUntitled: document.isUntitled,
  uri: document.uri,
  text: document.getText(),
  offset: document.offsetAt(position),
  position,
  line: document.lineAt(position).text,
});

/** What is before a key or a value on its line: an empty one can stand there. */
const EMPTY = /(?:[:,[]|^\s*-|^)\s+$|\[$/;
/** What is behind an empty key or value. */
const END = /^\s*(?:$|[,\]#])/;
/** What is before the first letter of a key or a value on its line. */
const PLACE = /(?:^[\s-]*|[:,[]\s*)["']?$/;
/** The key or the value alone, with what may be behind it. */
const WORD = /^[\p{L}\p{N}_]+\s*(?:$|[,\]"'#])/u;

export class KeySuggestions {
  readonly #isOffered: (letter: string, asked: Asked) => Promise<boolean>;
  /** The places at which commands to suggest were sent and aren't done. */
  readonly #opening = new Set<Position>();

  /**
   * @param isOffered Whether a key or a value that begins with a letter may stand where the letter was typed; any may if
   * it's empty.
   */
  constructor(isOffered: (letter: string, asked: Asked) => Promise<boolean>) {
    this.#isOffered = isOffered;
  }

  /** Opens the suggestions for the first letter of a key or a value, if nothing but that was typed meanwhile. */
  async typed({ document, contentChanges, reason }: TextDocumentChangeEvent): Promise<void> {
    const [change, another] = contentChanges;
    if (!change || another || reason !== undefined) return;
    // An input method replaces what was typed.
    if (!(change.rangeLength === 0 ? /^\p{L}$/u : /^(?!\p{ASCII})\p{L}{1,9}$/u).test(change.text)) return;
    const { start } = change.range;
    const { text } = document.lineAt(start.line);
    if (!PLACE.test(text.slice(0, start.character)) || !WORD.test(text.slice(start.character))) return;
    await this.#open(change.text, document, start.translate(0, change.text.length));
  }

  /** Opens the suggestions where a command has put the cursor, as Tab does in a snippet. */
  async moved({ kind, selections, textEditor: { document } }: TextEditorSelectionChangeEvent): Promise<void> {
    const [selection, another] = selections;
    if (kind !== TextEditorSelectionChangeKind.Command || !selection?.isEmpty || another) return;
    const { line, character } = selection.active;
    const { text } = document.lineAt(line);
    if (!EMPTY.test(text.slice(0, character)) || !END.test(text.slice(character))) return;
    await this.#open('', document, selection.active);
  }

  async #open(letter: string, document: TextDocument, position: Position): Promise<void> {
    if (window.activeTextEditor?.document !== document) return;
    if (workspace.getConfiguration('editor', document).get('suggestOnTriggerCharacters') === false) return;
    if (!(await this.#isOffered(letter, askedAt(document, position)))) return;
    this.#opening.add(position);
    try {
      // The suggestions open as if VS Code did it: those that somebody asks for take the Enter key even if nothing matches
      // any more.
      await commands.executeCommand('editor.action.triggerSuggest', { auto: true });
    } finally {
      this.#opening.delete(position);
    }
  }

  /**
   * Answers VS Code, which asks for items before it says that the command is done. If the command came late, when something
   * else is being typed, VS Code would list words of other documents, and the Enter key would take one. It doesn't while it
   * waits for an answer, and it stops waiting on a new line: so the answer waits. Call this as soon as VS Code asks;
   * `items` are those that are offered there.
   */
  async answer<T>({ line, position }: Asked, items: Promise<T[] | undefined>, token: CancellationToken) {
    const opening = [...this.#opening];
    const found = await items;
    const isOnNewLine =
      line.slice(0, position.character).trim() === '' && !opening.some((one) => one.isEqual(position));
    const isLate = !found?.length || isOnNewLine;
    if (opening.length === 0 || !isLate) return found;
    return new Promise<undefined>((resolve) => token.onCancellationRequested(() => resolve(undefined)));
  }
}
