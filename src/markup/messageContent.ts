/** The content of a message: its type, the parts that everything shows, and whom it mentions. Pure. */
import type { Button, Message } from '../service/message.ts';
import { showEmojiCodes } from './emojiCodes.ts';
import { cardText } from './interactiveCard.ts';
import { type Media, type MediaFields, readMedia } from './media.ts';

type Content = Message['content'];

/** A text: `plain` as apps show it, `markdown` without the marks that end mentions, `html` and other `source` as they came. */
export interface TextPart {
  readonly kind: 'plain' | 'markdown' | 'html' | 'source';
  readonly text: string;
}

/** A part of what is shown. A new kind doesn't compile until pages, plain text, Markdown and HTML show it. */
export type Part =
  | TextPart
  /** A text that needs to say of what content type it is. Without a title, that is empty. */
  | { readonly kind: 'card'; readonly title: string; readonly body: TextPart }
  /** Media with the text that came with it. JSON, as received, where neither says anything. */
  | { readonly kind: 'media'; readonly media: Media; readonly text: string }
  | { readonly kind: 'fields'; readonly fields: readonly FormField[] }
  /** The content as received. */
  | { readonly kind: 'json' };

interface ContentType {
  /** At least one of these fields must be present, unless none is listed. */
  readonly needs: readonly (keyof Content)[];
  /** `now` is Unix ms. */
  readonly parts: (content: Content, now: number) => readonly Part[];
  readonly media?: (content: Content) => MediaFields;
}

/** The plain text of a message as apps show it: see {@link readableText}. */
export const displayText = ({ text = '' }: Content) => readableText(text);

/** The text with emoji instead of their codes, and without the zero-width spaces that end codes and mentions. */
export const readableText = (text: string) => hideMarks(showEmojiCodes(text));

const plain = (text = ''): TextPart => ({ kind: 'plain', text: readableText(text) });
const markdown = (text = ''): TextPart => ({ kind: 'markdown', text: hideMarks(text) });
const card = (body: TextPart, title = ''): Part => ({ kind: 'card', title: readableText(title), body });

const mediaType = (needs: ContentType['needs'], media: (content: Content) => MediaFields): ContentType => ({
  needs,
  media,
  parts: (content, now) => [{ kind: 'media', media: readMedia(media(content), now), text: displayText(content) }],
});

const timedType = (type: 'video' | 'audio') =>
  mediaType([`${type}Url`, `${type}Duration`, `${type}Key`], ({ fileName, ...content }) => ({
    name: fileName || content[`${type}Url`],
    location: content[`${type}Url`],
    key: content[`${type}Key`],
    seconds: content[`${type}Duration`],
  }));

const PLAIN: ContentType = { needs: [], parts: ({ text }) => [plain(text)] };
const OTHER: ContentType = { needs: [], parts: ({ text }) => [card(plain(text))] };

/** The content types that are more than a text. Types that are only a text need no more than a name, in {@link NamedType}. */
const CONTENT_TYPES = {
  text: PLAIN,
  tip: PLAIN,
  markdown: { needs: [], parts: ({ text }) => [markdown(text)] },
  html: { needs: [], parts: ({ text = '' }) => [{ kind: 'html', text }] },
  image: mediaType([], (content) => ({
    name: content.imageName,
    location: content.imageUrl,
    key: content.imageKey,
    isImage: true,
  })),
  file: mediaType([], ({ fileName, fileUrl, fileKey }) => ({ name: fileName, location: fileUrl, key: fileKey })),
  video: timedType('video'),
  audio: timedType('audio'),
  expression: mediaType(['imageName', 'imageUrl', 'expressionId', 'stickerId', 'stickerPackId'], (content) => ({
    name: content.imageName,
    location: content.imageUrl,
    ids: [content.expressionId, content.stickerId, content.stickerPackId],
  })),
  // The text of a post may come as that of any message does.
  post: {
    needs: ['postTitle', 'postContent'],
    parts: ({ postTitle, postContent, postContentType, text }) => {
      const body = postContent || text;
      return [card(postContentType === 2 ? markdown(body) : plain(body), postTitle)];
    },
  },
  // Any message may have the fields of a form: see below.
  form: { needs: ['formJson'], parts: ({ text }) => (text ? [plain(text)] : []) },
  a2ui: {
    needs: ['text'],
    parts: ({ text = '' }) => {
      const shown = cardText(text);
      return [card(shown === undefined ? { kind: 'source', text } : plain(shown))];
    },
  },
} satisfies Record<string, ContentType>;

