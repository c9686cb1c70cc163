import assert from 'node:assert/strict';
import { deferred } from '../unit/deferred.ts';
import { listed } from './messages.ts';
import {
  all,
  assertHarmless,
  file,
  historyPage,
  image,
  links,
  one,
  open,
  openFresh,
  posted,
  serveImages,
  textIn,
} from './sharedHistory.ts';

describe('An image', () => {
  const content = {
    imageKey: 'k/1',
    imageUrl: 'https://a.example/cat.png',
    imageName: 'cat.png',
    imageWidth: 1200,
    imageHeight: 900,
  };

  it('is a card with its key and address', async () => {
    await open([image(content)]);
    assert.equal(await textIn('.card'), 'Image · cat.png\nhttps://a.example/cat.png\nKey: k/1\nCopy');
    assert.deepEqual(await links(), [['https://a.example/cat.png', 'https://a.example/cat.png']]);
    await assertHarmless();
    await historyPage.page.getByRole('button', { name: 'Copy' }).click();
    assert.deepEqual(await posted('copy'), [{ type: 'copy', text: 'k/1' }]);
    assert.equal(await textIn('.key [role=status]'), 'Copied');
  });

  it('is shown if images are allowed, with its space reserved before it loads', async () => {
    const { promise: requested, resolve: answer } = deferred<void>();
    await open([image(content)], { pictures: true, web: (url) => requested.then(() => serveImages(url)) });
    const before = await one('img').boundingBox();
    assert.deepEqual([Math.round(before?.width ?? 0), Math.round(before?.height ?? 0)], [427, 320]);
    assert.equal(await all('a').count(), 0);
    answer();
    await historyPage.page.waitForFunction(() => [...document.images].some((picture) => picture.naturalWidth > 0));
    assert.equal(await one('img').getAttribute('alt'), 'cat.png');
    assert.equal(await one('img').getAttribute('loading'), 'lazy');
    assert.deepEqual(await one('img').boundingBox(), before);
    assert.deepEqual(
      [await one('img').getAttribute('width'), await one('img').getAttribute('height')],
      ['1200', '900'],
    );
    await assertHarmless(['https://a.example/cat.png']);
  });

  it('is a thumbnail that fits in its bounds, however large it is', async () => {
    const sizes = [
      [4000, 400],
      [400, 4000],
      [200, 100],
      [undefined, undefined],
    ];
    await open(
      sizes.map(([imageWidth, imageHeight]) => image({ ...content, imageWidth, imageHeight })),
      { pictures: true, web: serveImages },
    );
    await historyPage.page.waitForFunction(() => [...document.images].every((picture) => picture.naturalWidth > 0));
    const shown = await all('img').evaluateAll((images) =>
      images.map((one) => one.getBoundingClientRect()).map(({ width, height }) => [width, height].map(Math.round)),
    );
    assert.deepEqual(shown, [
      [480, 48],
      [32, 320],
      [200, 100],
      [240, 120],
    ]);
  });

  it('opens on a click, or as a link if its address is not encrypted', async () => {
    const plain = image({ ...content, imageUrl: 'http://a.example/cat.png' });
    await open([image(content), plain], { pictures: true, web: serveImages });
    const key = (await one('img').locator('xpath=ancestor::article').getAttribute('id'))?.replace('message-', '');
    await historyPage.page.getByRole('button', { name: 'Open cat.png in VS Code' }).click();
    assert.deepEqual(await posted('openImage'), [{ type: 'openImage', key }]);
    assert.deepEqual(await posted('open'), []);
    assert.deepEqual(
      (await links()).map(([, href]) => href),
      ['http://a.example/cat.png'],
    );
  });

  it('becomes a card if it fails to load', async () => {
    await open([image(content)], { pictures: true });
    await one('.card').waitFor();
    assert.equal(await textIn('.card-title'), 'Image · cat.png');
  });

  it('is only loaded from web addresses', async () => {
    const addresses = [
      'javascript:window.__ran=1',
      'data:image/svg+xml,<svg onload="window.__ran=1"/>',
      'file:///a.png',
      '/a.png',
      '//a.example/a.png',
      'vscode-resource:/a',
    ];
    await open(
      addresses.map((imageUrl) => image({ imageUrl })),
      { pictures: true },
    );
    assert.equal(await all('img').count(), 0);
    assert.deepEqual(await links(), []);
    assert.deepEqual(await all('.card bdi:not(.card-title)').allInnerTexts(), addresses);
    await assertHarmless();
  });

  it('reserves no space for invalid sizes', async () => {
    await open(
      [{ imageWidth: -1, imageHeight: 5 }, { imageWidth: 1e12, imageHeight: 3 }, { imageWidth: 5 }].map((size) =>
        image({ ...content, ...size, ...('imageHeight' in size ? {} : { imageHeight: undefined }) }),
      ),
      { pictures: true, web: serveImages },
    );
    await all('img').nth(2).waitFor({ state: 'attached' });
    assert.deepEqual(await all('img').evaluateAll((images) => images.map((picture) => picture.getAttribute('width'))), [
      null,
      null,
      null,
    ]);
  });
});

