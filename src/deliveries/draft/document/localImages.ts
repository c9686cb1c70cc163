/** Images in a message that the service can't load: local files and `data:` URLs. */
import { l10n } from 'vscode';
import { excerpt } from '../../../markup/escapeInvisible.ts';
import { codeSpansIn, paragraphsIn } from '../../../markup/markdownCode.ts';
import type { Problem } from './problem.ts';

/** At most this many are reported. */
const MAX_IMAGES = 100;

/** Escapes, backticks and brackets. A closing bracket includes the URL after it. */
const TOKEN = /\\.|`+|!?\[|\](?:\([ \t]*(?:<([^<>\n]*)>|([^\s()<>]*(?:\([^\s()]*\)[^\s()]*)*))(?=[\s)]))?/g;
const IMAGE = /<img\b[^<>]*?\ssrc\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>]+))/gi;

/** The local images in Markdown, outside code. Takes linear time. */
export function markdownLocalImages(text: string, from: number): Problem[] {
  const found: Problem[] = [];
  let image = text.indexOf('![', from);
  for (const { start, end } of image < 0 ? [] : paragraphsIn(text, from)) {
    if (image < start) image = text.indexOf('![', start);
    if (image < 0 || found.length >= MAX_IMAGES) break;
    if (image < end) findInParagraph(text.slice(start, end), start, found);
  }
  return found.slice(0, MAX_IMAGES);
}

/** The local images in HTML. */
export function htmlLocalImages(text: string, from: number): Problem[] {
  IMAGE.lastIndex = from;
  const found: Problem[] = [];
  for (let match = IMAGE.exec(text); match && found.length < MAX_IMAGES; match = IMAGE.exec(text))
    addIfLocal(match, 0, found);
  return found;
}

function findInParagraph(text: string, offset: number, found: Problem[]): void {
  const spans = codeSpansIn(text);
  const open: boolean[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    const [token] = match;
    if (token.startsWith('`')) TOKEN.lastIndex = spans.get(match.index) ?? TOKEN.lastIndex;
    else if (token.endsWith('[')) open.push(token === '![');
    else if (token.startsWith(']') && open.pop()) addIfLocal(match, offset, found);
  }
}

/** Adds the URL that a match ends with, unless it is on the web, or begins with a variable: those are checked with their values. */
function addIfLocal(match: RegExpExecArray, offset: number, found: Problem[]): void {
  const url = match[1] ?? match[2] ?? match[3];
  if (!url?.trim() || /^\s*(?:(?:https?:)?\/\/|\{\{)/i.test(url)) return;
  const start = offset + match.index + match[0].lastIndexOf(url);
  const text = l10n.t("Recipients won't see this local image: {0}", excerpt(url, 60));
  found.push({ severity: 'warning', text, start, end: start + url.length });
}
