/** Reading the files of the outbox, which may have been damaged since they were written. */
import { TimeSlices } from '../service/timeSlices.ts';
import { addChecksum, verifyChecksum } from './checksum.ts';
import { type Delivery, DeliveryHeader, JournalLine, StoredBatch } from './record.ts';

/** The file of a delivery is damaged. */
export class DamagedError extends Error {
  override readonly name = 'DamagedError';
}

/** The text of a delivery's file: one line for each batch, so that any number of recipients can be read in slices. */
export async function serializeDelivery({ batches, ...delivery }: Delivery): Promise<string> {
  const slices = new TimeSlices();
  const lines = [await addChecksum({ ...delivery, batches: batches.length })];
  for (const batch of batches) {
    lines.push(await addChecksum(batch));
    if (slices.isOver) await slices.pause();
  }
  return `${lines.join('\n')}\n`;
}

/** @throws DamagedError where this is not, to the last character, what was written down of the delivery with this ID */
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

/** What a journal says, line by line; undefined for one that was damaged or cut off. */
export async function parseJournal(text: string): Promise<(JournalLine | undefined)[]> {
  const slices = new TimeSlices();
  const read: (JournalLine | undefined)[] = [];
  for (const line of text.split('\n')) {
    if (line) read.push(await verifyChecksum(line, JournalLine));
    if (slices.isOver) await slices.pause();
  }
  return read;
}
