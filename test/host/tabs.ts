import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createDriver, type Driver, waitForExtensions } from './driver.ts';
import type { Profile } from './profile.ts';
import type { WindowOptions } from './windowOptions.ts';
import type { Workspace } from './workspaces.ts';

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
  /**
   * Opens a second window on the same folder, in the same browser. It closes with this one. On a server without native
   * modules, neither sees settings that the other changes before it's reloaded.
   */
  another(): Promise<Window>;
  /** Kills the extension host, as a crash would. */
  crash(): Promise<void>;
  /** Closes the window. The first window also closes the others. */
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

/** Opens a window in a browser that has nothing stored, and waits for its extensions. */
export async function openTab(browser: Browser, place: Place, { locale = 'en' }: WindowOptions): Promise<Window> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const { address, workspace, profile, crash } = place;
  const open = async (close: (page: Page) => Promise<void>): Promise<Window> => {
    const page = await context.newPage();
    await page.goto(address);
    await waitForExtensions(page);
    return {
      ...createDriver(page, workspace),
      profile,
      another: () => open((other) => other.close()),
      crash: () => crash(page),
      close: () => close(page),
    };
  };
  try {
    context.setDefaultTimeout(DEADLINE_MS);
    await context.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = '${locale}'`);
    await context.addInitScript(NOTIFICATIONS_STAY);
    await place.prepare?.(context);
    return await open(() => context.close());
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
