import assert from 'node:assert/strict';
import type { ArchiveDatabase } from '../../../src/archive/archiveDatabase.ts';
import { ArchiveError } from '../../../src/archive/archiveError.ts';
import { openArchive } from '../archive/archives.ts';
import { archiveInProcess } from './archiveInProcess.ts';

const damaged = () => {
  throw new ArchiveError('damaged');
};

describe('The file of an archive', () => {
  it('stays damaged, although some of it can be read', async () => {
    const database = { chats: damaged, size: () => 4096, close() {} } as unknown as ArchiveDatabase;
    const { archive } = archiveInProcess(() => database);
    assert.equal(await archive.isDamaged(), false);
    await assert.rejects(archive.chats(), { problem: 'damaged' });
    assert.equal(await archive.size(), 4096);
    assert.equal(await archive.isDamaged(), true);
  });

  it('is not damaged once another one is in its place, even if the file system calls both the same', async () => {
    let [version, open] = ['damaged', damaged as () => ArchiveDatabase];
    const { archive } = archiveInProcess(() => open(), { identity: () => '1 5', version: () => version });
    await assert.rejects(archive.chats(), { problem: 'damaged' });
    assert.equal(await archive.isDamaged(), true);
    [version, open] = ['new', openArchive];
    assert.deepEqual(await archive.chats(), []);
    assert.equal(await archive.isDamaged(), false);
  });
});
