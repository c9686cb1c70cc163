import assert from 'node:assert/strict';
import files, { type FileHandle, writeFile } from 'node:fs/promises';
import { mock } from 'node:test';
import { FileSystemError, Uri, workspace } from 'vscode';
import { BufferLimitError } from '../../../src/platform/fileAppender.ts';
import { isMissingFile, readPieces } from '../../../src/platform/fileReader.ts';
import { temporaryPath } from '../../host/temporary.ts';
import { inBrowser } from '../inBrowser.ts';

const PIECE = 65_536;

describe('A file that is read piece by piece', () => {
  const bytes = new Uint8Array(PIECE + 16_384).map((_, at) => at % 251);
  let file: Uri;

  before(async () => {
    file = Uri.file(temporaryPath('pieces'));
    await writeFile(file.fsPath, bytes);
  });

  const read = async (uri: Uri) => {
    const pieces: { bytes: Uint8Array; done: number }[] = [];
    for await (const piece of readPieces(uri)) pieces.push(piece);
    return pieces;
  };

  for (const [where, run] of [
    ['on this computer', (reading: () => Promise<unknown>) => reading()],
    ['elsewhere', inBrowser],
  ] as const)
    it(`has all of its bytes in order, and says how far it is read, ${where}`, () =>
      run(async () => {
        const pieces = await read(file);
        assert.deepEqual(
          pieces.map((piece) => [piece.bytes.length, piece.done]),
          [
            [PIECE, 0.8],
            [16_384, 1],
          ],
        );
        assert.ok(Buffer.concat(pieces.map((piece) => piece.bytes)).equals(bytes));
      }));

  it('is empty, or missing', async () => {
    const empty = Uri.file(temporaryPath('empty'));
    await writeFile(empty.fsPath, '');
    assert.deepEqual(await read(empty), []);
    const missing = Uri.file(temporaryPath('missing'));
    await assert.rejects(read(missing), { code: 'ENOENT' });
    const error = await inBrowser(() => read(missing).catch((failure) => failure));
    const others = [new Error('FileNotFound'), new FileSystemError('FileNotFound')];
    assert.deepEqual([error, ...others].map(isMissingFile), [true, false, false]);
  });

  it("isn't held open once all of it is read, or nobody reads on", async () => {
    const opened: FileHandle[] = [];
    const { open } = files;
    const opening = mock.method(files, 'open', async (...what: Parameters<typeof open>) => {
      const handle = await open(...what);
      opened.push(handle);
      return handle;
    });
    try {
      await read(file);
      for await (const _ of readPieces(file)) break;
    } finally {
      opening.mock.restore();
    }
    // What is closed has no descriptor.
    assert.deepEqual(
      opened.map(({ fd }) => fd),
      [-1, -1],
    );
  });

  it("isn't held in memory if it's larger than 64 MB, whatever its size is said to be", async () => {
    const large = (size: number, length: number) => {
      const provider = { stat: () => ({ size }), readFile: () => new Uint8Array(length) };
      return workspace.registerFileSystemProvider('bot-chats-large', provider as never);
    };
    for (const [size, length, isRead] of [
      [64_000_000, 1, true],
      [64_000_001, 1, false],
      [1, 64_000_001, false],
    ] as const) {
      const registered = large(size, length);
      const pieces = read(Uri.from({ scheme: 'bot-chats-large', path: '/a' }));
      if (isRead) assert.equal((await pieces).length, 1);
      else await assert.rejects(pieces, BufferLimitError);
      registered.dispose();
    }
  });
});
