/** Messages as a list returns them, and content as a send takes it (contract 2.6–2.8). */
import * as v from 'valibot';
import { identifier, number, text } from './fields.ts';

/** Button (contract 2.8). `actionType` 1 opens `url`, 2 copies `value`, 3 reports `value`; others are not documented. */
export const Button = v.looseObject({ text, actionType: number, url: text, value: text });
export type Button = v.InferOutput<typeof Button>;

/** Rows of buttons. Some senders produce one flat list: it reads as one row. What is no button is left out. */
const Buttons = v.fallback(
  v.pipe(
    v.array(v.unknown()),
    v.transform((list) => {
      const rows = list.some(Array.isArray) ? list.map((row) => (Array.isArray(row) ? row : [row])) : [list];
      return rows
        .map((row) => row.filter(isButton).map((button) => v.parse(Button, button)))
        .filter(({ length }) => length);
    }),
  ),
  [],
);

const isButton = (value: unknown) => v.is(Button, value);

/**
 * Content (contract 2.7): which fields are set depends on the message's `contentType`. Fields that did not come stay
 * away, so that a kind nobody knows can be shown as it came.
 */
const Content = v.looseObject({
  text: v.optional(text),
  /** A note beside a listed text message. */
  tip: v.optional(text),
  imageKey: v.optional(text),
  /** Seen in received images, not documented. */
  imageUrl: v.optional(text),
  fileName: v.optional(text),
  fileUrl: v.optional(text),
  buttons: v.optional(Buttons),
});

/** Message (contract 2.6). */
export const Message = v.looseObject({
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

/** One element of a list: a message, or what came in its place when that could not be read. */
export const Listed = v.union([
  v.pipe(
    Message,
    v.transform((message) => ({ readable: true as const, message })),
  ),
  v.pipe(
    v.unknown(),
    v.transform((raw) => ({ readable: false as const, raw })),
  ),
]);
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
