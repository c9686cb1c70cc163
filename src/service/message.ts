/** Messages as lists return them, and content to send (contract 2.6–2.8). */
import * as v from 'valibot';
import {
  code,
  identifier,
  lenientIdentifier,
  lenientList,
  number,
  numericIdentifier,
  plainObject,
  text,
} from './fields.ts';
import { FormFields } from './formFields.ts';

/** Button (contract 2.8). */
export const Button = plainObject({
  /** Label of the button. */
  text,
  /** 1 opens `url`, 2 copies `value`, 3 reports `value`. Others are undocumented. */
  actionType: code,
  url: text,
  value: text,
});
export type Button = v.InferOutput<typeof Button>;

/** Rows of buttons. Some senders send a flat list, which becomes one row. Invalid buttons are dropped. */
const Buttons = v.pipe(
  v.fallback(v.array(v.unknown()), []),
  v.transform((list) => (list.some(Array.isArray) ? list.map((row) => (Array.isArray(row) ? row : [row])) : [list])),
  v.array(lenientList(Button)),
  v.transform((rows) => rows.filter(({ length }) => length > 0)),
);

/**
 * Content (contract 2.7). The fields depend on the message's `contentType`; missing fields stay missing. Fields marked
 * "observed" are undocumented and were observed in received messages.
 */
const Content = plainObject({
  text: v.optional(text),
  /** A note on a listed text message. */
  tip: v.optional(text),
  imageKey: v.optional(text),
  /** Observed. Like all media URLs, it may be a file name only. */
  imageUrl: v.optional(text),
  /** Observed. */
  imageName: v.optional(text),
  /** Observed, in pixels. */
  imageWidth: v.optional(number),
  /** Observed, in pixels. */
  imageHeight: v.optional(number),
  fileName: v.optional(text),
  fileUrl: v.optional(text),
  /** Observed: media without an address. */
  fileKey: v.optional(text),
  videoKey: v.optional(text),
  audioKey: v.optional(text),
  /** Observed, in bytes. */
  fileSize: v.optional(number),
  /** Observed. */
  videoUrl: v.optional(text),
  /** Observed, in seconds. */
  videoDuration: v.optional(number),
  /** Observed. */
  audioUrl: v.optional(text),
  /** Observed, in seconds. */
  audioDuration: v.optional(number),
  /** Observed: the image of an expression. */
  expressionId: v.optional(lenientIdentifier),
  stickerId: v.optional(lenientIdentifier),
  stickerPackId: v.optional(lenientIdentifier),
  /** Observed. */
  postId: v.optional(lenientIdentifier),
  postTitle: v.optional(text),
  postContent: v.optional(text),
  /** Observed: 1 text, 2 Markdown. */
  postContentType: v.optional(code),
  /** Observed. */
  formJson: v.optional(FormFields),
  /** Observed: identifiers of mentioned users, perhaps with duplicates, or `all`. */
  at: v.optional(lenientList(identifier)),
  /** Observed: the quoted message of a reply, as "name : text", and its media. */
  parent: v.optional(text),
  parentImgName: v.optional(text),
  parentVideoUrl: v.optional(text),
  parentFileName: v.optional(text),
  buttons: v.optional(Buttons),
});

/** Message (contract 2.6). */
export const Message = v.object({
  msgId: identifier,
  /** Identifier of the message replied to, or empty. */
  parentId: lenientIdentifier,
  senderId: lenientIdentifier,
  /** `bot` is documented, `user` was observed. */
  senderType: text,
  /** A name of nothing but spaces is none. */
  senderNickname: v.pipe(
    text,
    v.transform((name) => name.trim()),
  ),
  /** `text` is documented. Others exist. */
  contentType: text,
  content: v.fallback(Content, {}),
  /** Unix milliseconds. */
  sendTime: number,
  /** Empty if not a command. */
  commandName: text,
  /** 0 if not a command. */
  commandId: numericIdentifier,
});
export type Message = v.InferOutput<typeof Message>;

