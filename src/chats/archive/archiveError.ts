import { toError } from '../../service/errors.ts';

/** Why the archive can't be used. */
export type ArchiveProblem =
  /** The disk is full. */
  | 'full'
  /** The file isn't what was written. */
  | 'damaged'
  /** A newer version of the extension has written the file. */
  | 'newer'
  /** Another window was writing for too long, or has the file open. */
  | 'busy'
  /** The folder or a file can't be opened or written. */
  | 'denied'
  /** The disk fails to read or write. */
  | 'disk'
  /** The chat was removed while its messages were imported. */
  | 'removed'
  /** Another error, or the thread of the archive has ended. */
  | 'failed'
  /** This host has no SQLite. */
  | 'unsupported';

export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
  readonly problem: ArchiveProblem;

  constructor(problem: ArchiveProblem, detail = '') {
    super(detail || `archive: ${problem}`);
    this.problem = problem;
  }
}

/** What SQLite's result codes mean: a primary code for all of its extended ones that aren't here. */
const SQLITE_PROBLEMS: Record<number, ArchiveProblem> = {
  // Our statements don't change: if one names something that isn't there, the file is damaged.
  1: 'damaged',
  3: 'denied',
  5: 'busy',
  6: 'busy',
  8: 'denied',
  10: 'disk',
  11: 'damaged',
  13: 'full',
  14: 'denied',
  // Our statements keep all constraints, unless an index doesn't match its table, or a column has another type.
  19: 'damaged',
  20: 'damaged',
  23: 'denied',
  26: 'damaged',
  // A read ends early if the file was truncated.
  522: 'damaged',
  // The memory that windows share is a file, which can't grow.
  4874: 'full',
};

/** What the codes of Node's errors mean. */
const NODE_PROBLEMS: Record<string, ArchiveProblem> = {
  EACCES: 'denied',
  EBUSY: 'busy',
  EDQUOT: 'full',
  EIO: 'disk',
  EISDIR: 'denied',
  ENOSPC: 'full',
  ENOTDIR: 'denied',
  EPERM: 'denied',
  EROFS: 'denied',
  // A number that no column has.
  ERR_OUT_OF_RANGE: 'damaged',
};

/** An error of SQLite or of files as an {@link ArchiveError}. */
export function toArchiveError(error: unknown): ArchiveError {
  if (error instanceof ArchiveError) return error;
  const { code, errcode } = Object(error) as { code?: unknown; errcode?: unknown };
  const problem =
    typeof errcode === 'number'
      ? (SQLITE_PROBLEMS[errcode] ?? SQLITE_PROBLEMS[errcode & 0xff])
      : NODE_PROBLEMS[String(code)];
  return new ArchiveError(problem ?? 'failed', toError(error).message);
}
