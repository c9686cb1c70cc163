import assert from 'node:assert/strict';
import { Uri } from 'vscode';
import { recipientProblems } from '../../../../../src/deliveries/draft/recipients/recipientProblems.ts';
import { parseRecipientTable } from '../../../../../src/deliveries/draft/recipients/recipientTable.ts';
import { checkProblems, read, readBeside, unmark, withBlock } from '../document/read.ts';

const marked = withBlock('recipients: ‹all.csv›', 'kind: person');
const { text } = unmark(marked);

describe('The problems of a file of recipients', () => {
  it('are said where the draft names it, with the line of the first', async () => {
    for (const [csv, line, said] of [
      ['id', undefined, 'There are no recipients in all.csv.'],
      ['id\n7\n7', 3, 'warning: all.csv lists a recipient twice, on line 3. Only one message is sent.'],
      ['id\n7\n7\n8\n8', 3, 'warning: all.csv lists 2 recipients twice, first on line 3. Each gets only one message.'],
      [
        'id\n7\na b\nc d',
        3,
        "all.csv has 2 rows that can't be used, first on line 3. a b isn't one ID. Give each ID a row of its own.",
      ],
      ['id,ID\n7,8', 1, "all.csv has the columns id and ID, which can't be told apart. Rename one of them."],
    ] as const) {
      const { problems } = await readBeside({ 'all.csv': csv }, text);
      checkProblems(marked, problems, [said]);
      assert.equal(problems[0]?.line, line, csv);
    }
  });

  it('are that it’s too long, or may be in another encoding', async () => {
    const parsed = read(text);
    const { recipientFile: named = assert.fail() } = parsed;
    const table = await parseRecipientTable('id\n7', 'user');
    const problemsOf = (one: typeof table, isOtherEncoding: boolean) =>
      recipientProblems(text, parsed, [{ named, file: { uri: Uri.file('/all.csv'), table: one, isOtherEncoding } }]);
    const { problems: rows } = await parseRecipientTable('id\na b', 'user');
    const tooMany = rows.map((one) => ({ ...one, kind: 'tooMany' as const }));
    checkProblems(marked, await problemsOf({ ...table, problems: tooMany }, false), [
      'all.csv has more than 100,000 recipients. Divide it into several files.',
    ]);
    checkProblems(marked, await problemsOf(table, true), [
      "warning: all.csv isn't UTF-8 and was read as GB18030. Check the names in the preview.",
    ]);
  });

  it('under except: are only those that hide whom it names', async () => {
    const draft = withBlock('people: [7]', 'except:', '  recipients: ‹all.csv›', '  kind: person');
    const problemsIn = async (csv: string) => (await readBeside({ 'all.csv': csv }, unmark(draft).text)).problems;
    assert.deepEqual(await problemsIn('id,name\n7,Ann\n7,Ann\n7,Bo'), []);
    const [bad, ...others] = await problemsIn('id\n7\na b');
    assert.equal(bad?.line, 3);
    assert.equal(bad.rule, 'except');
    assert.deepEqual(others, []);
  });
});
