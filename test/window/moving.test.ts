import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { repeatUntil } from '../host/repeating.ts';
import type { Window } from '../host/window.ts';
import { openWindow } from './shared.ts';
import { restingScreenshot, selectFromContextMenu } from './workbenchActions.ts';

const SHOP = 'Fern & Kettle: the shop team';

describe('Moving the outbox and the archive', () => {
  let window: Window;
  const pane = () => window.page.locator('.pane', { has: window.page.locator('.pane-header[aria-label^="Archive"]') });
  const row = () => pane().getByRole('treeitem', { name: new RegExp(SHOP) });
  const shot = (name: string) => restingScreenshot(window, `moving-${name}`);
  const press = (button: string) => window.dialog.getByRole('button', { name: button, exact: true }).click();
  /** Accepts the file in VS Code's own dialog for files of a remote computer, by its path. */
  const chooseFile = async (path: string) => {
    const box = window.input.locator('input:visible').first();
    // It takes the place of the list of commands, and begins with a path.
    await window.page.waitForFunction(
      (input) => (input as HTMLInputElement).value.includes('/'),
      await box.elementHandle(),
    );
    // Until it lists its folder, it replaces what is typed with that folder's path, and Enter accepts that.
    await window.input.getByRole('option').first().waitFor();
    await box.fill(path);
    await box.press('Enter');
    await window.input.waitFor({ state: 'hidden' });
  };

  before(async () => {
    window = await openWindow({ settings: { 'botChats.service.sandbox': true, 'botChats.groups': ['518204736'] } });
    await window.page.getByRole('tab', { name: 'Bot Chats' }).click();
    await pane().locator('.pane-header').click();
    await selectFromContextMenu(window.page, window.row(SHOP), 'Archive Messages…', 'History and Archive');
    await window.input.getByRole('option', { name: 'Entire History' }).waitFor();
    await window.input.getByPlaceholder('Messages are kept on the remote computer until').waitFor();
    await window.page.keyboard.press('Enter');
    await row().filter({ hasText: '480 messages' }).waitFor();
  });
  after(() => window?.close());

  it('takes an archived chat to an archive that was empty, and says which file it came from', async () => {
    const file = join(window.folder, 'moved.ndjson.gz');
    await window.clearNotifications();
    await window.command('Bot Chats: Copy Outbox and Archive…');
    await window.dialog.getByText('480 messages of 1 archived chat').waitFor();
    await shot('1-question');
    await press('Choose File…');
    await chooseFile(file);
    await window.toast('Saved in moved.ndjson.gz: 480 messages of 1 archived chat').waitFor();
    assert.ok((await stat(file)).size < 200_000);
    await shot('2-moved');

    await selectFromContextMenu(window.page, row(), 'Delete Archive…');
    await press('Delete');
    await row().waitFor({ state: 'detached' });
    await window.clearNotifications();

    await window.command('Bot Chats: Import Outbox and Archive…');
    await chooseFile(file);
    await window.dialog.getByText('Import moved.ndjson.gz?').waitFor();
    await shot('3-import');
    await press('Import');
    await window.toast('Imported from moved.ndjson.gz: 480 messages of 1 archived chat.').waitFor();
    // VS Code drops a hover if the row is painted again meanwhile.
    await repeatUntil(
      window.page.locator('.monaco-hover:visible').getByText('480 messages imported from'),
      async () => {
        await window.page.mouse.move(0, 0);
        await row().filter({ hasText: '480 messages' }).hover();
      },
    );
    await shot('4-imported');
  });
});
