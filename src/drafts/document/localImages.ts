/** Images in a message that the service can't load: local files and `data:` URLs. */
import type { TextRange } from './problem.ts';

export interface LocalImage extends TextRange {
  url: string;
}

/** At most this many are reported. */
const MAX_IMAGES = 100;

/** A code fence, also in a list or a quotation. */
const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)/;
/** The start of a line that may be blank or a fence. */
const LINE = /[ \t>]*(?:[-*+\d\r\n`~\s]|$)/y;
/** Escapes, backticks and brackets. A closing bracket includes the URL after it. */
const TOKEN = /\\.|`+|!?\[|\](?:\([ \t]*(?:<([^<>\n]*)>|([^\s()<>]*(?:\([^\s()]*\)[^\s()]*)*))(?=[\s)]))?/g;
const IMAGE = /<img\b[^<>]*?\ssrc\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>]+))/gi;

/** The local images in Markdown, outside code. Takes linear time. */
export function markdownLocalImages(text: string, from: number): LocalImage[] {
  const found: LocalImage[] = [];
  let fence: string | undefined;
  let start = from;
  let image = text.indexOf('![', from);
  const paragraph = (end: number) => {
    if (image >= 0 && image < end) findInParagraph(text.slice(start, end), start, found);
  };
  for (let line = from; line < text.length && image >= 0 && found.length < MAX_IMAGES; ) {
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
    if (image < start) image = text.indexOf('![', start);
    line = end;
  }
  if (fence === undefined && found.length < MAX_IMAGES) paragraph(text.length);
  return found.slice(0, MAX_IMAGES);
}

/** The local images in HTML. */
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

/** Adds the URL that a match ends with, unless it is on the web. */
function addIfLocal(match: RegExpExecArray, offset: number, found: LocalImage[]): void {
  const url = match[1] ?? match[2] ?? match[3];
  if (!url?.trim() || /^\s*(?:https?:)?\/\//i.test(url)) return;
  const start = offset + match.index + match[0].lastIndexOf(url);
  found.push({ url, start, end: start + url.length });
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at + 1;
}
