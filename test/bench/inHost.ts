import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import esbuild from 'esbuild';
import { copyWorkspace } from '../host/places.ts';
import { temporaryProfile } from '../host/profile.ts';

/** Bundles a `*.host.ts` file of this folder for an extension host. */
export async function bundleForHost(name: string, outfile: string): Promise<void> {
  await esbuild.build({
    entryPoints: [join(import.meta.dirname, name)],
    outfile,
    bundle: true,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['worker'],
    // Code may ask where it is.
    format: 'esm',
    external: ['vscode', 'node:*'],
  });
}

/**
 * Runs a bundle from the folder `extension` in a fresh extension host, with that folder as the development extension.
 * Resolves to the JSON that it writes to the file BOT_CHATS_RESULT.
 */
export async function inFreshHost<T>(extension: string, bundle: string, env: NodeJS.ProcessEnv = {}): Promise<T> {
  const { userData, extensions } = await temporaryProfile();
  const result = join(userData, 'result.json');
  const launch = fileURLToPath(import.meta.resolve('../host/launch.ts'));
  const args = [launch, await copyWorkspace(), `--user-data-dir=${userData}`, `--extensions-dir=${extensions}`];
  args.push(`--extensionDevelopmentPath=${extension}`, `--extensionTestsPath=${bundle}`);
  const all = { ...process.env, ...env, BOT_CHATS_RESULT: result };
  await promisify(execFile)(process.execPath, args, { env: all }).catch((error) => {
    throw new Error(`The extension host failed:\n${error.stdout}${error.stderr}`);
  });
  return JSON.parse(await readFile(result, 'utf8'));
}
