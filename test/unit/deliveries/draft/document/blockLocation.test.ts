import assert from 'node:assert/strict';
import { blockLocationAt } from '../../../../../src/deliveries/draft/document/blockLocation.ts';

/** The location of the `|` in a document: key or value, the word to replace, and sibling keys. */
function at(...lines: string[]): unknown {
  const text = ['---', ...lines, '---', 'chat:', '  x'].join('\n');
  const offset = text.indexOf('|');
  const whole = text.replace('|', '');
  const location = blockLocationAt(whole, offset);
  if (!location) return undefined;
  const word = whole.slice(location.word.start, location.word.end);
  return location.in === 'key' ? [`key of ${location.of}`, word, [...location.siblings].sort()] : [location.key, word];
}

describe('The location in the chat block', () => {
  it('is a key of the block, with its siblings', () => {
    assert.deepEqual(at('chat:', '  |'), ['key of chat', '', []]);
    assert.deepEqual(
      at('title: x', 'chat:', '  bot: 1', '  # to', '', '  gr|', '  people:', '  - 2', '  type: text', 'groups:'),
      ['key of chat', 'gr', ['bot', 'people', 'type']],
    );
    assert.deepEqual(at('chat:', '  groups:', '    - 1', '  |'), ['key of chat', '', ['groups']]);
    assert.deepEqual(at('chat:', '  buttons:', '    - - text: a', '        opens: b', '  bo|t: 1'), [
      'key of chat',
      'bot',
      ['buttons'],
    ]);
  });

  it('is a value', () => {
    assert.deepEqual(at('chat:', '  type: ma|rk'), ['type', 'mark']);
    assert.deepEqual(at('chat:', '  bot: |'), ['bot', '']);
    assert.deepEqual(at('chat:', '  groups: [1, bi|g]'), ['groups', 'big']);
    assert.deepEqual(at('chat:', '  groups: [|'), ['groups', '']);
    assert.deepEqual(at('chat:', '  people:', '    - 1', '    - Ali|'), ['people', 'Ali']);
    assert.deepEqual(at('chat:', '  people:', '  - |'), ['people', '']);
    assert.deepEqual(at('chat:', '  people:', '  -|'), undefined);
  });

  it('is all of a value, also what is after the cursor', () => {
    for (const [line, word] of [
      ['recipients: cus|tomers.csv', 'customers.csv'],
      ['recipients: |all 2.csv # old', 'all 2.csv'],
      ['recipients: | # old', ''],
      ['recipients: "cu|"', '"cu"'],
      ["recipients: 'cu|st.csv'  # old", "'cust.csv'"],
      ['recipients: "cu|', '"cu'],
      ['recipients: "cu.csv"|', '"cu.csv"'],
      ['audiences: [VIP| list, b]', 'VIP list'],
      ['audiences: [a, "VI|P, list", b]', '"VIP, list"'],
      ['audiences: [a, |]', ''],
    ] as const) {
      assert.deepEqual(at('chat:', `  ${line}`), [line.slice(0, line.indexOf(':')), word], line);
    }
    assert.deepEqual(at('chat:', '  audiences:', '    - VIP| list, old # x'), ['audiences', 'VIP list, old']);
    assert.deepEqual(at('chat:', '  audiences: [', '    a, VIP| list, old', '  ]'), ['audiences', 'VIP list']);
  });

  it('is all of a value with commas and brackets, wherever in it the cursor is', () => {
    for (const [line, word] of [
      ['recipients: all, 2|.csv', 'all, 2.csv'],
      ['recipients: "all, 2|.csv" # old', '"all, 2.csv"'],
      ['recipients: all [2], n|ew.csv', 'all [2], new.csv'],
      ['audiences: [a, "VIP, li|st", b]', '"VIP, list"'],
      ["audiences: ['a, b', 'VIP, [li|", "'VIP, [li"],
      ["audiences: ['Ann''s, VIP', 'b, |'", "'b, '"],
      ['audiences: [a,| "VIP, list", b]', ' "VIP, list"'],
      ["recipients: |'a # b.csv' # old", "'a # b.csv'"],
      ["audiences: [Ann's, VIP| list]", 'VIP list'],
      ['audiences: ["a \\" b, c", VIP|]', 'VIP'],
    ] as const) {
      assert.deepEqual(at('chat:', `  ${line}`), [line.slice(0, line.indexOf(':')), word], line);
    }
    assert.deepEqual(at('chat:', '  audiences:', '    - VIP, li|st # x'), ['audiences', 'VIP, list']);
    assert.deepEqual(at('chat:', '  audiences: [', '    "a, b", "VIP, li|st"', '  ]'), ['audiences', '"VIP, list"']);
  });

  it('is no value after the end of a list', () => {
    for (const list of ['[a]', '[a, "VIP, list" ]', '["[a"]', "['a]', b]", '[]'])
      assert.equal(at('chat:', `  audiences: ${list}|`), undefined, list);
    assert.equal(at('chat:', '  audiences: [', '    a', '  ]|'), undefined);
    assert.deepEqual(at('chat:', '  audiences: ["a]|"]'), ['audiences', '"a]"']);
  });

  it('is the value of a column, whatever its name is', () => {
    const block = ['chat:', '  recipients: a.csv', '  where:'];
    for (const [written, name] of [
      ['e-mail', 'e-mail'],
      ['first name', 'first name'],
      ['"first name"', 'first name'],
      ["'Ann''s'", "Ann's"],
      ['"say \\"hi\\""', 'say "hi"'],
      ['城市（现居）', '城市（现居）'],
      ['A/B:C', 'A/B:C'],
      ['Zu\u0308rich', 'Zürich'],
    ]) {
      assert.deepEqual(at(...block, `    ${written}: Ber|`), [name, 'Ber'], written);
      assert.deepEqual(at(...block, `    ${written}: [x, Ber|`), [name, 'Ber'], written);
      assert.deepEqual(at(...block, `    ${written}:`, '      - Ber|'), [name, 'Ber'], written);
      assert.deepEqual(at(...block, '    not:', `      ${written}: Ber|`), [name, 'Ber'], written);
      assert.deepEqual(at(...block, `    ${written}: x`, '    ci|'), ['key of where', 'ci', [name]], written);
    }
  });

  it('is a key of the surrounding button', () => {
    const rest = ['      - text: c', '        reports: d'];
    assert.deepEqual(at('chat:', '  buttons:', '    - - text: a', '        |', ...rest), [
      'key of buttons',
      '',
      ['text'],
    ]);
    assert.deepEqual(
      at('chat:', '  buttons:', '    - - text: a', '        opens: b', '      - te|', '        copies: x', ...rest),
      ['key of buttons', 'te', ['copies']],
    );
    assert.deepEqual(at('chat:', '  buttons:', '  - |'), ['key of buttons', '', []]);
    assert.deepEqual(at('chat:', '  buttons:', '    - - text: a|'), undefined);
  });

  it('is undefined outside the block', () => {
    assert.equal(at('ti|'), undefined);
    assert.equal(at('title: |', 'chat:'), undefined);
    assert.equal(at('chat:', '  bot: 1', 'other:', '  x|'), undefined);
    assert.equal(at('other:', '  chat:', '    x|'), undefined);
    assert.equal(blockLocationAt('---\nchat:\n  x\n---\n\nchat:\n  x', 28), undefined);
    assert.equal(blockLocationAt('chat:\n  x', 9), undefined);
  });

  it('is found before the front matter is closed', () => {
    assert.deepEqual(blockLocationAt('---\nchat:\n  ty', 14), {
      in: 'key',
      of: 'chat',
      word: { start: 12, end: 14 },
      siblings: new Set(),
      lead: '  ',
    });
  });
});
