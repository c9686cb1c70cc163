/** What the windows of tests have open: copies of `test/workspace`, as files or in memory. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { copyWorkspace, root } from './places.ts';
import type { Profile } from './profile.ts';
import { addVirtualFiles, MEMORY } from './virtualFiles.ts';
import type { WindowOptions } from './windowOptions.ts';

/** An open workspace. */
export interface Workspace {
  /** The path or URI of the folder that VS Code opens. */
  readonly opens: string;
  /** The path of the folder. */
  readonly folder: string;
  /** Returns the URI of a file of the folder, if it isn't on the disk. */
  readonly uri?: (path: string) => string;
}

/** Creates a workspace in files. */
export async function createWorkspace({ folderSettings }: WindowOptions): Promise<Workspace> {
  const folder = await copyWorkspace();
  if (folderSettings) {
    await mkdir(join(folder, '.vscode'));
    await writeFile(join(folder, '.vscode/settings.json'), JSON.stringify(folderSettings));
  }
  return { opens: folder, folder };
}

/** Creates a workspace in memory, as an extension of the profile. */
export async function createVirtualWorkspace(profile: Profile): Promise<Workspace> {
  const folder = '/workspace';
  const files: Record<string, string> = {};
  const source = join(root, 'test/workspace');
  for (const name of await readdir(source)) files[`${folder}/${name}`] = await readFile(join(source, name), 'utf8');
  await addVirtualFiles(profile, files);
  return { opens: `${MEMORY}:${folder}`, folder, uri: (path) => `${MEMORY}:${posix.join(folder, path)}` };
}
