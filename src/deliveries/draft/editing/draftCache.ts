/** What was read of open documents. Each version of a document is parsed once. */
import type { TextDocument } from 'vscode';
import type { ParsedDraft } from '../document/parseDraft.ts';
import { type Problem, problemsWhileWriting } from '../document/problem.ts';
import type { DraftReader, ReadDraft } from '../draftReader.ts';

export class DraftCache {
  readonly #reader: Pick<DraftReader, 'parse' | 'read'>;
  #parsed = new WeakMap<TextDocument, { version: number; draft: ParsedDraft }>();
  /** What was read of each document. `order` tells in which order reading began. */
  readonly #read = new WeakMap<TextDocument, { order: number; version: number; draft: ReadDraft }>();
  #reads = 0;

  constructor(reader: Pick<DraftReader, 'parse' | 'read'>) {
    this.#reader = reader;
  }

  /**
   * Reads a document with its file of recipients, which takes longer. If it was read again meanwhile, resolves to the later
   * result: the document or the file may have changed.
   */
  async read(document: TextDocument): Promise<ReadDraft> {
    const { version } = document;
    const order = ++this.#reads;
    const draft = await this.#reader.read(document, this.get(document));
    const last = this.#read.get(document);
    if (last && last.order > order) return last.draft;
    this.#read.set(document, { order, version, draft });
    return draft;
  }

  /** What {@link read} found last, perhaps for an earlier version of the document. */
  lastRead(document: TextDocument): ReadDraft | undefined {
    return this.#read.get(document)?.draft;
  }

  /** All problems of this version that are known and {@link problemsWhileWriting shown}. */
  problems(document: TextDocument): readonly Problem[] {
    const read = this.#read.get(document);
    const { problems } = read?.version === document.version ? read.draft : this.get(document);
    return problemsWhileWriting(problems, document);
  }

  get(document: TextDocument): ParsedDraft {
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
