/** Reading a chat from its newest message back to its beginning, part by part. */
import type { Page } from '../../service/client.ts';
import { isFailure } from '../../service/errors.ts';
import { type Listed, oldestFirst } from '../../service/message.ts';
import { ExportError, type ExportProgress, type ExportStore, parsePart, serializePart } from './exportProgress.ts';
import { entriesBeforeAnchor, withoutOverlap } from './olderEntries.ts';

/** How many messages one page asks for. */
const PAGE = 100;

/** How many other messages are tried where the oldest one was deleted. */
const MAX_RETRIES = 3;

export interface ReadOptions {
  /** Lists one page of the chat, in either order. */
  list(page: Page): Promise<Listed[]>;
  store: ExportStore;
  signal: AbortSignal;
  /** Told how far it has come after each page. */
  onPage(progress: ExportProgress): void;
}

/**
 * Reads on from where an export has come to until the beginning of the chat. Rejects with what `list` and the store
 * reject with, the reason of the signal or an {@link ExportError}; all that was read until then is kept.
 */
export async function readToBeginning(
  from: ExportProgress,
  { list, store, signal, onPage }: ReadOptions,
): Promise<ExportProgress> {
  let progress: ExportProgress = { ...from, run: crypto.randomUUID() };
  let held = await readOverlap(store, from);
  await store.writeProgress(progress);
  while (!progress.complete) {
    signal.throwIfAborted();
    const found = progress.parts === 0 ? await listNewest(list) : await listOlder(list, held);
    const kept = await store.readProgress();
    if (!hasRun(kept, progress.run)) throw new ExportError('takenOver');
    // The part first: what the progress does not count yet is read and written again.
    if (found.length > 0) await store.writePart(progress.parts + 1, await serializePart(found));
    held = overlapOf([...found, ...held]);
    progress = {
      ...progress,
      anchor: held.flatMap(readableId)[0],
      parts: progress.parts + (found.length > 0 ? 1 : 0),
      messages: progress.messages + found.length,
      complete: found.length === 0,
    };
    await store.writeProgress(progress);
    onPage(progress);
  }
  return progress;
}

/** The newest page; as many messages as it takes to have a readable one to go on from. Empty in an empty chat. */
async function listNewest(list: ReadOptions['list']): Promise<Listed[]> {
  let page = await list({ latest: PAGE });
  for (let latest = PAGE; page.length >= latest && !page.some(isReadable); ) {
    latest *= 4;
    page = await list({ latest });
  }
  return oldestFirst(page);
}

/** The page before the oldest entries that are held, without those; empty at the beginning of the chat. */
async function listOlder(list: ReadOptions['list'], held: readonly Listed[]): Promise<Listed[]> {
  let refusal: unknown;
  for (const anchor of held.flatMap(readableId).slice(0, 1 + MAX_RETRIES)) {
    const at = held.findIndex((entry) => readableId(entry)[0] === anchor);
    try {
      // Held entries that are older than the anchor come again: as many more are asked for.
      const before = entriesBeforeAnchor(await list({ anchor, before: PAGE + at }), anchor);
      if (before) return withoutOverlap(before, held, held.slice(0, at));
    } catch (error) {
      // Code -1 was seen for a message that is gone, among other things.
      if (!isFailure(error, 'rejected') || error.failure.code !== -1) throw error;
      refusal = error;
    }
  }
  // Without a readable message there is nothing to ask by: `newest` has seen all of the chat.
  if (!held.some(isReadable)) return [];
  throw refusal ?? new ExportError('anchorLost');
}

/** The entries that the next pages may overlap, oldest first: a page of them, and those that may become the anchor. */
function overlapOf(entries: Listed[]): Listed[] {
  let readable = 0;
  const last = entries.findIndex((entry) => isReadable(entry) && ++readable > MAX_RETRIES);
  return last === -1 ? entries : entries.slice(0, Math.max(PAGE, last + 1));
}

/** The same of what is kept. */
async function readOverlap(store: ExportStore, { parts, anchor }: ExportProgress): Promise<Listed[]> {
  let held: Listed[] = [];
  for (let part = parts; part >= 1; part--) {
    const text = await store.readPart(part).catch(() => {
      throw new ExportError('damaged');
    });
    held = held.concat(await parsePart(text));
    if (held.length >= PAGE && held.filter(isReadable).length > MAX_RETRIES) break;
  }
  held = overlapOf(held);
  if (held.flatMap(readableId)[0] !== anchor) throw new ExportError('damaged');
  return held;
}

const isReadable = (entry: Listed) => entry.readable;
const readableId = (entry: Listed) => (entry.readable ? [entry.message.msgId] : []);
const hasRun = (kept: unknown, run: string) =>
  typeof kept === 'object' && kept !== null && 'run' in kept && kept.run === run;
