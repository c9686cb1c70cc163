import assert from 'node:assert/strict';
import { askNewMembers } from '../../../src/audiences/newMembers.ts';
import { shownText } from '../../../src/markup/safeText.ts';
import type { Connection } from '../../../src/platform/service.ts';
import type { Chat } from '../../../src/service/model.ts';
import { onLists, restore } from '../answers.ts';
import { newConnection, useService } from '../test-service.ts';
import { fileOf, rowsOf } from './editor.ts';

describe('Recipients from a file', () => {
  const service = useService({ 'service.callsPerSecond': 1000 });
  const ALICE: Chat = { kind: 'user', id: '7058314' };
  let connection: Connection;

  beforeEach(() => {
    connection = newConnection();
  });
  afterEach(() => {
    connection.dispose();
    service.instead = () => undefined;
    restore();
  });

  /** What the list shows that is asked about the recipients in a file with this content. */
  async function ask(content: string, members: readonly Chat[] = []) {
    const lists = onLists('enter');
    const chosen = await askNewMembers(await fileOf(content), shownText`Add`, members, await connection.open());
    const [list = assert.fail()] = lists;
    return { chosen, list, rows: rowsOf(list) ?? [] };
  }

  it('are proposed if it is clear what they are, as they are remembered or looked up', async () => {
    await (await connection.open()).directory.get('user', ALICE.id);
    const { chosen, list, rows } = await ask('7058314 546790213 nosuch');
    assert.deepEqual(chosen, [ALICE, { kind: 'group', id: '546790213' }]);
    assert.equal(list.placeholder, 'Select IDs to add, then press Enter');
    assert.equal(rows.filter((row) => row.startsWith('☑')).length, 2);
  });

  it('can be chosen in spite of that if none is found', async () => {
    const { chosen, list } = await ask('nosuch');
    assert.deepEqual(chosen, []);
    assert.equal(list.placeholder, 'Nothing found. Select any you want to add anyway.');
  });

  it('aren’t proposed if a group and a person have the same ID', async () => {
    service.instead = async (request) => {
      // Only requests for groups have the ID here: those for people have it in their address.
      const asked = await request.clone().text();
      if (!asked.includes(ALICE.id)) return undefined;
      const about = (id: string) => new Request(request, { body: asked.replace(ALICE.id, id) });
      const group = await service.sandbox.fetch(about('big'));
      return new Response((await group.text()).replaceAll('"big"', `"${ALICE.id}"`), group);
    };
    const { chosen, rows } = await ask(ALICE.id);
    assert.deepEqual(chosen, []);
    assert.deepEqual(rows, [
      '— Found',
      `$(organization) Riverside Town 河畔小镇 ${ALICE.id} · add as a group`,
      `$(account) Alice Fernhollow ${ALICE.id} · add as a person`,
    ]);
  });

  it('are none if all of them are on the list', async () => {
    const { list, rows } = await ask(ALICE.id, [ALICE]);
    assert.equal(list.placeholder, 'All of them are already on this list.');
    assert.deepEqual(rows, ['— Already on this list', `$(account) ${ALICE.id} ${ALICE.id}`]);
  });

  it('are named without a look-up from the 201st on', async () => {
    const ids = Array.from({ length: 201 }, (_, at) => `user,u${at}`);
    const { chosen, rows } = await ask(`kind,id\n${ids.join('\n')}`);
    assert.deepEqual(rows.slice(-2), ['— Not looked up', '☑ $(account) u200 u200']);
    assert.deepEqual(chosen, [{ kind: 'user', id: 'u200' }]);
  });

  it('are listed before the rows that are not used, of which a thousand are shown', async () => {
    const one = await ask('id\n7058314\na b');
    assert.equal(
      one.list.placeholder,
      "1 row of the file isn't used: see the end of this list. Select IDs to add, then press Enter",
    );
    assert.deepEqual(one.rows.slice(-2), ['— Not used', '$(warning) Line 3']);
    assert.equal(one.list.items.at(-1)?.detail, "a b isn't one ID. Give each ID a row of its own.");
    const many = await ask(`id\n7058314\n${'a b\n'.repeat(1_234)}`);
    assert.match(many.list.placeholder ?? '', /^1,234 rows of the file aren't used: /);
    assert.deepEqual(many.rows.slice(-2), ['$(warning) Line 1,002', '… and 234 more']);
  });
});
