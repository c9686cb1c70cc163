import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const temporaryPaths = new Set<string>();

/** Returns a new path, which is removed when this process exits. */
export function temporaryPath(name: string): string {
  if (temporaryPaths.size === 0) process.once('exit', removeTemporaryFolders);
  const path = join(tmpdir(), `bot-chats-${name}-${randomUUID()}`);
  temporaryPaths.add(path);
  return path;
}

/** Creates an empty temporary folder, which is removed when this process exits. */
export async function temporaryFolder(name: string): Promise<string> {
  const folder = temporaryPath(name);
  await mkdir(folder);
  return realpath(folder);
}

function removeTemporaryFolders(): void {
  for (const folder of temporaryPaths) {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    } catch (error) {
      // Windows keeps what this process still has open, such as an archive: the system's temporary folder has it then.
      if (process.platform !== 'win32') throw error;
    }
  }
}
