/**
 * Finds the places of the variables in a text, which decide how a value is inserted, or that none can be. Takes linear
 * time. Where readers of Markdown or HTML differ, a place counts as the one in which less is allowed.
 */
import { type AddressPlace, addressPlaces, MARK } from './addressPlaces.ts';
import type { Surroundings } from './escapeMarkdown.ts';
import { ADDRESS_ENDS } from './webAddress.ts';

/** The kind of a text, which decides how values are inserted. */
export type TextFormat = 'markdown' | 'html' | 'text' | 'address';

/** Text; an attribute that takes no values; one without quotes; elsewhere in a tag; a comment, a script or a style. */
type HtmlPlace = 'text' | 'attribute' | 'unquoted' | 'tag' | 'code';

export type Place = AddressPlace | HtmlPlace;

/** An address, or something in HTML. `end` is exclusive. */
interface Region {
  readonly start: number;
  readonly end: number;
  readonly in: HtmlPlace | 'address' | 'mailbox';
}

/** Whether a value can't be inserted there. */
export const isForbidden = (place: Place) => !['text', 'address', 'part'].includes(place);

export interface FoundPlace {
  readonly place: Place;
  readonly around: Surroundings;
}

/** The places of the variables between these pieces of a text, in order. */
export function placesIn(pieces: readonly string[], format: TextFormat): FoundPlace[] {
  const text = pieces.map((piece) => piece.replace(/[\uFFFE\uFFFF]/g, '\uFFFD')).join(MARK);
  // A definition may be anywhere, also after an empty value.
  const hasDefinitions = format === 'markdown' && pieces.join('').includes(']:');
  const hasMarkup = format === 'markdown' || format === 'html';
  const found: FoundPlace[] = [];
  let next = text.indexOf(MARK);
  let titleEnd = 0;
  const addUntil = (end: number, place: Place) => {
    for (; next >= 0 && next < end; next = text.indexOf(MARK, next + 1)) {
      const isInMarkup = place === 'text' && hasMarkup;
      found.push({ place, around: isInMarkup ? surroundings(text, next, next < titleEnd, hasDefinitions) : NOTHING });
    }
  };
  for (const { start, end, in: kind } of regionsIn(text, format)) {
    if (next < 0) break;
    addUntil(start, 'text');
    if (kind === 'title') titleEnd = end;
    else if (next >= end) continue;
    else if (kind === 'address' || kind === 'mailbox') {
      const part = text.slice(start, end);
      // In Markdown, a backslash before punctuation stands for nothing.
      const address = format === 'markdown' ? part.replace(/\\([!-/:-@[-`{-~])/g, '$1') : part;
      for (const place of addressPlaces(kind === 'mailbox' ? `mailto:${address}` : address)) {
        found.push({ place, around: NOTHING });
        next = text.indexOf(MARK, next + 1);
      }
    } else addUntil(end, kind);
  }
  addUntil(text.length, 'text');
  return found;
}

/** The title of a link, in which there may be other places. */
interface Title {
  readonly start: number;
  readonly end: number;
  readonly in: 'title';
}

function regionsIn(text: string, format: TextFormat): Iterable<Region | Title> {
  switch (format) {
    case 'address':
      return [{ start: 0, end: text.length, in: 'address' }];
    case 'markdown':
      return markdownRegions(text);
    case 'html':
      return htmlRegions(text);
    case 'text':
      return bareAddresses(text, 0, text.length);
  }
}

/** The beginning of an address in text, also one whose scheme has a variable. */
const BARE = `https?:(?:[/\\\\]{2}|[/\\\\]?${MARK})|[a-z]{0,5}${MARK}[a-z${MARK}]{0,5}:[/\\\\]{2}`;

/** Addresses that are linked without any markup, between two offsets: what is after them isn't searched. */
function* bareAddresses(text: string, from: number, to: number): Generator<Region> {
  const part = text.slice(from, to);
  const start = new RegExp(BARE, 'gi');
  const end = new RegExp(`[${ADDRESS_ENDS}]|$`, 'gu');
  for (let found = start.exec(part); found; found = start.exec(part)) {
    end.lastIndex = found.index;
    const endsAt = end.exec(part)?.index ?? part.length;
    yield { start: from + found.index, end: from + endsAt, in: 'address' };
    start.lastIndex = Math.max(endsAt, found.index + 1);
  }
}

/** An escape; a label at the beginning of a block; brackets; the beginning of a target or an autolink; an address. */
const MARKDOWN = [
  '\\\\[!-/:-@[-`{-~]',
  '(?<label>^[ \\t>*+\\-\\d.)]*\\[)',
  '(?<definition>\\]:\\s*<?)',
  '(?<target>\\]\\(\\s*<?)',
  '(?<noLabel>[[\\]]|\\n[ \\t]*\\r?(?=\\n))',
  '(?<autolink><(?=[a-z][a-z\\d+.-]{1,31}:[^\\s<>]*>))',
  '(?<mailbox><(?=[^\\s<>@]*@[^\\s<>]*>))',
  // After the slashes, a backtick is a part of the host, not the end of code.
  `(?<bare>(?:${BARE})\`*|mailto:)`,
].join('|');

const ENDS = {
  inBrackets: /[<>\r\n]|$/g,
  definition: /\s|$/g,
  autolink: /[\s<>]|$/g,
  // For some readers, a backslash before a line break is a part of the target.
  target: /[\s()]|\\[!-/:-@[-`{-~\n]|$/g,
  bare: new RegExp(`[${ADDRESS_ENDS}()\\]\`|]|$`, 'gu'),
};

/** The title after a target. Double quotes end none, as values have them escaped everywhere. */
const TITLE = />?\s+(?:'(?:\\.|[^\\'])*'|\((?:\\.|[^\\()])*\))/sy;

function* markdownRegions(text: string): Generator<Region | Title> {
  const tokens = new RegExp(MARKDOWN, 'gim');
  let isInLabel = false;
  for (let found = tokens.exec(text); found; found = tokens.exec(text)) {
    const { label, noLabel, definition, target, autolink, mailbox, bare } = found.groups ?? {};
    const isDefinition = definition !== undefined && isInLabel;
    isInLabel = label !== undefined || (isInLabel && (noLabel ?? definition ?? target) === undefined);
    const isTarget = isDefinition || target !== undefined;
    if (!isTarget && autolink === undefined && mailbox === undefined && bare === undefined) continue;
    const start = bare === undefined ? tokens.lastIndex : found.index;
    const ends = isTarget
      ? found[0].endsWith('<')
        ? ENDS.inBrackets
        : isDefinition
          ? ENDS.definition
          : ENDS.target
      : bare === undefined
        ? ENDS.autolink
        : ENDS.bare;
    const end = endOf(text, tokens.lastIndex, ends);
    yield { start, end, in: mailbox === undefined ? 'address' : 'mailbox' };
    // The next line may be no target, but a definition.
    const isOnNextLine = target?.includes('\n') && !text.slice(start, end).includes(MARK);
    tokens.lastIndex = isOnNextLine ? found.index + 2 : Math.max(end, tokens.lastIndex);
    TITLE.lastIndex = end;
    if (isTarget && !isOnNextLine && TITLE.test(text)) yield { start: end, end: TITLE.lastIndex, in: 'title' };
  }
}

/** Where an address ends: parentheses in it are in pairs. */
function endOf(text: string, start: number, ends: RegExp): number {
  let depth = 0;
  ends.lastIndex = start;
  for (let found = ends.exec(text); found; found = ends.exec(text)) {
    const [end] = found;
    if (end === '(') depth++;
    else if (end === ')' && depth > 0) depth--;
    else if (!end.startsWith('\\')) return found.index;
  }
  return text.length;
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

/** What isn't text in HTML: tags, the values of their attributes, comments, and raw text such as scripts. */
export function* htmlRegions(text: string): Generator<Region> {
  const tags = new RegExp(TAG);
  let from = 0;
  for (let found = tags.exec(text); found; found = tags.exec(text)) {
    const { 0: opening, 1: name, index } = found;
    yield* bareAddresses(text, from, index);
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
  yield* bareAddresses(text, from, text.length);
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

const NOTHING: Surroundings = {
  isInReference: false,
  isInBrackets: false,
  isBeforeMailbox: false,
  isInListNumber: false,
  isInSquareBrackets: false,
  isInName: false,
  isInTitle: false,
};
/** How much text around a variable is looked at (UTF-16 units). */
const REACH = 64;

/** Variables around it may be empty. */
function surroundings(text: string, at: number, isInTitle: boolean, hasDefinitions: boolean): Surroundings {
  const before = text.slice(Math.max(0, at - REACH), at).replaceAll(MARK, '');
  const after = text.slice(at + 1, at + 1 + REACH).replaceAll(MARK, '');
  const isInSquareBrackets = /\[[^[\]]*$/.test(before) && /^[^[\]]*\]/.test(after);
  return {
    isInReference: /(?:&#?\w*|<[/!?]?)$/.test(before),
    isInBrackets: /<[^\s<>]*$/.test(at > REACH ? `<${before}` : before),
    isBeforeMailbox: /^:[^\s@]*@/.test(after),
    isInListNumber: /^\d*[.)](?:\s|$)/.test(after) && /(?:^|[\r\n])[\s>*+\-\d.)]*$/.test(before),
    isInSquareBrackets,
    isInName: isInSquareBrackets && (hasDefinitions || /\[\.[^\s[\]]*$/.test(before)),
    isInTitle,
  };
}
