/** The recipients of a draft. */
import type { Chat } from '../../../service/model.ts';
import type { ParsedDraft } from '../document/parseDraft.ts';
import type { DraftReader } from '../draftReader.ts';
import type { RecipientTable } from '../recipients/recipientTable.ts';

/** Keeps the same list while nothing about it changes: there may be 100,000, and problems are counted for each list. */
export class RecipientList {
  readonly #reader: Pick<DraftReader, 'chatsOf'>;
  #last: { named: readonly Chat[]; table: RecipientTable | undefined; all: readonly Chat[] } | undefined;

  constructor(reader: Pick<DraftReader, 'chatsOf'>) {
    this.#reader = reader;
  }

  of(draft: ParsedDraft, table: RecipientTable | undefined): readonly Chat[] {
    const named = this.#reader.chatsOf(draft);
    const last = this.#last;
    if (last && last.table === table && isSame(last.named, named)) return last.all;
    const all = table ? this.#reader.chatsOf(draft, table) : named;
    this.#last = { named, table, all };
    return all;
  }
}

const isSame = (one: readonly Chat[], other: readonly Chat[]) =>
  one.length === other.length && one.every(({ kind, id }, at) => kind === other[at]?.kind && id === other[at]?.id);
