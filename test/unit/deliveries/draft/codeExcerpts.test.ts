import assert from 'node:assert/strict';
import { codeExcerpts } from '../../../../src/deliveries/draft/selection.ts';

/** An excerpt of lines, whole unless characters are cut off the first or the last one. */
const excerpt = (lines: readonly string[], start = 0, end = lines.at(-1)?.length ?? 0) => ({ lines, start, end });

/** The code that an excerpt shows. */
const codeOf = (...args: Parameters<typeof excerpt>) => {
  const lines = codeExcerpts('', 'go', [excerpt(...args)]).split('\n');
  assert.deepEqual([lines.shift(), lines.pop()], ['```go', '```']);
  return lines;
};

describe('An excerpt of source code', () => {
  it('is a code block with its language below the name of the file', () => {
    const text = codeExcerpts('src/app.ts', 'typescript', [excerpt(['const a = 1;'])]);
    assert.equal(text, '`src/app.ts`\n\n```typescript\nconst a = 1;\n```');
  });

  it('has a block for each selection', () => {
    const text = codeExcerpts('a.go', 'go', [excerpt(['a']), excerpt(['  ']), excerpt(['\tb'])]);
    assert.equal(text, '`a.go`\n\n```go\na\n```\n\n```go\nb\n```');
  });

  it('has no name if the file has none, and is empty if nothing is selected', () => {
    assert.equal(codeExcerpts('', 'go', [excerpt(['a'])]), '```go\na\n```');
    assert.equal(codeExcerpts('a.go', 'go', [excerpt(['  ', ''])]), '');
    assert.equal(codeExcerpts('a.go', 'go', []), '');
  });

  it('keeps backticks in the code and in the name of the file', () => {
    const text = codeExcerpts('a`b.md', 'mdx', [excerpt(['```js', 'a', '````'])]);
    assert.equal(text, '``a`b.md``\n\n`````mdx\n```js\na\n````\n`````');
  });

  it('names languages as highlighters do, and leaves out names that would break the block', () => {
    const languageOf = (id: string) => codeExcerpts('', id, [excerpt(['a'])]).split('\n')[0];
    assert.deepEqual(['typescriptreact', 'shellscript', 'c++', 'objective-c', 'a`b', 'a b', ''].map(languageOf), [
      '```tsx',
      '```sh',
      '```c++',
      '```objective-c',
      '```',
      '```',
      '```',
    ]);
  });

  it('loses the indentation that its lines have in common', () => {
    assert.deepEqual(codeOf(['    if (a) {', '      b();', '', '    }']), ['if (a) {', '  b();', '', '}']);
    assert.deepEqual(codeOf(['\t\ta', '\t  b']), ['\ta', '  b']);
    assert.deepEqual(codeOf(['  a', '\tb']), ['  a', '\tb']);
    assert.deepEqual(codeOf(['a', '  b']), ['a', '  b']);
  });

  it('loses the same indentation if the selection begins or ends inside a line', () => {
    assert.deepEqual(codeOf(['    if (a) {', '      b();', '    }'], 4), ['if (a) {', '  b();', '}']);
    assert.deepEqual(codeOf(['    if (a) {', '      b();', '    }'], 2), ['if (a) {', '  b();', '}']);
    assert.deepEqual(codeOf(['  const a = b(', '    c,', '  );'], 12, 3), ['b(', '  c,', ')']);
    assert.deepEqual(codeOf(['    let a = b;'], 8, 13), ['a = b']);
  });

  it('has no blank lines around it', () => {
    assert.deepEqual(codeOf(['', '  ', '  a', '', '  b', '   ', '  c();'], 0, 0), ['a', '', 'b']);
  });
});
