/** Pictures in a message that the service cannot see: they lie on this machine, or in the address itself. */
import type { TextRange } from './problem.ts';

export interface LocalImage extends TextRange {
  url: string;
}

/** More of them than anybody reads are not told of. */
const MAX_IMAGES = 100;

/** A fence of code, also in a list or a quotation. */
const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)/;
/** What a line begins with that may be blank or such a fence. */
const LINE = /[ \t>]*(?:[-*+\d\r\n`~\s]|$)/y;
/** What matters in a paragraph: escapes, backticks, brackets. Of a bracket that closes, also the address behind it. */
const TOKEN = /\\.|`+|!?\[|\](?:\([ \t]*(?:<([^<>\n]*)>|([^\s()<>]*(?:\([^\s()]*\)[^\s()]*)*))(?=[\s)]))?/g;
const IMAGE = /<img\b[^<>]*?\ssrc\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>]+))/gi;

/** The addresses of such pictures in Markdown, outside of code; reads each character a bounded number of times. */
export function markdownLocalImages(text: string, from: number): LocalImage[] {
  const found: LocalImage[] = [];
  let fence: string | undefined;
  let start = from;
  let picture = text.indexOf('![', from);
  const paragraph = (end: number) => {
    if (picture >= 0 && picture < end) findInParagraph(text.slice(start, end), start, found);
  };
  for (let line = from; line < text.length && picture >= 0 && found.length < MAX_IMAGES; ) {
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
      paragraph(line);
      if (opens) fence = marks;
      start = end;
    }
    if (picture < start) picture = text.indexOf('![', start);
    line = end;
  }
  if (fence === undefined && found.length < MAX_IMAGES) paragraph(text.length);
  return found.slice(0, MAX_IMAGES);
}

/** The same for HTML. */
export function htmlLocalImages(text: string, from: number): LocalImage[] {
  IMAGE.lastIndex = from;
  const found: LocalImage[] = [];
  for (let match = IMAGE.exec(text); match && found.length < MAX_IMAGES; match = IMAGE.exec(text))
    addIfLocal(match, 0, found);
  return found;
}

function findInParagraph(text: string, offset: number, found: LocalImage[]): void {
  let runs: Map<number, number[]> | undefined;
  const open: boolean[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    const [token] = match;
    if (token.startsWith('`')) {
      runs ??= runsOf(text);
      const ofLength = runs.get(token.length);
      while ((ofLength?.at(-1) ?? Number.POSITIVE_INFINITY) <= match.index) ofLength?.pop();
      const closing = ofLength?.at(-1);
      if (closing !== undefined) TOKEN.lastIndex = closing + token.length;
    } else if (token.endsWith('[')) open.push(token === '![');
    else if (token.startsWith(']') && open.pop()) addIfLocal(match, offset, found);
  }
}

/** Where runs of backticks begin, by their length, the last first: the next of the same length ends a code span. */
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

/** Keeps an address that a match ends with, unless the service can fetch it. */
function addIfLocal(match: RegExpExecArray, offset: number, found: LocalImage[]): void {
  const address = match[1] ?? match[2] ?? match[3];
  if (!address?.trim() || /^\s*(?:https?:)?\/\//i.test(address)) return;
  const start = offset + match.index + match[0].lastIndexOf(address);
  found.push({ url: address, start, end: start + address.length });
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at + 1;
}
