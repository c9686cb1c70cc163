/** Finds the code in Markdown: fences, and spans in paragraphs. Takes linear time. */

/** Offsets in UTF-16 units; `end` is exclusive. */
interface TextRange {
  start: number;
  end: number;
}

/** A code fence, also in a list or a quotation. */
const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)/;
/** The start of a line that may be blank or a fence. */
const LINE = /[ \t>]*(?:[-*+\d\r\n`~\s]|$)/y;
/** Escapes, and runs of backticks. */
const TICKS = /\\.|`+/g;

/** What is outside code fences, in pieces that end where a paragraph does. */
export function* paragraphsIn(text: string, from: number): Generator<TextRange> {
  let fence: string | undefined;
  let start = from;
  for (let line = from; line < text.length; ) {
    const end = endOfLine(text, line);
    LINE.lastIndex = line;
    const isSpecial = LINE.test(text);
    const content = isSpecial ? text.slice(line, end) : '';
    const [, marks = '', rest = ''] = (isSpecial && FENCE.exec(content)) || [];
    const opens = fence === undefined && marks !== '' && !(marks.startsWith('`') && rest.includes('`'));
    if (fence !== undefined) {
      if (marks.startsWith(fence) && rest.trim() === '') fence = undefined;
      start = end;
    } else if (opens || (isSpecial && content.trim() === '')) {
      if (line > start) yield { start, end: line };
      if (opens) fence = marks;
      start = end;
    }
    line = end;
  }
  if (fence === undefined && text.length > start) yield { start, end: text.length };
}

/** What isn't code in the paragraphs that contain `wanted`, in order. */
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
