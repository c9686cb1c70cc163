import assert from 'node:assert/strict';
import { decodeHTMLStrict } from '../../../src/history/webview/libraries/entities.ts';

describe('Names of characters where there is no browser', () => {
  it('stand for those of XML', () => {
    assert.deepEqual(['&amp;', '&lt;', '&gt;', '&quot;', '&apos;'].map(decodeHTMLStrict), ['&', '<', '>', '"', "'"]);
  });

  it('stay as they are where they are others, or none', () => {
    const names = ['&eacute;', '&NotEqualTilde;', '&nothing;', '&toString;'];
    assert.deepEqual(names.map(decodeHTMLStrict), names);
  });
});
