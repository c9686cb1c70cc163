import assert from 'node:assert/strict';
import * as v from 'valibot';
import { type Change, Timeline } from '../../../src/history/timeline.ts';
import type { Page } from '../../../src/service/client.ts';
import { Listed } from '../../../src/service/message.ts';

type Names = (number | string)[];

/** A message for a number, which is its ID and its time; what cannot be read for a string. */
export const entryOf = (name: number | string): Listed =>
  v.parse(Listed, typeof name === 'number' ? { msgId: String(name), sendTime: name } : { broken: name });

export const nameOf = (entry: Listed) =>
  entry.readable ? Number(entry.message.msgId) : (entry.raw as { broken: string }).broken;

export const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** The entries of a timeline by name, oldest first. */
export const shown = (timeline: Timeline) => timeline.entries.map(nameOf);

/** A chat that lists its messages as contract 4.4 says, newest first, and a timeline of it. */
export function chatOf(names: Names) {
  const pages: Page[] = [];
  const changes: Change[] = [];
  const chat = { names, reversed: false, failure: undefined as Error | undefined };
  const list = async (page: Page): Promise<Listed[]> => {
    pages.push(page);
    if (chat.failure) throw chat.failure;
    const found = pick(chat.names, page).map(entryOf);
    return chat.reversed ? found : found.toReversed();
  };
  const timeline = new Timeline(list, (change) => changes.push(change));
  return { chat, pages, changes, timeline };
}

function pick(names: Names, page: Page): Names {
  if ('latest' in page) return names.slice(-page.latest);
  const at = names.indexOf(Number(page.anchor));
  assert.notEqual(at, -1, `no message ${page.anchor}`);
  return names.slice(Math.max(0, at - (page.before ?? 0)), at + 1 + (page.after ?? 0));
}
