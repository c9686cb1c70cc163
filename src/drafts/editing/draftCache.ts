/** Drafts of the documents that are open, each version read once. */
import type { TextDocument } from 'vscode';
import { frontMatter } from '../../platform/settings.ts';
import { type DraftReading, type ReadingOptions, readDraft } from '../document/readDraft.ts';

export class Readings {
  readonly #audience: ReadingOptions['audience'];
  #kept = new WeakMap<TextDocument, { version: number; reading: DraftReading }>();

  constructor(audience: ReadingOptions['audience']) {
    this.#audience = audience;
  }

  of(document: TextDocument): DraftReading {
    const { version } = document;
    const kept = this.#kept.get(document);
    if (kept?.version === version) return kept.reading;
    const options = { keepFrontMatter: frontMatter() === 'keep', audience: this.#audience };
    const reading = readDraft(document.getText(), options);
    this.#kept.set(document, { version, reading });
    return reading;
  }

  /** Reads everything anew: a setting has become another. */
  clear(): void {
    this.#kept = new WeakMap();
  }
}
