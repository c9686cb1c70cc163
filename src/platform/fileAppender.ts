/**
 * Writes a file piece by piece. VS Code's file system can't append, so without Node, or for a file that isn't on this
 * computer, the pieces are buffered in memory.
 */
import { Uri, workspace } from 'vscode';
import { filesInUse } from './filesInUse.ts';
import { builtin } from './node.ts';

interface NodeFiles {
  open(
    path: string,
    flags: 'a',
  ): Promise<{ writeFile(content: string | Uint8Array): Promise<void>; close(): Promise<void> }>;
}

/** The most that is buffered (UTF-8 bytes). */
export const MAX_BUFFERED = 64_000_000;

/** A file that isn't on this computer exceeds the buffer. */
export class BufferLimitError extends Error {
  override readonly name = 'BufferLimitError';
}

/** A file in memory; texts are UTF-8. */
export class TextBuffer {
  readonly #pieces: Uint8Array<ArrayBuffer>[] = [];
  #size = 0;

  /** @throws BufferLimitError */
  append(content: string | Uint8Array<ArrayBuffer>): void {
    const piece = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    this.#size += piece.length;
    if (this.#size > MAX_BUFFERED) throw new BufferLimitError(`more than ${MAX_BUFFERED} bytes`);
    this.#pieces.push(piece);
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await new Blob(this.#pieces).arrayBuffer());
  }
}

export interface FileAppender {
  append(content: string | Uint8Array<ArrayBuffer>): Promise<void>;
  /** Renames the file to its final name. */
  finish(): Promise<void>;
  /** Removes what was written. */
  discard(): Promise<void>;
}

/** Opens `<name>.part`, which replaces the file when it is finished. */
export async function openAppender(target: Uri): Promise<FileAppender> {
  const part = target.with({ path: `${target.path}.part` });
  const discard = async () => workspace.fs.delete(part).then(undefined, () => {});
  const rename = async () => workspace.fs.rename(part, target, { overwrite: true });
  const files = target.scheme === 'file' ? nodeFiles() : undefined;
  await workspace.fs.writeFile(part, new Uint8Array());
  if (files) return { append: (content) => appendTo(part.fsPath, content, files), finish: rename, discard };
  const buffer = new TextBuffer();
  return {
    append: async (content) => buffer.append(content),
    async finish() {
      await workspace.fs.writeFile(part, await buffer.bytes());
      await rename();
    },
    discard,
  };
}

async function appendTo(path: string, content: string | Uint8Array, files: NodeFiles): Promise<void> {
  const handle = await filesInUse()(path, () => files.open(path, 'a'));
  try {
    await handle.writeFile(content);
  } finally {
    await handle.close();
  }
}

/** The user's home folder; undefined in a host without Node. */
export function homeFolder(): Uri | undefined {
  const os = builtin('node:os') as { homedir(): string } | undefined;
  return os && Uri.file(os.homedir());
}

const nodeFiles = () => builtin('node:fs/promises') as NodeFiles | undefined;
