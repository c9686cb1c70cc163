import assert from 'node:assert/strict';
import { paragraphsIn, proseIn } from '../../../src/markup/markdownCode.ts';

/** A text in which pieces of it are marked, each as `«…»`. */
function mark(text: string, pieces: Iterable<{ start: number; end: number }>): string {
  let marked = '';
  let from = 0;
  for (const { start, end } of pieces) {
    marked += `${text.slice(from, start)}«${text.slice(start, end)}»`;
    from = end;
  }
  return marked + text.slice(from);
}

/** Finds in each of these texts what is marked in it. */
function expectMarked(find: (text: string) => Iterable<{ start: number; end: number }>, ...cases: string[]): void {
  for (const expected of cases) {
    const text = expected.replace(/[«»]/g, '');
    assert.equal(mark(text, find(text)), expected);
  }
}

describe('A paragraph in Markdown', () => {
  const expectParagraphs = (...cases: string[]) => expectMarked((text) => paragraphsIn(text, 0), ...cases);

  it('goes on until a blank line', () => {
    expectParagraphs('', '«a\nb»', '«a\n»\n«b\n»\n', '\n\n«a»', '«a\n» \t\n«b»', '«a\n»\u3000\n«b»', '«a\r\n»\r\n«b»');
  });

  it('goes on until an item of a list', () => {
    expectParagraphs('«a\n»«- b\n»«* c\n»«+\td\n»«1. e\n»«123456789) f»');
    expectParagraphs('«a\n»«  - b\n»«\t- c»', '«> a\n»«> - b»', '«- a\nb»');
    expectParagraphs('«a\n-b\n**c**\n1.d\n1 - e\n1234567890. f»');
  });

  it('goes on until a heading, which is one of its own', () => {
    expectParagraphs(
      '«a\n»«# b\n»«###### c\n»«d»',
      '«#\n»«##\r\n»«#\tb\n»«#»',
      '«a\n»«  # b\n»«c»',
      '«> a\n»«> # b\n»«> c»',
    );
    expectParagraphs('«a\n#b\n####### c\n1 # d»');
  });

  it('goes on until a quotation, and is continued in it without its sign', () => {
    expectParagraphs('«a\n»«>b\n>c\nd\n»«> e»', '«a\n»« > b»', '«a\n»«\t> b»');
    expectParagraphs('«a\n1 > b»');
  });

  it('is looked for from an offset on', () => {
    const text = '---\n---\na\n\nb';
    assert.equal(mark(text, paragraphsIn(text, 8)), '---\n---\n«a\n»\n«b»');
  });
});

describe('A code fence in Markdown', () => {
  const expectParagraphs = (...cases: string[]) => expectMarked((text) => paragraphsIn(text, 0), ...cases);

  it('lasts until one with as many of the same marks, and nothing else', () => {
    expectParagraphs('«a\n»```js\nb\n\n# c\n```\n«d»', '«a\n»~~~\nb\n~~~\n«c»', '```\n```\n«a»');
    expectParagraphs('```\na\n`````\n«b»', '```\na\n```  \r\n«b»', '  ```\na\n\t```\n«b»');
    expectParagraphs('````\na\n```\nb', '```\na\n~~~\nb', '```\na\n``` b\nc', '```\na\n- ```\nb', '```\n1. ```\nb');
  });

  it('has at least three marks at the beginning of a line', () => {
    expectParagraphs('«``\na\n``»', '«~~\na\n~~»', '«1 ```\na»', '«a ```\nb»');
  });

  it('may have words after its marks, but no backticks after backticks', () => {
    expectParagraphs('```js x\na', '~~~ a`b\nc\n~~~\n«d»', '«``` a`b\nc»');
  });

  it('ends with the quotation that it is in', () => {
    expectParagraphs('> ```\n> a\n> ```\n«b»', '> ```\n> a\n«b»', '«> a\n»> ```\n> b\n> ```\n«> c»');
    expectParagraphs('```\n> ```\na', '> ```\n> a\n```\nb', '> > ```\n> a\n> ```\n«b»');
  });

  it('ends with the item of a list that it is in', () => {
    expectParagraphs('- ```\n  a\n  ```\n«b»', '- ```\n  a\n«b»', '- ```\n\n  a\n«- b»', '+   ```\n    a\n«   b»');
    expectParagraphs('  1. ```\n     a\n«    b»', '12) ~~~\n    a\n«   b»', '*\t```\n  a\n«b»', '123456789. ```\n«a»');
    expectParagraphs('«1234567890. ```\na»', '«-```\na»');
  });
});

describe('The prose in Markdown', () => {
  const expectProse = (...cases: string[]) =>
    expectMarked((text) => proseIn(text, '').filter(({ start, end }) => start < end), ...cases);

  it('is what is outside of fences and code spans', () => {
    expectProse('«a »`b`« c »`d`« e»', '«a\n»```\nb\n```\n«c »`d`', '«a »`b\nc`« d»');
  });

  it('is all of a paragraph in which no span is closed', () => {
    expectProse('«a `b»', '«a `b`` c»', '«a ``b` c»', '«a `b\n»\n«c` d»');
  });

  it('goes on after as many backticks as the span began with', () => {
    expectProse('«a »``b`c``« d»', '``a ` b``« »`c`« d»', '`a``b`« `c»', '`a`« `` b»');
  });

  it('has escaped backticks, while nothing is escaped in code', () => {
    expectProse('«\\`a »`b`« c»', '«a »`b\\`« c»', '«a \\\\»`b`', '«\\`»`a`« b»');
  });

  it('is looked for only in paragraphs with some text', () => {
    const text = '{{a}} `{{b}}`\n\nc `d`\n\n{{e}}';
    assert.deepEqual(
      proseIn(text, '{{').map(({ start, end }) => text.slice(start, end)),
      ['{{a}} ', '\n', '{{e}}'],
    );
  });
});
