import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { BrowserContext, FrameLocator, Locator, Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { addHelper } from './helper.ts';
import type { Version } from './install.ts';
import { packed, vsix } from './packed.ts';
import { copyWorkspace, root } from './places.ts';
import { linkExtension, type Profile, quiet, type Settings, temporaryProfile, writeSettings } from './profile.ts';
import { installExtension, startServer, workbench } from './server.ts';

const THEMES = {
  dark: 'Dark 2026',
  light: 'Light 2026',
  'hc-dark': 'Default High Contrast',
  'hc-light': 'Default High Contrast Light',
} as const;

/** Only what hangs takes so long. */
const DEADLINE_MS = 60_000;

/** After this time, a click is taken for lost. */
const LOST_MS = 5_000;

/** More than any command needs to become possible. */
const LOOKS = 200;

/** A panel that takes the focus when it is there would end a command that is being chosen. */
const unhurried: Settings = { 'workbench.quickOpen.closeOnFocusLost': false };

/** VS Code takes a notification away after these times (milliseconds), whether a slow test has seen it or not. */
const NOTIFICATIONS_STAY = `{
  const { setTimeout } = globalThis;
  const hidesNotification = (delay) => [10_000, 12_000, 15_000, 18_000, 20_000].includes(delay);
  globalThis.setTimeout = (run, delay, ...rest) => setTimeout(run, hidesNotification(delay) ? 2 ** 31 - 1 : delay, ...rest);
}`;

export interface EditorOptions {
  /** The newest that is known to work when not given. */
  readonly version?: Version;
  /** Puts into the profile what is to be there when VS Code starts. */
  readonly prepare?: (profile: Profile) => Promise<void>;
}

/** A VS Code server in which the packed extension is installed, and a browser for its windows. */
export interface Editor {
  /**
   * Opens a window and waits until what extensions contribute is in it. Settings and outbox belong to all windows of a
   * server, and begin anew with each: the window before has to be closed.
   */
  open(options?: WindowOptions): Promise<Window>;
  /** Ends everything; its folders go when the process ends. */
  close(): Promise<void>;
}

export interface WindowOptions {
  /** Added to the quiet user settings. */
  readonly settings?: Settings;
  /** The settings of the folder. */
  readonly folderSettings?: Settings;
  /** English when not given. The workbench itself stays English: its translation is not on npm. */
  readonly locale?: 'en' | 'zh-cn';
  /** Dark when not given. */
  readonly theme?: keyof typeof THEMES;
}

/** A window of a real VS Code with Bot Chats installed, open on a copy of `test/workspace`. */
export interface Window {
  readonly page: Page;
  /** The folder that is open. */
  readonly folder: string;
  /** Where the user settings are. */
  readonly profile: Profile;
  /** Runs a command through the palette, by the title it is listed under there (`Bot Chats: Refresh`). */
  command(title: string): Promise<void>;
  /** Presses a key of the workbench, wherever the focus is. */
  press(key: string): Promise<void>;
  /** Opens a file by its path in the folder. */
  openFile(path: string): Promise<void>;
  /** The document inside the webview panel that was created with this title. */
  webview(title: string): Promise<FrameLocator>;
  /** Changes user settings, and waits until VS Code has taken them. */
  configure(settings: Settings): Promise<void>;
  /** Writes `out/screenshots/<name>.png`. */
  screenshot(name: string): Promise<void>;
  /** Reloads the window, as `Developer: Reload Window` does. */
  reload(): Promise<void>;
  /** Ends the extension host as a crash does. */
  crash(): Promise<void>;
  /** Closes the window. */
  close(): Promise<void>;
}

/** Starts a VS Code server with the contents of the package that `npm run package` made. */
export async function startEditor({ version, prepare }: EditorOptions = {}): Promise<Editor> {
  const profile = await temporaryProfile();
  await addHelper(profile);
  await prepare?.(profile);
  // VS Code takes what is in the folder of extensions for installed. The oldest one shows that it installs the package.
  if (version) await installExtension(vsix, profile, version);
  else await linkExtension(profile, packed);
  const starting = startServer({ profile, ...(version && { version }) });
  const [server, browser] = await Promise.all([starting, launchBrowser()]);
  let windows = 0;
  return {
    async open(options = {}) {
      if (windows++ > 0) await forget(profile);
      const folder = await prepareFolders(profile, options);
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      try {
        const page = await openPage(context, options.locale ?? 'en');
        await page.goto(workbench(server, folder));
        await ready(page);
        const crash = () => server.killExtensionHosts();
        return { ...driverOf(page, folder), profile, crash, close: () => context.close() };
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

/** Opens a window in a VS Code server and a browser of its own, which end with it. */
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

/** Empties the extension's own folder. */
async function forget({ userData }: Profile): Promise<void> {
  await rm(join(userData, 'User/globalStorage/bot-chats.bot-chats'), { recursive: true, force: true });
}

/** Writes the settings, and makes a folder to be opened. */
async function prepareFolders(profile: Profile, { settings, folderSettings, theme = 'dark' }: WindowOptions) {
  const folder = await copyWorkspace();
  await writeSettings(profile, { ...quiet, ...unhurried, 'workbench.colorTheme': THEMES[theme], ...settings });
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

/** VS Code marks the moment when what extensions contribute is there; icons come earlier, out of what it remembers. */
async function ready(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName('code/didLoadExtensions').length > 0);
  await page.locator('.activitybar').getByRole('tab', { name: 'Bot Chats' }).waitFor();
}

/** What can be done in the window of a page. */
function driverOf(page: Page, folder: string) {
  let changes = 0;
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
    screenshot: async (name: string) => {
      await page.screenshot({ path: join(root, 'out/screenshots', `${name}.png`) });
    },
    reload: async () => {
      // The browser's own reload would lose what VS Code has not saved yet: the editors that are open, say.
      const loaded = page.waitForEvent('load');
      await run('Developer: Reload Window');
      await loaded;
      await ready(page);
    },
  };
}

/** Opens the palette and takes the command with this title. */
async function command(page: Page, title: string): Promise<void> {
  const { input, row } = await openQuickPick(page, 'F1', title);
  // The list is made while typing: what becomes possible only now is found by typing again.
  for (let look = 0; !(await row.isVisible()); look++) {
    if (look === LOOKS) throw new Error(`There is no command "${title}".`);
    await input.fill('>');
    await input.fill(`>${title}`);
    await painted(page);
  }
  await take(row);
}

/** Opens a file by its whole path, which is not searched for: what was written just now would not be found. */
async function openFile(page: Page, path: string): Promise<void> {
  const name = basename(path);
  const { input, row } = await openQuickPick(page, 'Control+P', name);
  await input.fill(path);
  await take(row);
  // Its tab is there before it has the focus: keys would be lost.
  await page.locator(`.editor-instance .monaco-editor.focused[data-uri$="${name}"]`).waitFor();
}

/** Presses a key of the workbench. A webview that is only just loading, or getting the focus, would swallow it. */
async function press(page: Page, key: string): Promise<void> {
  await page.evaluate(() => document.activeElement instanceof HTMLIFrameElement && document.activeElement.blur());
  await page.keyboard.press(key);
}

/** Opens a quick pick with a key: its input, and the row with this label. */
async function openQuickPick(page: Page, key: string, label: string): Promise<{ input: Locator; row: Locator }> {
  await press(page, key);
  const input = page.locator('.quick-input-widget input[type="text"]');
  await input.waitFor();
  return {
    input,
    row: page.locator('.quick-input-list').getByRole('option').getByText(label, { exact: true }).first(),
  };
}

/**
 * Takes a row of a quick pick. The row goes; the input may stay, for a question of the command's own. A list that is
 * made anew while it is clicked takes no notice: the click is repeated.
 */
async function take(row: Locator): Promise<void> {
  const isGone = () =>
    row.waitFor({ state: 'hidden', timeout: LOST_MS }).then(
      () => true,
      () => false,
    );
  do await row.click();
  while (!(await isGone()));
}

/** Resolves when the page has painted what follows from what was done to it. */
async function painted(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frames = 0; frames < 6; frames++) await new Promise(requestAnimationFrame);
  });
}

/** The document of a webview is in a frame within a frame of the same origin, which alone knows the title. */
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
