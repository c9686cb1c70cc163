/** What an export keeps while it reads a chat, so that it can go on after an interruption. */
import * as v from 'valibot';
import { BotChat } from '../../protocol/history.ts';
import { Listed } from '../../service/message.ts';
import { TimeSlices } from '../../service/timeSlices.ts';

/** The form may change: what was kept in another one is read anew. */
const VERSION = 1;

const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** How far an export has come. The parts are numbered from 1, the newest messages, on to older ones. */
export const ExportProgress = v.object({
  version: v.literal(VERSION),
  place: BotChat,
  /** Tells the export that goes on now from another one of the same chat, in another window say. */
  run: v.string(),
  /** Unix ms: what came into the chat later is no part of the export. */
  began: v.pipe(v.number(), v.finite()),
  /** The oldest message so far; none before there is a readable one. */
  anchor: v.optional(v.string()),
  parts: Count,
  messages: Count,
  /** The beginning of the chat is reached. */
  complete: v.boolean(),
});
export type ExportProgress = v.InferOutput<typeof ExportProgress>;

/** Where it is kept. Everything may reject; what was written before a failure is still there afterwards. */
export interface ExportStore {
  /** Whatever is kept as progress; undefined where nothing is. */
  readProgress(): Promise<unknown>;
  /** In one step: nobody reads the half of it. */
  writeProgress(progress: ExportProgress): Promise<void>;
  /** NDJSON. Rejects where there is no such part. */
  readPart(part: number): Promise<string>;
  /** Takes the place of a part of this number. */
  writePart(part: number, text: string): Promise<void>;
  /** Forgets everything. */
  clear(): Promise<void>;
}

/** What an export cannot go on from. */
export type ExportErrorReason =
  /** What was kept is not what the export had written. */
  | 'damaged'
  /** The service lists none of the oldest messages any more. */
  | 'anchorLost'
  /** Another window exports the same chat. */
  | 'takenOver';

export class ExportError extends Error {
  override readonly name = 'ExportError';
  readonly reason: ExportErrorReason;

  constructor(trouble: ExportErrorReason) {
    super(`export: ${trouble}`);
    this.reason = trouble;
  }
}

/** Where an export of a chat begins. `now` is Unix ms. */
export function newProgress(place: BotChat, now = Date.now()): ExportProgress {
  return {
    version: VERSION,
    place,
    run: crypto.randomUUID(),
    began: now,
    anchor: undefined,
    parts: 0,
    messages: 0,
    complete: false,
  };
}

/** What is kept of an export of this very chat, read by the same bot; undefined where there is nothing to go on with. */
export async function savedProgress(store: ExportStore, place: BotChat): Promise<ExportProgress | undefined> {
  const read = v.safeParse(ExportProgress, await store.readProgress());
  if (!read.success || (read.output.parts === 0 && !read.output.complete)) return undefined;
  const { service, type, id, botId } = read.output.place;
  const isSame = service === place.service && type === place.type && id === place.id && botId === place.botId;
  return isSame ? read.output : undefined;
}

/** Entries as the lines of a part, each as it came. */
export async function serializePart(entries: readonly Listed[]): Promise<string> {
  const lines: string[] = [];
  await new TimeSlices().each(entries, ({ raw }) => lines.push(`${JSON.stringify(raw)}\n`));
  return lines.join('');
}

/** The entries of a part. Rejects with an {@link ExportError} where it was not written by `toPart`. */
export async function parsePart(text: string): Promise<Listed[]> {
  const entries: Listed[] = [];
  try {
    await new TimeSlices().each(text.split('\n'), (line) => line && entries.push(v.parse(Listed, JSON.parse(line))));
  } catch {
    throw new ExportError('damaged');
  }
  return entries;
}
