/** Reads a message's content: its kind, its text with mentions, what its buttons open. Pure. */
import type { Button, Message } from '../service/message.ts';

type Content = Message['content'];

/** Fields by content type. At least one must be present, unless none is listed. */
const FIELDS = {
  text: [],
  markdown: [],
  html: [],
  image: [],
  file: [],
  tip: [],
  video: ['videoUrl', 'videoDuration'],
  audio: ['audioUrl', 'audioDuration'],
  expression: ['imageName', 'imageUrl', 'expressionId', 'stickerId', 'stickerPackId'],
  post: ['postTitle', 'postContent'],
  form: ['formJson'],
} as const satisfies Record<string, readonly (keyof Content)[]>;

type KnownType = keyof typeof FIELDS;

/** The content type of a message whose fields are known; undefined for any other, which is shown as raw JSON. */
export function knownType({ contentType, content }: Message): KnownType | undefined {
  if (!Object.hasOwn(FIELDS, contentType)) return undefined;
  const type = contentType as KnownType;
  const fields: readonly (keyof Content)[] = FIELDS[type];
  const isPresent = (field: keyof Content) => String(content[field] ?? '') !== '';
  return fields.length === 0 || fields.some(isPresent) ? type : undefined;
}

/** A mention is `@name`, ended by a zero-width space (observed). */
const MENTION = /(@[^@\n\u200B]{1,100})\u200B/gu;

/** The text without the zero-width spaces that end its mentions, as many as `at` lists. */
export function displayText({ text = '', at = [] }: Content): string {
  return stripMentionMarks(text, at.length);
}

/** Removes the zero-width space behind the first `mentions` mentions. */
export function stripMentionMarks(text: string, mentions: number): string {
  let left = mentions;
  return left === 0 ? text : text.replace(MENTION, (found, name: string) => (left-- > 0 ? name : found));
}

/** Whether the text names everyone the message mentions. */
export function namesAllMentions({ text = '', at = [] }: Content): boolean {
  return at.length === 0 || (text.match(MENTION)?.length ?? 0) >= at.length;
}

/** The address that a button opens. Some senders put it into `value`. */
export const buttonAddress = ({ url, value }: Button) => url || value;
