import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { textTooltip } from '../../../src/presentation/card.ts';

describe('A text tooltip', () => {
  it("keeps line breaks, and never becomes code however it's indented", () => {
    for (const indent of ['', '    ', '\t', ' \t ', '\n    ', '\r\n\t']) {
      const html = new MarkdownIt({ html: true }).render(textTooltip(`${indent}[a](b) <b>\n\t    c`).value);
      assert.equal(html, '<p>[a](b) &lt;b&gt;<br>\nc</p>\n', JSON.stringify(indent));
    }
  });

  it('is cut at the length that VS Code shows', () => {
    assert.equal(textTooltip('x'.repeat(700_000)).value, `${'x'.repeat(20_000)}…`);
    assert.equal(textTooltip('x'.repeat(20_000)).value, 'x'.repeat(20_000));
  });
});
