/** Serializes and parses the outbox's files, and detects damage. */
import * as v from 'valibot';
import { addChecksum, verifyChecksum } from '../../platform/checkedLines.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import type { Batch } from '../plan/batches.ts';
import {
  type Delivery,
  DeliveryHeader,
  JournalLine,
  type LeftOutRecipient,
  StoredBatches,
  StoredLeftOut,
} from './record.ts';

/** A delivery's file is damaged. */
export class DamagedError extends Error {
  override readonly name = 'DamagedError';
}

/** How many batches of few recipients share a line: a checksum for each would take long. */
const MAX_BATCHES = 100;

const MAX_RECIPIENTS = 200;

/** How long their values are together (UTF-16 units), unless those of one batch are longer. */
const MAX_LENGTH = 1_000_000;

/** A delivery's file: a header, then lines of batches and of those left out, so that it's parsed in time slices. */
export async function serializeDelivery({ batches, leftOut, ...delivery }: Delivery): Promise<string> {
  const slices = new TimeSlices();
  const people = leftOut?.people ?? [];
  const counted = leftOut && { leftOut: { people: people.length, rows: leftOut.rows } };
  const lines = [await addChecksum({ ...delivery, ...counted, batches: batches.length })];
  for (const group of groupsOf(batches)) {
    lines.push(await addChecksum(group));
    if (slices.isOver) await slices.pause();
  }
  for (let at = 0; at < people.length; at += MAX_RECIPIENTS) {
    lines.push(await addChecksum({ leftOut: people.slice(at, at + MAX_RECIPIENTS) }));
    if (slices.isOver) await slices.pause();
  }
  // The last line ends, too.
  return [...lines, ''].join('\n');
}

/** What each line holds. A batch without values is alone: it may have many recipients. */
function* groupsOf(batches: readonly Batch[]): Generator<Batch | Batch[]> {
  let group: Batch[] = [];
  let recipients = 0;
  let length = 0;
  for (const batch of batches) {
    if (!batch.values) {
      yield batch;
      continue;
    }
    const longer = batch.values.reduce((sum, value) => sum + value.length, 0);
    recipients += batch.recipients.length;
    length += longer;
    const isFull = group.length === MAX_BATCHES || recipients > MAX_RECIPIENTS || length > MAX_LENGTH;
    if (group.length > 0 && isFull) {
      yield group;
      group = [];
      recipients = batch.recipients.length;
      length = longer;
    }
    group.push(batch);
  }
  if (group.length > 0) yield group;
}

/** @throws DamagedError if the text isn't exactly what {@link serializeDelivery} made of the delivery with this ID */
export async function parseDelivery(id: string, text: string): Promise<Delivery> {
  const slices = new TimeSlices();
  const [first = '', ...lines] = text.split('\n');
  const header = await verifyChecksum(first, DeliveryHeader);
  const batches: Delivery['batches'] = [];
  const people: LeftOutRecipient[] = [];
  let isDamaged = lines.at(-1) !== '';
  for (const line of lines.slice(0, -1)) {
    const group = await verifyChecksum(line, Group);
    if (group && 'leftOut' in group) people.push(...group.leftOut);
    else batches.push(...(group ?? []));
    isDamaged ||= !group;
    if (slices.isOver) await slices.pause();
  }
  if (header?.id !== id || header.batches !== batches.length || isDamaged) throw new DamagedError();
  const { leftOut, ...fields } = header;
  if ((leftOut?.people ?? 0) !== people.length) throw new DamagedError();
  return { ...fields, ...(leftOut && { leftOut: { people, rows: leftOut.rows } }), batches };
}

const Group = v.union([StoredBatches, StoredLeftOut]);

/** The lines of a journal; undefined for one that is damaged or truncated. */
export async function parseJournal(written: readonly string[]): Promise<(JournalLine | undefined)[]> {
  const slices = new TimeSlices();
  const lines: (JournalLine | undefined)[] = [];
  for (const line of written) {
    lines.push(await verifyChecksum(line, JournalLine));
    if (slices.isOver) await slices.pause();
  }
  return lines;
}
