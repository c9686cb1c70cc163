import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { ensureServer, type Version } from './install.ts';
import type { Profile } from './profile.ts';
import { temporaryFolder } from './temporary.ts';

const START_DEADLINE_MS = 60_000;

/** No gallery, so that nothing is looked up there. */
const OFFLINE = { EXTENSIONS_GALLERY: JSON.stringify({ serviceUrl: '' }) };

/** A running VS Code server. */
export interface Server {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** Rejects, with the end of the server's output, when it ends without having been asked to. */
  readonly died: Promise<never>;
  /** Ends its extension hosts as a crash does: nothing is told to them. */
  killExtensionHosts(): Promise<void>;
  /** Ends the server with everything it started, and waits until they are gone. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Where settings and extensions are. */
  readonly profile: Profile;
  /** A free one when not given. */
  readonly port?: number;
  /** The newest that is known to work when not given. */
  readonly version?: Version;
  /** Whether a page may bring an extension and tests along. A window that is driven so shows no toasts. */
  readonly driver?: boolean;
}

/** An extension under development, and its tests, that a page brings along. */
export interface Development {
  /** The folder of the extension, or a folder of several. */
  readonly extension: string;
  /** A module with a `run()`, inside the extension's folder. */
  readonly tests: string;
}

/** Starts a VS Code server on a free port of this machine, having installed it first where it is missing. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { node, script } = await ensureServer(options.version);
  const args = ['--bind-addr', `127.0.0.1:${options.port ?? 0}`, '--auth', 'none', ...folders(options.profile)];
  args.push('--disable-telemetry', '--disable-update-check', '--disable-getting-started-override');
  args.push('--ignore-last-opened');
  // Old ones know no options of VS Code itself.
  if (!options.version) args.push('--vscode-option', 'force-disable-user-env');
  if (options.driver) args.push('--vscode-option', 'enable-smoke-test-driver');

  const guarded = [fileURLToPath(import.meta.resolve('./guard.ts')), node, script, ...args];
  const guard = spawn(process.execPath, guarded, {
    detached: true,
    env: { ...cleanEnvironment(), ...OFFLINE, TMPDIR: await temporaryFolder('tmp') },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // Nothing is ever written there: closing it is the message, which comes too late when the guard is gone.
  guard.stdin.on('error', () => {});
  let output = '';
  for (const stream of [guard.stdout, guard.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-20_000);
    });
  }
  const exited = once(guard, 'exit');
  const died = exited.then(() => {
    throw new Error(`The VS Code server ended:\n${output}`);
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

async function killExtensionHosts(ancestor: number): Promise<void> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  const processes = [...stdout.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm)].map(([, pid, parent, args = '']) => ({
    pid: Number(pid),
    parent: Number(parent),
    args,
  }));
  const family = new Set([ancestor]);
  // Parents may be listed after their children.
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
  }
  const hosts = processes.filter(({ pid, args }) => family.has(pid) && args.includes('--type=extensionHost'));
  if (hosts.length === 0) throw new Error('No extension host is running.');
  for (const { pid } of hosts) process.kill(pid, 'SIGKILL');
}

/** The address of a workbench with this folder open; what it brings along is ignored unless the driver is on. */
export function workbench(server: Server, folder: string, development?: Development): string {
  const address = new URL(server.origin);
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

/** Without what would make the server take part in a VS Code that it is started from, or listen elsewhere. */
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
    const late = () => reject(new Error(`The VS Code server did not start in ${START_DEADLINE_MS} ms:\n${output()}`));
    setTimeout(late, START_DEADLINE_MS).unref();
  });
}
