/** Makes untrusted Markdown safe to embed in a document, without changing how it reads. */
import { codeSpansIn } from './markdownCode.ts';

/** A line that may start a definition, after list, quote and task markers. */
const DEFINING = /^[\s\d>*+~:.)[\]xX-]*\[/;

/** An unescaped bracket. */
const BRACKET = /\[(?<=(?<!\\)(?:\\\\)*\[)/;

/** The start of a tag, comment or declaration, but not an autolink in angle brackets. */
const TAG = /(?<!\\)((?:\\\\)*)\\?<(?=[a-z/!?])(?!(?:https?|mailto):)(?![a-z][\w.+-]*@[\w.-]+>)/gi;

/** The start of a link target or definition that isn't http or https. */
const LINK = /(?<=\])[(:](?![ \t]*<?https?:)/gi;

/** An unescaped exclamation mark before a bracket, which may begin an image. */
const IMAGE = /(?<!\\)((?:\\\\)*)!(?=\[)/g;

/** Where a backtick may belong to an address, title, table cell or formula instead of a code span. */
const AMBIGUOUS = /[\\|$@]|\]\(|<[^\s<]*:|:\/\/|www\./;

/**
 * Turns HTML and links to anything but the web into text. Code is left alone if every Markdown parser reads it as code.
 */
export function sanitizeMarkdown(markdown: string): string {
  const safe = mapOutsideCode(markdown, sanitizeLine);
  // Where a definition has become text, a later one of the same label would take its place.
  return escapedColons(safe) === escapedColons(markdown) ? safe : mapOutsideCode(markdown, isolateLine);
}

/**
 * Does the same, and turns link and footnote definitions, which would affect the rest of the document, into text, and
 * images, which a preview of the document would load, into links.
 */
export function isolateMarkdown(markdown: string): string {
  return mapOutsideCode(markdown, (line, hasCode) => withoutImages(isolateLine(line, hasCode), hasCode));
}

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
  // Not a backslash: parsers that link bare addresses may include it in one.
  return replaceIn(line, hasCode, TAG, '$1&lt;');
}

function withoutLinks(line: string, hasCode: boolean): string {
  return replaceIn(line, hasCode, LINK, '\\$&');
}

function withoutImages(line: string, hasCode: boolean): string {
  return replaceIn(line, hasCode, IMAGE, '$1\\!');
}

/** Replaces what a pattern matches, but not in code spans. */
function replaceIn(line: string, hasCode: boolean, pattern: RegExp, replacement: string): string {
  if (!hasCode) return line.replace(pattern, replacement);
  const pieces = piecesOf(line).map(({ text, isCode }) => (isCode ? text : text.replace(pattern, replacement)));
  return pieces.join('');
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
