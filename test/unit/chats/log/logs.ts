// Logs in both stores, which are given the same pages and must always say the same.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { ArchivedLog } from '../../../../src/chats/archive/archivedLog.ts';
import { MessageIndex } from '../../../../src/chats/archive/messageIndex.ts';
import { MessageTable } from '../../../../src/chats/archive/messageTable.ts';
import { openSchema } from '../../../../src/chats/archive/schema.ts';
import { Sql } from '../../../../src/chats/archive/sql.ts';
import { LoadedSegments } from '../../../../src/chats/history/loadedSegments.ts';
import { Log, type LogGap, type ReadTask } from '../../../../src/chats/log/log.ts';
import type { EdgeState, LogStore } from '../../../../src/chats/log/logStore.ts';
import type { Listed } from '../../../../src/service/message.ts';

/** A segment: what is beyond it, and the keys of its entries. */
export type Shown = [older: EdgeState, ...keys: string[], newer: EdgeState];

/** A task of each log. */
export type Tasks = readonly ReadTask[];

/** A store in SQLite, with nothing in it. */
function archivedLog(): ArchivedLog {
  const sql = new Sql(new DatabaseSync(':memory:'));
  openSchema(sql);
  sql.run(`INSERT INTO chats (id, service, type, chatId, owner, botId) VALUES (1, '', 'group', '1', '', '1')`);
  return new ArchivedLog(sql, new MessageTable(sql, new MessageIndex(sql)), 1);
}

export class TwinLogs {
  readonly #stores: readonly LogStore[];
  readonly #logs: readonly Log[];

  constructor(since?: number) {
    this.#stores = [new LoadedSegments(), archivedLog()];
    this.#logs = this.#stores.map((store) => new Log(store, since));
  }

  /** All segments, in order. */
  get segments(): Shown[] {
    return this.#same((log, store) =>
      log
        .segments()
        .map(({ id, older, newer }): Shown => [older, ...[...store.walk(id, 'newer')].map(({ key }) => key), newer]),
    );
  }

  /** Which gaps there are: whether each can't be read, oldest first. */
  get lostGaps(): boolean[] {
    return this.#same((log) => log.gaps().map(({ isLost }) => isLost));
  }

  add(page: readonly Listed[]): { isNew: readonly boolean[]; grownBy: number } {
    return this.#same((log) => withoutSegment(log.add(page)));
  }

  addLatest(page: readonly Listed[]): { isNew: readonly boolean[]; grownBy: number } {
    return this.#same((log) => withoutSegment(log.addLatest(page)));
  }

  addFirst(page: readonly Listed[]): { isNew: readonly boolean[]; grownBy: number } {
    return this.#same((log) => withoutSegment(log.addFirst(page)));
  }

  /** The next tasks; undefined if there's nothing left to read. */
  nextTasks(): Tasks | undefined {
    return tasksOf(this.#logs.map((log) => log.nextTask()));
  }

  /** The tasks of a gap, from one of its sides. */
  gapTasks(gap: number, from: 'older' | 'newer'): Tasks | undefined {
    return tasksOf(this.#logs.map((log) => log.gapTask(log.gaps()[gap] as LogGap, from)));
  }

  /** The tasks beyond a segment. */
  tasks(segment: number, side: 'older' | 'newer'): Tasks {
    const tasks = tasksOf(this.#logs.map((log) => log.task(log.segments()[segment]?.id ?? 0, side)));
    return tasks ?? assert.fail('no such segment');
  }

  extend(tasks: Tasks, page: readonly Listed[], anchorIndex: number): { grownBy: number; isEnd: boolean } {
    return this.#same((log, _, at) => withoutSegment(log.extend(tasks[at] as ReadTask, page, anchorIndex)));
  }

  lose(tasks: Tasks): void {
    for (const [at, log] of this.#logs.entries()) log.lose(tasks[at] as ReadTask);
  }

  reopen(): void {
    for (const log of this.#logs) log.reopen();
  }

  reopenLimit(): void {
    for (const log of this.#logs) log.reopenLimit();
  }

  forgetNewest(): void {
    for (const log of this.#logs) log.forgetNewest();
  }

  /** What both logs say. */
  #same<T>(ask: (log: Log, store: LogStore, at: number) => T): T {
    const [one, other] = this.#logs.map((log, at) => ask(log, this.#stores[at] as LogStore, at));
    assert.deepEqual(one, other, 'the stores differ');
    return one as T;
  }
}

function tasksOf(tasks: readonly (ReadTask | undefined)[]): Tasks | undefined {
  const [one, other] = tasks.map((task) => task && { side: task.side, anchors: task.anchors });
  assert.deepEqual(one, other, 'the stores differ');
  return one && (tasks as Tasks);
}

function withoutSegment<T extends { segment: number }>({ segment: _, ...rest }: T): Omit<T, 'segment'> {
  return rest;
}
