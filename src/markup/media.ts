/** What a message brings beside words: what it's called, where it lies, how long it takes. Pure. */
import type { Message } from '../service/message.ts';
import { parseWebAddress } from './links.ts';

/** An image, a file, a video, an audio or a sticker. Each text is empty where there is none. */
export interface Media {
  readonly name: string;
  /** What stood in place of an address and is none of the web: another name. */
  readonly localName: string;
  /** Of the web. */
  readonly address: string;
  /** The address isn't answered any more. */
  readonly isExpired: boolean;
  /** `m:ss`, with hours where it takes any. */
  readonly duration: string;
}

/** Undefined for a message that brings no such thing. `now` is Unix ms. */
export function mediaOf({ contentType, content }: Message, now: number): Media | undefined {
  switch (contentType) {
    case 'image':
    case 'expression':
      return media(content.imageName, content.imageUrl, now);
    case 'file':
      return media(content.fileName, content.fileUrl, now);
    case 'video':
      return { ...media(content.videoUrl, content.videoUrl, now), duration: durationText(content.videoDuration) };
    case 'audio':
      return { ...media(content.audioUrl, content.audioUrl, now), duration: durationText(content.audioDuration) };
    default:
      return undefined;
  }
}

/** `name` may be the same as `place`, an address as well. */
function media(name = '', place = '', now: number): Media {
  const address = parseWebAddress(place) ?? '';
  const isExpired = hasExpired(address, now);
  const ownName = address && name === place ? '' : name;
  return {
    name: ownName || (isExpired ? fileNameIn(address) : ''),
    localName: address || place === name ? '' : place,
    address,
    isExpired,
    duration: '',
  };
}

/**
 * Whether a signed address is not answered any more: `t` in its query is the time when it expires, in Unix seconds of
 * eight hexadecimal digits (observed). Nothing before 2004 is taken for such a time. `now` is Unix ms.
 */
export function hasExpired(address: string, now: number): boolean {
  const time = (address && new URL(address).searchParams.get('t')) || '';
  return /^[4-9a-f][0-9a-f]{7}$/i.test(time) && Number.parseInt(time, 16) * 1000 <= now;
}

/** The last part of the path of an address; empty where it has none. */
export function fileNameIn(address: string): string {
  const name =
    address
      .replace(/[?#].*$/s, '')
      .split('/')
      .slice(3)
      .at(-1) ?? '';
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function durationText(seconds = 0): string {
  const whole = Math.round(seconds);
  if (!(whole > 0 && whole < 1e9)) return '';
  const two = (number: number) => String(number).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

const SIZE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const;

/** A size in bytes in the largest unit that it fills, such as "1.5 MB"; empty for what is no size. */
export function formatFileSize(bytes: number | undefined, language: string): string {
  if (bytes === undefined || !(bytes >= 0)) return '';
  // By its digits, as it will be written: 999,960 bytes are 1 MB.
  let power = 0;
  while (power < SIZE_UNITS.length - 1 && Math.round((bytes / 1000 ** power) * 10) >= 10_000) power++;
  const unitDisplay = power === 0 ? 'long' : 'short';
  const options = { style: 'unit', unit: SIZE_UNITS[power] ?? 'byte', unitDisplay, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, options).format(bytes / 1000 ** power);
}
