import assert from 'node:assert/strict';
import { decodeHTMLStrict } from '../../../src/history/webview/libraries/entities.ts';

describe('Names of characters where there is no browser', () => {
  it('stand for those that one meets', () => {
    assert.deepEqual(['&amp;', '&nbsp;', '&rarr;'].map(decodeHTMLStrict), ['&', '\u00A0', '→']);
  });

  it('stay as they are where they are not known', () => {
    assert.deepEqual(['&NotEqualTilde;', '&nothing;', '&toString;'].map(decodeHTMLStrict), [
      '&NotEqualTilde;',
      '&nothing;',
      '&toString;',
    ]);
  });
});
