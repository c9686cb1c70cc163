import { type Browser, chromium } from 'playwright-core';
import { findBrowser } from './chromium.ts';

/** Keeps a browser from what it does by itself on the network, and from what a machine without a display lacks. */
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-sync',
  '--no-first-run',
];

/** Starts the browser under test, headless. */
export async function launchBrowser(): Promise<Browser> {
  const { executablePath, env } = await findBrowser();
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
