/** Mentions in a message, and the zero-width spaces that end them and emoji codes. Pure. */
import type { Message } from '../service/message.ts';

type Content = Message['content'];

/** A mention, up to the zero-width space that ends it (observed). The `@` of a mail address begins none. */
const MENTION = /(?!(?<=[\w.+-])@[\w-]+\.\w)(@[^\s@\u200B][^@\n\u200B]{0,199})\u200B/gu;
/** An emoji code, known or not, which a zero-width space ends, too. */
const MARKED_CODE = /(\[\.[^\s[\]\u200B]{1,20}\])\u200B/gu;

/** A text without the zero-width spaces that end emoji codes and mentions. */
export function hideMarks(text: string): string {
  return text.includes('\u200B') ? text.replace(MARKED_CODE, '$1').replace(MENTION, '$1') : text;
}

/** A mention of all members has no zero-width space (observed). */
const EVERYONE = /@全体成员(?![^\s\u200B])/;

/**
 * Whom a message mentions, if its text doesn't have as many mentions as they are; otherwise nobody. `at` may list a person
 * once, or each time.
 */
export function unnamedMentions({ text = '', at = [] }: Content): string[] {
  const ids = new Set(at);
  if (EVERYONE.test(text)) ids.delete('all');
  const isNamed = (text.replace(MARKED_CODE, '$1').match(MENTION)?.length ?? 0) >= ids.size;
  return isNamed ? [] : [...new Set(at)];
}

/** Those of a message whose text doesn't name them, for where nothing is translated. */
export const mentionsText = (content: Content) =>
  unnamedMentions(content)
    .map((id) => `@${id}`)
    .join(' ');
