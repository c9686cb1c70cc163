import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { ensureServer, type Version } from './install.ts';
import type { Profile } from './profile.ts';
import { temporaryFolder } from './temporary.ts';

const START_DEADLINE_MS = 60_000;

/** Removes the extension gallery, so that no requests go there. */
const OFFLINE = { EXTENSIONS_GALLERY: JSON.stringify({ serviceUrl: '' }) };

/** A running VS Code server. */
export interface Server {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** Rejects with the end of the server's output if it exits unexpectedly. */
  readonly died: Promise<never>;
  /** Kills its extension hosts without notice, as a crash would. */
  killExtensionHosts(): Promise<void>;
  /** Stops the server and its child processes. Resolves when they have exited. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** The settings and extensions. */
  readonly profile: Profile;
  /** Default: a free port. */
  readonly port?: number;
  /** Default: the newest version known to work. */
  readonly version?: Version;
  /** The extensions of VS Code to load. Default: all of them. Old versions always load all. */
  readonly builtIn?: readonly string[];
  /** Allows a page to load a development extension and tests. Such a window shows no notification toasts. */
  readonly driver?: boolean;
}

/** An extension under development and its tests. */
export interface Development {
  /** The extension's folder, or a folder of several extensions. */
  readonly extension: string;
  /** A module in the extension's folder that exports `run()`. */
  readonly tests: string;
}

/** The extensions of VS Code that tests need. Its others, about a hundred, would only slow down each start. */
export const FEW_BUILT_IN = ['json', 'markdown-basics', 'media-preview', 'theme-defaults', 'theme-seti', 'yaml'];

/** Headers of a window's requests: the server would compress all of VS Code again for each window. */
export const UNCOMPRESSED = { 'accept-encoding': 'identity' };

/** Starts a local VS Code server, after installing it if necessary. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { node, script } = await ensureServer(options.version);
  const args = ['--bind-addr', `127.0.0.1:${options.port ?? 0}`, '--auth', 'none', ...folders(options.profile)];
  args.push('--disable-telemetry', '--disable-update-check', '--disable-getting-started-override');
  args.push('--ignore-last-opened');
  // Old versions don't support `--vscode-option`.
  if (!options.version) args.push('--vscode-option', 'force-disable-user-env');
  if (options.builtIn && !options.version)
    args.push('--vscode-option', `builtin-extensions-dir=${await linkBuiltIn(script, options.builtIn)}`);
  if (options.driver) args.push('--vscode-option', 'enable-smoke-test-driver');

  const guarded = [fileURLToPath(import.meta.resolve('./guard.ts')), node, script, ...args];
  const guard = spawn(process.execPath, guarded, {
    detached: true,
    env: { ...cleanEnvironment(), ...OFFLINE, TMPDIR: await temporaryFolder('tmp') },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // Closing the pipe stops the guard. It fails if the guard has already exited.
  guard.stdin.on('error', () => {});
  let output = '';
  for (const stream of [guard.stdout, guard.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-20_000);
    });
  }
  const exited = once(guard, 'exit');
  const died = exited.then(() => {
    throw new Error(`The VS Code server exited:\n${output}`);
  });
  died.catch(() => {});
  const stop = async () => {
    guard.stdin.end();
    await exited;
  };
  try {
    const origin = await Promise.race([listening(guard, () => output), died, startDeadline(() => output)]);
    return { origin, died, killExtensionHosts: () => killExtensionHosts(guard.pid ?? 0), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns a folder with links to some of VS Code's own extensions. */
async function linkBuiltIn(script: string, names: readonly string[]): Promise<string> {
  const all = join(dirname(script), '../../lib/vscode/extensions');
  const folder = await temporaryFolder('builtin');
  await Promise.all(names.map((name) => symlink(join(all, name), join(folder, name), 'junction')));
  return folder;
}

async function killExtensionHosts(ancestor: number): Promise<void> {
  for (const pid of await extensionHosts(ancestor)) kill(pid);
}

/** Kills a process, which may have ended by itself meanwhile. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** The process IDs of the extension hosts among the descendants of a process. */
async function extensionHosts(ancestor: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  const processes = [...stdout.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm)].map(([, pid, parent, args = '']) => ({
    pid: Number(pid),
    parent: Number(parent),
    args,
  }));
  const family = new Set([ancestor]);
  // Repeats because parents may be listed after their children.
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
  }
  return processes
    .filter(({ pid, args }) => family.has(pid) && args.includes('--type=extensionHost'))
    .map(({ pid }) => pid);
}

/** Returns the URL of a workbench with this folder open. `development` needs a server with `driver`. */
export function workbench({ origin }: Pick<Server, 'origin'>, folder: string, development?: Development): string {
  const address = new URL(origin);
  address.searchParams.set('folder', folder);
  if (development) {
    const remote = (path: string) => `vscode-remote://${address.host}${pathToFileURL(path).pathname}`;
    const payload = [
      ['skipWelcome', 'true'],
      ['extensionDevelopmentPath', remote(development.extension)],
      ['extensionTestsPath', remote(development.tests)],
    ];
    address.searchParams.set('payload', JSON.stringify(payload));
  }
  return address.href;
}

/** Installs a packed extension (a `.vsix` file) into a profile. */
export async function installExtension(vsix: string, profile: Profile, version?: Version): Promise<void> {
  const { node, script } = await ensureServer(version);
  const args = [script, ...folders(profile), '--install-extension', vsix, '--force'];
  await promisify(execFile)(node, args, { env: cleanEnvironment() });
}

function folders(profile: Profile): string[] {
  const config = join(profile.userData, 'code-server.yaml');
  return ['--user-data-dir', profile.userData, '--extensions-dir', profile.extensions, '--config', config];
}

/** Removes variables that would connect the server to a surrounding VS Code, or change its address. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(VSCODE_|CODE_SERVER_|ELECTRON_|CS_)|^(PORT|PASSWORD|HASHED_PASSWORD|GITHUB_TOKEN)$/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}

function listening(guard: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve) => {
    guard.stdout?.on('data', () => {
      const [, origin] = /listening on (http:\/\/[\d.:]+)/.exec(output()) ?? [];
      if (origin) resolve(origin);
    });
  });
}

function startDeadline(output: () => string): Promise<never> {
  return new Promise((_, reject) => {
    const late = () =>
      reject(new Error(`The VS Code server didn't start within ${START_DEADLINE_MS} ms:\n${output()}`));
    setTimeout(late, START_DEADLINE_MS).unref();
  });
}
