/** The text that people see of Markdown and HTML. Loaded with the pages, and with what first needs it elsewhere. Pure. */
import { Parser } from 'htmlparser2';
import type { Token } from 'markdown-it';
import { showEmojiCodes } from './emojiCodes.ts';
import { parseWebAddress, safeLink, splitLinks } from './links.ts';
import { MAX_RENDERED, parseMarkdown } from './markdownHtml.ts';

/** Elements that don't separate the text in them from the text around them. */
export const INLINE_ELEMENTS: readonly string[] = [
  ...['a', 'abbr', 'b', 'bdi', 'cite', 'code', 'del', 'dfn', 'em', 'i', 'img', 'ins', 'kbd', 'mark', 'q', 's', 'samp'],
  ...['small', 'span', 'strong', 'sub', 'sup', 'time', 'u', 'var', 'wbr'],
];

/** Elements that do. */
export const BLOCK_ELEMENTS: readonly string[] = [
  ...['blockquote', 'br', 'caption', 'center', 'dd', 'details', 'div', 'dl', 'dt', 'figcaption', 'figure'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'li', 'ol', 'p', 'pre', 'section', 'summary'],
  ...['table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr', 'ul'],
];

/**
 * Elements that aren't shown, nor is anything in them. Of all others, only the text in them is shown. `head` and
 * `colgroup` aren't among them: text ends them.
 */
export const HIDDEN_ELEMENTS: readonly string[] = [
  ...['audio', 'iframe', 'math', 'noembed', 'noframes', 'noscript', 'plaintext', 'script', 'style'],
  ...['svg', 'template', 'title', 'video', 'xmp'],
];

/** Elements in which emoji codes stay as they are. */
export const CODE_ELEMENTS: readonly string[] = ['code', 'kbd', 'pre', 'samp'];

/** Elements with a blank line around them. */
const SPACED = [
  'blockquote',
  'dl',
  'figure',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'ol',
  'p',
  'pre',
  'table',
  'ul',
];

/** Items of lists that are nested deeper aren't indented further: their text could become too long for memory. */
const MAX_INDENTED = 30;

/**
 * `shown`: what can be read where the text is rendered. `copied`: also what a plain text would lose, the addresses behind
 * links and the markers of lists.
 */
export type Purpose = 'shown' | 'copied';

/** A text without markup. Its addresses say where they lead, as they do where they're shown. */
export function addressesText(text: string, purpose: Purpose): string {
  if (purpose === 'copied' || !text.includes('://')) return text;
  const pieces = splitLinks(text).map((one) => (one.isAddress ? one.text + realTarget(one.text, one.text) : one.text));
  return pieces.join('');
}

/** The text of Markdown; its source if it's too long, or nested too deeply, to be rendered. */
export function markdownText(markdown: string, purpose: Purpose): string {
  const tokens = parseMarkdown(markdown);
  if (!tokens) return markdown;
  const writer = new TextWriter(purpose);
  for (const token of tokens.flatMap((one) => (one.type === 'inline' ? (one.children ?? []) : one))) {
    writeToken(writer, token);
  }
  return writer.text;
}

function writeToken(writer: TextWriter, token: Token): void {
  const attribute = (name: string) => String(token.attrGet(name) ?? '');
  switch (token.type) {
    case 'fence':
    case 'code_block':
      writer.open('pre');
      writer.write(token.content);
      writer.close('pre');
      break;
    case 'image': {
      const src = attribute('src');
      const alt = token.children?.map(({ type, content }) => (type.endsWith('break') ? ' ' : content)).join('');
      writer.open('img', { alt: alt || (parseWebAddress(src) ?? ''), src });
      break;
    }
    case 'task':
      writer.mark(token.meta?.isDone === true ? '☑ ' : '☐ ');
      break;
    // The writer finds it out itself.
    case 'real_target':
      break;
    default:
      // The paragraphs of a tight list are hidden.
      if (token.hidden) break;
      if (token.content) writer.write(token.content);
      else if (token.nesting < 0) writer.close(token.tag);
      else writer.open(token.tag, { href: attribute('href'), start: attribute('start') });
  }
}

/** The text of a page; its source if that is too long to be rendered. */
export function htmlText(html: string, purpose: Purpose): string {
  if (html.length > MAX_RENDERED) return html;
  const writer = new TextWriter(purpose);
  /** How many elements of a kind are open. */
  let hidden = 0;
  let code = 0;
  let isAtStartOfPre = false;
  const parser = new Parser({
    ontext: (text) => {
      const shown = isAtStartOfPre ? text.replace(/^\r?\n/, '') : text;
      isAtStartOfPre = false;
      if (hidden === 0) writer.write(code > 0 ? shown : showEmojiCodes(shown));
    },
    onopentag: (name, attributes) => {
      isAtStartOfPre = name === 'pre';
      if (CODE_ELEMENTS.includes(name)) code++;
      if (HIDDEN_ELEMENTS.includes(name)) hidden++;
      else if (hidden === 0) writer.open(name, attributes);
    },
    onclosetag: (name) => {
      if (CODE_ELEMENTS.includes(name)) code--;
      if (HIDDEN_ELEMENTS.includes(name)) hidden--;
      else if (hidden === 0) writer.close(name);
    },
  });
  parser.end(html);
  return writer.text;
}

/** The number of a list's first item. */
function firstNumber(start = ''): number {
  const number = Number.parseInt(start, 10);
  return Number.isNaN(number) ? 1 : number;
}

