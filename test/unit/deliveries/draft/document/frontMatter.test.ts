import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findFrontMatter } from '../../../../../src/deliveries/draft/document/frontMatter.ts';

/** The YAML and the message; only the text without front matter, or `unclosed` for the message. */
function parts(text: string): string[] {
  const front = findFrontMatter(text);
  if (!front) return [text];
  const yaml = text.slice(front.yaml.start, front.yaml.end);
  return front.isClosed ? [yaml, text.slice(front.end)] : [yaml, 'unclosed'];
}

describe('Front matter', () => {
  it('ends with a line of dashes or dots and one blank line', () => {
    assert.deepEqual(parts('---\na: b\n---\ntext'), ['a: b\n', 'text']);
    assert.deepEqual(parts('---\na: b\n...\n\n\ntext'), ['a: b\n', '\ntext']);
    assert.deepEqual(parts('---  \na: b\n---\t\n \t\ntext'), ['a: b\n', 'text']);
    assert.deepEqual(parts('---\na: b\n---'), ['a: b\n', '']);
    assert.deepEqual(parts('---\n---\n    code'), ['', '    code']);
  });

  it('may follow a byte order mark and have any line endings', () => {
    assert.deepEqual(parts('\uFEFF---\r\na: b\r\n---\r\n\r\ntext\r\n'), ['a: b\r\n', 'text\r\n']);
    assert.deepEqual(parts('\uFEFF---\r\n---\r\ntext'), ['', 'text']);
  });

  it('exists only at the start of the text', () => {
    for (const text of [
      '',
      'a\n---\nb\n---',
      '\n---\na: b\n---',
      '----\na\n----',
      '--- a\n---',
      ' ---\n---',
      '***\n---',
    ]) {
      assert.deepEqual(parts(text), [text]);
    }
  });

  it('isn’t closed by a line that only begins with dashes', () => {
    assert.deepEqual(parts('---\n--- a\n----\n ---\na---\n'), ['--- a\n----\n ---\na---\n', 'unclosed']);
    assert.deepEqual(parts('---'), ['', 'unclosed']);
    assert.deepEqual(parts('---\n'), ['', 'unclosed']);
    assert.deepEqual(parts('---\na\u2028---\u2028'), ['a\u2028---\u2028', 'unclosed']);
  });

  it('and the message make up the whole text', () => {
    const line = fc.constantFrom('---', '...', '', ' ', 'a: b', '- x', '---x', '\r', '\uFEFF');
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r\n'), (lines, eol) => {
        const text = lines.join(eol);
        const front = findFrontMatter(text);
        if (!front) return;
        const { start, end, yaml } = front;
        assert.ok(start <= yaml.start && yaml.start <= yaml.end && yaml.end <= end && end <= text.length);
        const closing = text.slice(yaml.end, end);
        assert.ok(front.isClosed ? /^(---|\.\.\.)[ \t]*(\r?\n([ \t]*(\r?\n)?)?)?$/.test(closing) : closing === '');
      }),
    );
  });
});
