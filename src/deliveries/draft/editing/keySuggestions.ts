/** Opens the suggestions while a key is typed: in Markdown, VS Code does so only after characters that are in no word. */
import {
  type CancellationToken,
  commands,
  type Position,
  type TextDocument,
  type TextDocumentChangeEvent,
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
  /** The text of its line. */
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

export class KeySuggestions {
  readonly #isOffered: (letter: string, document: TextDocument, offset: number) => Promise<boolean>;
  /** How many commands were sent and aren't done. */
  #opening = 0;

  /** @param isOffered Whether a key that begins with a letter may stand where it was typed. */
  constructor(isOffered: (letter: string, document: TextDocument, offset: number) => Promise<boolean>) {
    this.#isOffered = isOffered;
  }

  /** Opens the suggestions for a key's first letter, if nothing but the key was typed meanwhile. */
  async typed({ document, contentChanges, reason }: TextDocumentChangeEvent): Promise<void> {
    const [change, another] = contentChanges;
    if (!change || another || reason !== undefined || change.rangeLength > 0 || !/^[a-z]$/i.test(change.text)) return;
    const { line, character } = change.range.start;
    const { text } = document.lineAt(line);
    if (!/^[\s-]*$/.test(text.slice(0, character)) || !/^\w+\s*$/.test(text.slice(character))) return;
    if (window.activeTextEditor?.document !== document) return;
    if (workspace.getConfiguration('editor', document).get('suggestOnTriggerCharacters') === false) return;
    if (!(await this.#isOffered(change.text, document, change.rangeOffset))) return;
    this.#opening++;
    try {
      // As if VS Code did so: what somebody asks for stays open and takes the Enter key, even if nothing matches any more.
      await commands.executeCommand('editor.action.triggerSuggest', { auto: true });
    } finally {
      this.#opening--;
    }
  }

  /**
   * Where the command came late, when something else is being typed, VS Code would list words of other documents, of which the
   * Enter key would take one. It doesn't as long as it waits for an answer, and it cancels what it waits for on a new line.
   * It asks before it says that the command is done. Call this at once when it asks; undefined: answer it.
   */
  ifLate({ line, position }: Asked, token: CancellationToken): Promise<undefined> | undefined {
    const typed = line.slice(0, position.character);
    if (this.#opening === 0 || /^[\s-]*\w+$/.test(typed)) return undefined;
    return new Promise((resolve) => token.onCancellationRequested(() => resolve(undefined)));
  }
}
