import assert from 'node:assert/strict';
import { ArchiveError, type ArchiveProblem } from '../../../../src/chats/archive/archiveError.ts';
import { archiveErrorText, explained, toUserFacing } from '../../../../src/chats/archiving/archiveErrorText.ts';
import { UserFacingError } from '../../../../src/presentation/errorText.ts';
import { ServiceError } from '../../../../src/service/errors.ts';

describe('An error of the archive', () => {
  const texts: Record<ArchiveProblem, string> = {
    full: 'The disk is full. What is archived is safe; free some space and try again.',
    damaged: 'The archive is damaged. Select Retry in the Archive view to start a new one; the damaged file is kept.',
    newer: 'The archive was written by a newer version of Bot Chats. Update the extension to use it.',
    busy: 'Another window is using the archive. Try again in a moment.',
    denied: "The archive's file can't be opened or changed (why). Allow your user to write to it and to its folder.",
    disk: 'The disk failed to read or write the archive (why). Check the disk and try again.',
    removed:
      'The chat has since been deleted from the archive, along with what was imported. Import the file again to start over.',
    unsupported: 'The archive needs a desktop or remote window with VS Code 1.105 or newer.',
    failed: "The archive can't be used (why). Try again, or reload the window.",
  };
  for (const [problem, text] of Object.entries(texts))
    it(`says what went wrong, and what to do: ${problem}`, () => {
      assert.equal(archiveErrorText(new ArchiveError(problem as ArchiveProblem, 'why')), text);
    });

  it('is told from those of the service', () => {
    const outage = new ServiceError({ kind: 'unreachable', reason: 'ECONNREFUSED' });
    assert.match(archiveErrorText(outage), /^Can't connect to the service/);
  });

  it('is explained to features that know nothing of it, but not twice', async () => {
    const error = new ArchiveError('busy');
    assert.ok(toUserFacing(error) instanceof UserFacingError);
    await assert.rejects(explained(Promise.reject(error)), { name: 'UserFacingError', message: texts.busy });
    const known = toUserFacing(error);
    await assert.rejects(explained(Promise.reject(known)), (thrown) => thrown === known);
    assert.equal(await explained(Promise.resolve(5)), 5);
  });
});
