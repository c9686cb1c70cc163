import assert from 'node:assert/strict';
import { readDraft } from '../../../src/sending/draft.ts';

describe('Draft', () => {
  it('is the whole text of a document, as it stands, under the name of the document', () => {
    for (const text of ['Hello', '# 今天\r\n\r\n- a\n', '  indented\n\n\n', '\uFEFF---\ntitle: x\n---\n👋', '*']) {
      const message = { contentType: 'markdown', content: { text } };
      assert.deepEqual(readDraft('today.md', text), { name: 'today.md', message });
    }
  });

  it('is not there where there is nothing to send', () => {
    for (const text of ['', ' ', '\n\r\n\t', '\u00A0\u3000', '\uFEFF'])
      assert.equal(readDraft('a.md', text), undefined);
  });
});
