// An archive whose file is damaged, and everything that is done with it.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { ArchiveDatabase } from '../../../../src/chats/archive/archiveDatabase.ts';
import { type ArchiveProblem, toArchiveError } from '../../../../src/chats/archive/archiveError.ts';
import { CHAT, jsonsOf, messageOf, openArchive, openDatabase } from './archives.ts';

export const MESSAGES = Array.from({ length: 30 }, (_, at) =>
  messageOf(`m${at}`, `common word${at}`, {
    sendTime: 1_700_000_000_000 + at * 1000,
    content: { text: `common word${at}`, buttons: [[{ text: 'Yes', actionType: 3, value: 'y', url: '' }]] },
  }),
);

/** Archives a chat with these messages in a new file. Returns its number. */
export function archiveMessages(path: string, open = openArchive): number {
  const archive = open(path);
  const chat = archive.addChat(CHAT);
  archive.addLatest(chat, jsonsOf(MESSAGES), 1);
  archive.close();
  return chat;
}

/** Everything that is done with an archive. */
const callsOn = (chat: number): ((archive: ArchiveDatabase) => unknown)[] => [
  (archive) => [archive.chats(), archive.size(), archive.hasRemovals(), archive.filters()],
  (archive) => [archive.latest(chat, 20), archive.around(chat, 'm7', 5, 5), archive.firstSince(chat, 0)],
  (archive) => [archive.reopen(chat), archive.nextTask(chat), archive.beforeGap(chat, 'm7')],
  (archive) => archive.search({ text: 'common', order: 'relevance' }, 20),
  (archive) => archive.search({ text: '', order: 'newest' }, 20),
  (archive) => archive.statistics(chat, 'UTC'),
  (archive) => archive.addLatest(chat, jsonsOf([...MESSAGES, messageOf('new', 'new')]), 2),
  (archive) => [archive.removeChat(chat), archive.removeSome(), archive.removeSome(), archive.compact()],
];

/** The kind of error with which a call fails. */
export function problemOf(path: string, call: (archive: ArchiveDatabase) => unknown): ArchiveProblem | undefined {
  const database = openDatabase(path);
  try {
    call(new ArchiveDatabase(database));
    return undefined;
  } catch (error) {
    return toArchiveError(error).problem;
  } finally {
    if (database.isOpen) database.close();
  }
}

/** Asserts that everything that is done with the archive works, or says what is wrong, if its file has these bytes. */
export function assertDamageIsTold(path: string, chat: number, bytes: Uint8Array, what: string): void {
  for (const call of callsOn(chat)) {
    writeFileSync(path, bytes);
    const problem = problemOf(path, call);
    assert.ok([undefined, 'damaged', 'newer'].includes(problem), `${problem} with ${what}: ${call}`);
  }
}
