import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { textCard } from '../../../src/words/card.ts';

describe('A tooltip of text', () => {
  it('is the text in lines, and no code, however it is indented', () => {
    for (const indent of ['', '    ', '\t', ' \t ', '\n    ', '\r\n\t']) {
      const html = new MarkdownIt({ html: true }).render(textCard(`${indent}[a](b) <b>\n\t    c`).value);
      assert.equal(html, '<p>[a](b) &lt;b&gt;<br>\nc</p>\n', JSON.stringify(indent));
    }
  });
});
