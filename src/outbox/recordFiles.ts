/** Serializes and parses the outbox's files, and detects damage. */
import { TimeSlices } from '../service/timeSlices.ts';
import { addChecksum, verifyChecksum } from './checksum.ts';
import { type Delivery, DeliveryHeader, JournalLine, StoredBatch } from './record.ts';

/** A delivery's file is damaged. */
export class DamagedError extends Error {
  override readonly name = 'DamagedError';
}

/** A delivery's file: a header, then a line for each batch, so that large deliveries are parsed in time slices. */
export async function serializeDelivery({ batches, ...delivery }: Delivery): Promise<string> {
  const slices = new TimeSlices();
  const lines = [await addChecksum({ ...delivery, batches: batches.length })];
  for (const batch of batches) {
    lines.push(await addChecksum(batch));
    if (slices.isOver) await slices.pause();
  }
  return `${lines.join('\n')}\n`;
}

/** @throws DamagedError if the text isn't exactly what {@link serializeDelivery} made of the delivery with this ID */
export async function parseDelivery(id: string, text: string): Promise<Delivery> {
  const slices = new TimeSlices();
  const [first = '', ...lines] = text.split('\n');
  const header = await verifyChecksum(first, DeliveryHeader);
  const batches: Delivery['batches'] = [];
  for (const line of lines.slice(0, -1)) {
    const batch = await verifyChecksum(line, StoredBatch);
    if (batch) batches.push(batch);
    if (slices.isOver) await slices.pause();
  }
  if (header?.id !== id || header.batches !== batches.length || lines.length !== batches.length + 1 || lines.at(-1)) {
    throw new DamagedError();
  }
  return { ...header, batches };
}

/** The lines of a journal; undefined for one that is damaged or truncated. */
export async function parseJournal(text: string): Promise<(JournalLine | undefined)[]> {
  const slices = new TimeSlices();
  const lines: (JournalLine | undefined)[] = [];
  for (const line of text.split('\n')) {
    if (line) lines.push(await verifyChecksum(line, JournalLine));
    if (slices.isOver) await slices.pause();
  }
  return lines;
}
