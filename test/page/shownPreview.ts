/** A preview page, new for each test. */
import assert from 'node:assert/strict';
import type { ShownDraft } from '../../src/protocol/preview.ts';
import { type OpenPage, openPreviewPage, type PageOptions } from '../host/pages.ts';

/** The page opened last. */
export let previewPage: OpenPage;

/** Closes the page after each test of a suite, which must not have done anything that it may not do. */
export function closeEachPreview(): void {
  afterEach(async () => {
    assert.deepEqual([previewPage?.incidents, previewPage?.requests, await previewPage?.refused()], [[], [], []]);
    await previewPage?.close();
  });
}

export async function open(draft: ShownDraft, options: PageOptions = {}): Promise<void> {
  previewPage = await openPreviewPage(draft, options);
  await previewPage.page.getByRole('main').waitFor();
}

export const named = (name: string) => previewPage.page.getByRole('button', { name });

/** The messages to the host after the first, which is `ready`. */
export const posted = async () => (await previewPage.posted()).slice(1);
