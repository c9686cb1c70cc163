import assert from 'node:assert/strict';
import { MarkdownString, TreeItemCollapsibleState } from 'vscode';
import type { Connection } from '../../../src/platform/connection.ts';
import { Tokens } from '../../../src/platform/tokens.ts';
import type { FaultPlan } from '../../../src/sandbox/faulty.ts';
import type { ChatNode, NoteNode } from '../../../src/sidebar/nodes.ts';
import { restore } from '../answers.ts';
import { heldClock } from '../clocks.ts';
import { deferred, settled } from '../deferred.ts';
import { secretStorage } from '../memory.ts';
import { configure, newConnection, type TestService, useService } from '../test-service.ts';
import { BOTS, GROUPS, PEOPLE, showTree, textOf } from './showTree.ts';

const ALL_GROUPS = ['518204736', 'big', '524317890', '531048827', '546790213', '559902341', '563311478'];
const LISTS = { groups: ['518204736', 'nosuch'], bots: ['30759903'], people: ['7058314', 3] };
const OUTAGE: FaultPlan = { faults: [{ on: ['group-info', 'bot-info', 'homepage'], fault: 'html' }] };

describe('The sidebar’s tree', () => {
  let service: TestService;
  let connection: Connection;
  let tokens: Tokens;
  let shown: ReturnType<typeof showTree>;

  before(async () => {
    service = await useService({ ...LISTS, 'service.callsPerSecond': 1000 });
  });

  after(() => service.close());

  beforeEach(async () => {
    const { webUrl, openApiUrl } = service.sandbox;
    await configure({ ...LISTS, 'service.webUrl': webUrl, 'service.openApiUrl': openApiUrl });
    connection = newConnection();
    tokens = new Tokens(secretStorage());
    shown = showTree({ connection, tokens });
  });

  afterEach(async () => {
    shown.tree.dispose();
    restore();
    connection.dispose();
    service.sandbox.setFaults(undefined);
    service.instead = () => undefined;
    service.requests.splice(0);
    await configure({ 'service.sandbox': undefined });
  });

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
    new Map((await shown.items(nodes)).map(({ label, description }) => [label, description]));
  const notesIn = (nodes: readonly ChatNode[]) => nodes.filter((node): node is NoteNode => node.type === 'note');
  const labels = async (place: number) => (await shown.items(await shown.children(place))).map(({ label }) => label);

  it('has sections for groups, bots and people with their counts', async () => {
    const sections = (await shown.tree.getChildren()).filter(({ type }) => type === 'section');
    assert.deepEqual((await shown.items(sections)).map(textOf), [
      ['Groups', '2'],
      ['Bots', '1'],
      ['People', '1'],
    ]);
  });

  it('shows the names of visible rows, and errors on the rows that failed', async () => {
    assert.deepEqual((await shown.visibleItems(GROUPS)).map(textOf), [
      ['Fern & Kettle: the shop team', '342 members'],
      ['nosuch', "doesn't exist"],
    ]);
    assert.deepEqual((await shown.visibleItems(BOTS)).map(textOf), [['Release Clerk', '14 users · private']]);
  });

  it('looks up only visible rows, and at most 8 at a time', async () => {
    const ids = Array.from({ length: 1000 }, (_, index) => `g${index}`);
    await configure({ groups: ids });
    // No answer comes before eight requests wait.
    const eight = deferred<undefined>();
    service.instead = () => {
      if (service.requests.length === 8) eight.resolve(undefined);
      return eight.promise;
    };
    const rows = await shown.rows(GROUPS);
    const waiting = await shown.items(rows);
    assert.equal(new Set(waiting.map(({ resourceUri }) => resourceUri?.toString())).size, 1000);
    assert.deepEqual(service.requests, []);
    await shown.makeVisible(rows.slice(100, 140));
    assert.equal(service.requests.length, 40);
    assert.equal(service.mostInFlight, 8);
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

  it('lets a failed row be expanded to show its error', async () => {
    const [, failed] = await shown.visibleItems(GROUPS);
    assert.equal(failed?.collapsibleState, TreeItemCollapsibleState.Collapsed);
  });

  it('keeps the details of a row that fails, below the error', async () => {
    await shown.visibleItems(GROUPS);
    const [group] = await shown.rows(GROUPS);
    assert(group);
    service.sandbox.setFaults({ faults: [{ on: 'group-info', fault: 'code', code: 1002, msg: '参数错误' }] });
    await shown.tree.refresh([group]);
    const item = await firstItem([group]);
    assert.deepEqual(textOf(item), ['Fern & Kettle: the shop team', 'error 1002 · 342 members']);
    const [reason, id] = await shown.items(await childrenOf(group));
    assert.match(String(reason?.label), /error 1002: “参数错误”/);
    assert.deepEqual(id && textOf(id), ['ID', '518204736']);
    service.sandbox.setFaults(undefined);
    await shown.tree.refresh([group]);
    assert.equal((await firstItem([group])).description, '342 members');
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

  it('shows an invalid entry of a list next to the others, with a command to open its setting', async () => {
    await configure({ people: ['7058314', 3, { label: 'x' }] });
    await shown.visibleItems(PEOPLE);
    assert.deepEqual(await labels(PEOPLE), ['Alice Fernhollow', 'Invalid IDs in the settings: 3, {"label":"x"}']);
    const [note] = notesIn(await shown.children(PEOPLE));
    assert.deepEqual(note?.command.arguments, ['botChats.people']);
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

    it('expand to an attached bot and on to its creator', async () => {
      const bot = await childrenOf(await referenceOf('Bot'));
      assert.equal((await valuesOf(bot)).get('Users'), '356');
      const creator = bot.find((node) => node.type === 'reference' && node.fact.label === 'Created by');
      assert.equal((await valuesOf(await childrenOf(creator))).get('Name'), 'Alice Fernhollow');
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

  it('shows a row under its label, with its name beside it', async () => {
    await configure({
      groups: [
        { id: 'big', label: 'Neighbours' },
        { id: 'nosuch', label: 'Gone' },
      ],
    });
    assert.deepEqual((await shown.visibleItems(GROUPS)).map(textOf), [
      ['Neighbours', 'Riverside Town 河畔小镇 · 182,340 members'],
      ['Gone', "doesn't exist"],
    ]);
  });

  it('shows the rows that match a filter, and their share of all rows', async () => {
    await configure({ groups: [...ALL_GROUPS.slice(0, 6), { id: '563311478', label: 'Film' }] });
    await shown.visibleItems(GROUPS);
    const section = await shown.sectionOf(GROUPS);
    assert(section);
    const filtered = async (filter: string) => {
      shown.tree.sections.filter = filter;
      return [(await firstItem([section])).description, ...(await labels(GROUPS))];
    };
    assert.deepEqual(await filtered('RIVER town'), ['1 of 7', 'Riverside Town 河畔小镇']);
    assert.deepEqual(await filtered('film'), ['1 of 7', 'Film']);
    assert.deepEqual(await filtered('胶片'), ['1 of 7', 'Film']);
    assert.deepEqual(await filtered('59902341'), ['1 of 7', 'Release watch']);
    assert.deepEqual(await filtered('nothing like it'), ['0 of 7']);
    assert.equal((await filtered(''))[0], '7');
  });

  it('shows the filter and the number of rows that it knows only by ID', async () => {
    await shown.tree.getChildren();
    assert.equal(shown.view.message, undefined);
    shown.tree.sections.filter = '5';
    await shown.tree.getChildren();
    assert.equal(shown.view.message, 'Filter: “5” · 4 not looked up yet (filtered by ID only)');
    for (const place of [GROUPS, BOTS, PEOPLE]) await shown.visibleItems(place);
    await shown.tree.getChildren();
    assert.equal(shown.view.message, 'Filter: “5” · 1 not looked up yet (filtered by ID only)');
    await configure({ groups: ['518204736'] });
    await shown.tree.getChildren();
    assert.equal(shown.view.message, 'Filter: “5”');
  });

  it('repaints everything when a new name may match a filter', async () => {
    shown.tree.sections.filter = 'big';
    await configure({ groups: ['big'] });
    const rows = await shown.rows(GROUPS);
    const repainted = shown.nextRepaint();
    await shown.makeVisible(rows);
    assert.equal(await repainted, undefined);
  });

  it('otherwise repaints only the row that gets a name', async () => {
    await shown.visibleItems(BOTS);
    const [row] = await shown.rows(GROUPS);
    assert(row);
    await shown.makeVisible([row]);
    let painted = await shown.nextRepaint();
    // A change of the saved tokens repaints everything.
    while (!painted) painted = await shown.nextRepaint();
    assert.ok(painted.includes(row));
    assert.ok(painted.length <= 2);
  });

  it('sorts rows by title, by ID or as listed', async () => {
    await configure({ groups: ['531048827', { id: 'big', label: 'Neighbours' }, '518204736', '559902341'] });
    await shown.visibleItems(GROUPS);
    const ids = async () => (await shown.rows(GROUPS)).map(({ id }) => id);
    shown.tree.sections.order = 'name';
    assert.deepEqual(await ids(), ['531048827', '518204736', 'big', '559902341']);
    shown.tree.sections.order = 'id';
    assert.deepEqual(await ids(), ['518204736', '531048827', '559902341', 'big']);
    shown.tree.sections.order = 'listed';
    assert.deepEqual(await ids(), ['531048827', 'big', '518204736', '559902341']);
  });

  it('shows a command to add rows in an empty section', async () => {
    await configure({ groups: [], bots: [], people: [] });
    for (const [place, text, command] of [
      [GROUPS, 'Add a group…', 'botChats.addGroup'],
      [BOTS, 'Add a bot…', 'botChats.addBot'],
      [PEOPLE, 'Add a person…', 'botChats.addPerson'],
    ] as const) {
      const items = await shown.items(await shown.children(place));
      assert.deepEqual(
        items.map((item) => [item.label, item.command?.command]),
        [[text, command]],
      );
    }
  });

  const rootCommands = async () => notesIn(await shown.tree.getChildren()).map(({ command }) => command.command);

  it('asks for a token until one is saved', async () => {
    // On a slow machine, the rows don't wait for the tokens.
    while ((await rootCommands()).length === 0);
    assert.deepEqual(await rootCommands(), ['botChats.setToken']);
    const repainted = shown.nextRepaint();
    await tokens.set(await connection.open(), '30759903', 'secret');
    await repainted;
    assert.deepEqual(await rootCommands(), []);
    const [bot] = await shown.items(await shown.rows(BOTS));
    assert.equal(bot?.contextValue, 'chat bot token');
  });

  it('shows rows while the secret storage is locked, and asks for a token once it is not', async () => {
    const saved = deferred<string[]>();
    tokens.saved = () => saved.promise;
    assert.deepEqual(await rootCommands(), []);
    const repainted = shown.nextRepaint();
    saved.resolve([]);
    await repainted;
    assert.deepEqual(await rootCommands(), ['botChats.setToken']);
  });

  it('looks up a row that VS Code paints after the service has changed, before it requests the new rows', async () => {
    const rows = await shown.rows(GROUPS);
    shown.tree.reload({ forget: true });
    await shown.makeVisible(rows);
    const [item] = await shown.items(await shown.rows(GROUPS));
    assert.equal(item?.label, 'Fern & Kettle: the shop team');
  });

  it("doesn't ask for a token in the sandbox", async () => {
    await configure({ 'service.sandbox': true, groups: undefined, bots: undefined, people: undefined });
    const known = shown.nextRepaint();
    await shown.tree.getChildren();
    await known;
    assert.deepEqual(notesIn(await shown.tree.getChildren()), []);
    assert.equal(shown.view.title, 'Sandbox');
    assert.equal((await shown.rows(GROUPS)).length, 7);
  });

  it('shows an outage once for all rows, for as long as it lasts', async () => {
    await tokens.set(await connection.open(), '30759903', 'secret');
    const notes = async () => notesIn(await shown.tree.getChildren()).map(({ text }) => text);
    service.sandbox.setFaults(OUTAGE);
    await shown.visibleItems(GROUPS);
    await shown.until(async () => (await notes()).length > 0);
    const [outage, ...others] = await notes();
    assert.match(outage ?? '', /^Try again: Unexpected response/);
    assert.deepEqual(others, ['Change Address…']);
    await shown.tree.refresh();
    for (const note of await notes()) assert.doesNotMatch(note, /unexpected|undefined/);
    service.sandbox.setFaults(undefined);
    await shown.visibleItems(GROUPS);
    assert.deepEqual(await notes(), []);
  });

  describe('after an outage', () => {
    const time = heldClock();
    let lookUpCount = 0;
    const title = async () => (await firstItem(await shown.children(GROUPS))).label;

    beforeEach(async () => {
      await configure({ groups: ['518204736', '531048827'], people: [] });
      shown.tree.dispose();
      shown = showTree({ connection, tokens, clock: time.clock });
      service.sandbox.setFaults(OUTAGE);
      await shown.visibleItems(GROUPS);
      const { directory } = await connection.open();
      const { get } = directory;
      // Not the requests: they arrive later.
      directory.get = (...asked) => {
        lookUpCount++;
        return get.apply(directory, asked);
      };
    });

    /** Resolves when a try has had its answer, so that the wait for the next one has begun. */
    const untilTried = async () => {
      while (time.sleeping() === 0) await settled();
    };
    /** Expects no call before, and one after this time. */
    const tryAfter = async (seconds: number) => {
      const before = lookUpCount;
      await time.pass(seconds * 1000 - 1);
      assert.equal(lookUpCount, before);
      const shownBefore = textOf(await firstItem(await shown.children(GROUPS)));
      await time.pass(1);
      assert.deepEqual(textOf(await firstItem(await shown.children(GROUPS))), shownBefore);
      await untilTried();
      assert.equal(lookUpCount, before + 1);
    };

    it('calls the service once after 5 seconds, then after twice as long each time, and shows nothing of that', async () => {
      for (const seconds of [5, 10, 20, 40, 80, 160, 300, 300]) await tryAfter(seconds);
    });

    it('looks up the rows again as soon as one call is answered', async () => {
      await tryAfter(5);
      assert.equal(await title(), '518204736');
      service.sandbox.setFaults(undefined);
      const repaint = shown.repaintOfAll();
      await time.pass(10_000);
      await repaint;
      await shown.visibleItems(GROUPS);
      assert.equal(await title(), 'Fern & Kettle: the shop team');
      const before = lookUpCount;
      await time.pass(1_000_000);
      assert.equal(lookUpCount, before);
    });

    it('looks up the rows again as soon as another feature gets an answer, even a refusal', async () => {
      service.sandbox.setFaults(undefined);
      const repaint = shown.repaintOfAll();
      const { directory } = await connection.open();
      await assert.rejects(directory.get('bot', 'nosuch'));
      await repaint;
      await shown.visibleItems(GROUPS);
      assert.equal(await title(), 'Fern & Kettle: the shop team');
    });

    it('waits while the sidebar is hidden', async () => {
      shown.setVisible(false);
      const before = lookUpCount;
      await time.pass(100_000);
      assert.equal(lookUpCount, before);
      shown.setVisible(true);
      await untilTried();
      assert.equal(lookUpCount, before + 1);
    });

    it('ends when another service is used', async () => {
      const before = lookUpCount;
      shown.tree.reload({ forget: true });
      await time.pass(100_000);
      assert.equal(lookUpCount, before);
    });
  });

  it('shows no outage while some rows are known', async () => {
    await shown.visibleItems(PEOPLE);
    service.sandbox.setFaults(OUTAGE);
    const repainted = shown.nextRepaint();
    await shown.visibleItems(GROUPS);
    await repainted;
    assert.doesNotMatch(JSON.stringify(notesIn(await shown.tree.getChildren())), /Try again/);
  });

  it('shows the avatar of a row in its tooltip', async () => {
    const [item] = await shown.visibleItems(PEOPLE);
    const [row] = await shown.rows(PEOPLE);
    assert(item && row);
    const { tooltip } = await shown.tree.resolveTreeItem(item, row);
    assert(tooltip instanceof MarkdownString);
    assert.match(tooltip.value, /\n\n!\[\]\(data:image\/svg\+xml,\S+\|width=48,height=48\)\n\n/);
  });

  it('shows names from the service without markup', async () => {
    const hostile = '[x](command:evil) ![y](https://a.example/p.png) <img src=z> **b** $(trash)';
    service.instead = async ({ url }) =>
      url.endsWith('/group-info')
        ? Response.json({
            code: 1,
            msg: 'success',
            data: { group: { groupId: 'big', name: hostile, introduction: hostile, category: hostile } },
          })
        : undefined;
    await configure({ groups: [{ id: 'big', label: hostile }] });
    const [item] = await shown.visibleItems(GROUPS);
    const [row] = await shown.rows(GROUPS);
    assert(item && row);
    assert.equal(item.label, hostile);
    const { tooltip } = await shown.tree.resolveTreeItem(item, row);
    assert(tooltip instanceof MarkdownString);
    assert.ok(!tooltip.isTrusted && !tooltip.supportHtml);
    assert.doesNotMatch(tooltip.value, /\]\(|<img|\$\(trash|\*\*b\*\*|https:/);
    const facts = await shown.items(await childrenOf(row));
    assert.deepEqual([...new Set(facts.map((fact) => typeof fact.tooltip))], ['string']);
  });

  it('shows invisible characters in details, and cuts them off between characters', async () => {
    const category = `a\u202Eb${'😀'.repeat(2_000)}`;
    service.instead = async ({ url }) =>
      url.endsWith('/group-info')
        ? Response.json({ code: 1, msg: 'success', data: { group: { groupId: 'big', name: 'Big', category } } })
        : undefined;
    await configure({ groups: ['big'] });
    await shown.visibleItems(GROUPS);
    const [row] = await shown.rows(GROUPS);
    const facts = await shown.items(await childrenOf(row));
    const fact = facts.find(({ description }) => `${description}`.startsWith('a')) ?? assert.fail();
    for (const [text, most] of [
      [fact.description, 201],
      [fact.tooltip, 2_001],
    ] as const) {
      assert.match(`${text}`, /^a⟨U\+202E⟩b😀+…$/u);
      assert.ok(`${text}`.length <= most);
    }
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

  it('shows what is wrong with an address instead of rows', async () => {
    await configure({ 'service.openApiUrl': 'http://192.0.2.1' });
    const nodes = await shown.tree.getChildren();
    assert.deepEqual(
      nodes.map(({ type }) => type),
      ['note'],
    );
    assert.match(shown.view.message ?? '', /botChats\.service\.openApiUrl.*https:\/\//);
    assert.deepEqual(service.requests, []);
  });

  it('is empty without a service, so that VS Code shows the welcome view', async () => {
    await configure({ 'service.webUrl': undefined, 'service.openApiUrl': undefined });
    assert.deepEqual(await shown.tree.getChildren(), []);
  });
});
