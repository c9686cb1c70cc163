import assert from 'node:assert/strict';
import { extensions, type TreeItem } from 'vscode';
import type { ChatNode } from '../../src/chats/items.ts';
import { ChatsTree } from '../../src/chats/tree.ts';
import { Connection } from '../../src/workbench/connection.ts';
import { configure, keeping, type TestService, useService } from './service.ts';

describe('The sidebar’s tree', () => {
  let service: TestService;
  let connection: Connection;
  let tree: ChatsTree;
  let said: string | undefined;
  let painted: () => void;

  beforeEach(async () => {
    service = await useService({ groups: ['518204736', 'nosuch'], bots: ['30759903'], people: ['7058314', 3] });
    connection = new Connection(keeping());
    said = undefined;
    painted = () => {};
    tree = new ChatsTree(connection, { paint: () => painted(), name: () => {}, say: (text) => (said = text) });
  });

  afterEach(async () => {
    tree.dispose();
    connection.dispose();
    await service.close();
  });

  const itemOf = async (node: ChatNode): Promise<TreeItem> => tree.getTreeItem(node);
  const rowsOf = async (section: number) => {
    const node = (await tree.getChildren())[section];
    return node ? tree.getChildren(node) : [];
  };
  /** Asks for the items of a section, and once more when their lookups have been painted. */
  const lookedUp = async (section: number) => {
    const rows = await rowsOf(section);
    while ((await Promise.all(rows.map(itemOf))).some(({ description }) => description === 'Looking up…')) {
      await new Promise<void>((resolve) => (painted = resolve));
    }
    return Promise.all(rows.map(itemOf));
  };
  const textOf = ({ label, description }: TreeItem) => [label, description];

  it('has groups, bots and people, with how many there are', async () => {
    const items = await Promise.all((await tree.getChildren()).map(itemOf));
    assert.deepEqual(items.map(textOf), [
      ['Groups', '2'],
      ['Bots', '1'],
      ['People', '1'],
    ]);
  });

  it('names rows and says on its row what failed', async () => {
    assert.deepEqual((await lookedUp(0)).map(textOf), [
      ['Fern & Kettle: the shop team', '342 members'],
      ['nosuch', 'does not exist'],
    ]);
    assert.deepEqual((await lookedUp(1)).map(textOf), [['Release Clerk', '14 users · private']]);
  });

  it('gives a failed row the service’s own code and text, and the context that offers a retry', async () => {
    const [, failed] = await lookedUp(0);
    assert.equal(failed?.contextValue, 'group failed');
    assert.match(String(failed?.tooltip), /nosuch.*code -1: “.+”/);
  });

  it('shows an entry that is no ID without losing the others', async () => {
    const items = await lookedUp(2);
    assert.deepEqual(
      items.map(({ label }) => label),
      ['Alice Fernhollow', 'Not an ID: 3'],
    );
  });

  it('lays out the details of a row that was looked up', async () => {
    await lookedUp(0);
    const [group] = await rowsOf(0);
    assert(group);
    const facts = await Promise.all((await tree.getChildren(group)).map(itemOf));
    const values = new Map(facts.map(({ label, description }) => [label, description]));
    assert.equal(values.get('ID'), '518204736');
    assert.equal(values.get('Bot'), 'Order Desk (30481126)');
    assert.equal(values.get('Review'), 'status 0 (meaning not documented)');
  });

  it('gives every kind of row the context that its menu entries ask for', async () => {
    const [, failed] = await lookedUp(0);
    const [group] = await rowsOf(0);
    const [fact] = group ? await tree.getChildren(group) : [];
    assert(fact);
    const contexts = [failed?.contextValue, (await itemOf(fact)).contextValue];
    const entries: { command: string; when: string }[] =
      extensions.getExtension('bot-chats.bot-chats')?.packageJSON.contributes.menus['view/item/context'];
    assert.deepEqual(contexts, ['group failed', 'fact']);
    assert.ok(
      entries.some(({ command, when }) => command === 'botChats.copyValue' && when.endsWith('viewItem == fact')),
    );
  });

  it('says in place of rows what is wrong with an address', async () => {
    await configure({ 'service.openApiUrl': 'http://192.0.2.1' });
    const nodes = await tree.getChildren();
    assert.deepEqual(
      nodes.map(({ type }) => type),
      ['note'],
    );
    assert.match(said ?? '', /botChats\.service\.openApiUrl.*https:\/\//);
    assert.deepEqual(service.requests, []);
  });

  it('is empty while no service is named, so that the welcome shows', async () => {
    await configure({ 'service.webUrl': undefined, 'service.openApiUrl': undefined });
    assert.deepEqual(await tree.getChildren(), []);
  });
});
