import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isFailure } from '../../../../src/service/errors.ts';
import { type Listed, oldestFirst } from '../../../../src/service/message.ts';
import {
  anchoredPage,
  isAnchorLost,
  listBeyond,
  listNewest,
  withoutDuplicates,
} from '../../../../src/service/messagePages.ts';
import { CHANGING, ModelChat } from '../modelChat.ts';
import { type Tasks, TwinLogs } from './logs.ts';

/** Something that happens to the chat, or is read of it. */
type Step =
  | { do: 'arrive'; broken: (string | undefined)[] }
  | { do: 'delete'; which: number; count: number }
  | { do: 'fail' | 'latest' | 'next' | 'hold' | 'finish' | 'reopen' }
  | { do: 'around'; which: number }
  | { do: 'gap'; which: number; from: 'older' | 'newer' }
  | { do: 'end'; which: number; side: 'older' | 'newer' };

const side = fc.constantFrom('older' as const, 'newer' as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('arrive' as const),
      broken: fc.array(fc.constantFrom(undefined, undefined, undefined, 'x', 'y', CHANGING), {
        minLength: 1,
        maxLength: 30,
      }),
    }),
  },
  fc.record({ do: fc.constant('delete' as const), which: fc.nat(), count: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ do: fc.constantFrom('fail' as const, 'latest', 'next', 'hold', 'finish', 'reopen') }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('around' as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('gap' as const), which: fc.nat(), from: side }) },
  fc.record({ do: fc.constant('end' as const), which: fc.nat(), side }),
);

/** Times in order, some of them missing or wrong; or none at all. */
const habits = fc
  .record({
    limit: fc.constantFrom(5, Infinity),
    wrong: fc.array(fc.nat(80), { maxLength: 8 }),
    isTimed: fc.constantFrom(true, true, true, false),
  })
  .map(({ limit, wrong, isTimed }) => ({
    limit,
    isExact: wrong.length === 0,
    time(index: number) {
      if (!isTimed) return undefined;
      if (!wrong.includes(index)) return 1000 + index;
      return index % 2 === 0 ? undefined : 10_000 - index;
    },
  }));

const lives = fc.record({
  habits,
  isReversed: fc.boolean(),
  lost: fc.constantFrom('rejects' as const, 'empty' as const, 'without' as const),
  steps: fc.array(step, { maxLength: 30, size: 'max' }),
});

/** How many messages a page is asked for. */
const PAGE = 6;

const isUnreadable = ({ msgId }: { msgId: string | undefined }) => msgId === undefined;

class Reader {
  readonly chat: ModelChat;
  readonly logs = new TwinLogs();
  /** Whether a page was in an order that nothing told, because most of its clocks were wrong. */
  isMisled = false;
  #held: { tasks: Tasks; page: Awaited<ReturnType<typeof listBeyond>> } | undefined;

  readonly #isShort: boolean;

  /** `isShort` if the chat lists less than it's asked for. */
  constructor(chat: ModelChat, isShort: boolean) {
    this.chat = chat;
    this.#isShort = isShort;
  }

