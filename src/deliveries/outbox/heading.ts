/** What a delivery is called in rows: the heading of its message, because many have the same document. */
import * as v from 'valibot';
import { escapeInvisible, excerpt } from '../../markup/escapeInvisible.ts';
import { writtenMessage } from '../../markup/markdownVariables.ts';
import { firstLineOf } from '../../markup/shownText.ts';
import { singleLineName } from '../../presentation/describe.ts';
import { Message } from '../../service/message.ts';
import type { Delivery } from './record.ts';

/** Computed once for each stored delivery: rows are painted often. */
const headings = new WeakMap<object, string>();

/** The first line that people see of a message, as it was written; the name of its document if it has no text. */
export function headingOf({ message, name, variables }: Pick<Delivery, 'message' | 'name' | 'variables'>): string {
  const known = headings.get(message);
  if (known !== undefined) return known;
  const { contentType, content } = variables ? writtenMessage(message, true) : message;
  const text = 'text' in content ? { text: content.text } : undefined;
  const line = text ? firstLineOf(v.parse(Message, { msgId: '0', contentType, content: text })) : '';
  const heading = line === '' || line === contentType ? singleLineName(name) : excerpt(line, 120, escapeInvisible);
  headings.set(message, heading);
  return heading;
}

/** How much of a heading a row shows, in letters of ordinary width. In a narrow row, more would hide the time. */
const MAX_COLUMNS = 20;

/** Letters and emoji that are about twice as wide as others. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303F\uFF01-\uFF60]/u;
const characters = new Intl.Segmenter();

/** The beginning of a heading that fits into a narrow row. */
export function shortHeading(delivery: Pick<Delivery, 'message' | 'name' | 'variables'>): string {
  const heading = headingOf(delivery);
  let columns = 0;
  for (const { segment, index } of characters.segment(heading)) {
    columns += WIDE.test(segment) ? 2 : 1;
    if (columns > MAX_COLUMNS) return `${heading.slice(0, index).trimEnd()}…`;
  }
  return heading;
}
