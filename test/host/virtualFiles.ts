import { addExtension } from './helper.ts';
import type { Profile } from './profile.ts';

/** The scheme of the files in memory. */
export const MEMORY = 'memory';

const MANIFEST = { name: 'memory', activationEvents: [`onFileSystem:${MEMORY}`] };

const PROVIDER = `
const { EventEmitter, FileChangeType, FileSystemError, FileType, Uri, workspace } = require('vscode');

const parentOf = (path) => path.slice(0, path.lastIndexOf('/')) || '/';

class VirtualFiles {
  #entries = new Map([['/', {}]]);
  #time = Date.now();
  #changed = new EventEmitter();
  onDidChangeFile = this.#changed.event;

  #find(uri) {
    const found = this.#entries.get(uri.path);
    if (!found) throw FileSystemError.FileNotFound(uri);
    return found;
  }

  #put(uri, bytes) {
    const type = this.#entries.has(uri.path) ? FileChangeType.Changed : FileChangeType.Created;
    if (!this.#entries.has(parentOf(uri.path))) this.createDirectory(uri.with({ path: parentOf(uri.path) }));
    // Two writes in a millisecond are two versions, too.
    this.#time = Math.max(Date.now(), this.#time + 1);
    this.#entries.set(uri.path, { bytes, mtime: this.#time });
    this.#changed.fire([{ type, uri }]);
  }

  /** All paths of a file or folder, its own included. */
  #within(uri) {
    this.#find(uri);
    return [...this.#entries.keys()].filter((path) => path === uri.path || path.startsWith(uri.path + '/'));
  }

  watch() {
    return { dispose() {} };
  }

  stat(uri) {
    const { bytes, mtime = 0 } = this.#find(uri);
    return { type: bytes ? FileType.File : FileType.Directory, ctime: 0, mtime, size: bytes?.length ?? 0 };
  }

  readDirectory(uri) {
    this.#find(uri);
    return [...this.#entries]
      .filter(([path]) => path !== '/' && parentOf(path) === uri.path)
      .map(([path, { bytes }]) => [path.slice(path.lastIndexOf('/') + 1), bytes ? FileType.File : FileType.Directory]);
  }

  createDirectory(uri) {
    if (!this.#entries.has(uri.path)) this.#put(uri);
  }

  readFile(uri) {
    const { bytes } = this.#find(uri);
    if (!bytes) throw FileSystemError.FileIsADirectory(uri);
    return bytes;
  }

  writeFile(uri, bytes, { create, overwrite }) {
    const exists = this.#entries.has(uri.path);
    if (!exists && !create) throw FileSystemError.FileNotFound(uri);
    if (exists && create && !overwrite) throw FileSystemError.FileExists(uri);
    this.#put(uri, bytes);
  }

  delete(uri) {
    for (const path of this.#within(uri)) this.#entries.delete(path);
    this.#changed.fire([{ type: FileChangeType.Deleted, uri }]);
  }

  rename(from, to, { overwrite }) {
    if (this.#entries.has(to.path) && !overwrite) throw FileSystemError.FileExists(to);
    for (const path of this.#within(from)) {
      this.#put(to.with({ path: to.path + path.slice(from.path.length) }), this.#entries.get(path).bytes);
    }
    this.delete(from);
  }
}

exports.activate = ({ subscriptions }) => {
  const provider = new VirtualFiles();
  for (const [path, text] of Object.entries(FILES)) {
    provider.writeFile(Uri.from({ scheme: SCHEME, path }), new TextEncoder().encode(text), { create: true });
  }
  subscriptions.push(workspace.registerFileSystemProvider(SCHEME, provider, { isCaseSensitive: true }));
};
`;

/**
 * Installs an extension for the browser's extension host with files in memory, as those of a virtual workspace. Each
 * window has its own, which are as given again when it's reloaded.
 * @param files texts by path, such as `/workspace/announcement.md`
 */
export function addVirtualFiles(profile: Profile, files: Readonly<Record<string, string>>): Promise<string> {
  const values = `const SCHEME = ${JSON.stringify(MEMORY)};\nconst FILES = ${JSON.stringify(files)};\n`;
  return addExtension(profile, MANIFEST, values + PROVIDER, ['browser']);
}
