/** What the windows of tests have open: copies of `test/workspace`, as files or in memory. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { root } from './places.ts';
import type { Profile, Settings } from './profile.ts';
import { temporaryFolder } from './temporary.ts';
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

/** Creates the workspace of a window. One in memory is an extension of the profile. */
export async function createWorkspace(profile: Profile, options: WindowOptions): Promise<Workspace> {
  const files = await folderFiles('workspace', options.folderSettings);
  if (options.storedIn === 'memory') {
    await addVirtualFiles(profile, Object.fromEntries(files.map(([path, text]) => [`/${path}`, text])));
    const uri = (path: string) => `${MEMORY}:${posix.join('/workspace', path)}`;
    return { opens: `${MEMORY}:/workspace`, folder: '/workspace', uri };
  }
  const parent = await temporaryFolder('workspace');
  for (const [path, text] of files) {
    await mkdir(dirname(join(parent, path)), { recursive: true });
    await writeFile(join(parent, path), text);
  }
  const folder = join(parent, 'workspace');
  return { opens: folder, folder };
}

/** Returns pairs of a relative path and a text. */
async function folderFiles(folder: string, settings: Settings | undefined): Promise<[string, string][]> {
  const source = join(root, 'test/workspace');
  const read = async (name: string): Promise<[string, string]> => [
    `${folder}/${name}`,
    await readFile(join(source, name), 'utf8'),
  ];
  const files = await Promise.all((await readdir(source)).map(read));
  if (settings) files.push([`${folder}/.vscode/settings.json`, JSON.stringify(settings)]);
  return files;
}
