/** Escapes plain text as Markdown. Only characters that Markdown would interpret are escaped. */

import { shorten } from '../service/truncate.ts';
import type { DocumentMarkdown } from './safeText.ts';
import { bareAddresses, isWebAddress } from './webAddress.ts';

/** Replaces a tab, which would make the line code. */
const TAB = '&nbsp;'.repeat(4);

/** Escapes text of any number of lines. */
export function escapeText(text: string): DocumentMarkdown {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  return lines
    .map((line, index) => {
      const escaped = escapeLine(line);
      // Two spaces break the line in every parser; an empty line ends the paragraph anyway.
      return escaped && lines[index + 1]?.trim() ? `${escaped}  ` : escaped;
    })
    .join('\n') as DocumentMarkdown;
}

/** Escapes text as a single line, such as a label. */
export const escapeLabel = (text: string) => escapeStart(escapeInline(oneLine(text))) as DocumentMarkdown;

/** How the text around a value could give it a meaning. */
export interface Surroundings {
  /** The beginning of a character reference or of a tag is before the value. */
  readonly isInReference: boolean;
  /** An angle bracket opens before the value, without a space in between. */
  readonly isInBrackets: boolean;
  /** A colon and a mailbox follow the value. */
  readonly isBeforeMailbox: boolean;
  /** The value may be the number of a list item. */
  readonly isInListNumber: boolean;
  /** Square brackets are around the value, which make a box of an `x`, and an emoji code of a name with a dot. */
  readonly isInSquareBrackets: boolean;
  /** With these brackets, the value may be the name of an emoji, or of a link that is defined elsewhere. */
  readonly isInName: boolean;
  /** The value is in the title of a link, which an apostrophe or a bracket may end. */
  readonly isInTitle: boolean;
}

/**
 * Escapes text as a single line that says nothing but itself wherever it is inserted: addresses in it aren't linked,
 * and what is before or after it can't complete any markup.
 */
