/** Finds what isn't text in HTML: tags, the values of their attributes, comments, and raw text such as scripts. */
import { MARK } from './addressPlaces.ts';

/** Text; an attribute that takes no values; one without quotes; elsewhere in a tag; a comment, a script or a style. */
export type HtmlPlace = 'text' | 'attribute' | 'unquoted' | 'tag' | 'code';

/** An address, or something in HTML. `end` is exclusive. */
export interface Region {
  readonly start: number;
  readonly end: number;
  readonly in: HtmlPlace | 'address' | 'mailbox';
}

/** Attributes that are addresses. */
const ADDRESSES = /^(?:href|xlink:href|src|action|formaction|cite|poster|background|longdesc|data)$/i;
/** Attributes that are plain text, whatever it says. Any other may be code, or addresses in a form of its own. */
const TEXTS =
  /^(?:data-[\w.-]+|aria-[\w-]+|abbr|align|alt|bgcolor|border|cellpadding|cellspacing|class|color|cols|colspan|datetime|dir|face|for|height|hspace|id|label|lang|max|min|name|placeholder|role|rows|rowspan|size|span|start|summary|title|valign|value|vspace|width)$/i;
/** Elements whose attributes concern the whole page, or run code. */
const NO_VALUES = /^(?:script|style|meta|base|link)$/i;
/** Elements that contain no tags; and those of them that contain text. */
const RAW = /^(?:script|style|xmp|iframe|noembed|noframes|noscript|plaintext|textarea|title)$/i;
const RAW_TEXT = /^(?:textarea|title)$/i;

/** An attribute: spaces, its name, and what its value begins with. */
const ATTRIBUTE = /[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*(["']?))?/y;
const TAG = new RegExp(`<(?:!--|/?([a-z${MARK}][^\\s/>]*)|[!?/])`, 'gi');

/** `textIn` finds what isn't plain in text between tags. */
export function* htmlRegions(
  text: string,
  textIn: (text: string, from: number, to: number) => Iterable<Region>,
): Generator<Region> {
  const tags = new RegExp(TAG);
  let from = 0;
  for (let found = tags.exec(text); found; found = tags.exec(text)) {
    const { 0: opening, 1: name, index } = found;
    yield* textIn(text, from, index);
    const after = tags.lastIndex;
    if (name === undefined) {
      from = opening === '<!--' ? endOfMatch(text, /(?<=<!--)-?>|--!?>/g, after) : endOfMatch(text, />/g, after);
      yield { start: index, end: from, in: 'code' };
    } else {
      yield { start: index, end: after, in: 'tag' };
      from = yield* attributes(text, after, name);
      if (RAW.test(name) && opening[1] !== '/') {
        const start = from;
        from = startOfMatch(text, new RegExp(`</${name}(?=[\\s/>])`, 'gi'), start);
        // In SVG, a title may contain tags.
        const isText = RAW_TEXT.test(name) && text.slice(start, from).search(TAG) < 0;
        yield { start, end: from, in: isText ? 'text' : 'code' };
      }
    }
    tags.lastIndex = from;
  }
  yield* textIn(text, from, text.length);
}

/** Returns where the tag ends. */
function* attributes(text: string, from: number, tag: string): Generator<Region, number> {
  let at = from;
  for (;;) {
    ATTRIBUTE.lastIndex = at;
    const [all = '', name = '', quote] = ATTRIBUTE.exec(text) ?? [];
    if (name === '') {
      const end = endOfMatch(text, />/g, at);
      yield { start: at, end, in: 'tag' };
      return end;
    }
    yield { start: at, end: at + all.length, in: 'tag' };
    at += all.length;
    if (quote === undefined) continue;
    const end = quote === '' ? startOfMatch(text, /[\s>]/g, at) : endOfMatch(text, quote === '"' ? /"/g : /'/g, at);
    const isClosed = quote !== '' && text[end - 1] === quote;
    yield { start: at, end: isClosed ? end - 1 : end, in: placeOf(tag, name, quote !== '') };
    at = end;
  }
}

function placeOf(tag: string, name: string, isQuoted: boolean): Region['in'] {
  if (NO_VALUES.test(tag)) return 'attribute';
  if (ADDRESSES.test(name)) return 'address';
  if (!TEXTS.test(name)) return 'attribute';
  return isQuoted ? 'text' : 'unquoted';
}

/** Where the next match begins, or the text ends. */
function startOfMatch(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

/** Where the next match ends, or the text does. */
function endOfMatch(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : text.length;
}
