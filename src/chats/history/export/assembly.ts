/** Assembles the exported document from what is in range of the saved parts, oldest first, with one part in memory at a time. */
import type { Listed } from '../../../service/message.ts';
import { TimeSlices } from '../../../service/timeSlices.ts';
import { piecesOf } from '../../../service/truncate.ts';
import { ExportError, type ExportProgress, type ExportStore, readEntries } from './exportProgress.ts';

/** How much is buffered before a write (UTF-16 units). */
const CHUNK = 2 ** 18;

/** Longer entries are written as raw JSON, in slices (UTF-16 units). */
const LONG = 200_000;
const SLICE = 20_000;

/** How a chat is formatted. Its entries are formatted once, oldest first. */
export interface ExportFormat {
  /** The beginning and the end of the document. */
  heading: string;
  ending: string;
  entry(entry: Listed): string;
  /** How to write an entry that is too long to format, as raw JSON on one line in several pieces. */
  source(entry: Listed, json: string): { begin: string; piece(text: string): string; end: string };
}

export interface AssembleOptions {
  store: ExportStore;
  format: ExportFormat;
  /** Appends to the document. */
  write(text: string): Promise<void>;
  signal: AbortSignal;
  /** Called after each part with the number of messages written. */
  onPart(messages: number): void;
}

/**
 * Writes the document. Rejects as `write` does, with the reason of the signal, or with an {@link ExportError} if a part
 * or some of its messages are missing.
 */
export async function assemble(
  progress: ExportProgress,
  { store, format, write, signal, onPart }: AssembleOptions,
): Promise<void> {
  const slices = new TimeSlices();
  const older = progress.messages - progress.sinceStart.count;
  const end = progress.messages - progress.sinceEnd.count;
  let messages = 0;
  let written = 0;
  await write(format.heading);
  for (let part = progress.parts; part >= 1; part--) {
    signal.throwIfAborted();
    const entries = await readEntries(store, part);
    const inRange = entries.slice(Math.max(0, older - messages), Math.max(0, end - messages));
    let buffer = '';
    for (const entry of inRange) {
      for (const chunk of chunksOf(entry, format)) {
        buffer += chunk;
        if (slices.isOver) await slices.pause();
        if (buffer.length < CHUNK) continue;
        await write(buffer);
        buffer = '';
      }
    }
    await write(buffer);
    messages += entries.length;
    written += inRange.length;
    onPart(written);
  }
  if (messages !== progress.messages) throw new ExportError('damaged');
  await write(format.ending);
}

function* chunksOf(entry: Listed, { entry: format, source }: ExportFormat): Generator<string> {
  const json = JSON.stringify(entry.raw);
  if (json.length <= LONG) return yield format(entry);
  const { begin, piece, end } = source(entry, json);
  yield begin;
  for (const slice of piecesOf(json, SLICE)) yield piece(slice);
  yield end;
}
