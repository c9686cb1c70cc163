import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { packed } from './packed.ts';
import { copyWorkspace, root } from './places.ts';
import { linkExtension, type Profile, quiet, type Settings, temporaryProfile, writeSettings } from './profile.ts';
import { installExtension, startServer, workbench } from './server.ts';

const THEMES = {
  dark: 'Dark 2026',
  light: 'Light 2026',
  'hc-dark': 'Default High Contrast',
  'hc-light': 'Default High Contrast Light',
} as const;

const TOLD_AGAIN_MS = 3_000;
const PICK_ATTEMPTS = 10;
const PICK_MS = 1000;

export interface WindowOptions {
  /** Added to the quiet user settings. */
  readonly settings?: Settings;
  /** English when not given. The workbench itself stays English: its translation is not on npm. */
  readonly locale?: 'en' | 'zh-cn';
  /** Dark when not given. */
  readonly theme?: keyof typeof THEMES;
  /** A packed extension to install in place of the one that is built here. */
  readonly vsix?: string;
  /** Added to the environment of the extension host. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder is not trusted, and has these settings. */
  readonly untrusted?: Settings;
  /** Puts into the profile what is to be there when VS Code starts. */
  readonly prepare?: (profile: Profile) => Promise<void>;
}

/** A window of a real VS Code with Bot Chats installed, open on a copy of `test/workspace`. */
export interface Window {
  readonly page: Page;
  /** The folder that is open. */
  readonly folder: string;
  /** Runs a command through the palette, by the title it is listed under there (`Bot Chats: Refresh`). */
  command(title: string): Promise<void>;
  /** Opens a file by its path in the folder. */
  openFile(path: string): Promise<void>;
  /** The document inside the webview panel that was created with this title. */
  webview(title: string): Promise<FrameLocator>;
  /** Changes user settings, on top of those the window was opened with. */
  configure(settings: Settings): Promise<void>;
  /** Writes `out/screenshots/<name>.png`. */
  screenshot(name: string): Promise<void>;
  /** Reloads the window, as `Developer: Reload Window` does. */
  reload(): Promise<void>;
  /** Ends the extension host as a crash does. */
  crash(): Promise<void>;
  /** Ends everything; what is left of the window's folders goes when the process ends. */
  close(): Promise<void>;
}

/** Opens a window and waits until the extension's commands and views are in it. */
export async function openWindow(options: WindowOptions = {}): Promise<Window> {
  const { untrusted } = options;
  const trust = untrusted && {
    'security.workspace.trust.enabled': true,
    'security.workspace.trust.startupPrompt': 'never',
  };
  let settings = { ...quiet, ...trust, 'workbench.colorTheme': THEMES[options.theme ?? 'dark'], ...options.settings };
  const [profile, folder] = await Promise.all([temporaryProfile(settings), copyWorkspace()]);
  await (options.vsix ? installExtension(options.vsix, profile) : linkExtension(profile, packed));
  await options.prepare?.(profile);
  if (untrusted) {
    await mkdir(join(folder, '.vscode'), { recursive: true });
    await writeFile(join(folder, '.vscode/settings.json'), JSON.stringify(untrusted));
  }
  const starting = startServer({ profile, env: options.env ?? {}, trusting: !untrusted });
  const [server, browser] = await Promise.all([starting, launchBrowser()]);
  const close = async () => {
    await Promise.all([browser.close(), server.stop()]);
  };
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = '${options.locale ?? 'en'}'`);
    await page.goto(workbench(server, folder));
    await ready(page);
    return {
      page,
      folder,
      command: (title) => pick(page, 'F1', `>${title}`, title),
      openFile: (path) => openFile(page, path),
      webview: (title) => webview(page, title),
      configure: (changes) => {
        settings = { ...settings, ...changes };
        // VS Code may not have begun to watch the file, and would never hear of this: it is told once more.
        setTimeout(() => writeSettings(profile, settings).catch(() => {}), TOLD_AGAIN_MS).unref();
        return writeSettings(profile, settings);
      },
      screenshot: async (name) => void (await page.screenshot({ path: join(root, 'out/screenshots', `${name}.png`) })),
      reload: async () => {
        // The browser's own reload would lose what VS Code has not saved yet: the editors that are open, say.
        const loaded = page.waitForEvent('load');
        await pick(page, 'F1', '>Developer: Reload Window', 'Developer: Reload Window');
        await loaded;
        await ready(page);
      },
      crash: () => server.killExtensionHosts(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** VS Code marks the moment when what extensions contribute is there; icons come earlier, out of what it remembers. */
async function ready(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName('code/didLoadExtensions').length > 0);
  await page.locator('.activitybar').getByRole('tab', { name: 'Bot Chats' }).waitFor();
}

/** Opens the quick pick with a key, types into it and takes the row with this label. */
async function pick(page: Page, key: string, text: string, label: string): Promise<void> {
  const input = page.locator('.quick-input-widget input[type="text"]');
  // A key may be lost to what is only just closing.
  do await page.keyboard.press(key);
  while (!(await appears(input)));
  const row = page.locator('.quick-input-list').getByRole('option').getByText(label, { exact: true }).first();
  // The list is made while typing: what becomes possible only now is found by typing again.
  for (let attempt = 0; attempt < PICK_ATTEMPTS; attempt++) {
    await input.fill('');
    await input.fill(text);
    if (await appears(row)) {
      await row.click();
      // The row goes; the input may stay, for a question of the command's own.
      return row.waitFor({ state: 'hidden' });
    }
  }
  const others = await page.locator('.quick-input-list').getByRole('option').allTextContents();
  throw new Error(`There is no "${label}" to pick, only: ${others.join(', ')}`);
}

function appears(what: Locator): Promise<boolean> {
  return what.waitFor({ timeout: PICK_MS }).then(
    () => true,
    () => false,
  );
}

async function openFile(page: Page, path: string): Promise<void> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  await pick(page, 'Control+P', path, name);
  await page.locator('.tabs-container').getByRole('tab', { name, selected: true }).waitFor();
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
