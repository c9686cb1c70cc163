import assert from 'node:assert/strict';
import * as v from 'valibot';
import { Timeline } from '../../../../src/chats/history/timeline.ts';
import type { Splice, TimelineItem } from '../../../../src/chats/history/timelineItems.ts';
import type { Page } from '../../../../src/service/client.ts';
import { ServiceError } from '../../../../src/service/errors.ts';
import { Listed } from '../../../../src/service/message.ts';

export type Names = (number | string)[];

/** A message whose ID and time are a number, or an unreadable entry for a string. */
export const entryOf = (name: number | string): Listed =>
  v.parse(Listed, typeof name === 'number' ? { msgId: String(name), sendTime: name } : { broken: name });

const nameOf = (entry: Listed) =>
  entry.readable ? Number(entry.message.msgId) : (entry.raw as { broken: string }).broken;

export const upTo = (count: number) => range(1, count);

/** The numbers from `from` to `to`, inclusive. */
export const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Represents a gap among names. */
export const GAP = '…';

export const namesOf = (items: readonly TimelineItem[]) =>
  items.map((item) => (item.type === 'gap' ? GAP : nameOf(item.entry)));

/** The names of the items of a timeline, oldest first. */
export const shown = (timeline: Timeline) => namesOf(timeline.items);

export const gapsOf = (timeline: Timeline) => timeline.items.filter((item) => item.type === 'gap');

/** The ID of the nth gap, starting at 0. */
export const gapOf = (timeline: Timeline, number = 0) => gapsOf(timeline)[number]?.id ?? assert.fail('no such gap');

/** The response observed for a message that does not exist. */
export const noSuchMessage = () => new ServiceError({ kind: 'rejected', code: -1, text: '消息不存在', status: 200 });

/** A chat that lists its messages newest first (contract 4.4), records the requested pages, and can fail. */
export class FakeChat {
  readonly pages: Page[] = [];
  names: Names;
  /** Pages are oldest first. */
  reversed = false;
  failure: Error | undefined;
  /** The request that fails, counted from 1. */
  failsAt: number | undefined;
  /** The response for an anchor that does not exist. */
  lost: 'rejects' | 'empty' | 'without' = 'rejects';
  /** Maximum number of messages on each side of an anchor. */
  limit = Infinity;
  /** Overrides the response unless it returns undefined. May throw. */
  override: (page: Page, names: Names) => Listed[] | undefined = () => undefined;

  constructor(names: Names) {
    this.names = names;
  }

  list = async (page: Page): Promise<Listed[]> => {
    this.pages.push(page);
    if (this.failure) throw this.failure;
    if (this.failsAt === this.pages.length) throw new Error('no network');
    return this.override(page, this.names) ?? this.answer(page);
  };

  answer(page: Page): Listed[] {
    const found = this.#pick(page).map(entryOf);
    return this.reversed ? found : found.toReversed();
  }

  #pick(page: Page): Names {
    const { names, lost, limit } = this;
    if ('latest' in page) return names.slice(-page.latest);
    const at = names.indexOf(Number(page.anchor));
    if (at < 0 && lost === 'rejects') throw noSuchMessage();
    if (at < 0) return lost === 'empty' ? [] : names.slice(-3);
    const [before = 0, after = 0] = [page.before, page.after].map((count = 0) => Math.min(count, limit));
    return names.slice(Math.max(0, at - before), at + 1 + after);
  }
}

/** A timeline of a chat with these messages. */
export function chatOf(names: Names) {
  const chat = new FakeChat(names);
  const changes: (Splice | undefined)[] = [];
  /** The state of the newest end after each change that affected only an end. */
  const edges: string[] = [];
  const copy: TimelineItem[] = [];
  const timeline: Timeline = new Timeline(chat.list, (splice) => {
    changes.push(splice);
    if (!splice) edges.push(timeline.newer.at);
    if (splice) copy.splice(splice.at, splice.removed, ...splice.inserted);
    assert.deepEqual(copy, timeline.items);
  });
  return { chat, pages: chat.pages, changes, edges, timeline };
}

/** Gives a message of a chat another time than the others have, whose times are their names. */
export function withTime(chat: FakeChat, name: number, sendTime: number): void {
  chat.override = (page) =>
    chat.answer(page).map((entry) => {
      if (entry.readable && entry.message.msgId === String(name)) entry.message.sendTime = sendTime;
      return entry;
    });
}
