// What a failed test looked like, in `out/screenshots/failed`.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { root } from './host/places.ts';

/** The page or window that a test used last. */
let used: Page | undefined;
/** The test that is running, until it has its picture. */
let test: Mocha.Test | undefined;

/** Whether or not a test is running: if it fails, its picture is of this page. */
export function useInPictures(page: Page): void {
  used = page;
}

/** Takes the picture of a test that has just failed, if there is none. Hooks that change its page call this first. */
export async function photographFailure(): Promise<void> {
  if (test?.state !== 'failed' || !used || used.isClosed()) return;
  const path = pictureOf(test.titlePath());
  test = undefined;
  await used.screenshot({ path });
}

/** The path of the picture of a failed test. There is one only if the test had a page or a window. */
export function pictureOf(titlePath: readonly string[]): string {
  const name = titlePath
    .join(' ')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 120);
  return join(root, 'out/screenshots/failed', `${name}.png`);
}

export const mochaHooks = {
  beforeEach(this: Mocha.Context) {
    test = this.currentTest;
  },
  afterEach: photographFailure,
};
