// The search page of a real window: the time from a key until the first results for it are painted.
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { openWindow } from '../host/window.ts';

/** Types words into the search of a window with this archive. Returns the milliseconds of each key. */
export async function timesToResults(archive: string, words: readonly string[]): Promise<number[]> {
  const window = await openWindow({
    prepare: async ({ userData }) => {
      const folder = join(userData, 'User/globalStorage/bot-chats.bot-chats/archive');
      await mkdir(folder, { recursive: true });
      await copyFile(archive, join(folder, 'archive.db'));
    },
  });
  try {
    await window.command('Bot Chats: Search Messages…');
    const search = await window.webview('Search Messages');
    await search.getByRole('list', { name: 'Results' }).waitFor();
    const times: number[] = [];
    for (const word of words) {
      for (const letter of word) times.push(await timeOf(search, () => window.page.keyboard.press(letter)));
      await timeOf(search, () => search.getByRole('searchbox').fill(''));
    }
    return times;
  } finally {
    await window.close();
  }
}

/** Waits for the results of an input. Returns the milliseconds between them. */
async function timeOf(search: FrameLocator, input: () => Promise<void>): Promise<number> {
  const body = search.locator('body');
  const watched = await body.evaluateHandle(() => {
    const painted = new Promise<number>((resolve) => {
      let start = 0;
      addEventListener('input', ({ timeStamp }) => (start = timeStamp), { capture: true, once: true });
      const observer = new MutationObserver(() => {
        // The list is busy until the answer to its latest search.
        if (start === 0 || document.querySelector('.results')?.getAttribute('aria-busy') !== 'false') return;
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
      });
      observer.observe(document.body, { attributes: true, childList: true, subtree: true });
    });
    // In an object, so that it isn't awaited here.
    return { painted };
  });
  await input();
  return watched.evaluate(({ painted }) => painted);
}
