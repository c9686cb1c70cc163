/** Finding IDs in a line of text. */

/** An ID and where it stands: offsets in UTF-16 units, the end not included. */
export interface FoundId {
  id: string;
  start: number;
  end: number;
}

const WORD = /[A-Za-z0-9_-]+/g;
/** 6 to 10 digits: the lengths that were observed for users, bots and groups. */
const LIKELY = /^\d{6,10}$/;

/**
 * The ID at an offset of a line: a known one of any shape, or else 6 to 10 digits that stand alone, and not in a
 * number with a point, a version, a date, a path or a hash.
 */
export function idAt(line: string, offset: number, isKnown: (id: string) => boolean): FoundId | undefined {
  for (const match of line.matchAll(WORD)) {
    const [id] = match;
    const start = match.index;
    const end = start + id.length;
    if (start > offset) return undefined;
    if (offset > end) continue;
    if (isKnown(id) || (LIKELY.test(id) && standsAlone(line, start, end))) return { id, start, end };
  }
  return undefined;
}

function standsAlone(line: string, start: number, end: number): boolean {
  const before = line.slice(Math.max(0, start - 1), start);
  const after = line.slice(end, end + 2);
  return !/[.,:/\\#+$€¥£=&%]/.test(before) && !/^(?:[.,:]\d|[/\\%])/.test(after);
}
