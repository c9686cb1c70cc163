/** What a message brings beside words: what it's called, where it lies, how long it takes. Pure. */
import type { Message } from '../service/message.ts';
import { webAddress } from './links.ts';

/** An image, a file, a video, an audio or a sticker. Each text is empty where there is none. */
export interface Media {
  readonly name: string;
  /** What stood in place of an address and is none of the web: another name. */
  readonly bareName: string;
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
  const address = webAddress(place) ?? '';
  const isExpired = hasExpired(address, now);
  const ownName = address && name === place ? '' : name;
  return {
    name: ownName || (isExpired ? fileNameIn(address) : ''),
    bareName: address || place === name ? '' : place,
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
