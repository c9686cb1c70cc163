/**
 * Text with variables, such as `Hello {{name|friend}}`. There is no code and no logic in it, so that a value can only ever
 * be text. `\{{name}}` stands for the characters themselves.
 */
import { encodeAddress, escapeValue, isWebAddress } from './escapeMarkdown.ts';

/** A variable and its place: offsets in UTF-16 units; `end` is exclusive. */
export interface Variable {
  readonly name: string;
  /** What stands for an empty value; undefined if nothing does. */
  readonly fallback: string | undefined;
  /** It is preceded by a backslash, which `start` includes: not a variable, but text. */
  readonly isEscaped: boolean;
  readonly start: number;
  readonly end: number;
}

/** What a text is, which decides how values are inserted. */
export type TextFormat = 'markdown' | 'html' | 'text' | 'address';

/** The value of a variable; empty if there is none. */
export type Values = (name: string) => string;

/** Inserts a value; undefined if it can't be inserted, because it should be an address and isn't. */
type Insert = (value: string) => string | undefined;

/** A text, in which the slots are filled with the values of a recipient. */
export type Template = readonly (string | Slot)[];

export interface Slot {
  readonly name: string;
  readonly fallback: string;
  readonly insert: Insert;
  /** Its value must be an address. */
  readonly isAddress: boolean;
}

/** A name can't contain braces, bars or line breaks. */
const VARIABLE = /\\?\{\{[^\S\r\n]*([^{}|\s][^{}|\r\n]*)(?:\|([^{}\r\n]*))?\}\}/g;

/** The variables in a text, in order. */
export function findVariables(text: string): Variable[] {
  return Array.from(text.matchAll(VARIABLE), ({ 0: all, 1: name = '', 2: fallback, index }) => ({
    name: name.trim(),
    fallback: fallback?.trim() || undefined,
    isEscaped: all.startsWith('\\'),
    start: index,
    end: index + all.length,
  }));
}

export function compileTemplate(text: string, format: TextFormat): Template {
  const pieces: (string | Slot)[] = [];
  let from = 0;
  let before = '';
  for (const { name, fallback = '', isEscaped, start, end } of findVariables(text)) {
    const literal = text.slice(from, start) + (isEscaped ? text.slice(start + 1, end) : '');
    before = (before + literal).slice(-REACH);
    if (literal) pieces.push(literal);
    if (!isEscaped) {
      const insert = insertAfter(before, format);
      pieces.push({ name, fallback, insert, isAddress: insert('') === undefined });
      // Stands for its value, which may be part of an address, or the beginning of one.
      before += insert('') === undefined ? 'https://x' : 'x';
    }
    from = end;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}

/** The text of a recipient. Values that can't be inserted are left out; {@link insertionOf} tells. */
export function renderTemplate(template: Template, values: Values): string {
  return template
    .map((piece) => (typeof piece === 'string' ? piece : (insertionOf(piece, values(piece.name)) ?? '')))
    .join('');
}

/** What a slot becomes with a value; undefined if it isn't the address that it should be. */
export function insertionOf({ fallback, insert }: Slot, value: string): string | undefined {
  return insert(value.trim() || fallback);
}

/** How much text before a variable decides what it is in (UTF-16 units). */
const REACH = 2_000;
/** Within an address. */
const IN_ADDRESS = /https?:\/\/[\p{L}\p{N}\w.~:/?#@!$&+,;=%-]*$/iu;
/** Where an address begins in Markdown, and within one: in a link, or in the definition of one. */
const AT_MARKDOWN_ADDRESS = /\]\(\s*<?$|(?:^|\n) {0,3}\[[^\]\n]+\]:\s*<?$/;
const IN_MARKDOWN_ADDRESS = /(?:\]\(\s*<?|(?:^|\n) {0,3}\[[^\]\n]+\]:\s*<?)(?:[^\s<>()]|\([^\s<>()]*\)?)+$/;
const AT_HTML_ADDRESS = /\b(?:href|src|action)\s*=\s*["']?$/i;
const IN_HTML_ADDRESS = /\b(?:href|src|action)\s*=\s*(?:"[^"]+|'[^']+|[^\s"'>]+)$/i;

function insertAfter(before: string, format: TextFormat): Insert {
  if (IN_ADDRESS.test(before)) return encodePart;
  switch (format) {
    case 'address':
      return before === '' ? wholeAddress : encodePart;
    case 'markdown':
      if (AT_MARKDOWN_ADDRESS.test(before)) return markupAddress;
      return IN_MARKDOWN_ADDRESS.test(before) ? encodePart : escapeValue;
    case 'html':
      if (AT_HTML_ADDRESS.test(before)) return markupAddress;
      return IN_HTML_ADDRESS.test(before) ? encodePart : escapeHtml;
    case 'text':
      return oneLine;
  }
}

const oneLine = (value: string) => value.replace(/\s+/g, ' ').trim();

const escapeHtml = (value: string) =>
  oneLine(value).replace(/[&<>"'`=]/g, (character) => `&#${character.codePointAt(0)};`);

/** Percent-encodes everything that could end an address, or the link around it. */
const encodePart = (value: string) =>
  percentEncode(encodeURIComponent(oneLine(value).replace(/\p{Surrogate}/gu, '\uFFFD')), /[!'()*]/g);

const wholeAddress: Insert = (value) =>
  isWebAddress(value) ? percentEncode(encodeAddress(value), /[<>"'`()\\|{}]/g) : undefined;

const markupAddress: Insert = (value) => wholeAddress(value)?.replaceAll('&', '&amp;');

const percentEncode = (text: string, characters: RegExp) =>
  text.replace(characters, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