/** A link's address without escapes; undefined if it can't be opened. */
function readableAddress(address: string): string | undefined {
  const link = safeLink(address, '');
  try {
    return link && decodeURI(link.title);
  } catch {
    return link?.title;
  }
}

/** The actual target of a link, if its text names another. */
function realTarget(address: string, text: string): string {
  const { realTarget } = safeLink(address, text) ?? {};
  return realTarget === undefined ? '' : ` (→ ${realTarget})`;
}

/** Writes text as a browser lays it out: white space is a single space, except in `pre`. */
class TextWriter {
  readonly #purpose: Purpose;
  /** The lines before the current one, with the breaks after them. */
  #text = '';
  #line = '';
  /** The line breaks before what is written next. */
  #breaks = 0;
  /** Whether the line is empty or ends with a space. */
  #isAfterSpace = true;
  /** Whether nothing is in the current cell yet. */
  #isAtStartOfCell = false;
  /** What comes before the next text of a line. */
  #marks = '';
  #preformatted = 0;
  /** The text so far of the links that are open. */
  readonly #links: { readonly address: string; label: string }[] = [];
  /** The numbers of the next items of the lists that are open; undefined if they have none. */
  readonly #lists: (number | undefined)[] = [];

  constructor(purpose: Purpose) {
    this.#purpose = purpose;
  }

  get text(): string {
    return (this.#text + this.#line).trimEnd();
  }

  write(text: string): void {
    let piece = text;
    if (this.#preformatted === 0) {
      piece = text.replace(/[ \t\r\n\f]+/g, ' ');
      if (this.#isAfterSpace && piece.startsWith(' ')) piece = piece.slice(1);
    }
    if (!piece) return;
    this.#endLine();
    this.#isAtStartOfCell = false;
    this.#line += this.#marks + piece;
    this.#marks = '';
    this.#isAfterSpace = piece.endsWith(' ');
    for (const link of this.#links) link.label += piece;
  }

  /** Writes what belongs to the layout. */
  mark(mark: string): void {
    if (this.#purpose === 'copied') this.#marks += mark;
  }

  open(name: string, attributes: Readonly<Record<string, string>> = {}): void {
    if (name === 'br') this.#break();
    else if (name === 'td' || name === 'th') this.#startCell();
    else if (BLOCK_ELEMENTS.includes(name)) this.#separateBy(name);
    const { alt = '', href = '', src = '', start } = attributes;
    if (name === 'a') this.#links.push({ address: href, label: '' });
    if (name === 'img') this.#image(alt, src);
    if (name === 'pre') this.#preformatted++;
    if (name === 'ol') this.#lists.push(firstNumber(start));
    if (name === 'ul') this.#lists.push(undefined);
    if (name === 'li') this.#item();
  }

  close(name: string): void {
    if (name === 'a') this.#closeLink();
    if (name === 'pre') this.#preformatted--;
    if (name === 'ol' || name === 'ul') this.#lists.pop();
    if (name === 'li') this.#marks = '';
    if (name === 'td' || name === 'th') this.#endCell();
    else if (name !== 'br' && BLOCK_ELEMENTS.includes(name)) this.#separateBy(name);
  }

  #separateBy(name: string): void {
    // A list in a list is close to the item that it belongs to.
    const isSpaced = SPACED.includes(name) && this.#lists.length === 0;
    this.#separate(isSpaced ? 2 : 1);
  }

  /** Before what is written next there are at least so many line breaks. */
  #separate(breaks: number): void {
    if (this.#isAtStartOfCell) return;
    this.#breaks = Math.max(this.#breaks, breaks);
    this.#isAfterSpace = true;
  }

  /** A line break after others leaves a line blank. */
  #break(): void {
    this.#separate(this.#breaks + 1);
  }

  #endLine(): void {
    if (this.#breaks === 0) return;
    const line = this.#line.trimEnd();
    if (line) this.#text += line + '\n'.repeat(this.#breaks);
    // Editors write a space that doesn't collapse for a blank line.
    else if (this.#line.includes('\u00A0') && /[^\n]\n$/.test(this.#text.slice(-2))) this.#text += '\n';
    this.#line = '';
    this.#breaks = 0;
  }

  #startCell(): void {
    this.#endLine();
    this.#isAtStartOfCell = true;
  }

  /** The line continues after paragraphs of a cell. */
  #endCell(): void {
    this.#breaks = 0;
    this.#line += '\t';
    this.#isAfterSpace = true;
    this.#isAtStartOfCell = false;
  }

  #item(): void {
    const depth = Math.max(0, this.#lists.length - 1);
    const number = this.#lists[depth];
    if (number !== undefined) this.#lists[depth] = number + 1;
    this.mark(`${'  '.repeat(Math.min(depth, MAX_INDENTED))}${number === undefined ? '•' : `${number}.`} `);
  }

  /** One that isn't loaded is shown as a link. */
  #image(alt: string, address: string): void {
    const isLink = parseWebAddress(address) !== undefined && this.#links.length === 0;
    if (isLink) this.#links.push({ address, label: '' });
    this.write(alt || (isLink ? address : ''));
    if (isLink) this.#closeLink();
  }

  #closeLink(): void {
    const { address, label = '' } = this.#links.pop() ?? {};
    const target = address && readableAddress(address);
    if (!target) return;
    if (this.#purpose === 'shown') this.#line += realTarget(address, label);
    else if (![label, `mailto:${label.trim()}`].some((one) => readableAddress(one) === target))
      this.write(` (${address})`);
  }
}
