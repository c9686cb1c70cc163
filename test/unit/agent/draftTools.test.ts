import assert from 'node:assert/strict';
import type {
  CheckedDraft,
  DeliverySummary,
  UnreachedRecipient,
  WrittenDraft,
} from '../../../src/deliveries/contract.ts';
import { configure } from '../test-service.ts';
import { ALICE, BOT, idsOf, newAgent, nextPage, pagesOf, parts, rowsOf, SHOP, useTools } from './agents.ts';

describe('Tools for agents about what is sent', () => {
  const tools = useTools();

  describe('draft', () => {
    let opened: WrittenDraft[];
    let problems: CheckedDraft['problems'];
    beforeEach(() => {
      opened = [];
      problems = [{ severity: 'error', text: 'The message is [x](command:y).' }];
      tools.agent = newAgent(tools.host, {
        drafts: {
          open: async (draft) => {
            opened.push(draft);
            return {
              problems: draft.body === 'bad' ? problems : [],
              recipients: 3,
              leftOut: draft.body === 'bad' ? 2 : 0,
              unchecked: draft.body === 'bad' ? 2 : 0,
            };
          },
        },
      });
    });

    it('hands over the message, and says that it is not sent', async () => {
      const result = await tools.agent.call('draft', {
        body: '# Hi',
        type: 'text',
        botId: BOT,
        groups: [SHOP],
        people: [Number(ALICE)],
        audiences: ['testers'],
        // Models write a button where a row belongs.
        buttons: [
          [{ text: 'Docs', opens: 'https://a.example' }],
          { text: 'Code', copies: '42' },
          [{ text: 'Yes', reports: 'yes' }],
        ],
      });
      assert.equal(
        result,
        'The draft is open in the editor. It is not sent. Recipients: 3. Its checks find no problems.\nOnly the user can send it. Say that it is ready to be read, changed and sent.',
      );
      assert.deepEqual(opened, [
        {
          body: '# Hi',
          type: 'text',
          botId: BOT,
          audiences: ['testers'],
          chats: [
            { kind: 'group', id: SHOP },
            { kind: 'user', id: ALICE },
          ],
          buttons: [
            [{ text: 'Docs', actionType: 1, url: 'https://a.example', value: '' }],
            [{ text: 'Code', actionType: 2, url: '', value: '42' }],
            [{ text: 'Yes', actionType: 3, url: '', value: 'yes' }],
          ],
        },
      ]);
    });

    it('has the type that the agent gives, or none', async () => {
      const types = ['markdown', 'text', 'html', undefined];
      for (const type of types) await tools.agent.call('draft', { body: 'Hi', type });
      assert.deepEqual(
        opened.map(({ type }) => type),
        types,
      );
    });

    it('reports what the checks find, and how many are left out', async () => {
      const result = await tools.agent.call('draft', { body: 'bad' });
      assert.deepEqual(rowsOf(result), [{ severity: 'error', text: 'The message is [x] (command :y).' }]);
      const { around } = parts(result);
      assert.match(around, /Recipients: 3\. Left out, because the user never sends to them: 2\./);
      assert.match(around, /Problems that its checks find: 1\. 2 of the recipients were never looked up/);
      assert.match(around, /It can only be sent once the errors are corrected/);
    });

    it('says how many problems are only in the document, and that warnings don’t prevent sending', async () => {
      problems = Array.from({ length: 30 }, (_, at) => ({ severity: 'warning', text: `Problem ${at}. `.repeat(5) }));
      const result = await tools.agent.call('draft', { body: 'bad' });
      const shown = rowsOf(result).length;
      assert.ok(shown > 0 && shown < 30);
      const { around } = parts(result);
      assert.match(around, new RegExp(`\\n${30 - shown} more are in the document\\. Only the user can send it\\.`));
    });

    it('asks before, naming the recipients, unless the user has allowed them', async () => {
      const input = { body: 'Hi', groups: [SHOP], people: ['5'], audiences: ['testers', 'unknown'] };
      assert.equal(
        await tools.agent.question('draft', input),
        `Let the agent open a draft? Opens a new document and its preview. Nothing is sent to its recipients. Their number and any problems found will be sent to the language model. Recipients: Work (${SHOP}), 5, Alice Fernhollow (${ALICE})`,
      );
      assert.match((await tools.agent.question('draft', { body: 'Hi' })) ?? '', /Recipients: none yet$/);
      const asked = (people: string[]) => tools.agent.question('draft', { body: 'Hi', people });
      assert.match((await asked(['1', '2', '3', '4', '5', '6'])) ?? '', /Recipients: 1, 2, 3, 4, 5, 6$/);
      assert.match((await asked(['1', '2', '3', '4', '5', '6', '7'])) ?? '', /Recipients: 1, 2, 3, 4, 5 and 2 more$/);
      await configure({ 'agents.access': 'chosen', 'agents.chats': { groups: [SHOP], people: [ALICE] } });
      assert.notEqual(await tools.agent.question('draft', input), undefined);
      assert.equal(await tools.agent.question('draft', { body: 'Hi', audiences: ['testers'] }), undefined);
      await configure({ 'agents.access': 'none' });
      assert.notEqual(await tools.agent.question('draft', input), undefined);
      assert.deepEqual(opened, []);
    });

    it('asks with the IDs of the recipients while no service is connected', async () => {
      await configure({ 'service.openApiUrl': '' });
      const asked = await tools.agent.question('draft', { body: 'Hi', groups: [SHOP] });
      await configure({ 'service.openApiUrl': tools.service.sandbox.openApiUrl });
      assert.match(asked ?? '', new RegExp(`Recipients: ${SHOP}$`));
    });

    it('asks about the members of an audience, however a draft may write its name', async () => {
      await configure({ audiences: { 'Jos\u00E9': { people: [ALICE] } }, 'agents.access': 'chosen' });
      for (const name of ['Jos\u00E9', ' Jos\u00E9 ', 'Jose\u0301'])
        assert.match(
          (await tools.agent.question('draft', { body: 'Hi', audiences: [name] })) ?? '',
          /Recipients: Alice Fernhollow \(7058314\)$/,
        );
    });

    it('rejects what is not a message', async () => {
      for (const [input, problem] of [
        [{ body: ' ' }, /body: Must not be empty/],
        [{ body: 'x', type: 'image' }, /type: Must be "markdown", "text" or "html"/],
        [{ body: 'x', groups: Array.from({ length: 501 }, (_, at) => `${at}`) }, /groups: Can have up to 500 IDs/],
        [{ body: 7 }, /body: Must be a string/],
        [{ body: 'x', audiences: 'all' }, /audiences: Must be a list of names/],
        [{ body: 'x', audiences: Array.from({ length: 51 }, () => 'a') }, /audiences: Can have up to 50 names/],
        [{ body: 'x', buttons: 'a' }, /buttons: Must be a list of rows, each a list of buttons/],
        [{ body: 'x', buttons: Array.from({ length: 21 }, () => []) }, /buttons: Can have up to 20 rows/],
        [{ body: 'x', groups: ['a b'] }, /groups\.0: Must be an ID: up to 200 visible characters/],
        // JSON has read 12345678901234567890 as another number, and nobody has the ID 7058314.5.
        [{ body: 'x', people: [Number('12345678901234567890')] }, /people\.0: Must be a string: .* has lost digits/],
        [{ body: 'x', groups: [7058314.5] }, /groups\.0: Must be a string/],
        [{ body: 'x', botId: 1e21 }, /botId: Must be a string/],
        [{ body: 'x', buttons: [[{ text: 'a' }]] }, /buttons\.0\.0: A button needs exactly one of "opens"/],
        [{ body: 'x', buttons: [[{ text: 'a', url: 'b' }]] }, /buttons\.0\.0\.url/],
        [{ body: 'x', buttons: [[{ text: 'a', opens: 'b', copies: 'c' }]] }, /buttons/],
        [{ body: 'x'.repeat(100_001) }, /body: Can have up to 100000 characters/],
      ] as const)
        await assert.rejects(tools.agent.call('draft', input), problem);
      assert.deepEqual(opened, []);
    });
  });

  describe('delivery', () => {
    const ID = '000000000000001-abcdefgh';
    const delivery: DeliverySummary = {
      id: ID,
      name: 'news.md',
      time: new Date(2026, 2, 1, 9, 30).getTime(),
      botId: BOT,
      state: 'unreached',
      total: 28,
      counts: { reached: 1, unconfirmed: 2, absent: 3, unknown: 4, rejected: 5, notSent: 6, leftOut: 7 },
    };
    const unreached: UnreachedRecipient[] = Array.from({ length: 42 }, (_, at) => ({
      chat: { kind: 'group', id: `${at}` },
      name: `Group ${at}`,
      details: 'why',
      result: at === 0 ? 'unknown' : at < 22 ? 'rejected' : 'unconfirmed',
    }));
    let outbox: DeliverySummary[];
    let unreadable: number;
    beforeEach(() => {
      outbox = [delivery];
      unreadable = 2;
      tools.agent = newAgent(tools.host, {
        deliveries: {
          list: async () => ({ deliveries: outbox, unreadable }),
          get: async (id, includes, limit) =>
            id === ID
              ? { delivery, unreached: unreached.filter(({ chat }) => includes(chat)).slice(0, limit) }
              : undefined,
        },
      });
    });

    it('lists deliveries with their results', async () => {
      const result = await tools.agent.call('delivery', {});
      assert.deepEqual(rowsOf(result), [
        {
          id: ID,
          document: 'news.md',
          time: '2026-03-01 09:30',
          botId: BOT,
          state: 'unreached',
          recipients: 28,
          reached: 1,
          'not confirmed': 2,
          'not reached': 3,
          unknown: 4,
          refused: 5,
          'not sent': 6,
          'left out': 7,
        },
      ]);
      const { around } = parts(result);
      assert.match(around, /^The outbox has 1 delivery, newest first\. Times are .* 2 more can't be read\.\n/);
      assert.match(around, /\nFor the recipients that a delivery did not reach, call botchats_delivery with its id\.$/);
    });

    it('lists twenty deliveries at a time', async () => {
      outbox = Array.from({ length: 41 }, (_, at) => ({ ...delivery, id: `d${at}` }));
      const pages = await pagesOf(
        (next) => tools.agent.call('delivery', next, { budget: 100_000, countTokens: () => 1 }),
        nextPage,
      );
      assert.deepEqual(
        pages.map((page) => idsOf(page).length),
        [20, 20, 1],
      );
      assert.deepEqual(
        pages.flatMap(idsOf),
        outbox.map(({ id }) => id),
      );
      assert.match(pages[0] ?? '', /^The outbox has 41 deliveries, newest first\./);
    });

    it('says that nothing was sent', async () => {
      outbox = [];
      unreadable = 0;
      assert.match(
        await tools.agent.call('delivery', {}),
        /^The outbox has 0 deliveries, newest first\. Times are in the time zone [\w/+-]+\.$/,
      );
    });

    it('says when a scheduled delivery is to be sent, and only those results that there are', async () => {
      const counts = { reached: 0, unconfirmed: 0, absent: 0, unknown: 0, rejected: 0, notSent: 28, leftOut: 0 };
      outbox = [{ ...delivery, state: 'scheduled', due: new Date(2026, 2, 2, 8).getTime(), counts }];
      const [row] = rowsOf(await tools.agent.call('delivery', {}));
      assert.equal(row?.state, 'scheduled');
      assert.equal(row.scheduledFor, '2026-03-02 08:00');
      assert.equal(row.reached, 0);
      assert.equal(row['not sent'], 28);
      for (const other of ['not confirmed', 'refused', 'left out']) assert.ok(!(other in row), other);
    });

    it('gives every unreached recipient once, page by page', async () => {
      const results = await pagesOf(
        (next) => tools.agent.call('delivery', { id: ID, ...next }, { budget: 900 }),
        nextPage,
      );
      assert.deepEqual(results.flatMap(idsOf), [ID, ...unreached.map(({ chat }) => chat.id)]);
    });

    it('says why recipients were not reached, and who may have the message', async () => {
      const result = await tools.agent.call('delivery', { id: ID }, { budget: 100_000, countTokens: () => 1 });
      assert.deepEqual(rowsOf(result)[1], {
        kind: 'group',
        id: '0',
        name: 'Group 0',
        result: 'unknown',
        details: 'why',
      });
      assert.equal(rowsOf(result).length, 20);
      const { around } = parts(result);
      assert.match(
        around,
        /^A delivery, and recipients that it did not reach\. "not confirmed" and "unknown" may have received it: only the user can check that, or resend\. Times are in the time zone [\w/+-]+\.\n/,
      );
      assert.match(around, new RegExp(`call botchats_delivery again with id "${ID}" and page "20"\\.$`));
    });

    it('names only recipients that agents may see, and doesn’t say why, as that may name others', async () => {
      await configure({ 'agents.access': 'chosen', 'agents.chats': { groups: ['3'], people: ['2'] } });
      const result = await tools.agent.call('delivery', { id: ID });
      assert.deepEqual(rowsOf(result).slice(1), [{ kind: 'group', id: '3', name: 'Group 3', result: 'refused' }]);
      assert.match(parts(result).around, /The user lets agents see only some chats/);
    });

    it('rejects the ID of no delivery', async () => {
      await assert.rejects(
        tools.agent.call('delivery', { id: ID.replace('1', '2') }),
        /no such delivery\. Call botchats_delivery without id/,
      );
    });
  });
});
