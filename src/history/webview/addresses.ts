/** What the Markdown parser asks about addresses; its own answers would bring large libraries along. Pure. */
import { ENDS, withoutEnd } from './links.ts';

/** Brackets that an address does not open, backslashes and backticks are those of Markdown around it. */
const ADDRESS =
  '(?<![\\p{L}\\p{N}_])(?:https?://|mailto:(?=[^\\s@]{1,64}@))' +
  `(?:[^${ENDS}()[\\]\\\\\`]|\\([^${ENDS}()]*\\)|\\[[^${ENDS}[\\]]*\\]){1,2000}`;
const addresses = new RegExp(ADDRESS, 'giu');
const addressAtStart = new RegExp(`^${ADDRESS}`, 'iu');

/** Takes the place of `linkify-it`: the addresses in a text that say what they are. Not all of them may be followed. */
export const linkify = {
  test: (text: string) => /https?:\/\/|mailto:/i.test(text),
  match: (text: string) => Array.from(text.matchAll(addresses), matched),
  matchAtStart: (text: string) => {
    const found = addressAtStart.exec(text);
    return found && matched(found);
  },
};

function matched({ 0: found, index = 0 }: RegExpMatchArray) {
  const url = withoutEnd(found);
  return { schema: 'any', index, lastIndex: index + url.length, text: url, url };
}

/** An address in ASCII: its host as the web names it, the rest encoded where it is not yet. */
export function inAscii(address: string): string {
  const text = address.trim();
  const [start = '', before = '', host = ''] = /^(https?:\/\/(?:[^/?#]*@)?)(\[[^/?#]*\]|[^/?#:]*)/i.exec(text) ?? [];
  return encoded(before) + hostInAscii(host) + encoded(text.slice(start.length));
}

function hostInAscii(host: string): string {
  if (host.startsWith('[')) return host;
  const address = `https://${encoded(host)}`;
  return /\P{ASCII}/u.test(host) && URL.canParse(address) ? new URL(address).host : encoded(host);
}

function encoded(text: string): string {
  return encodeURI(text.replace(/\p{Surrogate}/gu, '\uFFFD')).replace(/%25(?=[\da-f]{2})/gi, '%');
}
