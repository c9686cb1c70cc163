import assert from 'node:assert/strict';
import type { ArchivedChat } from '../../../../src/chats/archive/chatTable.ts';
import { archiveItem } from '../../../../src/chats/archiving/archiveItems.ts';
import type { RunState } from '../../../../src/chats/archiving/archiveRuns.ts';
import { escapeInvisible } from '../../../../src/markup/escapeInvisible.ts';
import { formatDate, formatShortTime } from '../../../../src/presentation/formats.ts';
import { CHAT } from '../archive/archives.ts';

const NOW = new Date(2026, 10, 26, 18).getTime();

describe('The row of an archived chat', () => {
  const rowOf = (changes: Partial<ArchivedChat>, connected: string | undefined = CHAT.service, run?: RunState) => {
    const chat: ArchivedChat = {
      ...{ number: 1, botChat: CHAT, since: undefined, checkedAt: NOW, messages: 480 },
      ...{ name: 'The shop', botName: 'Order Desk', openGaps: 0, lostGaps: 0, apart: 0, imports: [], ...changes },
    };
    const names = { name: escapeInvisible(chat.name), botName: escapeInvisible(chat.botName) };
    const node = { ...CHAT, archived: 1, chat, ...names, run };
    return archiveItem(node, connected, NOW);
  };

  // A narrow sidebar cuts off the rest.
  it('begins with the time until which it is complete, without what goes without saying', () => {
    const [today, earlier] = [new Date(2026, 10, 26, 9, 5).getTime(), new Date(2026, 9, 1, 9, 5).getTime()];
    for (const checkedAt of [today, earlier])
      assert.equal(rowOf({ checkedAt }).description, `${formatShortTime(checkedAt, NOW)} · 480 messages`);
    assert.doesNotMatch(`${rowOf({ checkedAt: today }).description}`, /2026/);
  });

  it('begins with what is missing otherwise, and ends with the service if that is another one', () => {
    assert.equal(rowOf({ openGaps: 1 }).description, 'paused · 480 messages');
    assert.equal(rowOf({ lostGaps: 1 }).description, 'incomplete · 480 messages');
    const other = rowOf({ openGaps: 1 }, 'https://other.example').description;
    assert.equal(other, `paused · 480 messages · ${CHAT.service.replace(/^https?:\/\//, '')}`);
  });

  it('says how far back archiving has come, unless that message has an impossible time', () => {
    const reaching = (reached: number) => rowOf({}, CHAT.service, { isRunning: true, added: 480, reached }).description;
    assert.equal(reaching(NOW), `archiving, back to ${formatDate(NOW)}… · 480 messages`);
    assert.equal(reaching(1.7e18), 'archiving… · 480 messages');
  });

  it('ends a right-to-left name, so that the time beside it stays there', () => {
    const time = formatShortTime(NOW, NOW);
    assert.equal(rowOf({ name: 'المتجر' }).description, `\u200E${time} · 480 messages`);
  });

  it('tells in its tooltip which messages came from which file, and what is only found by searching', () => {
    const imports = [{ name: 'chat.ndjson', at: NOW, messages: 1204 }];
    const { tooltip } = rowOf({ imports, apart: 3 });
    const text =
      typeof tooltip === 'object' ? tooltip.value.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code)) : '';
    assert.match(text, /1,204 messages imported from chat\.ndjson on /);
    assert.match(text, /3 of them are only found by searching/);
    assert.doesNotMatch(`${rowOf({}).description}`, /imported/);
  });

  it('is read out with what the time means', () => {
    assert.equal(rowOf({}).accessibilityInformation?.label, `The shop, until ${formatDate(NOW)} · 480 messages`);
  });
});
