/**
 * Files that survive a crash or a loss of power: data is stored when a promise resolves, and so are names, also those of new
 * folders and of what was removed. All windows share them. On this computer they are in a folder; in a browser, where there
 * are no files, in a database.
 */

/** Paths are relative to a root folder, with `/` between names. Methods reject with the error of the disk or the browser. */
export interface DurableFiles {
  /** Undefined if the file doesn't exist. */
  read(path: string): Promise<string | undefined>;
  /** The names in a folder; none if it doesn't exist. */
  names(folder: string): Promise<string[]>;
  /** The size of a file in bytes, and when it was last changed (Unix ms); undefined if it doesn't exist. */
  stat(path: string): Promise<{ size: number; mtime: number } | undefined>;
  /** Creates or replaces a file, atomically. Only this method creates missing folders. */
  write(path: string, text: string): Promise<void>;
  /** Creates a file in an existing folder, atomically. Resolves to false if the file exists. */
  create(path: string, text: string): Promise<boolean>;
  append(path: string, text: string): Promise<void>;
  /** Removes a file or a folder with its contents. */
  remove(path: string): Promise<void>;
}