  async take(step: Step): Promise<void> {
    const { chat, logs } = this;
    const { segments } = logs;
    switch (step.do) {
      case 'arrive':
        // A service that lists less than it's asked for hides what is behind a page of unreadable messages, and may have
        // deleted those between them.
        for (const label of step.broken) chat.send(chat.sent.slice(-2).every(isUnreadable) ? undefined : label);
        return;
      case 'delete': {
        if (this.#isShort) return;
        const from = step.which % Math.max(1, chat.sent.length);
        for (const sent of chat.sent.slice(from, from + step.count)) sent.isDeleted = true;
        return;
      }
      case 'fail':
        chat.failures = 1;
        return;
      case 'latest': {
        const page = withoutDuplicates(await listNewest(this.#list, PAGE));
        if (page.some(({ readable }) => readable)) logs.addLatest(page);
        return;
      }
      case 'around': {
        const msgId = chat.sent[step.which % Math.max(1, chat.sent.length)]?.msgId;
        const page = msgId && anchoredPage(await this.#list({ anchor: msgId, before: 3, after: 3 }), msgId);
        if (page) logs.add(page.entries);
        return;
      }
      case 'next':
        return this.#read(logs.nextTasks());
      case 'gap': {
        const gaps = logs.lostGaps;
        if (gaps.length > 0) await this.#read(logs.gapTasks(step.which % gaps.length, step.from));
        return;
      }
      case 'end':
        if (segments.length > 0) await this.#read(logs.tasks(step.which % segments.length, step.side));
        return;
      case 'hold': {
        const tasks = logs.nextTasks();
        const page = tasks && (await this.#beyond(tasks).catch(() => undefined));
        this.#held = page && { tasks, page };
        return;
      }
      case 'finish':
        // Another window has read on meanwhile.
        if (this.#held) logs.extend(this.#held.tasks, this.#held.page.entries, this.#held.page.anchorIndex);
        this.#held = undefined;
        return;
      case 'reopen':
        logs.reopen();
    }
  }

  /** Reads everything that is missing. */
  async catchUp(): Promise<void> {
    this.chat.failures = 0;
    this.logs.reopen();
    await this.take({ do: 'latest' });
    for (let pages = 0, tasks = this.logs.nextTasks(); tasks; tasks = this.logs.nextTasks()) {
      assert.ok(++pages < 500, 'reading never ends');
      await this.#read(tasks);
    }
  }

  async #read(tasks: Tasks | undefined): Promise<void> {
    if (!tasks) return;
    try {
      const { entries, anchorIndex } = await this.#beyond(tasks);
      this.logs.extend(tasks, entries, anchorIndex);
    } catch (error) {
      if (!isAnchorLost(error)) throw error;
      this.logs.lose(tasks);
    }
  }

  #beyond([task]: Tasks) {
    return listBeyond(this.#list, task?.anchors ?? [], task?.side ?? 'older', PAGE);
  }

  #list = async (page: Parameters<ModelChat['list']>[0]): Promise<Listed[]> => {
    const listed = await this.chat.list(page);
    const isOneSided = !('latest' in page) && (!page.before || !page.after);
    this.isMisled ||= !isOneSided && !isInOrder(oldestFirst(listed), this.chat);
    return listed;
  };
}

/** Whether a page that was sorted is as it was sent. */
function isInOrder(page: readonly Listed[], { sent }: ModelChat): boolean {
  const indexes = page.flatMap((entry) => (entry.readable ? sent.findIndex((one) => one.entry === entry) : []));
  return indexes.every((index, at) => at === 0 || index > (indexes[at - 1] ?? 0));
}

describe('The log of a chat', () => {
  it('is the same in memory and in an archive, and in the end is the chat, whatever happens to it meanwhile', () =>
    fc.assert(
      fc.asyncProperty(lives, async ({ habits, isReversed, lost, steps }) => {
        const chat = new ModelChat(habits);
        chat.isReversed = isReversed && habits.isExact;
        chat.lost = lost;
        const reader = new Reader(chat, habits.limit < PAGE);
        let known = new Set<string>();
        for (const step of steps) {
          await reader.take(step).catch((error) => {
            if (!isFailure(error, 'unreachable', 'rejected')) throw error;
          });
          fc.pre(!reader.isMisled);
          known = check(reader, known);
        }
        await reader.catchUp();
        fc.pre(!reader.isMisled);
        check(reader, known);
        checkComplete(reader);
      }),
    ));
});

/** Checks what always holds. Returns the IDs of all known messages; `before` are those that were known before. */
function check({ chat, logs }: Reader, before: ReadonlySet<string>): Set<string> {
  const indexes = new Map(chat.sent.flatMap(({ msgId, index }) => (msgId === undefined ? [] : [[msgId, index]])));
  const ids = new Set<string>();
  for (const segment of logs.segments) {
    let last: number | undefined;
    for (const msgId of segment.slice(1, -1)) {
      const index = indexes.get(msgId);
      if (index === undefined) continue;
      assert.ok(!ids.has(msgId), `${msgId} twice`);
      ids.add(msgId);
      // Where deleted messages were, nothing tells any more.
      if (chat.sent[index]?.isDeleted) continue;
      assert.ok(last === undefined || last < index, `m${last} before ${msgId}`);
      const between = last === undefined ? [] : chat.sent.slice(last + 1, index);
      assert.ok(
        between.every((sent) => sent.isDeleted || sent.msgId === undefined),
        `a hole before ${msgId}`,
      );
      last = index;
    }
  }
  for (const msgId of before) assert.ok(ids.has(msgId), `${msgId} is gone`);
  return ids;
}

/** Checks that everything that the service has is there, in order and once. */
function checkComplete({ chat, logs }: Reader): void {
  const present = chat.sent.filter(({ isDeleted }) => !isDeleted);
  if (!present.some(({ msgId }) => msgId !== undefined) || logs.lostGaps.includes(true)) return;
  assert.deepEqual(logs.lostGaps, []);
  const hadDeletions = present.length < chat.sent.length;
  const keys = logs.segments.flatMap((segment) => segment.slice(1, -1)).map((key) => key.replace(/~\d+/, CHANGING));
  const wanted = present.map(({ msgId, entry }) => msgId ?? JSON.stringify(entry.raw));
  if (!hadDeletions) assert.deepEqual(keys, wanted);
  const readable = present.flatMap(({ msgId }) => msgId ?? []);
  assert.deepEqual(
    keys.filter((key) => readable.includes(key)),
    readable,
  );
}
