import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cache, exists, fillOnce } from './places.ts';

/** A VS Code server on npm: code-server 4.139.1 is VS Code 1.139.1. */
export interface Version {
  readonly codeServer: string;
  /** The Node that it runs on; the one of this process when not given. */
  readonly node?: string;
}

const NEWEST: Version = { codeServer: '4.139.1' };

/** The oldest VS Code that the extension's manifest allows. */
export const OLDEST: Version = { codeServer: '4.100.3', node: '20.19.0' };

/** How to run an installed VS Code server. */
export interface Installation {
  readonly node: string;
  readonly script: string;
}

/**
 * Installs a VS Code server from npm unless it is there. Its native modules stay away (no compiler is needed): what
 * misses them logs an error and goes on.
 */
export async function ensureServer({ codeServer, node }: Version = NEWEST): Promise<Installation> {
  const folder = join(cache, `code-server-${codeServer}`);
  if (!(await exists(folder))) console.log(`Installing VS Code from npm (code-server ${codeServer}), once …`);
  await fillOnce(folder, async (empty) => {
    await mkdir(empty, { recursive: true });
    await writeFile(join(empty, 'package.json'), '{ "private": true, "allowScripts": { "node": true } }\n');
    // The one script that is run: it chooses the executable of this machine.
    if (node) await npm(empty, 'install', '--save-exact', `node@${node}`);
    await npm(empty, 'install', '--ignore-scripts', '--save-exact', `code-server@${codeServer}`);
    const vscode = join(empty, 'node_modules/code-server/lib/vscode');
    await npm(vscode, 'install', '--ignore-scripts', '--omit=dev');
    await npm(join(vscode, 'extensions'), 'install', '--ignore-scripts', '--omit=dev');
    // Old ones do not start without this native module, which is for passwords alone.
    if (node) await writeFile(join(empty, 'node_modules/argon2/argon2.js'), '');
  });
  const modules = join(folder, 'node_modules');
  const executable = process.platform === 'win32' ? 'node.exe' : 'node';
  return {
    node: node ? join(modules, 'node/bin', executable) : process.execPath,
    script: join(modules, 'code-server/out/node/entry.js'),
  };
}

/** Runs npm; what it prints is shown only when it fails. */
function npm(cwd: string, ...args: string[]): Promise<void> {
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier'];
  return new Promise((resolve, reject) => {
    const options = { cwd, shell: process.platform === 'win32', maxBuffer: 2 ** 26 };
    execFile('npm', [...args, ...quiet], options, (error, stdout, stderr) => {
      if (error) reject(new Error(`npm ${args.join(' ')} failed in ${cwd}:\n${stdout}${stderr}`, { cause: error }));
      else resolve();
    });
  });
}
