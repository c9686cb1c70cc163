import assert from 'node:assert/strict';
import fc from 'fast-check';
import { recipientsIn } from '../../../src/audiences/recipientFile.ts';
import { parseRecipientTable } from '../../../src/deliveries/draft/recipients/recipientTable.ts';
import type { RowProblem } from '../../../src/presentation/recipientCsv.ts';

/** Files and what they say: the IDs, and the problems of lines. Drafts and audiences read the same. */
const FILES: Record<string, [file: string, ids: string[], problems?: string[]]> = {
  // What comes before the columns.
  'a line that names the separator': ['sep=;\nid;name\n7058314;Ann', ['7058314']],
  'one that names a tab, in quotes and capitals': ['\uFEFF"SEP=\t"\r\nid\tname\r\n7058314\tAnn', ['7058314']],
  'one that names a tab in letters': ['sep=\\t\nid\tname\n7058314\tAnn', ['7058314']],
  'one that was saved again with other separators': ['sep=;,,\nid,name,\n7058314,Ann,', ['7058314']],
  'an empty first line': ['\nid,name\n7058314,Ann', ['7058314']],
  'first lines of separators and blanks': [',,\r\n \t \r\n;\r\nid,name\r\n7058314,Ann', ['7058314']],
  'a title, a date and a blank line': [
    'Members as of Friday;;\n2026-11-25;;\n;;\nname;ID;order\nAnn;7058314;88123001',
    ['7058314'],
  ],
  'a title with an open quotation mark': ['"Members\nid,name\n7058314,Ann', ['7058314']],
  'a table from Markdown': ['| Name | ID |\n| :--- | ---: |\n| Ann | 7058314 |', ['7058314']],
  'Chinese separators': ['id，name\n518204736，河畔', ['518204736']],
  'recipients above the columns, as sorting leaves them': [
    '7058314,Ann\nid,name\n7102649,Ben',
    ['7102649'],
    ['1 aboveHead'],
  ],
  // How columns are named.
  'columns in another order': ['Kind;ID\nperson;7058314\nperson;7102649', ['7058314', '7102649']],
  'marks and blanks around names': ['\uFEFF\uFEFF"name"," Id "\nAnn,7058314', ['7058314']],
  'wide names': ['ｉｄ,ｎａｍｅ\n7058314,Ann', ['7058314']],
  'names in text formulas': ['="id",="name"\n="07058314",="Ann"', ['07058314']],
  'files put together': [
    'id,name\n7058314,Ann\n\uFEFF"id","name"\n\uFEFF"7102649",Ben',
    ['7058314', '7102649'],
    ['3 secondHead'],
  ],
  // IDs.
  'numbers that a spreadsheet has changed': [
    'id;name\n5,58199E+12;a\n"7,058,314";b\n7E5;c',
    ['7E5'],
    ['2 changedId', '3 changedId'],
  ],
  'punctuation, labels and remarks around IDs': [
    'id;name\n518204736、;a\n（563311478）;b\n群号：571120946（测试）;c\n="07";d',
    ['518204736', '563311478', '571120946', '07'],
  ],
  'no ID, several, or one that looks like another': [
    'id,name\n7058314 7102649,Ann\n"7058314\n7102649",Di\n705\u200B8314,Ed\n,Flo\n7058314,Hal',
    ['7058314'],
    ['2 severalIds', '3 severalIds', '5 malformedId', '6 malformedId'],
  ],
  // Rows.
  'rows that are too long, blank, or without their last cells': [
    'id,name,city\n7058314,Ann,Riverside, North\n,,\n\n7102649\n7230581,Cy,Bern,,',
    ['7102649', '7230581'],
    ['2 cellCount'],
  ],
  'an open quotation mark': ['id,name\n7058314,Ann\n7102649,"Ben\n7230581,Cy', ['7058314'], ['3 brokenQuote']],
  'an order number beside each ID': [
    'Orders of Friday\nid;order\n7058314;88123001\n7102649;88123002',
    ['7058314', '7102649'],
  ],
};