export function escapeValue(text: string, around?: Surroundings): DocumentMarkdown {
  const line = oneLine(text);
  const isFirst =
    around?.isInReference ||
    around?.isInName ||
    (around?.isInSquareBrackets && /^(?:x$|\.)/i.test(line)) ||
    (around?.isInListNumber && /^\d+$/.test(line));
  // The end of the value may make a host or an address together with the text after it.
  const isLast = /(?<![\p{L}\p{N}])w{1,3}$/iu.test(line) || (around?.isBeforeMailbox && /[a-z]$/i.test(line));
  const first = (isFirst && /^./su.exec(line)?.[0]) || '';
  const last = (isLast && line.length > first.length && line.slice(-1)) || '';
  const middle = line.slice(first.length, line.length - last.length);
  const escaped = referenceTo(first) + escapeStart(escapeInsidePlain(middle)) + referenceTo(last);
  const inTitle = around?.isInTitle ? escaped.replace(/\\?(['()])/g, (_, one) => referenceTo(one)) : escaped;
  return (around?.isInBrackets ? inTitle.replace(/\\?>/g, '&gt;') : inTitle) as DocumentMarkdown;
}

const referenceTo = (character: string) => character && `&#${character.codePointAt(0)};`;

/** Text as a code span, verbatim except for line breaks. */
export function codeSpan(text: string): DocumentMarkdown {
  const line = text.replace(/\s+/g, ' ');
  if (!line.trim()) return '';
  const ticks = '`'.repeat(longestRun(line, '`') + 1);
  const span = /^`|`$|^ .* $/.test(line) ? `${ticks} ${line} ${ticks}` : `${ticks}${line}${ticks}`;
  return span as DocumentMarkdown;
}

/** Text as a fenced code block, verbatim. */
export function codeBlock(language: string, text: string): DocumentMarkdown {
  const fence = fenceFor(text);
  return `${fence}${language}\n${text}\n${fence}` as DocumentMarkdown;
}

/** The line that begins and ends a code block with this text. */
export const fenceFor = (text: string) => '`'.repeat(Math.max(3, longestRun(text, '`') + 1)) as DocumentMarkdown;

/** A link, or the label and the address as text if the address isn't http or https. */
export function markdownLink(label: string, address: string): DocumentMarkdown {
  const name = oneLine(label || address);
  if (!isWebAddress(address)) return escapeLabel([name, name === address ? '' : address].join(' '));
  const target = encodeAddress(address).replace(/[<>\\&]/g, (character) => ENCODED[character] ?? '');
  return `[${escapePlain(name)}](<${target}>)` as DocumentMarkdown;
}

const ENCODED: Record<string, string> = { '<': '%3C', '>': '%3E', '\\': '%5C', '&': '&amp;' };

/** Percent-encodes the invisible characters of an address. */
export function encodeAddress(address: string): string {
  const whole = address.replace(/\p{Surrogate}/gu, '\uFFFD');
  return whole.replace(/[\s\p{Cc}\p{Cf}]/gu, encodeURIComponent);
}

/** The longest label (UTF-16 units). */
const MAX_LENGTH = 2 ** 14;

function escapeLine(line: string): string {
  const rest = line.trim();
  if (!rest) return '';
  const indent = line.slice(0, line.length - line.trimStart().length);
  return indent.replaceAll('\t', TAB).replaceAll(' ', '&nbsp;') + escapeStart(escapeInline(rest));
}

function escapeInline(text: string): string {
  let escaped = '';
  let from = 0;
  // Addresses aren't escaped: a backslash would change them.
  for (const { index, text: address } of bareAddresses(text)) {
    const end = index + address.length;
    // Some parsers would include text right after an address, such as a backslash, a reference or Chinese.
    const isAlone = /^[.,:;!?)]{0,3}(?:\s|$)/.test(text.slice(end, end + 4));
    const isPlain = isAlone && needsNoEscape(address + text.charAt(end)) && /^[!-~]+$/.test(address);
    escaped += escapePlain(text.slice(from, index)) + (isPlain ? address : `<${address}>`);
    from = end;
  }
  return escaped + escapePlain(text.slice(from));
}

/** Dollars around a text make it a formula, in VS Code's preview, too. */
const escapePlain = (text: string) => escapeMarks(text).replaceAll('$', '\\$');

/** An underscore inside a word and a backslash not followed by punctuation have no meaning in Markdown. */
function escapeMarks(text: string): string {
  return (
    text
      .replace(/\\(?=[!-/:-@[-`{-~]|$)|[`*[\]~|]|&(?=#?\w+;)/g, '\\$&')
      // A backslash isn't used: parsers that link bare addresses may include it in one.
      .replaceAll('<', '&lt;')
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
  );
}

/**
 * Like {@link escapeMarks}, also where only the text around it would give a character its meaning. Dollars stay: no chat
 * is known to show formulas, and prices are common.
 */
function escapeInsidePlain(text: string): string {
  return (
    escapeMarks(text)
      // A backslash isn't used: a bar after one wouldn't end a cell.
      .replaceAll('\\\\', '&#92;')
      .replace(/(?<!\\)&(?=[#\w]|$)(?!lt;|#92;)/g, '\\&')
      // An address, a mailbox or a host without a scheme.
      .replace(/(?<!\d):(?!\s)|:(?![\s\d])|(?<!\s)@(?!\s)|(?<=\bwww|^w{0,3})\.|(?<=^|\/)\/|\/$/gi, '\\$&')
      // The end of a link's title, or of an attribute in HTML.
      .replaceAll('"', '&quot;')
      // A backslash before a backtick means nothing in code, which one before the value may begin; a table may begin with
      // any bar.
      .replaceAll('\\`', '&#96;')
      .replaceAll('\\|', '&#124;')
      // The beginning of an image, the end of a heading, of the number of a list item, and of a link's text or target.
      .replace(/(?<=^|\s)#+$|^\.(?=\s|$)|^[():]|!$/g, '\\$&')
  );
}

const needsNoEscape = (text: string) => escapePlain(text) === text;

/** Escapes what starts a heading, quote, list, rule, or the underline of a heading or table. */
function escapeStart(line: string): string {
  return line
    .replace(/^(#{1,6}(?=\s|$)|>|[-+](?=\s|$)|:?-[-:\s]*$|=+\s*$)/, '\\$1')
    .replace(/^(\d{1,9})(?=[.)](?:\s|$))/, '$1\\');
}

function oneLine(text: string): string {
  return shorten(text.replace(/\s+/g, ' ').trim(), MAX_LENGTH);
}

function longestRun(text: string, character: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(new RegExp(`${character}+`, 'g'))) longest = Math.max(longest, run.length);
  return longest;
}
