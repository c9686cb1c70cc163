import assert from 'node:assert/strict';
import { commands as vscodeCommands, window } from 'vscode';
import type { RowCommands } from '../../../src/sidebar/rowCommands.ts';
import { answer, onCheckedInputs, onLists, onMessages, pick, type } from '../answers.ts';
import { configure, useService, written } from '../test-service.ts';
import { ALICE, BIG, LISTS, openSidebar, SHAN, SHOP } from './openSidebar.ts';

const THIRD = { kind: 'group', id: '524317890' } as const;

describe('Editing the lists of the sidebar', () => {
  const service = useService({ ...LISTS, 'service.callsPerSecond': 1000 });
  let open: Awaited<ReturnType<typeof openSidebar>>;
  let commands: RowCommands;

  beforeEach(async () => {
    await configure(LISTS);
    open = await openSidebar(service);
    commands = open.sidebar.rowCommands;
  });
  afterEach(() => open.close());

  const idsIn = async (section: string) => (await open.chats.chats(section)).map(({ id }) => id);

  describe('Removing', () => {
    it('removes rows of all kinds from the lists, and undo restores them among later changes', async () => {
      const messages = onMessages((_, [undo]) => undo);
      const press = window.showInformationMessage;
      answer('showInformationMessage', (async (...message: Parameters<typeof press>) => {
        assert.deepEqual([written('groups').user, written('people').user], [[SHOP.id, THIRD.id], [SHAN.id]]);
        await configure({ groups: [THIRD.id, '531048827'] });
        return press(...message);
      }) as typeof press);
      await commands.remove(open.rows(BIG, ALICE));
      assert.deepEqual(messages, ['Removed 2 items from the sidebar.']);
      assert.deepEqual(written('groups').user, [{ id: 'big', label: 'Neighbours' }, THIRD.id, '531048827']);
      assert.deepEqual(written('people').user, LISTS.people);
    });

    it('names a single row by its title, focuses the one that takes its place, and removes it without undo', async () => {
      const messages = onMessages();
      await commands.remove(open.rows(BIG));
      assert.deepEqual(messages, ['Removed Neighbours from the sidebar.']);
      assert.deepEqual(written('groups').user, [SHOP.id, THIRD.id]);
      assert.deepEqual(open.chats.revealed, open.rows(THIRD));
    });

    it('focuses the row before if the last one is removed, and none if none is left', async () => {
      onMessages();
      await commands.remove(open.rows(THIRD));
      assert.deepEqual(open.chats.revealed.splice(0), open.rows(BIG));
      await commands.remove(open.rows(SHOP, BIG));
      assert.deepEqual(open.chats.revealed, []);
    });

    it('asks nothing without a row', async () => {
      const messages = onMessages();
      await commands.remove([await open.fact('Name')]);
      assert.deepEqual(messages, []);
    });
  });

  describe('Renaming', () => {
    it('starts with the current label, shows the name, and an empty label removes it', async () => {
      await open.chats.seen('Groups');
      const boxes = type('  My town ', ' ');
      await commands.relabel(open.rows(BIG));
      assert.equal(boxes[0]?.value, 'Neighbours');
      assert.match(boxes[0]?.prompt ?? '', /Riverside Town 河畔小镇/);
      assert.deepEqual(written('groups').user, [SHOP.id, { id: 'big', label: 'My town' }, THIRD.id]);
      await commands.relabel(open.rows(BIG));
      assert.deepEqual(written('groups').user, [SHOP.id, 'big', THIRD.id]);
    });

    it('changes nothing after Escape', async () => {
      type(undefined);
      await commands.relabel(open.rows(BIG));
      assert.deepEqual(written('groups').user, LISTS.groups);
    });
  });

  describe('Moving', () => {
    it('moves one or more rows up or down by one', async () => {
      await commands.moveUp(open.rows(BIG, THIRD));
      assert.deepEqual(await idsIn('Groups'), ['big', THIRD.id, SHOP.id]);
      await commands.moveDown(open.rows(BIG, ALICE));
      assert.deepEqual(await idsIn('Groups'), [THIRD.id, 'big', SHOP.id]);
      assert.deepEqual(await idsIn('People'), [SHAN.id, ALICE.id]);
    });

    it('moves dropped rows to the position of the target', async () => {
      const [big = assert.fail()] = open.rows(BIG);
      await commands.drop(open.rows(THIRD), big);
      assert.deepEqual(await idsIn('Groups'), [SHOP.id, THIRD.id, 'big']);
    });

    it('moves rows that are dropped on a section to its end, except those of other kinds', async () => {
      const section = await open.chats.row('Groups');
      await commands.drop(open.rows(SHOP, ALICE), section.node);
      assert.deepEqual(await idsIn('Groups'), ['big', THIRD.id, SHOP.id]);
      assert.deepEqual(await idsIn('People'), LISTS.people);
      await commands.drop(open.rows(ALICE), section.node);
      await commands.drop(open.rows(SHOP), await open.fact('Name'));
      assert.deepEqual(await idsIn('Groups'), ['big', THIRD.id, SHOP.id]);
    });

    it('fails with a reason if it has no visible effect', async () => {
      const { sections } = open.sidebar.tree;
      const [shop = assert.fail()] = open.rows(SHOP);
      sections.order = 'name';
      await assert.rejects(commands.moveUp(open.rows(BIG)), /sorted as listed/);
      await assert.rejects(commands.drop(open.rows(BIG), shop), /sorted as listed/);
      sections.order = 'listed';
      sections.filter = 'neigh';
      await assert.rejects(commands.moveUp(open.rows(BIG)), /Clear the filter/);
      assert.deepEqual(written('groups').user, LISTS.groups);
    });
  });

  describe('Adding', () => {
    it('reveals the added row even if a filter hides it', async () => {
      open.sidebar.tree.sections.filter = 'fern';
      type('531048827 559902341');
      onLists('enter');
      await commands.addGroup();
      assert.deepEqual(await idsIn('Groups'), [SHOP.id, 'big', THIRD.id, '531048827', '559902341']);
      assert.deepEqual(open.chats.revealed, open.rows({ kind: 'group', id: '559902341' }));
    });

    it('adds what a fact refers to, once', async () => {
      const facts = [await open.fact('Bot'), await open.fact('Created by')];
      await configure({ bots: [], people: [] });
      await commands.addToSidebar(facts);
      await commands.addToSidebar(facts);
      assert.deepEqual([written('bots').user, written('people').user], [['30481126'], [ALICE.id]]);
      assert.equal(open.chats.revealed.length, 4);
    });
  });

  describe('Filtering and sorting', () => {
    it('filters by what was typed, restores the filter on Escape, and can be cleared', async () => {
      const contexts: unknown[][] = [];
      const registered = vscodeCommands.registerCommand('setContext', (...context) => void contexts.push(context));
      onCheckedInputs('  neigh ');
      await commands.filter();
      assert.deepEqual(await idsIn('Groups'), ['big']);
      onCheckedInputs(undefined);
      await commands.filter();
      assert.deepEqual(await idsIn('Groups'), ['big']);
      await commands.clearFilter();
      assert.equal((await idsIn('Groups')).length, 3);
      registered.dispose();
      assert.deepEqual(contexts, [
        ['botChats.isFiltered', true],
        ['botChats.isFiltered', false],
      ]);
    });

    it('remembers the order over a restart', async () => {
      await open.chats.seen('Groups');
      const offered = pick('By name');
      await commands.sortBy();
      assert.deepEqual(
        offered.map((text) => text.split(' | ')[0]),
        ['$(check) As listed', 'By name', 'By ID', 'By recent activity'],
      );
      assert.deepEqual(await idsIn('Groups'), [SHOP.id, 'big', THIRD.id]);
      pick('By ID');
      await commands.sortBy();
      assert.deepEqual(await idsIn('Groups'), [SHOP.id, THIRD.id, 'big']);
      pick(undefined);
      await commands.sortBy();
      const later = open.newSidebar();
      assert.equal(later.tree.sections.order, 'id');
      later.dispose();
    });
  });
});
