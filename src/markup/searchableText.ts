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

/** {@link bodyText} on one line, for an excerpt: without the marks of Markdown that only matter to its layout. */
export function bodyLine(message: Message): string {
  // Single spaces keep the patterns below linear, whatever the message contains.
  const text = bodyText(message).replace(/[^\S\n]+/g, ' ');
  return (message.contentType === 'markdown' ? withoutMarks(text) : text).trim().replace(/ ?\n[ \n]*/g, ' · ');
}

/** Removes the marks of headings, quotations, tables, emphasis and code. */
const withoutMarks = (markdown: string) =>
  markdown
    .replace(/^ ?(?:#{1,6}|>) /gm, '')
    .replace(/^ ?[|:-][ |:-]*$/gm, '')
    .replace(/^ ?\| ?| ?\| ?$/gm, '')
    .replace(/ ?\| ?/g, ' · ')
    .replace(/\*\*|~~|`+/g, '');
