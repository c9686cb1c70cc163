import assert from 'node:assert/strict';
import { CancellationError } from 'vscode';
import { Directory, type Lookups } from '../../../src/directory/directory.ts';
import type { Service } from '../../../src/platform/service.ts';
import { configure, connectionTo } from '../test-service.ts';
import { ALICE, BOT, HIKING, idsOf, newAgent, nextPage, pagesOf, parts, rowsOf, SHOP, useTools } from './agents.ts';

const GONE = '999999999';

describe('Tools for agents', () => {
  const tools = useTools();

  describe('list', () => {
    it('gives kind, ID, name and label of what is in the sidebar, and audiences', async () => {
      const result = await tools.agent.call('list', {});
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
        const result = await tools.agent.call('list', { query });
        assert.deepEqual(idsOf(result), ids);
        assert.match(result, new RegExp(`^Entries of the sidebar, and audiences: 5\\. Matching: ${ids.length}\\.`));
      }
      assert.deepEqual(
        rowsOf(await tools.agent.call('list', { kind: 'person' })).map(({ kind }) => kind),
        ['person'],
      );
    });

    it('finds letters with accents by those without', async () => {
      await configure({ people: [{ id: ALICE, label: 'José' }] });
      for (const query of ['jose', 'JOSE\u0301'])
        assert.deepEqual(idsOf(await tools.agent.call('list', { query })), [ALICE], query);
    });

    it('continues where a page ended', async () => {
      const results = await pagesOf((next) => tools.agent.call('list', { limit: 2, ...next }), nextPage);
      assert.deepEqual(
        results.map((result) => rowsOf(result).length),
        [2, 2, 1],
      );
      assert.equal(new Set(results.flatMap(rowsOf).map(({ name }) => name)).size, 5);
    });

    it('offers links only to what it lists', async () => {
      assert.doesNotMatch(await tools.agent.call('list', { query: 'nothing' }), /To link to a chat/);
    });

    it('looks up names for the first page of a query only, so that those after it stay as they were', async () => {
      await tools.agent.call('list', { query: 'x', page: '2' });
      assert.deepEqual(tools.service.requests, []);
      await tools.agent.call('list', { query: 'x' });
      assert.equal(tools.service.requests.length, 4);
    });

    it('looks up the names of what it shows, and no others', async () => {
      await tools.agent.call('list', { limit: 1, page: '3' });
      assert.equal(tools.service.requests.length, 1);
      assert.match(String(tools.service.requests[0]), new RegExp(`user.*${ALICE}`));
    });

    it('lists IDs if the service does not answer, and says that names are not known', async () => {
      tools.service.instead = async () => new Response('down', { status: 403 });
      assert.match(
        await tools.agent.call('list', { query: 'Fern' }),
        /Matching: 0\. Without a known name: 4\. A query finds these only by ID or label\./,
      );
      assert.deepEqual(
        rowsOf(await tools.agent.call('list', { kind: 'group' })).map(({ id, name }) => [id, name]),
        [
          [SHOP, undefined],
          [HIKING, undefined],
        ],
      );
    });

    it('has only chosen chats, if the user has chosen some', async () => {
      await configure({ 'agents.access': 'chosen', 'agents.chats': { groups: [HIKING] } });
      const result = await tools.agent.call('list', {});
      assert.deepEqual(
        rowsOf(result).map(({ id, name }) => id ?? name),
        [HIKING, BOT, 'testers'],
      );
      assert.match(parts(result).around, /The user lets agents see only some chats/);
      await configure({ 'agents.chats': { people: [HIKING, ALICE] } });
      assert.deepEqual(idsOf(await tools.agent.call('list', { kind: 'group' })), []);
      await configure({ 'agents.access': 'none' });
      assert.deepEqual(
        rowsOf(await tools.agent.call('list', {})).map(({ kind }) => kind),
        ['bot', 'audience'],
      );
    });

    it('says how many audiences can’t be read', async () => {
      await configure({ audiences: { odd: 7, testers: { people: [ALICE] } } });
      const result = await tools.agent.call('list', { kind: 'audience' });
      assert.match(result, /^Entries of the sidebar, and audiences: 1\. Audiences in the settings .* read: 1\./);
    });

    it('says how to connect', async () => {
      await configure({ 'service.openApiUrl': '' });
      try {
        await assert.rejects(
          tools.agent.call('list', {}),
          /botChats\.service\.openApiUrl.*"Bot Chats: Connect to Your Service…"/,
        );
      } finally {
        await configure({ 'service.openApiUrl': tools.service.sandbox.openApiUrl });
      }
    });
  });

  describe('look_up', () => {
    it('gives the documented fields, without tokens and addresses to send to', async () => {
      const token = 'a-token-that-must-not-leak';
      tools.service.instead = async (request) => {
        const answer = await (await tools.service.sandbox.fetch(request)).json();
        const { data } = answer as { data?: Record<string, object> };
        for (const one of Object.values(data ?? {}))
          Object.assign(one, { token, uri: `https://a.example/?token=${token}` });
        return Response.json(answer);
      };
      const result = await tools.agent.call('look_up', { ids: [SHOP, SHOP] });
      assert.equal(rowsOf(result).length, 1);
      assert.ok(!result.includes(token) && !result.includes('a.example'));
      const [{ id, group } = {}] = rowsOf(result) as { id?: string; group?: Record<string, unknown> }[];
      assert.equal(id, SHOP);
      assert.equal(group?.name, 'Fern & Kettle: the shop team');
      assert.equal(group?.headcount, 342);
      assert.equal(group?.createBy, ALICE);
      assert.match(String(group?.createTime), /^2024-01-0\d \d\d:\d\d$/);
      assert.match(JSON.stringify(group?.groupBotRel), /"nickname":"Order Desk"/);
    });

    it('asks no more of a service that gets too many requests, and says so of every ID', async () => {
      tools.service.instead = async () => Response.json({ code: 1007, msg: 'slow down' });
      const ids = Array.from({ length: 10 }, (_, at) => `90000${at}`);
      const rows = rowsOf(await tools.agent.call('look_up', { ids }, { budget: 1_500, countTokens: () => 1 }));
      assert.equal(rows.length, 10);
      for (const { group, bot, person } of rows)
        for (const error of [group, bot, person])
          assert.match(String(error), /^The service returned error 1007: “slow down”/);
      // Each is tried three times, and eight run at a time.
      assert.ok(tools.service.requests.length < 45);
      tools.service.requests.splice(0);
      await configure({ people: Array.from({ length: 30 }, (_, at) => `9100${at}`) });
      assert.match(await tools.agent.call('list', { query: 'x', kind: 'person' }), /Without a known name: 30\./);
      assert.ok(tools.service.requests.length < 45);
    });

    it('says how many more medals there are than it names', async () => {
      const medals = Array.from({ length: 12 }, (_, at) => ({ name: `Medal ${at}` }));
      tools.service.instead = async () =>
        Response.json({ code: 1, msg: 'success', data: { user: { userId: GONE, nickname: 'One', medals } } });
      const rows = rowsOf(await tools.agent.call('look_up', { ids: [GONE], kind: 'person' }));
      const [{ person } = {}] = rows as { person?: { medals: unknown[] } }[];
      assert.deepEqual(person?.medals.slice(9), [{ name: 'Medal 9' }, 'and 2 more']);
    });

    it('leaves out what is empty and whole images, gives times as they are read, and cuts long texts', async () => {
      const user = {
        userId: GONE,
        nickname: 'x'.repeat(500),
        avatarUrl: 'data:image/png;base64,AAAA',
        registerTime: new Date(2026, 2, 1, 9, 30).getTime() / 1000,
        registerTimeText: '',
        medals: [],
        isVip: 0,
      };
      tools.service.instead = async () => Response.json({ code: 1, msg: 'success', data: { user } });
      const result = await tools.agent.call('look_up', { ids: [GONE], kind: 'person' });
      assert.deepEqual(rowsOf(result), [
        {
          id: GONE,
          person: { userId: GONE, nickname: `${'x'.repeat(400)}…`, registerTime: '2026-03-01 09:30', isVip: 0 },
        },
      ]);
      assert.match(result, /^Times are in the time zone [\w/+-]+\. registerTimeText is in that of the service\.\n/);
    });

    it('has no time that the service doesn’t know', async () => {
      const group = { groupId: GONE, name: 'One', createTime: 0, groupBotRel: { updateTsime: 0, createTime: 0 } };
      tools.service.instead = async () => Response.json({ code: 1, msg: 'success', data: { group } });
      assert.deepEqual(rowsOf(await tools.agent.call('look_up', { ids: [GONE], kind: 'group' })), [
        { id: GONE, group: { groupId: GONE, name: 'One' } },
      ]);
    });

    it('gives every kind that matches, and says what does not exist', async () => {
      const same = '777000777';
      tools.service.instead = async (request) =>
        request.url.includes(same) && request.url.includes('user')
          ? Response.json({ code: 1, msg: 'success', data: { user: { userId: same, nickname: 'One' } } })
          : request.url.includes('bot')
            ? Response.json({ code: 1, msg: 'success', data: { bot: { botId: same, nickname: 'Two' } } })
            : undefined;
      const rows = rowsOf(await tools.agent.call('look_up', { ids: [same] }));
      assert.deepEqual(
        rows.map((row) => Object.keys(row)),
        [['id', 'bot', 'person']],
      );
      tools.service.instead = () => undefined;
      assert.deepEqual(rowsOf(await tools.agent.call('look_up', { ids: [GONE] })), [
        { id: GONE, result: "doesn't exist as group, bot, person" },
      ]);
      assert.deepEqual(rowsOf(await tools.agent.call('look_up', { ids: [ALICE], kind: 'group' })), [
        { id: ALICE, result: "doesn't exist as group" },
      ]);
    });

    it('keeps what was found if another lookup fails', async () => {
      tools.service.instead = async (request) =>
        request.url.includes(GONE) ? new Response('down', { status: 403 }) : undefined;
      const [alice, gone] = rowsOf(await tools.agent.call('look_up', { ids: [ALICE, GONE], kind: 'person' }));
      assert.match(JSON.stringify(alice?.person), /"nickname":"Alice Fernhollow"/);
      assert.match(String(gone?.person), /HTTP status 403/);
    });

    it('leaves IDs that do not fit for the next call', async () => {
      const ids = [SHOP, HIKING, ALICE, BOT, GONE];
      const results = await pagesOf(
        (next) => tools.agent.call('look_up', { ids, ...next }, { budget: 1_500 }),
        (result) => {
          const left = / and ids (\[[^\]]*\])/.exec(result)?.[1];
          return left === undefined ? undefined : { ids: JSON.parse(left) };
        },
      );
      assert.ok(results.length > 1);
      // A row that doesn't fit by itself is cut off.
      const seen = results.flatMap((result) => parts(result).rows.map((row) => /^\{"id":"(\d+)"/.exec(row)?.[1]));
      assert.deepEqual(seen, ids);
      assert.doesNotMatch(results.at(-1) ?? '', /For the rest/);
    });

    it('looks up no group or person that agents may not see', async () => {
      await configure({ 'agents.access': 'chosen', 'agents.chats': { groups: [SHOP] } });
      const rows = rowsOf(await tools.agent.call('look_up', { ids: [SHOP, ALICE, BOT] }));
      assert.deepEqual(
        rows.map(({ id, group, bot, result }) => [id, group !== undefined, bot !== undefined, result]),
        [
          [SHOP, true, false, undefined],
          [ALICE, false, false, "doesn't exist as bot; the user doesn't let agents see groups and people with this ID"],
          [BOT, false, true, undefined],
        ],
      );
      assert.deepEqual(rowsOf(await tools.agent.call('look_up', { ids: [ALICE], kind: 'person' })), [
        { id: ALICE, result: "the user doesn't let agents see people with this ID" },
      ]);
      assert.ok(
        tools.service.requests.every(({ search, pathname }) => !search.includes(ALICE) || pathname.includes('bot')),
      );
    });
  });

  it('stop when they are cancelled, and so do their lookups', async () => {
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
        tools.agent = newAgent({ ...tools.host, connection: connectionTo(async () => hanging) });
      });
      await assert.rejects(tools.agent.call(name, input, { cancelAfter: started }), CancellationError, name);
      assert.ok(signals.length > 0 && signals.every(({ aborted }) => aborted), name);
    }
  });

  it('do nothing if they are cancelled before', async () => {
    let opened = 0;
    tools.agent = newAgent(tools.host, {
      drafts: { open: async () => ({ problems: [], recipients: opened++, leftOut: 0, unchecked: 0 }) },
    });
    await assert.rejects(tools.agent.call('draft', { body: 'x' }, { isCancelled: true }), CancellationError);
    assert.equal(opened, 0);
  });
});
