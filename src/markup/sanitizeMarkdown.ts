/** Markdown that reads the same, and cannot reach beyond its own place in a document. */

/** A line that may define something, behind the marks of lists, quotes and tasks. */
const DEFINING = /^[\s\d>*+~:.)[\]xX-]*\[/;

/** A bracket that is more than a character. */
const BRACKET = /(?<=(?<!\\)(?:\\\\)*)\[/;

/** What may begin HTML: a tag, a comment, a declaration; but no address between angle brackets. */
const TAG = /(?<!\\)((?:\\\\)*)\\?<(?=[a-z/!?])(?!(?:https?|mailto):)(?![a-z][\w.+-]*@[\w.-]+>)/gi;

/** What may lead to a place that is not of the web, a definition among them. */
const LINK = /(?<=\])[(:](?![ \t]*<?https?:)/gi;

/** Code within a line. */
const CODE = /(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g;

const CODE_OR_TAG = new RegExp(`${CODE.source}|${TAG.source}`, 'gi');
const CODE_OR_LINK = new RegExp(`${CODE.source}|${LINK.source}`, 'gi');

/** Where a backtick may be a part of something else than code: of an address, a title, a cell, a formula. */
const UNSURE = /[\\|$@]|\]\(|<[^\s<]*:|:\/\/|www\./;

/**
 * Markdown that holds no HTML, and no link but to the web: both are read as text. Code stays as it is where it is code
 * for every reader of Markdown.
 */
export function sanitizeMarkdown(markdown: string): string {
  return outsideOfCode(markdown, (line, hasCode) => withoutLinks(withoutTags(line, hasCode), hasCode));
}

/** The same, which defines nothing either (no link, no footnote) for other parts of a document. */
export function isolateMarkdown(markdown: string): string {
  const harmlessLine = (line: string, hasCode: boolean) => withoutLinks(withoutTags(line, hasCode), hasCode);
  return outsideOfCode(markdown, (line, hasCode) => harmlessLine(withoutDefinitions(line), hasCode));
}

/** Changes each line that is not within a block of code; `hasCode` says whether marks of code within it are surely that. */
function outsideOfCode(markdown: string, change: (line: string, hasCode: boolean) => string): string {
  /** The marks that the block of code began with. */
  let fence = '';
  /** Whether all that looks like the marks of such a block was read as such. */
  let isSure = true;
  /** Whether the paragraph may have begun something that a backtick below ends. */
  let isOpen = false;

  const changeLine = (line: string) => {
    if (fence) {
      const marks = line.trim();
      if (marks.length < fence.length || marks !== fence.charAt(0).repeat(marks.length)) return line;
      fence = '';
      // Farther in, it is no end.
      isSure &&= /^ {0,3}\S+[ \t]*$/.test(line);
      return line;
    }
    fence = (isSure && /^(?:`{3,}|~{3,})(?=[^`|]*$)/.exec(line)?.[0]) || '';
    if (fence || /^[ \t]*$/.test(line)) {
      isOpen = false;
      return line;
    }
    // Within a list or a quote, a block of code ends with that; within a formula or a table there is none.
    isSure &&= !/`{3}|~{3}|\$\$|\\begin/.test(line);
    isOpen ||= UNSURE.test(line) || line.replace(CODE, '').includes('`');
    return change(line, isSure && !isOpen);
  };
  return markdown
    .split(/(\r\n?|\n)/)
    .map((part, at) => (at % 2 === 0 ? changeLine(part) : part))
    .join('');
}

/** A label may begin on a line before: then nothing opens on this one before it ends. */
function withoutDefinitions(line: string): string {
  const opened = DEFINING.test(line) ? Infinity : line.search(BRACKET);
  return line.replace(/\]:/g, (found, at: number) => (at < opened || opened < 0 ? ']\\:' : found));
}

function withoutTags(line: string, hasCode: boolean): string {
  // No backslash: readers who take bare addresses for links may take it for a part of one.
  if (!hasCode) return line.replace(TAG, '$1&lt;');
  return line.replace(CODE_OR_TAG, (found) => (found === '<' ? '&lt;' : found));
}

function withoutLinks(line: string, hasCode: boolean): string {
  return line.replace(hasCode ? CODE_OR_LINK : LINK, (found) => (found.length === 1 ? `\\${found}` : found));
}
