import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import type { Service } from '../../../src/platform/service.ts';
import { Tokens } from '../../../src/platform/tokens.ts';
import type { ChatNode } from '../../../src/sidebar/nodes.ts';
import type { FaultPlan } from '../../faults/plan.ts';
import { heldClock } from '../clocks.ts';
import { type Deferred, deferred, settled } from '../deferred.ts';
import { memento, secretStorage } from '../memory.ts';
import { configure, connectionTo, useService } from '../test-service.ts';
import type { TreeRow } from '../treeRows.ts';
import { openTree, showTree } from './showTree.ts';

const BOT = '30759903';
const LISTS = { groups: ['518204736', 'nosuch'], bots: [BOT], people: ['7058314'] };
const OUTAGE: FaultPlan = { faults: [{ on: ['group-info', 'bot-info', 'homepage'], fault: 'html' }] };

describe('Above its rows, the sidebar', () => {
  const service = useService({ ...LISTS, 'service.callsPerSecond': 1000 });
  let remembered: Memento;
  let open: Awaited<ReturnType<typeof openTree>>;

  beforeEach(async () => {
    remembered = memento();
    open = await openTree(service, LISTS, undefined, remembered);
  });
  afterEach(() => open.close());

  const setToken = async () => open.tokens.set(await open.connection.open(), BOT, 'secret');
  const areNotes = (rows: readonly TreeRow<ChatNode>[]) => rows.filter(({ node }) => node.type === 'note');
  const notes = async () => areNotes(await open.shown.rows());
  const commandsOf = (rows: readonly TreeRow<ChatNode>[]) => rows.map(({ item }) => item.command?.command);
  const noteCommands = async () => commandsOf(await notes());
  const bot = () => open.shown.row('Bots', `bot ${BOT}`);

  it('asks for a token until one is saved', async () => {
    // On a slow machine, the rows don't wait for the tokens.
    await open.shown.until(async () => (await notes()).length > 0);
    assert.deepEqual(await noteCommands(), ['botChats.setToken']);
    const repainted = open.shown.nextRepaint();
    await setToken();
    await repainted;
    assert.deepEqual(await noteCommands(), []);
    assert.equal((await bot()).item.contextValue, 'chat bot token');
  });

  it('asks for a lost token again, with where to read more', async () => {
    const refusal = { status: 401, text: 'Unauthorized' };
    await new Tokens(secretStorage(), remembered).set(await open.connection.open(), BOT, 'secret', refusal);
    await open.shown.until(async () => (await notes()).length === 2);
    // It isn't refused any more.
    assert.equal((await bot()).item.contextValue, 'chat bot');
    const [again, learn] = await notes();
    assert.equal(
      again?.text,
      'Set your bot token again: Without a keyring, VS Code keeps tokens only until its window is closed or reloaded.',
    );
    assert.deepEqual(again?.item.command?.arguments, [{ id: BOT }]);
    assert.equal(learn?.item.command?.command, 'vscode.open');
    await open.tokens.remove(await open.connection.open(), BOT);
    await open.shown.until(async () => (await notes())[0]?.text === 'Set a bot token to read and send messages…');
  });

  it('marks a bot whose token the service refuses, until it accepts it', async () => {
    const connected = await open.connection.open();
    const isShownAs = (context: string) =>
      open.shown.until(async () => (await bot()).item.contextValue === `chat bot known ${context}`);
    await setToken();
    await open.shown.seen('Bots');
    await isShownAs('token');
    await open.tokens.answered(connected, BOT, 'secret', { status: 200, code: 1003, text: '非法token' });
    await isShownAs('token refused');
    await open.tokens.answered(connected, BOT, 'secret', undefined);
    await isShownAs('token');
  });

  it('shows rows while the secret storage is locked, and asks for a token once it is not', async () => {
    await open.tokens.set({ address: 'https://another.example' }, BOT, 'secret');
    const saved = deferred<string[]>();
    open.tokens.saved = () => saved.promise;
    assert.deepEqual(await noteCommands(), []);
    const repainted = open.shown.nextRepaint();
    saved.resolve([]);
    await repainted;
    assert.deepEqual(await noteCommands(), ['botChats.setToken']);
  });

  it("doesn't ask for a token in the sandbox", async () => {
    await configure({ 'service.sandbox': true, groups: undefined, bots: undefined, people: undefined });
    const known = open.shown.nextRepaint();
    await open.tree.getChildren();
    await known;
    assert.deepEqual(await notes(), []);
    assert.equal(open.shown.view.title, 'Sandbox');
    assert.equal((await open.shown.rows('Groups')).length, 7);
  });

  it("offers to change the address if the service doesn't have the lookups there", async () => {
    await setToken();
    service.instead = async () => Response.json({ code: -1, msg: '接口不存在' }, { status: 404 });
    await open.shown.seen('People');
    await open.shown.until(async () => (await notes()).length > 0);
    assert.deepEqual(await noteCommands(), ['botChats.connect']);
  });

  it('shows an outage once for all rows, for as long as it lasts', async () => {
    await setToken();
    service.sandbox.setFaults(OUTAGE);
    await open.shown.seen('Groups');
    await open.shown.until(async () => (await notes()).length > 0);
    const [outage] = await notes();
    assert.match(outage?.text ?? '', /^Try again: Unexpected response/);
    assert.deepEqual(await noteCommands(), ['botChats.refresh', 'botChats.connect']);
    await open.tree.refresh();
    for (const { text } of await notes()) assert.doesNotMatch(text, /unexpected|undefined/);
    service.sandbox.setFaults(undefined);
    await open.shown.seen('Groups');
    assert.deepEqual(await notes(), []);
  });

  describe('after an outage', () => {
    const time = heldClock();
    const group = async () => (await open.shown.row('Groups', 'group 518204736')).text;
    /** Resolves when the rows were looked up again. */
    const recovered = async (repaint: Promise<void>) => {
      await repaint;
      await open.shown.seen('Groups');
      assert.equal(await group(), 'Fern & Kettle: the shop team | 342 members');
    };

    beforeEach(async () => {
      await open.close();
      open = await openTree(service, { ...LISTS, groups: ['518204736', '531048827'] }, time.clock);
      service.sandbox.setFaults(OUTAGE);
      await open.shown.seen('Groups');
      assert.match(await group(), /^518204736/);
      service.sandbox.setFaults(undefined);
    });

    it('looks up the rows again as soon as one call is answered, and calls no more', async () => {
      const repaint = open.shown.repaintOfAll();
      await time.pass(5_000);
      await recovered(repaint);
      assert.equal(time.sleeping(), 0);
    });

    it('looks up the rows again as soon as another feature gets an answer, even a refusal', async () => {
      const repaint = open.shown.repaintOfAll();
      const { directory } = await open.connection.open();
      await assert.rejects(directory.get('bot', 'nosuch'));
      await recovered(repaint);
      assert.equal(time.sleeping(), 0);
    });

    it('shows nothing of a call that fails, too', async () => {
      service.sandbox.setFaults(OUTAGE);
      const before = await group();
      await time.pass(5_000);
      assert.equal(await group(), before);
      // The wait for the next call has begun.
      while (time.sleeping() === 0) await settled();
      assert.equal(await group(), before);
    });

    it('calls the service only while the sidebar is visible', async () => {
      const { directory } = await open.connection.open();
      const get = directory.get.bind(directory);
      let calls = 0;
      directory.get = (...asked) => {
        calls++;
        return get(...asked);
      };
      open.shown.setVisible(false);
      await time.pass(100_000);
      assert.equal(calls, 0);
      const repaint = open.shown.repaintOfAll();
      open.shown.setVisible(true);
      await recovered(repaint);
    });

    for (const [when, act] of [
      ['another service is used', () => open.tree.reload({ forget: true })],
      ['the window is closed', () => open.tree.dispose()],
    ] as const) {
      it(`calls nothing once ${when}`, () => {
        act();
        assert.equal(time.sleeping(), 0);
      });
    }
  });

  it('shows what is wrong with an address instead of rows', async () => {
    await configure({ 'service.openApiUrl': 'http://192.0.2.1' });
    assert.deepEqual(await open.shown.texts(), ['Open Settings']);
    assert.match(open.shown.view.message ?? '', /botChats\.service\..* Use https:\/\//);
    assert.deepEqual(service.requests, []);
  });

  describe('while what is remembered is being read', () => {
    let opening: Deferred<Service>;
    let early: ReturnType<typeof showTree>;

    beforeEach(() => {
      opening = deferred();
      early = showTree({ connection: connectionTo(() => opening.promise), tokens: open.tokens });
    });
    afterEach(() => early.tree.dispose());

    it('shows its sections with the numbers of their rows, and asks for a token if none was ever saved', async () => {
      const [note, ...sections] = await early.shown.rows();
      assert.equal(note?.item.command?.command, 'botChats.setToken');
      assert.deepEqual(
        sections.map(({ text }) => text),
        ['Groups | 2', 'Bots | 1', 'People | 1'],
      );
    });

    it('shows the names that were remembered as soon as they are read', async () => {
      const groups = early.shown.texts('Groups');
      const opened = await open.connection.open();
      await opened.directory.get('group', '518204736');
      opening.resolve(opened);
      assert.deepEqual(await groups, ['Fern & Kettle: the shop team | 342 members', 'nosuch']);
    });

    it('shows why that failed instead, and repaints only once for it', async () => {
      await early.tree.getChildren();
      const repainted = early.shown.nextRepaint();
      opening.reject(new Error('out of memory'));
      assert.equal(await repainted, undefined);
      const again = early.shown.nextRepaint();
      assert.deepEqual(await early.shown.texts(), ['Open Settings']);
      assert.match(early.shown.view.message ?? '', /out of memory/);
      assert.equal(await Promise.race([again, settled().then(() => 'nothing')]), 'nothing');
    });
  });

  it('is empty without a service, so that VS Code shows the welcome view', async () => {
    await configure({ 'service.webUrl': undefined, 'service.openApiUrl': undefined });
    assert.deepEqual(await open.tree.getChildren(), []);
  });
});
