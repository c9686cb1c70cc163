import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import {
  EventEmitter,
  type FileSystemProvider,
  FileType,
  type TextDocument,
  Uri,
  type WorkspaceFolder,
  type WorkspaceFoldersChangeEvent,
  workspace,
} from 'vscode';
import { RecipientFiles } from '../../../../../src/deliveries/draft/recipients/recipientFiles.ts';
import { isWine } from '../../../../host/places.ts';
import { temporaryFolder } from '../../../../host/temporary.ts';

/** Wine makes no symbolic links. */
const linked = isWine ? it.skip : it;

const NOT_TEXT = { text: "c.csv isn't text in UTF-8 or GB18030. Save it as CSV (UTF-8)." };

describe('Reading a file of recipients', () => {
  let bytes: Uint8Array;
  const registered: { dispose(): void }[] = [];

  before(() => {
    const provider = {
      // It never looks changed.
      stat: ({ path }: Uri) => {
        if (path.endsWith('locked.csv')) throw new Error("It's locked.");
        const size = path.endsWith('huge.csv') ? 1_000_000_000 : 4;
        return { type: FileType.File, ctime: 0, mtime: 0, size };
      },
      readFile: ({ path }: Uri) => {
        if (path.endsWith('torn.csv')) throw new Error('The disk is gone.');
        return path.endsWith('huge.csv') ? assert.fail('1 GB was read') : bytes;
      },
    };
    registered.push(workspace.registerFileSystemProvider('hostile', provider as unknown as FileSystemProvider));
  });

  after(() => {
    for (const one of registered) one.dispose();
  });

  /** What is found in a file: its rows or the problem. */
  const read = async (content: string | Uint8Array, files = new RecipientFiles(), path = 'c.csv') => {
    bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    const file = await files.read(Uri.parse('hostile://a/b/draft.md'), { path, kind: 'user' });
    return 'problem' in file ? file.problem : [...file.table.rows.keys()];
  };

  it('takes none of 1 GB', async () => {
    const huge = await read('', new RecipientFiles(), 'huge.csv');
    assert.deepEqual(huge, { text: 'huge.csv is too large. The limit is 32 MB.' });
  });

  it('takes text, not binary data', async () => {
    assert.deepEqual(await read('id\n7\n8'), ['user 7', 'user 8']);
    for (const binary of [
      new Uint8Array(1_000),
      new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]),
      new Uint8Array([0xff, 0xff]),
    ])
      assert.deepEqual(await read(binary), NOT_TEXT);
  });

  it('says why the system can’t, at once or once it has begun', async () => {
    assert.deepEqual(await read('', new RecipientFiles(), 'locked.csv'), {
      text: "locked.csv can't be read: It's locked.",
    });
    assert.deepEqual(await read('', new RecipientFiles(), 'torn.csv'), {
      text: "torn.csv can't be read: The disk is gone.",
    });
  });

  it('happens again only if the file looks changed, or is sent, or couldn’t be used', async () => {
    const files = new RecipientFiles();
    assert.deepEqual(await read(new Uint8Array(4), files), NOT_TEXT);
    assert.deepEqual(await read('id\n7', files), ['user 7']);
    assert.deepEqual(await read('id\n8', files), ['user 7']);
    files.expire();
    assert.deepEqual(await read('id\n8', files), ['user 8']);
  });

  it('happens again when the file was changed or saved, even if it looks the same', async () => {
    const changes = { watched: new EventEmitter<Uri>(), saved: new EventEmitter<TextDocument>() };
    const { createFileSystemWatcher, onDidSaveTextDocument } = workspace;
    const watcher = { ...workspace.createFileSystemWatcher('*'), onDidChange: changes.watched.event };
    Object.assign(workspace, { createFileSystemWatcher: () => watcher, onDidSaveTextDocument: changes.saved.event });
    try {
      const uri = Uri.parse('hostile://a/b/c.csv');
      const files = new RecipientFiles();
      files.watch(uri);
      const read = async (kind: 'user' | 'group') => {
        const file = await files.read(Uri.parse('hostile://a/b/draft.md'), { path: 'c.csv', kind });
        return 'table' in file && [...file.table.rows.keys()];
      };
      bytes = new TextEncoder().encode('id\n7');
      assert.deepEqual([await read('user'), await read('group')], [['user 7'], ['group 7']]);
      bytes = new TextEncoder().encode('id\n8');
      changes.watched.fire(uri);
      assert.deepEqual([await read('user'), await read('group')], [['user 8'], ['group 8']]);
      bytes = new TextEncoder().encode('id\n9');
      changes.saved.fire({ uri } as TextDocument);
      assert.deepEqual([await read('user'), await read('group')], [['user 9'], ['group 9']]);
    } finally {
      Object.assign(workspace, { createFileSystemWatcher, onDidSaveTextDocument });
    }
  });
});

