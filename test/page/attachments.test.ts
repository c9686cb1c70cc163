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

  it('is a thumbnail that fits in its bounds, however large it is, and has its own size if it says none', async () => {
    const sizes = [
      { size: [4000, 400], shown: [480, 48] },
      { size: [400, 4000], shown: [32, 320] },
      { size: [200, 100], shown: [200, 100] },
      { size: [undefined, undefined], shown: [240, 120] },
      { size: [5, undefined], shown: [240, 120] },
      { size: [-1, 5], shown: [240, 120] },
      { size: [1e12, 3], shown: [240, 120] },
    ];
    await open(
      sizes.map(({ size: [imageWidth, imageHeight] }) => image({ ...content, imageWidth, imageHeight })),
      { pictures: true, web: serveImages, height: 2000 },
    );
    await all('img')
      .nth(sizes.length - 1)
      .waitFor();
    await historyPage.page.waitForFunction(() => [...document.images].every((picture) => picture.naturalWidth > 0));
    const shown = await all('img').evaluateAll((images) =>
      images.map((one) => one.getBoundingClientRect()).map(({ width, height }) => [width, height].map(Math.round)),
    );
    assert.deepEqual(
      shown,
      sizes.map((one) => one.shown),
    );
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
  it('is shown as the JSON of its content, or as far as it was read if the JSON is missing', async () => {
    await open([
      listed({ contentType: 'liveAudio', content: { room: 'https://a.example/r', more: [1] } }),
      { ...listed({ contentType: 'audio', content: { fileSize: 7 } }), raw: undefined },
    ]);
    assert.equal(await textIn('.card-title'), 'Message type “liveAudio”, shown as received');
    const shown = await all('.card pre').allInnerTexts();
    assert.deepEqual(
      shown.map((json) => JSON.parse(json)),
      [{ room: 'https://a.example/r', more: [1] }, { fileSize: 7 }],
    );
  });
});
