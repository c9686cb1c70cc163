import assert from 'node:assert/strict';
import { blockLocationAt } from '../../../../../src/deliveries/draft/document/blockLocation.ts';

/** What is at the `|` in a document: a key with its map, or a value with its key; the word to replace there, and sibling keys. */
function at(...lines: string[]): string | undefined {
  const text = ['---', ...lines, '---', 'chat:', '  x'].join('\n');
  const whole = text.replace('|', '');
  const location = blockLocationAt(whole, text.indexOf('|'));
  if (!location) return undefined;
  const word = `<${whole.slice(location.word.start, location.word.end)}>`;
  if (location.in === 'value') return `${location.key} ${word}`;
  return [`key of ${location.of}`, word, ...[...location.siblings].sort()].join(' ');
}

describe('The location in the chat block', () => {
  it('is a key of the block, with its siblings', () => {
    assert.equal(at('chat:', '  |'), 'key of chat <>');
    assert.equal(
      at('title: x', 'chat:', '  bot: 1', '  # to', '', '  gr|', '  people:', '  - 2', '  type: text', 'groups:'),
      'key of chat <gr> bot people type',
    );
    assert.equal(at('chat:', '  groups:', '    - 1', '  |'), 'key of chat <> groups');
    const buttons = ['  buttons:', '    - - text: a', '        opens: b'];
    assert.equal(at('chat:', ...buttons, '  bo|t: 1'), 'key of chat <bot> buttons');
    assert.equal(at('chat:', '  peo|ple :', '    - 1'), 'key of chat <people>');
  });

  it('is a value', () => {
    for (const [lines, value] of [
      ['type: ma|rk', 'type <mark>'],
      ['bot: |', 'bot <>'],
      ['groups: [1, bi|g]', 'groups <big>'],
      ['groups: [|', 'groups <>'],
      ['people:\n    - 1\n    - Ali|', 'people <Ali>'],
      ['people:\n  - |', 'people <>'],
      ['people:\n  -|', undefined],
    ])
      assert.equal(at('chat:', `  ${lines}`), value, lines);
  });

  it('is all of a value, also what is after the cursor', () => {
    for (const [lines, word] of [
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
      ['audiences:\n    - VIP| list, old # x', 'VIP list, old'],
      ['audiences: [\n    a, VIP| list, old\n  ]', 'VIP list'],
      // Wherever in it the cursor is, among commas and brackets.
      ['recipients: all, 2|.csv', 'all, 2.csv'],
      ['recipients: "all, 2|.csv" # old', '"all, 2.csv"'],
      ['recipients: all [2], n|ew.csv', 'all [2], new.csv'],
      ["audiences: ['a, b', 'VIP, [li|", "'VIP, [li"],
      ["audiences: ['Ann''s, VIP', 'b, |'", "'b, '"],
      ['audiences: [a,| "VIP, list", b]', ' "VIP, list"'],
      ["recipients: |'a # b.csv' # old", "'a # b.csv'"],
      ["audiences: [Ann's, VIP| list]", 'VIP list'],
      ['audiences: ["a \\" b, c", VIP|]', 'VIP'],
      ['audiences:\n    - VIP, li|st # x', 'VIP, list'],
      ['audiences: [\n    "a, b", "VIP, li|st"\n  ]', '"VIP, list"'],
      ['audiences: ["a]|"]', '"a]"'],
    ] as const)
      assert.equal(at('chat:', `  ${lines}`), `${lines.slice(0, lines.indexOf(':'))} <${word}>`, lines);
  });

  it('is no value after the end of a list', () => {
    for (const list of ['[a]', '[a, "VIP, list" ]', '["[a"]', "['a]', b]", '[]', '[\n    a\n  ]'])
      assert.equal(at('chat:', `  audiences: ${list}|`), undefined, list);
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
      for (const lines of [': Ber|', ': [x, Ber|', ':\n      - Ber|'])
        assert.equal(at(...block, `    ${written}${lines}`), `${name} <Ber>`, written + lines);
      assert.equal(at(...block, '    not:', `      ${written}: Ber|`), `${name} <Ber>`, written);
      assert.equal(at(...block, `    ${written}: x`, '    ci|'), `key of where <ci> ${name}`, written);
    }
  });

  it('is a key of the surrounding button', () => {
    const inButtons = (...lines: string[]) => at('chat:', '  buttons:', ...lines);
    const rest = ['      - text: c', '        reports: d'];
    assert.equal(inButtons('    - - text: a', '        |', ...rest), 'key of buttons <> text');
    assert.equal(
      inButtons('    - - text: a', '        opens: b', '      - te|', '        copies: x', ...rest),
      'key of buttons <te> copies',
    );
    assert.equal(inButtons('  - |'), 'key of buttons <>');
    assert.equal(inButtons('    - - text: a|'), undefined);
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
