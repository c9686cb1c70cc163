import assert from 'node:assert/strict';
import {
  type Disposable,
  EventEmitter,
  FileSystemError,
  type FileSystemProvider,
  FileType,
  Uri,
  workspace,
} from 'vscode';
import { BufferLimitError, openAppender } from '../../../src/platform/fileAppender.ts';

const SCHEME = 'bot-chats-elsewhere';

/** A file system that isn't on this computer. */
function elsewhere(files: Map<string, string>): FileSystemProvider {
  const stat = ({ path }: Uri) => {
    const size = files.get(path)?.length;
    if (path === '/') return { type: FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    if (size === undefined) throw FileSystemError.FileNotFound(path);
    return { type: FileType.File, ctime: 0, mtime: 0, size };
  };
  return {
    onDidChangeFile: new EventEmitter<never>().event,
    watch: () => ({ dispose() {} }),
    stat,
    readDirectory: () => [],
    createDirectory: () => {},
    readFile: ({ path }) => new TextEncoder().encode(files.get(path)),
    writeFile: ({ path }, bytes) => void files.set(path, new TextDecoder().decode(bytes)),
    delete: ({ path }) => void files.delete(path),
    rename: (from, to) => {
      files.set(to.path, files.get(from.path) ?? '');
      files.delete(from.path);
    },
  };
}

describe('Appending to a file that is not on this computer', () => {
  const target = Uri.from({ scheme: SCHEME, path: '/chat.md' });
  let files: Map<string, string>;
  let registered: Disposable;

  beforeEach(() => {
    files = new Map([['/chat.md', 'before']]);
    registered = workspace.registerFileSystemProvider(SCHEME, elsewhere(files));
  });

  afterEach(() => registered.dispose());

  it('replaces the file when it is finished', async () => {
    const file = await openAppender(target);
    for (const text of ['聊', 'ab', '']) await file.append(text);
    assert.equal(files.get('/chat.md'), 'before');
    await file.finish();
    assert.deepEqual([...files], [['/chat.md', '聊ab']]);
  });

  it('leaves nothing behind when discarded', async () => {
    const file = await openAppender(target);
    await file.append('a');
    await file.discard();
    assert.deepEqual([...files], [['/chat.md', 'before']]);
  });

  it('buffers at most 64 MB', async () => {
    const file = await openAppender(target);
    const million = 'x'.repeat(1_000_000);
    for (let count = 0; count < 64; count++) await file.append(million);
    await assert.rejects(file.append('x'), BufferLimitError);
  });
});
