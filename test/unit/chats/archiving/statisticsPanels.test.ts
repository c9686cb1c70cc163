import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env, type SaveDialogOptions, Uri, type window } from 'vscode';
import { ArchiveError } from '../../../../src/chats/archive/archiveError.ts';
import type { RemoteArchive } from '../../../../src/chats/archive/remote.ts';
import { ArchivedPages } from '../../../../src/chats/archiving/archivedPages.ts';
import { StatisticsPanels, statisticsCsv } from '../../../../src/chats/archiving/statisticsPanels.ts';
import { formatDateTime } from '../../../../src/presentation/formats.ts';
import type { SearchQuery } from '../../../../src/protocol/search.ts';
import { type FromStatisticsPage, type Statistics, ToStatisticsPage } from '../../../../src/protocol/statistics.ts';
import { temporaryFolder } from '../../../host/temporary.ts';
import { answer, onMessages } from '../../answers.ts';
import { settled } from '../../deferred.ts';
import { PanelPage, panelTab, usePages } from '../../panelPage.ts';
import { newHost } from '../../test-host.ts';
import { CHAT, jsonsOf, messageOf } from '../archive/archives.ts';
import { archiveInProcess } from './archiveInProcess.ts';

const VIEW = 'botChats.statistics';
const OTHER = { ...CHAT, id: '100000002' };

