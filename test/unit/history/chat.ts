import assert from 'node:assert/strict';
import * as v from 'valibot';
import { type Change, Timeline, type TimelineItem } from '../../../src/history/timeline.ts';
import type { Page } from '../../../src/service/client.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { Listed } from '../../../src/service/message.ts';

type Names = (number | string)[];

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

/** A chat that lists its messages newest first (contract 4.4), and a timeline of it. */
export function chatOf(names: Names) {
  const pages: Page[] = [];
  const changes: Change[] = [];
  /** The state of the newest end after each change that affected only an end. */
  const edges: string[] = [];
  const copy: TimelineItem[] = [];
  const chat = {
    names,
    reversed: false,
    failure: undefined as Error | undefined,
    /** The response for an anchor that does not exist. */
    lost: 'rejects' as 'rejects' | 'empty' | 'without',
    /** Maximum number of messages on each side of an anchor. */
    limit: Infinity,
  };
  const list = async (page: Page): Promise<Listed[]> => {
    pages.push(page);
    if (chat.failure) throw chat.failure;
    const found = pick(page).map(entryOf);
    return chat.reversed ? found : found.toReversed();
  };
  const pick = (page: Page): Names => {
    const { names, lost, limit } = chat;
    if ('latest' in page) return names.slice(-page.latest);
    const at = names.indexOf(Number(page.anchor));
    if (at < 0 && lost === 'rejects') throw noSuchMessage();
    if (at < 0) return lost === 'empty' ? [] : names.slice(-3);
    const [before, after] = [page.before ?? 0, page.after ?? 0].map((count) => Math.min(count, limit));
    return names.slice(Math.max(0, at - (before ?? 0)), at + 1 + (after ?? 0));
  };
  const timeline: Timeline = new Timeline(list, (change) => {
    changes.push(change);
    const { splice } = change;
    if (!splice) edges.push(timeline.newer.at);
    if (splice) copy.splice(splice.at, splice.removed, ...splice.inserted);
    assert.deepEqual(copy, timeline.items);
  });
  return { chat, pages, changes, edges, timeline };
}
