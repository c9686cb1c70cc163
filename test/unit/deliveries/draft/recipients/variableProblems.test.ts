import assert from 'node:assert/strict';
import { variableProblems } from '../../../../../src/deliveries/draft/recipients/variableProblems.ts';
import { read, withBlock } from '../document/read.ts';

describe('A variable where no value can be', () => {
  const found = (text: string, keepFrontMatter = false) =>
    variableProblems(text, read(text, keepFrontMatter), undefined);
  const problemsOf = (text: string, keepFrontMatter = false) =>
    found(text, keepFrontMatter).map(({ severity, text: said, start, end, fixes = [] }) => {
      const [edit] = fixes[0]?.edits ?? [];
      const fixed = edit && ` → ${text.slice(start - 9, edit.start)}${edit.text}${text.slice(edit.end, end)}`;
      return `${severity} <${text.slice(start, end)}> ${said}${fixed ?? ''}`;
    });

  it('is an error in the text, with its place and a fix if one is obvious', () => {
    assert.deepEqual(
      problemsOf('{{x}} `{{c}}` \\{{d}} [a](https://shop.example{{path}}) {{y}} https://{{host}}/{{x}}'),
      [
        'error <{{path}}> {{path}} could change the host of this link. Put / before it. → p.example/{{path}}',
        "error <{{host}}> {{host}} can't be part of the scheme, host, or port of a link. Put the whole address into the variable.",
      ],
    );
    assert.deepEqual(problemsOf('{{x}} [a]({{url}}.evil.example) [b]({{url}}/b)'), [
      'error <{{url}}> The text after {{url}} could change the host of this link. Begin that text with /, ?, or #, or put the whole address into the variable.',
    ]);
    assert.deepEqual(problemsOf(withBlock('type: html').replace('Hi', '<p onclick="{{x}}" title="{{x}}">')), [
      "error <{{x}}> {{x}} can't be in this attribute. Put it in the text, or in href, src, alt, or title.",
    ]);
    assert.deepEqual(problemsOf('[a](https://shop.example/{{path}})'), []);
  });

  it('is an error in buttons and files', () => {
    const text = withBlock(
      '# {{path}}',
      'buttons:',
      '  - - text: "{{path}}"',
      '      opens: https://shop.example{{path}}',
      '    - text: Copy',
      '      copies: "https://{{host}}/{{path}}"',
      '    - text: Open',
      '      opens: "http{{s}}://shop.example:{{port}}/"',
    );
    assert.deepEqual(problemsOf(text), [
      'error <{{path}}> {{path}} could change the host of this link. Put / before it. → p.example/{{path}}',
      "error <{{host}}> {{host}} can't be part of the scheme, host, or port of a link. Put the whole address into the variable.",
      "error <{{s}}> {{s}} can't be part of the scheme, host, or port of a link. Put the whole address into the variable.",
      "error <{{port}}> {{port}} can't be part of the scheme, host, or port of a link. Put the whole address into the variable.",
    ]);
    const file = withBlock('type: file', 'fileName: a', 'fileUrl: https://{{host}}/a').replace('Hi', '');
    assert.deepEqual(problemsOf(file), [
      "error <{{host}}> {{host}} can't be part of the scheme, host, or port of a link. Put the whole address into the variable.",
    ]);
  });

  it('is shown at the top if its text is written in another way', () => {
    const text = withBlock('buttons:', '  - text: Open', '    opens: "https://shop.example{\\x7bpath}}"');
    assert.deepEqual(problemsOf(text), []);
    const folded = withBlock('buttons:', '  - text: Open', '    copies: "a  b https://{{host}}/', '      c"');
    assert.deepEqual(problemsOf(folded), [
      "error <---> {{host}} can't be part of the scheme, host, or port of a link. Put the whole address into the variable.",
    ]);
  });

  it('is found in the text if front matter is sent, too', () => {
    const text = '---\ntitle: "{{title}}"\nchat:\n  bot: 1\n---\n\n[a](https://shop.example{{path}})';
    assert.deepEqual(problemsOf(text, true), [
      'error <{{path}}> {{path}} could change the host of this link. Put / before it. → p.example/{{path}}',
    ]);
  });
});
