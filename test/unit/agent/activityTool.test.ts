import assert from 'node:assert/strict';
import { NoTokenError } from '../../../src/presentation/botChatClient.ts';
import type { Chat } from '../../../src/service/model.ts';
import type { ActivityEntry } from '../../../src/sidebar/contract.ts';
import { configure } from '../test-service.ts';
import { ALICE, BOT, HIKING, idsOf, newAgent, nextPage, pagesOf, parts, rowsOf, SHOP, useTools } from './agents.ts';

describe('Listing activity as an agent', () => {
  const tools = useTools();
  let items: ActivityEntry[];
  let watched: (Chat & { error?: unknown })[];

  beforeEach(async () => {
    const { address } = await tools.connection.open();
    const item = (msgId: string, id: string, more: Partial<ActivityEntry>): ActivityEntry => ({
      service: address,
      kind: 'group',
      id,
      botId: BOT,
      msgId,
      sender: 'Alice',
      senderId: ALICE,
      sendTime: new Date('2026-03-04T12:00').getTime(),
      text: 'Hi',
      isUnread: false,
      isReply: false,
      words: [],
      ...more,
    });
    items = [
      item('m3', SHOP, { isUnread: true, isReply: true, words: ['tea'], text: '[tea](command:x) is ready' }),
      item('m2', HIKING, { isUnread: true }),
      item('m1', SHOP, { words: ['tea'] }),
      item('m0', SHOP, { isUnread: true, service: 'https://elsewhere.example' }),
    ];
    watched = [SHOP, HIKING].map((id) => ({ kind: 'group', id }));
    tools.agent = newAgent(tools.host, { activity: { list: async () => ({ items, watched }) } });
  });

  const listed = async (input: object = {}) => idsOf(await tools.agent.call('activity', input));

  it('gives messages of the connected service with why they are listed, as untrusted data', async () => {
    const result = await tools.agent.call('activity', {});
    assert.deepEqual(rowsOf(result)[0], {
      time: '2026-03-04 12:00',
      chatType: 'group',
      chatId: SHOP,
      botId: BOT,
      sender: 'Alice',
      senderId: ALICE,
      id: 'm3',
      unread: true,
      replyToBot: true,
      words: ['tea'],
      text: '[tea] (command :x) is ready',
    });
    assert.deepEqual(await listed(), ['m3', 'm2', 'm1']);
    assert.deepEqual(Object.keys(rowsOf(result)[1] ?? {}).slice(-3), ['id', 'unread', 'text']);
    const { around } = parts(result);
    assert.match(around, /^The activity of 2 watched chats, as of the last check\. Times are/);
    assert.match(around, /\[words\]\(vscode:\/\/bot-chats\.bot-chats\/open\?[^\s()]+#ID\)/);
  });

  it('filters by reason and chat, and goes on page by page', async () => {
    assert.deepEqual(await listed({ only: 'unread' }), ['m3', 'm2']);
    assert.deepEqual(await listed({ only: 'replies' }), ['m3']);
    assert.deepEqual(await listed({ only: 'words' }), ['m3', 'm1']);
    assert.deepEqual(await listed({ chatIds: [HIKING] }), ['m2']);
    const pages = await pagesOf((next) => tools.agent.call('activity', { limit: 1, ...next }), nextPage);
    assert.deepEqual(pages.map(idsOf), [['m3'], ['m2'], ['m1']]);
  });

  it('has only chats that agents may see', async () => {
    await configure({ 'agents.access': 'chosen', 'agents.chats': { groups: [HIKING] } });
    assert.equal(await tools.agent.question('activity', {}), undefined);
    assert.deepEqual(await listed(), ['m2']);
    assert.match(await tools.agent.call('activity', {}), /^The activity of 1 watched chat, .* Others are left out\./);
    await assert.rejects(listed({ chatIds: [SHOP] }), new RegExp(`doesn't let agents see ${SHOP}`));
    await configure({ 'agents.access': 'none' });
    await assert.rejects(listed(), /doesn't let agents see any chats .* Go on without them\./);
  });

  it('says which of the chats it was asked for are not watched', async () => {
    assert.match(
      await tools.agent.call('activity', { chatIds: [HIKING, '5'] }),
      /^The activity of 1 watched chat, .* Not watched: 5\. To see what is new there, use botchats_read\./,
    );
    assert.match(
      await tools.agent.call('activity', { chatIds: ['5'] }),
      /^Nothing found\. The user watches none of these chats\. Use botchats_read instead\./,
    );
  });

  it('says which chats could not be checked, and why', async () => {
    watched = watched.map((chat, at) => (at === 1 ? { ...chat, error: new NoTokenError(BOT) } : chat));
    assert.match(
      await tools.agent.call('activity', {}),
      new RegExp(`The last check failed, so messages may be missing: group ${HIKING}\\. .*"Bot Chats: Set Bot Token…"`),
    );
    assert.doesNotMatch(await tools.agent.call('activity', { chatIds: [SHOP] }), /check failed/);
  });

  it('asks before, naming the chats', async () => {
    assert.equal(
      await tools.agent.question('activity', { limit: 5 }),
      'Let the agent see the activity of chats? Excerpts of up to 5 messages from all chats that you watch, with their senders and times, will be sent to the language model. Allowing this for longer than once allows it for all chats.',
    );
    assert.match(
      (await tools.agent.question('activity', { chatIds: [SHOP] })) ?? '',
      /messages from Work \(518204736\)/,
    );
  });

  it('says that nothing is watched', async () => {
    items = [];
    watched = [];
    assert.equal(
      await tools.agent.call('activity', {}),
      'Nothing found. The user watches no chat that you may see. Use botchats_read instead.',
    );
  });
});
