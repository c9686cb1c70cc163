import assert from 'node:assert/strict';
import { searchMessages } from '../../../src/archiving/search/messageSearch.ts';
import { Directory, type Lookups } from '../../../src/directory/directory.ts';
import type { Connection } from '../../../src/platform/connection.ts';
import type { DeliverySummary, UnreachedRecipient, WrittenDraft } from '../../../src/platform/host.ts';
import type { Service } from '../../../src/platform/service.ts';
import { archiveInProcess } from '../archiving/archiveInProcess.ts';
import { newHost } from '../test-host.ts';
import { configure, connectionTo, newConnection, type TestService, useService } from '../test-service.ts';
import { type Agent, ALICE, BOT, HIKING, newAgent, nextPage, pagesOf, parts, rowsOf, SHOP } from './agents.ts';

const GONE = '999999999';

describe('Tools for agents', () => {
  let service: TestService;
  let connection: Connection;
  let host: ReturnType<typeof newHost>;
  let agent: Agent;

  before(async () => {
    service = await useService({
      'service.callsPerSecond': 1000,
      groups: [{ id: SHOP, label: 'Work' }, HIKING],
      bots: [BOT],
      people: [ALICE],
      audiences: { testers: { groups: [SHOP], people: [ALICE] } },
    });
  });
  after(() => service.close());

  beforeEach(() => {
    connection = newConnection();
    host = newHost({ connection });
    agent = newAgent(host);
    service.requests.splice(0);
  });
  afterEach(async () => {
    service.instead = () => undefined;
    connection.dispose();
    await configure({ 'agents.access': undefined, 'agents.chats': undefined });
  });

  describe('list', () => {
    it('gives kind, ID, name and label of what is in the sidebar, and audiences', async () => {
      const result = await agent.call('list', {});
      assert.deepEqual(rowsOf(result), [
        { kind: 'group', id: SHOP, name: 'Fern & Kettle: the shop team', label: 'Work' },
        { kind: 'group', id: HIKING, name: '后山徒步队' },
        { kind: 'bot', id: BOT, name: 'Order Desk' },
        { kind: 'person', id: ALICE, name: 'Alice Fernhollow' },
        { kind: 'audience', name: 'testers', groups: 1, people: 1 },
      ]);
      assert.match(parts(result).around, /^Entries of the sidebar, and audiences: 5\.\n/);
      assert.match(parts(result).around, /\[name\]\(vscode:\/\/bot-chats\.bot-chats\/open\?[^\s()]+\) for a group/);
    });

    it('finds a part of a name, a label or an ID', async () => {
      for (const [query, ids] of [
        ['WORK', [SHOP]],
        ['徒步', [HIKING]],
        [ALICE.slice(1), [ALICE]],
        ['nothing', []],
      ] as const) {
        const result = await agent.call('list', { query });
        assert.deepEqual(ids.length > 0 ? rowsOf(result).map(({ id }) => id) : [], ids);
        assert.match(result, new RegExp(`^Entries of the sidebar, and audiences: 5\\. Matching: ${ids.length}\\.`));
      }
      assert.deepEqual(
        rowsOf(await agent.call('list', { kind: 'person' })).map(({ kind }) => kind),
        ['person'],
      );
    });

    it('continues where a page ended', async () => {
      const results = await pagesOf((next) => agent.call('list', { limit: 2, ...next }), nextPage);
      assert.deepEqual(
        results.map((result) => rowsOf(result).length),
        [2, 2, 1],
      );
      assert.equal(new Set(results.flatMap(rowsOf).map(({ name }) => name)).size, 5);
    });

    it('lists IDs if the service does not answer, and says that names are not known', async () => {
      service.instead = async () => new Response('down', { status: 403 });
      assert.match(
        await agent.call('list', { query: 'Fern' }),
        /Matching: 0\. Without a known name: 4\. A query finds these only by ID or label\./,
      );
      assert.deepEqual(
        rowsOf(await agent.call('list', { kind: 'group' })).map(({ id, name }) => [id, name]),
        [
          [SHOP, undefined],
          [HIKING, undefined],
        ],
      );
    });

    it('has only chosen chats, if the user has chosen some', async () => {
      await configure({ 'agents.access': 'chosen', 'agents.chats': { groups: [HIKING] } });
      const result = await agent.call('list', {});
      assert.deepEqual(
        rowsOf(result).map(({ id, name }) => id ?? name),
        [HIKING, BOT, 'testers'],
      );
      assert.match(parts(result).around, /The user lets agents see only some chats/);
      await configure({ 'agents.chats': { people: [HIKING, ALICE] } });
      assert.deepEqual(
        rowsOf(await agent.call('list', { kind: 'group' })).map(({ id }) => id),
        [],
      );
      await configure({ 'agents.access': 'none' });
      assert.deepEqual(
        rowsOf(await agent.call('list', {})).map(({ kind }) => kind),
        ['bot', 'audience'],
      );
    });

    it('says how to connect', async () => {
      await configure({ 'service.openApiUrl': '' });
      try {
        await assert.rejects(
          agent.call('list', {}),
          /botChats\.service\.openApiUrl.*"Bot Chats: Connect to Your Service…"/,
        );
      } finally {
        await configure({ 'service.openApiUrl': service.sandbox.openApiUrl });
      }
    });
  });

  describe('look_up', () => {
    it('gives the documented fields, without tokens and addresses to send to', async () => {
      const token = 'a-token-that-must-not-leak';
      service.instead = async (request) => {
        const answer = await (await service.sandbox.fetch(request)).json();
        const { data } = answer as { data?: Record<string, object> };
        for (const one of Object.values(data ?? {}))
          Object.assign(one, { token, uri: `https://a.example/?token=${token}` });
        return Response.json(answer);
      };
      const result = await agent.call('look_up', { ids: [SHOP] });
      assert.ok(!result.includes(token) && !result.includes('a.example'));
      const [{ id, group } = {}] = rowsOf(result) as { id?: string; group?: Record<string, unknown> }[];
      assert.equal(id, SHOP);
      assert.equal(group?.name, 'Fern & Kettle: the shop team');
      assert.equal(group?.headcount, 342);
      assert.equal(group?.createBy, ALICE);
      assert.match(String(group?.createTime), /^2024-01-0\d \d\d:\d\d$/);
      assert.match(JSON.stringify(group?.groupBotRel), /"nickname":"Order Desk"/);
    });

    it('gives every kind that matches, and says what does not exist', async () => {
      const same = '777000777';
      service.instead = async (request) =>
        request.url.includes(same) && request.url.includes('user')
          ? Response.json({ code: 1, msg: 'success', data: { user: { userId: same, nickname: 'One' } } })
          : request.url.includes('bot')
            ? Response.json({ code: 1, msg: 'success', data: { bot: { botId: same, nickname: 'Two' } } })
            : undefined;
      const rows = rowsOf(await agent.call('look_up', { ids: [same] }));
      assert.deepEqual([rows.length, Object.keys(rows[0] ?? {})], [1, ['id', 'bot', 'person']]);
      service.instead = () => undefined;
      assert.deepEqual(rowsOf(await agent.call('look_up', { ids: [GONE] })), [
        { id: GONE, result: "doesn't exist as group, bot, person" },
      ]);
      assert.deepEqual(rowsOf(await agent.call('look_up', { ids: [ALICE], kind: 'group' })), [
        { id: ALICE, result: "doesn't exist as group" },
      ]);
    });

    it('keeps what was found if another lookup fails', async () => {
      service.instead = async (request) =>
        request.url.includes(GONE) ? new Response('down', { status: 403 }) : undefined;
      const [alice, gone] = rowsOf(await agent.call('look_up', { ids: [ALICE, GONE], kind: 'person' }));
      assert.match(JSON.stringify(alice?.person), /"nickname":"Alice Fernhollow"/);
      assert.match(String(gone?.person), /HTTP status 403/);
    });

    it('leaves IDs that do not fit for the next call', async () => {
      const ids = [SHOP, HIKING, ALICE, BOT, GONE];
      const results = await pagesOf(
        (next) => agent.call('look_up', { ids, ...next }, { budget: 1_500 }),
        (result) => {
          const left = / and ids (\[[^\]]*\])/.exec(result)?.[1];
          return left === undefined ? undefined : { ids: JSON.parse(left) };
        },
      );
      assert.ok(results.length > 1);
      // A row that doesn't fit by itself is cut off.
      const seen = results.flatMap((result) => parts(result).rows.map((row) => /^\{"id":"(\d+)"/.exec(row)?.[1]));
      assert.deepEqual(seen, ids);
    });

    it('looks up no group or person that agents may not see', async () => {
      await configure({ 'agents.access': 'chosen', 'agents.chats': { groups: [SHOP] } });
      const rows = rowsOf(await agent.call('look_up', { ids: [SHOP, ALICE, BOT] }));
      assert.deepEqual(
        rows.map(({ id, group, bot, result }) => [id, group !== undefined, bot !== undefined, result]),
        [
          [SHOP, true, false, undefined],
          [ALICE, false, false, "doesn't exist as bot; the user doesn't let agents see groups and people with this ID"],
          [BOT, false, true, undefined],
        ],
      );
      assert.deepEqual(rowsOf(await agent.call('look_up', { ids: [ALICE], kind: 'person' })), [
        { id: ALICE, result: "the user doesn't let agents see people with this ID" },
      ]);
      assert.ok(service.requests.every(({ search, pathname }) => !search.includes(ALICE) || pathname.includes('bot')));
    });

    it('takes one to ten IDs', async () => {
      await assert.rejects(agent.call('look_up', { ids: [] }), /ids: Must have at least one ID/);
      await assert.rejects(
        agent.call('look_up', { ids: Array.from({ length: 11 }, (_, at) => `${at}`) }),
        /up to 10 IDs/,
      );
      assert.equal(await agent.progress('look_up', { ids: ['1', '2'] }), 'Looking up 2 IDs');
    });
  });

  describe('search', () => {
    let thread: ReturnType<typeof archiveInProcess>;
    const day = (text: string) => new Date(`${text}T12:00`).getTime();
    const message = (id: number, text: string, at: string, senderId = ALICE) =>
      JSON.stringify({
        ...{ msgId: `m${id}`, senderId, senderType: 'user', senderNickname: 'Alice', contentType: 'text' },
        ...{ content: { text }, sendTime: day(at) + id },
      });

    beforeEach(async () => {
      thread = archiveInProcess();
      const { address } = await connection.open();
      const shop = { service: address, type: 'group', id: SHOP, botId: BOT } as const;
      const [first, other] = [
        await thread.archive.addChat(shop),
        await thread.archive.addChat({ ...shop, service: 'https://elsewhere.example', id: HIKING }),
      ];
      const texts = [
        message(1, 'The login is slow', '2026-03-01'),
        message(2, 'login works again', '2026-03-02', '42'),
        message(3, 'logins everywhere', '2026-03-03'),
        message(4, 'the login page is blue', '2026-03-04'),
      ];
      await thread.archive.addLatest(first, texts, day('2026-03-05'));
      await thread.archive.addLatest(other, [message(9, 'login elsewhere', '2026-03-04')], day('2026-03-05'));
      agent = newAgent(host, { search: { search: (...args) => searchMessages(thread, ...args) } });
    });

    const found = async (input: object) => {
      const result = await agent.call('search', { query: 'login', ...input });
      return result.includes('--- untrusted') ? rowsOf(result).map(({ id }) => id) : [];
    };

    it('finds archived messages of the connected service by whole words, newest first', async () => {
      const result = await agent.call('search', { query: 'login' });
      assert.deepEqual(rowsOf(result)[0], {
        ...{ time: '2026-03-04 12:00', chatType: 'group', chatId: SHOP, botId: BOT },
        ...{ sender: 'Alice', senderId: ALICE, id: 'm4', text: 'the login page is blue' },
      });
      assert.deepEqual(await found({}), ['m4', 'm2', 'm1']);
      const { around } = parts(result);
      assert.match(
        around,
        new RegExp(`^Searched the archive of group ${SHOP} until 2026-03-05 12:00 \\(incomplete\\)\\.`),
      );
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
      assert.match(await agent.call('search', { query: 'x', chatIds: [SHOP, '5'] }), /Not archived: 5\./);
      assert.match(
        await agent.call('search', { query: 'x', chatIds: ['5'] }),
        /^No messages found\. None of these chats is archived/,
      );
      await assert.rejects(found({ since: 'yesterday' }), /since: Must be a day or a time, such as 2026-03-01/);
      await assert.rejects(found({ since: '2026-02-31' }), /since: Must be a day/);
      await assert.rejects(found({ since: '2026-02-31T09:30' }), /since: Must be a day/);
    });

    const idsOfAll = (results: readonly string[]) =>
      results.flatMap((result) => (result.includes('--- untrusted') ? rowsOf(result) : [])).map(({ id }) => id);

    it('finds every message once, page by page, however small the budget', async () => {
      const search = (input: object, budget: number) =>
        pagesOf((next) => agent.call('search', { query: 'login*', ...input, ...next }, { budget }), nextPage);
      const small = await search({ limit: 2 }, 1_100);
      assert.ok(small.length > 2);
      assert.deepEqual(idsOfAll(small), ['m4', 'm3', 'm2', 'm1']);
      assert.deepEqual(idsOfAll(await search({}, 5_000)), ['m4', 'm3', 'm2', 'm1']);
    });

    it('finds a message by its ID first, and then those that name it', async () => {
      const { address } = await connection.open();
      const chat = await thread.archive.addChat({ service: address, type: 'group', id: SHOP, botId: BOT });
      const texts = [message(5, 'see m1', '2026-03-06'), message(6, 'and m1 again', '2026-03-07')];
      await thread.archive.addLatest(chat, texts, day('2026-03-08'));
      const results = await pagesOf((next) => agent.call('search', { query: 'm1', limit: 1, ...next }), nextPage);
      assert.deepEqual(idsOfAll(results), ['m1', 'm6', 'm5']);
    });

    it('shortens the names that others have given themselves', async () => {
      const botChat = { service: '', type: 'group', id: SHOP, botId: BOT } as const;
      const hit = { position: 1, botChat, msgId: 'm1', senderId: ALICE, senderName: 'x'.repeat(9_000), time: 1 };
      agent = newAgent(host, {
        search: { search: async () => ({ hits: [{ ...hit, text: 'Hi' }], next: undefined, chats: [] }) },
      });
      const [row] = rowsOf(await agent.call('search', { query: 'x' }));
      assert.deepEqual([row?.sender, row?.text], [`${'x'.repeat(100)}…`, 'Hi']);
    });

    it('asks before, naming query and chats', async () => {
      assert.equal(
        await agent.question('search', { query: 'login', chatIds: [SHOP, '5'] }),
        `Let the agent search messages? Excerpts of up to 10 messages from Fern & Kettle: the shop team (${SHOP}), 5, with their senders and times, will be sent to the language model. Allowing this for longer than once allows it for all chats. Search for: “login”`,
      );
      assert.match(
        (await agent.question('search', { query: 'x' })) ?? '',
        /from all archived chats, with their senders/,
      );
    });

    it('searches only chats that agents may see', async () => {
      await configure({ 'agents.access': 'chosen', 'agents.chats': { groups: [HIKING] } });
      assert.equal(await agent.question('search', { query: 'login' }), undefined);
      assert.deepEqual(await found({}), []);
      await assert.rejects(found({ chatIds: [SHOP] }), new RegExp(`doesn't let agents see ${SHOP}`));
      await configure({ 'agents.chats': { people: [SHOP] } });
      assert.deepEqual([await found({}), await found({ chatIds: [SHOP] })], [[], []]);
      await configure({ 'agents.access': 'none' });
      await assert.rejects(found({}), /doesn't let agents see any chats .* Go on without them\./);
    });

    it('says that nothing is archived', async () => {
      agent = newAgent(host, {
        search: { search: (...args) => searchMessages({ ...thread, exists: async () => false }, ...args) },
      });
      assert.equal(
        await agent.call('search', { query: 'login' }),
        'No messages found. No chat that you may see is archived on this computer. Use botchats_read instead.',
      );
    });
  });

  describe('draft', () => {
    let opened: WrittenDraft[];
    const problems = [{ severity: 'error' as const, text: 'The message is [x](command:y).' }];
    beforeEach(() => {
      opened = [];
      agent = newAgent(host, {
        drafts: {
          open: async (draft) => {
            opened.push(draft);
            return {
              problems: draft.body === 'bad' ? problems : [],
              recipients: 3,
              unchecked: draft.body === 'bad' ? 2 : 0,
            };
          },
        },
      });
    });

    it('hands over the message, and says that it is not sent', async () => {
      const result = await agent.call('draft', {
        ...{ body: '# Hi', type: 'text', botId: BOT, groups: [SHOP], people: [Number(ALICE)], audiences: ['testers'] },
        buttons: [[{ text: 'Docs', opens: 'https://a.example' }], [{ text: 'Yes', reports: 'yes' }]],
      });
      assert.equal(
        result,
        'The draft is open in the editor. It is not sent. Recipients: 3. Its checks find no problems.\nOnly the user can send it. Say that it is ready to be read, changed and sent.',
      );
      assert.deepEqual(opened, [
        {
          ...{ body: '# Hi', type: 'text', botId: BOT, audiences: ['testers'] },
          chats: [
            { type: 'group', id: SHOP },
            { type: 'user', id: ALICE },
          ],
          buttons: [
            [{ text: 'Docs', actionType: 1, url: 'https://a.example', value: '' }],
            [{ text: 'Yes', actionType: 3, url: '', value: 'yes' }],
          ],
        },
      ]);
    });

    it('reports what the checks find', async () => {
      const result = await agent.call('draft', { body: 'bad' });
      assert.deepEqual(rowsOf(result), [{ severity: 'error', text: 'The message is [x] (command :y).' }]);
      assert.match(parts(result).around, /Problems that its checks find: 1\. 2 of the recipients were never looked up/);
      assert.match(parts(result).around, /It can only be sent once the errors are corrected/);
    });

    it('asks before, naming the recipients, unless the user has allowed them', async () => {
      const input = { body: 'Hi', groups: [SHOP], people: ['5'], audiences: ['testers', 'unknown'] };
      assert.equal(
        await agent.question('draft', input),
        `Let the agent open a draft? Opens a new document and its preview. Nothing is sent to its recipients. Their number and any problems found will be sent to the language model. Recipients: Fern & Kettle: the shop team (${SHOP}), 5, Alice Fernhollow (${ALICE})`,
      );
      assert.match((await agent.question('draft', { body: 'Hi' })) ?? '', /Recipients: none yet$/);
      await configure({ 'agents.access': 'chosen', 'agents.chats': { groups: [SHOP], people: [ALICE] } });
      assert.notEqual(await agent.question('draft', input), undefined);
      assert.equal(await agent.question('draft', { body: 'Hi', audiences: ['testers'] }), undefined);
      await configure({ 'agents.access': 'none' });
      assert.notEqual(await agent.question('draft', input), undefined);
      assert.deepEqual(opened, []);
    });

    it('rejects what is not a message', async () => {
      for (const [input, problem] of [
        [{ body: ' ' }, /body: Must not be empty/],
        [{ body: 'x', type: 'image' }, /type: Must be "markdown", "text" or "html"/],
        [{ body: 'x', groups: Array.from({ length: 501 }, (_, at) => `${at}`) }, /groups: Can have up to 500 IDs/],
        [{ body: 'x', audiences: 'all' }, /audiences: Must be a list of names/],
        [{ body: 'x', groups: ['a b'] }, /groups\.0: Must be an ID: up to 200 visible characters/],
        [{ body: 'x', buttons: [[{ text: 'a' }]] }, /buttons\.0\.0: A button needs exactly one of "opens"/],
        [{ body: 'x', buttons: [[{ text: 'a', url: 'b' }]] }, /buttons\.0\.0\.url/],
        [{ body: 'x', buttons: [[{ text: 'a', opens: 'b', copies: 'c' }]] }, /buttons/],
        [{ body: 'x'.repeat(100_001) }, /body: Can have up to 100000 characters/],
      ] as const)
        await assert.rejects(agent.call('draft', input), problem);
      assert.deepEqual(opened, []);
    });
  });

  describe('delivery', () => {
    const ID = '000000000000001-abcdefgh';
    const delivery: DeliverySummary = {
      ...{ id: ID, name: 'news.md', time: new Date(2026, 2, 1, 9, 30).getTime(), botId: BOT, state: 'unreached' },
      total: 43,
      counts: { reached: 1, missing: 20, unknown: 1, rejected: 21, notSent: 0 },
    };
    const unreached: UnreachedRecipient[] = Array.from({ length: 42 }, (_, at) => ({
      ...{ chat: { type: 'group', id: `${at}` }, name: `Group ${at}`, details: 'why' },
      result: at === 0 ? 'unknown' : at < 22 ? 'rejected' : 'missing',
    }));
    beforeEach(() => {
      agent = newAgent(host, {
        deliveries: {
          list: async () => ({ deliveries: [delivery], unreadable: 2 }),
          get: async (id, includes, limit) =>
            id === ID
              ? { delivery, unreached: unreached.filter(({ chat }) => includes(chat)).slice(0, limit) }
              : undefined,
        },
      });
    });

    it('lists deliveries with their results', async () => {
      const result = await agent.call('delivery', {});
      assert.deepEqual(rowsOf(result), [
        {
          ...{ id: ID, document: 'news.md', time: '2026-03-01 09:30', botId: BOT, state: 'unreached', recipients: 43 },
          ...{ reached: 1, 'not confirmed': 20, unknown: 1, refused: 21 },
        },
      ]);
      assert.match(parts(result).around, /^The outbox has 1 delivery, newest first\. .* 2 more can't be read\./);
    });

    it('says when a scheduled delivery is to be sent', async () => {
      const due = new Date(2026, 2, 2, 8).getTime();
      agent = newAgent(host, {
        deliveries: {
          list: async () => ({ deliveries: [{ ...delivery, state: 'scheduled', due }], unreadable: 0 }),
          get: async () => undefined,
        },
      });
      const [row] = rowsOf(await agent.call('delivery', {}));
      assert.deepEqual([row?.state, row?.scheduledFor], ['scheduled', '2026-03-02 08:00']);
    });

    it('gives every unreached recipient once, page by page', async () => {
      const results = await pagesOf((next) => agent.call('delivery', { id: ID, ...next }, { budget: 900 }), nextPage);
      const ids = results.flatMap(rowsOf).map(({ id }) => id);
      assert.deepEqual(ids, [ID, ...unreached.map(({ chat }) => chat.id)]);
    });

    it('names only recipients that agents may see', async () => {
      await configure({ 'agents.access': 'chosen', 'agents.chats': { groups: ['3'], people: ['2'] } });
      const rows = rowsOf(await agent.call('delivery', { id: ID }));
      assert.deepEqual(rows.slice(1), [{ kind: 'group', id: '3', name: 'Group 3', result: 'refused' }]);
    });

    it('rejects an ID that is not one', async () => {
      await assert.rejects(
        agent.call('delivery', { id: '../../tokens' }),
        /id: Must be an id that botchats_delivery has listed/,
      );
      await assert.rejects(
        agent.call('delivery', { id: ID.replace('1', '2') }),
        /no such delivery\. Call botchats_delivery without id/,
      );
    });
  });

  it('stop when they are cancelled, and so do their lookups', async () => {
    const { CancellationError } = await import('vscode');
    const hidden = { chatType: 'group', chatId: SHOP };
    for (const [name, input] of [
      ['list', {}],
      ['look_up', { ids: [GONE] }],
      ['read', hidden],
    ] as const) {
      const signals: AbortSignal[] = [];
      const started = new Promise<void>((resolve) => {
        const hang = (_: string, signal: AbortSignal) =>
          new Promise((_resolve, reject) => {
            signals.push(signal);
            signal.addEventListener('abort', () => reject(signal.reason));
            resolve();
          });
        const lookUps = { group: hang, bot: hang, user: hang } as unknown as Lookups;
        const hanging = { address: 'https://a.example', directory: new Directory(lookUps) } as Service;
        agent = newAgent({ ...host, connection: connectionTo(async () => hanging) });
      });
      await assert.rejects(agent.call(name, input, { cancelAfter: started }), { constructor: CancellationError }, name);
      assert.ok(signals.length > 0 && signals.every(({ aborted }) => aborted), name);
    }
  });

  it('do nothing if they are cancelled before', async () => {
    let opened = 0;
    agent = newAgent(host, {
      drafts: { open: async () => ({ problems: [], recipients: opened++, unchecked: 0 }) },
    });
    const { CancellationError } = await import('vscode');
    const calling = agent.call('draft', { body: 'x' }, { isCancelled: true });
    await assert.rejects(calling, { constructor: CancellationError });
    assert.equal(opened, 0);
  });
});
