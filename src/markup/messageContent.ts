/** Reads a message's content: its kind, its text with mentions, what its buttons open. Pure. */
import type { Button, Message } from '../service/message.ts';
import { showEmojiCodes } from './emojiCodes.ts';

type Content = Message['content'];

/**
 * Fields by content type. At least one must be present, unless none is listed. An unlisted type that is only a text
 * needs no more than a name, in `pages/common/kindName.ts` and `exportParts.ts`.
 */
const FIELDS = {
  text: [],
  markdown: [],
  html: [],
  image: [],
  file: [],
  tip: [],
  video: ['videoUrl', 'videoDuration', 'videoKey'],
  audio: ['audioUrl', 'audioDuration', 'audioKey'],
  expression: ['imageName', 'imageUrl', 'expressionId', 'stickerId', 'stickerPackId'],
  post: ['postTitle', 'postContent'],
  form: ['formJson'],
  a2ui: ['text'],
} as const satisfies Record<string, readonly (keyof Content)[]>;

type KnownType = keyof typeof FIELDS;

/**
 * The content type of a message whose fields are known, or `other` if it has at least a text. Undefined for any other
 * message, which is shown as raw JSON.
 */
export function knownType({ contentType, content }: Message): KnownType | 'other' | undefined {
  const isPresent = (field: keyof Content) => String(content[field] ?? '') !== '';
  if (Object.hasOwn(FIELDS, contentType)) {
    const type = contentType as KnownType;
    const fields: readonly (keyof Content)[] = FIELDS[type];
    if (fields.length === 0 || fields.some(isPresent)) return type;
  }
  return content.text?.trim() ? 'other' : undefined;
}

/** A mention, up to the zero-width space that ends it (observed). The `@` of a mail address begins none. */
const MENTION = /(?!(?<=[\w.+-])@[\w-]+\.\w)(@[^\s@\u200B][^@\n\u200B]{0,199})\u200B/gu;
/** An emoji code, known or not, which a zero-width space ends, too. */
const MARKED_CODE = /(\[\.[^\s[\]\u200B]{1,20}\])\u200B/gu;

/** The plain text of a message as apps show it: see {@link readableText}. */
export const displayText = ({ text = '' }: Content) => readableText(text);

/** The text with emoji instead of their codes, and without the zero-width spaces that end codes and mentions. */
export const readableText = (text: string) => hideMarks(showEmojiCodes(text));

/** The title and text of a post, which may come as the text of any message does. */
export function postOf({ postTitle: title = '', postContent = '', postContentType, text = '' }: Content) {
  return { title, text: postContent || text, isMarkdown: postContentType === 2 };
}

/** How a switch of a form is shown everywhere. No words, which copies and the index of the archive would have in one language. */
const SWITCH = { on: '☑', off: '☐' };

/** The fields of the form that any message may have, with what is shown of their texts; of a switch, whether it `isOn`. */
export const formFields = ({ formJson = [] }: Content) =>
  formJson.map(({ type, ...field }) => {
    const isOn = type === 'switch' ? field.value === 'true' : undefined;
    const value = isOn === undefined ? readableText(field.value) : isOn ? SWITCH.on : SWITCH.off;
    return { label: readableText(field.label), value, isOn };
  });

/** The source of a Markdown or HTML message, without the zero-width spaces that end emoji codes and mentions. */
export const markdownSource = ({ text = '' }: Content) => hideMarks(text);

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

/** The address that a button opens. Some senders put it into `value`. */
export const buttonAddress = ({ url, value }: Button) => url || value;
