import assert from 'node:assert/strict';
import { hasMistake, hasProblems, haveMistakes, read, unmark, withBlock } from './read.ts';

describe('The variables of a draft', () => {
  const variablesOf = (text: string) => {
    const { message, variables } = read(text);
    return {
      message: message?.content,
      variables: variables.map(({ start, end, isCode }) => text.slice(start, end) + (isCode ? ' code' : '')),
    };
  };

  it('are in the body and in the texts of the block', () => {
    const text = withBlock(
      '# {{comment}}',
      'buttons:',
      '  - - text: Order {{order}}',
      '      opens: https://shop.test/{{order|none}}',
      '    - text: "{{name}}"',
      '      copies: "{{code}}"',
    ).replace('Hi', 'Hi {{ name }}');
    assert.deepEqual(variablesOf(text), {
      message: {
        text: 'Hi {{ name }}',
        buttons: [
          [
            { text: 'Order {{order}}', actionType: 1, url: 'https://shop.test/{{order|none}}' },
            { text: '{{name}}', actionType: 2, value: '{{code}}' },
          ],
        ],
      },
      variables: ['{{order}}', '{{order|none}}', '{{name}}', '{{code}}', '{{ name }}'],
    });
  });

  it('may be a whole address', () => {
    const text = withBlock('buttons:', '  - text: Open', '    opens: "{{link}}"');
    assert.deepEqual(read(text).problems, []);
    const file = withBlock('type: file', 'fileName: a', 'fileUrl: "{{link}}"').replace('Hi', '');
    assert.deepEqual(read(file).message?.content, { fileName: 'a', fileUrl: '{{link}}' });
  });

  it('aren’t in code, nor after a backslash', () => {
    const text = 'a `{{b}}` {{c}}\n\n```\n{{d}} \\{{e}}\n```\n\n\\{{f}}';
    assert.deepEqual(variablesOf(text), {
      message: { text: 'a `\\{{b}}` {{c}}\n\n```\n\\{{d}} \\\\{{e}}\n```\n\n\\{{f}}' },
      variables: ['{{b}} code', '{{c}}', '{{d}} code'],
    });
    // Without variables, the message is what recipients get.
    assert.deepEqual(variablesOf('a `{{b}}`\n\n```\n{{d}} \\{{e}}\n```\n\n\\{{f}}').message, {
      text: 'a `{{b}}`\n\n```\n{{d}} \\{{e}}\n```\n\n{{f}}',
    });
  });

  it('need quotes at the beginning of a value, which end where it does', () => {
    const said = 'Put quotes around a value that begins with a variable.';
    const inLines: (text: string) => string = (text) => withBlock('buttons:', `  - text: ${text}`, '    copies: x');
    const inBraces: typeof inLines = (text) => withBlock(`buttons: [{ text: ${text}, copies: x }]`);
    haveMistakes(said, [['‹{{name}} hello›', '"{{name}} hello"']], inBraces);
    haveMistakes(
      said,
      [
        ['‹{{name}}›', '"{{name}}"'],
        ['‹{{name}}, hello›', '"{{name}}, hello"'],
        ['‹{{name}}, hello› # short', '"{{name}}, hello" # short'],
        ['‹{{name}}, "hello"›', '\'{{name}}, "hello"\''],
        ['‹{{name|"you"}}›', `'{{name|"you"}}'`],
      ],
      inLines,
    );
    hasProblems(inLines(`'{{name|"you"}}'`));
  });

  it('have the values of a file that the block names', () => {
    const marked = withBlock('recipients: ‹lists/customers.csv›', 'kind: person');
    const { text, places } = unmark(marked);
    const { path, kind, start, end } = read(text).recipientFile ?? assert.fail();
    assert.deepEqual({ path, kind, places: [{ start, end }] }, { path: 'lists/customers.csv', kind: 'user', places });
    haveMistakes('Unknown kind ‹›. Use person or group.', [
      ['recipients: a.csv\nkind: ‹people›', 'recipients: a.csv\nkind: person'],
      ['recipients: a.csv\nkind: ‹Groups›', 'recipients: a.csv\nkind: group'],
      ['recipients: a.csv\nkind: ‹用户›', 'recipients: a.csv\nkind: person'],
      ['recipients: a.csv\nkind: ‹群›', 'recipients: a.csv\nkind: group'],
      ['recipients: a.csv\nkind: ‹persn›', 'recipients: a.csv\nkind: person'],
      ['recipients: a.csv\nkind: ‹bot›', 'recipients: a.csv\nkind: person', 'recipients: a.csv\nkind: group'],
    ]);
    const inQuotes = (kind: string) => withBlock('recipients: a.csv', `kind: ${kind}`);
    hasMistake(inQuotes('‹" persn "›'), 'Unknown kind  persn . Use person or group.', inQuotes('person'));
    hasMistake(withBlock('‹kind›: group'), 'warning: kind has no effect without recipients.');
    hasMistake(withBlock('‹recipients›:'), 'recipients has no value.');
  });

  it('need both pairs of braces, and plain ones, not those of a Chinese input method', () => {
    const said = "warning: These braces aren't a variable, so they're sent as they are.";
    hasProblems('Hi ‹{{›name}, ‹{{› }} {name}} `{{` \\{{ {{name}} {{{name}}}', said, said);
    haveMistakes(
      said,
      [
        ['‹｛｛name｝｝›', '{{name}}'],
        ['‹｛{ name }｝›', '{{name}}'],
        ['‹｛｛姓名｜朋友｝｝›', '{{姓名|朋友}}'],
      ],
      (variable) => `你好${variable}，`,
    );
    for (const text of ['`｛｛name｝｝`', '｛name｝', '```\n｛｛name｝｝\n```', '｛｛｝｝', '｛｛a\nb｝｝'])
      hasProblems(text);
  });

  it('are in the text around code, wherever a quotation, a list item or a heading ends it', () => {
    for (const text of [
      '> ```\n> code\n\nDear {{name}}, hello',
      '> ```\n> code\nDear {{name}}, hello',
      '- ```\n  x\n\ntext {{name}}',
      '1. ```\n   x\n2. {{name}}',
      '- Press ` now\n- Hi {{name}}\n- Press ` again',
      '# 3 ` b\nHi {{name}} ` c',
      'a ` b\n# Hi {{name}} ` c',
      'a ` b\n> Hi {{name}} ` c',
    ])
      assert.deepEqual(variablesOf(text), { message: { text }, variables: ['{{name}}'] }, text);
    for (const text of [
      '```\n> ```\n{{name}}\n```',
      '- ```\n  {{name}}\n  ```',
      '> ```\n> {{name}}',
      '  ```\n{{name}}',
      'a `\n{{name}}` b',
    ])
      assert.deepEqual(variablesOf(text).variables, ['{{name}} code'], text);
  });
});