describe('The statistics of an archived chat', () => {
  const pages = usePages((title) => new PanelPage<ToStatisticsPage, FromStatisticsPage>(ToStatisticsPage, title));
  let archive: RemoteArchive;
  let host: ReturnType<typeof newHost>;
  let panels: StatisticsPanels;
  let chat: number;
  let other: number;
  let searched: SearchQuery[];
  let said: string[];
  /** Does something else than the archive. */
  let instead: Partial<RemoteArchive>;

  beforeEach(async () => {
    const thread = archiveInProcess();
    archive = thread.archive;
    chat = await archive.addChat(CHAT);
    other = await archive.addChat(OTHER);
    const at = (msgId: string, time: string) => messageOf(msgId, 'hi', { sendTime: Date.parse(time) });
    await archive.addPage(chat, jsonsOf([at('a', '2024-03-04T18:14Z'), at('b', '2024-03-04T18:15Z')]));
    host = newHost();
    said = onMessages();
    searched = [];
    instead = {};
    panels = newPanels();
  });

  function newPanels(): StatisticsPanels {
    const changed = new Proxy(archive, { get: (all, name: keyof RemoteArchive) => instead[name] ?? all[name] });
    const thread = { archive: changed, exists: async () => true };
    const controller = {
      thread,
      pages: new ArchivedPages(thread),
      choose: async (numbers: ReadonlySet<number>) =>
        (await archive.chats()).filter(({ number }) => numbers.has(number)),
      namesOf: async () => ({ name: 'My shop', otherName: 'The shop', botName: 'Order Desk' }),
    };
    return new StatisticsPanels(VIEW, host, controller as never, async (query) => void searched.push(query));
  }

  /** Shows the statistics of the chat. */
  async function show() {
    await panels.show(new Set([chat]));
    const page = pages.last;
    page.send({ type: 'ready' });
    await page.receivedOne('statistics');
    return page;
  }
  type Page = Awaited<ReturnType<typeof show>>;
  const days = (page: Page) => page.last('statistics')?.statistics.days;
  /** What the page asks for, which ends without an answer. */
  async function ask(page: Page, message: FromStatisticsPage): Promise<void> {
    page.send(message);
    await settled();
    await settled();
  }

  it('begin with the name of the chat and until when it is archived', async () => {
    const page = await show();
    assert.deepEqual(page.types, ['loading', 'heading', 'statistics']);
    assert.deepEqual(page.last('heading'), { type: 'heading', name: 'My shop', summary: 'incomplete' });
    assert.equal(page.title, 'Statistics of My shop');
    assert.equal(page.last('statistics')?.statistics.total, 2);
  });

  it('are counted by the days of the time zone of the page, also when they are counted again', async () => {
    const page = await show();
    // 2024-03-04
    assert.deepEqual(days(page), [{ day: 19_786, count: 2 }]);
    const inKathmandu = [
      { day: 19_786, count: 1 },
      { day: 19_787, count: 1 },
    ];
    await page.ask({ type: 'ready', timeZone: 'Asia/Kathmandu' }, 'statistics');
    assert.deepEqual(days(page), inKathmandu);
    const at = Date.parse('2026-11-26T12:00Z');
    await archive.addLatest(chat, jsonsOf([messageOf('b', 'hi'), messageOf('c', 'hi', { sendTime: at })]), at);
    await page.ask({ type: 'update' }, 'statistics');
    assert.deepEqual(days(page), [...inKathmandu, { day: 20_783, count: 1 }]);
    assert.equal(page.last('heading')?.summary, `Archived until ${formatDateTime(at)}, incomplete`);
  });

  it('are copied and saved as CSV, in a file with the name that others know the chat by', async () => {
    const page = await show();
    await ask(page, { type: 'copyCsv' });
    const csv = await env.clipboard.readText();
    assert.match(csv, /^"Section","Label","Count"\r\n"Messages","","2"\r\n/);
    const file = join(await temporaryFolder('statistics'), 'chosen.csv');
    let dialog: SaveDialogOptions = {};
    answer('showSaveDialog', (async (options) => {
      dialog = options ?? {};
      return Uri.file(file);
    }) as typeof window.showSaveDialog);
    page.send({ type: 'saveCsv' });
    while (!existsSync(file)) await settled();
    assert.equal(await readFile(file, 'utf8'), `\uFEFF${csv}`);
    assert.equal(dialog.title, 'Save as CSV');
    assert.deepEqual(dialog.filters, { CSV: ['csv'] });
    assert.match(dialog.defaultUri?.path ?? '', /\/The shop \d{4}-\d\d-\d\d\.csv$/);
  });

  it('search the chat for what a part of a picture stands for', async () => {
    const page = await show();
    await ask(page, { type: 'search', query: { text: '', sender: 'user 3000001' } });
    assert.deepEqual(searched, [{ text: '', sender: 'user 3000001', chat, order: 'newest' }]);
    await archive.removeChat(chat);
    await ask(page, { type: 'search', query: { text: '' } });
    assert.deepEqual(said, ["This chat isn't archived anymore."]);
    assert.equal(searched.length, 1);
  });

  it('say why they fail', async () => {
    const page = await show();
    instead.statistics = () => Promise.reject(new ArchiveError('busy'));
    await page.ask({ type: 'update' }, 'failed');
    assert.equal(page.last('failed')?.text, 'Another window is using the archive. Try again in a moment.');
    instead = {};
    await archive.removeChat(chat);
    await page.ask({ type: 'update' }, 'failed');
    assert.equal(page.last('failed')?.text, "This chat isn't archived anymore.");
  });

  it('are no CSV before they are counted, and are not counted to the end once the panel is closed', async () => {
    await panels.show(new Set([chat]));
    await env.clipboard.writeText('before');
    await ask(pages.last, { type: 'copyCsv' });
    assert.equal(await env.clipboard.readText(), '');
    instead.statistics = () => assert.fail('counted');
    pages.last.send({ type: 'ready' });
    pages.last.close();
    await settled();
    await settled();
    assert.deepEqual(
      pages.last.posted.map(({ type }) => type),
      ['loading'],
    );
  });

  it('have a panel for each chat, which is shown again', async () => {
    await panels.show(new Set([chat, other]));
    assert.deepEqual(pages.types, [VIEW, VIEW]);
    await panels.show(new Set([other]));
    assert.equal(pages.opened.length, 2);
    assert.deepEqual(
      pages.opened.map(({ reveals }) => reveals),
      [0, 1],
    );
    pages.last.close();
    await panels.show(new Set([other]));
    assert.equal(pages.opened.length, 3);
  });

  it('are restored after a reload, once for each chat', async () => {
    const restored = pages.restored();
    panels.restore(restored.panel, { place: CHAT });
    restored.send({ type: 'ready' });
    await restored.receivedOne('statistics');
    assert.equal(restored.title, 'Statistics of My shop');
    for (const state of [{ place: CHAT }, { place: 'of another version' }, undefined]) {
      const page = pages.restored();
      panels.restore(page.panel, state);
      assert.equal(page.isOpen, false, JSON.stringify(state));
    }
    await panels.show(new Set([chat]));
    assert.equal(pages.opened.length, 0);
    assert.equal(restored.reveals, 1);
  });

  it('are found in their tab from before a reload', async () => {
    await show();
    pages.tabs.show([panelTab(VIEW, 'Statistics of My shop')]);
    panels = newPanels();
    const restored = pages.restored('Statistics of My shop');
    pages.tabs.onShown = () => panels.restore(restored.panel, { place: CHAT });
    await panels.show(new Set([chat]));
    assert.equal(pages.opened.length, 1);
    assert.equal(restored.reveals, 1);
  });
});

