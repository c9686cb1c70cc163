import assert from 'node:assert/strict';
import { pickRows } from '../../../../../src/deliveries/draft/recipients/pickedRows.ts';
import { parseRecipientTable } from '../../../../../src/deliveries/draft/recipients/recipientTable.ts';
import { checkMistake, checkProblems, read, readBeside, unmark, withBlock } from '../document/read.ts';

const CSV = [
  'id,city,plan,code,email',
  '1,Berlin,pro,007,a@x',
  '2, Berlin ,team,7,',
  '3,berlin,pro,007.0,   ',
  '4,北京,free,,b@x',
  '4,北京,free,,b@x',
  '5,,,7',
].join('\n');

/** The same, without the row that comes twice. */
const CSV_ONCE = CSV.replace('4,北京,free,,b@x\n', '');

const whereOf = (...lines: string[]) =>
  read(withBlock('recipients: all.csv', 'where:', ...lines.map((line) => `  ${line}`))).where ?? assert.fail();

/** The IDs that are picked of a file, and those that aren't: each is in one row of them. */
async function pickedOf(csv: string, ...lines: string[]) {
  const table = await pickRows(await parseRecipientTable(csv, 'user'), whereOf(...lines));
  assert.equal(table.counts.user, table.rows.size);
  return [table.rows, table.unmatched].map((rows) => Array.from(rows.values(), ({ chat }) => chat.id).join(''));
}
const picked = (...lines: string[]) => pickedOf(CSV, ...lines);

describe('The rows that where: picks', () => {
  it('have exactly that text, without white space around it: case matters, and so do zeros', async () => {
    assert.deepEqual(await picked('city: Berlin'), ['12', '345']);
    assert.deepEqual(await picked('city: berlin'), ['3', '1245']);
    assert.deepEqual(await picked('code: 7'), ['25', '134']);
    assert.deepEqual(await picked('code: 007'), ['1', '2345']);
    assert.deepEqual(await picked('city: 北京'), ['4', '1235']);
  });

  it('have one of several values, or any', async () => {
    assert.deepEqual(await picked('plan: [pro, team]'), ['123', '45']);
    assert.deepEqual(await picked('email: present'), ['14', '235']);
    assert.deepEqual(await picked('city: present', 'plan: pro'), ['13', '245']);
  });

  it('have nothing that’s below not:', async () => {
    assert.deepEqual(await picked('not:', '  email: present'), ['235', '14']);
    assert.deepEqual(await picked('not:', '  plan: pro', '  city: 北京'), ['25', '134']);
    assert.deepEqual(await picked('city: Berlin', 'not: { plan: team }'), ['1', '2345']);
    assert.deepEqual(await picked('not: { city: present }'), ['5', '1234']);
  });

  it('are the same for letters that are put together otherwise', async () => {
    assert.deepEqual(await pickedOf('id,city\n1,Zu\u0308rich', 'city: Z\u00fcrich'), ['1', '']);
  });

  it('are the same with invisible characters around them, and no-break spaces between words', async () => {
    const csv = 'id,city,email\n1,\u200BNew\u00A0York\uFEFF,a@x\n2,New York\u200E,\u200B\n3,New  York,\u2060 \u00AD';
    assert.deepEqual(await pickedOf(csv, 'city: New York'), ['12', '3']);
    assert.deepEqual(await pickedOf(csv, 'not:', '  city: "\u200BNew\u00A0York"'), ['3', '12']);
    assert.deepEqual(await pickedOf(csv, 'email: present'), ['1', '23']);
  });

  it('aren’t picked again for the same conditions', async () => {
    const table = await parseRecipientTable(CSV, 'user');
    const first = await pickRows(table, whereOf('city: Berlin'));
    assert.equal(await pickRows(table, whereOf('city:  "Berlin"')), first);
    assert.notEqual(await pickRows(table, whereOf('city: Rome')), first);
  });
});

