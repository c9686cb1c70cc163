/** Markdown that reads the same, and cannot reach beyond its own place in a document. */

/** A line that may define something, behind the marks of lists, quotes and tasks. */
const DEFINING = /^[\s\d>*+~:.)[\]xX-]*\[/;

/** A bracket that is more than a character. */
const BRACKET = /(?<=(?<!\\)(?:\\\\)*)\[/;

/** What may begin HTML: a tag, a comment, a declaration; but no address between angle brackets. */
const TAG = /(?<!\\)((?:\\\\)*)\\?<(?=[a-z/!?])(?![a-z][a-z\d+.-]*:)(?![a-z][\w.+-]*@[\w.-]+>)/gi;

/** Code within a line. */
const CODE = /(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g;

const CODE_OR_TAG = new RegExp(`${CODE.source}|${TAG.source}`, 'gi');

/** Where a backtick may be a part of something else than code: of an address, a title, a cell, a formula. */
const UNSURE = /[\\|$@]|\]\(|<[^\s<]*:|:\/\/|www\./;

/**
 * Markdown that defines nothing (no link, no footnote) for other parts of a document, and holds no HTML: both are read
 * as text. Code stays as it is where it is code for every reader of Markdown.
 */
export function confine(markdown: string): string {
  /** The marks that the block of code began with. */
  let fence = '';
  /** Whether all that looks like the marks of such a block was read as such. */
  let isSure = true;
  /** Whether the paragraph may have begun something that a backtick below ends. */
  let isOpen = false;

  const confineLine = (line: string) => {
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
    return withoutTags(withoutDefinitions(line), isSure && !isOpen);
  };
  return markdown
    .split(/\r\n?|\n/)
    .map(confineLine)
    .join('\n');
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
