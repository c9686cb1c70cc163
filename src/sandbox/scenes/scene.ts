import type { Button, Content, Field, Picture, Sticker } from '../resources.ts';

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
