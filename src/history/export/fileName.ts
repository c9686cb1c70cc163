/** A name for a file, made of what a chat is called. */

/** So many characters of four bytes leave room for a date and an ending within the 255 bytes of most file systems. */
const MAX_LENGTH = 55;

/** What Windows keeps for devices, whatever ending follows. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** The name with the local date of `at`; `otherwise` where nothing of the name can stand in a file name. */
export function exportFileName(name: string, otherwise: string, at: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${safe(name) || safe(otherwise) || 'chat'} ${date}`;
}

function safe(name: string): string {
  const allowed = name.replace(/[\\/:*?"<>|\p{Cc}\p{Cf}\p{Surrogate}\s]+/gu, ' ').trim();
  const short = [...allowed.replace(/^[.\s]+/, '')].slice(0, MAX_LENGTH).join('');
  return short.replace(/[.\s]+$/, '').replace(RESERVED, '$&_');
}
