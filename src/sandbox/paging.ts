/** The indexes of a page, oldest first, excluding `to`. */
export interface IndexRange {
  readonly from: number;
  readonly to: number;
}

/** The query of a message list, contract 4.4. `anchor` is the index of message-id, or undefined if that's missing. */
export interface PageQuery {
  readonly anchor: number | undefined;
  readonly before: number;
  readonly after: number;
}

/** The part of a chat of `length` messages that a query selects by rules 1 to 4 of contract 4.4. */
export function rangeOf(length: number, { anchor, before, after }: PageQuery): IndexRange {
  if (anchor === undefined) return { from: Math.max(0, length - before), to: length };
  return { from: Math.max(0, anchor - before), to: Math.min(length, anchor + 1 + after) };
}
