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
    assert.equal(read(lines).message, undefined);
    assert.equal(read(withBlock('except:', '  people: [7058314，7102649]')).message, undefined);
  });

  it('isn’t a token, which would be looked up', () => {
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
    for (const [line, said] of [
      [`bot: ${token}`, token],
      ['people: [7058314, BOT_TOKEN=0a1b2c3d4e5f]', 'BOT_TOKEN=0a1b2c3d4e5f'],
      ['people: [7058314, Bearer 9f8e7a6b5c]', 'Bearer 9f8e7a6b5c'],
      [`groups: ["${token}"]`, `"${token}"`],
    ] as const) {
      const text = withBlock(line);
      assert.equal(problemsOf(text)[0], `<${said}> This is a token, not an ID.`);
      assert.deepEqual([read(text).problems[0]?.fixes ?? [], read(text).message], [[], undefined]);
    }
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
      assert.deepEqual(problemsOf(fix), []);
    }
    for (const items of ['7058314 7102649, 7230581', '\n    7058314\n    7102649\n    7230581\n  ']) {
      const text = withBlock(`people: [${items}]`, 'bot: 1');
      assert.match(problemsOf(text)[0] ?? '', /isn't one ID\. Put a plain comma and a space between IDs\.$/);
      assert.equal(
        fixed(text).replace(/\[\s+|\s+\]/g, (one) => one.trim()),
        list,
      );
    }
    // Names can't be told from IDs, and nothing says where one audience ends.
    const named = withBlock('people:', '  7058314 Ann', '  7102649 Bo');
    assert.deepEqual([read(named).problems[0]?.text, fixed(named)], ['people must be a list.', named]);
    for (const lines of [
      ['audiences:', '  VIP list', '  customers'],
      ['audiences: |', '  customers'],
    ]) {
      const text = withBlock(...lines);
      assert.deepEqual(
        [read(text).problems.map(({ text }) => text), fixed(text)],
        [['audiences must be a list.'], text],
      );
    }
  });

  it('has no name beside it, unless it’s a comment', () => {
    for (const item of ['7058314 Ann Lee', '7058314\tAnn', '张三 7058314', '7058314 (Ann)']) {
      const text = withBlock('people:', `  - ${item}`);
      assert.match(problemsOf(text)[0] ?? '', /isn't an ID\.$/, item);
      assert.equal(fixed(text), withBlock('people:', '  - 7058314'));
    }
    assert.match(problemsOf(withBlock('people: [Ann Lee]'))[0] ?? '', /This ID isn't valid/);
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

  it('is read as in a file in quotation marks', () => {
    const { recipients, problems } = read(withBlock('people: ["７０５８３１４", \'#7102649\', "a.b/c", 7102649]'));
    assert.deepEqual(
      [recipients.map(({ id }) => id), problems.map(({ text }) => text)],
      [['7058314', '7102649', 'a.b/c'], ['7102649 is listed twice. Only one message is sent.']],
    );
    for (const id of ['5.58E+12', '7,058,314', 'a，b', '7058314，7102649', 'https://a.example/7058314', '—'])
      for (const except of [false, true]) {
        const lines = [`people: ["${id}"]`];
        const text = except ? withBlock('except:', `  ${lines}`) : withBlock(...lines);
        assert.deepEqual([read(text).problems.length, read(text).message], [1, undefined], text);
      }
  });

  it('is meant as it is if nothing else is in it', () => {
    for (const id of ['007', 'big', '张三', '😀', 'كتاب', 'a.b/c', '7E5', '-1', 'u@x']) {
      const { recipients, problems } = read(withBlock(`people: [${id}]`));
      assert.deepEqual([recipients.map((one) => one.id), problems], [[id], []]);
    }
  });

  it('become a list within the brackets that are there', () => {
    assert.equal(fixed(withBlock('groups: 518204736, 563311478]')), withBlock('groups: [518204736, 563311478]'));
    assert.equal(fixed(withBlock('audiences: "VIP]"')), withBlock('audiences: ["VIP]"]'));
    assert.equal(fixed(withBlock('audiences: "【VIP】"')), withBlock('audiences: ["【VIP】"]'));
  });
});
