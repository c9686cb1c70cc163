/** Putting the parts of an export together, oldest first, one of them in memory at a time. */
import type { Listed } from '../../service/message.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import { ExportError, type ExportProgress, type ExportStore, parsePart } from './exportProgress.ts';

/** How much is gathered before it is written (UTF-16 units). */
const CHUNK = 2 ** 18;

/** From how much on an entry is written as it came, and how much of it in one go (UTF-16 units of JSON). */
const LONG = 200_000;
const SLICE = 20_000;

/** How a chat is written. */
export interface ExportFormat {
  /** What the document begins and ends with. */
  heading: string;
  ending: string;
  entry(entry: Listed): string;
  /** An entry that is too long for that, as it came: JSON on one line, whose pieces are written one by one. */
  source(json: string): { begin: string; piece(text: string): string; end: string };
}

export interface AssembleOptions {
  store: ExportStore;
  format: ExportFormat;
  /** Appends to the document. */
  write(text: string): Promise<void>;
  signal: AbortSignal;
  /** Told how many messages are written after each part. */
  onPart(messages: number): void;
}

/**
 * Writes what an export has read. Rejects with what `write` rejects with, the reason of the signal, or an
 * {@link ExportError} where a part or some of its messages are gone.
 */
export async function assemble(
  progress: ExportProgress,
  { store, format, write, signal, onPart }: AssembleOptions,
): Promise<void> {
  const slices = new TimeSlices();
  let messages = 0;
  await write(format.heading);
  for (let part = progress.parts; part >= 1; part--) {
    signal.throwIfAborted();
    const text = await store.readPart(part).catch(() => {
      throw new ExportError('damaged');
    });
    const entries = await parsePart(text);
    let waiting = '';
    for (const entry of entries) {
      for (const piece of chunksOf(entry, format)) {
        waiting += piece;
        if (slices.isOver) await slices.pause();
        if (waiting.length < CHUNK) continue;
        await write(waiting);
        waiting = '';
      }
    }
    await write(waiting);
    messages += entries.length;
    onPart(messages);
  }
  if (messages !== progress.messages) throw new ExportError('damaged');
  await write(format.ending);
}

function* chunksOf(entry: Listed, { entry: written, source }: ExportFormat): Generator<string> {
  const json = JSON.stringify(entry.raw);
  if (json.length <= LONG) return yield written(entry);
  const { begin, piece, end } = source(json);
  yield begin;
  for (let at = 0; at < json.length; ) {
    // Not within a character.
    const next = at + SLICE + (/[\uD800-\uDBFF]/.test(json.charAt(at + SLICE - 1)) ? 1 : 0);
    yield piece(json.slice(at, next));
    at = next;
  }
  yield end;
}
