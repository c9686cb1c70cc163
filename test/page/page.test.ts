import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { packed } from '../host/packed.ts';
import { namedModules } from '../host/pages.ts';
import { deferred } from '../unit/deferred.ts';
import { all, file, historyPage, html, open, openFresh, posted, text, textIn } from './sharedHistory.ts';

describe('The history page', () => {
  it('requests older messages while there is room, but not while loading', async () => {
    const edges = (at: string) => historyPage.post({ type: 'edges', older: { at }, newer: { at: 'open' } });
    await openFresh([text('a'), text('b')]);
    await edges('open');
    await historyPage.untilPosted('older');
    await edges('loading');
    await historyPage.page.getByText('Loading…').waitFor();
    const before = (await posted('older')).length;
    await historyPage.show([text('a'), text('b'), text('c')]);
    await historyPage.page.getByText('c', { exact: true }).waitFor();
    await edges('end');
    await historyPage.page.getByText('This is the beginning of the message history.').waitFor();
    assert.equal((await posted('older')).length, before);
  });

  it('saves its chat for VS Code, without a token', async () => {
    await open([text('a')]);
    const place = { service: 'https://chat.example', kind: 'group', id: 'big', botId: '30481126' };
    const state = await historyPage.state();
    assert.deepEqual(state?.place, place);
    assert.doesNotMatch(JSON.stringify(state), /token/i);
  });

  it('gives the focus back to what had it, when VS Code focuses the page once more', async () => {
    await open([text('a')]);
    await historyPage.post({ type: 'find' });
    const box = historyPage.page.getByRole('search').getByRole('textbox');
    await box.focus();
    // As VS Code does: it focuses another frame first.
    await historyPage.page.evaluate(() => {
      const frame = document.createElement('iframe');
      document.body.append(frame);
      frame.contentWindow?.focus();
      window.focus();
      frame.remove();
    });
    assert.equal(await box.evaluate((element) => element === document.activeElement), true);
  });

  it('has a policy that blocks images and styles that sanitizing would miss', async () => {
    await openFresh([text('a')]);
    await historyPage.page.evaluate(() => {
      const image = document.createElement('img');
      image.src = 'https://a.example/a.png';
      const styled = document.createElement('p');
      styled.setAttribute('style', 'color: red');
      document.body.append(image, styled);
    });
    await historyPage.page.waitForFunction(() => window.__host.refused.length >= 2);
    assert.deepEqual((await historyPage.refused()).sort(), [
      'img-src https://a.example/a.png',
      'style-src-attr inline',
    ]);
    assert.deepEqual(historyPage.requests, []);
  });

  it('takes no HTML but from its sanitizer and its renderer', async () => {
    await openFresh([text('a')]);
    const refused = await historyPage.page.evaluate(() => {
      const ways = {
        innerHTML: () => {
          document.body.innerHTML = '<b>b</b>';
        },
        insertAdjacentHTML: () => document.body.insertAdjacentHTML('beforeend', '<b>b</b>'),
        DOMParser: () => new DOMParser().parseFromString('<b>b</b>', 'text/html'),
        // biome-ignore lint/suspicious/noExplicitAny: TypeScript doesn't know Trusted Types.
        'another policy': () => (window as any).trustedTypes.createPolicy('other', {}),
      };
      return Object.entries(ways).flatMap(([name, way]) => {
        try {
          way();
          return [];
        } catch (error) {
          return error instanceof TypeError ? name : [];
        }
      });
    });
    assert.deepEqual(refused, ['innerHTML', 'insertAdjacentHTML', 'DOMParser', 'another policy']);
    assert.equal(await all('b').count(), 0);
  });

  it('fetches what its script imports without waiting for the script', async () => {
    const modules = await namedModules('web/extension.cjs');
    assert.ok(modules.length > 1);
    await openFresh([text('a')]);
    const { page } = historyPage;
    const missing = new Set([...modules, 'page.js']);
    const allAsked = deferred<void>();
    await page.route('**/assets/*.js', async (route) => {
      const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
      assert.ok(missing.delete(name), `${name} isn't named, or is fetched twice`);
      if (missing.size === 0) allAsked.resolve();
      if (name === 'page.js') await allAsked.promise;
      await route.fallback();
    });
    await page.reload();
    await page.getByRole('main').waitFor();
    await page.unroute('**/assets/*.js');
  });

  it('has the same modules in the extension for browsers as in the other', async () => {
    const files = (await readdir(join(packed, 'dist'))).filter((name) => name.endsWith('.js'));
    const named = (await Promise.all(files.map(namedModules))).filter((names) => names.length > 0);
    assert.deepEqual(named, [await namedModules('web/extension.cjs')]);
  });

  it('is available in Chinese', async () => {
    await open([file({ fileName: '合同.pdf', fileSize: 2500 }), html('<p>a</p>')], { language: 'zh-cn' });
    assert.equal(await textIn('.card-title'), '文件 · 2.5 kB');
    assert.equal(await historyPage.page.getByRole('button', { name: '显示源代码' }).count(), 1);
  });
});
