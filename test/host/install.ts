import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cache, exists, fillOnce } from './places.ts';

/** A VS Code server on npm: code-server 4.139.1 is VS Code 1.139.1. */
export interface Version {
  readonly codeServer: string;
  /** The Node version to run it on. Default: this process's. */
  readonly node?: string;
}

const NEWEST: Version = { codeServer: '4.139.1' };

/** The oldest VS Code that the extension's manifest allows. */
export const OLDEST: Version = { codeServer: '4.105.1', node: '22.19.0' };

/** The executable and script of an installed VS Code server. */
export interface Installation {
  readonly node: string;
  readonly script: string;
}

/** Installs a VS Code server from npm if it's missing, without native modules, which would need a compiler. */
export async function ensureServer({ codeServer, node }: Version = NEWEST): Promise<Installation> {
  const folder = join(cache, `code-server-${codeServer}`);
  if (!(await exists(folder))) console.log(`Installing VS Code from npm (code-server ${codeServer}, first run only) …`);
  await fillOnce(folder, async (empty) => {
    await mkdir(empty, { recursive: true });
    await writeFile(join(empty, 'package.json'), '{ "private": true, "allowScripts": { "node": true } }\n');
    // The only install script that runs: it selects the executable for this platform.
    if (node) await npm(empty, 'install', '--save-exact', `node@${node}`);
    await npm(empty, 'install', '--ignore-scripts', '--save-exact', `code-server@${codeServer}`);
    const vscode = join(empty, 'node_modules/code-server/lib/vscode');
    // Old versions take this module from GitHub. Its release on npm works, too.
    const replaced = node ? ['@parcel/watcher@2.5.1'] : [];
    await npm(vscode, 'install', '--ignore-scripts', '--omit=dev', ...replaced);
    await npm(join(vscode, 'extensions'), 'install', '--ignore-scripts', '--omit=dev');
    // Old versions don't start without this native module, which only handles passwords.
    if (node) await writeFile(join(empty, 'node_modules/argon2/argon2.js'), '');
  });
  const modules = join(folder, 'node_modules');
  const executable = process.platform === 'win32' ? 'node.exe' : 'node';
  return {
    node: node ? join(modules, 'node/bin', executable) : process.execPath,
    script: join(modules, 'code-server/out/node/entry.js'),
  };
}

/** Installs a package from npm that few need, and resolves to its folder. */
export async function ensurePackage(name: string, version: string): Promise<string> {
  const folder = join(cache, `${name.replace('/', '-')}-${version}`);
  if (!(await exists(folder))) console.log(`Installing ${name} ${version} from npm (first run only) …`);
  await fillOnce(folder, async (empty) => {
    await mkdir(empty, { recursive: true });
    await writeFile(join(empty, 'package.json'), '{ "private": true }\n');
    await npm(empty, 'install', '--ignore-scripts', '--save-exact', `${name}@${version}`);
  });
  return join(folder, 'node_modules', name);
}

/** Runs npm, and shows its output only if it fails. */
export function npm(cwd: string, ...args: string[]): Promise<void> {
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier'];
  return new Promise((resolve, reject) => {
    const options = { cwd, shell: process.platform === 'win32', maxBuffer: 2 ** 26 };
    execFile('npm', [...quiet, ...args], options, (error, stdout, stderr) => {
      if (error) reject(new Error(`npm ${args.join(' ')} failed in ${cwd}:\n${stdout}${stderr}`, { cause: error }));
      else resolve();
    });
  });
}
