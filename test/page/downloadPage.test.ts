import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Download } from 'playwright-core';
import { closeEach, type OpenPage, openDownloadPage } from '../host/pages.ts';

const NAME = 'Riverside Town 河畔小镇 2026-11-24.md';

describe('The download page', () => {
  let opened: OpenPage;

  closeEach(() => opened);

  const open = async () => {
    opened = await openDownloadPage();
    assert.deepEqual(await opened.posted(), [{ type: 'ready' }]);
  };
  /** Posts the file as the host does. */
  const show = (text: string, isNew: boolean) =>
    opened.page.evaluate(
      ([name, text, isNew]) =>
        window.postMessage({ type: 'file', name, bytes: new TextEncoder().encode(text), isNew }, '*'),
      [NAME, text, isNew] as const,
    );
  const fileOf = async (download: Download) => [
    download.suggestedFilename(),
    await readFile(await download.path(), 'utf8'),
  ];

  it('downloads a new file at once, and again on request', async () => {
    await open();
    const [first] = await Promise.all([opened.page.waitForEvent('download'), show('# Hello 你好\n', true)]);
    assert.deepEqual(await fileOf(first), [NAME, '# Hello 你好\n']);
    const again = opened.page.getByRole('button', { name: 'Download Again' });
    const [second] = await Promise.all([opened.page.waitForEvent('download'), again.click()]);
    assert.deepEqual(await fileOf(second), [NAME, '# Hello 你好\n']);
  });

  it('only offers a file that was downloaded before the page was hidden', async () => {
    await open();
    const downloads: Download[] = [];
    opened.page.on('download', (download) => downloads.push(download));
    await show('once', false);
    await opened.page.getByRole('heading', { name: NAME }).waitFor();
    const again = opened.page.getByRole('button', { name: 'Download Again' });
    const [asked] = await Promise.all([opened.page.waitForEvent('download'), again.click()]);
    assert.deepEqual(downloads, [asked]);
  });
});
