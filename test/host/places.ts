import { cp, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { temporaryFolder } from './temporary.ts';

/** The root of the repository. */
export const root = resolve(import.meta.dirname, '../..');

/**
 * Whether these tests run on Node for Windows under Wine, where programs in Go, such as esbuild, don't start, and errors have
 * other codes in a few places, which ask for this.
 */
export const isWine = process.platform === 'win32' && process.env.WINEPREFIX !== undefined;

/** Downloaded and unpacked programs, kept between runs. */
export const cache = join(root, '.vscode-test');

/** Copies `test/workspace`, so that edits in a window don't change the repository. */
export async function copyWorkspace(): Promise<string> {
  const folder = join(await temporaryFolder('workspace'), 'workspace');
  await cp(join(root, 'test/workspace'), folder, { recursive: true });
  return folder;
}

/** Whether a file or folder exists. */
export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

/** Returns the first of these programs on the `PATH`. */
export async function onPath(names: readonly string[]): Promise<string | undefined> {
  const { PATH = '' } = process.env;
  const candidates = names.flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name)));
  return firstThatExists(candidates);
}

/** Returns the first of these paths that exists. */
export async function firstThatExists(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if (await exists(path)) return path;
  return undefined;
}

/**
 * Creates `folder` if it doesn't exist. Fills it under a temporary name and renames it, so it's complete or absent even
 * if a run is interrupted or two runs fill it at once.
 */
export async function fillOnce(folder: string, fill: (folder: string) => Promise<void>): Promise<void> {
  if (await exists(folder)) return;
  await removeAbandoned(folder);
  const unfinished = `${folder}.${process.pid}`;
  try {
    await fill(unfinished);
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!(await exists(folder))) throw error;
  }
}

/** Removes unfinished folders of interrupted runs: those named for a process ID that no longer exists. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(dirname(folder)).catch(() => [])) {
    const [, pid] = name.startsWith(`${basename(folder)}.`) ? (/\.(\d+)$/.exec(name) ?? []) : [];
    if (pid && !isRunning(Number(pid))) await rm(join(dirname(folder), name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
