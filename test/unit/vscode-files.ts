/** Files of the stub of `vscode`: on disk, or those of a provider. */
import type { Stats } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type * as vscode from 'vscode';
import type { URI } from 'vscode-uri';
import { Disposable, EventEmitter, FileSystemError, FileType, type RelativePattern } from './vscode-values.ts';

const providers = new Map<string, vscode.FileSystemProvider>();

/** Files on disk, or those of the provider for another scheme. */
export function filesOf({ scheme }: URI): Pick<vscode.FileSystem, keyof typeof disk> {
  return (providers.get(scheme) as Pick<vscode.FileSystem, keyof typeof disk> | undefined) ?? disk;
}

const notFound = (error: unknown): never => {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  throw isMissing ? FileSystemError.FileNotFound(error.message) : error;
};

/** Neither a file nor a folder: a device, a pipe, a socket. */
const typeOf = (found: Stats) =>
  found.isDirectory() ? FileType.Directory : found.isFile() ? FileType.File : FileType.Unknown;

const disk = {
  readFile: async ({ fsPath }: URI): Promise<Uint8Array> => readFile(fsPath).catch(notFound),
  writeFile: async ({ fsPath }: URI, bytes: Uint8Array) => {
    await mkdir(dirname(fsPath), { recursive: true });
    await writeFile(fsPath, bytes);
  },
  createDirectory: async ({ fsPath }: URI) => void (await mkdir(fsPath, { recursive: true })),
  readDirectory: async ({ fsPath }: URI): Promise<[string, vscode.FileType][]> =>
    (await readdir(fsPath, { withFileTypes: true }).catch(notFound)).map((entry) => [
      entry.name,
      entry.isDirectory() ? FileType.Directory : FileType.File,
    ]),
  stat: async ({ fsPath }: URI) => {
    const found = await stat(fsPath).catch(notFound);
    const isLink = (await lstat(fsPath)).isSymbolicLink();
    const type = typeOf(found) | (isLink ? FileType.SymbolicLink : 0);
    return { type, ctime: found.ctimeMs, mtime: found.mtimeMs, size: found.size };
  },
  delete: async ({ fsPath }: URI, options: { recursive?: boolean } = {}) => rm(fsPath, options).catch(notFound),
  rename: async (from: URI, to: URI, options: { overwrite?: boolean } = {}) => {
    if (!options.overwrite && (await stat(to.fsPath).catch(() => undefined))) throw new Error('FileExists');
    await rename(from.fsPath, to.fsPath).catch(notFound);
  },
};

const readOnly = new Set<string>();

export function registerFileSystemProvider(
  scheme: string,
  provider: vscode.FileSystemProvider,
  { isReadonly }: { isReadonly?: boolean } = {},
): Disposable {
  providers.set(scheme, provider);
  if (isReadonly) readOnly.add(scheme);
  return new Disposable(() => providers.delete(scheme));
}

const written = new EventEmitter<URI>();
const never = new EventEmitter<never>().event;

/** Notices what is written to a file by its full name, or with `*` to any file in a folder. */
export const createFileSystemWatcher = ({ baseUri, pattern }: RelativePattern) => ({
  onDidChange: (listener: (uri: URI) => unknown) =>
    written.event((uri) => {
      const isIn = pattern === '*' && `${uri}`.replace(/[^/]*$/, '') === `${baseUri}/`;
      if (isIn || `${uri}` === `${baseUri}/${pattern}`) listener(uri);
    }),
  onDidCreate: never,
  onDidDelete: never,
  dispose: () => {},
});

export const fs = {
  readFile: async (uri: URI) => filesOf(uri).readFile(uri),
  writeFile: async (uri: URI, bytes: Uint8Array) => {
    await filesOf(uri).writeFile(uri, bytes);
    written.fire(uri);
  },
  createDirectory: async (uri: URI) => filesOf(uri).createDirectory(uri),
  readDirectory: async (uri: URI) => filesOf(uri).readDirectory(uri),
  stat: async (uri: URI) => filesOf(uri).stat(uri),
  delete: async (uri: URI, options?: { recursive?: boolean }) => filesOf(uri).delete(uri, options),
  rename: async (from: URI, to: URI, options?: { overwrite?: boolean }) => filesOf(from).rename(from, to, options),
  isWritableFileSystem: (scheme: string) => scheme === 'file' || (providers.has(scheme) && !readOnly.has(scheme)),
};
