/** What an export saves while it reads a chat, so that it can continue after an interruption. */
import * as v from 'valibot';
import { BotChat } from '../../../protocol/botChat.ts';
import { systemClock } from '../../../service/clock.ts';
import { Listed, sendTimeOf } from '../../../service/message.ts';
import { TimeSlices } from '../../../service/timeSlices.ts';

const Time = v.pipe(v.number(), v.finite());

/**
 * The part of a chat that an export covers: from `start` on and before `end` (Unix ms), as far as they're set. Without either
 * it's the entire chat. It's by position: from the first message since its start to the last before its end.
 */
export const ExportRange = v.object({ start: v.optional(Time), end: v.optional(Time) });
export type ExportRange = v.InferOutput<typeof ExportRange>;

/** Progress of another version is ignored. */
const VERSION = 2;

const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** The progress of an export. Parts are numbered from 1 (the newest messages) to the oldest. */
export const ExportProgress = v.object({
  version: v.literal(VERSION),
  place: BotChat,
  /** The ID of the current run: another window may be exporting the same chat. */
  run: v.string(),
  /** Unix ms. Later messages are not part of the export. */
  began: v.pipe(v.number(), v.finite()),
  /** The oldest readable message so far, if any. */
  anchor: v.optional(v.string()),
  range: ExportRange,
  parts: Count,
  /** All that were read, including those outside of the range. */
  messages: Count,
  newer: Count,
  older: Count,
  /** Whether the beginning of the chat or of the range is reached. */
  complete: v.boolean(),
});
export type ExportProgress = v.InferOutput<typeof ExportProgress>;

/** Stores an export. Every method may reject; a failure leaves earlier writes intact. */
export interface ExportStore {
  /** The saved progress, not validated; undefined if there is none, or it isn't JSON. */
  readProgress(): Promise<unknown>;
  /** Atomic. */
  writeProgress(progress: ExportProgress): Promise<void>;
  /** NDJSON; undefined if there is no such part. */
  readPart(part: number): Promise<string | undefined>;
  /** Replaces the part with the same number. */
  writePart(part: number, text: string): Promise<void>;
  /** Deletes everything. */
  clear(): Promise<void>;
}

/** Why an export cannot continue. */
export type ExportErrorReason =
  /** The saved files are not what the export wrote. */
  | 'damaged'
  /** The service no longer lists the oldest messages read. */
  | 'anchorLost'
  /** Another window is exporting the same chat. */
  | 'takenOver';

export class ExportError extends Error {
  override readonly name = 'ExportError';
  readonly reason: ExportErrorReason;

  constructor(reason: ExportErrorReason) {
    super(`export: ${reason}`);
    this.reason = reason;
  }
}

/** The number of messages in the range. */
export const exportedCount = ({ messages, newer, older }: ExportProgress) => Math.max(0, messages - newer - older);

/** The progress of a new export. `now` is Unix ms. */
export function newProgress(botChat: BotChat, now = systemClock.wall(), range: ExportRange = {}): ExportProgress {
  return {
    version: VERSION,
    place: botChat,
    run: crypto.randomUUID(),
    began: now,
    anchor: undefined,
    range,
    parts: 0,
    messages: 0,
    newer: 0,
    older: 0,
    complete: false,
  };
}

/** The saved progress for the same chat, bot and range; undefined if there is nothing to continue. */
export async function savedProgress(
  store: ExportStore,
  botChat: BotChat,
  { start, end }: ExportRange = {},
): Promise<ExportProgress | undefined> {
  const read = v.safeParse(ExportProgress, await store.readProgress());
  if (!read.success || (read.output.parts === 0 && !read.output.complete)) return undefined;
  const { service, kind, id, botId } = read.output.place;
  const isSame = service === botChat.service && kind === botChat.kind && id === botChat.id && botId === botChat.botId;
  const { range } = read.output;
  return isSame && range.start === start && range.end === end ? read.output : undefined;
}

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

/** The raw entries as NDJSON. */
export async function serializePart(entries: readonly Listed[]): Promise<string> {
  const lines: string[] = [];
  await new TimeSlices().each(entries, ({ raw }) => lines.push(`${JSON.stringify(raw)}\n`));
  return lines.join('');
}

/** The entries of a part. @throws ExportError if it's missing, or {@link serializePart} didn't write it; or as the store does */
export async function readEntries(store: Pick<ExportStore, 'readPart'>, part: number): Promise<Listed[]> {
  const text = await store.readPart(part);
  if (text === undefined) throw new ExportError('damaged');
  const entries: Listed[] = [];
  try {
    await new TimeSlices().each(text.split('\n'), (line) => line && entries.push(v.parse(Listed, JSON.parse(line))));
  } catch {
    throw new ExportError('damaged');
  }
  return entries;
}
