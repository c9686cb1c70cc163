import type { Button, Content, Field, Picture, Sticker } from '../resources.ts';

/** Who says a turn: the bot of the chat, or a member by number, each number another one within a scene. */
type From = 'bot' | 0 | 1 | 2;

/** One message of a scene. Its texts may hold places to fill in: see `fillIn`. */
export type Turn = Content & {
  readonly from: From;
  /** The turn of the same scene that is replied to, counted from 0. */
  readonly to?: number;
  /** Name and number of the bot's command that this turn is. */
  readonly command?: readonly [name: string, id: number];
};

/** A short conversation, oldest turn first. */
export type Scene = readonly Turn[];

type About = Pick<Turn, 'to' | 'command'>;
type Rows = { readonly buttons?: readonly (readonly Button[])[] };

/** A turn of contentType text, contract 2.7. Whom it mentions (`at`) stands in it as `@name` and U+200B. */
export function text(
  from: From,
  words: string,
  more: About & Rows & { readonly tip?: string; readonly at?: readonly string[] } = {},
): Turn {
  const { buttons, tip, at, ...about } = more;
  return {
    from,
    contentType: 'text',
    content: { text: words, ...(tip && { tip }), ...(at && { at }), ...(buttons && { buttons }) },
    ...about,
  };
}

/** A turn of contentType markdown, given line by line. */
export function markdown(from: From, lines: readonly string[], { buttons, ...about }: About & Rows = {}): Turn {
  return { from, contentType: 'markdown', content: { text: lines.join('\n'), ...(buttons && { buttons }) }, ...about };
}

/** A turn of contentType html; see `choices` for the shape of its content. */
export function html(from: From, words: string): Turn {
  return { from, contentType: 'html', content: { text: words } };
}

/** What makes an address one that ends an hour after its message was sent. */
const SIGNED = '?sign={key}&t={expiry}';

/** A turn of contentType image, as lists hold it: with an address, with one that expires, or by its name alone. */
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

/** A turn of contentType video, whose address expires; `videoDuration` in seconds. */
export function video(from: From, name: string, videoDuration: number): Turn {
  const videoUrl = `{web}/videos/${name}${SIGNED}`;
  return { from, contentType: 'video', content: { videoUrl, videoDuration, etag: '{key}' } };
}

/** A turn of contentType audio, by its name alone; `audioDuration` in seconds. */
export function audio(from: From, audioUrl: string, audioDuration: number): Turn {
  return { from, contentType: 'audio', content: { audioUrl, audioDuration } };
}

/** A turn of contentType expression. */
export function sticker(from: From, content: Sticker): Turn {
  return { from, contentType: 'expression', content };
}

/** A turn of contentType post, in Markdown, given line by line. */
export function post(from: From, postTitle: string, lines: readonly string[]): Turn {
  const content = { postId: '{n}{m}', postTitle, postContent: lines.join('\n'), postContentType: 2 } as const;
  return { from, contentType: 'post', content };
}

/** A turn of contentType form. */
export function form(from: From, formJson: Readonly<Record<string, Field>>): Turn {
  return { from, contentType: 'form', content: { formJson } };
}

/** A turn of contentType tip: a line of the system, about what somebody did. */
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

/** A button whose value is reported to the subscribing end. */
export function report(label: string, value: string): Button {
  return { text: label, actionType: 3, value };
}
