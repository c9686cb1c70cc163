/** Reads a chat from its newest message back to its beginning, or to that of a range, part by part. */

import type { Page } from '../../../service/client.ts';
import { type Listed, sendTimeOf } from '../../../service/message.ts';
import {
  adaptivePages,
  LostAnchorError,
  listBeyond,
  listNewest,
  reachesBefore,
} from '../../../service/messagePages.ts';
import { ANCHORS, Log } from '../../log/log.ts';
import { LoadedSegments } from '../loadedSegments.ts';
import {
  addPage,
  ExportError,
  type ExportProgress,
  type ExportStore,
  readEntries,
  serializePart,
} from './exportProgress.ts';

/** The number of messages requested per page. */
const PAGE = 100;

export interface ReadOptions {
  /** Lists one page of the chat, in either order. */
  list(page: Page): Promise<Listed[]>;
  store: ExportStore;
  signal: AbortSignal;
  /** Called with the progress after each page. */
  onPage(progress: ExportProgress): void;
}

/**
 * Reads from the progress of an export to the beginning of the chat or of its range. Rejects as `list` and the store do, with the reason
 * of the signal, or with an {@link ExportError}; everything read until then stays in the store.
 */
export async function readToBeginning(
  from: ExportProgress,
  { list, store, signal, onPage }: ReadOptions,
): Promise<ExportProgress> {
  let progress: ExportProgress = { ...from, run: crypto.randomUUID() };
  let known = await readOverlap(store, from);
  await store.writeProgress(progress);
  const load = adaptivePages(PAGE);
  while (!progress.complete) {
    signal.throwIfAborted();
    const found = await load((size) => (progress.parts === 0 ? listNewest(list, size) : listOlder(list, known, size)));
    const saved = await store.readProgress();
    // If the progress is gone, another window has ended or discarded the export: nothing is saved any more.
    if (saved === undefined) throw new ExportError('damaged');
    if (!hasRun(saved, progress.run)) throw new ExportError('takenOver');
    // The part is written first: a part that the progress doesn't count is read and written again.
    if (found.length > 0) await store.writePart(progress.parts + 1, await serializePart(found));
    known = overlapOf([...found, ...known]);
    progress = {
      ...progress,
      anchor: known.flatMap(readableId)[0],
      parts: progress.parts + (found.length > 0 ? 1 : 0),
      ...addPage(progress, found, progress.range),
      complete: found.length === 0 || reachesBefore(known.map(sendTimeOf), progress.range.start ?? -Infinity),
    };
    await store.writeProgress(progress);
    onPage(progress);
  }
  return progress;
}

/** The entries before the oldest known ones, oldest first; none at the beginning of the chat. */
async function listOlder(list: ReadOptions['list'], known: readonly Listed[], pageSize: number): Promise<Listed[]> {
  const log = new Log(new LoadedSegments());
  const task = log.task(log.add(known).segment, 'older');
  // Without a readable message there is no anchor: `listNewest` has read the whole chat.
  if (task.anchors.length === 0) return [];
  try {
    const { entries, anchorIndex } = await listBeyond(list, task.anchors, 'older', pageSize);
    const { isNew, isEnd } = log.extend(task, entries, anchorIndex);
    return isEnd ? [] : entries.filter((_, at) => at < anchorIndex && isNew[at]);
  } catch (error) {
    throw error instanceof LostAnchorError ? new ExportError('anchorLost') : error;
  }
}

/** The entries that the next pages may overlap, oldest first: one page, and all possible anchors. */
function overlapOf(entries: Listed[]): Listed[] {
  let readable = 0;
  const last = entries.findIndex((entry) => isReadable(entry) && ++readable === ANCHORS);
  return last === -1 ? entries : entries.slice(0, Math.max(PAGE, last + 1));
}

/** The entries of the saved parts that the next pages may overlap. */
async function readOverlap(store: ExportStore, { parts, anchor }: ExportProgress): Promise<Listed[]> {
  let known: Listed[] = [];
  for (let part = parts; part >= 1; part--) {
    known = known.concat(await readEntries(store, part));
    if (known.length >= PAGE && known.filter(isReadable).length >= ANCHORS) break;
  }
  known = overlapOf(known);
  if (known.flatMap(readableId)[0] !== anchor) throw new ExportError('damaged');
  return known;
}

const isReadable = (entry: Listed) => entry.readable;
const readableId = (entry: Listed) => (entry.readable ? [entry.message.msgId] : []);
const hasRun = (saved: unknown, run: string) =>
  typeof saved === 'object' && saved !== null && 'run' in saved && saved.run === run;