/** Whether a bot itself has sent a message: a person may have the same ID. */
export const isSentBy = ({ senderId, senderType }: Pick<Message, 'senderId' | 'senderType'>, botId: string) =>
  senderId === botId && senderType !== 'user';

/**
 * One element of a list: a message, unless it's unreadable. `raw` is the JSON as received, with all undocumented fields.
 */
export const Listed = v.pipe(
  v.unknown(),
  v.transform((raw) => {
    const result = v.safeParse(Message, raw);
    return result.success
      ? { readable: true as const, message: result.output, raw }
      : { readable: false as const, raw };
  }),
);
export type Listed = v.InferOutput<typeof Listed>;

/** The key of each entry, so that an unreadable one is serialized once, not for every comparison. */
const keys = new WeakMap<Listed, string>();

/** A unique key of an entry in its chat. */
export function messageKey(entry: Listed): string {
  if (entry.readable) return entry.message.msgId;
  const key = keys.get(entry) ?? JSON.stringify(entry.raw);
  keys.set(entry, key);
  return key;
}

/**
 * Sorts a page oldest first. The contract shows newest first only in an example (4.4, rule 6). The position of the
 * anchor decides if it's at one end and `end` says which one. Otherwise, the majority of time differences decides, so
 * that one wrong clock can't reverse the page. By default, the newest is first.
 */
export function oldestFirst(page: readonly Listed[], end?: { msgId: string; is: 'oldest' | 'newest' }): Listed[] {
  const [isFirst, isLast] = [page[0], page.at(-1)].map(
    (entry) => entry?.readable && entry.message.msgId === end?.msgId,
  );
  const times = page.map(sendTimeOf).filter((time) => time !== undefined);
  const trend = times.reduce((sum, time, index) => sum + Math.sign(time - (times[index - 1] ?? time)), 0);
  const isOldestFirst = isFirst === isLast ? trend > 0 : isFirst === (end?.is === 'oldest');
  return isOldestFirst ? [...page] : page.toReversed();
}

/** The end of a log: the newest message that has an ID, or an empty one, and how many entries without one follow it. */
interface Newest {
  msgId: string;
  /** Unix milliseconds, or 0. */
  sendTime: number;
  unreadable?: number;
}

/**
 * The first readable message and the first known time of entries sorted newest first, and the number of unreadable ones
 * before that message. Undefined if there are no entries.
 */
export function newestMessage(newestFirst: Iterable<Listed>): Newest | undefined {
  let msgId: string | undefined;
  let unreadable = 0;
  const newest = (sendTime: number) => ({ msgId: msgId ?? '', sendTime, ...(unreadable > 0 && { unreadable }) });
  for (const entry of newestFirst) {
    if (!entry.readable) {
      if (msgId === undefined) unreadable++;
      continue;
    }
    msgId ??= entry.message.msgId;
    // A message without a time is newer than the next one that has a time.
    if (entry.message.sendTime !== undefined) return newest(entry.message.sendTime);
  }
  return msgId === undefined && unreadable === 0 ? undefined : newest(0);
}

/** Unix milliseconds, if known. */
export const sendTimeOf = (entry: Listed) => (entry.readable ? entry.message.sendTime : undefined);

/** A button to send (contract 2.8), with only the fields that its action uses. */
export type OutgoingButton = Pick<Button, 'text' | 'actionType'> & Partial<Pick<Button, 'url' | 'value'>>;

/** A message to send (contract 2.7). The content of html is undocumented; `text` was observed. */
export type Outgoing =
  | { contentType: 'text' | 'markdown' | 'html'; content: { text: string; buttons?: OutgoingButton[][] } }
  | { contentType: 'image'; content: { imageKey: string; buttons?: OutgoingButton[][] } }
  | { contentType: 'file'; content: { fileName: string; fileUrl: string; buttons?: OutgoingButton[][] } };
