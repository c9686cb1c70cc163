import type { Window } from '../host/window.ts';
import { type InterceptedSandbox, serveIntercepted } from './interceptedSandbox.ts';
import { LONG_TIMEOUT_MS, openWindow } from './shared.ts';
import { expectRows } from './workbenchActions.ts';

describe('A workspace with several folders', function () {
  this.timeout(LONG_TIMEOUT_MS);
  let window: Window;
  let service: InterceptedSandbox;

  before(async () => {
    service = await serveIntercepted();
    window = await openWindow({
      settings: { ...service.settings, 'botChats.groups': ['518204736'] },
      folders: { shop: { 'botChats.groups': ['big'] }, film: { 'botChats.groups': ['563311478'] } },
    });
  });
  after(async () => {
    await window?.close();
    await service?.close();
  });

  it('has one sidebar, for which VS Code ignores the settings of its folders', async () => {
    await window.page.getByRole('tab', { name: 'Bot Chats' }).click();
    await expectRows(window.page, [
      'Set a bot token to read and send messages…',
      ...['Groups, 1', 'Fern & Kettle: the shop team, group, 342 members'],
      ...['Bots', 'Add a bot…', 'People', 'Add a person…'],
    ]);
  });

  it('has drafts in each folder', async () => {
    for (const folder of ['shop', 'film']) {
      await window.openFile(`${folder}/announcement.md`);
      await window.command('Bot Chats: Preview Draft');
      const preview = await window.webview('Preview announcement.md');
      await preview.getByRole('heading', { name: 'Maintenance on Saturday' }).waitFor();
      await window.screenshot(`folders-${folder}`);
      await window.command('View: Close All Editors');
    }
  });
});
