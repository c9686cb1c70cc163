import type { Button, Content } from '../resources.ts';

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

/** A turn of contentType text, contract 2.7. */
export function text(from: From, words: string, more: About & Rows & { readonly tip?: string } = {}): Turn {
  const { buttons, tip, ...about } = more;
  return {
    from,
    contentType: 'text',
    content: { text: words, ...(tip && { tip }), ...(buttons && { buttons }) },
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

/** A turn of contentType image. */
export function image(from: From, imageKey: string): Turn {
  return { from, contentType: 'image', content: { imageKey } };
}

/** A turn of contentType file. */
export function file(from: From, fileName: string): Turn {
  return { from, contentType: 'file', content: { fileName, fileUrl: `{web}/files/${fileName}` } };
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
