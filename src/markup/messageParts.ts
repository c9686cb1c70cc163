/** What every written form of a message tells of it. */
import type { Button, Message } from '../service/message.ts';
import type { ExportLabels } from './exportLabels.ts';
import { formatFileSize, mediaOf } from './media.ts';
import { buttonAddress, knownKind } from './messageContent.ts';

/** A time (Unix ms) as ISO 8601 in UTC; undefined where none is known, its number where no calendar holds it. */
export function isoTime(time: number | undefined): string | undefined {
  if (time === undefined) return undefined;
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? String(time) : date.toISOString();
}

/** Name and kind of the sender, and when they sent it. */
export function headerOf(message: Message, words: ExportLabels): { sender: string; time: string; details: string } {
  const { senderId, senderType, senderNickname, sendTime } = message;
  const kind = senderType === 'bot' ? words.bot : senderType === 'user' ? '' : senderType;
  return {
    sender: senderNickname.trim() || senderId || '?',
    time: isoTime(sendTime) ?? words.unknownTime,
    details: [senderId, kind].filter(Boolean).join(' · '),
  };
}

/** What a click on a button does. */
export function effectOf(button: Button, words: ExportLabels): string {
  switch (button.actionType) {
    case 1:
      return words.opens(buttonAddress(button));
    case 2:
      return words.copies(button.value);
    case 3:
      return words.reports(button.value);
    default: {
      const effect = words.unknownAction(button.actionType ?? '?');
      return [effect, button.url, button.value].filter(Boolean).join(' · ');
    }
  }
}

/** What a message is, where its content does not say so by itself. `now` is Unix ms. */
export function captionOf(message: Message, words: ExportLabels, now: number): string {
  const { duration = '', isExpired = false } = mediaOf(message, now) ?? {};
  const size = formatFileSize(message.content.fileSize, words.language);
  return [kindWords(message, words), duration, size, isExpired && words.expired].filter(Boolean).join(' · ');
}

function kindWords(message: Message, words: ExportLabels): string {
  const kind = knownKind(message);
  switch (kind) {
    case 'text':
    case 'markdown':
    case 'tip':
      return '';
    case 'image':
    case 'file':
    case 'video':
    case 'audio':
    case 'expression':
    case 'post':
    case 'form':
      return words[kind];
    case 'html':
      return words.htmlSource;
    default:
      return words.otherKind(message.contentType);
  }
}
