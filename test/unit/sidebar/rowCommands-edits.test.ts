import assert from 'node:assert/strict';
import { window } from 'vscode';
import { answer, onLists, onMessages, type } from '../answers.ts';
import { configure, useService, written } from '../test-service.ts';
import { factIn, LISTS, openSidebar } from './openSidebar.ts';
import { BOTS, GROUPS, PEOPLE } from './showTree.ts';

describe('Editing the lists of the sidebar', () => {
  const service = useService({ ...LISTS, 'service.callsPerSecond': 1000 });
  let sidebar: Awaited<ReturnType<typeof openSidebar>>;

  beforeEach(async () => {
    sidebar = await openSidebar(service);
  });
  afterEach(() => sidebar.close());

  describe('Removing', () => {
    it('removes rows of all kinds from the lists, and undo restores them among later changes', async () => {
      const messages = onMessages((_, [undo]) => undo);
      const press = window.showInformationMessage;
      answer('showInformationMessage', (async (...message: Parameters<typeof press>) => {
        assert.deepEqual([written('groups').user, written('people').user], [['518204736', '524317890'], ['7102649']]);
        await configure({ groups: ['524317890', '531048827'] });
        return press(...message);
      }) as typeof press);
      const rows = [...(await sidebar.rowsAt(GROUPS, 'big')), ...(await sidebar.rowsAt(PEOPLE, '7058314'))];
      await sidebar.commands.remove(rows);
      assert.deepEqual(messages, ['Removed 2 items from the sidebar.']);
      const [, big] = LISTS.groups;
      assert.deepEqual(written('groups').user, [big, '524317890', '531048827']);
      assert.deepEqual(written('people').user, LISTS.people);
    });

    it('names a single row by its title, and removes it without undo', async () => {
      const messages = onMessages();
      await sidebar.commands.remove(await sidebar.rowsAt(GROUPS, 'big'));
      assert.deepEqual(messages, ['Removed Neighbours from the sidebar.']);
      assert.deepEqual(written('groups').user, ['518204736', '524317890']);
    });

    it('asks nothing without a row', async () => {
      const messages = onMessages();
      await sidebar.shown.visibleItems(GROUPS);
      await sidebar.commands.remove(await sidebar.factsOf((await sidebar.shown.rows(GROUPS))[0]));
      assert.deepEqual(messages, []);
    });
  });

  describe('Renaming', () => {
    it('starts with the current label, shows the name, and an empty label removes it', async () => {
      await sidebar.shown.visibleItems(GROUPS);
      const boxes = type('  My town ', ' ');
      const rows = await sidebar.rowsAt(GROUPS, 'big');
      await sidebar.commands.relabel(rows);
      assert.equal(boxes[0]?.value, 'Neighbours');
      assert.match(boxes[0]?.prompt ?? '', /Riverside Town 河畔小镇/);
      assert.deepEqual(written('groups').user, ['518204736', { id: 'big', label: 'My town' }, '524317890']);
      await sidebar.commands.relabel(rows);
      assert.deepEqual(written('groups').user, ['518204736', 'big', '524317890']);
    });

    it('changes nothing after Escape', async () => {
      type(undefined);
      await sidebar.commands.relabel(await sidebar.rowsAt(GROUPS, 'big'));
      assert.deepEqual(written('groups').user, LISTS.groups);
    });
  });

  describe('Moving', () => {
    it('moves one or more rows up or down by one', async () => {
      await sidebar.commands.moveUp(await sidebar.rowsAt(GROUPS, 'big', '524317890'));
      assert.deepEqual(await sidebar.idsIn(GROUPS), ['big', '524317890', '518204736']);
      await sidebar.commands.moveUp(await sidebar.rowsAt(GROUPS, 'big'));
      assert.deepEqual(await sidebar.idsIn(GROUPS), ['big', '524317890', '518204736']);
      await sidebar.commands.moveDown([
        ...(await sidebar.rowsAt(GROUPS, 'big')),
        ...(await sidebar.rowsAt(PEOPLE, '7058314')),
      ]);
      assert.deepEqual(await sidebar.idsIn(GROUPS), ['524317890', 'big', '518204736']);
      assert.deepEqual(await sidebar.idsIn(PEOPLE), ['7102649', '7058314']);
    });

    it('moves dropped rows to the position of the target, from either side', async () => {
      const [first, second, third] = await sidebar.shown.rows(GROUPS);
      assert(first && second && third);
      await sidebar.commands.drop([first], third);
      assert.deepEqual(await sidebar.idsIn(GROUPS), ['big', '524317890', '518204736']);
      await sidebar.commands.drop([first], second);
      assert.deepEqual(await sidebar.idsIn(GROUPS), ['518204736', 'big', '524317890']);
      await sidebar.commands.drop([third, second], first);
      assert.deepEqual(await sidebar.idsIn(GROUPS), ['big', '524317890', '518204736']);
    });

    it('moves rows that are dropped on a section to its end, except those of other kinds', async () => {
      const [first] = await sidebar.shown.rows(GROUPS);
      const section = await sidebar.shown.sectionOf(GROUPS);
      assert(first && section);
      await sidebar.commands.drop([first, ...(await sidebar.shown.rows(PEOPLE))], section);
      assert.deepEqual(await sidebar.idsIn(GROUPS), ['big', '524317890', '518204736']);
      assert.deepEqual(await sidebar.idsIn(PEOPLE), LISTS.people);
    });

    it('fails with a reason if it has no visible effect', async () => {
      sidebar.shown.tree.sections.order = 'name';
      const rows = await sidebar.rowsAt(GROUPS, 'big');
      const [target] = await sidebar.rowsAt(GROUPS, '518204736');
      assert(target);
      await assert.rejects(sidebar.commands.moveUp(rows), /sorted as listed/);
      await assert.rejects(sidebar.commands.drop(rows, target), /sorted as listed/);
      sidebar.shown.tree.sections.order = 'listed';
      sidebar.shown.tree.sections.filter = 'neigh';
      await assert.rejects(sidebar.commands.moveUp(rows), /Clear the filter/);
      assert.deepEqual(written('groups').user, LISTS.groups);
    });
  });

  describe('Adding', () => {
    it('reveals the added row even if a filter hides it', async () => {
      sidebar.shown.tree.sections.filter = 'fern';
      type('531048827 559902341');
      onLists('enter');
      await sidebar.commands.addGroup();
      assert.deepEqual(await sidebar.idsIn(GROUPS), ['518204736', 'big', '524317890', '531048827', '559902341']);
      assert.deepEqual(sidebar.revealed, await sidebar.rowsAt(GROUPS, '559902341'));
    });

    it('adds what a fact refers to', async () => {
      await sidebar.shown.visibleItems(GROUPS);
      const facts = await sidebar.factsOf((await sidebar.rowsAt(GROUPS, 'big'))[0]);
      await sidebar.commands.addToSidebar([factIn(facts, 'Bot'), factIn(facts, 'Created by')]);
      assert.deepEqual(await sidebar.idsIn(BOTS), [...LISTS.bots, '30694418']);
      assert.deepEqual(await sidebar.idsIn(PEOPLE), [...LISTS.people, '7521170']);
      assert.equal(sidebar.revealed.length, 2);
      await sidebar.commands.addToSidebar([factIn(facts, 'Bot')]);
      assert.deepEqual(written('bots').user, [...LISTS.bots, '30694418']);
    });
  });
});