type ListedType = keyof typeof CONTENT_TYPES;

/** Of content types that aren't listed, the archive has only a text or JSON. */
export const LISTED_TYPES: readonly string[] = Object.keys(CONTENT_TYPES);

/** The content types with a translated name. */
export type NamedType = ListedType | 'audioCall' | 'videoCall' | 'liveAudio';

/** The names of the content types, translated by `l10n`. */
export const typeNames = (l10n: { t(text: string): string }): Record<NamedType, string> => ({
  text: l10n.t('Text'),
  markdown: 'Markdown',
  html: 'HTML',
  tip: l10n.t('System message'),
  image: l10n.t('Image'),
  file: l10n.t('File'),
  video: l10n.t('Video'),
  audio: l10n.t('Audio'),
  expression: l10n.t('Sticker'),
  post: l10n.t('Post'),
  form: l10n.t('Form'),
  a2ui: l10n.t('Interactive card'),
  audioCall: l10n.t('Voice call'),
  videoCall: l10n.t('Video call'),
  liveAudio: l10n.t('Live audio'),
});

const typeOf = ({ contentType }: Message): ContentType | undefined =>
  Object.hasOwn(CONTENT_TYPES, contentType) ? CONTENT_TYPES[contentType as ListedType] : undefined;

/**
 * The content type of a message whose fields are known, or `other` if it has at least a text. Undefined for any other
 * message, which is shown as raw JSON.
 */
export function knownType(message: Message): ListedType | 'other' | undefined {
  const { contentType, content } = message;
  const needs = typeOf(message)?.needs;
  const isPresent = (field: keyof Content) => String(content[field] ?? '') !== '';
  if (needs && (needs.length === 0 || needs.some(isPresent))) return contentType as ListedType;
  return content.text?.trim() ? 'other' : undefined;
}

/** Everything that is shown of a content, but buttons, mentions, notes and quotations. `now` is Unix ms. */
export function partsOf(message: Message, now: number): readonly Part[] {
  const { content } = message;
  const type = knownType(message);
  if (type === undefined) return [{ kind: 'json' }];
  const row: ContentType = type === 'other' ? OTHER : CONTENT_TYPES[type];
  const parts = row.parts(content, now);
  const fields = formFields(content);
  return fields.length > 0 ? [...parts, { kind: 'fields', fields }] : parts;
}

/** The media of a message; undefined for other content types. `now` is Unix ms. */
export function mediaOf(message: Message, now: number): Media | undefined {
  const fields = typeOf(message)?.media?.(message.content);
  return fields && readMedia(fields, now);
}

/** The signs for a switch of a form. Words would be in one language in copies and in the index of the archive. */
const SWITCH = { on: '☑', off: '☐' };

type FormField = ReturnType<typeof formFields>[number];

/** The fields of the form that any message may have, with what is shown of their texts; of a switch, whether it `isOn`. */
const formFields = ({ formJson = [] }: Content) =>
  formJson.map(({ type, ...field }) => {
    const isOn = type === 'switch' ? field.value === 'true' : undefined;
    const value = isOn === undefined ? readableText(field.value) : isOn ? SWITCH.on : SWITCH.off;
    return { label: readableText(field.label), value, isOn };
  });

/** The address that a button opens. Some senders put it into `value`. */
export const buttonAddress = ({ url, value }: Button) => url || value;

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

/** The mentions of a message whose text doesn't name them, for where nothing is translated. */
export const mentionsText = (content: Content) =>
  unnamedMentions(content)
    .map((id) => `@${id}`)
    .join(' ');
