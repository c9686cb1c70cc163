import assert from 'node:assert/strict';
import { parseIds } from '../../../src/service/fields.ts';

describe('The IDs in what is pasted', () => {
  it('are found whatever stands between them, each once', () => {
    for (const pasted of [
      '7058314,big',
      ' 7058314 \r\n\tbig ',
      '7058314;big；7058314',
      '7058314、big，',
      '["7058314", "big"]',
      '“7058314”，‘big’',
      // Copied from a page, with what nobody sees.
      '\ufeff7058314\u200e\u00a0\u200bbig\u2028',
    ])
      assert.deepEqual(parseIds(pasted), ['7058314', 'big'], pasted);
  });

  it('are none where there is nothing but what stands between', () => {
    assert.deepEqual(parseIds(' ,;\n，[]"" '), []);
  });
});
