/** The media of a message: name, address, expiry, duration, size. Pure. */
import type { Message } from '../service/message.ts';
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
  /** `m:ss` or `h:mm:ss`. */
  readonly duration: string;
  /** What the service knows it by, also without an address. */
  readonly key: string;
}

/** The media of a message; undefined for other content types. `now` is Unix ms. */
export function mediaOf({ contentType, content }: Message, now: number): Media | undefined {
  switch (contentType) {
    case 'image':
      return media(content.imageName, content.imageUrl, now, { key: content.imageKey });
    case 'expression':
      return media(content.imageName, content.imageUrl, now);
    case 'file':
      return media(content.fileName, content.fileUrl, now, { key: content.fileKey });
    case 'video': {
      const { videoUrl, videoDuration, videoKey } = content;
      return media(content.fileName || videoUrl, videoUrl, now, { key: videoKey, seconds: videoDuration });
    }
    case 'audio': {
      const { audioUrl, audioDuration, audioKey } = content;
      return media(content.fileName || audioUrl, audioUrl, now, { key: audioKey, seconds: audioDuration });
    }
    default:
      return undefined;
  }
}

/** The keys and IDs of the media of a message, as pages show them. An ID of 0 means none. */
export function mediaIds({ contentType, content }: Message): string[] {
  const { imageKey, fileKey, videoKey, audioKey, expressionId, stickerId, stickerPackId } = content;
  const ids: Record<string, readonly (string | undefined)[]> = {
    image: [imageKey],
    file: [fileKey],
    video: [videoKey],
    audio: [audioKey],
    expression: [expressionId, stickerId, stickerPackId],
  };
  return (ids[contentType] ?? []).flatMap((id) => (id && id !== '0' ? [id] : []));
}

/** `name` and `location` may be the same bare name or address. */
function media(
  name = '',
  location = '',
  now: number,
  { key = '', seconds }: { key?: string | undefined; seconds?: number | undefined } = {},
): Media {
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
  };
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
  // Compare the rounded value: 999,960 bytes are 1 MB.
  let power = 0;
  while (power < SIZE_UNITS.length - 1 && Math.round((bytes / 1000 ** power) * 10) >= 10_000) power++;
  const unitDisplay = power === 0 ? 'long' : 'short';
  const options = { style: 'unit', unit: SIZE_UNITS[power] ?? 'byte', unitDisplay, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, options).format(bytes / 1000 ** power);
}
