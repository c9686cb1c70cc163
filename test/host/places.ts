import { cp, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { temporaryFolder } from './temporary.ts';

/** The repository: the extension as it is built here. */
export const root = resolve(import.meta.dirname, '../..');

/** Where downloaded and unpacked programs are kept between runs. */
export const cache = join(root, '.vscode-test');

/** Copies `test/workspace`, so that what is edited in a window never dirties the repository. */
export async function copyWorkspace(): Promise<string> {
  const folder = join(await temporaryFolder('workspace'), 'workspace');
  await cp(join(root, 'test/workspace'), folder, { recursive: true });
  return folder;
}

/** Whether something is there. */
export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

/** The first of these programs that is on the `PATH`. */
export async function onPath(names: readonly string[]): Promise<string | undefined> {
  const { PATH = '' } = process.env;
  const candidates = names.flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name)));
  return firstThatExists(candidates);
}

/** The first of these paths where something is. */
export async function firstThatExists(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if (await exists(path)) return path;
  return undefined;
}

/**
 * Fills `folder` unless it is there. It is filled under another name and renamed at the end, so it is whole or absent
 * even when a run is interrupted or two runs fill it at once.
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

/** Removes what runs that ended half-way left behind: their names end in the number of a process that is gone. */
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
