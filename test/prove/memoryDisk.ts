/**
 * A disk in memory, which may lose its power. What was synced is kept; of what wasn't, contents and names each may be lost,
 * torn or kept.
 */
import { diskFiles, type NodeFiles } from '../../src/platform/diskFiles.ts';
import type { DurableFiles } from '../../src/platform/durableFiles.ts';

/** Durable files on a disk in memory. */
export const memoryFiles = (): DurableFiles => diskFiles('/files', new MemoryDisk().files);

/**
 * What a file system promises of names: `posix` nothing before a sync of their folder, `ordered` that a name isn't kept
 * without all changes of names before it, as journaling file systems do; with `killed`, only the program ends, and all is kept.
 */
export const LOSSES = ['posix', 'ordered', 'killed'] as const;
export type Loss = (typeof LOSSES)[number];

interface File {
  text: string;
  synced: string;
  /** Unix time (ms). */
  changedAt: number;
}

interface Folder {
  names: Map<string, File | Folder>;
  synced: Map<string, File | Folder>;
}

/** A change of the names in a folder: a name stands for a file or folder, or for nothing any more. */
interface Change {
  folder: Folder;
  names: readonly (readonly [string, File | Folder | undefined])[];
  /** Something was synced since: a journal keeps it, although its folder wasn't synced. */
  isJournaled: boolean;
}

const newFolder = (): Folder => ({ names: new Map(), synced: new Map() });
const isFolder = (node: File | Folder | undefined): node is Folder => node !== undefined && 'names' in node;

/** The power is lost. */
class PowerLossError extends Error {
  override readonly name = 'PowerLossError';
}

export class MemoryDisk {
  #root = newFolder();
  /** Changes of names that may be lost, in order. */
  #pending: Change[] = [];
  #left = Number.POSITIVE_INFINITY;

  /** Nothing works any more after this many steps, until {@link recover}. */
  loseAfter(steps: number): void {
    this.#left = steps;
  }

  get isLost(): boolean {
    return this.#left < 0;
  }

  /** Power is back. `random` returns numbers from 0 to 1; always 0 for the worst. */
  recover(loss: Loss, random: () => number): void {
    const journaled = this.#pending.filter(({ isJournaled }) => isJournaled).length;
    const kept = journaled + Math.floor(random() * (this.#pending.length - journaled + 1));
    for (const [at, change] of this.#pending.entries()) {
      if (loss === 'ordered' ? at < kept : random() > 0.5) apply(change, change.folder.synced);
    }
    const seen = new Set<Folder>();
    const restore = (folder: Folder) => {
      if (seen.has(folder)) return;
      seen.add(folder);
      if (loss !== 'killed') folder.names = new Map(folder.synced);
      for (const node of folder.names.values()) {
        if (isFolder(node)) restore(node);
        else if (loss !== 'killed') node.text = tear(node, random);
        if (!isFolder(node)) node.synced = node.text;
      }
      folder.synced = new Map(folder.names);
    };
    restore(this.#root);
    this.#pending = [];
    this.#left = Number.POSITIVE_INFINITY;
  }

  /** What another disk would have after a loss of power at this moment. */
  after(loss: Loss, random: () => number): MemoryDisk {
    const disk = new MemoryDisk();
    const copies = new Map<File | Folder, File | Folder>();
    const copyOf = <N extends File | Folder>(node: N): N => {
      const known = copies.get(node) as N | undefined;
      if (known) return known;
      const copy = { ...node };
      copies.set(node, copy);
      if (isFolder(copy)) {
        copy.names = new Map(Array.from(copy.names, ([name, one]) => [name, copyOf(one)]));
        copy.synced = new Map(Array.from(copy.synced, ([name, one]) => [name, copyOf(one)]));
      }
      return copy;
    };
    disk.#root = copyOf(this.#root);
    disk.#pending = this.#pending.map(({ folder, names, isJournaled }) => ({
      folder: copyOf(folder),
      names: names.map(([name, node]) => [name, node && copyOf(node)] as const),
      isJournaled,
    }));
    disk.recover(loss, random);
    return disk;
  }

