import assert from 'node:assert/strict';
import type { window } from 'vscode';
import type { RemoteArchive } from '../../../../src/chats/archive/remote.ts';
import { ArchiveDeletion } from '../../../../src/chats/archiving/archiveDeletion.ts';
import { answer, restore } from '../../answers.ts';
import { logged } from '../history/test-page.ts';

describe('Deleting archived chats', () => {
  let calls: string[];
  /** How many more calls remove messages. */
  let left: number;
  /** How many more calls reindex messages. */
  let stale: number;
  let failure: Error | undefined;
  /** The chat that can't be removed. */
  let full: number | undefined;
  let deletion: ArchiveDeletion;

  beforeEach(() => {
    calls = [];
    left = 2;
    stale = 2;
    failure = undefined;
    full = undefined;
    const archive: Pick<RemoteArchive, 'removeChat' | 'removeSome' | 'hasRemovals' | 'compact' | 'indexStale'> = {
      removeChat: async (chat) => {
        if (chat === full) throw new Error('full');
        calls.push(`remove ${chat}`);
      },
      removeSome: async () => {
        if (failure) throw failure;
        return left-- > 0;
      },
      hasRemovals: async () => left > 0,
      compact: async () => void calls.push('compact'),
      indexStale: async () => stale-- > 0,
    };
    const runs = { forget: async (chat: number) => void calls.push(`forget ${chat}`) };
    const archived = { showChange: () => calls.push('gone') } as never;
    deletion = new ArchiveDeletion(archive as RemoteArchive, runs, logged().log, archived);
  });

  afterEach(restore);

  it('ends their runs, removes their messages, and frees the space', async () => {
    await deletion.remove([1, 2]);
    assert.deepEqual(calls, ['forget 1', 'remove 1', 'forget 2', 'remove 2', 'gone', 'compact']);
    await deletion.finish();
    assert.equal(calls.length, 6);
  });

  it('says that it frees the space, and ends when it is canceled, to go on later', async () => {
    let isCanceled = false;
    const reported: unknown[] = [];
    answer('withProgress', (async ({ title }, task) => {
      reported.push(title);
      const token = {
        get isCancellationRequested() {
          return isCanceled;
        },
        onCancellationRequested: () => ({ dispose() {} }),
      };
      return task({ report: ({ message }) => reported.push(message) }, token);
    }) as typeof window.withProgress);
    isCanceled = true;
    await deletion.remove([1]);
    assert.deepEqual(calls, ['forget 1', 'remove 1', 'gone']);
    assert.equal(left, 2);
    await deletion.finish();
    assert.deepEqual(calls.slice(3), ['compact']);
    isCanceled = false;
    await deletion.remove([2]);
    assert.deepEqual(reported, ['Deleting archived messages', 'Deleting archived messages', 'freeing space…']);
  });

  it('says which are gone even if another one cannot be removed', async () => {
    full = 2;
    await assert.rejects(() => deletion.remove([1, 2, 3]), /full/);
    assert.deepEqual(calls, ['forget 1', 'remove 1', 'forget 2', 'gone']);
  });

  it('goes on in the same window after it has failed', async () => {
    failure = new Error('full');
    await assert.rejects(() => deletion.remove([1]), failure);
    failure = undefined;
    await deletion.finish();
    assert.deepEqual(calls, ['forget 1', 'remove 1', 'gone', 'compact']);
  });

  it('is followed by indexing what has other words since an update, even if nothing was to be deleted', async () => {
    left = 0;
    await deletion.finish();
    assert.deepEqual(calls, []);
    assert.equal(stale, -1);
  });

  it('is finished once by each window, whether or not that works', async () => {
    failure = new Error('busy');
    await deletion.finish();
    failure = undefined;
    await deletion.finish();
    assert.deepEqual(calls, []);
  });
});
