/** What a web address is, and where a bare one ends in a text: every format of a message has the same rule. Pure. */

import { parseUrl } from '../service/address.ts';

/** Longer addresses aren't linked (UTF-16 units). */
const MAX_LENGTH = 2 ** 14;
/** What looks like one address and is longer isn't searched for others, which would take long. */
const MAX_SEARCHED = 2_000;

/** Whether an address is an absolute http or https URL. */
export function isWebAddress(address: string): boolean {
  const url = address.length <= MAX_LENGTH && /^https?:\/\//i.test(address) ? parseUrl(address) : undefined;
  return url !== undefined && isWellEncoded(url.hostname);
}

/**
 * Whether names that a host has in Punycode are such names. Only some engines look, and others only if they encode a name
 * that isn't ASCII. One that encodes nothing ends with a hyphen.
 */
const isWellEncoded = (host: string) =>
  !hasEncodedNames(host) || (!/(?:^|\.)xn--[^.]*-(?:\.|$)/.test(host) && parseUrl(`https://é.${host}`) !== undefined);

/** Whether a host has names in Punycode. */
export const hasEncodedNames = (host: string) => /(?:^|\.)xn--/i.test(host);

/** Ends an address: spaces, quotation marks, brackets, Chinese punctuation, invisible characters. For a pattern's class. */
export const ADDRESS_ENDS = '\\s<>"“”‘’«»「」『』（）【】《》，。；：！？、⟨⟩\\p{Cc}\\p{Cf}';

/** Other punctuation that no address has unencoded, and pictures after it. For a pattern's class. */
const MORE_ENDS = [
  '\\\\`—‹›„‚،؛؟',
  '\\u3000-\\u3004\\u3008-\\u3020\\u3030\\u303D-\\u303F\\uFF01-\\uFF0F\\uFF1A-\\uFF20\\uFF3B-\\uFF40\\uFF5B-\\uFF65',
  '\\p{Extended_Pictographic}\\p{Regional_Indicator}\\p{Default_Ignorable_Code_Point}',
].join('');

const LATIN_LETTER = 'a-z\\d\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u024F\\u1E00-\\u1EFF';
/** A part of a host that begins with a Latin letter has no others: Chinese after it is the text that follows. */
const LATIN = `[${LATIN_LETTER}](?:[_-]*[${LATIN_LETTER}\\u0300-\\u036F])*`;
const OTHER = `(?![${LATIN_LETTER}])\\p{L}[\\p{L}\\p{M}\\p{N}_-]*`;
/** A Chinese name comes first, or after a part such as www. After a whole name and a period it's a sentence. */
const HOST = `(?:\\[[\\da-f:.]+\\]|(?:${LATIN}\\.)?${OTHER}(?:\\.(?:${LATIN}|${OTHER}))*|${LATIN}(?:\\.${LATIN})*)`;
const PORT = '(?::\\d{1,5}(?!\\d))?';
const USER = `(?:[\\w.~%+:!$-]{1,200}@(?=[${LATIN_LETTER}]))?`;
/** An emoji code ends an address, as the emoji does. */
const CODE = '\\[\\.[^\\s[\\]\u200B]{1,20}\\]';
/** Chinese letters belong to it, as in https://zh.wikipedia.org/wiki/中文: other programs agree, and the host is the same. */
const PATH = `(?:\\.?[/?#](?:(?!\\*\\*|~~|……|${CODE})[^${ADDRESS_ENDS}${MORE_ENDS}])*)?`;

const ADDRESS = `(?<![a-z])https?://${USER}${HOST}${PORT}${PATH}`;
const anyAddress = new RegExp(ADDRESS, 'giu');
const addressHere = new RegExp(ADDRESS, 'iuy');
const hostHere = new RegExp(`^${HOST}${PORT}`, 'iu');

export interface BareAddress {
  readonly index: number;
  readonly text: string;
}

/** The bare addresses of a text, in order. */
export function* bareAddresses(text: string): Generator<BareAddress> {
  const pattern = new RegExp(anyAddress);
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const { 0: whole, index } = found;
    const address = linkedPart(whole);
    if (address === undefined) continue;
    yield { index, text: address };
    // Another one may follow the bracket that ends it.
    if (whole.length <= MAX_SEARCHED) pattern.lastIndex = index + address.length;
  }
}

/** The bare address whose scheme ends at an offset, and all that looks like one: only the former can be linked. */
export function addressAround(text: string, colon: number): (BareAddress & { isLinked: boolean }) | undefined {
  const [scheme] = /https?$/i.exec(text.slice(Math.max(0, colon - 5), colon)) ?? [];
  if (!scheme) return undefined;
  const index = colon - scheme.length;
  addressHere.lastIndex = index;
  const [found] = addressHere.exec(text) ?? [];
  if (found === undefined) return undefined;
  const address = linkedPart(found);
  return { index, text: address ?? found, isLinked: address !== undefined };
}

/** What people read as the host, and its port, at the beginning of a text. */
export const hostAtStart = (text: string) => hostHere.exec(text)?.[0];

/** An address without the punctuation of the sentence around it, if it can be linked. */
function linkedPart(found: string): string | undefined {
  // What is left of an address that was too long isn't one.
  if (found.length > MAX_LENGTH) return undefined;
  const closed = found.slice(0, closingBracket(found)).replace(/['’]s$/, '');
  let asterisks = closed.split('*').length - 1;
  let end = closed.length;
  for (; end > 0; end--) {
    const last = closed.charAt(end - 1);
    // Emphasis ends after the address only if it begins before it.
    if (last === '*' ? asterisks-- % 2 === 0 : !/[.,;:!?'_~|([{…]/.test(last)) break;
  }
  const address = closed.slice(0, end);
  return isWebAddress(address) ? address : undefined;
}

const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** The offset of the first closing bracket that isn't opened in an address, or its end. */
function closingBracket(address: string): number {
  const open: Record<string, number> = { '(': 0, '[': 0, '{': 0 };
  for (let index = 0; index < address.length; index++) {
    const character = address.charAt(index);
    const opening = OPENING[character];
    if (opening !== undefined) {
      if (open[opening] === 0) return index;
      open[opening] = (open[opening] ?? 0) - 1;
    } else if (open[character] !== undefined) open[character]++;
  }
  return address.length;
}
