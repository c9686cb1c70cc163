import assert from 'node:assert/strict';
import { profileOf } from '../../../../src/chats/history/pageSenders.ts';
import { creationTimeOf } from '../../../../src/chats/history/participants.ts';
import type { Service } from '../../../../src/platform/service.ts';
import type { BotChat } from '../../../../src/protocol/botChat.ts';
import type { Sender } from '../../../../src/protocol/history.ts';
import { newHost } from '../../test-host.ts';
import { configure, newConnection, useService } from '../../test-service.ts';

const BOT = '30481126';
const ALICE = { kind: 'user', id: '7058314' } as const;

describe('The participants of a history', () => {
  useService({ people: undefined });
  let service: Service;

  before(async () => {
    const connection = newConnection();
    service = await connection.open();
    connection.dispose();
  });

  after(() => configure({ people: undefined }));

  const open = async () => service;
  const chat = (more: Partial<BotChat> = {}): BotChat => ({
    service: service.address,
    kind: 'group',
    id: '546790213',
    botId: BOT,
    ...more,
  });
  const profile = (sender: Sender, more: Partial<BotChat> = {}) =>
    profileOf(sender, { open, botChat: chat(more), lists: newHost().lists });

  it('have a profile with their name, what is known of them, and what can be done', async () => {
    const { facts, ...desk } = await profile({ kind: 'bot', id: BOT });
    assert.deepEqual(facts[0], { label: 'ID', value: BOT });
    assert.deepEqual(desk, {
      kind: 'bot',
      id: BOT,
      name: 'Order Desk',
      failure: '',
      actions: [
        { name: 'copyId', label: 'Copy ID' },
        { name: 'addToSidebar', label: 'Add to Sidebar' },
      ],
    });
  });

  it("aren't offered what is done: to be added to the sidebar, or that their history is opened", async () => {
    const offered = async (more: Partial<BotChat> = {}) =>
      (await profile(ALICE, more)).actions.map(({ label }) => label);
    await configure({ people: [] });
    const all = [
      'Open History',
      'New Message…',
      'Send Existing Draft…',
      'Show Deliveries…',
      'Copy ID',
      'Add to Sidebar',
    ];
    assert.deepEqual(await offered(), all);
    await configure({ people: [ALICE.id] });
    assert.deepEqual(await offered(), all.slice(0, -1));
    assert.deepEqual(await offered({ kind: 'user', id: ALICE.id }), all.slice(1, -1));
    // A group with the same ID is another chat.
    assert.deepEqual(await offered({ kind: 'group', id: ALICE.id }), all.slice(0, -1));
  });

  it('may be unknown, and the profile says why', async () => {
    const unknown = { facts: [], actions: [{ name: 'copyId', label: 'Copy ID' }] };
    assert.deepEqual(await profile({ kind: 'bot', id: '1' }), {
      ...unknown,
      kind: 'bot',
      id: '1',
      name: '1',
      failure: "Bot 1 doesn't exist. The service returned error -1: “机器人不存在”.",
    });
    assert.deepEqual(await profile({ kind: 'user', id: '2' }), {
      ...unknown,
      kind: 'user',
      id: '2',
      name: '2',
      failure: "Person 2 doesn't exist.",
    });
  });

  it('are in a group whose creation is known, if it was looked up and says so', async () => {
    const createdAt = async (id: string) => {
      await service.directory.get('group', id);
      return creationTimeOf(open, chat({ id }));
    };
    assert.equal(await createdAt('518204736'), Date.UTC(2024, 0, 8, 1, 30));
    assert.equal(await createdAt('546790213'), undefined);
    assert.equal(await creationTimeOf(open, chat({ id: 'big' })), undefined);
  });
});
