import assert from 'node:assert/strict';
import { configure, useService } from '../test-service.ts';
import { openTree } from './showTree.ts';

const ALL_GROUPS = ['518204736', 'big', '524317890', '531048827', '546790213', '559902341', '563311478'];
const LISTS = { groups: ['518204736', 'nosuch'], bots: ['30759903'], people: ['7058314', 3] };

describe('The sections of the sidebar', () => {
  const service = useService({ ...LISTS, 'service.callsPerSecond': 1000 });
  let open: Awaited<ReturnType<typeof openTree>>;

  beforeEach(async () => {
    open = await openTree(service, LISTS);
  });
  afterEach(() => open.close());

  const labels = async (section: string) => (await open.shown.rows(section)).map(({ label }) => label);
  /** The sections, below the notes. */
  const sections = async () => (await open.shown.texts()).slice(-3);

  it('show an invalid entry of a list next to the others, with a command to open its setting', async () => {
    await configure({ people: ['7058314', 3, { label: 'x' }] });
    const [alice, note] = await open.shown.seen('People');
    assert.deepEqual(
      [alice?.label, note?.label],
      ['Alice Fernhollow', 'Invalid IDs in the settings: 3, {"label":"x"}'],
    );
    assert.deepEqual(note?.item.command?.arguments, ['botChats.people']);
  });

  it('show the rows that match a filter, and their share of all rows', async () => {
    await configure({ groups: [...ALL_GROUPS.slice(0, 6), { id: '563311478', label: 'Film' }] });
    await open.shown.seen('Groups');
    for (const [filter, groups, shown] of [
      ['RIVER town', 'Groups | 1 of 7', ['Riverside Town 河畔小镇']],
      ['胶片', 'Groups | 1 of 7', ['Film']],
      ['nothing like it', 'Groups | 0 of 7', []],
    ] as const) {
      open.tree.sections.filter = filter;
      assert.equal((await sections())[0], groups);
      assert.deepEqual(await labels('Groups'), shown);
    }
    open.tree.sections.filter = '';
    assert.equal((await sections())[0], 'Groups | 7');
  });

  it('show the filter and the number of rows that are known only by ID, or that none is found', async () => {
    const message = async () => {
      await open.tree.getChildren();
      return open.shown.view.message;
    };
    open.tree.sections.filter = '5';
    assert.equal(await message(), 'Filter: “5” · 4 not looked up yet (filtered by ID only)');
    for (const section of ['Groups', 'Bots', 'People']) await open.shown.seen(section);
    assert.equal(await message(), 'Filter: “5” · 1 not looked up yet (filtered by ID only)');
    await configure({ groups: ['518204736'] });
    assert.equal(await message(), 'Filter: “5”');
    open.tree.sections.filter = 'nothing';
    assert.equal(await message(), 'Filter: “nothing” · no matches');
    open.tree.sections.filter = '';
    await open.shown.rows('Groups');
    assert.equal(await message(), '');
  });

  for (const [what, set] of [
    ['match a filter', { filter: 'big' }],
    ['move its row', { order: 'name' }],
  ] as const) {
    it(`are all repainted when a new name may ${what}`, async () => {
      Object.assign(open.tree.sections, set);
      await configure({ groups: ['big'] });
      const rows = await open.shown.rows('Groups');
      const repainted = open.shown.nextRepaint();
      await open.shown.makeVisible(rows);
      assert.equal(await repainted, undefined);
    });
  }

  it('are otherwise repainted only where a row gets a name', async () => {
    await open.shown.seen('Bots');
    const row = await open.shown.row('Groups', '518204736');
    await open.shown.makeVisible([row]);
    let painted = await open.shown.nextRepaint();
    // A change of the saved tokens repaints everything.
    while (!painted) painted = await open.shown.nextRepaint();
    assert.ok(painted.includes(row.node));
    assert.ok(painted.length <= 2);
  });

  it('show a command to add rows if they are empty', async () => {
    await configure({ groups: [], bots: [], people: [] });
    for (const [section, text, command] of [
      ['Groups', 'Add a group…', 'botChats.addGroup'],
      ['Bots', 'Add a bot…', 'botChats.addBot'],
      ['People', 'Add a person…', 'botChats.addPerson'],
    ] as const) {
      const rows = await open.shown.rows(section);
      assert.deepEqual(
        rows.map((row) => [row.text, row.item.command?.command]),
        [[text, command]],
      );
    }
  });
});
