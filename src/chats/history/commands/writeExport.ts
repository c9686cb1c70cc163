/** Writes an export to a file: what is in range of the saved parts, oldest first, with one part in memory at a time. */
import type { SaveTarget } from '../../../presentation/fileDialogs.ts';
import type { Listed } from '../../../service/message.ts';
import { TimeSlices } from '../../../service/timeSlices.ts';
import { piecesOf } from '../../../service/truncate.ts';
import { ExportError, type ExportProgress, type ExportStore, readEntries } from './exportProgress.ts';
import type { ExportFormat, ExportNames, FormatName } from './formats.ts';

/** How much is buffered before a write (UTF-16 units). */
const CHUNK = 2 ** 18;

/** The longest entry that is formatted (UTF-16 units): longer ones are written as raw JSON, in slices. */
const LONG = 200_000;
const SLICE = 20_000;

/** The file could not be written because of `cause`. */
export class WriteError extends Error {
  override readonly name = 'WriteError';
}

interface WriteExportOptions {
  progress: ExportProgress;
  store: ExportStore;
  format: FormatName;
  names: ExportNames;
  signal: AbortSignal;
}

/**
 * Writes the whole file or nothing. Rejects with a {@link WriteError} if the file cannot be written, or as
 * {@link assemble} does. Calls `onPart` with the number of messages written.
 */
export async function writeExport(
  target: SaveTarget,
  { progress, store, format, names, signal }: WriteExportOptions,
  onPart: (messages: number) => void,
): Promise<void> {
  const { exportFormat } = await import('./formats.ts');
  const written = exportFormat(format, names, progress);
  const file = await wrapErrors(() => target.open());
  try {
    const write = (text: string) => wrapErrors(() => file.append(text));
    await assemble(progress, { store, format: written, write, signal, onPart });
    await wrapErrors(() => file.finish());
  } catch (error) {
    await file.discard();
    throw error;
  }
}

async function wrapErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    throw new WriteError('the file could not be written', { cause });
  }
}

interface AssembleOptions {
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
