/** Reading the JSON of an answer: bounded before anything is made of it, and in slices where it is long. */
import { type Bounds, LEVELS, PART } from './bounds.ts';
import { ServiceError } from './errors.ts';
import type { Slices } from './slices.ts';

/** How many characters are looked at, and parsed, in one go: more than any ordinary answer has. */
const BLOCK = 2 ** 19;

const OBJECT = /^[ \t\r\n]*\{/;

/** The level of the elements of `data.list` and `data.successList`. */
const ELEMENTS = 3;

/** The places at which the elements of a list are taken apart: commas, and the bracket that ends it. */
type Cuts = number[];

/**
 * The object that a text is in JSON, undefined where it is none. `finish` is given each part of the answer together with the text
 * that it was read from, and gives what stands in its place. The parts of a long answer are some elements of a list each.
 * @throws ServiceError `tooLarge`
 */
export async function parseJson(
  text: string,
  bounds: Bounds,
  finish: (value: unknown, text: string) => unknown,
  slices: Slices,
): Promise<unknown> {
  // A page of HTML, say: what it is made of says nothing.
  if (!OBJECT.test(text)) return undefined;
  const scan = new Scan(text, bounds);
  while (scan.goOn()) if (slices.isOver) await slices.turn();
  if (!scan.isWhole) return undefined;
  try {
    return await parseParts(text, scan.lists, finish, slices);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function parseParts(
  text: string,
  lists: readonly Cuts[],
  finish: (value: unknown, text: string) => unknown,
  slices: Slices,
): Promise<unknown> {
  const parse = (part: string) => finish(JSON.parse(part), part);
  if (lists.length === 0) return parse(text);
  const rest: string[] = [];
  const elements = new Map<unknown, unknown[]>();
  let from = 0;
  for (const cuts of lists) {
    // Nobody can guess it, so nothing that came can pass for it.
    const mark = crypto.randomUUID();
    const all: unknown[] = [];
    for (const [index, cut] of cuts.slice(0, -1).entries()) {
      // The 0 is left out again: with it, a comma too many is an error as it is for `JSON.parse`.
      const some = parse(`[0${text.slice(cut, cuts[index + 1])}]`) as unknown[];
      for (const element of some.slice(1)) all.push(element);
      if (slices.isOver) await slices.turn();
    }
    elements.set(mark, all);
    rest.push(text.slice(from, cuts[0]), `,"${mark}"`);
    from = cuts.at(-1) ?? from;
  }
  const whole = parse([...rest, text.slice(from)].join(''));
  for (const list of listsIn(whole)) {
    const found = elements.get(list.at(-1));
    if (!found) continue;
    list.pop();
    for (const element of found) list.push(element);
  }
  return whole;
}

/** All lists whose elements have the level {@link ELEMENTS}. */
function listsIn(whole: unknown): unknown[][] {
  const inner = (value: unknown): unknown[] =>
    typeof value === 'object' && value !== null ? Object.values(value) : [];
  return inner(whole).flatMap(inner).filter(Array.isArray);
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT] = [0x5b, 0x7b, 0x5d, 0x7d];
const SPACE = 0x20;

/** Looks at the marks of a text alone: what is no JSON for other reasons is found out when it is parsed. */
class Scan {
  /** The lists that are so long that they are parsed in parts. */
  readonly lists: Cuts[] = [];
  readonly #text: string;
  readonly #bounds: Bounds;
  #at = 0;
  #depth = 0;
  /** Nothing has come yet within the innermost list or object. */
  #isEmpty = true;
  #values = 0;
  #elements = 0;
  /** Of the list whose elements are looked at, with its own place as the first one. */
  #cuts: Cuts | undefined;
  /** Where the element began, and how many values there were by then; undefined around the lists. */
  #element: { at: number; values: number } | undefined;
  /** How many characters and values the elements had that have ended. */
  readonly #ended = { at: 0, values: 0 };

  constructor(text: string, bounds: Bounds) {
    this.#text = text;
    this.#bounds = bounds;
  }

  /** Everything that was begun has ended. */
  get isWhole(): boolean {
    return this.#depth === 0;
  }

  /** Looks at the next block; false where there is none. @throws ServiceError `tooLarge` */
  goOn(): boolean {
    const text = this.#text;
    const end = Math.min(text.length, this.#at + BLOCK);
    let at = this.#at;
    for (; at < end; at++) {
      const mark = text.charCodeAt(at);
      if (mark === COMMA) {
        this.#values++;
        if (this.#cuts && this.#depth === ELEMENTS) this.#endElement(at);
      } else if (mark === CLOSE_LIST || mark === CLOSE_OBJECT) {
        this.#isEmpty = false;
        if (this.#cuts && this.#depth === ELEMENTS) this.#endList(at);
        this.#depth--;
      } else if (mark > SPACE) {
        if (this.#isEmpty) {
          this.#isEmpty = false;
          this.#values++;
        }
        if (mark === QUOTE) at = this.#endOfText(at);
        else if (mark === OPEN_LIST || mark === OPEN_OBJECT) this.#open(mark, at);
      }
    }
    this.#at = at;
    this.#measure(at);
    return at < text.length;
  }

  /** The place of the quote that ends a text. */
  #endOfText(begin: number): number {
    for (let end = begin; ; ) {
      end = this.#text.indexOf('"', end + 1);
      if (end < 0) return this.#text.length;
      let before = end - 1;
      while (this.#text.charCodeAt(before) === BACKSLASH) before--;
      if ((end - before) % 2 === 1) return end;
    }
  }

  #open(mark: number, at: number): void {
    this.#isEmpty = true;
    if (++this.#depth > LEVELS) throw new ServiceError({ kind: 'tooLarge', of: 'levels', bound: LEVELS });
    if (this.#depth !== ELEMENTS || mark !== OPEN_LIST) return;
    this.#measure(at);
    this.#cuts = [at];
    this.#element = { at, values: this.#values };
  }

  #endElement(at: number): void {
    if (!this.#cuts || !this.#element) return;
    this.#measure(at);
    this.#ended.at += at - this.#element.at;
    this.#ended.values += this.#values - this.#element.values;
    this.#element = { at, values: this.#values };
    const { elements } = this.#bounds;
    if (++this.#elements > elements) throw new ServiceError({ kind: 'tooLarge', of: 'elements', bound: elements });
    if (at - (this.#cuts.at(-1) ?? 0) >= BLOCK) this.#cuts.push(at);
  }

  #endList(at: number): void {
    if (!this.#cuts) return;
    this.#endElement(at);
    const [, ...cuts] = this.#cuts;
    if (cuts.length > 0) this.lists.push(cuts.at(-1) === at ? cuts : [...cuts, at]);
    this.#cuts = undefined;
    this.#element = undefined;
  }

  #measure(at: number): void {
    const { values } = this.#bounds;
    if (this.#values > values) throw new ServiceError({ kind: 'tooLarge', of: 'values', bound: values });
    const before = this.#element ?? this.#ended;
    if (at - before.at > PART.characters) {
      throw new ServiceError({ kind: 'tooLarge', of: 'part', bound: PART.characters });
    }
    if (this.#values - before.values > PART.values) {
      throw new ServiceError({ kind: 'tooLarge', of: 'partValues', bound: PART.values });
    }
  }
}
