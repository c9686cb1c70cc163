import assert from 'node:assert/strict';
import * as v from 'valibot';
import { commands, env, l10n, Uri } from 'vscode';
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
      { extensionUri: Uri.file('/extension'), log: { warn: write, error: write } },
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
    await ready();
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
    await ready();
    assert.deepEqual(posted().slice(4), ['everything']);
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

  it('runs only its own script, with a nonce of its own, and loads nothing else', () => {
    const policyOf = () => /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(shown.html)?.[1]?.split('; ');
    const nonceOf = () => /'nonce-([0-9a-f-]{36})'/.exec(shown.html)?.[1] ?? assert.fail();
    const nonce = nonceOf();
    assert.deepEqual(policyOf(), [
      "default-src 'none'",
      `script-src 'nonce-${nonce}' 'strict-dynamic'`,
      `style-src 'nonce-${nonce}'`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types bot-chats',
    ]);
    const [script, ...others] = shown.html.match(/<script(?! type="application\/json")[^>]*>/g) ?? [];
    assert.ok(script?.includes(` nonce="${nonce}" `));
    assert.deepEqual(others, []);
    const { enableScripts, localResourceRoots } = shown.panel.webview.options;
    assert.equal(enableScripts, true);
    assert.deepEqual(localResourceRoots?.map(String), ['file:///extension/dist']);
    page.reload();
    assert.notEqual(nonceOf(), nonce);
  });

  it('may have a text copied and a link opened, whatever it shows', async () => {
    const opened: unknown[] = [];
    const registered = commands.registerCommand('vscode.open', (url) => opened.push(url));
    const url = 'https://a.example/?a=b%2Fc';
    shown.send({ type: 'copy', text: '复制 me' });
    shown.send({ type: 'open', url });
    shown.send({ type: 'open', url: 'command:botChats.removeToken' });
    await settled();
    registered.dispose();
    assert.equal(await env.clipboard.readText(), '复制 me');
    assert.deepEqual(opened, [url]);
    assert.equal(logged.length, 1);
  });

  it('has only messages handled that it may post', async () => {
    for (const wrong of [undefined, 'save', { type: 'save' }, { type: 'other', text: 'a' }]) shown.send(wrong);
    shown.send({ type: 'save', text: 'b' });
    await settled();
    assert.deepEqual(told, ['b']);
    assert.deepEqual(
      logged.map((line) => line.startsWith('download page: ')),
      Array(4).fill(true),
    );
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
