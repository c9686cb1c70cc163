import assert from 'node:assert/strict';
import type { ChatNode } from '../../../src/sidebar/nodes.ts';
import { configure, useService } from '../test-service.ts';
import { openTree } from './showTree.ts';

const LISTS = { groups: ['518204736', 'nosuch'], bots: ['30759903'], people: ['7058314', 3] };
const SHOP = ['Groups', 'group 518204736'];

describe('The sidebar’s tree', () => {
  const service = useService({ ...LISTS, 'service.callsPerSecond': 1000 });
  let open: Awaited<ReturnType<typeof openTree>>;

  beforeEach(async () => {
    open = await openTree(service, LISTS);
  });
  afterEach(() => open.close());

  it('looks up only visible rows', async () => {
    await configure({ groups: Array.from({ length: 1000 }, (_, index) => `g${index}`) });
    const rows = await open.shown.rows('Groups');
    assert.equal(new Set(rows.map(({ item }) => item.resourceUri?.toString())).size, 1000);
    assert.deepEqual(service.requests, []);
    await open.shown.makeVisible(rows.slice(100, 140));
    assert.equal(service.requests.length, 40);
    const after = await open.shown.rows('Groups');
    assert.deepEqual(
      after.flatMap(({ item }, index) => (item.resourceUri ? [] : [index])),
      Array.from({ length: 40 }, (_, index) => 100 + index),
    );
  });

  it('detects visible rows with any ID', async () => {
    await configure({ groups: ['a/b', '%2F', 'a?b#c', '群', '😀'] });
    assert.deepEqual(await open.shown.seenTexts('Groups'), [
      "a/b | doesn't exist",
      "%2F | doesn't exist",
      "a?b#c | doesn't exist",
      "群 | doesn't exist",
      "😀 | doesn't exist",
    ]);
  });

  it('looks up rows from the top, although VS Code paints them in another order', async () => {
    await configure({ people: ['7058314', '7102649', '7230581'] });
    await open.shown.makeVisible((await open.shown.rows('People')).toReversed());
    assert.deepEqual(
      service.requests.map(({ searchParams }) => searchParams.get('userId')),
      ['7058314', '7102649', '7230581'],
    );
  });

  it('shows the service’s code and text for a failed row, and a command to retry', async () => {
    const [, failed = assert.fail()] = await open.shown.seen('Groups');
    assert.match(await open.shown.tooltip(failed), /nosuch.*error -1: “.+”/);
    const [note = assert.fail(), ...others] = await open.shown.rows('Groups', 'nosuch');
    assert.match(note.text, /nosuch.*error -1: “.+”/);
    const { command, arguments: args } = note.item.command ?? {};
    assert.deepEqual([command, args, others], ['botChats.retry', [failed.node], []]);
  });

  it('keeps the details of a row that fails, below the error', async () => {
    const [group = assert.fail()] = await open.shown.seen('Groups');
    service.sandbox.setFaults({ faults: [{ on: 'group-info', fault: 'code', code: 1002, msg: '参数错误' }] });
    await open.tree.refresh([group.node]);
    const [reason = '', id] = await open.shown.texts(...SHOP);
    assert.match(reason, /error 1002: “参数错误”/);
    assert.equal(id, 'ID | 518204736');
  });

  it('refreshes all rows when they become visible, and keeps their names until then', async () => {
    const before = await open.shown.seenTexts('Groups');
    const asked = service.requests.length;
    const repainted = open.shown.nextRepaint();
    await open.tree.refresh();
    assert.equal(await repainted, undefined);
    assert.equal((await open.shown.texts('Groups'))[0], before[0]);
    assert.equal(service.requests.length, asked);
    await open.shown.seen('Groups');
    assert.equal(service.requests.length, asked + 2);
  });

  it('gives every node a unique, stable ID', async () => {
    await open.shown.seen('Groups');
    const all = async () => {
      const ids: (string | undefined)[] = [];
      const visit = async (nodes: readonly ChatNode[], depth: number) => {
        const rows = await open.shown.rowsOf(nodes.filter(({ type }) => type !== 'note'));
        ids.push(...rows.map(({ item }) => item.id));
        if (depth < 4) for (const node of nodes) await visit(await open.tree.getChildren(node), depth + 1);
      };
      await visit(await open.tree.getChildren(), 0);
      return ids;
    };
    // References are looked up the first time.
    await all();
    const ids = await all();
    assert.ok(ids.length > 50);
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(await all(), ids);
  });

  it('knows the parent of every node', async () => {
    await open.shown.seen('Groups');
    const section = await open.shown.row('Groups');
    const group = await open.shown.row(...SHOP);
    const fact = await open.shown.row(...SHOP, 'Name');
    assert.equal(open.tree.getParent(fact.node), group.node);
    assert.equal(open.tree.getParent(group.node), section.node);
    assert.equal(open.tree.getParent(section.node), undefined);
    const [people, person] = [await open.shown.row('People'), await open.shown.row('People', '7058314')];
    assert.equal(open.tree.getParent(person.node), people.node);
  });

  describe('References in details', () => {
    const CREATOR = [...SHOP, 'Created by'];

    beforeEach(() => open.shown.seen('Groups'));

    it('expand to the facts of the user they refer to, then show the name', async () => {
      const reference = await open.shown.row(...CREATOR);
      assert.equal(reference.text, 'Created by | 7058314');
      const asked = service.requests.length;
      const repainted = open.shown.repaintWith(reference.node);
      const facts = (await open.shown.below(reference)).map(({ text }) => text);
      assert.ok(facts.includes('Name | Alice Fernhollow'), facts.join());
      await repainted;
      assert.equal((await open.shown.row(...CREATOR)).text, 'Created by | Alice Fernhollow (7058314)');
      assert.equal(service.requests.length, asked + 1);
    });

    it('say whether the user is in the sidebar already', async () => {
      const context = async () => (await open.shown.row(...CREATOR)).item.contextValue;
      await configure({ people: ['7102649'] });
      assert.equal(await context(), 'fact reference user');
      await configure({ people: ['7102649', '7058314'] });
      assert.equal(await context(), 'fact reference user listed');
    });

    it('show why a lookup failed, and can be retried', async () => {
      service.sandbox.setFaults({ faults: [{ on: 'homepage', fault: 'code', code: 1004, times: 1 }] });
      const reference = await open.shown.row(...CREATOR);
      const [note = assert.fail()] = await open.shown.rows(...CREATOR);
      assert.match(note.text, /error 1004/);
      assert.deepEqual(note.item.command?.arguments, [reference.node]);
      const repainted = open.shown.repaintWith(reference.node);
      await open.tree.refresh([reference.node]);
      await repainted;
      assert.ok((await open.shown.texts(...CREATOR)).includes('Name | Alice Fernhollow'));
    });
  });

  it('looks up a row that VS Code paints after the service has changed, before it requests the new rows', async () => {
    const rows = await open.shown.rows('Groups');
    open.tree.reload({ forget: true });
    await open.shown.makeVisible(rows);
    assert.equal((await open.shown.row(...SHOP)).label, 'Fern & Kettle: the shop team');
  });

  it('shows the avatar of a row in its tooltip, and all of a detail', async () => {
    const [row = assert.fail()] = await open.shown.seen('People');
    assert.equal(await open.shown.tooltip(await open.shown.row('People', row.label, 'Name')), 'Alice Fernhollow');
    assert.match(await open.shown.tooltip(row), /\n\n!\[\]\(data:image\/svg\+xml,\S+\|width=48,height=48\)\n\n/);
  });

  it('shows on a row what other features have looked up', async () => {
    await open.shown.rows('People');
    const repainted = open.shown.nextRepaint();
    await (await open.connection.open()).directory.get('user', '7058314');
    await repainted;
    const row = await open.shown.row('People', 'Alice Fernhollow');
    assert.equal(row.item.resourceUri, undefined);
  });

  it('knows which chats are archived', async () => {
    open.chats.isArchived = ({ id }) => id === 'nosuch';
    const rows = await open.shown.rows('Groups');
    assert.deepEqual(
      rows.map(({ item }) => item.contextValue),
      ['chat group', 'chat group archived'],
    );
  });

  it('finds a group before the sections are shown', async () => {
    const row = open.tree.rowOf({ kind: 'group', id: '518204736' });
    assert.equal(open.tree.titleOf(row), '518204736');
    await open.tree.lookUp(row);
    assert.equal(open.tree.nameOf(row), 'Fern & Kettle: the shop team');
  });
});
