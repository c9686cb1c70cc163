import assert from 'node:assert/strict';
import { ArchiveError, type ArchiveProblem, toArchiveError } from '../../../../src/chats/archive/archiveError.ts';

/** SQLite's result codes (https://sqlite.org/rescode.html). */
const SQLITE: Record<string, [code: number, problem: ArchiveProblem]> = {
  SQLITE_ERROR: [1, 'damaged'],
  SQLITE_PERM: [3, 'denied'],
  SQLITE_BUSY: [5, 'busy'],
  SQLITE_BUSY_SNAPSHOT: [517, 'busy'],
  SQLITE_LOCKED: [6, 'busy'],
  SQLITE_NOMEM: [7, 'failed'],
  SQLITE_READONLY: [8, 'denied'],
  SQLITE_IOERR: [10, 'disk'],
  SQLITE_IOERR_FSYNC: [1034, 'disk'],
  SQLITE_IOERR_SHORT_READ: [522, 'damaged'],
  SQLITE_IOERR_SHMSIZE: [4874, 'full'],
  SQLITE_CORRUPT: [11, 'damaged'],
  SQLITE_FULL: [13, 'full'],
  SQLITE_CANTOPEN: [14, 'denied'],
  SQLITE_CONSTRAINT_UNIQUE: [2067, 'damaged'],
  SQLITE_MISMATCH: [20, 'damaged'],
  SQLITE_MISUSE: [21, 'failed'],
  SQLITE_AUTH: [23, 'denied'],
  SQLITE_NOTADB: [26, 'damaged'],
};

const NODE: Record<string, ArchiveProblem> = {
  EACCES: 'denied',
  EBUSY: 'busy',
  EDQUOT: 'full',
  EIO: 'disk',
  EISDIR: 'denied',
  EMFILE: 'failed',
  ENOSPC: 'full',
  ENOTDIR: 'denied',
  EPERM: 'denied',
  EROFS: 'denied',
  ERR_OUT_OF_RANGE: 'damaged',
};

describe('What prevents the archive', () => {
  for (const [name, [errcode, problem]] of Object.entries(SQLITE))
    it(`is known by the code of SQLite: ${name} is ${problem}`, () => {
      const error = toArchiveError(Object.assign(new Error('why'), { code: 'ERR_SQLITE_ERROR', errcode }));
      assert.equal(error.problem, problem);
      assert.equal(error.message, 'why');
    });

  for (const [code, problem] of Object.entries(NODE))
    it(`is known by the code of Node: ${code} is ${problem}`, () => {
      assert.equal(toArchiveError(Object.assign(new Error('why'), { code })).problem, problem);
    });

  it('is not known of anything else', () => {
    for (const thrown of [new Error('why'), 'why']) {
      const error = toArchiveError(thrown);
      assert.equal(error.problem, 'failed');
      assert.equal(error.message, 'why');
    }
    assert.equal(toArchiveError(undefined).problem, 'failed');
  });

  it('stays what it is', () => {
    const error = new ArchiveError('newer');
    assert.equal(toArchiveError(error), error);
    assert.equal(error.message, 'archive: newer');
    assert.equal(error.name, 'ArchiveError');
  });
});
