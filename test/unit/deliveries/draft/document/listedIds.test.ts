import assert from 'node:assert/strict';
import { fixed, hasMistake, hasProblems, haveMistakes, read, withBlock } from './read.ts';

describe('An ID in a block', () => {
  const SEPARATE = 'Put a plain comma and a space between IDs.';

  it('isn’t several IDs with a Chinese comma between', () => {
    for (const comma of ['，', '、', '；', '|'])
      haveMistakes(`‹› isn't one ID. ${SEPARATE}`, [
        [`groups: [‹518204736${comma}563311478›, 7]`, 'groups: [518204736, 563311478, 7]'],
        [`bot: ‹518204736${comma}563311478›`],
      ]);
    for (const line of ['people:\n  - 7058314，7102649', 'except:\n  people: [7058314，7102649]'])
      assert.equal(read(withBlock(line)).message, undefined);
  });

  it('isn’t a token, which would be looked up', () => {
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
    haveMistakes('This is a token, not an ID.', [
      [`bot: ‹${token}›`],
      ['people: [7058314, ‹BOT_TOKEN=0a1b2c3d4e5f›]'],
      ['people: [7058314, ‹Bearer 9f8e7a6b5c›]'],
      [`groups: [‹"${token}"›]`],
    ]);
  });

  it('isn’t several in lines or with spaces between, as they are pasted', () => {
    const list = withBlock('people: [7058314, 7102649, 7230581]', 'bot: 1');
    for (const lines of [
      ['people: 7058314 7102649 7230581'],
      ['people:', '  7058314', '  7102649', '  7230581'],
      ['people: 7058314,', '  7102649', '  7230581 张三'],
      ['people: |', '  7058314', '  7102649', '  7230581'],
      ['people: "7058314 7102649 7230581"'],
      ['people: 【7058314 7102649，7230581】'],
    ]) {
      const text = withBlock(...lines, 'bot: 1');
      assert.equal(read(text).problems[0]?.text, 'people must be a list.');
      const fix = fixed(text);
      assert.equal(fix.replace(/:\n\s+\[/, ': ['), list);
      hasProblems(fix);
    }
    for (const items of ['7058314 7102649, 7230581', '\n  7058314\n  7102649\n  7230581\n']) {
      const text = withBlock(`people: [${items}]`, 'bot: 1');
      assert.ok(read(text).problems[0]?.text.endsWith(` isn't one ID. ${SEPARATE}`));
      assert.equal(
        fixed(text).replace(/\[\s+|\s+\]/g, (one) => one.trim()),
        list,
      );
    }
    // Names can't be told from IDs, and nothing says where one audience ends.
    haveMistakes('people must be a list.', [['people:\n  ‹7058314 Ann\n  7102649 Bo›']]);
    haveMistakes('audiences must be a list.', [['audiences:\n  ‹VIP list\n  customers›']]);
    assert.deepEqual(read(withBlock('audiences: |', '  customers')).problems[0]?.fixes, undefined);
  });

  it('has no name beside it, unless it’s a comment', () => {
    for (const item of ['7058314 Ann Lee', '7058314\tAnn', '张三 7058314', '7058314 (Ann)']) {
      const text = withBlock('people:', `  - ${item}`);
      assert.ok(read(text).problems[0]?.text.endsWith("isn't an ID."), item);
      assert.equal(fixed(text), withBlock('people:', '  - 7058314'));
    }
    assert.match(read(withBlock('people: [Ann Lee]')).problems[0]?.text ?? '', /^This ID isn't valid/);
  });

  it('isn’t a number that a spreadsheet or an input method has changed, nor has it a label', () => {
    for (const id of ['5.58E+12', '7058314.0', '7.058.314'])
      hasMistake(
        withBlock(`people: [‹${id}›]`),
        `A spreadsheet has changed this number: ${id}. Enter the ID again in a column that is formatted as text.`,
      );
    for (const id of ['７０５８３１４', '群7058314', '7058314。', 'id=7058314'])
      haveMistakes(`${id} isn't an ID.`, [
        [`people: [‹${id}›]`, 'people: [7058314]'],
        [`bot: ‹${id}›`, 'bot: 7058314'],
      ]);
  });

  it('is read as in a file in quotation marks', () => {
    const { recipients, problems } = read(withBlock('people: ["７０５８３１４", \'#7102649\', "a.b/c", 7102649]'));
    assert.deepEqual(
      recipients.map(({ id }) => id),
      ['7058314', '7102649', 'a.b/c'],
    );
    assert.deepEqual(
      problems.map(({ text }) => text),
      ['7102649 is listed twice. Only one message is sent.'],
    );
    for (const id of ['5.58E+12', '7,058,314', 'a，b', '7058314，7102649', 'https://a.example/7058314', '—'])
      for (const except of [false, true]) {
        const lines = [`people: ["${id}"]`];
        const text = except ? withBlock('except:', `  ${lines}`) : withBlock(...lines);
        assert.equal(read(text).problems.length, 1, text);
        assert.equal(read(text).message, undefined, text);
      }
  });

  it('is meant as it is if nothing else is in it', () => {
    for (const id of ['007', 'big', '张三', '😀', 'كتاب', 'a.b/c', '7E5', '-1', 'u@x']) {
      const { recipients, problems } = read(withBlock(`people: [${id}]`));
      assert.deepEqual(
        recipients.map((one) => one.id),
        [id],
      );
      assert.deepEqual(problems, []);
    }
  });

  it('become a list within the brackets that are there', () => {
    assert.equal(fixed(withBlock('groups: 518204736, 563311478]')), withBlock('groups: [518204736, 563311478]'));
    assert.equal(fixed(withBlock('audiences: "VIP]"')), withBlock('audiences: ["VIP]"]'));
    assert.equal(fixed(withBlock('audiences: "【VIP】"')), withBlock('audiences: ["【VIP】"]'));
  });
});
