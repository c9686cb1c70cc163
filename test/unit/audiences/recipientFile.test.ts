import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { Uri } from 'vscode';
import { readRecipientFile, recipientsIn } from '../../../src/audiences/recipientFile.ts';
import { UserFacingError } from '../../../src/presentation/errorText.ts';
import { temporaryPath } from '../../host/temporary.ts';

const group = (id: string) => ({ id, kind: 'group' });
const user = (id: string) => ({ id, kind: 'user' });

const idsIn = async (text: string) => (await recipientsIn(text)).ids;

describe('The recipients in a file', () => {
  const inFile = async (content: string | Uint8Array) => {
    const path = temporaryPath('recipients');
    await writeFile(path, content);
    return (await readRecipientFile(Uri.file(path))).ids;
  };

  it('are in the id column of CSV, with their kind, each once', async () => {
    const rows = [
      ['Name', ' ID ', 'Kind'],
      ['"Fern & Kettle: ""the"" shop\nteam"', '518204736', 'group'],
      ['Alice', '"7058314"', ' Person '],
      ['Alice', '7058314', 'USER'],
      ['', '', ''],
      ['Order Desk', '30481126', 'bot'],
      ['short'],
      ['two words', '12 34', 'user'],
    ];
    const { ids, unused } = await recipientsIn(rows.map((row) => row.join(',')).join('\r\n'));
    assert.deepEqual(ids, [group('518204736'), user('7058314'), { id: '30481126' }]);
    assert.deepEqual(
      unused.map(({ line, text }) => `${line} ${text}`),
      ['8 The ID is missing.', "9 12 34 isn't one ID. Give each ID a row of its own."],
    );
  });

  it('end at a row whose quotes are broken, as what follows may be anything', async () => {
    assert.deepEqual(await idsIn('id\n1\n"2" x\n3'), [{ id: '1' }]);
  });

  it('aren’t words of a table in HTML, or of one with Chinese commas', async () => {
    const html = '<table border=0><tr><td>id</td><td>name</td></tr><tr><td>7058314</td><td>Ann</td></tr></table>';
    const xml = '<Row><Cell><Data>id</Data></Cell><Cell ss:Index="2"><Data>name</Data></Cell></Row>';
    for (const text of [html, xml]) await assert.rejects(recipientsIn(text), /There is no id column/);
    assert.deepEqual(await idsIn('id、name\n7058314、Ann'), [{ id: '7058314' }]);
    assert.deepEqual(await idsIn('7058314、7102649'), [{ id: '7058314' }, { id: '7102649' }]);
  });

  it('may have no kind, or be both a group and a person', async () => {
    assert.deepEqual(await idsIn('\n\nid\n1\n2\n1'), [{ id: '1' }, { id: '2' }]);
    assert.deepEqual(await idsIn('kind,id\nuser,1\n,1\ngroup,1'), [user('1'), group('1')]);
  });

  it('are all IDs in any other text, whose other lines are named', async () => {
    assert.deepEqual(
      (await idsIn('518204736，big\n["7058314", “7102649”];\t518204736\n\u200b\n')).map(({ id }) => id),
      ['518204736', 'big', '7058314', '7102649'],
    );
    const { ids, unused } = await recipientsIn(
      `群号：7058314（测试）\n\n- ${'x'.repeat(201)}\r\n- 5.58E+12\n客户名单：\n`,
    );
    assert.deepEqual(ids, [{ id: '7058314' }]);
    assert.deepEqual(
      unused.map(({ line, text }) => `${line} ${text.split('. ')[0]}`),
      ["3 This ID isn't valid", '4 A spreadsheet has changed this number: 5.58E+12', "5 客户名单： isn't one ID"],
    );
  });

  it('are none if two columns might have them, whatever other columns are called', async () => {
    for (const head of ['id,ID', 'kind,id,Kind'])
      await assert.rejects(recipientsIn(`${head}\n1,2,3`), UserFacingError, head);
    assert.deepEqual(await idsIn('id,paid,paid\n1,5,7'), [{ id: '1' }]);
  });

  it('are no tokens, which would be looked up, too, in a column of IDs either', async () => {
    const inLine = 'A token is in this line.';
    for (const [file, ids, problems] of [
      [
        '7058314\nBOT_TOKEN=0a1b2c3d4e5f\nAuthorization: Bearer 9f8e\n7102649\n',
        ['7058314', '7102649'],
        [`2 ${inLine}`, `3 ${inLine}`],
      ],
      ['id,name\n7058314,Ann\nBOT_TOKEN=0a1b2c3d4e5f,Ben\n', ['7058314'], ['3 This is a token, not an ID.']],
    ] as const) {
      const found = await recipientsIn(file);
      const said = found.unused.map(({ line, text }) => `${line} ${text}`);
      assert.deepEqual([found.ids.map(({ id }) => id), said], [ids, problems]);
    }
  });

  it('are read with a byte order mark, and in the encodings of spreadsheets', async () => {
    assert.deepEqual(await inFile('\uFEFFid;kind\n1;group'), [group('1')]);
    assert.deepEqual(await inFile(Buffer.from('\uFEFFid\tkind\n1\tgroup', 'utf16le')), [group('1')]);
  });

  it('are refused if the file is too large or no text, or has none or too many', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => `u${at}`).join(',');
    assert.equal((await idsIn(many(10_000))).length, 10_000);
    await assert.rejects(recipientsIn(many(10_001)), {
      message: 'More than 10,000 recipients. Divide this file into several.',
    });
    await assert.rejects(inFile(' \n,;'), { message: 'There are no IDs in this file.' });
    await assert.rejects(inFile('x'.repeat(1_048_576)), /^UserFacingError: There are no IDs in this file\. Line 1: /);
    await assert.rejects(inFile('x'.repeat(1_048_577)), { message: 'The file is too large. The limit is 1 MB.' });
    await assert.rejects(inFile(Uint8Array.of(0, 1, 2)), { message: "The file isn't text in UTF-8 or GB18030." });
  });

  it('are found in hostile text', async () => {
    for (const text of [
      `id\n"${'""'.repeat(500_000)}`,
      '"'.repeat(1_000_000),
      'id,'.repeat(300_000),
      ','.repeat(1_000_000),
    ])
      assert.ok((await idsIn(text).catch(() => [])).length <= 1);
  });
});
