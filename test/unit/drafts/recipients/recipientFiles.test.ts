import assert from 'node:assert/strict';
import { type FileSystemProvider, FileType, Uri, workspace } from 'vscode';
import { RecipientFiles } from '../../../../src/drafts/recipients/recipientFiles.ts';

describe('Reading a file of recipients', () => {
  let bytes: Uint8Array;
  let size: number | undefined;
  let reads: number;
  const registered: { dispose(): void }[] = [];

  before(() => {
    const provider = {
      stat: () => ({ type: FileType.File, ctime: 0, mtime: 0, size: size ?? bytes.length }),
      readFile: () => {
        reads++;
        return bytes;
      },
    };
    registered.push(workspace.registerFileSystemProvider('hostile', provider as unknown as FileSystemProvider));
  });

  after(() => {
    for (const one of registered) one.dispose();
  });

  const read = async (content: string | Uint8Array, reportedSize?: number) => {
    bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    size = reportedSize;
    reads = 0;
    const file = await new RecipientFiles().read(Uri.parse('hostile://a/b/draft.md'), { path: 'c.csv', kind: 'user' });
    return 'problem' in file ? file.problem : [...file.table.rows.keys()];
  };

  it('reads none of 1 GB', async () => {
    assert.deepEqual(await read('id\n7', 1_000_000_000), { code: 'fileTooLarge', args: ['c.csv', '32'] });
    assert.equal(reads, 0);
  });

  it('reads text, not binary data', async () => {
    assert.deepEqual(await read('id\n7\n8'), ['user 7', 'user 8']);
    assert.equal(reads, 1);
    for (const binary of [
      new Uint8Array(1_000),
      new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]),
      new Uint8Array([0xff, 0xff]),
    ])
      assert.deepEqual(await read(binary), { code: 'notTextFile', args: ['c.csv'] });
  });

  it('happens again only if the file looks changed, or is sent, or couldn’t be used', async () => {
    const files = new RecipientFiles();
    const read = async () => files.read(Uri.parse('hostile://a/b/draft.md'), { path: 'c.csv', kind: 'user' });
    size = undefined;
    reads = 0;
    bytes = new Uint8Array(4);
    assert.ok('problem' in (await read()));
    bytes = new TextEncoder().encode('id\n7');
    assert.ok('table' in (await read()));
    await read();
    assert.equal(reads, 2);
    files.clear();
    await read();
    assert.equal(reads, 3);
  });
});
