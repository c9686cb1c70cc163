/** A file system whose files other programs have open: whatever touches a name may be refused, as Windows does. */
import type { NodeFiles } from '../../src/platform/diskFiles.ts';

export interface Refusal {
  code: 'EACCES' | 'EBUSY' | 'EPERM';
  /** Whether it's done nevertheless, as far as that can be. */
  isDone: boolean;
}

type Operation = 'open' | 'mkdir' | 'rename' | 'link' | 'rm' | 'readFile' | 'readdir' | 'stat';

/** Whether an operation is refused, and how. */
type Refuse = (operation: Operation, path: string) => Refusal | undefined;

/** These files, some of whose operations are refused. */
export function heldFiles(files: NodeFiles, refuse: Refuse): NodeFiles {
  const attempt = async <T>(operation: Operation, path: string, act: () => Promise<T>, done = act as () => unknown) => {
    const refusal = refuse(operation, path);
    if (!refusal) return act();
    if (refusal.isDone) await done();
    throw Object.assign(new Error(`${refusal.code}: ${operation} '${path}'`), { code: refusal.code });
  };
  return {
    open: (path, flags) => {
      const open = () => files.open(path, flags);
      return attempt('open', path, open, async () => (await open()).close());
    },
    readFile: (path, encoding) => attempt('readFile', path, () => files.readFile(path, encoding)),
    readdir: (path) => attempt('readdir', path, () => files.readdir(path)),
    stat: (path) => attempt('stat', path, () => files.stat(path)),
    mkdir: (path, options) => attempt('mkdir', path, () => files.mkdir(path, options)),
    rename: (from, to) => attempt('rename', to, () => files.rename(from, to)),
    link: (from, to) => attempt('link', to, () => files.link(from, to)),
    rm: (path, options) => attempt('rm', path, () => files.rm(path, options)),
  };
}
