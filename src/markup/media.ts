/** The media of a message: name, address, expiry, duration, size. Pure. */
import { parseWebAddress } from './links.ts';

/** An image, file, video, audio or sticker. A missing string is empty. */
export interface Media {
  readonly name: string;
  /** A bare file name that was sent as the address. */
  readonly localName: string;
  /** An http or https address. */
  readonly address: string;
  /** Whether the address has expired. */
  readonly isExpired: boolean;
  /** The duration, as `m:ss` or `h:mm:ss`. */
  readonly duration: string;
  /** The key by which the service knows the media, also without an address. */
  readonly key: string;
  /** Its keys and other IDs, as pages show them. */
  readonly ids: readonly string[];
  /** Whether pages can show the media as a picture. */
  readonly isImage: boolean;
}

/**
 * The fields of a content that are about media. `name` and `location` may be the same bare name or address. An ID of 0
 * means none.
 */
export interface MediaFields {
  readonly name: string | undefined;
  readonly location: string | undefined;
  readonly key?: string | undefined;
  readonly ids?: readonly (string | undefined)[];
  readonly seconds?: number | undefined;
  readonly isImage?: boolean;
}

/** The media of a content. `now` is Unix ms. */
export function readMedia(fields: MediaFields, now: number): Media {
  const { name = '', location = '', key = '', ids = [], seconds, isImage = false } = fields;
  const address = parseWebAddress(location) ?? '';
  const isExpired = hasExpired(address, now);
  const ownName = address && name === location ? '' : name;
  return {
    name: ownName || (isExpired ? fileNameIn(address) : ''),
    localName: address || location === name ? '' : location,
    address,
    isExpired,
    duration: durationText(seconds),
    key,
    ids: [key, ...ids].flatMap((id) => (id && id !== '0' ? [id] : [])),
    isImage,
  };
}

/**
 * How media is named in texts: its name, and its location, which is a web address, a bare name or a key. Each is empty if
 * missing; an expired address counts as missing.
 */
export function mediaReference(media: Media): { name: string; location: string } {
  const { name, localName, address, isExpired, key, ids, isImage } = media;
  const keyBesideName = !isImage && name ? key : '';
  return { name: name || ids[0] || '', location: isExpired ? '' : address || localName || keyBesideName };
}

/**
 * Whether a signed address has expired: `t` in its query is the expiry in Unix seconds, as eight hexadecimal digits
 * (observed). A time before 2004 isn't an expiry. `now` is Unix ms, by the computer's clock. Addresses in texts
 * are left alone.
 */
export function hasExpired(address: string, now: number): boolean {
  const time = (address && new URL(address).searchParams.get('t')) || '';
  return /^[4-9a-f][0-9a-f]{7}$/i.test(time) && Number.parseInt(time, 16) * 1000 <= now;
}

/** The last segment of an address's path; empty if it has none. */
export function fileNameIn(address: string): string {
  const name =
    address
      .replace(/[?#].*/s, '')
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

/** A size in bytes in the largest unit that fits, such as "1.5 MB"; empty if it isn't a valid size. */
export function formatFileSize(bytes: number | undefined, language: string): string {
  if (bytes === undefined || !(bytes >= 0)) return '';
  // The rounded value is compared: 999,960 bytes are 1 MB.
  let power = 0;
  while (power < SIZE_UNITS.length - 1 && Math.round((bytes / 1000 ** power) * 10) >= 10_000) power++;
  const unitDisplay = power === 0 ? 'long' : 'short';
  const options = { style: 'unit', unit: SIZE_UNITS[power] ?? 'byte', unitDisplay, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, options).format(bytes / 1000 ** power);
}
