import assert from 'node:assert/strict';
import { fixed, problemsOf, read, withBlock } from './read.ts';

describe('An ID in a block', () => {
  it('isn’t several IDs with a Chinese comma between', () => {
    for (const comma of ['，', '、', '；', '|']) {
      const text = withBlock(`groups: [518204736${comma}563311478, 7]`);
      assert.deepEqual(problemsOf(text), [
        `<518204736${comma}563311478> 518204736${comma}563311478 isn't one ID. Put a plain comma and a space between IDs.`,
      ]);
      assert.equal(read(text).message, undefined);
      assert.equal(fixed(text), withBlock('groups: [518204736, 563311478, 7]'));
    }
    const lines = withBlock('people:', '  - 7058314，7102649');
    assert.equal(fixed(lines), withBlock('people:', '  - "7058314，7102649"'));
    assert.equal(read(withBlock('except:', '  people: [7058314，7102649]')).message, undefined);
  });

  it('isn’t a number that a spreadsheet or an input method has changed, nor has it a label', () => {
    const changed = (id: string) =>
      `<${id}> A spreadsheet has changed this number: ${id}. Enter the ID again in a column that is formatted as text.`;
    for (const id of ['5.58E+12', '7058314.0', '7.058.314'])
      assert.deepEqual(problemsOf(withBlock(`people: [${id}]`)), [changed(id)]);
    for (const id of ['７０５８３１４', '群7058314', '7058314。', 'id=7058314']) {
      const text = withBlock(`people: [${id}]`);
      assert.deepEqual(problemsOf(text), [`<${id}> ${id} isn't an ID.`]);
      assert.equal(fixed(text), withBlock('people: [7058314]'));
      assert.equal(fixed(withBlock(`bot: ${id}`)), withBlock('bot: 7058314'));
    }
  });

  it('is meant as it is in quotation marks, or if nothing else is in it', () => {
    for (const id of [
      '"5.58E+12"',
      "'７０５８３１４'",
      '"a，b"',
      '007',
      'big',
      '张三',
      '😀',
      'كتاب',
      'a.b/c',
      '7E5',
      '-1',
      'u@x',
    ]) {
      const { recipients, problems } = read(withBlock(`people: [${id}]`));
      assert.deepEqual([recipients.map((one) => one.id), problems], [[id.replace(/["']/g, '')], []]);
    }
  });
});
