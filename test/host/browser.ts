import { type Browser, chromium } from 'playwright-core';
import { findBrowser } from './chromium.ts';

/** Turns off background network traffic, and features that need a display. */
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-sync',
  '--no-first-run',
];

/** For names of downloaded files. A fresh machine may have no locale. */
const UTF8 = { LC_ALL: 'C.UTF-8' };

/** Launches the headless browser for the tests. */
export async function launchBrowser(): Promise<Browser> {
  const { executablePath, env } = await findBrowser();
  return chromium.launch({
    executablePath,
    env: { ...UTF8, ...process.env, ...env },
    args: QUIET,
    chromiumSandbox: false,
    // Without Playwright's listeners, these signals end this process and the browser immediately.
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}