/** What a problem of each kind says. */
const PROBLEMS: Record<string, RegExp> = {
  aboveHead: /^This row is above the names of the columns/,
  secondHead: /^This row names the columns again/,
  cellCount: /^This row has \d+ values for \d+ columns/,
  missingCells: /^This row ends before these columns/,
  brokenQuote: /^A quotation mark isn't closed/,
  malformedId: /^(?:This ID isn't valid|The ID is missing)/,
  severalIds: /isn't one ID\. Give each ID a row of its own\.$/,
  changedId: /^A spreadsheet has changed this number/,
  noIdColumn: /^There is no id column/,
};
const kindOf = ({ text }: RowProblem) =>
  Object.entries(PROBLEMS).find(([, pattern]) => pattern.test(text))?.[0] ?? text;

describe('A list of recipients', () => {
  const asDraft = async (file: string) => {
    const { rows, problems: all } = await parseRecipientTable(file, 'user');
    const problems = all.filter(keepsFromUse);
    return {
      ids: Array.from(rows.values(), ({ chat }) => chat.id),
      problems: problems.map((one) => `${one.line} ${kindOf(one)}`),
    };
  };
  const asAudience = async (file: string) => {
    const { ids, unused } = await recipientsIn(file);
    return { ids: ids.map(({ id }) => id), problems: unused.map((one) => `${one.line} ${kindOf(one)}`) };
  };

  for (const [what, [file, ids, problems = []]] of Object.entries(FILES)) {
    it(`may have ${what}`, async () => {
      assert.deepEqual(await asDraft(file), { ids, problems });
      if (ids.length > 0) assert.deepEqual(await asAudience(file), { ids, problems });
      else await assert.rejects(asAudience(file), /^UserFacingError: There are no IDs in this file\. Line 2: /);
    });
  }

  it('without an id column is refused, and no words of it are taken for IDs', async () => {
    for (const file of [
      'sep=;\n7058314;Ann',
      '7058314,Ann\n7102649,Ben',
      '7058314;Ann;ID\n7102649;Ben;SG',
      'name\torder\nAnn\t88123001\nBen\t88123002',
      'Orders of Friday\ncustomer|order\n7058314|88123001\n7102649|88123002',
      'customer;order\n7058314;88123001\n7102649;88123002',
      '姓名,订单,群号\n小明,88123001,518204736\n小红,88123002,563311478',
      // Tables that can't be read.
      'sep=^\nid^name\n7058314^Ann',
      `${'Members\n'.repeat(60)}id,name\n7058314,Ann`,
      '"id,name"\n"7058314,Ann"\n"7102649,Ben"',
      'name      id\nAnn  7058314\nBen  7102649',
    ]) {
      assert.deepEqual(await asDraft(file), { ids: [], problems: ['1 noIdColumn'] }, file);
      await assert.rejects(recipientsIn(file), /^UserFacingError: There is no id column\./, file);
    }
  });

  it('in other words is one of any words, without labels', async () => {
    for (const [file, ...ids] of [
      ['群号：518204736，测试\n群号：563311478，朋友', '518204736', '563311478'],
      ['518204736, 7058314\nbig, 7102649', '518204736', '7058314', 'big', '7102649'],
      ['ID: 518204736\nID: 563311478', '518204736', '563311478'],
    ])
      assert.deepEqual(await asAudience(file ?? ''), { ids, problems: [] });
  });

  it('in other words names its lines of labels alone', async () => {
    assert.deepEqual(await asAudience('大家好\n\n- 518204736 河畔\n---\n大群'), {
      ids: ['518204736'],
      problems: ['1 severalIds', '5 severalIds'],
    });
  });

  it('may come in pieces, cut anywhere', async () => {
    const file = '\uFEFF"sep=;"\r\nMembers\r\n\r\n"id";name\r\n="07";Ann\r\n\r\n"8\r\n";"B\r\nC"\r\n9 9;x';
    const whole = await parseRecipientTable(file, 'user');
    assert.deepEqual([...whole.rows.keys()].length, 2);
    for (let at = 0; at <= file.length; at++)
      assert.deepEqual(await parseRecipientTable([file.slice(0, at), file.slice(at)], 'user'), whole);
  });

  it('may be written by a spreadsheet in any of its ways, with lines above it', async () => {
    await fc.assert(
      fc.asyncProperty(sheets, async ({ rows, ...style }) => {
        const ids = [...new Set(rows.map(([id]) => id))];
        const file = written(rows, style);
        const draft = await parseRecipientTable(file, 'user');
        assert.deepEqual(
          Array.from(draft.rows.values(), ({ chat, cells }) => [chat.id, ...cells.slice(1, 3)]),
          rows.filter(([id], at) => rows.findIndex(([other]) => other === id) === at),
        );
        assert.deepEqual(
          (await recipientsIn(file)).ids.map(({ id }) => id),
          ids,
        );
      }),
    );
  });

  it('answers for each of its rows: it’s used, or named with its line', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(cells, { minLength: 1, maxLength: 4 }), { maxLength: 8 }), async (rows) => {
        const file = ['id;name', ...rows.map((row) => row.join(';'))].join('\n');
        const expected = rows.flatMap((row, at) => (row.some((cell) => cell.trim() !== '') ? [at + 2] : []));
        const { rows: used, problems: all } = await parseRecipientTable(file, 'user');
        const problems = all.filter(keepsFromUse);
        const lines = [...Array.from(used.values(), ({ line }) => line), ...problems.map(({ line }) => line)];
        assert.deepEqual(
          lines.sort((a, b) => a - b),
          expected,
        );
        const read = await recipientsIn(file).catch(() => undefined);
        if (!read) return assert.equal(used.size, 0);
        assert.deepEqual(
          new Set(read.ids.map(({ id }) => id)),
          new Set(Array.from(used.values(), ({ chat }) => chat.id)),
        );
        const isUsedAbove = ({ text }: RowProblem) => / is on line |has other values on line /.test(text);
        assert.deepEqual(
          read.unused,
          problems.filter((one) => !isUsedAbove(one)),
        );
      }),
    );
  });
});

