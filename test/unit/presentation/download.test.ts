import assert from 'node:assert/strict';
import { Uri, type window } from 'vscode';
import { BufferLimitError } from '../../../src/platform/fileAppender.ts';
import { askSaveTarget, saveText } from '../../../src/presentation/fileDialogs.ts';
import { answer, restore } from '../answers.ts';
import { logged } from '../chats/history/test-page.ts';
import { inBrowser } from '../inBrowser.ts';

const QUESTION = { title: 'Export Riverside Town', name: 'Riverside Town', type: 'CSV', extension: 'csv' };
const HOST = { extensionUri: Uri.file('/installed'), log: logged().log };

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
    await saveText(target, 'id,名称\n');
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
    await assert.rejects(saveText(await ask(), 'x'.repeat(64_000_001)), BufferLimitError);
    assert.deepEqual(titles, []);
  });
});
