import assert from 'node:assert/strict';
import { type OpenDialogOptions, type SaveDialogOptions, Uri, type window, workspace } from 'vscode';
import { type CsvText, shownText } from '../../../src/markup/safeText.ts';
import { BufferLimitError, homeFolder } from '../../../src/platform/fileAppender.ts';
import { askFile, askSaveTarget, exportFileName, saveText } from '../../../src/presentation/fileDialogs.ts';
import { answer, restore } from '../answers.ts';
import { logged } from '../chats/history/test-page.ts';
import { inBrowser } from '../inBrowser.ts';

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
    ] as const)
      assert.equal(exportFileName(name, 'x', at, {}), `${expected} 2026-01-05`, name);
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

const QUESTION = { title: shownText`Export Riverside Town`, name: 'Riverside Town', type: 'CSV', extension: 'csv' };
const HOST = { extensionUri: Uri.file('/installed'), log: logged().log };

describe('A file on this computer', () => {
  afterEach(() => {
    Object.assign(workspace, { workspaceFolders: undefined });
    restore();
  });

  it('is read from where the user says', async () => {
    const asked: (OpenDialogOptions | undefined)[] = [];
    const answers = [[Uri.file('/chosen/a.csv')], undefined];
    answer('showOpenDialog', (async (options) => {
      asked.push(options);
      return answers.shift();
    }) as typeof window.showOpenDialog);
    const ask = () => askFile(shownText`Add from File`, { CSV: ['csv'] });
    assert.equal((await ask())?.path, '/chosen/a.csv');
    assert.equal(await ask(), undefined);
    assert.deepEqual(asked[0], { title: 'Add from File', filters: { CSV: ['csv'] } });
  });

  it('is saved where the user says, who is offered a place in the workspace or at home', async () => {
    const asked: (SaveDialogOptions | undefined)[] = [];
    const answers = [Uri.file('/chosen/Town.csv'), undefined];
    answer('showSaveDialog', async (options) => {
      asked.push(options);
      return answers.shift();
    });
    assert.equal((await askSaveTarget(QUESTION, HOST))?.name, 'Town.csv');
    Object.assign(workspace, { workspaceFolders: [{ uri: Uri.file('/project') }] });
    assert.equal(await askSaveTarget(QUESTION, HOST), undefined);
    assert.deepEqual(asked[0]?.filters, { CSV: ['csv'] });
    assert.deepEqual(
      asked.map((options) => options?.defaultUri?.path),
      [`${homeFolder()?.path}/Riverside Town.csv`, '/project/Riverside Town.csv'],
    );
  });
});

describe('A file that is saved in a browser', () => {
  const titles: string[] = [];
  const posted: unknown[] = [];
  let receive = (_message: unknown) => {};

  beforeEach(() => {
    titles.length = 0;
    posted.length = 0;
    answer('showSaveDialog', () => assert.fail('asked where to save it'));
    const webview = {
      asWebviewUri: (uri: Uri) => uri,
      onDidReceiveMessage: (listener: typeof receive) => {
        receive = listener;
      },
      postMessage: (message: unknown) => posted.push(message),
    };
    answer('createWebviewPanel', ((_type: string, title: string) => {
      titles.push(title);
      return { webview, onDidDispose: () => {}, onDidChangeViewState: () => {} };
    }) as unknown as typeof window.createWebviewPanel);
  });
  afterEach(restore);

  const ask = async () => (await inBrowser(() => askSaveTarget(QUESTION, HOST))) ?? assert.fail();

  it('opens in a panel that downloads it once, without a question', async () => {
    const target = await ask();
    assert.deepEqual([target.name, target.uri], ['Riverside Town.csv', undefined]);
    assert.deepEqual(titles, []);
    await saveText(target, 'id,名称\n' as CsvText);
    assert.deepEqual(titles, ['Riverside Town.csv']);
    receive({ type: 'nonsense' });
    assert.deepEqual(posted, []);
    const file = { type: 'file', name: 'Riverside Town.csv', bytes: new TextEncoder().encode('id,名称\n') };
    receive({ type: 'ready' });
    // The page was hidden and shown again.
    receive({ type: 'ready' });
    assert.deepEqual(posted, [
      { ...file, isNew: true },
      { ...file, isNew: false },
    ]);
  });

  it('opens nothing if it is too large for the memory', async () => {
    await assert.rejects(saveText(await ask(), 'x'.repeat(64_000_001) as CsvText), BufferLimitError);
    assert.deepEqual(titles, []);
  });
});
