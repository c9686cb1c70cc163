import assert from 'node:assert/strict';
import { decodeText } from '../../../src/markup/decodeText.ts';

describe('A text file', () => {
  const decoded = async (...bytes: number[]) => {
    const result = await decodeText(Uint8Array.from(bytes));
    return result && [result.encoding, result.pieces.join('')];
  };

  it('is in the encoding that its byte order mark or its bytes show', async () => {
    assert.deepEqual(await decoded(0xe5, 0xa5, 0xbd, 0x61), ['utf-8', '好a']);
    assert.deepEqual(await decoded(0xef, 0xbb, 0xbf, 0x61), ['utf-8', 'a']);
    assert.deepEqual(await decoded(0xff, 0xfe, 0x7d, 0x59, 0x61, 0x00), ['utf-16le', '好a']);
    assert.deepEqual(await decoded(0xfe, 0xff, 0x59, 0x7d, 0x00, 0x61), ['utf-16be', '好a']);
    assert.deepEqual(await decoded(0xba, 0xc3, 0x61), ['gb18030', '好a']);
    assert.deepEqual(await decoded(), ['utf-8', '']);
  });

  it('is none if it has zeros, or what no encoding has', async () => {
    assert.equal(await decoded(0x61, 0x00, 0x62), undefined);
    for (const [first, second] of [
      [0xff, 0xff],
      [0x61, 0xfe],
      [0x61, 0xff],
    ] as const)
      assert.equal(await decoded(first, second), undefined);
    // Half a character.
    assert.equal(await decoded(0xff, 0xfe, 0x61), undefined);
    assert.equal(await decoded(0x61, 0xba), undefined);
  });

  it('is whole wherever its pieces end', async () => {
    const text = '好'.repeat(500_001);
    const result = await decodeText(new TextEncoder().encode(`a${text}`));
    assert.equal(result?.pieces.join(''), `a${text}`);
    assert.ok(result.pieces.length > 1);
  });
});
