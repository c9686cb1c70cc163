import assert from 'node:assert/strict';
import { MarkdownString } from 'vscode';
import type { Connection } from '../../../src/platform/service.ts';
import type { ChatNode, NoteNode } from '../../../src/sidebar/nodes.ts';
import { configure, useService } from '../test-service.ts';
import { BOTS, GROUPS, openTree, PEOPLE, type showTree, textOf } from './showTree.ts';

const LISTS = { groups: ['518204736', 'nosuch'], bots: ['30759903'], people: ['7058314', 3] };

describe('The sidebar’s tree', () => {
  const service = useService({ ...LISTS, 'service.callsPerSecond': 1000 });
  let connection: Connection;
  let shown: ReturnType<typeof showTree>;
  let close: () => Promise<void>;

  beforeEach(async () => {
    ({ connection, shown, close } = await openTree(service, LISTS));
  });
  afterEach(() => close());

  const firstItem = async (nodes: readonly ChatNode[]) => {
    const [item] = await shown.items(nodes.slice(0, 1));
    assert(item);
    return item;
  };
  const childrenOf = async (node: ChatNode | undefined) => {
    assert(node);
    return shown.tree.getChildren(node);
  };
  const valuesOf = async (nodes: readonly ChatNode[]) =>
    new Map<string, string | undefined>(
      (await shown.items(nodes)).map(({ label, description }) => [label, description]),
    );
  const notesIn = (nodes: readonly ChatNode[]) => nodes.filter((node): node is NoteNode => node.type === 'note');

  it('shows the names of visible rows, and errors on the rows that failed', async () => {
    assert.deepEqual((await shown.visibleItems(GROUPS)).map(textOf), [
      ['Fern & Kettle: the shop team', '342 members'],
      ['nosuch', "doesn't exist"],
    ]);
    assert.deepEqual((await shown.visibleItems(BOTS)).map(textOf), [['Release Clerk', '14 users · private']]);
  });

  it('looks up only visible rows', async () => {
    await configure({ groups: Array.from({ length: 1000 }, (_, index) => `g${index}`) });
    const rows = await shown.rows(GROUPS);
    const waiting = await shown.items(rows);
    assert.equal(new Set(waiting.map(({ resourceUri }) => resourceUri?.toString())).size, 1000);
    assert.deepEqual(service.requests, []);
    await shown.makeVisible(rows.slice(100, 140));
    assert.equal(service.requests.length, 40);
    const after = await shown.items(rows);
    assert.deepEqual(
      after.flatMap(({ resourceUri }, index) => (resourceUri ? [] : [index])),
      Array.from({ length: 40 }, (_, index) => 100 + index),
    );
  });

  it('detects visible rows with any ID', async () => {
    const ids = ['a/b', '%2F', 'a?b#c', '群', '😀'];
    await configure({ groups: ids });
    const items = await shown.visibleItems(GROUPS);
    assert.deepEqual(
      items.map(textOf),
      ids.map((id) => [id, "doesn't exist"]),
    );
  });

  it('looks up rows from the top, although VS Code paints them in another order', async () => {
    await configure({ people: ['7058314', '7102649', '7230581'] });
    await shown.makeVisible((await shown.rows(PEOPLE)).toReversed());
    assert.deepEqual(
      service.requests.map(({ searchParams }) => searchParams.get('userId')),
      ['7058314', '7102649', '7230581'],
    );
  });

  it('shows the service’s code and text for a failed row, and a command to retry', async () => {
    await shown.visibleItems(GROUPS);
    const [, failed] = await shown.rows(GROUPS);
    assert(failed);
    const item = await firstItem([failed]);
    const { tooltip } = await shown.tree.resolveTreeItem(item, failed);
    assert.match(String(tooltip), /nosuch.*error -1: “.+”/);
    const [note, ...others] = await childrenOf(failed);
    assert(note?.type === 'note');
    assert.match(note.text, /nosuch.*error -1: “.+”/);
    assert.deepEqual(note.command.arguments, [failed]);
    assert.equal(note.command.command, 'botChats.retry');
    assert.deepEqual(others, []);
  });

  it('keeps the details of a row that fails, below the error', async () => {
    await shown.visibleItems(GROUPS);
    const [group] = await shown.rows(GROUPS);
    assert(group);
    service.sandbox.setFaults({ faults: [{ on: 'group-info', fault: 'code', code: 1002, msg: '参数错误' }] });
    await shown.tree.refresh([group]);
    const [reason, id] = await shown.items(await childrenOf(group));
    assert.match(String(reason?.label), /error 1002: “参数错误”/);
    assert.deepEqual(id && textOf(id), ['ID', '518204736']);
  });

  it('refreshes all rows when they become visible, and keeps their names until then', async () => {
    const [before] = await shown.visibleItems(GROUPS);
    const asked = service.requests.length;
    const repainted = shown.nextRepaint();
    await shown.tree.refresh();
    assert.equal(await repainted, undefined);
    const [item] = await shown.items(await shown.rows(GROUPS));
    assert.equal(item?.label, before?.label);
    assert.equal(service.requests.length, asked);
    await shown.visibleItems(GROUPS);
    assert.equal(service.requests.length, asked + 2);
  });

  it('shows the details of a row, some of them nested', async () => {
    await shown.visibleItems(GROUPS);
    const [group] = await shown.rows(GROUPS);
    const facts = await childrenOf(group);
    const values = await valuesOf(facts);
    assert.equal(values.get('ID'), '518204736');
    assert.equal(values.get('Bot'), 'Order Desk (30481126)');
    const technical = facts.find((node) => node.type === 'fact' && node.fact.label === 'Technical details');
    assert.equal((await valuesOf(await childrenOf(technical))).get('Internal ID'), '1042');
  });

  it('gives every node a unique, stable ID', async () => {
    await shown.visibleItems(GROUPS);
    const all = async () => {
      const ids: (string | undefined)[] = [];
      const visit = async (nodes: readonly ChatNode[], depth: number) => {
        ids.push(...(await shown.items(nodes.filter(({ type }) => type !== 'note'))).map(({ id }) => id));
        if (depth < 4) for (const node of nodes) await visit(await shown.tree.getChildren(node), depth + 1);
      };
      await visit(await shown.tree.getChildren(), 0);
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
    await shown.visibleItems(GROUPS);
    const [group] = await shown.rows(GROUPS);
    const [fact] = await childrenOf(group);
    assert(group && fact);
    assert.equal(shown.tree.getParent(fact), group);
    assert.equal(shown.tree.getParent(group), await shown.sectionOf(GROUPS));
  });

  describe('References in details', () => {
    const referenceOf = async (label: string) => {
      await shown.visibleItems(GROUPS);
      const facts = await childrenOf((await shown.rows(GROUPS))[0]);
      const reference = facts.find((node) => node.type === 'reference' && node.fact.label === label);
      assert(reference?.type === 'reference');
      return reference;
    };

    it('expand to the facts of the user they refer to, then show the name', async () => {
      const reference = await referenceOf('Created by');
      assert.deepEqual(textOf(await firstItem([reference])), ['Created by', '7058314']);
      const asked = service.requests.length;
      const repainted = shown.repaintWith(reference);
      const facts = await valuesOf(await shown.tree.getChildren(reference));
      assert.equal(facts.get('Name'), 'Alice Fernhollow');
      await repainted;
      assert.deepEqual(textOf(await firstItem([reference])), ['Created by', 'Alice Fernhollow (7058314)']);
      assert.equal(service.requests.length, asked + 1);
    });

    it('say whether the user is in the sidebar already', async () => {
      const reference = await referenceOf('Created by');
      await configure({ people: ['7102649'] });
      assert.equal((await firstItem([reference])).contextValue, 'fact reference user');
      await configure({ people: ['7102649', '7058314'] });
      assert.equal((await firstItem([reference])).contextValue, 'fact reference user listed');
      await configure({ people: undefined });
    });

    it('show why a lookup failed, and can be retried', async () => {
      service.sandbox.setFaults({ faults: [{ on: 'homepage', fault: 'code', code: 1004, times: 1 }] });
      const reference = await referenceOf('Created by');
      const [note] = notesIn(await shown.tree.getChildren(reference));
      assert.match(note?.text ?? '', /error 1004/);
      assert.deepEqual(note?.command.arguments, [reference]);
      const repainted = shown.repaintOf(reference);
      await shown.tree.refresh([reference]);
      await repainted;
      assert.equal((await valuesOf(await shown.tree.getChildren(reference))).get('Name'), 'Alice Fernhollow');
    });
  });

  it('looks up a row that VS Code paints after the service has changed, before it requests the new rows', async () => {
    const rows = await shown.rows(GROUPS);
    shown.tree.reload({ forget: true });
    await shown.makeVisible(rows);
    const [item] = await shown.items(await shown.rows(GROUPS));
    assert.equal(item?.label, 'Fern & Kettle: the shop team');
  });

  it('shows the avatar of a row in its tooltip', async () => {
    const [item] = await shown.visibleItems(PEOPLE);
    const [row] = await shown.rows(PEOPLE);
    assert(item && row);
    const { tooltip } = await shown.tree.resolveTreeItem(item, row);
    assert(tooltip instanceof MarkdownString);
    assert.match(tooltip.value, /\n\n!\[\]\(data:image\/svg\+xml,\S+\|width=48,height=48\)\n\n/);
  });

  it('shows on a row what other features have looked up', async () => {
    const [row] = await shown.rows(PEOPLE);
    assert(row);
    await shown.items([row]);
    const repainted = shown.nextRepaint();
    await (await connection.open()).directory.get('user', '7058314');
    await repainted;
    const item = await firstItem([row]);
    assert.equal(item.label, 'Alice Fernhollow');
    assert.equal(item.resourceUri, undefined);
  });

  it('finds a group before the sections are shown', async () => {
    const row = shown.tree.rowOf({ kind: 'group', id: '518204736' });
    await shown.tree.lookUp(row);
    assert.equal(shown.tree.nameOf(row), 'Fern & Kettle: the shop team');
  });
});
