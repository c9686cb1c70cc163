// What a failed test looked like, in `out/screenshots/failed`.
import { join } from 'node:path';
import { root } from './host/places.ts';

type Photographer = (path: string) => Promise<unknown>;

const photographers = new Set<Photographer>();

/** Whom to ask for a picture when a test of this process fails. */
export function photographFailures(photographer: Photographer): void {
  photographers.add(photographer);
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
  async afterEach(this: Mocha.Context) {
    const test = this.currentTest;
    if (test?.state !== 'failed') return;
    for (const photographer of photographers) await photographer(pictureOf(test.titlePath()));
  },
};
