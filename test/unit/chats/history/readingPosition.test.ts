import assert from 'node:assert/strict';
import * as v from 'valibot';
import { Store } from '../../../../src/platform/store.ts';
import type { BotChat } from '../../../../src/protocol/botChat.ts';
import type { Page } from '../../../../src/service/client.ts';
import { Listed } from '../../../../src/service/message.ts';
import { onMessages } from '../../answers.ts';
import { settled } from '../../deferred.ts';
import { BOT, GROUP, isIdle, SHOP, usePanels } from './panels.ts';
import { sendTo } from './test-page.ts';

describe('Where a history is read', () => {
  const panels = usePanels();
  const { idsOf, open, ranges, read, whole } = panels;

  describe('is restored', () => {
    it('at the old message that was being read, and loads only the messages around it and the newest', async () => {
      const { page } = open({ id: SHOP });
      const ids = await idsOf(SHOP);
      page.send({ type: 'ready', reading: ids[100] });
      await page.until(() => page.keys.includes(ids[100] ?? ''));
      assert.deepEqual(page.keys, [...ids.slice(75, 126), '…', ...ids.slice(-50)]);
      assert.deepEqual(page.messagesOf('show'), []);
      assert.deepEqual(page.messagesOf('lost'), []);
      assert.deepEqual(ranges(), [
        [null, '50', null],
        [ids[100], '25', '25'],
      ]);
    });

    it('without a further request if the message is among the newest', async () => {
      const { page } = open();
      page.send({ type: 'ready', reading: (await idsOf()).at(-30) });
      await page.until(() => isIdle(page) && page.items.length > 0 && page.messagesOf('heading').length > 0);
      await settled();
      assert.equal(page.items.length, 50);
      assert.deepEqual(ranges(), [[null, '50', null]]);
      assert.deepEqual(page.messagesOf('lost'), []);
    });

    it('unless the message no longer exists, which only the page is told', async () => {
      const { page } = open();
      page.send({ type: 'ready', reading: 'f'.repeat(32) });
      await page.until(() => page.messagesOf('lost').length > 0);
      assert.deepEqual(page.keys, (await idsOf()).slice(-50));
      assert.equal(page.messagesOf('lost').length, 1);
      assert.deepEqual(panels.said, []);
      assert.deepEqual(panels.lines, []);
    });

    it('as soon as the service is reachable again', async () => {
      const ids = await idsOf(SHOP);
      const isDown = { faults: [{ on: 'messages', fault: 'code', code: 1005 } as const] };
      panels.service.sandbox.setFaults(isDown);
      const { page } = open({ id: SHOP });
      page.send({ type: 'ready', reading: ids[100] });
      await page.until(() => page.newer?.at === 'failed');
      panels.service.sandbox.setFaults(undefined);
      page.send({ type: 'newer' });
      await page.until(() => page.keys.includes(ids[100] ?? ''));
      assert.deepEqual(page.keys, [...ids.slice(75, 126), '…', ...ids.slice(-50)]);
      assert.deepEqual(page.messagesOf('lost'), []);
    });
  });

  describe('is remembered:', () => {
    const marked = () => {
      const { msgId, sendTime } = new Store(panels.memory).get('readMarks')[0] ?? {};
      return { msgId, sendTime };
    };
    const remember = (mark: object) =>
      panels.memory.update('readMarks', [
        { service: panels.opened.address, kind: 'group', id: GROUP, botId: BOT, ...mark },
      ]);
    const newest = async () => {
      const { msgId = '', sendTime = 0 } = (await whole()).at(-1) ?? {};
      return { msgId, sendTime };
    };

    it('the newest visible message, for the next time', async () => {
      const { page } = await read();
      const mark = await newest();
      assert.deepEqual(marked(), mark);
      assert.deepEqual(panels.seen.at(-1), [GROUP, mark]);
      assert.deepEqual(page.messagesOf('seen'), []);
      page.close();
      const { page: again } = await read();
      assert.deepEqual(again.posted[0], { type: 'seen', ...mark });
    });

    it('what the watch of the chat had seen, until it is read for the first time', async () => {
      const { msgId = '', sendTime = 0 } = (await whole()).at(-3) ?? {};
      const watch = (botId: string, kind = 'group') =>
        panels.memory.update('watched', [
          { service: panels.opened.address, kind, id: GROUP, botId, seen: { msgId, sendTime } },
        ]);
      await watch('30527740', 'user');
      const { page: other } = await read();
      assert.deepEqual(other.messagesOf('seen'), []);
      other.close();
      await panels.memory.update('readMarks', []);
      await watch('30527740');
      const { page } = await read();
      assert.deepEqual(page.messagesOf('seen'), [{ type: 'seen', msgId, sendTime }]);
      const { page: again } = await read();
      assert.deepEqual(again.messagesOf('seen'), [{ type: 'seen', ...(await newest()) }]);
    });

    it('what was read when the panel was opened is marked, however often its page is reloaded', async () => {
      const before = await newest();
      await remember(before);
      await sendTo(panels.service.sandbox, GROUP, 'news');
      const { page } = await read();
      assert.deepEqual(marked(), await newest());
      page.setVisible(false);
      page.setVisible(true);
      page.send({ type: 'ready' });
      await page.until(() => page.items.length === 50);
      assert.deepEqual(page.messagesOf('seen'), [
        { type: 'seen', ...before },
        { type: 'seen', ...before },
      ]);
    });

    it('not while the panel is hidden, but once it is visible again', async () => {
      const { page, session } = await read();
      const before = await newest();
      page.setVisible(false);
      panels.seen.length = 0;
      await sendTo(panels.service.sandbox, GROUP, 'unseen');
      await session.timeline.loadNewer();
      assert.deepEqual(panels.seen, []);
      assert.deepEqual(marked(), before);
      page.setVisible(true);
      assert.deepEqual(panels.seen, [[GROUP, await newest()]]);
      assert.deepEqual(marked(), await newest());
    });

    it('not while the user reads older messages, but once the newest is visible again', async () => {
      const { page, session } = await read();
      const before = await newest();
      page.send({ type: 'atNewest', is: false });
      panels.seen.length = 0;
      await sendTo(panels.service.sandbox, GROUP, 'below');
      await session.timeline.loadNewer();
      assert.deepEqual(panels.seen, []);
      assert.deepEqual(marked(), before);
      page.send({ type: 'atNewest', is: true });
      assert.deepEqual(panels.seen, [[GROUP, await newest()]]);
      assert.deepEqual(marked(), await newest());
    });

    it('not an older message at which the history was opened, while the newest ones can’t be loaded', async () => {
      const before = await newest();
      await remember(before);
      const raw = (await whole()).slice(0, 51);
      const around = raw.map((one) => v.parse(Listed, one)).reverse();
      const isDown = { faults: [{ on: 'messages', fault: 'code', code: 1005 } as const] };
      panels.service.sandbox.setFaults(isDown);
      const archive = { list: async (_: BotChat, page: Page) => ('latest' in page ? undefined : around) };
      const { page, session } = open({}, { archive, opensAt: raw[25]?.msgId ?? '' });
      page.send({ type: 'ready' });
      await page.until(() => page.newer?.at === 'failed' && page.items.length > 0);
      page.send({ type: 'atNewest', is: true });
      assert.deepEqual(panels.seen, []);
      assert.deepEqual(marked(), before);
      panels.service.sandbox.setFaults(undefined);
      await session.timeline.loadNewer();
      assert.deepEqual(panels.seen.at(-1), [GROUP, before]);
      assert.deepEqual(marked(), before);
    });

    it('not what an archive has as the newest if a later one was read before', async () => {
      const before = await newest();
      await remember(before);
      const raw = (await whole()).slice(0, 60);
      const kept = raw.map((one) => v.parse(Listed, one)).reverse();
      const isDown = { faults: [{ on: 'messages', fault: 'html', status: 503 } as const] };
      panels.service.sandbox.setFaults(isDown);
      const archive = { list: async (_: BotChat, page: Page) => ('latest' in page ? kept.slice(0, 50) : kept) };
      const { page, session } = open({}, { archive });
      page.send({ type: 'ready' });
      await page.until(() => isIdle(page) && page.items.length > 0);
      assert.deepEqual(marked(), before);
      panels.service.sandbox.setFaults(undefined);
      await sendTo(panels.service.sandbox, GROUP, 'news');
      await session.timeline.loadNewer();
      assert.deepEqual(marked(), await newest());
    });

    it('not if the page restores a position at older messages', async () => {
      const { page } = open({ id: SHOP });
      const ids = await idsOf(SHOP);
      page.send({ type: 'ready', reading: ids[100] });
      // As the page reports it after it has shown the newest message.
      page.send({ type: 'atNewest', is: false });
      await page.until(() => page.keys.includes(ids[100] ?? ''));
      assert.deepEqual(panels.seen, []);
      assert.deepEqual(panels.memory.keys(), []);
    });
  });

  describe('moves to a message', () => {
    it('that is loaded or not, with those around it', async () => {
      const { page, session } = await read({ id: SHOP });
      const ids = await idsOf(SHOP);
      const shown = () => page.messagesOf('show').map(({ key }) => key);
      page.send({ type: 'goTo', msgId: ids[60] });
      await page.until(() => shown().length === 1);
      assert.deepEqual(page.keys, [...ids.slice(35, 86), '…', ...ids.slice(-50)]);
      await session.goTo(ids.at(-20) ?? '');
      await page.until(() => shown().length === 2);
      assert.deepEqual(shown(), [ids[60], ids.at(-20)]);
    });

    it('asked for while its page is hidden or loading, once that has all messages', async () => {
      const { page, panel, session } = await read({ id: SHOP });
      const ids = await idsOf(SHOP);
      const hide = () => {
        page.setVisible(false);
        page.setVisible(true);
      };
      for (const [reload, reading] of [
        [hide, ids.at(-40)],
        [() => panel.reload(), undefined],
      ] as const) {
        const before = page.posted.length;
        reload();
        await session.goTo(ids.at(-10) ?? '');
        await session.goTo(ids.at(-20) ?? '');
        page.send({ type: 'ready', reading });
        const shown = () => page.posted.slice(before).some(({ type }) => type === 'show');
        await page.until(() => page.items.length === 50 && shown());
        const since = page.posted
          .slice(before)
          .map((message) => (message.type === 'show' ? message.key : message.type));
        assert.deepEqual(
          since.filter((one) => one === 'splice' || ids.includes(one)),
          ['splice', ids.at(-20)],
        );
      }
    });

    it('once: a page that is loaded again stays where it was read', async () => {
      const { page, panel, session } = await read({ id: SHOP });
      const ids = await idsOf(SHOP);
      await session.goTo(ids.at(-20) ?? '');
      panel.reload();
      page.send({ type: 'ready', reading: ids.at(-30) });
      await page.until(() => page.items.length === 50 && isIdle(page));
      await settled();
      assert.equal(page.messagesOf('show').length, 1);
    });

    it("unless the service rejects it: shows and logs the service's error, and changes nothing", async () => {
      const { page, session } = await read();
      const before = page.keys;
      const shown = new Promise<string>((resolve) => {
        onMessages((message) => void resolve(message));
      });
      page.send({ type: 'goTo', msgId: 'nosuch' });
      assert.equal(
        await shown,
        "The service returned error -1: “消息不存在或无权限修改”. The message doesn't exist, or the bot has no access to it.",
      );
      assert.deepEqual(page.keys, before);
      assert.deepEqual(page.messagesOf('show'), []);
      assert.match(panels.lines.join('\n'), /code -1: 消息不存在或无权限修改/);
      await assert.rejects(session.goTo('nosuch'), /code -1/);
    });

    it('unless the service lists other messages instead', async () => {
      const { page, session } = await read();
      const before = page.keys;
      panels.service.instead = async () => Response.json({ code: 1, msg: 'success', data: { list: [], total: 0 } });
      await assert.rejects(session.goTo('nosuch'), {
        name: 'UserFacingError',
        message: "Message nosuch wasn't found in this chat.",
      });
      assert.deepEqual(page.keys, before);
      assert.deepEqual(page.messagesOf('show'), []);
    });
  });
});
