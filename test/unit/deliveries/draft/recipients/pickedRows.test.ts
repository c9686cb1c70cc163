import assert from 'node:assert/strict';
import { pickRows, whereProblems } from '../../../../../src/deliveries/draft/recipients/pickedRows.ts';
import { parseRecipientTable } from '../../../../../src/deliveries/draft/recipients/recipientTable.ts';
import { applied, read, withBlock } from '../document/read.ts';

const CSV = [
  'id,city,plan,code,email',
  '1,Berlin,pro,007,a@x',
  '2, Berlin ,team,7,',
  '3,berlin,pro,007.0,   ',
  '4,北京,free,,b@x',
  '4,北京,free,,b@x',
  '5,,,7',
].join('\n');

const whereOf = (...lines: string[]) =>
  read(withBlock('recipients: all.csv', 'where:', ...lines.map((line) => `  ${line}`))).where ?? assert.fail();

/** The IDs that are picked, and those that aren't. */
async function picked(...lines: string[]) {
  const table = await pickRows(await parseRecipientTable(CSV, 'user'), whereOf(...lines));
  const ids = (rows: typeof table.rows) => Array.from(rows.values(), ({ chat }) => chat.id).join('');
  assert.equal(table.counts.user, table.rows.size);
  return [ids(table.rows), ids(table.unmatched)];
}

async function foundIn(csv: string, lines: readonly string[], isAnyoneElse = false) {
  const others = isAnyoneElse ? ['people: [9]'] : [];
  const text = withBlock(...others, 'recipients: all.csv', 'where:', ...lines.map((line) => `  ${line}`));
  const draft = read(text);
  const table = await pickRows(await parseRecipientTable(csv, 'user'), draft.where ?? assert.fail());
  return { text, problems: whereProblems(text, draft, table) };
}

async function problemsOf(isAnyoneElse: boolean, ...lines: string[]) {
  const { text, problems } = await foundIn(CSV, lines, isAnyoneElse);
  return problems.map(({ severity, start, end, text: said, fixes = [] }) =>
    [severity, `<${text.slice(start, end)}>`, said, ...fixes.map(({ title }) => `[${title}]`)].join(' '),
  );
}

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

  it('are of the whole file only once: what is said again is one recipient', async () => {
    const [rows, others] = await picked('city: 北京');
    assert.equal(`${rows}${others}`.length, 5);
  });

  it('are the same for letters that are put together otherwise', async () => {
    const table = await parseRecipientTable('id,city\n1,Zu\u0308rich', 'user');
    assert.equal((await pickRows(table, whereOf('city: Z\u00fcrich'))).rows.size, 1);
  });

  it('are the same with invisible characters around them, and no-break spaces between words', async () => {
    const csv = 'id,city,email\n1,\u200BNew\u00A0York\uFEFF,a@x\n2,New York\u200E,\u200B\n3,New  York,\u2060 \u00AD';
    const pickedOf = async (...lines: string[]) => {
      const { rows } = await pickRows(await parseRecipientTable(csv, 'user'), whereOf(...lines));
      return Array.from(rows.values(), ({ chat }) => chat.id).join('');
    };
    assert.equal(await pickedOf('city: New York'), '12');
    assert.equal(await pickedOf('not:', '  city: "\u200BNew\u00A0York"'), '3');
    assert.equal(await pickedOf('email: present'), '1');
  });

  it('aren’t picked again for the same conditions', async () => {
    const table = await parseRecipientTable(CSV, 'user');
    const first = await pickRows(table, whereOf('city: Berlin'));
    assert.equal(await pickRows(table, whereOf('city:  "Berlin"')), first);
    assert.notEqual(await pickRows(table, whereOf('city: Rome')), first);
  });
});

