#!/usr/bin/env node
// Replaces the VS Code executable for @vscode/test-electron: takes the same arguments, runs the tests in a VS Code
// server and a headless browser, prints their output and exits with their code.
import { format, parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { FEW_BUILT_IN, type Server, startServer, UNCOMPRESSED, workbench } from './server.ts';

/** Stops a host that hangs. A normal run takes half as long. */
const DEADLINE_MS = 420_000;

/** Messages that the workbench logs in every run, between the output of the tests. */
const NOISE = [
  // Native modules aren't built; VS Code works without them.
  /Could not locate the bindings file|native-watchdog|spdlog|sqlite3/,
  // Stopping the extension host cancels pending work.
  /^Canceled: Canceled/,
  /^(Resolv(ing|ed) connection token|Creating a socket|(Updating|Ignoring fetching) additional builtin extensions|\[reconnection-grace-time\])/,
  /^Creation of workbench contribution .* took \d+ms/,
  /^\[(Service Worker|AgentHost\S*|AccountPolicyGate)\]/,
];

const text = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  strict: false,
  allowPositionals: true,
  options: {
    extensionDevelopmentPath: text,
    extensionTestsPath: text,
    'user-data-dir': text,
    'extensions-dir': text,
  },
});

function argument(name: string): string {
  const value = values[name];
  if (typeof value !== 'string') throw new Error(`Missing --${name}=.`);
  return value;
}

async function run(server: Server, browser: Browser): Promise<number> {
  const [folder] = positionals;
  if (!folder) throw new Error('Missing the folder to open.');
  const page = await browser.newPage({ extraHTTPHeaders: UNCOMPRESSED });
  const exited = new Promise<number>((resolve, reject) => {
    page.on('crash', () => reject(new Error('The workbench page crashed.')));
    page.on('close', () => reject(new Error('The workbench page closed before the tests ended.')));
    const late = new Error(`The tests didn't finish within ${DEADLINE_MS / 1000} s.`);
    setTimeout(reject, DEADLINE_MS, late).unref();
    page.exposeFunction('codeAutomationExit', resolve).catch(reject);
  });
  await page.exposeFunction('codeAutomationLog', printLog);
  const development = { extension: argument('extensionDevelopmentPath'), tests: argument('extensionTestsPath') };
  const opened = page.goto(workbench(server, folder, development));
  const [code] = await Promise.race([Promise.all([exited, opened]), server.died]);
  return code;
}

function printLog(_type: string, args: unknown[]): void {
  const line = format(...args);
  if (!NOISE.some((noise) => noise.test(line))) console.log(line);
}

const profile = { userData: argument('user-data-dir'), extensions: argument('extensions-dir') };
const [server, browser] = await Promise.all([
  startServer({ profile, driver: true, builtIn: FEW_BUILT_IN }),
  launchBrowser(),
]);
try {
  process.exitCode = await run(server, browser);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await Promise.all([browser.close(), server.stop()]);
}
