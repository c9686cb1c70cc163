import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { mock } from 'node:test';
import { CancellationTokenSource, commands, type Disposable, Uri, type window } from 'vscode';
import { deleteOldImages, openImage } from '../../../../src/chats/history/openImage.ts';
import { readMedia } from '../../../../src/markup/media.ts';
import { temporaryFolder } from '../../../host/temporary.ts';
import { answer, onMessages, restore } from '../../answers.ts';
import { deferred, settled } from '../../deferred.ts';
import { inBrowser } from '../../inBrowser.ts';

const ADDRESS = 'https://images.example/a/soup.png?sign=a%2Fb';
const DAY = 24 * 3_600_000;
const NOW = Date.UTC(2026, 2, 9);

describe('The image of a message', () => {
  let storage: Uri;
  let opened: unknown[];
  let said: string[];
  let requests: string[];
  let abort: AbortController;
  let command: Disposable;

  beforeEach(async () => {
    storage = Uri.file(await temporaryFolder('images'));
    opened = [];
    said = onMessages();
    requests = [];
    abort = new AbortController();
    command = commands.registerCommand('vscode.open', (target) => opened.push(target));
  });

  afterEach(() => {
    command.dispose();
    restore();
  });

  const png = (body: BodyInit | null = 'abc', init: ResponseInit = {}) =>
    new Response(body, { headers: { 'content-type': 'image/png' }, ...init });
  const open = (respond: () => Response | Promise<Response>, more: object = {}) =>
    openImage(
      { ...readMedia({ name: 'soup.png', location: ADDRESS }, 0), ...more },
      {
        storage,
        signal: abort.signal,
        fetch: (async (url: unknown) => {
          requests.push(String(url));
          return respond();
        }) as typeof globalThis.fetch,
      },
    );
  const nameOf = (target: unknown) => (target instanceof Uri ? basename(target.fsPath) : target);
  const images = () => join(storage.fsPath, 'images');
  /** Makes a copy as old as this at the time `NOW`, in milliseconds. */
  const setAge = (name: string, age: number) => utimes(join(images(), name), new Date(NOW), new Date(NOW - age));

  it('opens as a copy under its name, with the extension of its type', async () => {
    await open(() => png());
    const [file] = opened;
    assert.ok(file instanceof Uri);
    assert.equal(file.fsPath, join(images(), basename(file.fsPath)));
    assert.match(basename(file.fsPath), /^soup-[0-9a-f]{8}\.png$/);
    assert.equal(await readFile(file.fsPath, 'utf8'), 'abc');
    await open(() => png('abc', { headers: { 'content-type': 'IMAGE/JPEG; q=1' } }), { name: '' });
    await open(() => png('abc', { headers: { 'content-type': 'image/jpg' } }));
    await open(() => png(), { name: '../../x\u202Egpj.exe' });
    await open(() => png(), { name: '', address: 'https://images.example/' });
    assert.deepEqual(
      opened.slice(1).map((target) => String(nameOf(target)).replace(/-[0-9a-f]{8}\./, '.')),
      ['soup.jpg', 'soup.jpg', 'x gpj.png', 'image.png'],
    );
    assert.deepEqual(said, []);
  });

  it('is another file at another address, and the same at the same', async () => {
    await open(() => png());
    await open(() => png('new'));
    await open(() => png(), { address: 'https://images.example/b/soup.png' });
    const [first, again, other] = opened.map(nameOf);
    assert.equal(first, again);
    assert.notEqual(first, other);
    assert.equal((await readdir(images())).length, 2);
  });

  const failures: [string, () => Response | Promise<Response>, string][] = [
    [
      'if its link has expired',
      () => png('no', { status: 403 }),
      'The image is no longer available, or its link has expired (HTTP status 403).',
    ],
    ['if its host fails', () => png('no', { status: 500 }), 'The image host returned HTTP status 500.'],
    [
      'if it has another type',
      () => png('<svg/>', { headers: { 'content-type': 'image/svg+xml' } }),
      "VS Code can't show this type of image (image/svg+xml).",
    ],
    [
      'if it has no type',
      () => png(new Uint8Array([1]), { headers: {} }),
      "VS Code can't show this type of image (unknown).",
    ],
    ['if it is larger than 20 MB', () => png(new Uint8Array(20_000_001)), 'The image is larger than 20 MB.'],
    ['if it is empty', () => png(null), 'The image host returned no content.'],
    [
      'if its host is not reached',
      () => Promise.reject(new TypeError('fetch failed')),
      "The image host can't be reached, or redirects to another address.",
    ],
  ];
  for (const [when, respond, text] of failures) {
    it(`is not opened ${when}`, async () => {
      await open(respond);
      assert.deepEqual(said, [text]);
      assert.deepEqual(opened, []);
      assert.deepEqual(await readdir(storage.fsPath), []);
    });
  }

  it('is not opened if its host does not let a browser read it', async () => {
    await inBrowser(() => open(() => Promise.reject(new TypeError('Failed to fetch'))));
    assert.deepEqual(said, [
      "The image host can't be reached, redirects to another address, or doesn't let other sites' pages read its images.",
    ]);
  });

  it('can be opened in the browser instead', async () => {
    said = onMessages((_, [button]) => button);
    await open(() => png('no', { status: 404 }));
    assert.deepEqual(opened, [ADDRESS]);
  });

  it('is not requested after its link has expired, or over plain http', async () => {
    await open(() => png(), { isExpired: true });
    await open(() => png(), { address: 'http://images.example/soup.png' });
    assert.deepEqual(said, ['This link has expired.', 'Only images at https: addresses can be opened here.']);
    assert.deepEqual(requests, []);
    assert.deepEqual(opened, []);
  });

  it('is not opened after the panel is closed', async () => {
    const { promise: response, resolve } = deferred<Response>();
    const opening = open(() => response);
    abort.abort();
    resolve(png());
    await opening;
    assert.deepEqual(said, []);
    assert.deepEqual(opened, []);
  });

  it('can be canceled if it takes long', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const source = new CancellationTokenSource();
      const titles: (string | undefined)[] = [];
      answer('withProgress', (async ({ title }, task) => {
        titles.push(title);
        const running = task({ report: () => {} }, source.token);
        source.cancel();
        return running;
      }) as typeof window.withProgress);
      const opening = open(() => new Promise(() => {}));
      await settled();
      mock.timers.tick(499);
      await settled();
      assert.deepEqual(titles, []);
      mock.timers.tick(1);
      await opening;
      assert.deepEqual(titles, ['Downloading image']);
      assert.deepEqual(said, []);
      assert.deepEqual(opened, []);
    } finally {
      mock.timers.reset();
    }
  });

  it('is deleted after a day', async () => {
    await deleteOldImages(storage);
    await open(() => png());
    await open(() => png(), { name: 'tea.png' });
    await setAge(String(nameOf(opened[0])), DAY + 1);
    await setAge(String(nameOf(opened[1])), DAY);
    await deleteOldImages(storage, NOW);
    assert.deepEqual(await readdir(images()), [nameOf(opened[1])]);
  });

  it("is deleted even if another one can't be", async () => {
    await mkdir(join(images(), 'a', 'kept'), { recursive: true });
    await open(() => png());
    await setAge('a', DAY + 1);
    await setAge(String(nameOf(opened[0])), DAY + 1);
    await assert.rejects(deleteOldImages(storage, NOW));
    assert.deepEqual(await readdir(images()), ['a']);
  });
});
