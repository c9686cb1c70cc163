/**
 * Files that survive a crash or a loss of power: when the promise of a change resolves, its data is stored, and so are the names
 * in all folders of its path, which may be new or gone, also by another window. What was only read may still be lost. All windows
 * share them. On this computer they are in a folder; in a browser, where there are no files, in a database. Digests name and
 * check them.
 */

/**
 * Paths are relative to a root folder, with `/` between names. Methods reject with the error of the disk or the browser. A
 * signal ends the waiting for a file that another program has open, not what has begun.
 */
export interface DurableFiles {
  /** Undefined if the file doesn't exist. A file in the place of a folder is an error. */
  read(path: string): Promise<string | undefined>;
  /** The names in a folder; none if it doesn't exist. */
  names(folder: string): Promise<string[]>;
  /** The size of a file in bytes, and when it was last changed (Unix ms); undefined if it doesn't exist. */
  stat(path: string): Promise<{ size: number; mtime: number } | undefined>;
  /** Creates or replaces a file, atomically. Only this method creates missing folders. */
  write(path: string, text: string, signal?: AbortSignal): Promise<void>;
  /** Creates a file in an existing folder, atomically. Resolves to false if the file exists. */
  create(path: string, text: string, signal?: AbortSignal): Promise<boolean>;
  /**
   * Of two windows that append at once, one may lose its text: network drives and synchronized folders don't tell them apart.
   * What one window appends comes whole and in order.
   */
  append(path: string, text: string): Promise<void>;
  /** Makes the names in a folder survive a loss of power, whichever window has changed them. */
  sync(folder: string): Promise<void>;
  /** Removes a file or a folder with its contents. */
  remove(path: string): Promise<void>;
  /**
   * Gives a folder another name beside it, atomically. Resolves to false if that is taken, or there's no such folder. Of several
   * windows, one moves it.
   */
  move(folder: string, to: string): Promise<boolean>;
  /**
   * Removes a folder with its contents in one step, if a file in it has this text. Resolves to whether it was removed. Where
   * that takes several steps, they happen `aside`: at a path beside it that no other window uses. What can't be removed is left
   * there.
   */
  removeFolder(
    folder: string,
    aside: string,
    only?: { readonly name: string; readonly text: string },
  ): Promise<boolean>;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** SHA-256 of a text or of bytes, in 64 hexadecimal digits. */
export async function hexDigest(content: string | Uint8Array): Promise<string> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const hash = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(hash), (byte) => HEX[byte]).join('');
}

/** Identifies the service at an address without naming it. */
export const serviceDigest = async (address: string) => (await hexDigest(address)).slice(0, 12);
