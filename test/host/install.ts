import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cache, exists, fillOnce } from './places.ts';

/** code-server 4.139.1 is VS Code 1.139.1; it needs Node 24. */
const VERSION = '4.139.1';

/**
 * Installs a VS Code server from npm unless it is there, and returns the script that runs it. Its native modules stay
 * away (no compiler is needed): what misses them logs an error and goes on.
 */
export async function ensureServer(): Promise<string> {
  const folder = join(cache, `code-server-${VERSION}`);
  if (!(await exists(folder))) console.log(`Installing VS Code from npm (code-server ${VERSION}), once …`);
  await fillOnce(folder, async (empty) => {
    await mkdir(empty, { recursive: true });
    await writeFile(join(empty, 'package.json'), '{ "private": true }\n');
    await npm(empty, 'install', '--save-exact', `code-server@${VERSION}`);
    const vscode = join(empty, 'node_modules/code-server/lib/vscode');
    await npm(vscode, 'install', '--omit=dev');
    await npm(join(vscode, 'extensions'), 'install', '--omit=dev');
  });
  return join(folder, 'node_modules/code-server/out/node/entry.js');
}

/** Runs npm without any package's scripts; what it prints is shown only when it fails. */
function npm(cwd: string, ...args: string[]): Promise<void> {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier'];
  return new Promise((resolve, reject) => {
    const options = { cwd, shell: process.platform === 'win32', maxBuffer: 2 ** 26 };
    execFile('npm', [...args, ...quiet], options, (error, stdout, stderr) => {
      if (error) reject(new Error(`npm ${args.join(' ')} failed in ${cwd}:\n${stdout}${stderr}`, { cause: error }));
      else resolve();
    });
  });
}
