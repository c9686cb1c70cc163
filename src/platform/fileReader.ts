/**
 * Reads a file piece by piece. VS Code's file system only reads whole files, which is needed where a file isn't on this
 * computer.
 */
import { FileSystemError, type Uri, workspace } from 'vscode';
import { BufferLimitError, MAX_BUFFERED } from './fileAppender.ts';
import { filesInUse } from './filesInUse.ts';
import { builtin } from './node.ts';

interface Handle {
  read(buffer: Uint8Array, offset: number, length: number, position: null): Promise<{ bytesRead: number }>;
  stat(): Promise<{ size: number }>;
  close(): Promise<void>;
}

interface NodeFiles {
  open(path: string, flags: 'r'): Promise<Handle>;
}

/** How much is read at once (bytes). A compressed piece may become a thousand times as much. */
const PIECE = 2 ** 16;

/** A piece of a file, and how much of it has been read then, from 0 to 1. */
export interface FilePiece {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly done: number;
}

/** Whether VS Code's file system says that there's no such file, and not that it can't be read. */
export const isMissingFile = (error: unknown) => error instanceof FileSystemError && error.code === 'FileNotFound';

/** @throws BufferLimitError if it isn't on this computer and too large, or the file system's error */
export async function* readPieces(file: Uri): AsyncGenerator<FilePiece, void> {
  const files = file.scheme === 'file' ? (builtin('node:fs/promises') as NodeFiles | undefined) : undefined;
  if (!files) return yield* wholeFile(file);
  const handle = await filesInUse()(file.fsPath, () => files.open(file.fsPath, 'r'), { isRead: true });
  try {
    const { size } = await handle.stat();
    for (let read = 0; ; ) {
      const buffer = new Uint8Array(PIECE);
      const { bytesRead } = await handle.read(buffer, 0, PIECE, null);
      if (bytesRead === 0) return;
      read += bytesRead;
      yield { bytes: buffer.subarray(0, bytesRead), done: Math.min(1, read / size) };
    }
  } finally {
    await handle.close();
  }
}

async function* wholeFile(file: Uri): AsyncGenerator<FilePiece, void> {
  const { size } = await workspace.fs.stat(file);
  if (size > MAX_BUFFERED) throw new BufferLimitError(`${size} bytes`);
  const bytes = await workspace.fs.readFile(file);
  if (bytes.length > MAX_BUFFERED) throw new BufferLimitError(`${bytes.length} bytes`);
  for (let at = 0; at < bytes.length; at += PIECE) {
    // Each piece is a copy: VS Code's array may be a view of something larger.
    yield { bytes: bytes.slice(at, at + PIECE), done: Math.min(1, (at + PIECE) / bytes.length) };
  }
}
