import type { Button, Content, Field, Picture, Sticker } from '../resources.ts';
import { between, mix } from '../seeded.ts';

/** The sender of a turn: the bot of the chat, or a numbered member of the scene. */
type From = 'bot' | 0 | 1 | 2;

/** One message of a scene. Its texts may contain placeholders: see `fillIn`. */
export type Turn = Content & {
  readonly from: From;
  /** The index of the turn in the scene that this one replies to. */
  readonly to?: number;
  /** Name and ID of the bot command that this turn invokes. */
  readonly command?: readonly [name: string, id: number];
};

/** A short conversation, oldest turn first. */
export type Scene = readonly Turn[];

type Relations = Pick<Turn, 'to' | 'command'>;
type Rows = { readonly buttons?: readonly (readonly Button[])[] };

/** A turn of contentType text, contract 2.7. Mentions (`at`) appear in it as `@name` and U+200B. */
export function text(
  from: From,
  words: string,
  more: Relations & Rows & { readonly tip?: string; readonly at?: readonly string[] } = {},
): Turn {
  const { buttons, tip, at, ...relations } = more;
  return {
    from,
    contentType: 'text',
    content: { text: words, ...(tip && { tip }), ...(at && { at }), ...(buttons && { buttons }) },
    ...relations,
  };
}

/** A turn of contentType markdown, by lines. */
export function markdown(from: From, lines: readonly string[], { buttons, ...relations }: Relations & Rows = {}): Turn {
  return {
    from,
    contentType: 'markdown',
    content: { text: lines.join('\n'), ...(buttons && { buttons }) },
    ...relations,
  };
}

/** A turn of contentType html. See `choices` for its content. */
export function html(from: From, words: string): Turn {
  return { from, contentType: 'html', content: { text: words } };
}

/** The query of a URL that expires an hour after its message was sent. */
const SIGNED = '?sign={key}&t={expiry}';

/** A turn of contentType image, as listed: with a URL, a URL that expires, or only a name. */
export function image(from: From, imageName: string, by: 'address' | 'signed' | 'name' = 'address'): Turn {
  const picture: Picture = { imageName, etag: '{key}', imageWidth: 1280, imageHeight: 960 };
  const imageUrl = `{web}/pictures/${imageName}${by === 'signed' ? SIGNED : ''}`;
  return { from, contentType: 'image', content: by === 'name' ? picture : { imageUrl, ...picture } };
}

/** A turn of contentType file. */
export function file(from: From, fileName: string): Turn {
  const fileUrl = `{web}/files/${fileName}`;
  return { from, contentType: 'file', content: { fileName, fileUrl, etag: '{key}', fileSize: 48_128 } };
}

/** A turn of contentType video, with only a name. `videoDuration` in seconds. */
export function video(from: From, videoUrl: string, videoDuration: number): Turn {
  return { from, contentType: 'video', content: { videoUrl, videoDuration, etag: '{key}' } };
}

/** A turn of contentType audio, with only a name. `audioDuration` in seconds. */
export function audio(from: From, audioUrl: string, audioDuration: number): Turn {
  return { from, contentType: 'audio', content: { audioUrl, audioDuration } };
}

/** A turn of contentType expression. */
export function sticker(from: From, content: Sticker): Turn {
  return { from, contentType: 'expression', content };
}

/** A turn of contentType post in Markdown, by lines. */
export function post(from: From, postTitle: string, lines: readonly string[]): Turn {
  const content = { postId: '{n}{m}', postTitle, postContent: lines.join('\n'), postContentType: 2 } as const;
  return { from, contentType: 'post', content };
}

/** A turn of contentType form. */
export function form(from: From, fields: readonly Field[]): Turn {
  const formJson = Object.fromEntries(fields.map((field) => [field.id, field]));
  return { from, contentType: 'form', content: { formJson } };
}

/** A turn of contentType tip: a system message about an event. */
export function tip(from: From, words: string): Turn {
  return { from, contentType: 'tip', content: { text: words } };
}

/** A button that opens a URL, contract 2.8. */
export function open(label: string, page: string): Button {
  return { text: label, actionType: 1, url: `{web}/pages/${page}` };
}

/** A button that copies a value. */
export function copy(label: string, value: string): Button {
  return { text: label, actionType: 2, value };
}

/** A button that reports a value to the bot. */
export function report(label: string, value: string): Button {
  return { text: label, actionType: 3, value };
}

/** The source of placeholder values in a scene. Except for times, they are the same in all of its turns. */
interface Placeholders {
  /** Unique for the scene. */
  readonly seed: number;
  /** The base URL of links. */
  readonly web: string;
  /** The people of the scene, by index. */
  readonly people: readonly { readonly userId: string; readonly nickname: string }[];
  /** Send time of the message in Unix milliseconds. */
  readonly sendTime: number;
}

const values: Readonly<Record<string, (source: Placeholders) => string | undefined>> = {
  web: ({ web }) => web,
  a: ({ people }) => people[0]?.nickname,
  b: ({ people }) => people[1]?.nickname,
  c: ({ people }) => people[2]?.nickname,
  cId: ({ people }) => people[2]?.userId,
  n: ({ seed }) => String(between(mix(seed, 1), 20, 48)),
  m: ({ seed }) => String(between(mix(seed, 2), 3, 19)),
  order: ({ seed }) => `FK-${between(mix(seed, 3), 10_000, 99_999)}`,
  price: ({ seed }) => `${between(mix(seed, 4), 6, 64)}.${between(mix(seed, 5), 10, 95)}`,
  time: ({ seed }) => `${String(between(mix(seed, 6), 9, 20)).padStart(2, '0')}:${between(mix(seed, 7), 0, 5)}0`,
  version: ({ seed }) => `2.${between(mix(seed, 8), 1, 40)}.${between(mix(seed, 9), 0, 9)}`,
  /** The expiry of a signed URL: an hour after its message, in Unix seconds as hexadecimal digits (observed). */
  expiry: ({ sendTime }) => (Math.floor(sendTime / 1000) + 3600).toString(16),
  key: ({ seed }) => mix(seed, 10).toString(16).padStart(8, '0'),
};

/** A copy of a content with all known `{placeholders}` in its texts replaced. */
export function fillIn<T>(value: T, source: Placeholders): T {
  if (typeof value === 'string') {
    return (
      value.includes('{') ? value.replace(/\{(\w+)\}/g, (all, name) => values[name]?.(source) ?? all) : value
    ) as T;
  }
  if (Array.isArray(value)) return value.map((item) => fillIn(item, source)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillIn(item, source)])) as T;
}
