/** A sender's name and avatar. */
import { useState } from 'preact/hooks';
import type { Message } from '../../service/message.ts';
import { truncate } from '../../service/truncate.ts';

export const senderName = ({ senderNickname, senderId }: Message) => senderNickname || senderId;

/** The image at a `data:` URI, or else the initial of the name in a color of the ID. */
export function Avatar({ id, name, uri }: { id: string; name: string; uri?: string | undefined }) {
  const [broken, setBroken] = useState<string>();
  const isShown = uri !== undefined && uri !== broken;
  return (
    <span class={isShown ? 'avatar' : `avatar hue-${hueOf(id)}`} aria-hidden="true">
      {isShown ? <img src={uri} alt="" onError={() => setBroken(uri)} /> : initialOf(name)}
    </span>
  );
}

const graphemes = new Intl.Segmenter();
/** How much of a name is searched for its initial (UTF-16 units). */
const MAX_SEARCHED = 100;

/** The first letter, digit or emoji of a name. */
function initialOf(name: string): string {
  for (const { segment } of graphemes.segment(truncate(name, MAX_SEARCHED))) {
    if (/[\p{L}\p{N}\p{RI}\p{Extended_Pictographic}]/u.test(segment)) return segment.toUpperCase();
  }
  return '?';
}

/** One of eight colors, the same for a sender everywhere. */
function hueOf(senderId: string): number {
  let hash = 0;
  for (const character of senderId) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x9e3779b1);
  return hash >>> 29;
}
