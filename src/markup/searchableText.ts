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

/** Everything that is shown of a message: texts, file names, addresses, buttons, quotation. One per line. */
function bodyText({ content, commandName }: Message): string {
  const { name, text, media = [] } = quotationOf(content) ?? {};
  const quotation = [name, text && excerpt(text, MAX_QUOTATION), ...media.map((one) => one.name)];
  const buttons = content.buttons?.flat().map((button) => button.text) ?? [];
  const files = [content.fileName, content.fileUrl, content.imageName, content.imageKey, content.imageUrl];
  const others = [content.videoUrl, content.audioUrl, content.postTitle, content.postContent];
  const fields = content.formJson?.flatMap(({ label, value }) => [label, value]) ?? [];
  const parts = [displayText(content), content.tip, ...files, ...others, ...fields, ...buttons, commandName];
  return [...parts, ...quotation].filter(Boolean).join('\n');
}

/** {@link bodyText} on one line, for an excerpt: without the marks of Markdown and HTML that only matter to its layout. */
export function bodyLine(message: Message): string {
  // Single spaces keep the patterns below linear, whatever the message contains.
  const text = bodyText(message).replace(/[^\S\n]+/g, ' ');
  return withoutMarks(text, message.contentType)
    .trim()
    .replace(/ ?\n[ \n]*/g, ' · ');
}

function withoutMarks(text: string, contentType: string): string {
  if (contentType === 'html') return text.replace(/<[^<>]*>/g, ' ').replace(/ +/g, ' ');
  if (contentType !== 'markdown') return text;
  return text
    .replace(/^ ?(?:#{1,6}|>|[-*+]) /gm, '')
    .replace(/^ ?[|:-][ |:-]*$/gm, '')
    .replace(/^ ?\| ?| ?\| ?$/gm, '')
    .replace(/ ?\| ?/g, ' · ')
    .replace(/\*\*|~~|`+/g, '');
}
