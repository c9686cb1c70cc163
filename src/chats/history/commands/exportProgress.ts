/** What an export saves while it reads a chat, so that it can continue after an interruption, and the folder for it. */
import * as v from 'valibot';
import { type DurableFiles, hexDigest } from '../../../platform/durableFiles.ts';
import { BotChat, botChatKey } from '../../../protocol/botChat.ts';
import { systemClock } from '../../../service/clock.ts';
import { Listed, sendTimeOf } from '../../../service/message.ts';
import { TimeSlices } from '../../../service/timeSlices.ts';

const Time = v.pipe(v.number(), v.finite());

/**
 * The part of a chat that an export covers: from `start` on and before `end` (Unix ms), as far as they're set. Without
 * either it's the entire chat. The range goes by position: from the first message since its start to the last before its
 * end.
 */
export const ExportRange = v.object({ start: v.optional(Time), end: v.optional(Time) });
export type ExportRange = v.InferOutput<typeof ExportRange>;

/** Progress of another version is ignored. */
const VERSION = 3;

const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/**
 * How many of the newest entries are since a time: the chat is cut where the fewest are on the wrong side, so that one with
 * a wrong clock doesn't matter. `lead` is by how many more messages were sent since then than before, of all that were
 * read; `most` is that of the newest `count`.
 */
const Newer = v.object({ count: Count, lead: v.pipe(v.number(), v.safeInteger()), most: Count });
type Newer = v.InferOutput<typeof Newer>;

/** The progress of an export. Parts are numbered from 1 (the newest messages) to the oldest. */
export const ExportProgress = v.object({
  version: v.literal(VERSION),
  place: BotChat,
  /** The ID of the current run: another window may be exporting the same chat. */
  run: v.string(),
  /** When the export began (Unix ms). Later messages are not part of it. */
  began: v.pipe(v.number(), v.finite()),
  /** The oldest readable message so far, if any. */
  anchor: v.optional(v.string()),
  range: ExportRange,
  parts: Count,
  /** The number of all entries that were read, including those outside of the range. */
  messages: Count,
  sinceStart: Newer,
  sinceEnd: Newer,
  /** Whether the beginning of the chat or of the range is reached. */
  complete: v.boolean(),
});
export type ExportProgress = v.InferOutput<typeof ExportProgress>;

/** How long an interrupted export is kept, in milliseconds. It contains private messages. */
const MAX_AGE = 30 * 24 * 3_600_000;

const EXPORTS = 'exports';
const PROGRESS = 'progress.json';

/**
 * The folder of an export in progress: a file for each part, and one for the progress. Every method may reject; a failure
 * leaves earlier writes intact.
 */
export class ExportFolder {
  /** A key that is unique for each folder. */
  readonly key: string;
  readonly #files: DurableFiles;

  private constructor(name: string, files: DurableFiles) {
    this.key = `${EXPORTS}/${name}`;
    this.#files = files;
  }

  /** The folder of a range of a chat as one bot reads it, among the extension's files. */
  static async of(botChat: BotChat, { start, end }: ExportRange, files: DurableFiles): Promise<ExportFolder> {
    const { service, kind, id, botId } = botChat;
    const digest = await hexDigest(JSON.stringify([service, kind, id, botId, start, end]));
    return new ExportFolder(digest.slice(0, 16), files);
  }

  /** Deletes exports that were not continued for 30 days. */
  static async deleteExpired(files: DurableFiles): Promise<void> {
    for (const name of await files.names(EXPORTS)) {
      const folder = new ExportFolder(name, files);
      // The progress is written first, and with each part.
      const { mtime = 0 } = (await files.stat(`${folder.key}/${PROGRESS}`)) ?? {};
      if (systemClock.wall() - mtime > MAX_AGE) await folder.clear();
    }
  }

  /** The saved progress, not validated; undefined if there is none, or it isn't JSON. */
  async readProgress(): Promise<unknown> {
    const text = (await this.#read(PROGRESS)) ?? '';
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }

  /** Replaces the progress, atomically. */
  writeProgress(progress: ExportProgress): Promise<void> {
    return this.#files.write(`${this.key}/${PROGRESS}`, JSON.stringify(progress));
  }

  /** A part as NDJSON; undefined if there is no such part. */
  readPart(part: number): Promise<string | undefined> {
    return this.#read(partFile(part));
  }

  /** Replaces the part with the same number. */
  writePart(part: number, text: string): Promise<void> {
    return this.#files.write(`${this.key}/${partFile(part)}`, text);
  }

  clear(): Promise<void> {
    return this.#files.remove(this.key);
  }

  #read(name: string): Promise<string | undefined> {
    return this.#files.read(`${this.key}/${name}`);
  }
}

const partFile = (part: number) => `${String(part).padStart(6, '0')}.ndjson`;

/** Where an export is saved. */
export type ExportStore = Pick<ExportFolder, 'readProgress' | 'writeProgress' | 'readPart' | 'writePart' | 'clear'>;

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

/** Whether an export can only start over. */
export const isDamaged = (error: unknown) => error instanceof ExportError && error.reason === 'damaged';

/** The number of messages in the range. */
export const exportedCount = ({ sinceStart, sinceEnd }: ExportProgress) =>
  Math.max(0, sinceStart.count - sinceEnd.count);

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
    sinceStart: { count: 0, lead: 0, most: 0 },
    sinceEnd: { count: 0, lead: 0, most: 0 },
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
  const { place, range } = read.output;
  const isSame = botChatKey(place) === botChatKey(botChat) && range.start === start && range.end === end;
  return isSame ? read.output : undefined;
}

type Counts = Pick<ExportProgress, 'messages' | 'sinceStart' | 'sinceEnd'>;

/** The counts after another page, which is older than those before. Entries are oldest first. */
export function addPage(
  { messages, sinceStart, sinceEnd }: Counts,
  page: readonly Listed[],
  range: ExportRange,
): Counts {
  const { start, end } = range;
  const all = messages + page.length;
  return {
    messages: all,
    sinceStart: start === undefined ? { ...sinceStart, count: all } : newerIn(page, messages, sinceStart, start, true),
    sinceEnd: end === undefined ? sinceEnd : newerIn(page, messages, sinceEnd, end, false),
  };
}

/**
 * `read` is the number of entries before the page. In doubt, an entry is exported, but an entry without a time only between
 * others.
 */
function newerIn(page: readonly Listed[], read: number, newer: Newer, time: number, isStart: boolean): Newer {
  let { count, lead, most } = newer;
  let at = read;
  for (const sendTime of page.map(sendTimeOf).reverse()) {
    at++;
    if (sendTime === undefined) {
      if (!isStart && count === at - 1) count = at;
      continue;
    }
    lead += sendTime < time ? -1 : 1;
    if (isStart ? lead >= most : lead > most) [count, most] = [at, lead];
  }
  return { count, lead, most };
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
