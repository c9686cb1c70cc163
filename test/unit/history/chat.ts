import assert from 'node:assert/strict';
import * as v from 'valibot';
import { type Change, Timeline, type TimelineItem } from '../../../src/history/timeline.ts';
import type { Page } from '../../../src/service/client.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { Listed } from '../../../src/service/message.ts';

type Names = (number | string)[];

/** A message for a number, which is its ID and its time; what cannot be read for a string. */
export const entryOf = (name: number | string): Listed =>
  v.parse(Listed, typeof name === 'number' ? { msgId: String(name), sendTime: name } : { broken: name });

const nameOf = (entry: Listed) =>
  entry.readable ? Number(entry.message.msgId) : (entry.raw as { broken: string }).broken;

export const upTo = (count: number) => range(1, count);

/** The numbers from one to another, both included. */
export const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** What stands for a gap among names. */
export const GAP = '…';

export const namesOf = (items: readonly TimelineItem[]) =>
  items.map((item) => (item.type === 'gap' ? GAP : nameOf(item.entry)));

/** The items of a timeline by name, oldest first. */
export const shown = (timeline: Timeline) => namesOf(timeline.items);

export const gapsOf = (timeline: Timeline) => timeline.items.filter((item) => item.type === 'gap');

/** The ID of the gap of that number. */
export const gapOf = (timeline: Timeline, number = 0) => gapsOf(timeline)[number]?.id ?? assert.fail('no such gap');

/** What the service says, as observed, of a message that it does not have. */
export const noSuchMessage = () => new ServiceError({ kind: 'rejected', code: -1, text: '消息不存在', status: 200 });

/** A chat that lists its messages as contract 4.4 says, newest first, and a timeline of it. */
export function chatOf(names: Names) {
  const pages: Page[] = [];
  const changes: Change[] = [];
  /** What the newest end said each time that an end has changed, and nothing else. */
  const edges: string[] = [];
  const copy: TimelineItem[] = [];
  const chat = {
    names,
    reversed: false,
    failure: undefined as Error | undefined,
    /** How it answers for an anchor that it does not have. */
    lost: 'rejects' as 'rejects' | 'empty' | 'without',
    /** How many it lists on one side of an anchor at most. */
    most: Infinity,
  };
  const list = async (page: Page): Promise<Listed[]> => {
    pages.push(page);
    if (chat.failure) throw chat.failure;
    const found = pick(page).map(entryOf);
    return chat.reversed ? found : found.toReversed();
  };
  const pick = (page: Page): Names => {
    const { names, lost, most } = chat;
    if ('latest' in page) return names.slice(-page.latest);
    const at = names.indexOf(Number(page.anchor));
    if (at < 0 && lost === 'rejects') throw noSuchMessage();
    if (at < 0) return lost === 'empty' ? [] : names.slice(-3);
    const [before, after] = [page.before ?? 0, page.after ?? 0].map((count) => Math.min(count, most));
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
