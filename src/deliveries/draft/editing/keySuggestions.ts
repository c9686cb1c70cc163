/** Opens the suggestions while a key is typed: in Markdown, VS Code does so only after characters that are in no word. */
import { type CancellationToken, commands, type Position, type TextDocument } from 'vscode';

export class KeySuggestions {
  /** How many commands were sent and aren't done. */
  #opening = 0;

  /** As if VS Code did so: what somebody asks for stays open and takes the Enter key, even if nothing matches any more. */
  async open(): Promise<void> {
    this.#opening++;
    try {
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
  ifLate(document: TextDocument, position: Position, token: CancellationToken): Promise<undefined> | undefined {
    const typed = document.lineAt(position.line).text.slice(0, position.character);
    if (this.#opening === 0 || /^[\s-]*\w+$/.test(typed)) return undefined;
    return new Promise((resolve) => token.onCancellationRequested(() => resolve(undefined)));
  }
}
