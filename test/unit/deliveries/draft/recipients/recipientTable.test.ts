import assert from 'node:assert/strict';
import { parseRecipientTable } from '../../../../../src/deliveries/draft/recipients/recipientTable.ts';
import { instantClock } from '../../../clocks.ts';

const BROKEN =
  "A quotation mark isn't closed, text follows the closing one, or this row is too long. The rows below aren't read.";
const NO_IDS =
  '1 There is no id column. One of the first lines must name the columns, separated by commas, semicolons, or tabs.';

describe('A file of recipients', () => {
  /** Its columns, and in lines its rows and problems, each with the number of its line. */
  const read = async (text: string, kind?: 'user' | 'group') => {
    const { columns, rows, problems } = await parseRecipientTable(text, kind);
    return {
      columns,
      rows: Array.from(rows.values(), ({ chat, cells, line }) => `${line} ${chat.kind} ${chat.id}: ${cells.join('|')}`),
      problems: problems.map(({ severity, line, text }) =>
        [line, severity === 'warning' && 'warning', text].filter(Boolean).join(' '),
      ),
    };
  };

  it('says what each recipient is, or the draft does', async () => {
    const text = 'kind,id\nperson,7\nGroup,7\nuser,8\nbot,9\n,10';
    assert.deepEqual(await read(text), {
      columns: ['kind', 'id'],
      rows: ['2 user 7: person|7', '3 group 7: Group|7', '4 user 8: user|8'],
      problems: ['5 Unknown kind bot. Use person or group.', '6 The kind is missing. Use person or group.'],
    });
    assert.deepEqual((await read('id\n7')).problems, ['1 There is no kind column with person or group.']);
    assert.deepEqual((await read('id,kind\n7,', 'group')).rows, ['2 group 7: 7|']);
  });

  it('reports each row that can’t be used, with its line', async () => {
    const ann = '7058314,"Ann\nLee"';
    const unusable = ['a b,Bo', ',Cy', '7102649,Di,x', ann, '7058314,Ed', ',', '', '7,"Flo" y', '8,Gus'];
    const text = ['id,name', ann, ...unusable].join('\r\n');
    assert.deepEqual(await read(text, 'user'), {
      columns: ['id', 'name'],
      rows: ['2 user 7058314: 7058314|Ann\nLee'],
      problems: [
        "4 a b isn't one ID. Give each ID a row of its own.",
        '5 The ID is missing.',
        '6 This row has 3 values for 2 columns.',
        '7 warning 7058314 is on line 2, too. Only one message is sent.',
        '9 7058314 has other values on line 2.',
        `12 ${BROKEN}`,
      ],
    });
  });

  it('may lack cells at the end of a row, and has columns of any name', async () => {
    const text = 'id,__proto__,constructor,toString,\n7,a,b\n8,c,d,e,';
    assert.deepEqual(await read(text, 'user'), {
      columns: ['id', '__proto__', 'constructor', 'toString', ''],
      rows: ['2 user 7: 7|a|b', '3 user 8: 8|c|d|e|'],
      problems: ['2 warning This row ends before these columns, so they count as empty: toString.'],
    });
  });

  it('may not lack cells in one of two rows of a recipient that the other one has', async () => {
    for (const text of ['id,name\n7,Ann\n7', 'id,name\n7\n7,Ann'])
      assert.ok((await read(text, 'user')).problems.includes('3 7 has other values on line 2.'), text);
    assert.ok((await read('id,name\n7,\n7', 'user')).problems[0]?.includes('Only one message is sent'));
  });

  it('may have columns that are called by days', async () => {
    assert.deepEqual(await read('Present\nname,id,20260105,20260106\nAnn,7058314,yes,no\nBo,7102649,,', 'user'), {
      columns: ['name', 'id', '20260105', '20260106'],
      rows: ['3 user 7058314: Ann|7058314|yes|no', '4 user 7102649: Bo|7102649||'],
      problems: [],
    });
    // Here, ID is a country.
    for (const text of ['', '20260105,Ann,ID\n20260106,Bo,CN', '7058314,Ann,ID\n7102649,Bo,7058315', '20260105,ID'])
      assert.deepEqual((await read(text, 'user')).problems, [NO_IDS]);
  });

  it('must not name two columns alike, whatever their case, spaces and invisible characters', async () => {
    for (const [first, second] of [
      ['ID', 'id'],
      ['name', 'name'],
      ['id', '\u200Bid\u200B'],
      ['Kind', 'kind'],
      ['Order', 'order'],
      ['order no', 'order  no'],
      ['name', 'na\u00ADme'],
      ['code', 'ｃｏｄｅ'],
    ]) {
      const others = first?.toLowerCase() === 'id' ? '' : 'id,';
      const { problems } = await read(`${others}x,${first},${second}\n7,a,b,c`, 'user');
      const shown = second?.replaceAll('\u200B', '').replace(/\s+/g, ' ').replace('\u00AD', '⟨U+00AD⟩');
      const text = `1 The columns ${first} and ${shown} can't be told apart. Rename one of them.`;
      assert.equal(problems[0], text);
    }
  });

  it('may have columns with invisible characters around their names, or typed with an input method for Chinese', async () => {
    const rows = ['2 user 7: 7|person|a'];
    const marked = await read('\u200BID\u200B, kind\u2060,x\n7,person,a');
    assert.deepEqual(marked, { columns: ['ID', 'kind', 'x'], rows, problems: [] });
    const wide = await read('ＩＤ,ｋｉｎｄ,x\n7,person,a');
    assert.deepEqual(wide, { columns: ['ＩＤ', 'ｋｉｎｄ', 'x'], rows, problems: [] });
  });

  it('keeps the values of spreadsheets as text', async () => {
    assert.deepEqual((await read('id,x\n7,\'=1+1\n8,=HYPERLINK("https://b.test")', 'user')).rows, [
      '2 user 7: 7|=1+1',
      '3 user 8: 8|=HYPERLINK("https://b.test")',
    ]);
  });

  it('may mix line endings, begin with a mark, or have a header only', async () => {
    assert.deepEqual((await read('id,x\r7,a\n8,"b\r\nc"\r\n\r9,d', 'user')).rows, [
      '2 user 7: 7|a',
      '3 user 8: 8|b\r\nc',
      '6 user 9: 9|d',
    ]);
    for (const text of ['id,name', 'id,name\r\n', '"id";"name"\n\n'])
      assert.deepEqual(await read(text, 'user'), { columns: ['id', 'name'], rows: [], problems: [] });
    // Where files were put together, or an old program ended one.
    assert.deepEqual(await read('id,name\n7,a\n\uFEFF\n\u200B, \n8,b\n\x1A', 'user'), {
      columns: ['id', 'name'],
      rows: ['2 user 7: 7|a', '5 user 8: 8|b'],
      problems: [],
    });
  });

  it('is given up where a quote is open or a cell or a row has no end', async () => {
    const long = 'x\n'.repeat(1_000_000);
    assert.deepEqual((await read(`"${long}`, 'user')).problems, [NO_IDS]);
    assert.deepEqual((await read(`id,name\n7,"${long}`, 'user')).problems, [`2 ${BROKEN}`]);
    assert.deepEqual((await read(`id,name\n7,${'x'.repeat(300_000)}`, 'user')).problems, [`2 ${BROKEN}`]);
    const { rows, problems } = await parseRecipientTable(`id\n7${','.repeat(1_000_000)}\n8`, 'user');
    assert.equal(rows.size, 0);
    assert.deepEqual(
      problems.map(({ text, line }) => [text, line]),
      [[BROKEN, 2]],
    );
  });

  it('is given up if its columns can’t be told, or are too many', async () => {
    const quoted = 'id,name,"note\n1,Ann,"VIP"\n2,Bob,x\n3,Cid,y\n';
    assert.deepEqual(await read(quoted, 'user'), {
      columns: ['id', 'name', 'note 1,Ann,VIP"'],
      rows: [],
      problems: [`1 ${BROKEN}`],
    });
    const numbers = Array.from({ length: 1_500 }, (_, at) => at + 7_000);
    const { rows, problems } = await read(`id,${numbers.map((one) => `c${one}`)}\n1,${numbers}`, 'user');
    assert.deepEqual(rows, []);
    assert.deepEqual(problems, [`1 ${BROKEN}`]);
  });

  it('has at most 100,000 recipients, and is given up after 1,000 errors', async () => {
    const clock = instantClock();
    const ids = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
    const readIds = (ids: readonly unknown[]) => parseRecipientTable(['id', ...ids].join('\n'), 'user', clock);
    const full = await readIds(ids(100_001));
    const text = 'More than 100,000 recipients. Divide this file into several.';
    const tooMany = { severity: 'error', line: 100_002, text, kind: 'tooMany' };
    assert.deepEqual(full.problems, [tooMany]);
    const wrong = await readIds(ids(5_000).map((id) => `${id} x`));
    assert.equal(wrong.problems.length, 1_000);
    // Rows that come twice aren't wrong.
    const twice = await readIds([...ids(2_000), ...ids(2_000), 7_058_314]);
    assert.deepEqual([twice.rows.size, twice.problems.length], [2_001, 2_000]);
    const endless = await readIds(Array(200_000).fill(7));
    assert.deepEqual(endless.problems.at(-1), tooMany);
  });
});
