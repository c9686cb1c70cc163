/** Images in a message that the service can't load: local files and `data:` URLs. */
import { l10n } from 'vscode';
import { excerpt } from '../../../markup/escapeInvisible.ts';
import { codeSpansIn, paragraphsIn } from '../../../markup/markdownCode.ts';
import { inDocumentOrder, type Problem } from './problem.ts';

/** At most this many are reported. */
const MAX_IMAGES = 100;

/** Escapes, backticks and brackets. A closing bracket includes the URL after it. */
const TOKEN = /\\.|`+|!?\[|\](?:\([ \t]*(?:<([^<>\n]*)>|([^\s()<>]*(?:\([^\s()]*\)[^\s()]*)*))(?=[\s)]))?/g;
const IMAGE = /<img\b[^<>]*?\ssrc\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>]+))/gi;

/** An image as note apps insert it, perhaps with its size. */
const EMBEDDED = /!\[\[([^[\]|\n]{1,200}\.(?:avif|bmp|gif|heic|jpe?g|png|svg|tiff?|webp))(?:\|[^[\]\n]{0,100})?\]\]/iy;
/** The label of an image whose address is elsewhere; and such an address. */
const LABEL = /\[([^[\]]{0,999})\]/y;
const DEFINITION = /^[ \t>]*\[([^[\]]{1,999})\]:[ \t]*(?:\n[ \t>]*)?(?:<([^<>\n]*)>|(\S+))/gm;

/** The local images in Markdown, outside code. Takes linear time. */
export function markdownLocalImages(text: string, from: number): Problem[] {
  const found: Problem[] = [];
  const labels = new Set<string>();
  let image = text.indexOf('![', from);
  for (const { start, end } of image < 0 ? [] : paragraphsIn(text, from)) {
    if (image < start) image = text.indexOf('![', start);
    if (image < 0 || found.length >= MAX_IMAGES) break;
    if (image < end) findInParagraph(text.slice(start, end), start, found, labels);
  }
  for (const { start, end } of labels.size > 0 ? paragraphsIn(text, from) : []) {
    for (const { 0: all, 1: label = '', 2: inBrackets, 3: bare, index } of text
      .slice(start, end)
      .matchAll(DEFINITION)) {
      const url = inBrackets ?? bare ?? '';
      // The first one counts.
      if (labels.delete(labelKey(label))) addIfLocal(url, start + index + all.lastIndexOf(url), found);
    }
  }
  return inDocumentOrder(found).slice(0, MAX_IMAGES);
}

/** The same for labels that mean the same. */
const labelKey = (label: string) => label.replace(/\s+/g, ' ').trim().toLowerCase();

/** The local images in HTML. */
export function htmlLocalImages(text: string, from: number): Problem[] {
  IMAGE.lastIndex = from;
  const found: Problem[] = [];
  for (let match = IMAGE.exec(text); match && found.length < MAX_IMAGES; match = IMAGE.exec(text)) {
    const url = match[1] ?? match[2] ?? match[3] ?? '';
    addIfLocal(url, match.index + match[0].lastIndexOf(url), found);
  }
  return found;
}

/** Adds the labels of images whose addresses are elsewhere to `labels`. */
function findInParagraph(text: string, offset: number, found: Problem[], labels: Set<string>): void {
  const spans = codeSpansIn(text);
  const open: { isImage: boolean; end: number }[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    const { 0: token, 1: inBrackets, 2: bare, index } = match;
    if (token.startsWith('`')) TOKEN.lastIndex = spans.get(index) ?? TOKEN.lastIndex;
    else if (token.endsWith('[')) {
      EMBEDDED.lastIndex = index;
      const [embedded, path = ''] = EMBEDDED.exec(text) ?? [];
      if (embedded === undefined) open.push({ isImage: token === '![', end: TOKEN.lastIndex });
      else {
        addIfLocal(path, offset + index + '![['.length, found);
        TOKEN.lastIndex = index + embedded.length;
      }
    } else if (token.startsWith(']')) {
      const opening = open.pop();
      if (!opening?.isImage) continue;
      const url = inBrackets ?? bare;
      if (url !== undefined) addIfLocal(url, offset + index + token.lastIndexOf(url), found);
      else {
        LABEL.lastIndex = TOKEN.lastIndex;
        const own = text.slice(opening.end, Math.min(index, opening.end + 1000));
        labels.add(labelKey(LABEL.exec(text)?.[1] || own));
      }
    }
  }
}

/** Adds a URL, unless it is on the web, or begins with a variable: those are checked with their values. */
function addIfLocal(url: string, start: number, found: Problem[]): void {
  if (!url.trim() || /^\s*(?:(?:https?:)?\/\/|\{\{)/i.test(url)) return;
  const text = l10n.t("Recipients won't see this local image: {0}", excerpt(url, 60));
  found.push({ severity: 'warning', text, start, end: start + url.length });
}
