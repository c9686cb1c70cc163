/** Drafts of open documents, each version parsed once. */
import type { TextDocument } from 'vscode';
import type { ParsedDraft } from '../document/readDraft.ts';
import type { DraftReader } from '../draftReader.ts';

export class DraftCache {
  readonly #reader: Pick<DraftReader, 'parse'>;
  #parsed = new WeakMap<TextDocument, { version: number; draft: ParsedDraft }>();

  constructor(reader: Pick<DraftReader, 'parse'>) {
    this.#reader = reader;
  }

  of(document: TextDocument): ParsedDraft {
    const { version } = document;
    const known = this.#parsed.get(document);
    if (known?.version === version) return known.draft;
    const draft = this.#reader.parse(document.getText());
    this.#parsed.set(document, { version, draft });
    return draft;
  }

  /** Drops everything: a setting has changed. */
  clear(): void {
    this.#parsed = new WeakMap();
  }
}
