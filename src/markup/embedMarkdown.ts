/** Makes untrusted Markdown safe to embed in a document, without changing how it reads. */
import { codeSpansIn } from './markdownCode.ts';
import type { DocumentMarkdown } from './safeText.ts';
import { bareAddresses } from './webAddress.ts';

/** A line that may start a definition, after list, quote and task markers. */
const DEFINING = /^[\s\d>*+~:.)[\]xX-]*\[/;

/** An unescaped bracket. */
const BRACKET = /\[(?<=(?<!\\)(?:\\\\)*\[)/;

/** The start of a tag, comment or declaration, but not an autolink in angle brackets. */
const TAG = /(?<!\\)((?:\\\\)*)\\?<(?=[a-z/!?])(?!(?:https?|mailto):)(?![a-z][\w.+-]*@[\w.-]+>)/gi;

/** What follows an address that ends before a tag, and what precedes one in the text or the target of a link. */
const BEFORE_TAG = /^[.,:;!?)'_*~|]{0,3}<[a-z/!?]/i;
const IN_LINK = /(?:\[[^[\]]{0,100}|\][(:][ \t]{0,9}<?|<)$/;

/** The start of a link target or definition that isn't http or https. */
const LINK = /(?<=\])[(:](?![ \t]*<?https?:)/gi;

/** An unescaped exclamation mark before a bracket, which may begin an image. */
const IMAGE = /(?<!\\)((?:\\\\)*)!(?=\[)/g;

/** Where a backtick may belong to an address, title, table cell or formula instead of a code span. */
const AMBIGUOUS = /[\\|$@]|\]\(|<[^\s<]*:|:\/\/|www\./;

/**
 * Turns HTML and links to anything but the web into text. Code is left alone if every Markdown parser reads it as code.
 */
export function embedMarkdown(markdown: string): DocumentMarkdown {
  const safe = mapOutsideCode(markdown, sanitizeLine);
  // Where a definition has become text, a later one of the same label would take its place.
  const isSame = escapedColons(safe) === escapedColons(markdown);
  return (isSame ? safe : mapOutsideCode(markdown, isolateLine)) as DocumentMarkdown;
}

/**
 * Does the same, and turns link and footnote definitions, which would affect the rest of the document, into text, and
 * images, which a preview of the document would load, into links.
 */
export const embedIsolated = (markdown: string) =>
  mapOutsideCode(markdown, (line, hasCode) => withoutImages(isolateLine(line, hasCode), hasCode)) as DocumentMarkdown;

const isolateLine = (line: string, hasCode: boolean) => sanitizeLine(withoutDefinitions(line), hasCode);

const sanitizeLine = (line: string, hasCode: boolean) => withoutLinks(withoutTags(line, hasCode), hasCode);

const escapedColons = (markdown: string) => markdown.split(']\\:').length;

/** Changes each line outside code blocks. `hasCode` says whether backticks in the line are certain to be code spans. */
function mapOutsideCode(markdown: string, change: (line: string, hasCode: boolean) => string): string {
  /** The fence that opened the current code block. */
  let fence = '';
  /** Whether every fence so far was certain to be one. */
  let isCertain = true;
  /** Whether the paragraph may contain something that a later backtick closes. */
  let isOpen = false;

  const changeLine = (line: string) => {
    if (fence) {
      const closing = line.trim();
      if (closing.length < fence.length || closing !== fence.charAt(0).repeat(closing.length)) return line;
      fence = '';
      // Indented further, it doesn't close the block.
      isCertain &&= /^ {0,3}\S+[ \t]*$/.test(line);
      return line;
    }
    fence = (isCertain && /^(?:`{3,}|~{3,}(?!~))(?=[^`|]*$)/.exec(line)?.[0]) || '';
    if (fence || /^[ \t]*$/.test(line)) {
      isOpen = false;
      return line;
    }
    // A code block in a list or quote ends with it; formulas and tables contain no code blocks.
    isCertain &&= !/`{3}|~{3}|\$\$|\\begin/.test(line);
    isOpen ||= AMBIGUOUS.test(line) || piecesOf(line).some(({ text, isCode }) => !isCode && text.includes('`'));
    return change(line, isCertain && !isOpen);
  };
  return markdown
    .split(/(\r\n?|\n)/)
    .map((part, at) => (at % 2 === 0 ? changeLine(part) : part))
    .join('');
}

/** A label may start on an earlier line; then no bracket opens before it closes on this one. */
function withoutDefinitions(line: string): string {
  const opened = DEFINING.test(line) ? Infinity : line.search(BRACKET);
  return line.replace(/\]:/g, (found, at: number) => (at < opened || opened < 0 ? ']\\:' : found));
}

function withoutTags(line: string, hasCode: boolean): string {
  // Tags aren't escaped by a backslash: parsers that link bare addresses may take it, or a reference, for part of one.
  return changeIn(line, hasCode, (text) => enclosedAddresses(text).replace(TAG, '$1&lt;'));
}

/** Encloses the addresses in brackets that a tag follows, except in the text and the target of a link. */
function enclosedAddresses(text: string): string {
  let enclosed = '';
  let from = 0;
  // Backticks may be code.
  if (!text.includes('://') || text.includes('`')) return text;
  for (const { index, text: address } of bareAddresses(text)) {
    const end = index + address.length;
    if (!BEFORE_TAG.test(text.slice(end, end + 5)) || IN_LINK.test(text.slice(Math.max(0, index - 110), index)))
      continue;
    enclosed += `${text.slice(from, index)}<${address}>`;
    from = end;
  }
  return enclosed + text.slice(from);
}

function withoutLinks(line: string, hasCode: boolean): string {
  return changeIn(line, hasCode, (text) => text.replace(LINK, '\\$&'));
}

function withoutImages(line: string, hasCode: boolean): string {
  return changeIn(line, hasCode, (text) => text.replace(IMAGE, '$1\\!'));
}

/** Changes what isn't in code spans. */
function changeIn(line: string, hasCode: boolean, change: (text: string) => string): string {
  if (!hasCode) return change(line);
  return piecesOf(line)
    .map(({ text, isCode }) => (isCode ? text : change(text)))
    .join('');
}

/** The code spans of a line, and what is between them. */
function piecesOf(line: string): { text: string; isCode: boolean }[] {
  const pieces = [];
  let from = 0;
  for (const [start, end] of codeSpansIn(line)) {
    pieces.push({ text: line.slice(from, start), isCode: false }, { text: line.slice(start, end), isCode: true });
    from = end;
  }
  return [...pieces, { text: line.slice(from), isCode: false }];
}
