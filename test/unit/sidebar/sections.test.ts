import assert from 'node:assert/strict';
import { configure, useService } from '../test-service.ts';
import { BOTS, GROUPS, openTree, PEOPLE, type showTree, textOf } from './showTree.ts';

const ALL_GROUPS = ['518204736', 'big', '524317890', '531048827', '546790213', '559902341', '563311478'];
const LISTS = { groups: ['518204736', 'nosuch'], bots: ['30759903'], people: ['7058314', 3] };

describe('The sections of the sidebar', () => {
  const service = useService({ ...LISTS, 'service.callsPerSecond': 1000 });
  let shown: ReturnType<typeof showTree>;
  let close: () => Promise<void>;

  beforeEach(async () => {
    ({ shown, close } = await openTree(service, LISTS));
  });
  afterEach(() => close());

  const labels = async (place: number) => (await shown.items(await shown.children(place))).map(({ label }) => label);

  it('has sections for groups, bots and people with their counts', async () => {
    const sections = (await shown.tree.getChildren()).filter(({ type }) => type === 'section');
    assert.deepEqual((await shown.items(sections)).map(textOf), [
      ['Groups', '2'],
      ['Bots', '1'],
      ['People', '1'],
    ]);
  });

  it('shows an invalid entry of a list next to the others, with a command to open its setting', async () => {
    await configure({ people: ['7058314', 3, { label: 'x' }] });
    await shown.visibleItems(PEOPLE);
    assert.deepEqual(await labels(PEOPLE), ['Alice Fernhollow', 'Invalid IDs in the settings: 3, {"label":"x"}']);
    const [, note] = await shown.items(await shown.children(PEOPLE));
    assert.deepEqual(note?.command?.arguments, ['botChats.people']);
  });

  it('names a few of very many invalid entries, the beginning of long ones, and shows what is invisible', async () => {
    await configure({ people: [...Array.from({ length: 500 }, (_, at) => at), 'x\u202Ey'] });
    assert.deepEqual(await labels(PEOPLE), ['Invalid IDs in the settings: 0, 1, 2, … and 498 more']);
    await configure({ people: [`a\u202E${'b'.repeat(100_000)}`] });
    assert.match((await labels(PEOPLE)).join(), /^Invalid IDs in the settings: "a⟨U\+202E⟩b{90,100}…$/);
  });

  it('shows the rows that match a filter, and their share of all rows', async () => {
    await configure({ groups: [...ALL_GROUPS.slice(0, 6), { id: '563311478', label: 'Film' }] });
    await shown.visibleItems(GROUPS);
    const section = await shown.sectionOf(GROUPS);
    assert(section);
    const filtered = async (filter: string) => {
      shown.tree.sections.filter = filter;
      return [(await shown.items([section]))[0]?.description, ...(await labels(GROUPS))];
    };
    assert.deepEqual(await filtered('RIVER town'), ['1 of 7', 'Riverside Town 河畔小镇']);
    assert.deepEqual(await filtered('胶片'), ['1 of 7', 'Film']);
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
});
