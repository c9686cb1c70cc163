/** Drafts of the documents that are open, each version read once. */
import type { TextDocument } from 'vscode';
import { frontMatter } from '../../platform/settings.ts';
import { type ParsedDraft, type ParseOptions, parseDraft } from '../document/readDraft.ts';

export class DraftCache {
  readonly #audience: ParseOptions['audience'];
  #kept = new WeakMap<TextDocument, { version: number; reading: ParsedDraft }>();

  constructor(audience: ParseOptions['audience']) {
    this.#audience = audience;
  }

  of(document: TextDocument): ParsedDraft {
    const { version } = document;
    const kept = this.#kept.get(document);
    if (kept?.version === version) return kept.reading;
    const options = { keepFrontMatter: frontMatter() === 'keep', audience: this.#audience };
    const reading = parseDraft(document.getText(), options);
    this.#kept.set(document, { version, reading });
    return reading;
  }

  /** Reads everything anew: a setting has become another. */
  clear(): void {
    this.#kept = new WeakMap();
  }
}
