/** Putting the parts of an export together, oldest first, one of them in memory at a time. */
import type { Listed } from '../../service/message.ts';
import { ExportError, fromPart, type PartStore, type Progress } from './store.ts';

/** How a chat is written. */
export interface Format {
  /** What the document begins and ends with. */
  heading: string;
  ending: string;
  entry(entry: Listed): string;
}

export interface Assembling {
  store: PartStore;
  format: Format;
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
  progress: Progress,
  { store, format, write, signal, onPart }: Assembling,
): Promise<void> {
  let messages = 0;
  await write(format.heading);
  for (let part = progress.parts; part >= 1; part--) {
    signal.throwIfAborted();
    const text = await store.readPart(part).catch(() => {
      throw new ExportError('damaged');
    });
    const entries = fromPart(text);
    await write(entries.map(format.entry).join(''));
    messages += entries.length;
    onPart(messages);
  }
  if (messages !== progress.messages) throw new ExportError('damaged');
  await write(format.ending);
}
