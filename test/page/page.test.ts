import assert from 'node:assert/strict';
import { asked, file, html, open, openAnew, shown, text, words } from './shown.ts';

describe('The page', () => {
  it('asks for older messages while there is room for them, and not while it waits for them', async () => {
    const edges = (at: string) => shown.post({ type: 'edges', older: { at }, newer: { at: 'open' } });
    await openAnew([text('a'), text('b')]);
    await edges('open');
    await shown.page.waitForFunction(() => window.__host.posted.some(({ type }) => type === 'older'));
    await edges('loading');
    await shown.page.getByText('Loading…').waitFor();
    const before = (await asked('older')).length;
    await shown.show([text('a'), text('b'), text('c')]);
    await shown.page.getByText('c', { exact: true }).waitFor();
    await edges('end');
    await shown.page.getByText('This is the beginning of the history.').waitFor();
    assert.equal((await asked('older')).length, before);
  });

  it('keeps its place for VS Code, and holds no token', async () => {
    await open([text('a')]);
    const place = { service: 'https://chat.example', type: 'group', id: 'big', botId: '30481126' };
    const state = await shown.state();
    assert.deepEqual(state?.place, place);
    assert.doesNotMatch(JSON.stringify(state), /token/i);
  });

  it('lets nothing be loaded that slips through', async () => {
    await openAnew([text('a')]);
    await shown.page.evaluate(() => {
      document.body.insertAdjacentHTML('beforeend', '<img src="https://a.example/a.png"><p style="color: red">a</p>');
    });
    await shown.page.waitForFunction(() => window.__host.refused.length >= 2);
    assert.deepEqual((await shown.refused()).sort(), ['img-src https://a.example/a.png', 'style-src-attr inline']);
    assert.deepEqual(shown.requests, []);
  });

  it('speaks Chinese', async () => {
    await open([file({ fileName: '合同.pdf', fileSize: 2500 }), html('<p>a</p>')], { language: 'zh-cn' });
    assert.equal(await words('.card-title'), '文件 · 2.5 kB');
    assert.equal(await shown.page.getByRole('button', { name: '显示源代码' }).count(), 1);
  });
});
