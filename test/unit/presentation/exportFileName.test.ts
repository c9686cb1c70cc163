import assert from 'node:assert/strict';
import { exportFileName } from '../../../src/presentation/fileDialogs.ts';

const at = new Date(2026, 0, 5, 23, 59);

describe('The name of an exported file', () => {
  it('is the name of the chat with the local date', () => {
    assert.equal(exportFileName('River Walkers 河畔', '518204736', at, {}), 'River Walkers 河畔 2026-01-05');
  });

  it('names the first and the last day of a range', () => {
    const start = new Date(2025, 10, 30).getTime();
    assert.equal(exportFileName('Town', 'big', at, { start }), 'Town 2025-11-30 to 2026-01-05');
    const end = new Date(2025, 11, 2).getTime();
    assert.equal(exportFileName('Town', 'big', at, { start, end }), 'Town 2025-11-30 to 2025-12-01');
  });

  it('has no characters or names that are special to a file system or a terminal', () => {
    for (const [name, expected] of [
      ['a/b\\c:d*e?f"g<h>i|j', 'a b c d e f g h i j'],
      ['../../etc/passwd', 'etc passwd'],
      ['.hidden', 'hidden'],
      ['ends in dots. . .', 'ends in dots'],
      ['turned \u202Etxt.exe\u0000\n', 'turned txt.exe'],
      ['half \uD800 of a pair', 'half of a pair'],
      ['CON', 'CON_'],
      ['com1.txt', 'com1_.txt'],
      ['console', 'console'],
    ] as const) {
      assert.equal(exportFileName(name, 'x', at, {}), `${expected} 2026-01-05`);
    }
  });

  it('falls back to the ID, and then to a fixed word', () => {
    assert.equal(exportFileName('///', '518204736', at, {}), '518204736 2026-01-05');
    assert.equal(exportFileName('', '..', at, {}), 'chat 2026-01-05');
  });

  it('fits in 255 bytes', () => {
    const range = { start: at.getTime() };
    for (const name of ['聊'.repeat(300), '🙂'.repeat(300), 'x'.repeat(300)]) {
      const file = `${exportFileName(name, 'x', at, range)}.ndjson.part`;
      assert.ok(Buffer.byteLength(file) <= 255, file);
      assert.ok(file.startsWith(name.slice(0, 2)));
    }
  });

  it('is cut between characters', () => {
    assert.equal(exportFileName(`${'x'.repeat(49)}🇨🇳`, 'x', at, {}), `${'x'.repeat(49)} 2026-01-05`);
    assert.equal(exportFileName(`${'x'.repeat(48)}🇨🇳y`, 'x', at, {}), `${'x'.repeat(48)}🇨🇳 2026-01-05`);
  });
});
