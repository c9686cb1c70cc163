/** A message of a watched chat as the list keeps it. Loaded with the first message, because reading messages is large. */
import { knownType } from '../../markup/messageContent.ts';
import { onOneLine, shownParts } from '../../markup/rendered/shownText.ts';
import type { ActivityItem } from '../../platform/store.ts';
import type { BotChat } from '../../protocol/botChat.ts';
import type { Message } from '../../service/message.ts';
import { shorten, truncate } from '../../service/truncate.ts';
import type { AlertWords } from './activityRules.ts';

/** How much is kept of a message and of a name (UTF-16 units). */
const MAX_EXCERPT = 200;
const MAX_NAME = 100;
/** How much of a text is read (UTF-16 units): nothing may block the extension host. */
const MAX_READ = 100_000;

/** A message as it's kept. `now` (Unix ms) is when it was found, which stands for its time if it has none. */
export function activityItem(
  botChat: BotChat,
  message: Message,
  { isReply, words, now }: { isReply: boolean; words: AlertWords; now: number },
): ActivityItem {
  const { said, buttons } = saidIn(message);
  return {
    ...botChat,
    msgId: message.msgId,
    sendTime: message.sendTime ?? now,
    sender: shorten(message.senderNickname, MAX_NAME),
    senderId: message.senderId,
    text: shorten(onOneLine(said || buttons.join('\n')), MAX_EXCERPT),
    isReply,
    words: words.in([said, ...buttons].join('\n')),
  };
}

/** What its sender says, as apps show it. A message of an unknown type is only named. */
function saidIn(message: Message): Pick<ReturnType<typeof shownParts>, 'said' | 'buttons'> {
  const { text = '', postContent = '', ...others } = message.content;
  const content = { ...others, text: truncate(text, MAX_READ), postContent: truncate(postContent, MAX_READ) };
  const { said, buttons } = shownParts({ readable: true, message: { ...message, content }, raw: { content } });
  return { said: knownType(message) ? said : message.contentType, buttons };
}
