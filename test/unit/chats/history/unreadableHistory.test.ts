import assert from 'node:assert/strict';
import { onMessages } from '../../answers.ts';
import { settled } from '../../deferred.ts';
import { startService } from '../../test-service.ts';
import { BOT, GROUP, gapIn, isIdle, SHOP, usePanels } from './panels.ts';
import { holdLists } from './test-page.ts';

describe('A history that its panel may not read', () => {
  const panels = usePanels();
  const { backFrom, idsOf, open, ranges, read } = panels;
  /** The next message to the user. */
  const nextSaid = () => new Promise<string>((resolve) => void onMessages((message) => void resolve(message)));

  it('says without a request that there is no token, and continues once one is set', async () => {
    await panels.tokens.remove(panels.opened, BOT);
    const { page } = open();
    page.send({ type: 'ready' });
    await page.until(() => page.newer?.at === 'failed' && page.messagesOf('heading').length > 0);
    assert.deepEqual(page.newer, { at: 'failed', text: `No token is saved for bot ${BOT}.`, fix: 'setToken' });
    assert.deepEqual(panels.said, []);
    page.posted.length = 0;
    page.send({ type: 'setToken' });
    await settled();
    // The user has canceled.
    assert.deepEqual(panels.tokenRequests, [BOT]);
    assert.deepEqual(page.posted, []);
    assert.deepEqual(ranges(), []);
    panels.typed = panels.token();
    page.send({ type: 'setToken' });
    await page.until(() => page.newer?.at === 'open');
    assert.deepEqual(page.keys, (await idsOf()).slice(-50));
    assert.deepEqual(panels.tokenRequests, [BOT, BOT]);
    assert.deepEqual([page.older, page.newer], [{ at: 'open' }, { at: 'open' }]);
  });

  it('says wherever it is loaded that the token is refused, and loads all of it once another one is set', async () => {
    const refused = {
      at: 'failed',
      text: 'The service returned error 1003: “非法token”. The token is wrong.',
      fix: 'setToken',
    };
    const { page, session } = await read({ id: SHOP });
    const ids = await idsOf(SHOP);
    await session.goTo(ids[100] ?? '');
    await page.until(() => page.items.length === 102);
    await panels.tokens.set(panels.opened, BOT, 'not-a-token');
    page.send({ type: 'older' });
    page.send({ type: 'gap', id: gapIn(page).id, from: 'older' });
    page.send({ type: 'newer' });
    await page.until(() => page.newer?.at === 'failed');
    assert.deepEqual([page.older, gapIn(page).edge, page.newer], [refused, refused, refused]);
    panels.typed = panels.token();
    page.send({ type: 'setToken' });
    await page.until(() =>
      [page.older, gapIn(page).edge, page.newer].every((edge) => edge?.at !== 'failed' && edge?.at !== 'loading'),
    );
    assert.deepEqual(page.keys, [...ids.slice(25, 176), '…', ...ids.slice(-50)]);
  });

  it('never exposes a token to its page, the log or the user', async () => {
    const { page, session } = await read();
    panels.service.sandbox.setFaults({ faults: [{ on: 'messages', fault: 'html', status: 403, times: 2 }] });
    page.send({ type: 'older' });
    await page.until(() => page.older?.at === 'failed');
    assert.match(JSON.stringify(page.older), /token=\*\*\*/);
    const shown = nextSaid();
    page.send({ type: 'goTo', msgId: 'nosuch' });
    assert.match(await shown, /token=\*\*\*/);
    await assert.rejects(session.goTo('nosuch'));
    assert.match(panels.lines.join('\n'), /token=\*\*\*/);
    const stored = panels.memory.keys().map((key) => panels.memory.get(key));
    const exposed = JSON.stringify([page.posted, page.htmls, panels.lines, await shown, stored]);
    assert.ok(!exposed.includes(panels.token()) && !exposed.includes('sandbox-token'));
  });

  describe('because another service is connected', () => {
    const elsewhere = 'https://elsewhere.example/api';
    const text = `This history belongs to ${elsewhere}. Connect to that service to continue.`;

    it('sends no request, saves no token, and says why', async () => {
      const { page, session } = open({ service: elsewhere });
      page.send({ type: 'ready' });
      await page.until(() => page.newer?.at === 'failed' && page.messagesOf('heading').length > 0);
      assert.deepEqual(page.newer, { at: 'failed', text });
      assert.deepEqual(page.messagesOf('heading'), [
        { type: 'heading', name: GROUP, summary: '', readAs: BOT, service: 'elsewhere.example/api' },
      ]);
      page.send({ type: 'profile', kind: 'user', id: '7058314' });
      await page.until(() => page.messagesOf('profile').length > 0);
      assert.deepEqual(page.messagesOf('profile')[0]?.profile.failure, text);
      await assert.rejects(session.goTo('x'), { message: text });
      const shown = nextSaid();
      page.send({ type: 'setToken' });
      assert.equal(await shown, text);
      assert.deepEqual(panels.tokenRequests, []);
      assert.deepEqual(panels.service.requests, []);
      assert.deepEqual(panels.memory.keys(), []);
    });

    it('keeps its messages', async () => {
      const { page } = await read();
      const before = page.keys;
      const other = await startService();
      page.send({ type: 'newer' });
      await page.until(() => page.newer?.at === 'failed');
      assert.deepEqual(page.keys, before);
      assert.deepEqual(other.requests, []);
      assert.ok(page.newer?.at === 'failed' && page.newer.text.includes(panels.opened.address));
      await backFrom(other);
    });

    it('reports none of its IDs to that service', async () => {
      const { page } = await read();
      panels.mentioned.length = 0;
      const { begun, answer: list } = holdLists(panels.service);
      page.send({ type: 'older' });
      await begun;
      const other = await startService();
      list.resolve(undefined);
      await page.until(() => isIdle(page) && page.items.length > 50);
      for (let turn = 0; turn < 10; turn++) await settled();
      await backFrom(other);
      assert.deepEqual(panels.mentioned, []);
    });
  });
});
