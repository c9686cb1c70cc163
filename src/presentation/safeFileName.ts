import { truncate } from '../service/truncate.ts';

/** In code points of up to 4 bytes: leaves room for dates and an extension in the 255 bytes of most file systems. */
const MAX_LENGTH = 50;

/** Names that Windows reserves for devices, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** A name without what is special to a file system or a terminal; empty if nothing is left. */
export function safeFileName(name: string): string {
  const allowed = name.replace(/[\\/:*?"<>|\p{Cc}\p{Cf}\p{Surrogate}\s]+/gu, ' ').trim();
  const usable = allowed.replace(/^[.\s]+/, '');
  const short = truncate(usable, [...usable].slice(0, MAX_LENGTH).join('').length);
  return short.replace(/(?<![.\s])[.\s]+$/, '').replace(RESERVED, '$&_');
}
