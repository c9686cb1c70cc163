import { basename, join } from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { ASKS } from './helper.ts';
import { root } from './places.ts';
import type { Settings } from './profile.ts';
import { answer, command, openPath, press } from './quickPick.ts';
import { repeatUntil } from './repeating.ts';
import type { Workspace } from './workspaces.ts';

/** What a test can do with the page of a window. */
export interface Driver {
  readonly page: Page;
  /** The open folder. */
  readonly folder: string;
  /** The palette, lists to choose from, and input boxes. */
  readonly input: Locator;
  /** A question in the middle of the window. */
  readonly dialog: Locator;
  /** The first row with this text in its name. */
  row(name: string | RegExp): Locator;
  /** A notification with this text. */
  toast(text: string | RegExp): Locator;
  /** A link above a line of the editor. */
  codeLens(name: string): Locator;
  /** Runs a command from the palette by its title there, such as `Bot Chats: Refresh`. */
  command(title: string): Promise<void>;
  /** Closes all notifications. */
  clearNotifications(): Promise<void>;
  /** Presses a workbench shortcut, wherever the focus is. */
  press(key: string): Promise<void>;
  /** Opens a file by its path in the folder. */
  openFile(path: string): Promise<void>;
  /** Finds the document of the webview panel with this title, or with one that it had before. */
  webview(...titles: string[]): Promise<FrameLocator>;
  /** Changes user settings, and waits until VS Code has applied them. */
  configure(settings: Settings): Promise<void>;
  /** Calls a tool as an agent would. It may ask first; then {@link toolResult}. */
  callTool(tool: string, input: object): Promise<void>;
  /** The result of the last tool that was called, or its error. */
  toolResult(): Promise<string>;
  /** Writes `out/screenshots/<name>.png`. */
  screenshot(name: string): Promise<void>;
  /** Reloads the window, as `Developer: Reload Window` does. */
  reload(): Promise<void>;
}

/** Drives a page in which VS Code has this workspace open. */
export function createDriver(page: Page, workspace: Workspace): Driver {
  let changes = 0;
  let calls = 0;
  const run = (title: string) => command(page, title);
  const runTest = async (title: string, argument: unknown) => {
    await run(title);
    await answer(page, ASKS, JSON.stringify(argument));
  };
  const done = (name: string) => page.locator('.statusbar').locator('.statusbar-item-label', { hasText: name });
  return {
    page,
    folder: workspace.folder,
    input: page.locator('.quick-input-widget'),
    // Notifications have the role of a dialog, too.
    dialog: page.locator('.monaco-dialog-box'),
    row: (name) => page.getByRole('treeitem', { name }).first(),
    toast: (text) => page.locator('.notification-toast').filter({ hasText: text }),
    codeLens: (name) => page.locator('.codelens-decoration').getByRole('button', { name }),
    command: run,
    clearNotifications: () => run('Notifications: Clear All Notifications'),
    press: (key) => press(page, key),
    openFile: async (path) => {
      // The tab appears before the editor has the focus, and a panel that was still loading may take it away.
      const focused = page.locator(`.editor-instance .monaco-editor.focused[data-uri$="${basename(path)}"]`);
      await repeatUntil(focused, async () => {
        // VS Code takes a path for one of the server, even in a virtual workspace.
        if (workspace.uri) await runTest('Test: Open File', workspace.uri(path));
        else await openPath(page, join(workspace.folder, path));
      });
    },
    webview: (...titles) => webview(page, titles),
    configure: async (settings) => {
      const name = `Settings ${++changes}.`;
      await runTest('Test: Apply Settings', { name, settings });
      await done(name).waitFor();
    },
    callTool: (tool, input) => runTest('Test: Call Tool', { name: `Call ${++calls}.`, tool, input }),
    toolResult: async () => (await done(`Call ${calls}.`).getAttribute('aria-label')) ?? '',
    screenshot: async (name) => {
      await page.screenshot({ path: join(root, 'out/screenshots', `${name}.png`) });
    },
    reload: async () => {
      // A browser reload would lose unsaved state, such as open editors.
      const loaded = page.waitForEvent('load');
      await run('Developer: Reload Window');
      await loaded;
      await waitForExtensions(page);
    },
  };
}

/** Waits for VS Code's performance mark. Icons alone prove nothing, because VS Code restores them earlier. */
export async function waitForExtensions(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName('code/didLoadExtensions').length > 0);
  await page.locator('.activitybar').getByRole('tab', { name: 'Bot Chats' }).waitFor();
}

/** Finds a webview's document, in a nested frame with its title. VS Code ignores a title that is set while it loads. */
async function webview(page: Page, titles: string[]): Promise<FrameLocator> {
  const found = await page.waitForFunction(
    (wanted) =>
      [...document.querySelectorAll<HTMLIFrameElement>('iframe.webview')].find((outer) =>
        wanted.includes(outer.contentDocument?.querySelector<HTMLIFrameElement>('#active-frame')?.title ?? ''),
      )?.name,
    titles,
  );
  return page.frameLocator(`iframe[name="${await found.jsonValue()}"]`).frameLocator('#active-frame');
}