/** A row that ends early is used. Audiences need no other columns, so only drafts warn of it. */
const keepsFromUse = (problem: RowProblem) => kindOf(problem) !== 'missingCells';

const numbers = ['7058314', '07', '="07"', "'07", '7,058,314', '1.5E+9', '群号：518204736'];
const words = ['', ' ', 'big', '大群', 'id', 'a b', '、'];
/** Cells of all kinds, without quotes and line breaks. */
const cells = fc.oneof(
  fc.constantFrom(...numbers, ...words),
  fc.constantFrom('\u200B7058314', '7\u200B8', '-', '#', '(7058314)', '518204736。', 'x'.repeat(201), '５１８'),
  fc.string({ unit: 'binary', maxLength: 6 }).map((text) => text.replace(/[";\r\n]/g, '')),
);

const sheets = fc.record({
  rows: fc.array(
    fc.tuple(
      fc.oneof(fc.stringMatching(/^0?[1-9]\d{6}$/), fc.stringMatching(/^[a-f][\da-f]{7}-[\da-f]{4}$/)),
      fc.constantFrom('Ann', 'Zhang, Wei', '河畔; "小镇"', '', 'two\tparts', '100.0', "O'Neill"),
      fc.constantFrom('', '北京', '1,5', '12|3', 'a\nb'),
    ),
    { minLength: 1, maxLength: 6 },
  ),
  separator: fc.constantFrom(',', ';', '\t'),
  lineBreak: fc.constantFrom('\n', '\r\n', '\r'),
  hasMark: fc.boolean(),
  isDeclared: fc.boolean(),
  above: fc.array(
    fc.constantFrom([], [''], ['Members as of Friday'], ['2026-11-25'], ['Total:', '12'], ['', 'Q3, all']),
    {
      maxLength: 3,
    },
  ),
  keepsZeros: fc.constantFrom('formula', 'apostrophe', 'plain'),
  isQuoted: fc.boolean(),
  padding: fc.nat({ max: 2 }),
});
type Sheet = typeof sheets extends fc.Arbitrary<infer S> ? S : never;

function written(rows: Sheet['rows'], style: Omit<Sheet, 'rows'>): string {
  const { separator, lineBreak, hasMark, isDeclared, above, keepsZeros, isQuoted, padding } = style;
  const quoted = (cell: string) =>
    isQuoted || [separator, '"', '\n'].some((one) => cell.includes(one)) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const numeral = (id: string) => {
    if (!id.startsWith('0') || keepsZeros === 'plain') return id;
    return keepsZeros === 'formula' ? `="${id}"` : `'${id}`;
  };
  const lines = [['id', 'name', 'city'], ...rows.map(([id, ...values]) => [numeral(id), ...values])].map((row) =>
    [...row, ...Array<string>(padding).fill('')].map(quoted).join(separator),
  );
  const first = above.map((cells) =>
    [...cells, ...Array<string>(3 - cells.length).fill('')].map(quoted).join(separator),
  );
  return `${hasMark ? '\uFEFF' : ''}${[...(isDeclared ? [`sep=${separator}`] : []), ...first, ...lines].join(lineBreak)}`;
}
