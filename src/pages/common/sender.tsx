/** A sender's name and avatar. */
import type { Message } from '../../service/message.ts';

export const senderName = ({ senderNickname, senderId }: Message) => senderNickname || senderId;

export function Avatar({ id, name }: { id: string; name: string }) {
  return (
    <span class={`avatar hue-${hueOf(id)}`} aria-hidden="true">
      {[...name.trim()][0]?.toUpperCase() ?? '?'}
    </span>
  );
}

/** One of eight colors, the same for a sender everywhere. */
function hueOf(senderId: string): number {
  let hash = 0;
  for (const character of senderId) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x9e3779b1);
  return hash >>> 29;
}