/** Statistics of nothing, but for what is given. */
const statisticsOf = (more: Partial<Statistics> = {}): Statistics => {
  const none = { top: [], others: { names: 0, count: 0 } };
  return {
    total: 0,
    unreadable: 0,
    withoutTime: 0,
    days: [],
    hours: Array.from({ length: 7 }, () => Array<number>(24).fill(0)),
    senders: none,
    kinds: none,
    commands: none,
    withButtons: 0,
    buttons: none,
    buttonsIn: 0,
    ...more,
  };
};

describe('Statistics as CSV', () => {
  /** The lines, but for hours without messages. */
  const linesOf = (more: Partial<Statistics>, language = 'en') =>
    statisticsCsv(statisticsOf(more), language)
      .split('\r\n')
      .filter((line) => !/:00","0"$/.test(line));
  const ranking = <T>(top: T[], names = 0, count = 0) => ({ top, others: { names, count } });

  it('have a line for each value', () => {
    const hours = statisticsOf().hours;
    hours[0]?.splice(12, 1, 2);
    hours[6]?.splice(23, 1, 1);
    const all: Partial<Statistics> = {
      total: 4,
      unreadable: 1,
      withoutTime: 2,
      withButtons: 3,
      days: [
        { day: 19_786, count: 1 },
        { day: 19_787, count: 2 },
      ],
      hours,
      senders: ranking([{ sender: 'user 3000001', type: 'user', id: '3000001', name: '=Ana, "A"', count: 2 }], 2, 5),
      kinds: ranking([{ kind: 'image', count: 1 }]),
      commands: ranking([{ name: '/menu', count: 1 }], 1, 1),
      buttons: ranking([{ text: 'Yes', count: 6 }]),
    };
    assert.deepEqual(linesOf(all), [
      '"Section","Label","Count"',
      '"Messages","","4"',
      '"Unreadable","","1"',
      '"Without a time","","2"',
      '"With buttons","","3"',
      '"Messages by Day","2024-03-04","1"',
      '"Messages by Day","2024-03-05","2"',
      '"Messages by Weekday and Hour","Monday 12:00","2"',
      '"Messages by Weekday and Hour","Sunday 23:00","1"',
      `"Messages by Sender","'=Ana, ""A"" (user 3000001)","2"`,
      '"Messages by Sender","2 others","5"',
      '"Messages by Type","image","1"',
      '"Commands by Name","/menu","1"',
      '"Commands by Name","1 other","1"',
      '"Buttons by Text","Yes","6"',
      '',
    ]);
  });

  it('have a line for each hour of the week, by the names of its days', () => {
    const labels = (language: string) =>
      statisticsCsv(statisticsOf(), language)
        .split('\r\n')
        .flatMap((line) => /Hour","(.*)","0"$/.exec(line)?.[1] ?? []);
    assert.equal(labels('en').length, 168);
    assert.deepEqual(labels('en').slice(0, 2), ['Monday 00:00', 'Monday 01:00']);
    assert.deepEqual(labels('zh-cn').slice(-2), ['周日 22:00', '周日 23:00']);
  });
});
