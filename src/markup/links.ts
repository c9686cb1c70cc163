/** Checks the links of messages, and exposes those whose text names another target. Pure. */

import { parseUrl } from '../service/address.ts';
import { escapeAllInvisible } from './escapeInvisible.ts';
import { bareAddresses, hasEncodedNames, hostAtStart, isWebAddress } from './webAddress.ts';

export interface Link {
  href: string;
  /** The address as a browser understands it. */
  title: string;
  /** The actual host or mail address, if the text names another or the address disguises it. */
  realTarget: string | undefined;
}

/** An absolute http or https address as written; undefined for anything else. */
export function parseWebAddress(text: string): string | undefined {
  const address = text.trim();
  return isWebAddress(address) && !/[\p{Cc}]/u.test(address) ? address : undefined;
}

/** A link to a web or mail address, shown with this text; undefined for any other address. */
export function safeLink(address: string, text: string): Link | undefined {
  const href = parseWebAddress(address) ?? mailAddress(address);
  if (!href) return undefined;
  const url = new URL(href);
  const target = targetOf(url);
  // People read the text before an @ as the host.
  const isDisguised = url.username !== '' || url.password !== '';
  const named = targetsIn(text);
  const differs = isDisguised || named.some((other) => normalizeTarget(other) !== normalizeTarget(target));
  return { href, title: escapeAllInvisible(url.href), realTarget: differs ? escapeAllInvisible(target) : undefined };
}

/** Splits a text into web addresses and the text between them. Joined, the pieces are the original text. */
export function splitLinks(text: string): { text: string; isAddress: boolean }[] {
  const pieces = [];
  let end = 0;
  for (const { index, text: address } of bareAddresses(text)) {
    if (index > end) pieces.push({ text: text.slice(end, index), isAddress: false });
    pieces.push({ text: address, isAddress: true });
    end = index + address.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isAddress: false });
  return pieces;
}

function mailAddress(text: string): string | undefined {
  const address = text.trim();
  return /^mailto:[^\s]+$/i.test(address) && !/[\p{Cc}]/u.test(address) && parseUrl(address) ? address : undefined;
}

const targetOf = (url: URL) => (url.protocol === 'mailto:' ? mailOf(url) : url.host);

/** The recipient of a mailto: address. */
function mailOf({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

/** Punctuation, pictures and spaces, but not what begins a mention or a topic. */
const AROUND_NAME = /^[^\p{L}\p{N}@#]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu;

/** The hosts and mail addresses that a text appears to name. */
function targetsIn(text: string): string[] {
  const start = text.slice(0, 2000);
  const targets = [];
  for (const [, rest = ''] of start.matchAll(/https?:[/\\]*([^\s/\\?#]+)/giu)) {
    const host = hostAtStart(rest);
    targets.push(hostOf(host ?? rest), ...(host && rest.includes('@') ? [hostOf(rest)] : []));
  }
  const mail = /(?<![^\s<>()@])[^\s<>()@]+@[^\s<>()@]+\.[^\s<>()@]+/u.exec(start);
  if (targets.length === 0 && mail)
    targets.push(mail[0].replace(/^mailto:/i, '').replace(/(?<![.,;:!?])[.,;:!?]+$/, ''));
  // People read a dotted name on its own, with or without a path, as a host.
  const host = /^([\p{L}\p{N}\p{Cf}-]+(?:\.[\p{L}\p{N}\p{Cf}-]+)*\.[\p{L}\p{Cf}]{2,})(?:[:/?#]\S*)?$/u.exec(
    start.replace(AROUND_NAME, ''),
  );
  if (targets.length === 0 && host) targets.push(hostOf(host[1]));
  return targets.filter((target) => target !== undefined);
}

/** A host as a browser understands it; as written if it reads other characters than people do, such as ｅ as e. */
function hostOf(authority = ''): string | undefined {
  const written = authority.toLowerCase().normalize('NFC');
  // Some engines refuse encoded names that are wrong, but people read them nevertheless.
  const url = parseUrl(`https://${written}`);
  if (!url) return hasEncodedNames(written) ? authority : undefined;
  const { host } = url;
  const isAscii = /^[!-~]*$/.test(written);
  const isSame = isAscii ? host === written.replace(/:443$/, '') : written === written.normalize('NFKC');
  return isSame ? host : authority;
}

const normalizeTarget = (target: string) =>
  target
    .toLowerCase()
    .replace(/^www\./, '')
    .replace(/:(?:80|443)$/, '');
