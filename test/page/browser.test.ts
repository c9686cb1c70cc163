import assert from 'node:assert/strict';
import { ConnectionReset } from '../faults/answers.ts';
import { serve } from '../host/serve.ts';
import { openTab } from '../host/tabs.ts';

describe('A browser', () => {
  /** The number of POSTs of one `fetch`, whose connection breaks, after another answer with this header. */
  const countPosts = async (connection: 'keep-alive' | 'close') => {
    const page = await openTab();
    let posts = 0;
    const headers = { connection, 'access-control-allow-origin': '*' };
    const { origin, close } = await serve(({ method }) => {
      if (method !== 'POST') return new Response('', { headers });
      posts++;
      throw new ConnectionReset('fetch failed');
    });
    try {
      await page.evaluate(async (url) => (await fetch(url)).text(), origin);
      const post = page.evaluate((url) => fetch(url, { method: 'POST', body: 'text' }).then(() => {}), origin);
      await assert.rejects(post, /Failed to fetch/);
      return posts;
    } finally {
      await close();
      await page.close();
    }
  };

  // No page can prevent or notice it: the confirmation warns of it. The proof in closed tabs uses a connection a call.
  it('repeats a POST by itself if a connection that it has used before breaks', async () => {
    assert.equal(await countPosts('keep-alive'), 2);
    assert.equal(await countPosts('close'), 1);
  });
});
