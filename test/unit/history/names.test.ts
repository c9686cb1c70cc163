import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { leaveNames } from '../../../src/history/webview/names.ts';

/** The names in a text that are left to whoever opens the page. */
function left(markdown: string): string[] {
  const parser = new MarkdownIt();
  // What the parser knows of names without a table.
  parser.inline.ruler.disable('entity');
  parser.core.ruler.before('text_join', 'names', ({ tokens, Token }) => {
    leaveNames(tokens, (type) => new Token(type, '', 0));
  });
  const tokens = parser.parse(markdown, {}).flatMap(({ children }) => children ?? []);
  return tokens.filter(({ type }) => type === 'name').map(({ content }) => content);
}

describe('A name of a character in a page that is exported', () => {
  it('is left to whoever opens that', () => {
    assert.deepEqual(left('&eacute; *&rarr;* [&copy;](https://a.example) &unheardOf;'), [
      ...['&eacute;', '&rarr;', '&copy;', '&unheardOf;'],
    ]);
  });

  it('is text where it is escaped, code, or an address', () => {
    assert.deepEqual(left('\\&eacute; `&eacute;` <https://a.example/?a&eacute;>'), []);
  });

  it('is text where nobody would see the character', () => {
    const unseen =
      'zwj zwnj lrm rlm shy NoBreak ZeroWidthSpace NegativeThinSpace NegativeMediumSpace NegativeThickSpace';
    const names = `${unseen} NegativeVeryThinSpace InvisibleTimes InvisibleComma ApplyFunction af ic it`.split(' ');
    assert.deepEqual(left(names.map((name) => `&${name};`).join(' ')), []);
  });
});
