/**
 * Writing a file piece by piece, which the editor's own file system cannot. Node can; where there is none, or the file
 * is not on this computer, the pieces are gathered in memory.
 */
import { Uri, workspace } from 'vscode';
import { builtin } from './node.ts';

interface NodeFiles {
  appendFile(path: string, text: string): Promise<void>;
}

/** How much is gathered in memory (UTF-8 bytes). */
const MAX_BUFFERED = 64_000_000;

/** More was written than can be gathered for a file that is not on this computer. */
export class BufferLimitError extends Error {
  override readonly name = 'TooMuchToGatherError';
}

export interface FileAppender {
  append(text: string): Promise<void>;
  /** Gives the file its name; until then, nothing whole is there. */
  finish(): Promise<void>;
  /** Removes what was written. */
  discard(): Promise<void>;
}

/** Begins a file, as `<name>.part` until it is finished; a file that has the name already stays until then. */
export async function openAppender(target: Uri): Promise<FileAppender> {
  const draft = target.with({ path: `${target.path}.part` });
  const discard = async () => workspace.fs.delete(draft).then(undefined, () => {});
  const rename = async () => workspace.fs.rename(draft, target, { overwrite: true });
  const files = target.scheme === 'file' ? nodeFiles() : undefined;
  await workspace.fs.writeFile(draft, new Uint8Array());
  if (files) return { append: (text) => files.appendFile(draft.fsPath, text), finish: rename, discard };
  const pieces: Uint8Array[] = [];
  let size = 0;
  return {
    async append(text) {
      const piece = new TextEncoder().encode(text);
      size += piece.length;
      if (size > MAX_BUFFERED) throw new BufferLimitError(`more than ${MAX_BUFFERED} bytes`);
      pieces.push(piece);
    },
    async finish() {
      await workspace.fs.writeFile(draft, new Uint8Array(await new Blob(pieces as BlobPart[]).arrayBuffer()));
      await rename();
    },
    discard,
  };
}

/** The person's own folder, where the extension runs beside it. */
export function homeFolder(): Uri | undefined {
  const os = builtin('node:os') as { homedir(): string } | undefined;
  return os && Uri.file(os.homedir());
}

const nodeFiles = () => builtin('node:fs/promises') as NodeFiles | undefined;
