// A chat on a service that changes, fails and is archived meanwhile, at random.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ArchiveDatabase } from '../../../../src/chats/archive/archiveDatabase.ts';
import { type ArchiverOptions, catchUp, jsonsOf } from '../../../../src/chats/archive/archiver.ts';
import type { Page } from '../../../../src/service/client.ts';
import { isFailure } from '../../../../src/service/errors.ts';
import { type Listed, oldestFirst, sendTimeOf } from '../../../../src/service/message.ts';
import { ModelChat } from '../modelChat.ts';
import { CHAT, remote } from './archives.ts';

/** Something that happens to the chat, or is done with it. */
export type Step =
  | { readonly do: 'send'; readonly count: number; readonly unreadable: boolean }
  | { readonly do: 'delete'; readonly from: number; readonly count: number }
  /** A history reads a page around a message, which is archived, too. */
  | { readonly do: 'read'; readonly at: number; readonly before: number; readonly after: number }
  /** Catches up in one window or several until the page with this number, where it's interrupted. */
  | { readonly do: 'catchUp'; readonly windows: number; readonly pages: number; readonly failures: number }
  /** Another window, or the same one after it was killed, goes on with the same file. */
  | { readonly do: 'reopen' };

/** More pages than any of the chats has, in all windows. */
const MAX_PAGES = 2_000;

/** Times in order, some of them missing or wrong. */
const habits = fc
  .record({ limit: fc.constantFrom(3, 20, 1000), wrong: fc.array(fc.nat(300), { maxLength: 12 }) })
  .map(({ limit, wrong }) => ({
    limit,
    wrong,
    time: (index: number) => (wrong.includes(index) ? (index % 2 === 0 ? undefined : 10_000 - index) : 1000 + index),
  }));

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('send' as const), count: fc.integer({ min: 1, max: 150 }), unreadable: fc.boolean() }),
  fc.record({ do: fc.constant('delete' as const), from: fc.nat(400), count: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ do: fc.constant('read' as const), at: fc.nat(400), before: fc.nat(30), after: fc.nat(30) }),
  fc.record({
    do: fc.constant('catchUp' as const),
    windows: fc.integer({ min: 1, max: 2 }),
    pages: fc.nat(6),
    failures: fc.nat(2),
  }),
  fc.record({ do: fc.constant('reopen' as const) }),
);

export const lives = fc.record({
  habits,
  isReversed: fc.boolean(),
  lost: fc.constantFrom('rejects' as const, 'empty' as const, 'without' as const),
  steps: fc.array(step, { maxLength: 12 }),
});
export type Life = typeof lives extends fc.Arbitrary<infer T> ? T : never;

/** Runs the steps, catches up without faults, and checks that the archive is the chat. `open` opens the same file again. */
export async function live({ habits, isReversed, lost, steps }: Life, open: () => ArchiveDatabase): Promise<void> {
  const chat = new ModelChat(habits);
  // With wrong clocks, nothing may tell the order of a page.
  chat.isReversed = isReversed && habits.wrong.length === 0;
  chat.lost = lost;
  let archive = open();
  const number = archive.addChat(CHAT);
  /** IDs of messages that were archived. They stay, whatever the service does. */
  const kept = new Set<string>();
  let unreadable = 0;
  const keep = (msgIds: readonly (string | undefined)[]) => {
    for (const msgId of msgIds) if (msgId) kept.add(msgId);
  };
  /** Whether a page was in an order that nothing told, because most of its clocks were wrong. */
  let isMisled = false;
  const list = async (page: Page) => {
    const listed = await chat.list(page);
    isMisled ||= !isOneSided(page) && !chat.isReversed && runsBackwards(listed);
    return listed;
  };
  const run = async (pages: number) => {
    const abort = new AbortController();
    let left = pages;
    let read = 0;
    const options: ArchiverOptions = {
      archive: remote(archive),
      list,
      now: () => 0,
      onPage: () => {
        keep(archived(archive, number));
        assert.ok(++read < MAX_PAGES, 'catching up never ends');
        if (left-- === 0) abort.abort();
      },
    };
    await catchUp(number, options, abort.signal).catch((error) => {
      if (!abort.signal.aborted && !isFailure(error, 'unreachable')) throw error;
    });
  };
  for (const one of steps) {
    if (one.do === 'send') {
      for (let count = 0; count < one.count; count++) {
        const isUnreadable = one.unreadable && count % 7 === 3;
        chat.send(isUnreadable ? `u${unreadable++}` : undefined);
      }
    } else if (one.do === 'delete') {
      for (const sent of chat.sent.slice(one.from, one.from + one.count)) sent.isDeleted = true;
    } else if (one.do === 'read') {
      const msgId = chat.sent[one.at]?.msgId;
      if (!msgId || chat.sent[one.at]?.isDeleted) continue;
      const page = await list({ anchor: msgId, before: one.before, after: one.after });
      const end = one.after === 0 ? ('newest' as const) : one.before === 0 ? ('oldest' as const) : undefined;
      archive.addPage(number, await jsonsOf(oldestFirst(page, end && { msgId, is: end })));
      keep(archived(archive, number));
    } else if (one.do === 'catchUp') {
      chat.failures = one.failures;
      await Promise.all(Array.from({ length: one.windows }, () => run(one.pages)));
      chat.failures = 0;
    } else archive = open();
  }
  await run(Infinity);

  const all = archived(archive, number);
  const present = chat.sent.filter(({ isDeleted }) => !isDeleted);
  const ids = all.filter((msgId) => msgId !== undefined);
  assert.equal(new Set(ids).size, ids.length, 'a message is archived twice');
  for (const msgId of kept) assert.ok(archive.around(number, msgId, 0, 0), `${msgId} is gone`);
  const presentIds = present.flatMap(({ msgId }) => msgId ?? []);
  const order = ids.filter((msgId) => presentIds.includes(msgId));
  const { lostGaps, openGaps, messages } = archive.chats()[0] ?? assert.fail();
  assert.equal(openGaps, 0);
  if (lostGaps === 0) assert.equal(messages, all.length);
  if (lostGaps === 0)
    assert.deepEqual(isMisled ? order.toSorted() : order, isMisled ? presentIds.toSorted() : presentIds);
  else assert.deepEqual(new Set(order).size, order.length);
  const unreadables = all.length - ids.length;
  assert.ok(unreadables <= unreadable, 'an unreadable entry is archived twice');
  const hadDeletions = chat.sent.some(({ isDeleted }) => isDeleted);
  if (!hadDeletions && !isMisled) {
    assert.equal(lostGaps, 0);
    assert.deepEqual(
      all,
      present.map(({ msgId }) => msgId),
    );
  }
}

const isOneSided = (page: Page) => !('latest' in page) && (!page.before || !page.after);

/** Whether times rise in a page that is listed newest first. */
function runsBackwards(newestFirst: readonly Listed[]): boolean {
  const times = newestFirst.map(sendTimeOf).filter((time) => time !== undefined);
  const steps = times.slice(1).map((time, at) => Math.sign(time - (times[at] ?? time)));
  return steps.reduce((sum, step) => sum + step, 0) > 0;
}

/** The IDs of all archived messages of the newest segment, oldest first; undefined for unreadable entries. */
function archived(archive: ArchiveDatabase, chat: number): (string | undefined)[] {
  const page = archive.latest(chat, 1_000_000);
  const ids = page?.jsons.map((json) => (JSON.parse(json) as { msgId?: string }).msgId) ?? [];
  return ids.reverse();
}
