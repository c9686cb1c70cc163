import assert from 'node:assert/strict';
import * as v from 'valibot';
import { l10n, Uri } from 'vscode';
import { openPage, type WebviewPage } from '../../../src/platform/webviewPage.ts';
import { deferred, settled } from '../deferred.ts';
import { PanelPage } from '../panelPage.ts';

const ToTest = v.object({ type: v.string() });
const FromTest = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('save'), text: v.string() }),
]);

describe('A page in a panel', () => {
  let shown: PanelPage<v.InferOutput<typeof ToTest>>;
  let page: WebviewPage<v.InferOutput<typeof ToTest>>;
  /** What the page's owner was told. */
  let told: unknown[];
  let logged: string[];
  let fill: () => Promise<void>;
  let handle: (text: string) => void;

  beforeEach(() => {
    shown = new PanelPage(ToTest);
    [told, logged] = [[], []];
    fill = () => post('everything');
    handle = (text) => void told.push(text);
    const write = (said: unknown) => void logged.push(String(said));
    page = openPage(
      shown.panel,
      { extensionUri: Uri.file('/'), log: { warn: write, error: write } },
      {
        page: 'download',
        schema: FromTest,
        contents: () => ({ data: { state: `loaded ${told.length}` } }),
        fill: () => fill(),
        handlers: { save: ({ text }) => handle(text) },
        fail: (error) => told.push(error),
        emptied: () => told.push('emptied'),
        closed: () => told.push('closed'),
      },
    );
  });

  const ready = async () => {
    shown.send({ type: 'ready' });
    await settled();
  };
  const post = (type: string) => page.post({ type });
  const posted = () => shown.posted.map(({ type }) => type);

  it('receives nothing before it is ready, while it is hidden, or after it was closed', async () => {
    await post('too early');
    await ready();
    shown.setVisible(false);
    await post('hidden');
    shown.setVisible(true);
    await post('not ready again');
    await ready();
    await post('more');
    shown.close();
    await post('closed');
    assert.deepEqual(posted(), ['everything', 'everything', 'more']);
    assert.deepEqual(told, ['emptied', 'closed']);
  });

  it('gets what was asked of it once it has everything, the last of each kind, and at once from then on', async () => {
    page.onceFilled('find', () => void post('find a'));
    page.onceFilled('show', () => void post('show 1'));
    page.onceFilled('find', () => void post('find b'));
    await ready();
    page.onceFilled('show', () => void post('show 2'));
    assert.deepEqual(posted(), ['everything', 'find b', 'show 1', 'show 2']);
  });

  it('gets what was asked of it although it was hidden or loaded again while it was filled', async () => {
    const slow = deferred<void>();
    fill = () => slow.promise;
    await ready();
    page.onceFilled('show', () => void post('show 1'));
    shown.setVisible(false);
    slow.resolve();
    await settled();
    shown.setVisible(true);
    const slower = deferred<void>();
    fill = () => slower.promise;
    await ready();
    page.reload();
    assert.match(shown.html, /"loaded 2"/);
    slower.resolve();
    await settled();
    assert.deepEqual(posted(), []);
    fill = () => post('everything');
    await ready();
    assert.deepEqual(posted(), ['everything', 'show 1']);
  });

  it('is filled again when it loads itself again', async () => {
    await ready();
    await ready();
    assert.deepEqual([posted(), told], [['everything', 'everything'], ['emptied']]);
  });

  it('has the translations of VS Code', async () => {
    Object.assign(l10n, { bundle: { Retry: '重试' } });
    try {
      page.reload();
    } finally {
      Object.assign(l10n, { bundle: undefined });
    }
    assert.match(shown.html, /id="translations">\{"Retry":"重试"\}</);
    page.reload();
    assert.match(shown.html, /id="translations">null</);
  });

  it('has only messages handled that it may post', async () => {
    for (const wrong of [undefined, 'save', { type: 'save' }, { type: 'other', text: 'a' }]) shown.send(wrong);
    shown.send({ type: 'save', text: 'b' });
    await settled();
    assert.deepEqual(told, ['b']);
    assert.equal(logged.length, 4);
  });

  it('has failures logged and told', async () => {
    const error = new Error('The disk is full.');
    handle = () => {
      throw error;
    };
    shown.send({ type: 'save', text: 'a' });
    fill = () => Promise.reject(error);
    await ready();
    assert.deepEqual(told, [error, error]);
    assert.deepEqual(logged, [`${error}`, `${error}`]);
  });
});
