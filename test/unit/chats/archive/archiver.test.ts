import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import * as v from 'valibot';
import { ArchiveDatabase } from '../../../../src/chats/archive/archiveDatabase.ts';
import { type ArchiverOptions, catchUp } from '../../../../src/chats/archive/archiver.ts';
import type { Page } from '../../../../src/service/client.ts';
import { Listed } from '../../../../src/service/message.ts';
import { noSuchMessage } from '../history/chat.ts';
import { ModelChat } from '../modelChat.ts';
import { CHAT, idsOf, jsonsOf, messageOf, openArchive, remote } from './archives.ts';
import { live, lives } from './syncModel.ts';

describe('Archiving a chat', () => {
  it('keeps every message once, in order, whatever is deleted, fails or overlaps', async () => {
    const property = fc.asyncProperty(lives, async (life) => {
      const database = new DatabaseSync(':memory:');
      await live(life, () => new ArchiveDatabase(database));
    });
    await fc.assert(property, { includeErrorInReport: true });
  });

  it('says how many messages are new after each page, and when the last one that was read was sent', async () => {
    const message = (at: number) => messageOf(`m${at}`, '', { sendTime: at * 1000 });
    const archive = openArchive();
    const chat = archive.addChat(CHAT);
    archive.addPage(chat, jsonsOf([message(1), message(2)]));
    // The service has lost what is around the gap, but not the gap.
    const answers: Record<string, number[]> = {
      'latest 100': [9, 8, 8],
      'm8 before 100': [8, 7],
      'm7 before 100': [7],
      'm2 after 100': [4, 3, 2],
      'm4 after 100': [4],
      'm1 before 100': [1],
    };
    const asked = (page: Page) =>
      'latest' in page
        ? `latest ${page.latest}`
        : `${page.anchor} ${page.before ? `before ${page.before}` : `after ${page.after}`}`;
    const list = async (page: Page) =>
      (answers[asked(page)] ?? assert.fail(asked(page))).map((at) => v.parse(Listed, message(at)));
    const pages: string[] = [];
    const added = await catchUp(
      chat,
      {
        archive: remote(archive),
        list,
        onPage: (count, reached) => pages.push(`${count} new, at ${reached}`),
        now: () => 77,
      },
      new AbortController().signal,
    );
    assert.equal(added, 5);
    assert.deepEqual(pages, [
      '2 new, at 8000',
      '3 new, at 7000',
      '3 new, at 7000',
      '5 new, at 4000',
      '5 new, at 4000',
      '5 new, at 1000',
    ]);
    assert.deepEqual(idsOf(archive.latest(chat, 9)), ['m9', 'm8', 'm7', 'm4', 'm3', 'm2', 'm1']);
    assert.equal(archive.chats()[0]?.checkedAt, 77);
    assert.equal(archive.chats()[0]?.openGaps, 0);
  });

  it('knows a gap that the service refuses to fill, and tries again', async () => {
    const chat = new ModelChat({ limit: 1000, time: (at) => 1000 + at });
    for (let count = 0; count < 150; count++) chat.send(undefined);
    const archive = openArchive();
    const number = archive.addChat(CHAT);
    let isRefused = true;
    const options: ArchiverOptions = {
      archive: remote(archive),
      list: async (page) => (isRefused && !('latest' in page) ? Promise.reject(noSuchMessage()) : chat.list(page)),
      onPage() {},
      now: () => 77,
    };
    const { signal } = new AbortController();
    assert.equal(await catchUp(number, options, signal), 100);
    assert.equal(archive.chats()[0]?.lostGaps, 1);
    isRefused = false;
    assert.equal(await catchUp(number, options, signal), 50);
    assert.equal(archive.chats()[0]?.lostGaps, 0);
  });
});