describe('A file', () => {
  it('has a name, a size and an address', async () => {
    await open([file({ fileName: 'notes.pdf', fileUrl: 'https://a.example/notes.pdf', fileSize: 1_536_000 })]);
    assert.equal(await textIn('.card'), 'File · 1.5 MB\nnotes.pdf\nhttps://a.example/notes.pdf');
    assert.deepEqual(await links(), [['https://a.example/notes.pdf', 'https://a.example/notes.pdf']]);
  });

  it("shows an address that isn't a web address as text", async () => {
    await open(
      ['javascript:alert(1)', 'file:///etc/passwd', 'vscode://a/b', 'command:x'].map((fileUrl) =>
        file({ fileName: 'a', fileUrl }),
      ),
    );
    assert.deepEqual(await links(), []);
    assert.equal(await textIn('.card'), 'File\na\njavascript:alert(1)');
  });

  it("can't reverse its name with a bidirectional control", async () => {
    await open([file({ fileName: 'holiday\u202Egpj.exe' })]);
    assert.equal(await textIn('.file-name'), 'holiday⟨U+202E⟩gpj.exe');
  });
});

describe('Media with a signed address', () => {
  const t = '6a59e100';
  const expiry = Date.UTC(2026, 6, 17, 8);
  /** Sets the clock of the page, in Unix ms. */
  const setTime = (time: number) =>
    historyPage.page.evaluate((time) => {
      Date.now = () => time;
    }, time);
  const signed = (name: string) => `https://a.example/files/${name}?sign=abc&t=${t}`;
  const messages = () => [
    image({ imageName: 'cat.png', imageUrl: signed('1.png') }),
    image({ imageUrl: signed('caf%C3%A9.png') }),
    file({ fileName: 'notes.pdf', fileUrl: signed('2.pdf') }),
    listed({ contentType: 'video', content: { videoUrl: signed('3.mp4') } }),
  ];

  it('are shown as expired and not loaded from the second of expiry', async () => {
    await openFresh([], { pictures: true, web: serveImages });
    await setTime(expiry);
    await historyPage.show(messages());
    await all('.card').nth(3).waitFor();
    assert.deepEqual(await all('.card').allInnerTexts(), [
      'Image · cat.png\nThis link has expired.',
      'Image · café.png\nThis link has expired.',
      'File\nnotes.pdf\nThis link has expired.',
      'Video\n3.mp4\nThis link has expired.',
    ]);
    assert.equal(await all('a, img').count(), 0);
    await assertHarmless();
    await historyPage.close();
  });

  it('are linked and loaded before that', async () => {
    await openFresh([], { pictures: true, web: () => serveImages('https://a.example/a.png') });
    await setTime(expiry - 1);
    await historyPage.show(messages());
    await all('img').nth(1).waitFor();
    assert.deepEqual(await all('img').evaluateAll((images) => images.map((one) => one.getAttribute('src'))), [
      signed('1.png'),
      signed('caf%C3%A9.png'),
    ]);
    assert.deepEqual(
      (await links()).map(([, href]) => href),
      [signed('2.pdf'), signed('3.mp4')],
    );
    await historyPage.close();
  });
});

describe('A message of an unknown kind', () => {
  it('is shown as the JSON of its content', async () => {
    for (const kind of ['liveAudio', 'audioCall', 'videoCall', 'a2ui', 'unknown', 'constructor', 'form', 'video']) {
      await open([listed({ contentType: kind, content: { room: 'https://a.example/r', more: [1] } })]);
      assert.equal(await textIn('.card-title'), `Message type “${kind}”, shown as received`);
      assert.deepEqual(JSON.parse(await textIn('.card pre')), { room: 'https://a.example/r', more: [1] });
    }
  });

  it('shows the parsed content if the JSON is missing', async () => {
    const entry = { ...listed({ contentType: 'audio', content: { fileSize: 7 } }), raw: undefined };
    await open([entry]);
    assert.deepEqual(JSON.parse(await textIn('.card pre')), { fileSize: 7 });
  });
});
