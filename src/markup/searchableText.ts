/** The text in which a search finds a message. Pure. */
import type { Message } from '../service/message.ts';
import { excerpt } from './escapeInvisible.ts';
import { displayText } from './messageContent.ts';
import { MAX_QUOTATION, quotationOf } from './quotation.ts';

/** Everything that is shown of a message and its sender, with the sender's ID. */
export function searchableText(message: Message): string {
  const { senderNickname, senderId } = message;
  return [bodyText(message), senderNickname, senderId].filter(Boolean).join('\n');
}

/** Everything that is shown of a message: quotation, texts, file names, addresses, buttons. One per line. */
export function bodyText({ content, commandName }: Message): string {
  const { name, text, media = [] } = quotationOf(content) ?? {};
  const quotation = [name, text && excerpt(text, MAX_QUOTATION), ...media.map((one) => one.name)];
  const buttons = content.buttons?.flat().map((button) => button.text) ?? [];
  const files = [content.fileName, content.fileUrl, content.imageName, content.imageKey, content.imageUrl];
  const others = [content.videoUrl, content.audioUrl, content.postTitle, content.postContent];
  const fields = content.formJson?.flatMap(({ label, value }) => [label, value]) ?? [];
  const parts = [displayText(content), content.tip, ...files, ...others, ...fields, ...buttons, commandName];
  return [...quotation, ...parts].filter(Boolean).join('\n');
}
