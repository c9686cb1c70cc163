/**
 * What recipients won't see as it's meant: images that the service can't load, which are local files and `data:` URLs, and bold text
 * whose stars Markdown leaves as they are.
 */
import { excerpt } from '../../../markup/escapeInvisible.ts';
import { codeSpansIn, paragraphsIn, proseIn } from '../../../markup/markdownCode.ts';
import { l10n } from '../../../presentation/shown.ts';
import { inDocumentOrder, type Problem } from './problem.ts';
import { isIn } from './variables.ts';

/** At most so many images are reported. */
const MAX_IMAGES = 100;
const MAX_BOLD = 20;

/** Escapes, backticks and brackets. A closing bracket includes the URL after it. */
const TOKEN = /\\.|`+|!?\[|\](?:\([ \t]*(?:<([^<>\n]*)>|([^\s()<>]*(?:\([^\s()]*\)[^\s()]*)*))(?=[\s)]))?/g;
const IMAGE = /<img\b[^<>]*?\ssrc\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>]+))/gi;

/** An image as note apps insert it, perhaps with its size. */
const EMBEDDED = /!\[\[([^[\]|\n]{1,200}\.(?:avif|bmp|gif|heic|jpe?g|png|svg|tiff?|webp))(?:\|[^[\]\n]{0,100})?\]\]/iy;
/** The label of an image whose address is elsewhere; and such an address. */
const LABEL = /\[([^[\]]{0,999})\]/y;
const DEFINITION = /^[ \t>]*\[([^[\]]{1,999})\]:[ \t]*(?:\n[ \t>]*)?(?:<([^<>\n]*)>|(\S+))/gm;

/** The problems of a Markdown text from an offset on, outside code. Takes linear time. */
export const markdownProblems = (text: string, from: number): Problem[] => [
  ...localImages(text, from),
  ...unclosedBold(text, from),
];

/** The local images in Markdown. */
function localImages(text: string, from: number): Problem[] {
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
      // The first definition of a label counts.
      if (labels.delete(labelKey(label))) addIfLocal(url, start + index + all.lastIndexOf(url), found);
    }
  }
  return inDocumentOrder(found).slice(0, MAX_IMAGES);
}

/** A key that labels with the same meaning share. */
const labelKey = (label: string) => label.replace(/\s+/g, ' ').trim().toLowerCase();

/** The problems of a text in HTML. */
export function htmlProblems(text: string, from: number): Problem[] {
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

/** Adds a URL, unless it is on the web, or begins with a variable: such a URL is checked with its values. */
function addIfLocal(url: string, start: number, found: Problem[]): void {
  if (!url.trim() || /^\s*(?:(?:https?:)?\/\/|\{\{)/i.test(url)) return;
  const text = l10n.t("Recipients won't see this local image: {0}", excerpt(url, 60));
  found.push({ severity: 'warning', text, start, end: start + url.length });
}

/**
 * Between a letter outside and a punctuation mark inside, stars begin or end nothing, as in `**注意：**明天`. Chinese has no spaces
 * there that would make it bold.
 */
const BOLD = /(?<![\\*])\*\*(?=[^\s*])[^*\r\n]{1,500}\*\*(?!\*)/g;

/** Braces may be those of a variable, whose value decides. */
const STARTS_WITH_MARK = /^\*\*(?!\{)[\p{P}\p{S}]/u;
const ENDS_WITH_MARK = /(?!\})[\p{P}\p{S}]\*\*$/u;

function unclosedBold(text: string, from: number): Problem[] {
  const part = text.slice(from);
  const isInProse = isIn(part.includes('**') ? proseIn(part, '**') : []);
  const found = Array.from(part.matchAll(BOLD)).flatMap(({ 0: bold, index }): Problem[] => {
    const start = from + index;
    const end = start + bold.length;
    const edits = [
      ...(STARTS_WITH_MARK.test(bold) && /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, start - 2), start))
        ? [start]
        : []),
      ...(ENDS_WITH_MARK.test(bold) && /^[\p{L}\p{N}]/u.test(text.slice(end, end + 2)) ? [end] : []),
    ].map((at) => ({ start: at, end: at, text: ' ' }));
    if (!isInProse(index) || edits.length === 0) return [];
    const said = l10n.t("{0} isn't bold: Markdown needs a space between letters and its stars.", excerpt(bold, 60));
    return [{ severity: 'warning', text: said, start, end, fixes: [{ title: l10n.t('Add a space'), edits }] }];
  });
  return found.slice(0, MAX_BOLD);
}
