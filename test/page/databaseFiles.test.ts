import assert from 'node:assert/strict';
import { type DatabaseTab, openDatabaseTab } from '../host/tabs.ts';
import { describeDurableFiles } from '../unit/platform/durableFilesContract.ts';

let databases = 0;
const newDatabase = () => `files ${++databases}`;

describe('In a browser,', () => {
  /** Tabs that stay open: each test opens its own database in them. */
  const tabs: DatabaseTab[] = [];

  describeDurableFiles('in its database', async () => {
    const database = newDatabase();
    let windows = 0;
    return async () => {
      const tab = tabs[windows] ?? (await openDatabaseTab());
      tabs[windows++] = tab;
      return tab.files(database);
    };
  });

  describe('durable files', () => {
    let database: string;
    let tab: DatabaseTab;
    let other: DatabaseTab;
    beforeEach(async () => {
      database = newDatabase();
      tab = await openDatabaseTab();
      other = await openDatabaseTab();
    });
    afterEach(() => Promise.all([tab.page.close(), other.page.close()]));

    it('outlive all tabs', async () => {
      await tab.files(database).write('a/b', 'one');
      await other.files(database).append('a/b', ' two');
      await Promise.all([tab.page.close(), other.page.close()]);
      tab = await openDatabaseTab();
      assert.equal(await tab.files(database).read('a/b'), 'one two');
      assert.equal(await tab.files(database).create('a/b', ''), false);
    });

    it('can be deleted by the browser while tabs use them, which find none and write new ones', async () => {
      for (const one of [tab, other]) await one.files(database).write(`a/${one === tab}`, 'old');
      await other.delete(database);
      for (const one of [tab, other]) assert.deepEqual(await one.files(database).names('a'), []);
      await assert.rejects(tab.files(database).create('a/b', 'text'));
      await tab.files(database).write('a/b', 'new');
      assert.equal(await other.files(database).read('a/b'), 'new');
    });

    it('can be deleted in the middle of writing, which ends', async () => {
      const files = tab.files(database);
      await files.write('a/b', '');
      const writes = Array.from({ length: 50 }, (_, index) => files.write(`a/${index}`, 'x'.repeat(10_000)));
      const deletes = Array.from({ length: 5 }, () => other.delete(database));
      await Promise.all([...writes, ...deletes]);
      await files.write('a/b', 'new');
      assert.equal(await other.files(database).read('a/b'), 'new');
    });

    it('are opened again after the browser has closed them', async () => {
      const files = tab.files(database);
      await files.write('a/b', 'old');
      // Opened after the files, so that it is closed after them.
      await tab.page.evaluate((name) => {
        window.__closed = new Promise((resolve, reject) => {
          const request = indexedDB.open(name);
          request.onerror = () => reject(request.error);
          request.onsuccess = () => {
            request.result.onclose = () => resolve();
            window.__opened = true;
          };
        });
      }, database);
      await tab.page.waitForFunction(() => window.__opened);
      const origin = new URL(tab.page.url()).origin;
      await (await tab.tools()).send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
      await tab.page.evaluate(() => window.__closed);
      assert.equal(await files.read('a/b'), undefined);
      await files.write('a/b', 'new');
      assert.equal(await other.files(database).read('a/b'), 'new');
    });

    it('let a newer version of the extension upgrade the database', async () => {
      const files = tab.files(database);
      await files.write('a/b', 'old');
      await other.page.evaluate(
        (name) =>
          new Promise<void>((resolve, reject) => {
            const request = indexedDB.open(name, 1000);
            request.onsuccess = () => resolve();
            request.onerror = () => reject(request.error);
            request.onblocked = () => reject(new Error('the database stays open'));
          }),
        database,
      );
      await assert.rejects(files.write('a/b', 'new'), /version/i);
    });
  });
});

declare global {
  interface Window {
    __closed: Promise<void>;
    __opened: boolean;
  }
}
