/** Writes what people see of a page as plain text. Pure. */
import { parseWebAddress, safeLink } from './links.ts';

/** Elements that don't separate the text in them from the text around them. */
export const INLINE_ELEMENTS: readonly string[] =
  'a abbr b bdi cite code del dfn em i img ins kbd mark q s samp small span strong sub sup time u var wbr'.split(' ');

/** Elements with a blank line around them. */
const SPACED = 'blockquote dl figure h1 h2 h3 h4 h5 h6 hr ol p pre table ul'.split(' ');

/** Elements that separate the text in them from the text around them, with a blank line or without. */
export const BLOCK_ELEMENTS: readonly string[] = [
  ...SPACED,
  ...'br caption center dd details div dt figcaption li section summary tbody td tfoot th thead tr'.split(' '),
];

/** Elements that separate texts, too. Pages show them as `div`: nothing else of them is kept. */
export const PLAIN_BLOCKS: readonly string[] =
  'address article aside dialog fieldset footer form header hgroup legend main menu nav optgroup option search'.split(
    ' ',
  );

const SEPARATING = [...BLOCK_ELEMENTS, ...PLAIN_BLOCKS];

/** Items of lists that are nested deeper aren't indented further: their text could become too long for memory. */
const MAX_INDENTED = 30;

/**
 * `shown`: what can be read where the text is rendered. `copied`: also what a plain text would lose, the addresses behind
 * links and the markers of lists.
 */
export type Purpose = 'shown' | 'copied';

/** Writes text as a browser lays it out: white space is a single space, except in `pre`. */
export class TextWriter {
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
  /** The text that comes before the next text of a line. */
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
    else if (SEPARATING.includes(name)) this.#separateBy(name);
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
    else if (name !== 'br' && SEPARATING.includes(name)) this.#separateBy(name);
  }

  #separateBy(name: string): void {
    // A list in a list is close to the item that it belongs to.
    const isSpaced = SPACED.includes(name) && this.#lists.length === 0;
    this.#separate(isSpaced ? 2 : 1);
  }

  /** Asks for at least so many line breaks before the next text. */
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

  /** An image that isn't loaded is shown as a link. */
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
export function realTarget(address: string, text: string): string {
  const { realTarget } = safeLink(address, text) ?? {};
  return realTarget === undefined ? '' : ` (→ ${realTarget})`;
}
