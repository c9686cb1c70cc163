/** Scripts of the tests in Node processes of their own. */
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { isWine, root } from './places.ts';
import { temporaryFolder } from './temporary.ts';

/**
 * Bundles a script that may be killed. What is returned runs it with an argument in JSON, and resolves to what it printed,
 * or to undefined if it was killed. @throws what it printed to stderr if it failed
 */
export async function killableScript<T>(module: string): Promise<(argument: T) => Promise<string | undefined>> {
  // Without its `--import`, nothing can be fetched there.
  const command = isWine ? [...process.execArgv, module] : [await bundle(module)];
  return async (argument) => {
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [
        '--no-warnings',
        ...command,
        JSON.stringify(argument),
      ]);
      return stdout;
    } catch (error) {
      if (!wasKilled(error)) throw error;
      return undefined;
    }
  };
}

/** A bundle starts three times as fast. */
async function bundle(module: string): Promise<string> {
  const outfile = join(await temporaryFolder('process'), 'main.mjs');
  const format = { platform: 'node', format: 'esm', logLevel: 'error' } as const;
  await build({ entryPoints: [module], outfile, bundle: true, ...format });
  return outfile;
}

/** Windows has no signals: a process without output on stderr was killed. */
function wasKilled(error: unknown): boolean {
  if (!(error instanceof Error && 'signal' in error && 'stderr' in error)) return false;
  return error.signal === 'SIGKILL' || (process.platform === 'win32' && error.stderr === '');
}

/** The first line that a sandbox prints. */
export interface SandboxAddresses {
  readonly webUrl: string;
  readonly openApiUrl: string;
  /** The token of the first bot. */
  readonly token: string;
  readonly groups: readonly string[];
}

/** Starts `npm run sandbox` with these options. */
export const spawnSandbox = (...options: string[]) =>
  spawn(process.execPath, [join(root, 'test/host/sandbox.ts'), ...options], { stdio: ['ignore', 'pipe', 'pipe'] });

/** A sandbox in a process of its own, on a free port, once it has said where it is. */
export async function startSandbox(
  ...options: string[]
): Promise<SandboxAddresses & { readonly child: ChildProcessByStdio<null, Readable, Readable> }> {
  const child = spawnSandbox('--port', '0', ...options);
  const [chunk] = await once(child.stdout, 'data');
  const [line = '', ...others] = String(chunk).split('\n');
  if (others.join('') !== '') throw new Error(`The sandbox printed more than a line: ${chunk}`);
  return { ...JSON.parse(line), child };
}
