import assert from 'node:assert/strict';
import * as v from 'valibot';
import type { BotChat } from '../../../../src/protocol/botChat.ts';
import type { Page } from '../../../../src/service/client.ts';
import { Listed } from '../../../../src/service/message.ts';
import { answer } from '../../answers.ts';
import { deferred, settled } from '../../deferred.ts';
import { configure } from '../../test-service.ts';
import { BOT, GROUP, gapIn, isIdle, SHOP, usePanels } from './panels.ts';
import { holdLists, sendTo, type TestPage } from './test-page.ts';

/** Messages as the service lists them: newest first. */
const listed = (raw: readonly object[]) => raw.map((one) => v.parse(Listed, one)).reverse();

describe('A history panel', () => {
  const panels = usePanels();
  const { idsOf, open, ranges, read, whole } = panels;

  it('shows the newest messages, oldest first and each once, and the names of the chat and the bot', async () => {
    const { page, session } = await read();
    const newest = (await whole()).slice(-50);
    assert.deepEqual(
      page.items.map((item) => item.type === 'message' && [item.key, item.message.senderId, item.message.content.text]),
      newest.map(({ msgId, senderId, content }) => [msgId, senderId, content.text]),
    );
    assert.deepEqual([page.older, page.newer], [{ at: 'open' }, { at: 'open' }]);
    assert.deepEqual(page.messagesOf('heading').at(-1), {
      type: 'heading',
      name: '后山徒步队',
      summary: '58 members',
      readAs: 'Order Desk',
      service: panels.service.sandbox.openApiUrl.replace('http://', ''),
    });
    assert.equal(session.name, '后山徒步队');
    assert.equal(session.botName, 'Order Desk');
    assert.deepEqual(ranges(), [[null, '50', null]]);
  });

  it('reports the IDs of the chat, the bot and the senders', async () => {
    await read();
    const newest = (await whole()).slice(-50);
    const senders = newest.map(({ senderId }) => `${senderId.length === 8 ? 'bot' : 'user'} ${senderId}`);
    assert.deepEqual(new Set(panels.mentioned), new Set([`group ${GROUP}`, `bot ${BOT}`, ...senders]));
  });

  it('requests the newest page while VS Code creates the panel, and no other', async () => {
    const { page, session } = open();
    while (ranges().length === 0) await settled();
    page.send({ type: 'ready' });
    await page.until(() => isIdle(page) && page.items.length === 50);
    assert.deepEqual(ranges(), [[null, '50', null]]);
    assert.equal(session.entry((await idsOf()).at(-1) ?? '')?.readable, true);
  });

  it('shows an error that occurred while VS Code created the panel', async () => {
    panels.service.sandbox.setFaults({ faults: [{ on: 'messages', fault: 'code', code: 1003, msg: 'no', times: 1 }] });
    const { page } = open();
    while (ranges().length === 0) await settled();
    page.send({ type: 'ready' });
    await page.until(() => page.newer?.at === 'failed');
    assert.equal(ranges().length, 1);
  });

  it('says how many new messages of others have arrived, but not which others were loaded', async () => {
    const { page, session } = await read();
    await session.goTo((await idsOf())[5] ?? '');
    page.send({ type: 'gap', id: gapIn(page).id, from: 'older' });
    await page.until(() => page.items.length > 100);
    assert.deepEqual(page.messagesOf('arrived'), []);
    for (const text of ['one', 'two']) await sendTo(panels.service.sandbox, GROUP, text);
    await session.timeline.loadNewer();
    await sendTo(panels.service.sandbox, GROUP, 'three');
    await session.timeline.loadNewer();
    await session.timeline.loadNewer();
    assert.deepEqual(page.messagesOf('arrived'), [
      { type: 'arrived', count: 2 },
      { type: 'arrived', count: 1 },
    ]);
    await sendTo(panels.service.sandbox, GROUP, 'of its own', BOT);
    await session.timeline.loadNewer();
    page.setVisible(false);
    await sendTo(panels.service.sandbox, GROUP, 'unseen');
    await session.timeline.loadNewer();
    page.setVisible(true);
    page.send({ type: 'ready' });
    await page.until(() => page.items.length > 0);
    assert.equal(page.messagesOf('arrived').length, 2);
  });

  it('doesn’t say that the newest messages have arrived if it was opened at an older one', async () => {
    const around = listed((await whole()).slice(0, 51));
    const archive = { list: async (_: BotChat, page: Page) => ('latest' in page ? undefined : around) };
    const { begun, answer: list } = holdLists(panels.service);
    const { page, session } = open({}, { archive, opensAt: (await idsOf())[25] ?? '' });
    page.send({ type: 'ready' });
    await page.until(() => page.items.length > 0);
    await begun;
    list.resolve(undefined);
    await page.until(() => page.items.length === 102);
    assert.deepEqual(page.messagesOf('arrived'), []);
    await sendTo(panels.service.sandbox, GROUP, 'one');
    await session.timeline.loadNewer();
    assert.deepEqual(page.messagesOf('arrived'), [{ type: 'arrived', count: 1 }]);
  });

  it('shows all loaded messages when its page is reloaded, those around the reading position first, without a request', async () => {
    const { page, session } = await read({ id: SHOP });
    await session.loadAll(() => {}, new AbortController().signal);
    const ids = await idsOf(SHOP);
    assert.deepEqual(page.keys, ids);
    page.setVisible(false);
    page.setVisible(true);
    panels.service.requests.length = 0;
    page.posted.length = 0;
    page.send({ type: 'ready', reading: ids[150] });
    await page.until(() => page.items.length === 480 && page.older?.at === 'end');
    assert.deepEqual(page.keys, ids);
    const first = page.messagesOf('splice')[0]?.items.map(({ key }) => key) ?? [];
    assert.ok(first.length <= 200 && first.includes(ids[150] ?? ''), `${first.length}`);
    assert.deepEqual(page.messagesOf('show'), []);
    // Any earlier request would have been answered by now.
    await session.timeline.loadNewer();
    assert.equal(panels.service.requests.length, 1);
    assert.deepEqual(ranges(), [[ids.at(-1), '0', '50']]);
  });

  it('posts nothing to a page that was hidden or reloaded during a load until it is ready', async () => {
    const { page, panel, session } = await read();
    const hide = () => {
      page.setVisible(false);
      page.setVisible(true);
    };
    for (const [make, expected] of [
      [hide, 100],
      [() => panel.reload(), 150],
    ] as const) {
      const { begun, answer: list } = holdLists(panels.service);
      page.send({ type: 'older' });
      await begun;
      make();
      list.resolve(undefined);
      // Any earlier request would have been answered by now.
      await session.timeline.loadNewer();
      assert.deepEqual(page.keys, []);
      assert.equal(page.older, undefined);
      page.send({ type: 'ready' });
      await page.until(() => page.items.length > 0);
      assert.deepEqual(page.keys, (await idsOf()).slice(-expected));
    }
  });

  it('loads what its page asks for: older and newer messages, and those of a gap from either side', async () => {
    const { page, session } = await read({ id: SHOP });
    const ids = await idsOf(SHOP);
    page.send({ type: 'older' });
    await page.until(() => page.items.length === 100);
    assert.deepEqual(page.keys, ids.slice(-100));
    await session.goTo(ids[200] ?? '');
    await page.until(() => page.keys.includes('…'));
    page.send({ type: 'gap', id: gapIn(page).id, from: 'older' });
    await page.until(() => page.items.length === 202 && gapIn(page).edge.at === 'open');
    assert.deepEqual(page.keys, [...ids.slice(175, 276), '…', ...ids.slice(-100)]);
    page.send({ type: 'gap', id: gapIn(page).id, from: 'newer' });
    await page.until(() => page.items.length === 252 && gapIn(page).edge.at === 'open');
    assert.deepEqual(page.keys, [...ids.slice(175, 276), '…', ...ids.slice(-150)]);
    const sent = await sendTo(panels.service.sandbox, SHOP, 'new');
    page.send({ type: 'newer' });
    await page.until(() => page.newer?.at === 'end');
    assert.deepEqual(page.keys, [...ids.slice(175, 276), '…', ...ids.slice(-150), sent]);
  });

  it('loads new messages by itself while it is visible', async () => {
    answer('state', { focused: true, active: true });
    await configure({ 'history.refreshSeconds': 0.02 });
    const { page } = await read();
    const sent = await sendTo(panels.service.sandbox, GROUP, 'by itself');
    await page.until(() => page.keys.at(-1) === sent);
  });

  it('opened at a message shows it from the archive at once, then the newest, and marks nothing read', async () => {
    const all = await whole(SHOP);
    const ids = all.map(({ msgId }) => msgId);
    const around = listed(all.slice(75, 126));
    const archive = { list: async (_: BotChat, page: Page) => ('latest' in page ? undefined : around) };
    const response = deferred<void>();
    panels.service.instead = async ({ url }) => {
      if (url.includes('/messages')) await response.promise;
      return undefined;
    };
    const { page } = open({ id: SHOP }, { archive, opensAt: ids[100] ?? '' });
    assert.ok(page.htmls[0]?.includes(`"${ids[100]}"`), 'the page begins elsewhere');
    page.send({ type: 'ready', reading: ids[100] });
    await page.until(() => page.keys.includes(ids[100] ?? ''));
    assert.deepEqual(page.keys, ids.slice(75, 126));
    response.resolve();
    await page.until(() => page.keys.length > 51);
    assert.deepEqual(page.keys, [...ids.slice(75, 126), '…', ...ids.slice(-50)]);
    assert.deepEqual(ranges(), [[null, '50', null]]);
    assert.deepEqual(panels.seen, []);
  });

  it('leads from what find has found to the rest of the chat', async () => {
    const { page } = await read();
    for (const type of ['loadHistory', 'archiveHere'] as const) page.send({ type });
    page.send({ type: 'searchArchive', text: 'kettle' });
    const botChat = { service: panels.opened.address, kind: 'group', id: GROUP, botId: BOT };
    assert.deepEqual(panels.commandsRun, [
      ['loadHistory'],
      ['archiveHere'],
      ['searchArchivedChat', botChat, { text: 'kettle' }],
    ]);
  });

  it('has the names that the archive knows while its service is not connected', async () => {
    const archive = { namesOf: async () => ({ name: 'The shop', botName: '' }) };
    const { page } = open({ id: SHOP, service: 'https://other.example' }, { archive });
    page.send({ type: 'ready' });
    await page.until(() => page.messagesOf('heading').length > 0);
    const [heading] = page.messagesOf('heading');
    assert.equal(heading?.name, 'The shop');
    assert.equal(heading.readAs, BOT);
  });

  it('keeps the names that the archive knows when something else is looked up', async () => {
    const archive = { namesOf: async () => ({ name: 'The old shop', botName: '' }) };
    const { page } = open({ id: 'gone' }, { archive });
    page.send({ type: 'ready' });
    await page.until(() => page.messagesOf('heading').length > 0);
    await panels.opened.directory.get('user', '7058314');
    assert.equal(page.messagesOf('heading').at(-1)?.name, 'The old shop');
  });

  it('goes on before a gap of the archive while its service is not connected', async () => {
    const all = await whole(SHOP);
    const ids = all.map(({ msgId }) => msgId);
    const archive = {
      list: async (_: BotChat, page: Page) => {
        if ('latest' in page) return listed(all.slice(-50));
        return page.anchor === ids[100] ? listed(all.slice(75, 126)) : undefined;
      },
      beforeGap: async (_: BotChat, msgId: string) => (msgId === ids.at(-50) ? ids[100] : undefined),
    };
    const { page } = open({ id: SHOP, service: 'https://other.example' }, { archive });
    page.send({ type: 'ready' });
    await page.until(() => page.keys.length === 50);
    page.send({ type: 'older' });
    await page.until(() => page.keys.length > 50 && page.older?.at === 'open');
    assert.deepEqual(page.keys, [...ids.slice(75, 126), '…', ...ids.slice(-50)]);
  });

  describe('that is closed', () => {
    /** Closes a panel during a list call that `begin` starts; resolves when everything has settled. */
    async function closeDuring(begin: (shown: Awaited<ReturnType<typeof read>>) => unknown): Promise<TestPage> {
      const shown = await read();
      const { begun, answer: list } = holdLists(panels.service);
      const ended = Promise.allSettled([begin(shown)]);
      const { signal } = await begun;
      const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      shown.page.posted.length = 0;
      shown.page.close();
      await aborted;
      list.resolve(undefined);
      const [{ status }] = await ended;
      assert.equal(status, 'fulfilled');
      for (let turn = 0; turn < 10; turn++) await settled();
      return shown.page;
    }

    it('cancels what it loads, and says nothing', async () => {
      const loads: Parameters<typeof closeDuring>[0][] = [
        ({ page }) => page.send({ type: 'older' }),
        ({ page }) => page.send({ type: 'goTo', msgId: 'a' }),
        ({ session }) => session.goTo('a'),
        ({ session }) => session.loadAll(() => {}, new AbortController().signal),
      ];
      for (const begin of loads) {
        const page = await closeDuring(begin);
        for (const heard of [page.posted, panels.said, panels.lines]) assert.deepEqual(heard, [], `${begin}`);
        panels.service.instead = () => undefined;
      }
    });

    it('before its page is ready sends no request', async () => {
      const { page } = open();
      page.close();
      page.send({ type: 'ready' });
      for (let turn = 0; turn < 10; turn++) await settled();
      assert.deepEqual(page.posted, []);
      assert.deepEqual(ranges(), []);
      assert.deepEqual(panels.said, []);
    });
  });

  describe('loads a page', () => {
    const loadsPictures = ({ html }: TestPage) => html.includes('img-src https: http: data:;');

    it('with images only in chats where the user allows them, as soon as they do', async () => {
      const { page, panel } = open();
      const { page: other } = open({ id: SHOP });
      assert.ok(!loadsPictures(page));
      await configure({ 'history.remoteImagesIn': { groups: [GROUP], people: [SHOP] } });
      panel.reload();
      assert.ok(loadsPictures(page));
      assert.match(page.html, /id="options">\{"page":"history","pictures":true\}</);
      assert.ok(!loadsPictures(other));
      assert.ok(!loadsPictures(open({ id: SHOP }).page));
    });
  });
});
