/**
 * Text with variables, such as `Hello {{name|friend}}`. There is no code and no logic in it, so that a value can only ever
 * be text. `\{{name}}` stands for the characters themselves. The place of a value decides how it's escaped.
 */
import { encodeAddress, escapeValue } from './escapeMarkdown.ts';
import { type FoundPlace, type Place, placesIn, type TextFormat } from './variablePlaces.ts';
import { isWebAddress } from './webAddress.ts';

/** A variable and its place: offsets in UTF-16 units; `end` is exclusive. */
export interface Variable {
  readonly name: string;
  /** The text that stands for an empty value; undefined if none does. */
  readonly fallback: string | undefined;
  /** Whether a backslash precedes it, which `start` includes: then it's not a variable, but text. */
  readonly isEscaped: boolean;
  readonly start: number;
  readonly end: number;
}

/** The value of a variable; empty if there is none. */
export type Values = (name: string) => string;

/** Inserts a value; undefined if it can't be inserted: it should be an address and isn't, or no value can be. */
type Insert = (value: string) => string | undefined;

/** A text, in which the slots are filled with the values of a recipient. */
export type Template = readonly (string | Slot)[];

export interface Slot {
  readonly name: string;
  readonly fallback: string;
  readonly insert: Insert;
  /** The place in which the variable stands. */
  readonly place: Place;
}

/** A name can't contain braces, bars or line breaks. */
const VARIABLE = /\\?\{\{[^\S\r\n]*([^{}|\s][^{}|\r\n]*)(?:\|([^{}\r\n]*))?\}\}/g;

/** The variables in a text, in order. */
export function findVariables(text: string): Variable[] {
  return Array.from(text.matchAll(VARIABLE), ({ 0: all, 1: name = '', 2: fallback, index }) => ({
    // An umlaut may be one character, or a letter and two dots.
    name: name.trim().normalize('NFC'),
    fallback: fallback?.trim() || undefined,
    isEscaped: all.startsWith('\\'),
    start: index,
    end: index + all.length,
  }));
}

/** Whether a variable can have this name, such as that of a column. */
export const isVariableName = (name: string) => name !== '' && findVariables(`{{${name}}}`)[0]?.name === name;

export function compileTemplate(text: string, format: TextFormat): Template {
  const variables: Variable[] = [];
  const literals: string[] = [];
  let literal = '';
  let from = 0;
  for (const variable of findVariables(text)) {
    const { isEscaped, start, end } = variable;
    literal += text.slice(from, start) + (isEscaped ? text.slice(start + 1, end) : '');
    from = end;
    if (isEscaped) continue;
    literals.push(literal);
    literal = '';
    variables.push(variable);
  }
  literals.push(literal + text.slice(from));
  const places = variables.length > 0 ? placesIn(literals, format) : [];
  return literals.flatMap((literal, at) => {
    const [variable, found] = [variables[at], places[at]];
    const text = literal === '' ? [] : [literal];
    if (!variable || !found) return text;
    const { name, fallback = '' } = variable;
    return [...text, { name, fallback, insert: insertIn(found, format), place: found.place }];
  });
}

/**
 * The marks of Markdown around a place, which readers see if nothing is in it: `****` of `**{{name}}**`. Empty if there are
 * none. They stay, because taking them out would change a message that was checked as it is.
 */
export function marksAround(before: string, after: string): string {
  const [marks = ''] = /(?:\*{1,3}|_{1,3}|~~)$/.exec(before.slice(-4)) ?? [];
  return marks && after.startsWith(marks) ? marks + marks : '';
}

/** The text of a recipient. Values that can't be inserted are left out; {@link insertionOf} tells. */
export function renderTemplate(template: Template, values: Values): string {
  return template
    .map((piece) => (typeof piece === 'string' ? piece : (insertionOf(piece, values(piece.name)) ?? '')))
    .join('');
}

/** What a slot becomes with a value; undefined if it isn't the address that it should be. */
export function insertionOf({ fallback, insert }: Slot, value: string): string | undefined {
  return insert(textOf(value) || fallback);
}

const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}\p{DI}\u2800]/u;

/** A value without white space around it; empty if nothing in it can be seen, as where spreadsheets leave invisible characters. */
export const textOf = (value: string) => (VISIBLE.test(value) ? value.trim() : '');

/** How values are inserted in a place. */
function insertIn({ place, around }: FoundPlace, format: TextFormat): Insert {
  switch (place) {
    case 'address':
      return format === 'address' ? wholeAddress : (value) => wholeAddress(value)?.replaceAll('&', '&amp;');
    case 'part':
      return encodePart;
    case 'text':
      if (format === 'markdown') return (value) => escapeValue(value, around);
      return format === 'html' ? (value) => escapeHtml(value, around.isInReference) : oneLine;
    default:
      return () => undefined;
  }
}

const oneLine = (value: string) => value.replace(/\s+/g, ' ').trim();

const escapeHtml = (value: string, isInReference: boolean) =>
  oneLine(value).replace(isInReference ? /^.|[&<>"'`=]/gsu : /[&<>"'`=]/g, (one) => `&#${one.codePointAt(0)};`);

/** Percent-encodes everything that could end an address, or the link around it. */
const encodePart = (value: string) =>
  percentEncode(encodeURIComponent(oneLine(value).replace(/\p{Surrogate}/gu, '\uFFFD')), /[!'()*]/g);

/** The encoded address must lead to the same host. */
function wholeAddress(value: string): string | undefined {
  if (!isWebAddress(value)) return undefined;
  const address = percentEncode(encodeAddress(value), /[<>"'`()\\|{}]/g);
  const isSame = address === value || (isWebAddress(address) && hostOf(address) === hostOf(value));
  return isSame ? address : undefined;
}

/** The host of a web address, with its port if it has one. */
export const hostOf = (address: string) => new URL(address).host;

const percentEncode = (text: string, characters: RegExp) =>
  text.replace(characters, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
