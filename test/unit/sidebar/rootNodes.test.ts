import assert from 'node:assert/strict';
import type { MarkdownString, Memento, ThemeIcon } from 'vscode';
import type { Connection, Service } from '../../../src/platform/service.ts';
import { Tokens } from '../../../src/platform/tokens.ts';
import type { ChatNode, NoteNode } from '../../../src/sidebar/nodes.ts';
import type { FaultPlan } from '../../faults/plan.ts';
import { heldClock } from '../clocks.ts';
import { type Deferred, deferred, settled } from '../deferred.ts';
import { memento, secretStorage } from '../memory.ts';
import { configure, connectionTo, useService } from '../test-service.ts';
import { BOTS, GROUPS, openTree, PEOPLE, showTree, textOf } from './showTree.ts';

const LISTS = { groups: ['518204736', 'nosuch'], bots: ['30759903'], people: ['7058314'] };
const OUTAGE: FaultPlan = { faults: [{ on: ['group-info', 'bot-info', 'homepage'], fault: 'html' }] };

describe('Above its rows, the sidebar', () => {
  const service = useService({ ...LISTS, 'service.callsPerSecond': 1000 });
  let connection: Connection;
  let tokens: Tokens;
  let remembered: Memento;
  let shown: ReturnType<typeof showTree>;
  let close: () => Promise<void>;

  beforeEach(async () => {
    remembered = memento();
    ({ connection, tokens, shown, close } = await openTree(service, LISTS, undefined, remembered));
  });
  afterEach(() => close());

  const firstItem = async (nodes: readonly ChatNode[]) => {
    const [item] = await shown.items(nodes.slice(0, 1));
    assert(item);
    return item;
  };
  const notes = async () => (await shown.tree.getChildren()).filter((node): node is NoteNode => node.type === 'note');
  const rootCommands = async () => (await notes()).map(({ command }) => command.command);

  it('asks for a token until one is saved', async () => {
    // On a slow machine, the rows don't wait for the tokens.
    await shown.until(async () => (await rootCommands()).length > 0);
    assert.deepEqual(await rootCommands(), ['botChats.setToken']);
    const repainted = shown.nextRepaint();
    await tokens.set(await connection.open(), '30759903', 'secret');
    await repainted;
    assert.deepEqual(await rootCommands(), []);
    const [bot] = await shown.items(await shown.rows(BOTS));
    assert.equal(bot?.contextValue, 'chat bot token');
  });

  it('asks for a lost token again, with where to read more', async () => {
    const saved = new Tokens(secretStorage(), remembered);
    await saved.set(await connection.open(), '30759903', 'secret');
    await shown.until(async () => (await notes()).length === 2);
    const [again, learn] = await notes();
    assert.equal(
      again?.text,
      'Set your bot token again: Without a keyring, VS Code keeps tokens only until its window is closed or reloaded.',
    );
    assert.deepEqual(again?.command.arguments, [{ id: '30759903' }]);
    assert.equal(learn?.command.command, 'vscode.open');
    await tokens.remove(await connection.open(), '30759903');
    await shown.until(async () => (await notes())[0]?.text === 'Set a bot token to read and send messages…');
  });

  it('marks a bot whose token the service refuses, until it accepts it', async () => {
    const connected = await connection.open();
    const row = async () => (await shown.items(await shown.rows(BOTS)))[0];
    await tokens.set(connected, '30759903', 'secret');
    await shown.visibleItems(BOTS);
    await shown.until(async () => (await row())?.contextValue === 'chat bot known token');
    await tokens.answered(connected, '30759903', 'secret', { status: 200, code: 1003, text: '非法token' });
    await shown.until(async () => (await row())?.contextValue === 'chat bot known token refused');
    const refused = await row();
    const [node] = await shown.rows(BOTS);
    assert(refused && node);
    assert.match(`${refused.description}`, /^token refused · /);
    assert.equal((refused.iconPath as ThemeIcon).id, 'warning');
    const { tooltip } = await shown.tree.resolveTreeItem(refused, node);
    assert.match(
      (tooltip as MarkdownString).value,
      /The token was refused&#46; The service returned error 1003&#58; “非法token”/,
    );
    await tokens.answered(connected, '30759903', 'secret', undefined);
    await shown.until(async () => (await row())?.contextValue === 'chat bot known token');
  });

  it('shows rows while the secret storage is locked, and asks for a token once it is not', async () => {
    await tokens.set({ address: 'https://another.example' }, '30759903', 'secret');
    const saved = deferred<string[]>();
    tokens.saved = () => saved.promise;
    assert.deepEqual(await rootCommands(), []);
    const repainted = shown.nextRepaint();
    saved.resolve([]);
    await repainted;
    assert.deepEqual(await rootCommands(), ['botChats.setToken']);
  });

  it("doesn't ask for a token in the sandbox", async () => {
    await configure({ 'service.sandbox': true, groups: undefined, bots: undefined, people: undefined });
    const known = shown.nextRepaint();
    await shown.tree.getChildren();
    await known;
    assert.deepEqual(await notes(), []);
    assert.equal(shown.view.title, 'Sandbox');
    assert.equal((await shown.rows(GROUPS)).length, 7);
  });

  it("offers to change the address if the service doesn't have the lookups there", async () => {
    await tokens.set(await connection.open(), '30759903', 'secret');
    service.instead = async () => Response.json({ code: -1, msg: '接口不存在' }, { status: 404 });
    await shown.visibleItems(PEOPLE);
    await shown.until(async () => (await rootCommands()).length > 0);
    assert.deepEqual(await rootCommands(), ['botChats.connect']);
  });

  it('shows an outage once for all rows, for as long as it lasts', async () => {
    await tokens.set(await connection.open(), '30759903', 'secret');
    const texts = async () => (await notes()).map(({ text }) => text);
    service.sandbox.setFaults(OUTAGE);
    await shown.visibleItems(GROUPS);
    await shown.until(async () => (await texts()).length > 0);
    const [outage, ...others] = await texts();
    assert.match(outage ?? '', /^Try again: Unexpected response/);
    assert.deepEqual(others, ['Change Address…']);
    await shown.tree.refresh();
    for (const note of await texts()) assert.doesNotMatch(note, /unexpected|undefined/);
    service.sandbox.setFaults(undefined);
    await shown.visibleItems(GROUPS);
    assert.deepEqual(await texts(), []);
  });

  describe('after an outage', () => {
    const time = heldClock();
    const title = async () => (await firstItem(await shown.children(GROUPS))).label;
    /** Resolves when the rows were looked up again. */
    const recovered = async (repaint: Promise<void>) => {
      await repaint;
      await shown.visibleItems(GROUPS);
      assert.equal(await title(), 'Fern & Kettle: the shop team');
    };

    beforeEach(async () => {
      await close();
      const lists = { ...LISTS, groups: ['518204736', '531048827'] };
      ({ connection, tokens, shown, close } = await openTree(service, lists, time.clock));
      service.sandbox.setFaults(OUTAGE);
      await shown.visibleItems(GROUPS);
      assert.equal(await title(), '518204736');
      service.sandbox.setFaults(undefined);
    });

    it('looks up the rows again as soon as one call is answered, and calls no more', async () => {
      const repaint = shown.repaintOfAll();
      await time.pass(5_000);
      await recovered(repaint);
      assert.equal(time.sleeping(), 0);
    });

    it('looks up the rows again as soon as another feature gets an answer, even a refusal', async () => {
      const repaint = shown.repaintOfAll();
      const { directory } = await connection.open();
      await assert.rejects(directory.get('bot', 'nosuch'));
      await recovered(repaint);
      assert.equal(time.sleeping(), 0);
    });

    it('shows nothing of a call that fails, too', async () => {
      service.sandbox.setFaults(OUTAGE);
      const before = textOf(await firstItem(await shown.children(GROUPS)));
      await time.pass(5_000);
      assert.deepEqual(textOf(await firstItem(await shown.children(GROUPS))), before);
      // The wait for the next call has begun.
      while (time.sleeping() === 0) await settled();
      assert.deepEqual(textOf(await firstItem(await shown.children(GROUPS))), before);
    });

    it('calls the service only while the sidebar is visible', async () => {
      const { directory } = await connection.open();
      const get = directory.get.bind(directory);
      let calls = 0;
      directory.get = (...asked) => {
        calls++;
        return get(...asked);
      };
      shown.setVisible(false);
      await time.pass(100_000);
      assert.equal(calls, 0);
      const repaint = shown.repaintOfAll();
      shown.setVisible(true);
      await recovered(repaint);
    });

    it('calls nothing once another service is used', async () => {
      shown.tree.reload({ forget: true });
      assert.equal(time.sleeping(), 0);
    });
  });

  it('shows no outage while some rows are known', async () => {
    await shown.visibleItems(PEOPLE);
    service.sandbox.setFaults(OUTAGE);
    const repainted = shown.nextRepaint();
    await shown.visibleItems(GROUPS);
    await repainted;
    assert.doesNotMatch(JSON.stringify(await notes()), /Try again/);
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

  describe('while what is remembered is being read', () => {
    let opening: Deferred<Service>;
    let tree: ReturnType<typeof showTree>;

    beforeEach(() => {
      opening = deferred();
      tree = showTree({ connection: connectionTo(() => opening.promise), tokens });
    });
    afterEach(() => tree.tree.dispose());

    it('shows its sections with the numbers of their rows, and asks for a token if none was ever saved', async () => {
      const [note, ...sections] = await tree.items(await tree.tree.getChildren());
      assert.equal(note?.command?.command, 'botChats.setToken');
      assert.deepEqual(sections.map(textOf), [
        ['Groups', '2'],
        ['Bots', '1'],
        ['People', '1'],
      ]);
    });

    it('shows the names that were remembered as soon as they are read', async () => {
      const [, groups] = await tree.tree.getChildren();
      const rows = tree.tree.getChildren(groups);
      const opened = await connection.open();
      await opened.directory.get('group', '518204736');
      opening.resolve(opened);
      const [group] = await tree.items(await rows);
      assert.equal(group?.label, 'Fern & Kettle: the shop team');
    });

    it('shows why that failed instead, and repaints only once for it', async () => {
      await tree.tree.getChildren();
      const repainted = tree.nextRepaint();
      opening.reject(new Error('out of memory'));
      assert.equal(await repainted, undefined);
      const again = tree.nextRepaint();
      const [note, ...others] = await tree.tree.getChildren();
      assert.deepEqual([note?.type, others], ['note', []]);
      assert.match(tree.view.message ?? '', /out of memory/);
      assert.equal(await Promise.race([again, settled().then(() => 'nothing')]), 'nothing');
    });
  });

  it('is empty without a service, so that VS Code shows the welcome view', async () => {
    await configure({ 'service.webUrl': undefined, 'service.openApiUrl': undefined });
    assert.deepEqual(await shown.tree.getChildren(), []);
  });
});