describe('The name of a file of recipients', () => {
  const COMPOSED = '\u00c4 \ud55c.csv';
  const DECOMPOSED = COMPOSED.normalize('NFD');
  let folder: Uri;
  let files: RecipientFiles;

  beforeEach(async () => {
    folder = Uri.file(await temporaryFolder('names'));
    files = new RecipientFiles();
  });
  afterEach(() => files.dispose());

  const write = (name: string, id: string) =>
    workspace.fs.writeFile(Uri.joinPath(folder, name), new TextEncoder().encode(`id\n${id}`));
  const read = async (path: string) => {
    const file = await files.read(Uri.joinPath(folder, 'draft.md'), { path, kind: 'user' });
    return 'table' in file ? [...file.table.rows.keys()] : file.problem.text;
  };

  it('may be stored as one or as several characters, whatever the draft has', async () => {
    await write(DECOMPOSED, '7');
    assert.deepEqual([await read(COMPOSED), await read(DECOMPOSED)], [['user 7'], ['user 7']]);
    assert.match(`${await read('\u00c4.csv')}`, /^There's no file/);
    // On disks that know them as two names, the draft's own comes first.
    await write(COMPOSED, '8');
    assert.deepEqual(await read(COMPOSED), ['user 8']);
  });

  it('is watched as the system calls it', async () => {
    const changed: string[] = [];
    files.onDidChange((uri) => changed.push(`${uri}`));
    const watched = [Uri.joinPath(folder, COMPOSED), Uri.joinPath(folder, 'Customers.csv')];
    for (const uri of watched) files.watch(uri);
    for (const name of [DECOMPOSED, 'customers.CSV', 'other.csv']) await write(name, '7');
    assert.deepEqual(changed, watched.map(String));
  });
});

/** Replaces what VS Code says about the workspace, until {@link restoreWorkspace}. */
function setWorkspace({ folders = [], isTrusted = true }: { folders?: readonly string[]; isTrusted?: boolean }): void {
  const workspaceFolders = folders.map((path) => ({ uri: path.includes('://') ? Uri.parse(path) : Uri.file(path) }));
  Object.defineProperties(workspace, {
    workspaceFolders: { value: workspaceFolders as unknown as WorkspaceFolder[], configurable: true },
    isTrusted: { value: isTrusted, configurable: true },
  });
}
const restoreWorkspace = () =>
  Object.defineProperties(workspace, {
    workspaceFolders: { value: undefined, configurable: true },
    isTrusted: { value: true, configurable: true },
  });

/** What a problem of each kind says. */
const PROBLEMS = {
  notRelative: 'must be a path relative to this document',
  badFileName: "can't be used on every computer",
  outsideWorkspace: 'is outside this workspace',
  outsideFolder: "isn't in the folder of this document, so it isn't read. Move or copy it there",
  untrustedFolder: "isn't in the folder of this document, so it isn't read until you trust this workspace",
  outsideLink: 'is a link to somewhere else',
  noFile: "There's no file",
};

describe('A document', () => {
  /** Has `project/docs/draft.md`, and a CSV file in each folder. */
  let root: string;
  const rows = 'id\n7';

  beforeEach(async () => {
    root = await temporaryFolder('recipients');
    for (const folder of ['', '/project', '/project/docs', '/project/docs/lists', '/project/other', '/common']) {
      await mkdir(root + folder, { recursive: true });
      await writeFile(`${root}${folder}/c.csv`, rows);
    }
  });
  afterEach(restoreWorkspace);

  const draft = () => Uri.file(`${root}/project/docs/draft.md`);
  /** What a document gets for a path: `read`, or the problem. */
  const outcomeOf = async (path: string, document = draft()) => {
    const file = await new RecipientFiles().read(document, { path, kind: 'user' });
    if (!('problem' in file)) return 'read';
    const { text } = file.problem;
    return Object.entries(PROBLEMS).find(([, part]) => text.includes(part))?.[0] ?? text;
  };
  const outcomes = async (...paths: string[]) => Promise.all(paths.map((path) => outcomeOf(path)));

  it('names files anywhere in its workspace, and nowhere else', async () => {
    setWorkspace({ folders: [`${root}/project`, `${root}/common`] });
    assert.deepEqual(
      await outcomes('c.csv', './lists/c.csv', 'lists/../c.csv', '..\\other\\c.csv', '../../common/c.csv'),
      Array(5).fill('read'),
    );
    assert.deepEqual(
      await outcomes('../../c.csv', 'lists/../../../c.csv', '..\\..\\c.csv', '../../../../../etc/passwd'),
      Array(4).fill('outsideWorkspace'),
    );
    // Not the folder whose name begins alike.
    setWorkspace({ folders: [`${root}/pro`, `${root}/project/docs`] });
    assert.deepEqual(await outcomes('../c.csv', '../other/c.csv'), ['outsideWorkspace', 'outsideWorkspace']);
  });

  it('that isn’t saved yet names files beside the address that it will be saved at, if it has one', async () => {
    const path = `${root}/project/docs/draft.md`;
    const local = Uri.file(path).with({ scheme: 'untitled' });
    const outcomesOf = (document: Uri) => Promise.all(['c.csv', '../../c.csv'].map((one) => outcomeOf(one, document)));
    assert.deepEqual(await outcomesOf(local), ['read', 'outsideFolder']);
    setWorkspace({ folders: [`${root}/project`] });
    assert.deepEqual(await outcomesOf(local), ['read', 'outsideWorkspace']);
    // On another computer, this path is another file's.
    setWorkspace({ folders: ['vscode-remote://ssh-remote+host/project'] });
    const { uri } = await new RecipientFiles().read(local, { path: 'c.csv', kind: 'user' });
    assert.equal(`${uri?.scheme}://${uri?.authority}`, 'vscode-remote://ssh-remote+host');
    setWorkspace({ folders: ['vscode-vfs://github/owner/repo'] });
    const saveFirst = 'Save this document first: c.csv is looked for beside it.';
    assert.equal(await outcomeOf('c.csv', local), saveFirst);
    restoreWorkspace();
    assert.equal(await outcomeOf('c.csv', Uri.parse('untitled:Untitled-1')), saveFirst);
  });

  it('in an earlier version names no files: its address leads to that version again, whatever the path', async () => {
    const earlier = draft().with({ scheme: 'vscode-local-history', query: '{"resource":"draft.md"}' });
    assert.equal(
      await outcomeOf('c.csv', earlier),
      "c.csv isn't read for an earlier version of a document. Open the current one.",
    );
  });

  it('outside every workspace names files in its own folder and below', async () => {
    setWorkspace({ folders: [`${root}/common`] });
    assert.deepEqual(await outcomes('c.csv', 'lists/c.csv', '../docs/c.csv'), ['read', 'read', 'read']);
    assert.deepEqual(await outcomes('../c.csv', '../../common/c.csv'), ['outsideFolder', 'outsideFolder']);
    restoreWorkspace();
    assert.deepEqual(await outcomes('c.csv', '../c.csv'), ['read', 'outsideFolder']);
  });

  it('in a workspace that isn’t trusted names files in its own folder and below', async () => {
    setWorkspace({ folders: [`${root}/project`], isTrusted: false });
    assert.deepEqual(await outcomes('lists/c.csv', '../other/c.csv'), ['read', 'untrustedFolder']);
    setWorkspace({ folders: [`${root}/project`] });
    assert.equal(await outcomeOf('../other/c.csv'), 'read');
  });

  it('is checked again when its workspace becomes trusted, or gets other folders', async () => {
    const trusted = new EventEmitter<void>();
    const folders = new EventEmitter<WorkspaceFoldersChangeEvent>();
    const { onDidGrantWorkspaceTrust, onDidChangeWorkspaceFolders } = workspace;
    Object.assign(workspace, { onDidGrantWorkspaceTrust: trusted.event, onDidChangeWorkspaceFolders: folders.event });
    try {
      const heard: (Uri | undefined)[] = [];
      const files = new RecipientFiles();
      files.onDidChange((changed) => heard.push(changed));
      trusted.fire();
      folders.fire({ added: [], removed: [] });
      files.dispose();
      trusted.fire();
      assert.deepEqual(heard, [undefined, undefined]);
    } finally {
      Object.assign(workspace, { onDidGrantWorkspaceTrust, onDidChangeWorkspaceFolders });
    }
  });

  it('doesn’t read what isn’t a file', async () => {
    await mkdir(`${root}/project/docs/folder.csv`);
    assert.deepEqual(await outcomes('folder.csv', '.', './'), ['noFile', 'outsideFolder', 'noFile']);
  });

  // Windows has none of them in folders.
  (process.platform === 'win32' ? it.skip : it)('doesn’t read sockets and devices', async () => {
    const server = createServer().listen(`${root}/project/docs/socket.csv`);
    await once(server, 'listening');
    await symlink('/dev/zero', `${root}/project/docs/device.csv`);
    const found = await outcomes('socket.csv', 'device.csv');
    server.close();
    assert.deepEqual(found, ['noFile', 'noFile']);
  });

  linked('follows links within its workspace, but none that leads out of it', async () => {
    await symlink(`${root}/project/other/c.csv`, `${root}/project/docs/inside.csv`);
    await symlink('../../common/c.csv', `${root}/project/docs/outside.csv`);
    await symlink(`${root}/common`, `${root}/project/docs/folder`);
    const paths = ['inside.csv', 'outside.csv', 'folder/c.csv'];
    setWorkspace({ folders: [`${root}/project`] });
    assert.deepEqual(await outcomes(...paths), ['read', 'outsideLink', 'outsideLink']);
    setWorkspace({ folders: [`${root}/project`, `${root}/common`] });
    assert.deepEqual(await outcomes(...paths), ['read', 'read', 'read']);
    setWorkspace({ folders: [`${root}/project`], isTrusted: false });
    assert.deepEqual(await outcomes(...paths), ['outsideLink', 'outsideLink', 'outsideLink']);
  });

  linked('names files beside it when its folder was opened through a link', async () => {
    await symlink(`${root}/project`, `${root}/alias`);
    setWorkspace({ folders: [`${root}/alias`] });
    const document = Uri.file(`${root}/alias/docs/draft.md`);
    assert.equal(await outcomeOf('c.csv', document), 'read');
    assert.equal(await outcomeOf('../other/c.csv', document), 'read');
  });

  it('names files relative to itself', async () => {
    setWorkspace({ folders: [root] });
    const absolute = [
      `${root}/project/docs/c.csv`,
      '\\c.csv',
      '\\\\host\\share\\c.csv',
      '//host/share/c.csv',
      'C:\\c.csv',
      'c:c.csv',
      'file:///c.csv',
      'https://a.example/c.csv',
    ];
    for (const path of absolute) assert.equal(await outcomeOf(path), 'notRelative', path);
    // These are names of files here.
    assert.deepEqual(await outcomes('~/c.csv', '..%2fc.csv', '%2e%2e/c.csv'), ['noFile', 'noFile', 'noFile']);
  });

  it('names no files that a computer could take for others, or for devices', async () => {
    const names = ['c.csv\0.md', 'c\n.csv', 'aux.csv', 'CON', 'nul', 'lists/Com1.csv', 'lpt¹', 'nul .csv', 'conin$'];
    const aliases = ['c.csv.', 'lists./c.csv', 'lists /c.csv', '.../c.csv', '.. /c.csv', './c.csv::$DATA', './c.csv:a'];
    for (const path of [...names, ...aliases]) assert.equal(await outcomeOf(path), 'badFileName', JSON.stringify(path));
    assert.deepEqual(await outcomes('auxiliary.csv', 'console.csv', 'com10.csv'), ['noFile', 'noFile', 'noFile']);
  });

  it('on another file system names files of that one, and no links', async () => {
    const types: Record<string, FileType> = {
      '/a/c.csv': FileType.File,
      '/a/link.csv': FileType.File | FileType.SymbolicLink,
      '/a/folder': FileType.Directory | FileType.SymbolicLink,
      '/b/c.csv': FileType.File,
    };
    const provider = {
      stat: ({ path }: Uri) => ({ type: types[path] ?? FileType.File, ctime: 0, mtime: 0, size: 4 }),
      readFile: () => new TextEncoder().encode(rows),
    };
    const registered = workspace.registerFileSystemProvider('other', provider as unknown as FileSystemProvider);
    try {
      const document = Uri.parse('other://one/a/draft.md');
      setWorkspace({ folders: ['other://one/a', 'other://one/b'] });
      const all = async () =>
        Promise.all(['c.csv', '../b/c.csv', 'link.csv', 'folder/c.csv'].map((path) => outcomeOf(path, document)));
      assert.deepEqual(await all(), ['read', 'read', 'outsideLink', 'outsideLink']);
      setWorkspace({ folders: ['other://one/a', 'other://two/b', '/b'] });
      assert.deepEqual(await all(), ['read', 'outsideWorkspace', 'outsideLink', 'outsideLink']);
    } finally {
      registered.dispose();
    }
  });
});