  readonly files: NodeFiles = {
    open: async (path, flags) => {
      this.#step();
      const opened = flags === 'r' ? this.#find(path) : this.#openToWrite(path, flags);
      return {
        writeFile: async (text) => {
          this.#step();
          if (isFolder(opened)) throw failure('EISDIR', path);
          opened.text += text;
          opened.changedAt = Date.now();
        },
        sync: async () => {
          this.#step();
          this.#sync(opened);
        },
        close: async () => {},
      };
    },
    readFile: async (path) => {
      this.#step();
      const node = this.#find(path);
      if (isFolder(node)) throw failure('EISDIR', path);
      return node.text;
    },
    readdir: async (path) => {
      this.#step();
      const node = this.#find(path);
      if (!isFolder(node)) throw failure('ENOTDIR', path);
      return [...node.names.keys()];
    },
    stat: async (path) => {
      this.#step();
      const node = this.#find(path);
      if (isFolder(node)) return { size: 0, mtimeMs: 0, nlink: 1, isDirectory: () => true };
      // Links are made only within a folder.
      const nlink = [...this.#parentOf(path)[0].names.values()].filter((other) => other === node).length;
      const size = Buffer.byteLength(node.text);
      return { size, mtimeMs: node.changedAt, nlink, isDirectory: () => false };
    },
    mkdir: async (path) => {
      this.#step();
      let folder = this.#root;
      for (const name of namesOf(path)) {
        const next = folder.names.get(name) ?? newFolder();
        if (!isFolder(next)) throw failure('ENOTDIR', path);
        if (!folder.names.has(name)) this.#change(folder, [name, next]);
        folder = next;
      }
    },
    rename: async (from, to) => {
      this.#step();
      const [folder, name] = this.#parentOf(from);
      const [target, newName] = this.#parentOf(to);
      if (folder !== target) throw new Error('only within a folder');
      const taken = target.names.get(newName);
      if (isFolder(taken) && taken.names.size > 0) throw failure('ENOTEMPTY', to);
      this.#change(folder, [name, undefined], [newName, this.#find(from)]);
    },
    link: async (from, to) => {
      this.#step();
      const node = this.#find(from);
      const [folder, name] = this.#parentOf(to);
      if (folder.names.has(name)) throw failure('EEXIST', to);
      this.#change(folder, [name, node]);
    },
    rm: async (path) => {
      this.#step();
      try {
        await this.#remove(path);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
      }
    },
  };

  #openToWrite(path: string, flags: string): File {
    const [folder, name] = this.#parentOf(path);
    const found = folder.names.get(name);
    if (isFolder(found)) throw failure('EISDIR', path);
    if (found && flags === 'wx') throw failure('EEXIST', path);
    const file = found ?? { text: '', synced: '', changedAt: Date.now() };
    if (!found) this.#change(folder, [name, file]);
    return file;
  }

  async #remove(path: string): Promise<void> {
    const node = this.#find(path);
    // Each of them is a step, and nobody says in which order.
    if (isFolder(node))
      for (const name of [...node.names.keys()].toReversed()) await this.files.rm(`${path}/${name}`, ALL);
    const [folder, name] = this.#parentOf(path);
    this.#change(folder, [name, undefined]);
  }

  #step(): void {
    if (this.#left > 0) this.#left--;
    else this.#left = -1;
    if (this.isLost) throw new PowerLossError();
  }

  #change(folder: Folder, ...names: Change['names'][number][]): void {
    const change = { folder, names, isJournaled: false };
    apply(change, folder.names);
    this.#pending.push(change);
  }

  #sync(node: File | Folder): void {
    for (const change of this.#pending) change.isJournaled = true;
    if (!isFolder(node)) {
      node.synced = node.text;
      return;
    }
    for (const change of this.#pending) if (change.folder === node) apply(change, node.synced);
    this.#pending = this.#pending.filter(({ folder }) => folder !== node);
  }

  #find(path: string): File | Folder {
    let node: File | Folder = this.#root;
    for (const name of namesOf(path)) {
      const next: File | Folder | undefined = isFolder(node) ? node.names.get(name) : undefined;
      if (!next) throw failure(isFolder(node) ? 'ENOENT' : 'ENOTDIR', path);
      node = next;
    }
    return node;
  }

  #parentOf(path: string): [Folder, string] {
    const names = namesOf(path);
    const name = names.pop() ?? '';
    const folder = this.#find(names.join('/'));
    if (!isFolder(folder)) throw failure('ENOTDIR', path);
    return [folder, name];
  }
}

const ALL = { recursive: true, force: true } as const;
const namesOf = (path: string) => path.split('/').filter(Boolean);
const failure = (code: string, path: string) => Object.assign(new Error(`${code}: ${path}`), { code });

function apply({ names }: Change, to: Map<string, File | Folder>): void {
  for (const [name, node] of names) {
    if (node) to.set(name, node);
    else to.delete(name);
  }
}

/** What is left of a file: what was synced, all of it, or something between, perhaps with a part that was never written. */
function tear({ text, synced }: File, random: () => number): string {
  const kept = synced.length + Math.floor(random() * (text.length - synced.length + 1));
  return random() > 0.7 ? text.slice(0, kept) + '\0'.repeat(text.length - kept) : text.slice(0, kept);
}
