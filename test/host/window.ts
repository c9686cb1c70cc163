import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { useInPictures } from '../pictures.ts';
import { launchBrowser } from './browser.ts';
import { createDriver, type Driver, waitForExtensions } from './driver.ts';
import { addHelper } from './helper.ts';
import type { Version } from './install.ts';
import { packed, vsix } from './packed.ts';
import { linkExtension, type Profile, temporaryProfile, writeSettings } from './profile.ts';
import { FEW_BUILT_IN, installExtension, startServer, UNCOMPRESSED, workbench } from './server.ts';
import { userSettings, type WindowOptions } from './windowOptions.ts';
import { createWorkspace, type Workspace } from './workspaces.ts';

export type { WindowOptions };

/** The default timeout. */
const DEADLINE_MS = 60_000;

/** Keeps notifications open. VS Code hides them after one of these delays (ms), too early for a slow test. */
const NOTIFICATIONS_STAY = `{
  const { setTimeout } = globalThis;
  const hidesNotification = (delay) => [10_000, 12_000, 15_000, 18_000, 20_000].includes(delay);
  globalThis.setTimeout = (run, delay, ...rest) => setTimeout(run, hidesNotification(delay) ? 2 ** 31 - 1 : delay, ...rest);
}`;

/** A window of a real VS Code with Bot Chats installed, open on a copy of `test/workspace`. */
export interface Window extends Driver {
  /** The profile with the extensions and, on a server, the user settings. */
  readonly profile: Profile;
  /** Kills the extension host, as a crash would. With a server, it leaves VS Code, too: see {@link reopen}. */
  crash(): Promise<void>;
  /** Opens VS Code again after a crash. */
  reopen(): Promise<void>;
  /** Closes the window. */
  close(): Promise<void>;
}

/** What a browser shows, and what belongs to it. */
export interface Place {
  /** The address of VS Code. */
  readonly address: string;
  readonly workspace: Workspace;
  readonly profile: Profile;
  /** Prepares what the browser stores before VS Code starts. */
  prepare?(context: BrowserContext): Promise<void>;
  /** Kills the extension host of a window. */
  crash(page: Page): Promise<void>;
}

export interface EditorOptions {
  /** Default: the newest version known to work. */
  readonly version?: Version;
  /** Prepares the profile before VS Code starts. */
  readonly prepare?: (profile: Profile) => Promise<unknown>;
}

/** A VS Code with the packed extension, and a browser for its windows. */
export interface Editor {
  /**
   * Opens a window and waits for its extensions. Resets settings and outbox, which all windows of a server share, so
   * close the previous window first.
   */
  open(options?: WindowOptions): Promise<Window>;
  /** Stops the server and the browser. Folders are removed when this process exits. */
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
  const starting = startServer({ profile, builtIn: FEW_BUILT_IN, ...(version && { version }) });
  const [server, browser] = await Promise.all([starting, launchBrowser()]);
  let windows = 0;
  return {
    async open(options = {}) {
      if (windows++ > 0) {
        // That of the previous window may be in the middle of saving.
        await server.killExtensionHosts();
        await clearStorage(profile);
      }
      await writeSettings(profile, userSettings(options));
      const workspace = await createWorkspace(options);
      const killHosts = async (page: Page) => {
        await server.killExtensionHosts();
        // VS Code starts another by itself if it can still ask about the workspace within two seconds, which depends on the
        // machine. That one would do first what the test wants to see.
        await page.goto('about:blank');
      };
      const crash = options.extensionHost === 'web' ? killWebExtensionHost : killHosts;
      return openAt(browser, { address: workbench(server, workspace.opens), workspace, profile, crash }, options);
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

/** Opens a window in a browser that has nothing stored, and waits for its extensions. */
export async function openAt(browser: Browser, place: Place, { locale = 'en' }: WindowOptions): Promise<Window> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
    extraHTTPHeaders: UNCOMPRESSED,
  });
  const { address, workspace, profile, crash } = place;
  try {
    context.setDefaultTimeout(DEADLINE_MS);
    await context.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = '${locale}'`);
    await context.addInitScript(NOTIFICATIONS_STAY);
    await place.prepare?.(context);
    const page = await context.newPage();
    useInPictures(page);
    const open = async () => {
      await page.goto(address);
      await waitForExtensions(page);
    };
    await open();
    return {
      ...createDriver(page, workspace),
      profile,
      crash: () => crash(page),
      reopen: open,
      close: () => context.close(),
    };
  } catch (error) {
    await context.close();
    throw error;
  }
}

/** Kills the extension host in a window's browser. VS Code doesn't start another before it's reloaded. */
export async function killWebExtensionHost(page: Page): Promise<void> {
  // A worker ends with its document.
  await page.locator('iframe.web-worker-ext-host-iframe').evaluate((frame) => frame.remove());
}

/** Deletes the extension's stored files. */
async function clearStorage({ userData }: Profile): Promise<void> {
  await rm(join(userData, 'User/globalStorage/bot-chats.bot-chats'), { recursive: true, force: true, maxRetries: 5 });
}