describe('The problems of where:', () => {
  const draftWith = (lines: string) => withBlock('recipients: all.csv', 'kind: person', 'where:', ...indented(lines));
  const indented = (lines: string) => lines.split('\n').map((line) => `  ${line}`);
  const problemsIn = async (csv: string, marked: string) =>
    (await readBeside({ 'all.csv': csv }, unmark(marked).text)).problems;
  const hasMistake = async (csv: string, marked: string, said: string, ...fixed: string[]) =>
    checkMistake(draftWith(marked), await problemsIn(csv, draftWith(marked)), said, fixed.map(draftWith));

  it('are columns that the file doesn’t have', async () => {
    const has = 'It has: id, city, plan, … and 2 more.';
    await hasMistake(CSV_ONCE, '‹citty›: Berlin', `all.csv has no column citty. ${has}`, 'city: Berlin');
    const said = `all.csv has no column plans. ${has}`;
    await hasMistake(CSV_ONCE, 'not: { ‹plans›: pro }', said, 'not: { plan: pro }');
  });

  it('are values that no row has', async () => {
    const said = 'warning: No row of all.csv has Berln under city.';
    await hasMistake(CSV_ONCE, 'city: [‹Berln›, 北京]', said, 'city: [Berlin, 北京]');
  });

  it('are columns and values that differ from those of the file in case, width or accents only, until they’re replaced', async () => {
    const csv = 'id,Café,plan\n1,ＰＲＯ,Été\n2,pro,present\n3,Ｐro,';
    for (const [marked, said, fixed] of [
      ['plan: ‹ete›', 'No row of all.csv has ete under plan.', 'plan: "Été"'],
      ['plan: ‹ＥＴＥ›', 'No row of all.csv has ＥＴＥ under plan.', 'plan: "Été"'],
      ['plan: ‹PRESENT›', 'No row of all.csv has PRESENT under plan.', 'plan: "present"'],
      ['‹Cafe›: pro', 'all.csv has no column Cafe. It has: id, Café, plan.', '"Café": pro'],
    ] as const) {
      const found = (await problemsIn(csv, draftWith(marked))).filter(({ text }) => text === said);
      const severity = marked.startsWith('plan') ? 'warning: ' : '';
      checkMistake(draftWith(marked), found, severity + said, [draftWith(fixed)]);
    }
  });

  it('are misspellings of present, which no row has, unless they’re in a list or the file has that value', async () => {
    for (const [marked, ...fixed] of [
      ['plan: ‹presnt›', 'plan: present'],
      ['plan: ‹"Present"›', 'plan: present'],
      ['plan: ‹ＰＲＥＳＥＮＴ›', 'plan: present'],
      ['not: { plan: ‹preesnt› }', 'not: { plan: present }'],
      ['plan: [pro, ‹presnt›]'],
      ['plan: [pro, ‹absent›]'],
      ['code: [present, ‹presnt›]', 'code: [present, "present"]'],
    ] as const) {
      const [key = ''] = /plan|code/.exec(marked) ?? [];
      const [, value] = /‹"?(.*?)"?›/.exec(marked) ?? [];
      const problems = await problemsIn('id,plan,code\n1,pro,present\n2,,', draftWith(marked));
      const found = problems.filter(({ text }) => text.startsWith('No row'));
      const said = `warning: No row of all.csv has ${value} under ${key}.`;
      checkMistake(draftWith(marked), found, said, fixed.map(draftWith));
    }
  });

  it('are values of which the file has others that differ in case, width or accents only, until these are added', async () => {
    const csv = 'id,city\n1,Zürich\n2,ZURICH\n3,Zurich\n4,Bern';
    for (const [marked, others, fixed] of [
      ['city: ‹Zürich› # all', 'ZURICH, Zurich', 'city: [Zürich, ZURICH, Zurich] # all'],
      ['city: [Bern, ‹Zürich›]', 'ZURICH, Zurich', 'city: [Bern, Zürich, ZURICH, Zurich]'],
      [
        'city:\n  - ‹Zürich› # one\n  - Bern',
        'ZURICH, Zurich',
        'city:\n  - ZURICH\n  - Zurich\n  - Zürich # one\n  - Bern',
      ],
      ['not: { city: ‹ZURICH› }', 'Zürich, Zurich', 'not: { city: [ZURICH, "Zürich", Zurich] }'],
    ] as const) {
      const said = `warning: all.csv also has ${others} under city, which count as other values.`;
      await hasMistake(csv, marked, said, fixed);
      assert.deepEqual(await problemsIn(csv, draftWith(fixed)), []);
    }
    // One is left, which is said once.
    const said = 'warning: all.csv also has ZURICH under city, which counts as another value.';
    await hasMistake(csv, 'city: [‹Zürich›, Zurich]', said, 'city: [Zürich, ZURICH, Zurich]');
  });

  it('is that nobody is left, unless the document names others', async () => {
    const draft = (...others: string[]) =>
      withBlock(...others, 'recipients: all.csv', 'kind: person', '‹where›: { city: 北京, plan: pro }');
    const said = 'where: picks no row of all.csv.';
    checkProblems(draft(), await problemsIn(CSV_ONCE, draft()), [said]);
    const isElse = draft('people: [9]');
    checkProblems(isElse, await problemsIn(CSV_ONCE, isElse), [`warning: ${said}`]);
  });
});
