import assert from 'node:assert/strict';
import { fixed, problemsOf, read, withBlock } from './read.ts';

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

  it('need quotes at the beginning of a value', () => {
    const button = (text: string) => withBlock('buttons:', `  - text: ${text}`, '    copies: x');
    for (const value of ['{{name}}', '{{name}}, hello']) {
      const problem = `<${value}> Put quotes around a value that begins with a variable.`;
      assert.deepEqual([problemsOf(button(value)), fixed(button(value))], [[problem], button(`"${value}"`)], value);
    }
  });

  it('get quotes that end where their value does', () => {
    const button = (text: string) => withBlock(`buttons: [{ text: ${text}, copies: x }]`);
    const lines = (text: string) => withBlock('buttons:', `  - text: ${text}`, '    copies: x');
    for (const [text, right] of [
      [button('{{name}} hello'), button('"{{name}} hello"')],
      [lines('{{name}}, hello # short'), lines('"{{name}}, hello" # short')],
      [lines('{{name}}, "hello"'), lines('\'{{name}}, "hello"\'')],
      [lines('{{name|"you"}}'), lines(`'{{name|"you"}}'`)],
    ] as const)
      assert.deepEqual([fixed(text), problemsOf(right)], [right, []], text);
  });

  it('have the values of a file that the block names', () => {
    const text = withBlock('recipients: lists/customers.csv', 'kind: person');
    assert.deepEqual(
      [read(text).recipientFile].map((file) => file && [file.path, file.kind, text.slice(file.start, file.end)]),
      [['lists/customers.csv', 'user', 'lists/customers.csv']],
    );
    assert.deepEqual(problemsOf(withBlock('recipients: a.csv', 'kind: bot')), [
      '<bot> Unknown kind bot. Use person or group.',
    ]);
    for (const [kind, ...meant] of [
      ['people', 'person'],
      ['Groups', 'group'],
      ['用户', 'person'],
      ['群', 'group'],
      ['persn', 'person'],
      ['bot', 'person', 'group'],
    ]) {
      const wrong = withBlock('recipients: a.csv', `kind: ${kind}`);
      for (const [which, one] of meant.entries())
        assert.equal(fixed(wrong, which), withBlock('recipients: a.csv', `kind: ${one}`));
      assert.equal(read(wrong).problems[0]?.fixes?.length, meant.length);
    }
    assert.deepEqual(problemsOf(withBlock('kind: group')), ['warning <kind> kind has no effect without recipients.']);
    assert.deepEqual(problemsOf(withBlock('recipients:')), ['<recipients> recipients has no value.']);
  });

  it('need both pairs of braces', () => {
    assert.deepEqual(problemsOf('Hi {{name}, {{ }} {name}} `{{` \\{{ {{name}} {{{name}}}'), [
      "warning <{{> These braces aren't a variable, so they're sent as they are.",
      "warning <{{> These braces aren't a variable, so they're sent as they are.",
    ]);
  });

  it('need plain braces, not those of a Chinese input method', () => {
    const said = "These braces aren't a variable, so they're sent as they are.";
    for (const [wide, plain] of [
      ['｛｛name｝｝', '{{name}}'],
      ['｛{ name }｝', '{{name}}'],
      ['｛｛姓名｜朋友｝｝', '{{姓名|朋友}}'],
    ] as const) {
      assert.deepEqual(problemsOf(`你好${wide}，`), [`warning <${wide}> ${said}`]);
      assert.equal(fixed(`你好${wide}，`), `你好${plain}，`);
    }
    for (const text of ['`｛｛name｝｝`', '｛name｝', '```\n｛｛name｝｝\n```', '｛｛｝｝', '｛｛a\nb｝｝'])
      assert.deepEqual(problemsOf(text), [], text);
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
