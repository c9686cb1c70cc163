/** Mentions within a text: `@name` and a character that nobody sees, which ends the name (observed). Pure. */
import type { Message } from '../service/message.ts';

const MENTION = /(@[^@\n\u200B]{1,100})\u200B/gu;

type Content = Message['content'];

/** The text as it is meant to be seen: without the ends of as many mentions as the message says that it has. */
export function shownText({ text = '', at = [] }: Content): string {
  return withoutEnds(text, at.length);
}

/** A text without the ends of so many mentions. */
export function withoutEnds(text: string, mentions: number): string {
  let left = mentions;
  return left === 0 ? text : text.replace(MENTION, (found, name: string) => (left-- > 0 ? name : found));
}

/** Whether the text itself names everybody whom the message mentions. */
export function hasAllMentions({ text = '', at = [] }: Content): boolean {
  return at.length === 0 || (text.match(MENTION)?.length ?? 0) >= at.length;
}
