/** Messages as a list returns them, and content as a send takes it (contract 2.6–2.8). */
import * as v from 'valibot';
import { code, fieldsOf, identifier, namedIdentifier, number, readableOf, text } from './fields.ts';

/** Button (contract 2.8). */
export const Button = fieldsOf({
  /** Label on the button. */
  text,
  /** 1 opens `url`, 2 copies `value`, 3 reports `value`; others are not documented. */
  actionType: code,
  url: text,
  value: text,
});
export type Button = v.InferOutput<typeof Button>;

/** Rows of buttons. Some senders produce one flat list: it reads as one row. What is no button is left out. */
const Buttons = v.pipe(
  v.fallback(v.array(v.unknown()), []),
  v.transform((list) => (list.some(Array.isArray) ? list.map((row) => (Array.isArray(row) ? row : [row])) : [list])),
  v.array(readableOf(Button)),
  v.transform((rows) => rows.filter(({ length }) => length > 0)),
);

/** No form has so many fields. */
const FIELDS = 1_000;

/**
 * The fields of a form: an object by their IDs, a list, or either of these as JSON. A value may be null, which reads as
 * empty; what is neither a text nor a number reads as its JSON. What says nothing is left out.
 */
const Form = v.pipe(
  v.unknown(),
  v.transform((form) => {
    const parts = typeof form === 'string' ? parsed(form) : form;
    return typeof parts === 'object' && parts !== null ? Object.values(parts).slice(0, FIELDS) : [];
  }),
  readableOf(
    v.pipe(
      fieldsOf({ label: text, value: v.fallback(v.pipe(v.unknown(), v.transform(written)), '') }),
      v.check(({ label, value }) => label !== '' || value !== ''),
    ),
  ),
);

function written(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    // It is nested deeper than the stack is.
    return '…';
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/**
 * Content (contract 2.7): which fields are set depends on the message's `contentType`. Fields that did not come stay
 * away. Those marked "seen" were observed in received messages and are not documented.
 */
const Content = fieldsOf({
  text: v.optional(text),
  /** A note beside a listed text message. */
  tip: v.optional(text),
  imageKey: v.optional(text),
  /** Seen; like all other addresses of media, it may be a bare name. */
  imageUrl: v.optional(text),
  /** Seen. */
  imageName: v.optional(text),
  /** Seen; pixels. */
  imageWidth: v.optional(number),
  /** Seen; pixels. */
  imageHeight: v.optional(number),
  fileName: v.optional(text),
  fileUrl: v.optional(text),
  /** Seen; bytes. */
  fileSize: v.optional(number),
  /** Seen. */
  videoUrl: v.optional(text),
  /** Seen; seconds. */
  videoDuration: v.optional(number),
  /** Seen. */
  audioUrl: v.optional(text),
  /** Seen; seconds. */
  audioDuration: v.optional(number),
  /** Seen: which picture an expression is. */
  expressionId: v.optional(text),
  stickerId: v.optional(text),
  stickerPackId: v.optional(text),
  /** Seen. */
  postId: v.optional(text),
  postTitle: v.optional(text),
  postContent: v.optional(text),
  /** Seen: 1 text, 2 Markdown. */
  postContentType: v.optional(code),
  /** Seen. */
  formJson: v.optional(Form),
  /** Seen: identifiers of the users that a message mentions, each as often as it does. */
  at: v.optional(readableOf(identifier)),
  /** Seen: what a reply quotes, as "name : text", and what media that brought. */
  parent: v.optional(text),
  parentImgName: v.optional(text),
  parentVideoUrl: v.optional(text),
  parentFileName: v.optional(text),
  buttons: v.optional(Buttons),
});

/** Message (contract 2.6). */
export const Message = v.object({
  msgId: identifier,
  /** Identifier of the message replied to; empty when none. */
  parentId: namedIdentifier,
  senderId: namedIdentifier,
  /** `bot` is documented, `user` was seen. */
  senderType: text,
  senderNickname: text,
  /** `text` is documented; others exist. */
  contentType: text,
  content: v.fallback(Content, {}),
  /** Unix milliseconds. */
  sendTime: number,
  /** Empty when not a command. */
  commandName: text,
  /** 0 when not a command. */
  commandId: number,
});
export type Message = v.InferOutput<typeof Message>;

/**
 * One element of a list: a message, or none where it could not be read. `raw` is the JSON as it came: all that is not
 * in the contract is there.
 */
export const Listed = v.pipe(
  v.unknown(),
  v.transform((raw) => {
    const read = v.safeParse(Message, raw);
    return read.success ? { readable: true as const, message: read.output, raw } : { readable: false as const, raw };
  }),
);
export type Listed = v.InferOutput<typeof Listed>;

/** Kept, for they are compared with many others. */
const keys = new WeakMap<Listed, string>();

/** What tells one entry of a list from all others. */
export function messageKey(entry: Listed): string {
  if (entry.readable) return entry.message.msgId;
  const key = keys.get(entry) ?? JSON.stringify(entry.raw);
  keys.set(entry, key);
  return key;
}

/**
 * A page with its oldest entry first. The contract shows the newest first, once (4.4, rule 6), and says no more: the
 * place of the anchor tells, where it stands at one end and the question says which end that is; else whether times
 * rise at most of the steps, for one clock that is wrong must not turn the page; else the newest is taken to come first.
 */
export function oldestFirst(page: readonly Listed[], end?: { msgId: string; is: 'oldest' | 'newest' }): Listed[] {
  const [isFirst, isLast] = [page[0], page.at(-1)].map((one) => one?.readable && one.message.msgId === end?.msgId);
  const times = page.map(sendTimeOf).filter((time) => time !== undefined);
  const rise = times.reduce((sum, time, index) => sum + Math.sign(time - (times[index - 1] ?? time)), 0);
  const isOldestFirst = isFirst === isLast ? rise > 0 : isFirst === (end?.is === 'oldest');
  return isOldestFirst ? [...page] : page.toReversed();
}

/** The newest message of entries that come newest first, with the newest time known; undefined where none is readable. */
export function newestMessage(newestFirst: Iterable<Listed>): { msgId: string; sendTime: number } | undefined {
  let msgId: string | undefined;
  for (const entry of newestFirst) {
    if (!entry.readable) continue;
    msgId ??= entry.message.msgId;
    // One without a time is no older than those before it.
    if (entry.message.sendTime !== undefined) return { msgId, sendTime: entry.message.sendTime };
  }
  return msgId === undefined ? undefined : { msgId, sendTime: 0 };
}

/** Unix milliseconds; undefined where none is known. */
export const sendTimeOf = (entry: Listed) => (entry.readable ? entry.message.sendTime : undefined);

/** A button to send (contract 2.8), with just the fields that its action uses. */
export type OutgoingButton = Pick<Button, 'text' | 'actionType'> & Partial<Pick<Button, 'url' | 'value'>>;

/** What can be sent, in the shapes of contract 2.7. The fields of html are not documented; `text` was seen. */
export type Outgoing =
  | { contentType: 'text' | 'markdown' | 'html'; content: { text: string; buttons?: OutgoingButton[][] } }
  | { contentType: 'image'; content: { imageKey: string; buttons?: OutgoingButton[][] } }
  | { contentType: 'file'; content: { fileName: string; fileUrl: string; buttons?: OutgoingButton[][] } };
