/** Why the archive can't be used. */
export type ArchiveProblem =
  /** The disk is full. */
  | 'full'
  /** The file isn't what was written. */
  | 'damaged'
  /** A newer version of the extension has written the file. */
  | 'newer'
  /** Another window was writing for too long. */
  | 'busy'
  /** The folder can't be written, or another error of the file system or SQLite. */
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

/** SQLite's primary result codes. */
const PROBLEMS: Record<number, ArchiveProblem> = { 5: 'busy', 6: 'busy', 11: 'damaged', 13: 'full', 26: 'damaged' };

/** An error of SQLite as an {@link ArchiveError}. */
export function toArchiveError(error: unknown): ArchiveError {
  if (error instanceof ArchiveError) return error;
  const code = typeof error === 'object' && error !== null && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  return new ArchiveError(PROBLEMS[code] ?? 'failed', error instanceof Error ? error.message : String(error));
}
