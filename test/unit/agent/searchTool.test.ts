import assert from 'node:assert/strict';
import { ArchivedPages } from '../../../src/chats/archiving/archivedPages.ts';
import { archiveInProcess } from '../chats/archiving/archiveInProcess.ts';
import { configure } from '../test-service.ts';
import { ALICE, BOT, HIKING, idsOf, newAgent, nextPage, pagesOf, parts, rowsOf, SHOP, useTools } from './agents.ts';

describe('Searching messages as an agent', () => {
  const tools = useTools();

  let thread: ReturnType<typeof archiveInProcess>;
  const day = (text: string) => new Date(`${text}T12:00`).getTime();
  const message = (id: number, text: string, at: string, senderId = ALICE) =>
    JSON.stringify({
      msgId: `m${id}`,
      senderId,
      senderType: 'user',
      senderNickname: 'Alice',
      contentType: 'text',
      content: { text },
      sendTime: day(at) + id,
    });

  beforeEach(async () => {
    thread = archiveInProcess();
    const { address } = await tools.connection.open();
    const shop = { service: address, kind: 'group', id: SHOP, botId: BOT } as const;
    const first = await thread.archive.addChat(shop);
    const other = await thread.archive.addChat({ ...shop, service: 'https://elsewhere.example', id: HIKING });
    const texts = [
      message(1, 'The login is slow', '2026-03-01'),
      message(2, 'login works again', '2026-03-02', '42'),
      message(3, 'logins everywhere', '2026-03-03'),
      message(4, 'the login page is blue', '2026-03-04'),
    ];
    await thread.archive.addLatest(first, texts, day('2026-03-05'));
    await thread.archive.addLatest(other, [message(9, 'login elsewhere', '2026-03-04')], day('2026-03-05'));
    tools.agent = newAgent(tools.host, { search: new ArchivedPages(thread) });
  });

  const found = async (input: object) => idsOf(await tools.agent.call('search', { query: 'login', ...input }));

  it('finds archived messages of the connected service by whole words, newest first', async () => {
    const result = await tools.agent.call('search', { query: 'login' });
    assert.deepEqual(rowsOf(result)[0], {
      time: '2026-03-04 12:00',
      chatType: 'group',
      chatId: SHOP,
      botId: BOT,
      sender: 'Alice',
      senderId: ALICE,
      id: 'm4',
      text: 'the login page is blue',
    });
    assert.deepEqual(await found({}), ['m4', 'm2', 'm1']);
    const { around } = parts(result);
    assert.match(around, /Chats that are not archived can be read with botchats_read\./);
    assert.match(around, /\[words\]\(vscode:\/\/bot-chats\.bot-chats\/open\?[^\s()]+#ID\)/);
    assert.ok(!result.includes('elsewhere'));
  });

  it('filters by sender, day and chat, and says which chats are not archived', async () => {
    assert.deepEqual(await found({ senderId: '42' }), ['m2']);
    assert.deepEqual(await found({ senderId: '43' }), []);
    assert.deepEqual(await found({ since: '2026-03-02', until: '2026-03-02' }), ['m2']);
    assert.deepEqual(await found({ since: '2026-03-02T11:00' }), ['m4', 'm2']);
    assert.deepEqual(await found({ chatIds: [HIKING] }), []);
    assert.match(
      await tools.agent.call('search', { query: 'x', chatIds: ['5'] }),
      /^No messages found\. None of these chats is archived/,
    );
    assert.deepEqual(await found({ since: ' 2026-03-01 13:00 ', until: '2026-03-02T11:00' }), []);
    await assert.rejects(found({ since: 20260301 }), /since: Must be a day or a time/);
    await assert.rejects(found({ since: 'on 2026-03-01T09:30' }), /since: Must be a day/);
    await assert.rejects(found({ since: 'yesterday' }), /since: Must be a day or a time, such as 2026-03-01/);
    await assert.rejects(found({ since: '2026-02-31' }), /since: Must be a day/);
    await assert.rejects(found({ since: '2026-02-31T09:30' }), /since: Must be a day/);
  });

  it('finds every message once, page by page, however small the budget', async () => {
    const search = (input: object, budget: number) =>
      pagesOf((next) => tools.agent.call('search', { query: 'login*', ...input, ...next }, { budget }), nextPage);
    const small = await search({ limit: 2 }, 1_100);
    assert.ok(small.length > 2);
    assert.deepEqual(small.flatMap(idsOf), ['m4', 'm3', 'm2', 'm1']);
    assert.deepEqual((await search({}, 5_000)).flatMap(idsOf), ['m4', 'm3', 'm2', 'm1']);
  });

  it('finds a message by its ID first, and then those that name it', async () => {
    const { address } = await tools.connection.open();
    const chat = await thread.archive.addChat({ service: address, kind: 'group', id: SHOP, botId: BOT });
    const texts = [message(5, 'see m1', '2026-03-06'), message(6, 'and m1 again', '2026-03-07')];
    await thread.archive.addLatest(chat, texts, day('2026-03-08'));
    const results = await pagesOf((next) => tools.agent.call('search', { query: 'm1', limit: 1, ...next }), nextPage);
    assert.deepEqual(results.flatMap(idsOf), ['m1', 'm6', 'm5']);
  });

  it('says of each chat from when until when it is archived, and whether messages are missing', async () => {
    const at = (hour: number) => new Date(2026, 2, 1, hour).getTime();
    const botChat = { service: '', kind: 'group', id: SHOP, botId: BOT } as const;
    const chats = [
      { botChat, since: at(8), checkedAt: at(9), isIncomplete: false },
      {
        botChat: { ...botChat, kind: 'user', id: '7' } as const,
        since: undefined,
        checkedAt: at(9),
        isIncomplete: true,
      },
      { botChat: { ...botChat, id: '8' }, since: undefined, checkedAt: undefined, isIncomplete: false },
    ];
    tools.agent = newAgent(tools.host, { search: { search: async () => ({ hits: [], next: undefined, chats }) } });
    const result = await tools.agent.call('search', { query: 'x' });
    const archived = [
      `group ${SHOP} from 2026-03-01 08:00 until 2026-03-01 09:00`,
      'person 7 until 2026-03-01 09:00 (incomplete)',
      'group 8 (incomplete)',
    ];
    assert.ok(result.includes(`Searched the archive of ${archived.join(', ')}. Times are in`), result);
    const wanted = [SHOP, ...Array.from({ length: 12 }, (_, index) => `${index + 100}`)];
    assert.match(
      await tools.agent.call('search', { query: 'x', chatIds: wanted }),
      /Not archived: 100, 101, .*, 109, and 2 more\.$/,
    );
  });

  it('shortens the names that others have given themselves', async () => {
    const botChat = { service: '', kind: 'group', id: SHOP, botId: BOT } as const;
    const hit = { position: 1, botChat, msgId: 'm1', senderId: ALICE, senderName: 'x'.repeat(9_000), time: 1 };
    tools.agent = newAgent(tools.host, {
      search: { search: async () => ({ hits: [{ ...hit, text: 'Hi' }], next: undefined, chats: [] }) },
    });
    const [row] = rowsOf(await tools.agent.call('search', { query: 'x' }));
    assert.equal(row?.sender, `${'x'.repeat(100)}…`);
    assert.equal(row.text, 'Hi');
  });

  it('says that there is nothing to search for without a letter, a digit or an emoji', async () => {
    for (const query of ['?!', '""', '-'])
      await assert.rejects(found({ query }), /query: Needs a letter, a digit or an emoji/);
    assert.deepEqual(await found({ query: '-login' }), ['m3']);
  });

  it('asks before, naming query and chats', async () => {
    assert.equal(
      await tools.agent.question('search', { query: 'login', chatIds: [SHOP, '5'] }),
      `Let the agent search messages? Excerpts of up to 10 messages from Work (${SHOP}), 5, with their senders and times, will be sent to the language model. Allowing this for longer than once allows it for all chats. Search for: “login”`,
    );
    assert.match(
      (await tools.agent.question('search', { query: 'x' })) ?? '',
      /from all archived chats, with their senders/,
    );
    assert.match((await tools.agent.question('search', { query: 'x'.repeat(200) })) ?? '', /“x{100}…”$/);
  });

  it('asks with both names of a group and a person that have the same ID, each cut off', async () => {
    const long = 'x'.repeat(70);
    tools.service.instead = async ({ url }) =>
      url.includes('group')
        ? Response.json({ code: 1, msg: 'success', data: { group: { groupId: '7', name: long } } })
        : Response.json({ code: 1, msg: 'success', data: { user: { userId: '7', nickname: 'Ann' } } });
    assert.match(
      (await tools.agent.question('search', { query: 'x', chatIds: ['7'] })) ?? '',
      /messages from x{60}… \/ Ann \(7\), with/,
    );
  });

  it('searches only chats that agents may see', async () => {
    await configure({ 'agents.access': 'chosen', 'agents.chats': { groups: [HIKING] } });
    assert.equal(await tools.agent.question('search', { query: 'login' }), undefined);
    assert.deepEqual(await found({}), []);
    await assert.rejects(found({ chatIds: [SHOP] }), new RegExp(`doesn't let agents see ${SHOP}`));
    await configure({ 'agents.chats': { people: [SHOP] } });
    assert.deepEqual(await found({}), []);
    assert.deepEqual(await found({ chatIds: [SHOP] }), []);
    await configure({ 'agents.access': 'none' });
    await assert.rejects(found({}), /doesn't let agents see any chats .* Go on without them\./);
  });

  it('says that nothing is archived', async () => {
    tools.agent = newAgent(tools.host, { search: new ArchivedPages({ ...thread, exists: async () => false }) });
    assert.equal(
      await tools.agent.call('search', { query: 'login' }),
      'No messages found. No chat that you may see is archived on this computer. Use botchats_read instead.',
    );
  });
});
