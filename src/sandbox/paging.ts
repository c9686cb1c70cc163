/** The places of a page, oldest first: `from` up to but without `to`. */
export interface IndexRange {
  readonly from: number;
  readonly to: number;
}

/** What a message list asks for, contract 4.4; `anchor` is the place of message-id, undefined when that is absent. */
export interface PageQuery {
  readonly anchor: number | undefined;
  readonly before: number;
  readonly after: number;
}

/** The part of a chat of `length` messages that rules 1 to 5 of contract 4.4 give for a question. */
export function rangeOf(length: number, { anchor, before, after }: PageQuery): IndexRange {
  if (anchor === undefined) return { from: Math.max(0, length - before), to: length };
  if (before === 0 && after === 0) return { from: anchor, to: anchor };
  return { from: Math.max(0, anchor - before), to: Math.min(length, anchor + 1 + after) };
}
