import assert from 'node:assert/strict';
import type { ArchivedChat } from '../../../../src/chats/archive/chatTable.ts';
import { chatCoverageText, coverageText, listedKey, unarchivedText } from '../../../../src/chats/archiving/coverage.ts';
import { formatDateTime } from '../../../../src/presentation/formats.ts';
import { CHAT } from '../archive/archives.ts';

const LATE = Date.UTC(2026, 10, 26, 12);
const EARLY = Date.UTC(2025, 0, 2, 12);
const late = formatDateTime(LATE);

/** An archived chat without gaps, unless something else is given. */
const chatOf = (id: string, more: Partial<ArchivedChat> = {}) =>
  ({ botChat: { ...CHAT, id }, openGaps: 0, lostGaps: 0, checkedAt: LATE, ...more }) as ArchivedChat;
/** The chats of the sidebar, each by a letter. */
const sidebar = (ids: string) => new Set(Array.from(ids, (id) => listedKey({ ...CHAT, id })));

describe('What a search covers', () => {
  for (const [archived, listed, covered, unarchived] of [
    ['a', '', '1 chat', ''],
    ['a', 'a', '1 chat', ''],
    ['ab', 'ab', '2 chats', ''],
    ['ab', 'abc', '2 of 3 chats', 'Only 2 of 3 chats in the sidebar are archived.'],
    ['a', 'abc', '1 of 3 chats', 'Only 1 of 3 chats in the sidebar is archived.'],
    // Others are archived, too.
    ['ac', 'ab', '2 chats', 'Only 1 of 2 chats in the sidebar is archived.'],
    ['ac', 'abd', '2 chats', 'Only 1 of 3 chats in the sidebar is archived.'],
    ['c', 'ab', '1 chat', 'No chats in the sidebar are archived.'],
  ] as const)
    it(`is told by how many chats are archived (${archived}), of those in the sidebar (${listed})`, () => {
      const chats = Array.from(archived, (id) => chatOf(id));
      assert.equal(coverageText(chats, sidebar(listed)), `${covered}, until ${late}`);
      assert.equal(unarchivedText(chats, sidebar(listed)), unarchived);
    });

  for (const [what, archived, covered] of [
    [
      'reaches as far as the chat that was checked first',
      [chatOf('a'), chatOf('b', { checkedAt: EARLY })],
      `2 chats, until ${formatDateTime(EARLY)}`,
    ],
    [
      'is incomplete if a chat was never checked',
      [chatOf('a', { checkedAt: undefined })],
      '1 chat, 1 of them incomplete',
    ],
    [
      'is incomplete where messages are missing',
      [chatOf('a'), chatOf('b', { openGaps: 1 })],
      `2 chats, until ${late}, 1 of them incomplete`,
    ],
    [
      'is incomplete where messages are lost, too',
      [chatOf('a', { lostGaps: 1 }), chatOf('b', { openGaps: 1, lostGaps: 1 })],
      `2 chats, until ${late}, 2 of them incomplete`,
    ],
  ] as const)
    it(what, () => assert.equal(coverageText(archived, sidebar('')), covered));
});

describe('What is archived of a chat', () => {
  for (const [chat, text] of [
    [{}, `Archived until ${late}`],
    [{ openGaps: 1 }, `Archived until ${late}, incomplete`],
    [{ lostGaps: 1 }, `Archived until ${late}, incomplete`],
    [{ openGaps: 1, lostGaps: 1 }, `Archived until ${late}, incomplete`],
    [{ checkedAt: undefined }, 'incomplete'],
  ] as const)
    it(`is said: ${text}`, () => assert.equal(chatCoverageText(chatOf('a', chat)), text));
});
