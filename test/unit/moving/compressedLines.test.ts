import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { compress, linesOf } from '../../../src/moving/compressedLines.ts';
import type { FilePiece } from '../../../src/platform/fileReader.ts';
import { all } from '../deferred.ts';

async function* linesFrom(lines: readonly string[], fail?: Error): AsyncGenerator<string, void> {
  yield* lines;
  if (fail) throw fail;
}

/** The pieces of a file, and whether it's closed. */
function fileOf(bytes: Uint8Array, size = 7) {
  const file = { isClosed: false };
  const pieces = async function* (): AsyncGenerator<FilePiece, void> {
    try {
      for (let at = 0; at < bytes.length; at += size) {
        yield { bytes: new Uint8Array(bytes.subarray(at, at + size)), done: at / bytes.length };
      }
    } finally {
      file.isClosed = true;
    }
  };
  return { file, pieces: pieces() };
}

describe('The lines of a file', () => {
  const LINES = ['one', '', '三', 'x'.repeat(300_000), 'last'];
  const compressed = async () => new Uint8Array(await new Blob(await all(compress(linesFrom(LINES)))).arrayBuffer());

  it('come back as they were written, in pieces of any size, and uncompressed, too', async () => {
    const bytes = await compressed();
    assert.ok(bytes.length < 1_000);
    for (const size of [2, 7, 100_000])
      assert.ok((await all(linesOf(fileOf(bytes, size).pieces))).join('|') === LINES.join('|'));
    const plain = new TextEncoder().encode(LINES.join('\r\n'));
    assert.deepEqual(await all(linesOf(fileOf(plain, 65_536).pieces)), LINES);
    assert.deepEqual(await all(linesOf(fileOf(new Uint8Array()).pieces)), []);
  });

  it('are read from a file of several members, too, wherever a piece ends', async () => {
    const bytes = Buffer.concat([gzipSync('one\ntw'), gzipSync(''), gzipSync('o\nthree')]);
    for (const size of [2, 27, 100_000])
      assert.deepEqual(await all(linesOf(fileOf(bytes, size).pieces)), ['one', 'two', 'three']);
  });

  it('are refused beyond 6 MB, by their number, however long they go on', async () => {
    const piece = new Uint8Array(2 ** 16).fill(0x78);
    let pieces = 0;
    const endless = async function* (): AsyncGenerator<FilePiece, void> {
      yield { bytes: new TextEncoder().encode('one\n'), done: 0 };
      for (; ; pieces++) yield { bytes: piece, done: 0 };
    };
    await assert.rejects(all(linesOf(endless())), { name: 'MoveError', problem: 'largeLine', line: 2 });
    assert.ok(pieces <= 96, `${pieces}`);
    const longest = Buffer.alloc(6 * 2 ** 20, 'x');
    assert.equal((await all(linesOf(fileOf(longest, 65_536).pieces)))[0]?.length, longest.length);
  });

  it('close the file even if only the first one is read', async () => {
    for (const bytes of [await compressed(), new TextEncoder().encode('one\ntwo\n')]) {
      const { file, pieces } = fileOf(bytes, 2);
      for await (const line of linesOf(pieces)) {
        assert.equal(line, 'one');
        break;
      }
      assert.ok(file.isClosed);
    }
  });

  it('end with an error where the file is cut off or changed', async () => {
    const bytes = await compressed();
    const changed = new Uint8Array(bytes);
    changed.fill(0xff, 20, 60);
    for (const broken of [bytes.subarray(0, -20), changed, gzipSync('x').subarray(0, 12)]) {
      const { file, pieces } = fileOf(broken);
      await assert.rejects(all(linesOf(pieces)), { name: 'MoveError', problem: 'damaged' });
      assert.ok(file.isClosed);
    }
  });

  it('pass on why they can’t be written or read', async () => {
    await assert.rejects(all(compress(linesFrom(['one'], new Error('no disk')))), /no disk/);
    const bytes = await compressed();
    const failing = async function* (): AsyncGenerator<FilePiece, void> {
      yield { bytes: new Uint8Array(bytes.subarray(0, 30)), done: 0 };
      throw new Error('no file');
    };
    await assert.rejects(all(linesOf(failing())), /no file/);
  });
});
