import assert from 'node:assert/strict';
import { HistoryCommands } from '../../../../src/chats/history/commands/historyCommands.ts';
import type { HistoryPanels } from '../../../../src/chats/history/historyPanels.ts';
import type { HistorySession } from '../../../../src/chats/history/historySession.ts';
import { type } from '../../answers.ts';
import { GROUP, SHOP, usePanels } from './panels.ts';
import { holdLists, type TestPage } from './test-page.ts';

const HOUR = 3_600_000;

describe('Going to a date in a history', () => {
  const panels = usePanels();
  let page: TestPage;
  let session: HistorySession;

  const openIn = async (timeZone: string) => {
    ({ page, session } = await panels.read());
    page.send({ type: 'ready', timeZone });
    await page.until(() => page.items.length > 0);
  };
  const goToDate = (from?: number) =>
    new HistoryCommands({ active: () => session } as HistoryPanels, panels.host).goToDate(from);
  const shown = () => page.messagesOf('show');
  /** The messages of the chat with their days in a time zone this many hours ahead of UTC. */
  const daysAt = async (hours: number) =>
    (await panels.whole(GROUP)).map(({ msgId, sendTime }) => ({
      msgId,
      day: new Date(sendTime + hours * HOUR).toISOString().slice(0, 10),
    }));

  for (const [timeZone, hours] of [
    ['UTC', 0],
    ['Pacific/Kiritimati', 14],
  ] as const) {
    it(`shows its first message at the top, in the time zone of the page (${timeZone})`, async () => {
      await openIn(timeZone);
      const messages = await daysAt(hours);
      const day = messages[60]?.day;
      const boxes = type(` ${day?.replaceAll('-', '/')} `);
      await goToDate();
      const first = messages.find((message) => message.day === day)?.msgId;
      await page.until(() => shown().length > 0);
      assert.deepEqual(shown(), [{ type: 'show', key: first, isAtTop: true }]);
      assert.deepEqual(panels.said, []);
      const { title, value, validateInput } = boxes[0] ?? assert.fail();
      assert.equal(title, 'Go to Date');
      // The day of the oldest loaded message.
      assert.equal(value, messages.at(-50)?.day);
      assert.equal(validateInput?.('9999-12-31'), 'This date is in the future.');
    });

    it(`proposes the day from which it's asked for (${timeZone})`, async () => {
      await openIn(timeZone);
      const boxes = type(undefined);
      await goToDate(Date.UTC(2026, 2, 13, 12));
      assert.equal(boxes[0]?.value, hours < 12 ? '2026-03-13' : '2026-03-14');
    });
  }

  it('names the days of the chat as far as they are known, without a request', async () => {
    await openIn('UTC');
    const days = await daysAt(0);
    const [first, last] = [days[0], days.at(-1)].map((one) =>
      new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(one?.day ?? '')),
    );
    const boxes = type(undefined, undefined);
    await goToDate();
    await session.loadAll(() => {}, new AbortController().signal);
    panels.service.requests.splice(0);
    await goToDate();
    assert.deepEqual(
      boxes.map((box) => box?.prompt),
      [
        `The newest message is from ${last}. Older messages are loaded if needed.`,
        `This chat goes from ${first} to ${last}.`,
      ],
    );
    assert.deepEqual(panels.service.requests, []);
  });

  it("doesn't take the creation of the chat for its first message", async () => {
    ({ page, session } = await panels.read({ id: SHOP }));
    const boxes = type(undefined, undefined);
    await goToDate();
    await session.loadAll(() => {}, new AbortController().signal);
    await goToDate();
    const [open, loaded] = boxes.map((box) => box?.prompt);
    assert.match(
      `${open}`,
      /^This chat was created on January 8, 2024\. The newest message is from .+\. Older messages are loaded if needed\.$/,
    );
    assert.match(`${loaded}`, /^This chat goes from .+, 2026 to .+\.$/);
  });

  it('goes to the next day with messages, if any, and says so', async () => {
    const list = [Date.UTC(2026, 2, 9, 8), Date.UTC(2026, 2, 12, 8)].map((sendTime, index) => {
      return { msgId: `m${index}`, contentType: 'text', content: { text: 'Hi' }, sendTime };
    });
    panels.service.instead = async ({ url }) =>
      new URL(url).pathname.endsWith('/messages')
        ? Response.json({ code: 1, msg: 'success', data: { list: list.toReversed(), total: 2 } })
        : undefined;
    await openIn('UTC');
    for (const day of ['2026-03-10', '2026-03-01', '2026-03-13']) {
      type(day);
      await goToDate();
    }
    assert.deepEqual(panels.said, [
      'There are no messages on March 10, 2026. The next ones are from March 12, 2026.',
      'The message history begins later, on March 9, 2026.',
      'There are no messages on or after March 13, 2026.',
    ]);
    assert.deepEqual(
      shown().map(({ key }) => key),
      ['m1', 'm0'],
    );
  });

  it('says when an archived history begins, also afterward', async () => {
    const [first] = await panels.whole(GROUP);
    const { msgId, sendTime } = first ?? assert.fail();
    const archive = { firstSince: async () => ({ msgId, sendTime, isFirst: true }) };
    ({ page, session } = panels.open({}, { archive }));
    page.send({ type: 'ready', timeZone: 'UTC' });
    await page.until(() => page.items.length > 0);
    const boxes = type('2000-01-01');
    await goToDate();
    const [, begin] = /^This chat goes from (.+) to .+\.$/.exec(`${boxes[0]?.prompt}`) ?? [];
    assert.deepEqual(panels.said, [`The message history begins later, on ${begin}.`]);
  });

  it('says nothing if the panel is closed meanwhile', async () => {
    await openIn('UTC');
    const { begun, answer: list } = holdLists(panels.service);
    type('2000-01-01');
    const going = goToDate();
    await begun;
    page.close();
    list.resolve(undefined);
    await going;
    assert.deepEqual(panels.said, []);
  });
});