describe('The problems of where:', () => {
  it('are columns that the file doesn’t have', async () => {
    assert.deepEqual(await problemsOf(false, 'citty: Berlin', 'not: { plans: pro }'), [
      'error <citty> all.csv has no column citty. It has: id, city, plan, … and 2 more. [Rename to city]',
      'error <plans> all.csv has no column plans. It has: id, city, plan, … and 2 more. [Rename to plan]',
    ]);
  });

  it('are values that no row has', async () => {
    assert.deepEqual(await problemsOf(false, 'city: [Berlin, Berln]', 'plan: pro'), [
      'warning <Berlin> all.csv also has berlin under city, which counts as another value. [Add berlin]',
      'warning <Berln> No row of all.csv has Berln under city. [Replace with Berlin]',
    ]);
  });

  it('are columns and values that differ from those of the file in case, width or accents only, until they’re replaced', async () => {
    const csv = 'id,Café,plan\n1,ＰＲＯ,Été\n2,pro,present\n3,Ｐro,';
    for (const [line, fixed, said] of [
      ['plan: ete', 'plan: "Été"', 'No row of all.csv has ete under plan.'],
      ['plan: ＥＴＥ', 'plan: "Été"', 'No row of all.csv has ＥＴＥ under plan.'],
      ['plan: PRESENT', 'plan: "present"', 'No row of all.csv has PRESENT under plan.'],
      ['Cafe: pro', '"Café": pro', 'all.csv has no column Cafe. It has: id, Café, plan.'],
    ] as const) {
      const { text, problems } = await foundIn(csv, [line]);
      const problem = problems.find((one) => one.text === said);
      assert.ok(applied(text, problem?.fixes?.[0]).includes(`  ${fixed}\n`), line);
    }
  });

  it('are misspellings of present, which no row has, unless they’re in a list or the file has that value', async () => {
    const titlesOf = async (csv: string, ...lines: string[]) => {
      const { text, problems } = await foundIn(csv, lines);
      return problems.flatMap(({ fixes = [] }) =>
        fixes.map((one) => applied(text, one).match(/ (?:plan|code): .*/)?.[0]),
      );
    };
    for (const [line, ...fixed] of [
      ['plan: presnt', ' plan: present'],
      ['plan: "Present"', ' plan: present'],
      ['plan: ＰＲＥＳＥＮＴ', ' plan: present'],
      ['not: { plan: preesnt }', ' plan: present }'],
      ['plan: [pro, presnt]'],
      ['plan: absent'],
      ['code: presnt', ' code: "present"'],
    ] as const)
      assert.deepEqual(await titlesOf('id,plan,code\n1,pro,present\n2,,', line), fixed, line);
  });

  it('are values of which the file has others that differ in case, width or accents only, until these are added', async () => {
    const csv = 'id,city\n1,Zürich\n2,ZURICH\n3,Zurich\n4,Bern';
    for (const [lines, fixed] of [
      [['city: Zürich # all'], ['city: [Zürich, ZURICH, Zurich] # all']],
      [['city: [Bern, Zürich]'], ['city: [Bern, Zürich, ZURICH, Zurich]']],
      [
        ['city:', '  - Zürich # one', '  - Bern'],
        ['city:', '  - ZURICH', '  - Zurich', '  - Zürich # one', '  - Bern'],
      ],
      [['not: { city: ZURICH }'], ['not: { city: [ZURICH, "Zürich", Zurich] }']],
    ] as const) {
      const { text, problems } = await foundIn(csv, lines);
      assert.equal(problems.length, 1, lines[0]);
      const [{ severity, text: said, fixes } = assert.fail()] = problems;
      assert.equal(severity, 'warning');
      const others = lines[0].startsWith('not') ? 'Zürich, Zurich' : 'ZURICH, Zurich';
      assert.equal(said, `all.csv also has ${others} under city, which count as other values.`);
      assert.ok(applied(text, fixes?.[0]).includes(fixed.map((line) => `    ${line}\n`).join('')), said);
      assert.deepEqual((await foundIn(csv, fixed)).problems, []);
    }
  });

  it('is that nobody is left, unless the document names others', async () => {
    const lines = ['city: 北京', 'plan: pro'];
    assert.deepEqual(await problemsOf(false, ...lines), ['error <where> where: picks no row of all.csv.']);
    assert.deepEqual(await problemsOf(true, ...lines), ['warning <where> where: picks no row of all.csv.']);
  });
});
