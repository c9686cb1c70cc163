/** Plain text as Markdown that reads the same. Only what Markdown would take for a mark is escaped. */

/** Addresses stand as they are: a backslash within one would lead elsewhere. Punctuation after one is not part of it. */
const ADDRESS = /https?:\/\/[!-;=?-~]*[\w/#&=+$@%~*;-]/gi;

/** Indented by so much, a line would be code. */
const TAB = '&nbsp;'.repeat(4);

/** Text of any number of lines. */
export function escapeText(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  return lines
    .map((line, index) => {
      const escaped = escapeLine(line);
      // Two spaces break the line for every reader of Markdown; an empty line ends a paragraph anyway.
      return escaped && lines[index + 1]?.trim() ? `${escaped}  ` : escaped;
    })
    .join('\n');
}

/** Text that has to stand on one line, such as a label. */
export function escapeLabel(text: string): string {
  return escapeStart(escapeMarks(oneLine(text)));
}

/** Text as code within a line, verbatim but for line breaks. */
export function codeSpan(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  if (!line.trim()) return '';
  const ticks = '`'.repeat(longestRun(line, '`') + 1);
  return /^`|`$|^ .* $/.test(line) ? `${ticks} ${line} ${ticks}` : `${ticks}${line}${ticks}`;
}

/** Text as a block of code, verbatim. */
export function codeBlock(language: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text, '`') + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

/** A link; both as text where the address is none of the web. */
export function markdownLink(label: string, address: string): string {
  const name = oneLine(label || address);
  if (!isWebAddress(address)) return escapeLabel([name, name === address ? '' : address].join(' '));
  return `[${escapePlain(name)}](<${encodeAddress(address).replace(/[<>\\&]/g, (mark) => ENCODED[mark] ?? '')}>)`;
}

const ENCODED: Record<string, string> = { '<': '%3C', '>': '%3E', '\\': '%5C', '&': '&amp;' };

/** An address in which nothing is unseen: such characters are written the way that addresses write them. */
export function encodeAddress(address: string): string {
  const whole = address.replace(/\p{Surrogate}/gu, '\uFFFD');
  return whole.replace(/[\s\p{Cc}\p{Cf}]/gu, encodeURIComponent);
}

/** Nobody follows a longer address, or reads a longer line (UTF-16 units). */
const LONGEST = 2 ** 14;

/** Whether an address leads to the web. */
export const isWebAddress = (address: string) =>
  address.length <= LONGEST && /^https?:\/\//i.test(address) && URL.canParse(address);

function escapeLine(line: string): string {
  const [, indent = '', rest = ''] = /^(\s*)(.*?)\s*$/su.exec(line) ?? [];
  if (!rest) return '';
  return indent.replaceAll('\t', TAB).replaceAll(' ', '&nbsp;') + escapeStart(escapeMarks(rest));
}

function escapeMarks(text: string): string {
  let escaped = '';
  let from = 0;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    const end = index + address.length;
    // A backslash right behind it would be a part of it for some readers.
    const isPlain = isUnmarked(address + text.charAt(end));
    escaped += escapePlain(text.slice(from, index)) + (isPlain ? address : `<${address}>`);
    from = end;
  }
  return escaped + escapePlain(text.slice(from));
}

/** An underscore within a word is no mark, and a backslash is one before punctuation alone. */
function escapePlain(text: string): string {
  return (
    text
      .replace(/\\(?=[!-/:-@[-`{-~]|$)|[`*[\]~|]|&(?=#?\w+;)/g, '\\$&')
      // No backslash: readers who take bare addresses for links may take it for a part of one.
      .replaceAll('<', '&lt;')
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
  );
}

const isUnmarked = (text: string) => escapePlain(text) === text;

/** Headings, quotes, lists, rules, underlines of headings and of tables begin a line. */
function escapeStart(line: string): string {
  return line
    .replace(/^(#{1,6}(?=\s|$)|>|[-+](?=\s|$)|:?-[-:\s]*$|=+\s*$)/, '\\$1')
    .replace(/^(\d{1,9})(?=[.)](?:\s|$))/, '$1\\');
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

function longestRun(text: string, character: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(new RegExp(`${character}+`, 'g'))) longest = Math.max(longest, run.length);
  return longest;
}
