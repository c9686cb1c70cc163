/** Archives a chat: reads its newest messages, then whatever is missing, newest first. */
import type { Page } from '../../service/client.ts';
import { type Listed, sendTimeOf } from '../../service/message.ts';
import { adaptivePages, isAnchorLost, listBeyond, listNewest, withoutDuplicates } from '../../service/messagePages.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import type { RemoteArchive } from './remote.ts';

/** The largest number of messages requested per page. */
const PAGE = 100;

export interface ArchiverOptions {
  readonly archive: Pick<RemoteArchive, 'addLatest' | 'extend' | 'lose' | 'nextTask' | 'reopen'>;
  /** Lists one page of the chat, in either order. */
  list(page: Page, signal: AbortSignal): Promise<Listed[]>;
  /**
   * Called after each page with the number of new messages so far, and when the last message that was read was sent (Unix
   * ms).
   */
  onPage(added: number, reached: number | undefined): void;
  /** The present time (Unix ms). */
  now(): number;
}

/**
 * Catches up with a chat, by its number in the archive. Resolves to the number of new messages once nothing is left to
 * try. Rejects as `list` and the archive do, or with the reason of the signal; every page until then is kept.
 */
export async function catchUp(chat: number, options: ArchiverOptions, signal: AbortSignal): Promise<number> {
  const { archive, list, onPage, now } = options;
  const listPage = (page: Page) => list(page, signal);
  await archive.reopen(chat);
  const at = now();
  const load = adaptivePages(PAGE);
  const newest = withoutDuplicates(await load((count) => listNewest(listPage, count)));
  let added = await archive.addLatest(chat, await jsonsOf(newest), at);
  onPage(added, newest[0] && sendTimeOf(newest[0]));
  for (;;) {
    signal.throwIfAborted();
    const task = await archive.nextTask(chat);
    if (!task) return added;
    try {
      const { entries, anchorIndex } = await load((count) => listBeyond(listPage, task.anchors, task.side, count));
      added += await archive.extend(chat, task, await jsonsOf(entries), anchorIndex);
      const last = task.side === 'older' ? entries[0] : entries.at(-1);
      onPage(added, last && sendTimeOf(last));
    } catch (error) {
      if (signal.aborted || !isAnchorLost(error)) throw error;
      await archive.lose(chat, task);
    }
  }
}

/** The JSON of each entry. */
export async function jsonsOf(entries: readonly Listed[]): Promise<string[]> {
  const jsons: string[] = [];
  await new TimeSlices().each(entries, ({ raw }) => jsons.push(JSON.stringify(raw)));
  return jsons;
}
