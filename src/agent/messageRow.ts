/** A message as a row of a result. Pure. */
import { buttonAddress, readableText, unnamedMentions } from '../markup/messageContent.ts';
import { quotationText } from '../markup/quotation.ts';
import { contentText } from '../markup/rendered/shownText.ts';
import type { Button, Listed } from '../service/message.ts';
import { firstOf, timeText } from './tool.ts';
import { inert, MAX_NAME, toRow } from './untrusted.ts';

/** How much is shown of the text of a message (UTF-16 units), and how many of its buttons. */
const MAX_TEXT = 400;
const MAX_BUTTONS = 10;
/** How many of those whom a message mentions without naming them. */
const MAX_MENTIONS = 20;

/** Time, sender, ID, text and buttons of a message (contract 2.6–2.8); of an unreadable one what was received. */
export function messageRow(entry: Listed): string {
  const text = inert(contentText(entry, 'copied'), MAX_TEXT);
  if (!entry.readable) return toRow({ unreadable: text });
  const { msgId, parentId, senderId, senderNickname, sendTime, contentType, content, commandName } = entry.message;
  const quotation = quotationText(content);
  const buttons = content.buttons?.flat() ?? [];
  const words = firstOf(buttons, MAX_BUTTONS, buttonText);
  const mentions = firstOf(unnamedMentions(content), MAX_MENTIONS, (id) => inert(id, MAX_NAME));
  return toRow({
    time: sendTime && timeText(sendTime),
    sender: inert(senderNickname, MAX_NAME),
    senderId,
    id: msgId,
    ...(parentId && { replyTo: parentId }),
    ...(quotation && { quotes: inert(quotation, MAX_NAME) }),
    ...(!['text', 'markdown'].includes(contentType) && { type: inert(contentType, MAX_NAME) }),
    ...(commandName && { command: inert(commandName, MAX_NAME) }),
    text,
    ...(mentions.length > 0 && { mentions }),
    ...(content.tip && { note: inert(readableText(content.tip), MAX_TEXT) }),
    ...(words.length > 0 && { buttons: words }),
  });
}

/** What a button does (contract 2.8), in words. */
function buttonText(button: Button): string {
  const { text, actionType, value } = button;
  const label = `“${inert(readableText(text), MAX_NAME)}”`;
  switch (actionType) {
    case 1:
      return `${label} opens ${inert(buttonAddress(button), MAX_NAME)}`;
    case 2:
      return `${label} copies “${inert(value, MAX_NAME)}”`;
    case 3:
      return `${label} reports “${inert(value, MAX_NAME)}”`;
    default:
      return `${label}, unknown action`;
  }
}
