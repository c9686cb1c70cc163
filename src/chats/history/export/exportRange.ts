/**
 * The part of a chat that an export covers: by position, from the first message since its start to the last before its end.
 * Pure.
 */
import * as v from 'valibot';
import { type Listed, sendTimeOf } from '../../../service/message.ts';

const Time = v.pipe(v.number(), v.finite());

/** From `start` on and before `end` (Unix ms), as far as they're set. Without either it's the entire chat. */
export const ExportRange = v.object({ start: v.optional(Time), end: v.optional(Time) });
export type ExportRange = v.InferOutput<typeof ExportRange>;

/** How many of the entries that were read are newer and older than the range. */
interface Counts {
  messages: number;
  newer: number;
  older: number;
}

/** The counts after another page, which is older than those before. Entries are oldest first. */
export function addPage({ messages, newer, older }: Counts, page: readonly Listed[], range: ExportRange): Counts {
  const { start = -Infinity, end = Infinity } = range;
  const times = page.map(sendTimeOf);
  // The newest one before the end, and the oldest one since the start. An entry without a time stays with its neighbors.
  const last =
    range.end === undefined ? page.length - 1 : times.findLastIndex((time) => time !== undefined && time < end);
  const first = range.start === undefined ? 0 : times.findIndex((time) => time !== undefined && time >= start);
  return {
    messages: messages + page.length,
    newer: newer < messages ? newer : newer + page.length - 1 - last,
    older: first === -1 ? older + page.length : first,
  };
}
