/** Where a message may lead, and what is said about it. Pure. */

import { escapeInvisible } from './escapeInvisible.ts';
import { isWebAddress } from './escapeMarkdown.ts';

export interface Link {
  href: string;
  /** What to say of it: the address as a browser understands it. */
  title: string;
  /** The place that it leads to, where the text says or hides another. */
  realTarget: string | undefined;
}

/** An absolute http or https address, as it was written; undefined for anything else. */
export function parseWebAddress(text: string): string | undefined {
  const address = text.trim();
  return isWebAddress(address) && !/[\p{Cc}]/u.test(address) ? address : undefined;
}

/** A link to an address of the web or of mail, shown with this text. Undefined where the address is anything else. */
export function safeLink(address: string, text: string): Link | undefined {
  const href = parseWebAddress(address) ?? mailAddress(address);
  if (!href) return undefined;
  const url = new URL(href);
  const place = placeIn(url);
  // What stands before an @ is read as the host, and is not.
  const isDisguised = url.username !== '' || url.password !== '';
  const said = placesIn(text);
  const differs = isDisguised || said.some((other) => bare(other) !== bare(place));
  return { href, title: escapeInvisible(url.href), realTarget: differs ? escapeInvisible(place) : undefined };
}

/** A text in pieces: what is text, and what is an address of the web. All pieces together are the text. */
export function splitLinks(text: string): { text: string; isAddress: boolean }[] {
  const pieces = [];
  let end = 0;
  for (const found of text.matchAll(ADDRESS)) {
    const address = withoutEnd(found[0]);
    if (!parseWebAddress(address)) continue;
    if (found.index > end) pieces.push({ text: text.slice(end, found.index), isAddress: false });
    pieces.push({ text: address, isAddress: true });
    end = found.index + address.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isAddress: false });
  return pieces;
}

/** An address ends at a space, a quotation mark or bracket, Chinese punctuation, and what cannot be seen; for a RegExp. */
const ENDS = '\\s<>"“”‘’«»「」『』（）【】《》，。；：！？、⟨⟩\\p{Cc}\\p{Cf}';

const ADDRESS = new RegExp(`https?://[^${ENDS}]{1,2000}`, 'giu');

/** An address without the punctuation of the sentence that it stands in. */
function withoutEnd(address: string): string {
  // How many brackets are closed and never opened; those at the end are counted off on the way back.
  const unopened: Record<string, number> = {
    ')': count(address, ')') - count(address, '('),
    ']': count(address, ']') - count(address, '['),
  };
  let end = address.length;
  for (; end > 0; end--) {
    const last = address[end - 1] ?? '';
    if (/[.,;:!?'*_~]/.test(last)) continue;
    if ((unopened[last] ?? 0) <= 0) break;
    unopened[last] = (unopened[last] ?? 0) - 1;
  }
  return address.slice(0, end);
}

const count = (text: string, character: string) => text.split(character).length - 1;

function mailAddress(text: string): string | undefined {
  const address = text.trim();
  return /^mailto:[^\s]+$/i.test(address) && !/[\p{Cc}]/u.test(address) && URL.canParse(address) ? address : undefined;
}

const placeIn = (url: URL) => (url.protocol === 'mailto:' ? mailOf(url) : url.host);

/** Whom a mailto: address is to. */
function mailOf({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

/** The hosts and mail addresses that a text seems to name. */
function placesIn(text: string): string[] {
  const start = text.slice(0, 2000);
  const places = [];
  for (const [, rest] of start.matchAll(/https?:[/\\]*([^\s/\\?#]+)/giu)) places.push(hostOf(rest));
  const mail = /[^\s<>()@]+@[^\s<>()@]+\.[^\s<>()@]+/u.exec(start);
  if (places.length === 0 && mail) places.push(mail[0].replace(/^mailto:/i, '').replace(/[.,;:!?]+$/, ''));
  // A name with dots and nothing else is read as a host; so is one with a path behind it.
  const host = /^\s*([\p{L}\p{N}\p{Cf}-]+(?:\.[\p{L}\p{N}\p{Cf}-]+)*\.[\p{L}\p{Cf}]{2,})(?:[:/?#]\S*)?\s*$/u.exec(
    start,
  );
  if (places.length === 0 && host) places.push(hostOf(host[1]));
  return places.filter((place) => place !== undefined);
}

function hostOf(authority = ''): string | undefined {
  return URL.canParse(`https://${authority}`) ? new URL(`https://${authority}`).host : undefined;
}

const bare = (place: string) =>
  place
    .toLowerCase()
    .replace(/^www\./, '')
    .replace(/:(?:80|443)$/, '');
