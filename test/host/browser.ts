import { type Browser, chromium } from 'playwright-core';
import { bundledChromium, installedBrowser } from './chromium.ts';

/** Keeps a browser from what it does by itself on the network, and from what a machine without a display lacks. */
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-sync',
  '--no-first-run',
];

/** Starts a headless browser: the one on this machine, else the one that npm brought along. */
export async function launchBrowser(): Promise<Browser> {
  const installed = await installedBrowser();
  const { executablePath, env } = installed ? { executablePath: installed, env: {} } : await bundledChromium();
  return chromium.launch({
    executablePath,
    env: { ...process.env, ...env },
    args: QUIET,
    chromiumSandbox: false,
    // Without a listener these signals end this process at once, and the browser with it.
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}
