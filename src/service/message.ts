/** Messages as a list returns them, and content as a send takes it (contract 2.6–2.8). */
import * as v from 'valibot';
import { code, fieldsOf, identifier, number, readableOf, text } from './fields.ts';

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

/**
 * Content (contract 2.7): which fields are set depends on the message's `contentType`. Fields that did not come stay
 * away. Those marked "seen" were observed in received messages and are not documented.
 */
const Content = fieldsOf({
  text: v.optional(text),
  /** A note beside a listed text message. */
  tip: v.optional(text),
  imageKey: v.optional(text),
  /** Seen. */
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
  /** Seen: identifiers of the users that a message mentions. */
  at: v.optional(readableOf(identifier)),
  buttons: v.optional(Buttons),
});

/** Message (contract 2.6). */
export const Message = v.object({
  msgId: identifier,
  /** Identifier of the message replied to; empty when none. */
  parentId: text,
  senderId: text,
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

/** What tells one entry of a list from all others. */
export function keyOf(entry: Listed): string {
  return entry.readable ? entry.message.msgId : JSON.stringify(entry.raw);
}

/** What can be sent, in the shapes of contract 2.7. The fields of html are not documented; `text` was seen. */
export type Outgoing =
  | { contentType: 'text' | 'markdown' | 'html'; content: { text: string; buttons?: Button[][] } }
  | { contentType: 'image'; content: { imageKey: string; buttons?: Button[][] } }
  | { contentType: 'file'; content: { fileName: string; fileUrl: string; buttons?: Button[][] } };
