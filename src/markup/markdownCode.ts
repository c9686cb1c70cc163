/** Finds the code in Markdown: fences, and spans in paragraphs. Takes linear time. */

/** Offsets in UTF-16 units; `end` is exclusive. */
interface TextRange {
  start: number;
  end: number;
}

/** A code fence, also in a quotation or a list: what is before it, a list marker, its marks, and what is after them. */
const FENCE = /^([ \t>]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)/;
/** The start of a line that may be blank, a fence, or the beginning of a block. */
const LINE = /[ \t>]*(?:[-*+#\d\r\n`~\s]|$)|[ \t]*>/y;
/** A list item or a heading, which begins a paragraph of its own. */
const BLOCK = /^[ \t>]*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|(#{1,6})(?=[ \t\r\n]|$))/;
const QUOTED = /^[ \t]*>/;

interface Fence {
  readonly marks: string;
  readonly isQuoted: boolean;
  /** How far the content of the fence's list item is indented; 0 outside a list. */
  readonly indent: number;
}

/** Escapes, and runs of backticks. */
const TICKS = /\\.|`+/g;

/** The text outside code fences, in pieces that end where a paragraph does. */
export function* paragraphsIn(text: string, from: number): Generator<TextRange> {
  let fence: Fence | undefined;
  let start = from;
  let isQuoted = false;
  for (let line = from; line < text.length; ) {
    const end = endOfLine(text, line);
    LINE.lastIndex = line;
    const content = fence || LINE.test(text) ? text.slice(line, end) : '';
    const wasQuoted = isQuoted;
    isQuoted = QUOTED.test(content);
    if (fence && endsBefore(fence, content, isQuoted)) {
      fence = undefined;
      start = line;
    }
    const [, before = '', marker = '', marks = '', rest = ''] = FENCE.exec(content) ?? [];
    if (fence) {
      const closes = marks.startsWith(fence.marks) && rest.trim() === '' && isQuoted === fence.isQuoted && !marker;
      if (closes) fence = undefined;
      start = end;
    } else {
      const opens = marks !== '' && !(marks.startsWith('`') && rest.includes('`'));
      const block = BLOCK.exec(content);
      const isBlank = content !== '' && content.trim() === '';
      if (opens || isBlank || block || (isQuoted && !wasQuoted)) {
        if (line > start) yield { start, end: line };
        start = opens || isBlank ? end : line;
      }
      if (opens) fence = { marks, isQuoted, indent: marker === '' ? 0 : before.length + marker.length };
      else if (block?.[1]) {
        yield { start, end };
        start = end;
      }
    }
    line = end;
  }
  if (!fence && text.length > start) yield { start, end: text.length };
}

/** Whether the quotation or the list item that a fence is in ends before a line. */
function endsBefore(fence: Fence, line: string, isQuoted: boolean): boolean {
  if (fence.isQuoted) return !isQuoted;
  return fence.indent > 0 && line.trim() !== '' && line.search(/[^ \t]/) < fence.indent;
}

/** The text that isn't code in the paragraphs that contain `wanted`, in order. */
export function proseIn(text: string, wanted: string): TextRange[] {
  return Array.from(paragraphsIn(text, 0), ({ start, end }) => {
    const paragraph = text.slice(start, end);
    if (!paragraph.includes(wanted)) return [];
    const pieces: TextRange[] = [];
    let from = start;
    for (const [spanStart, spanEnd] of codeSpansIn(paragraph)) {
      pieces.push({ start: from, end: start + spanStart });
      from = start + spanEnd;
    }
    return [...pieces, { start: from, end }];
  }).flat();
}

/** The code spans of a paragraph: where each one ends, by where it starts. */
export function codeSpansIn(text: string): ReadonlyMap<number, number> {
  const spans = new Map<number, number>();
  if (!text.includes('`')) return spans;
  const runs = runsOf(text);
  TICKS.lastIndex = 0;
  for (let match = TICKS.exec(text); match; match = TICKS.exec(text)) {
    const [ticks] = match;
    const ofLength = ticks.startsWith('`') ? runs.get(ticks.length) : undefined;
    while ((ofLength?.at(-1) ?? Number.POSITIVE_INFINITY) <= match.index) ofLength?.pop();
    const closing = ofLength?.at(-1);
    if (closing === undefined) continue;
    TICKS.lastIndex = closing + ticks.length;
    spans.set(match.index, TICKS.lastIndex);
  }
  return spans;
}

/** Where runs of backticks begin, by length, last first. The next run of the same length ends a code span. */
function runsOf(text: string): Map<number, number[]> {
  const runs = new Map<number, number[]>();
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const ofLength = runs.get(run.length);
    if (ofLength) ofLength.push(index);
    else runs.set(run.length, [index]);
  }
  for (const ofLength of runs.values()) ofLength.reverse();
  return runs;
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at + 1;
}
