/** Which chats are watched and what was seen of them, as it outlives a restart. */
import * as v from 'valibot';
import { identifier, maybe, readableOf } from '../../service/fields.ts';
import type { Chat } from '../../service/model.ts';

/** A message up to which something was done. An empty `msgId` stands for a chat without messages. */
const Mark = v.object({
  msgId: v.string(),
  /** Unix milliseconds. */
  sendTime: v.pipe(v.number(), v.finite()),
});
export type Mark = Readonly<v.InferOutput<typeof Mark>>;

const Watched = v.object({
  type: v.picklist(['group', 'user']),
  id: identifier,
  /** The bot that reads the chat. */
  botId: identifier,
  /** The newest message that the person has seen; none before the first look. */
  seen: maybe(Mark),
  /** The newest message that was there at the last look of any window: what came after it is told once. */
  heard: maybe(Mark),
});
export type Watched = Readonly<v.InferOutput<typeof Watched>>;

/** What was stored; each chat once. An entry that names no chat and bot is left out, a mark that is none is forgotten. */
export function readWatched(stored: unknown): Watched[] {
  const read = v.parse(readableOf(Watched), stored);
  return read.filter((one, index) => read.findIndex((other) => chatKey(other) === chatKey(one)) === index);
}

/** What tells one chat from all others. */
export const chatKey = ({ type, id }: Chat) => `${type} ${id}`;
