import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { BrowserContext, FrameLocator, Locator, Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { addHelper } from './helper.ts';
import type { Version } from './install.ts';
import { packed, vsix } from './packed.ts';
import { copyWorkspace, root } from './places.ts';
import {
  linkExtension,
  type Profile,
  quietSettings,
  type Settings,
  temporaryProfile,
  writeSettings,
} from './profile.ts';
import { installExtension, startServer, workbench } from './server.ts';

const THEMES = {
  dark: 'Dark 2026',
  light: 'Light 2026',
  'hc-dark': 'Default High Contrast',
  'hc-light': 'Default High Contrast Light',
} as const;

/** The default timeout. */
const DEADLINE_MS = 60_000;

/** A click without effect for this long was dropped. */
const DROPPED_MS = 5_000;

/** More attempts than any command needs to become available. */
const ATTEMPTS = 200;

/** Keeps the palette open if a panel takes the focus. */
const keepQuickOpen: Settings = { 'workbench.quickOpen.closeOnFocusLost': false };

/** Keeps notifications open. VS Code hides them after one of these delays (ms), too early for a slow test. */
const NOTIFICATIONS_STAY = `{
  const { setTimeout } = globalThis;
  const hidesNotification = (delay) => [10_000, 12_000, 15_000, 18_000, 20_000].includes(delay);
  globalThis.setTimeout = (run, delay, ...rest) => setTimeout(run, hidesNotification(delay) ? 2 ** 31 - 1 : delay, ...rest);
}`;

export interface EditorOptions {
  /** Default: the newest version known to work. */
  readonly version?: Version;
  /** Prepares the profile before VS Code starts. */
  readonly prepare?: (profile: Profile) => Promise<void>;
}

/** A VS Code server with the packed extension, and a browser for its windows. */
export interface Editor {
  /**
   * Opens a window and waits for its extensions. Resets settings and outbox, which all windows of a server share, so
   * close the previous window first.
   */
  open(options?: WindowOptions): Promise<Window>;
  /** Stops the server and the browser. Folders are removed when this process exits. */
  close(): Promise<void>;
}

export interface WindowOptions {
  /** Additional user settings. */
  readonly settings?: Settings;
  /** Folder settings. */
  readonly folderSettings?: Settings;
  /** Default: English. The workbench itself stays English, because its translation isn't on npm. */
  readonly locale?: 'en' | 'zh-cn';
  /** Default: dark. */
  readonly theme?: keyof typeof THEMES;
}

/** A window of a real VS Code with Bot Chats installed, open on a copy of `test/workspace`. */
export interface Window {
  readonly page: Page;
  /** The open folder. */
  readonly folder: string;
  /** The profile with the user settings. */
  readonly profile: Profile;
  /** Runs a command from the palette by its title there, such as `Bot Chats: Refresh`. */
  command(title: string): Promise<void>;
  /** Presses a workbench shortcut, wherever the focus is. */
  press(key: string): Promise<void>;
  /** Opens a file by its path in the folder. */
  openFile(path: string): Promise<void>;
  /** Finds the document of the webview panel created with this title. */
  webview(title: string): Promise<FrameLocator>;
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
  /** Kills the extension host, as a crash would. */
  crash(): Promise<void>;
  /** Closes the window. */
  close(): Promise<void>;
}

/** Starts a VS Code server with the packed extension. */
export async function startEditor({ version, prepare }: EditorOptions = {}): Promise<Editor> {
  const profile = await temporaryProfile();
  await addHelper(profile);
  await prepare?.(profile);
  // A link in the extensions folder counts as installed. Old versions install the actual package, to test that too.
  if (version) await installExtension(vsix, profile, version);
  else await linkExtension(profile, packed);
  const starting = startServer({ profile, ...(version && { version }) });
  const [server, browser] = await Promise.all([starting, launchBrowser()]);
  let windows = 0;
  return {
    async open(options = {}) {
      if (windows++ > 0) await clearStorage(profile);
      const folder = await prepareFolders(profile, options);
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      try {
        const page = await openPage(context, options.locale ?? 'en');
        await page.goto(workbench(server, folder));
        await waitForExtensions(page);
        const crash = () => server.killExtensionHosts();
        return { ...createDriver(page, folder), profile, crash, close: () => context.close() };
      } catch (error) {
        await context.close();
        throw error;
      }
    },
    close: async () => {
      await Promise.all([browser.close(), server.stop()]);
    },
  };
}

/** Opens a window with its own VS Code server and browser, which stop when it closes. */
export async function openWindow({ settings, ...options }: EditorOptions & Pick<WindowOptions, 'settings'>) {
  const editor = await startEditor(options);
  try {
    const window = await editor.open(settings && { settings });
    return { ...window, close: () => editor.close() };
  } catch (error) {
    await editor.close();
    throw error;
  }
}

/** Deletes the extension's stored files. */
async function clearStorage({ userData }: Profile): Promise<void> {
  await rm(join(userData, 'User/globalStorage/bot-chats.bot-chats'), { recursive: true, force: true });
}

/** Writes the settings and creates the workspace folder. */
async function prepareFolders(profile: Profile, { settings, folderSettings, theme = 'dark' }: WindowOptions) {
  const folder = await copyWorkspace();
  await writeSettings(profile, {
    ...quietSettings,
    ...keepQuickOpen,
    'workbench.colorTheme': THEMES[theme],
    ...settings,
  });
  if (folderSettings) {
    await mkdir(join(folder, '.vscode'));
    await writeFile(join(folder, '.vscode/settings.json'), JSON.stringify(folderSettings));
  }
  return folder;
}

async function openPage(context: BrowserContext, locale: string): Promise<Page> {
  context.setDefaultTimeout(DEADLINE_MS);
  await context.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = '${locale}'`);
  await context.addInitScript(NOTIFICATIONS_STAY);
  return context.newPage();
}

/** Waits for VS Code's performance mark. Icons alone prove nothing, because VS Code restores them earlier. */
async function waitForExtensions(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName('code/didLoadExtensions').length > 0);
  await page.locator('.activitybar').getByRole('tab', { name: 'Bot Chats' }).waitFor();
}

/** The methods of a window that need only its page. */
function createDriver(page: Page, folder: string) {
  let changes = 0;
  let calls = 0;
  const toolFile = `${folder}.tool.json`;
  const run = (title: string) => command(page, title);
  return {
    page,
    folder,
    command: run,
    press: (key: string) => press(page, key),
    openFile: (path: string) => openFile(page, join(folder, path)),
    webview: (title: string) => webview(page, title),
    configure: async (settings: Settings) => {
      const name = `Settings ${++changes}`;
      await writeFile(`${folder}.settings.json`, JSON.stringify({ name, settings }));
      await run('Test: Apply Settings');
      await page.locator('.statusbar').getByText(name, { exact: true }).waitFor();
    },
    callTool: async (tool: string, input: object) => {
      await writeFile(toolFile, JSON.stringify({ name: `Call ${++calls}`, tool, input }));
      await run('Test: Call Tool');
    },
    toolResult: async () => {
      await page.locator('.statusbar').getByText(`Call ${calls}`, { exact: true }).waitFor();
      return (JSON.parse(await readFile(toolFile, 'utf8')) as { result: string }).result;
    },
    screenshot: async (name: string) => {
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

/** Runs a command from the palette. */
async function command(page: Page, title: string): Promise<void> {
  const { input, row } = await openQuickPick(page, 'F1', title);
  // The list is built while typing, so a command that has just become available needs retyping.
  for (let attempt = 0; !(await row.isVisible()); attempt++) {
    if (attempt === ATTEMPTS) throw new Error(`There is no command "${title}".`);
    await input.fill('>');
    await input.fill(`>${title}`);
    await waitForPaint(page);
  }
  await accept(row);
}

/** Opens a file by its full path, because search doesn't find new files yet. */
async function openFile(page: Page, path: string): Promise<void> {
  const name = basename(path);
  const { input, row } = await openQuickPick(page, 'Control+P', name);
  await input.fill(path);
  await accept(row);
  // The tab appears before the editor has the focus.
  await page.locator(`.editor-instance .monaco-editor.focused[data-uri$="${name}"]`).waitFor();
}

/** Presses a workbench shortcut. Blurs webviews first, because one that is loading swallows keys. */
async function press(page: Page, key: string): Promise<void> {
  await page.evaluate(() => document.activeElement instanceof HTMLIFrameElement && document.activeElement.blur());
  await page.keyboard.press(key);
}

/** Opens a quick pick with a shortcut. Returns its input and the row with this label. */
async function openQuickPick(page: Page, key: string, label: string): Promise<{ input: Locator; row: Locator }> {
  await press(page, key);
  const input = page.locator('.quick-input-widget input[type="text"]');
  await input.waitFor();
  return {
    input,
    row: page.locator('.quick-input-list').getByRole('option').getByText(label, { exact: true }).first(),
  };
}

/** Clicks a quick pick row until it disappears, because a list drops clicks while it refreshes. */
async function accept(row: Locator): Promise<void> {
  const isGone = () =>
    row.waitFor({ state: 'hidden', timeout: DROPPED_MS }).then(
      () => true,
      () => false,
    );
  do await row.click();
  while (!(await isGone()));
}

/** Resolves when the page has painted all pending changes. */
async function waitForPaint(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frames = 0; frames < 6; frames++) await new Promise(requestAnimationFrame);
  });
}

/** Finds a webview's document, which is in a nested frame that carries the title. */
async function webview(page: Page, title: string): Promise<FrameLocator> {
  const found = await page.waitForFunction(
    (wanted) =>
      [...document.querySelectorAll<HTMLIFrameElement>('iframe.webview')].find(
        (outer) => outer.contentDocument?.querySelector<HTMLIFrameElement>('#active-frame')?.title === wanted,
      )?.name,
    title,
  );
  return page.frameLocator(`iframe[name="${await found.jsonValue()}"]`).frameLocator('#active-frame');
}
