import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { cache, exists, fillOnce, firstThatExists, onPath, root } from './places.ts';

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

/**
 * What Chromium adds to its environment on Linux, the second in a thread. A variable that is there already is replaced
 * in its place; a new one moves the list, and crashes Chromium if another thread is just reading it.
 */
const ADDED = { DBUS_SESSION_BUS_ADDRESS: 'disabled:', FC_FONTATIONS: '1' };

/** Launches the headless browser for the tests, with more arguments if necessary. */
export async function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const { executablePath, env } = await findBrowser();
  return chromium.launch({
    executablePath,
    env: { ...UTF8, ...ADDED, ...process.env, ...env },
    args: [...QUIET, ...args],
    chromiumSandbox: false,
    // Without Playwright's listeners, these signals end this process and the browser immediately.
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

const EXECUTABLES = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge',
];

/** Default install locations outside the `PATH`. */
const INSTALL_PATHS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
    (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
  ),
  win32: ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'].flatMap((file) =>
    ['C:/Program Files', 'C:/Program Files (x86)'].map((folder) => join(folder, file)),
  ),
};

interface Executable {
  readonly executablePath: string;
  /** Additional environment variables. */
  readonly env: Readonly<Record<string, string>>;
}

/** Finds a browser: `CHROME_PATH`, else the one from npm on Linux, else an installed one. @throws if there is none */
async function findBrowser(): Promise<Executable> {
  const { CHROME_PATH } = process.env;
  if (!CHROME_PATH && process.platform === 'linux') return bundledChromium();
  const executablePath = CHROME_PATH || (await installedBrowser());
  if (!executablePath) throw new Error("Can't find Chrome, Chromium or Edge. Install one, or set CHROME_PATH.");
  if (!(await exists(executablePath))) throw new Error(`CHROME_PATH doesn't exist: ${CHROME_PATH}.`);
  return { executablePath, env: {} };
}

/** Finds an installed Chromium, Chrome or Edge: on the `PATH`, else in the default locations. */
async function installedBrowser(): Promise<string | undefined> {
  return (await onPath(EXECUTABLES)) ?? firstThatExists(INSTALL_PATHS[process.platform] ?? []);
}

/** The headless Chromium from npm, unpacked on first use. Linux only. */
async function bundledChromium(): Promise<Executable> {
  const manifest = await readFile(new URL('../../package.json', import.meta.resolve('@sparticuz/chromium')), 'utf8');
  const folder = join(cache, `chromium-${JSON.parse(manifest).version}`);
  if (!(await exists(folder))) console.log('Unpacking Chromium (first run only) …');
  await fillOnce(folder, unpack);
  const fonts = join(folder, 'fonts.conf');
  await writeFile(fonts, fontConfiguration(folder));
  const env = { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_FILE: fonts };
  return { executablePath: join(folder, 'chromium'), env };
}

/** Unpacks into `TMPDIR`. The package includes its libraries only if it sees AWS Lambda's variable. */
async function unpack(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const script = `import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())`;
  const env = { ...process.env, TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' };
  await promisify(execFile)(process.execPath, ['--eval', script], { cwd: root, env });
}

/** The bundled font, plus this machine's fonts, because the bundled one lacks Chinese. */
function fontConfiguration(folder: string): string {
  const own = join(folder, 'fonts/fonts');
  const folders = [own, '/usr/share/fonts', '/usr/local/share/fonts', join(homedir(), '.local/share/fonts')];
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${folders.map((path) => `  <dir>${path}</dir>`).join('\n')}
  <include ignore_missing="yes">/etc/fonts/conf.d</include>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`;
}
