import assert from 'node:assert/strict';
import { parseIds } from '../../../src/service/fields.ts';

describe('Pasted IDs', () => {
  it('are found between any separators, without duplicates', () => {
    for (const pasted of [
      '7058314,big',
      ' 7058314 \r\n\tbig ',
      '7058314;big；7058314',
      '7058314、big，',
      '["7058314", "big"]',
      '“7058314”，‘big’',
      // Copied from a page, with invisible characters.
      '\ufeff7058314\u200e\u00a0\u200bbig\u2028',
    ])
      assert.deepEqual(parseIds(pasted), ['7058314', 'big'], pasted);
  });

  it('are empty if there are only separators', () => {
    assert.deepEqual(parseIds(' ,;\n，[]"" '), []);
  });
});
