/** Reads a chat from its newest message back to its beginning, or to that of a range, part by part. */
import type { Page } from '../../service/client.ts';
import { isFailure } from '../../service/errors.ts';
import type { Listed } from '../../service/message.ts';
import { listNewest, reachesBefore } from '../../service/messagePages.ts';
import { ExportError, type ExportProgress, type ExportStore, parsePart, serializePart } from './exportProgress.ts';
import { addPage } from './exportRange.ts';
import { entriesBeforeAnchor, withoutOverlap } from './olderEntries.ts';

/** The number of messages requested per page. */
const PAGE = 100;

/** How many other anchors are tried if the oldest message was deleted. */
const MAX_RETRIES = 3;

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
  while (!progress.complete) {
    signal.throwIfAborted();
    const found = progress.parts === 0 ? await listNewest(list, PAGE) : await listOlder(list, known);
    const saved = await store.readProgress();
    if (!hasRun(saved, progress.run)) throw new ExportError('takenOver');
    // Part first: a part that the progress does not count is read and written again.
    if (found.length > 0) await store.writePart(progress.parts + 1, await serializePart(found));
    known = overlapOf([...found, ...known]);
    progress = {
      ...progress,
      anchor: known.flatMap(readableId)[0],
      parts: progress.parts + (found.length > 0 ? 1 : 0),
      ...addPage(progress, found, progress.range),
      complete: found.length === 0 || reachesBefore(found, progress.range.start ?? -Infinity),
    };
    await store.writeProgress(progress);
    onPage(progress);
  }
  return progress;
}

/** The page before the oldest known entries, without these; empty at the beginning of the chat. */
async function listOlder(list: ReadOptions['list'], known: readonly Listed[]): Promise<Listed[]> {
  let rejection: unknown;
  for (const anchor of known.flatMap(readableId).slice(0, 1 + MAX_RETRIES)) {
    const at = known.findIndex((entry) => readableId(entry)[0] === anchor);
    try {
      // The known entries before the anchor are listed again: request as many more.
      const before = entriesBeforeAnchor(await list({ anchor, before: PAGE + at }), anchor);
      if (before) return withoutOverlap(before, known, known.slice(0, at));
    } catch (error) {
      // Code -1 was observed for a deleted message, among other things.
      if (!isFailure(error, 'rejected') || error.failure.code !== -1) throw error;
      rejection = error;
    }
  }
  // Without a readable message there is no anchor: `listNewest` has read the whole chat.
  if (!known.some(isReadable)) return [];
  throw rejection ?? new ExportError('anchorLost');
}

/** The entries that the next pages may overlap, oldest first: one page, and all possible anchors. */
function overlapOf(entries: Listed[]): Listed[] {
  let readable = 0;
  const last = entries.findIndex((entry) => isReadable(entry) && ++readable > MAX_RETRIES);
  return last === -1 ? entries : entries.slice(0, Math.max(PAGE, last + 1));
}

/** `overlapOf` the saved parts. */
async function readOverlap(store: ExportStore, { parts, anchor }: ExportProgress): Promise<Listed[]> {
  let known: Listed[] = [];
  for (let part = parts; part >= 1; part--) {
    const text = await store.readPart(part).catch(() => {
      throw new ExportError('damaged');
    });
    known = known.concat(await parsePart(text));
    if (known.length >= PAGE && known.filter(isReadable).length > MAX_RETRIES) break;
  }
  known = overlapOf(known);
  if (known.flatMap(readableId)[0] !== anchor) throw new ExportError('damaged');
  return known;
}

const isReadable = (entry: Listed) => entry.readable;
const readableId = (entry: Listed) => (entry.readable ? [entry.message.msgId] : []);
const hasRun = (saved: unknown, run: string) =>
  typeof saved === 'object' && saved !== null && 'run' in saved && saved.run === run;
