import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { ArchiveDatabase } from '../../../../src/chats/archive/archiveDatabase.ts';
import { live, lives } from './syncModel.ts';

describe('Archiving a chat', () => {
  it('keeps every message once, in order, whatever is deleted, fails or overlaps', async () => {
    const property = fc.asyncProperty(lives, async (life) => {
      const database = new DatabaseSync(':memory:');
      await live(life, () => new ArchiveDatabase(database));
    });
    await fc.assert(property, { includeErrorInReport: true });
  });
});
