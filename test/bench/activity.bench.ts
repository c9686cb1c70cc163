// The user's words in 1,000 unread messages of watched chats: how long looking for them blocks the extension host.
import { Store } from '../../src/platform/store.ts';
import type { Listed } from '../../src/service/message.ts';
import { Activity } from '../../src/sidebar/activity/activity.ts';
import { ChatWatch } from '../../src/sidebar/watch/chatWatch.ts';
import { longestBlock, MAX_BLOCK } from '../prove/blocks.ts';
import { memento } from '../unit/memory.ts';
import { message } from '../unit/sidebar/watch/messages.ts';
import type { Row } from './bench.ts';

const MESSAGES = 1_000;
const SERVICE = 'https://chats.example';

/** What people write, and something very long. */
const textOf = (at: number) =>
  `Order ${at}: ${'the parcel leaves tomorrow, please check the address. 请尽快发布新版本，客户在等待。'.repeat(at % 10 === 0 ? 200 : 3)}`;

/** What is looked for, none of which occurs: words, phrases, beginnings and Chinese. */
const wordsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => [`deploy${at}`, `"the release ${at}"`, `rel${at}*`, `发布${at}版`][at % 4]);

/** Chats with this many unread messages each, all in their newest page. */
function watchesOf(each: number): ChatWatch[] {
  return Array.from({ length: MESSAGES / each }, (_, chat) => {
    const watch = new ChatWatch({ kind: 'group', id: `g${chat}`, botId: 'b', seen: undefined, heard: undefined });
    const page: Listed[] = Array.from({ length: each + 1 }, (_, at) =>
      message({ msgId: `m${at}`, sendTime: 1 + at, contentType: 'text', content: { text: textOf(at) } }),
    );
    // What the first page has counts as seen.
    watch.handlePage(page.slice(0, 1));
    watch.handlePage(page.toReversed());
    return watch;
  });
}

/** A check that has found them all, and what VS Code and the notification ask afterwards. */
async function check(watches: readonly ChatWatch[], entries: readonly unknown[]): Promise<void> {
  const byId = new Map(watches.map((watch) => [watch.chat.id, watch]));
  const activity = new Activity({
    store: new Store(memento()),
    watcher: {
      service: { address: SERVICE } as never,
      watches,
      get: ({ id }) => byId.get(id),
      markSeen: async () => {},
    },
    words: () => entries,
    changed: () => {},
  });
  await activity.add(watches);
  if (activity.items.length !== 300) throw new Error(`It lists ${activity.items.length} messages.`);
  // The next check finds the same.
  await activity.add(watches);
}

export async function bench(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const each of [20, 500]) {
    const watches = watchesOf(each);
    for (const words of [0, 100, 1_000]) {
      const what = `longest block with ${words} words and ${MESSAGES} messages in ${MESSAGES / each} chats`;
      rows.push({
        what,
        measured: await longestBlock(() => check(watches, wordsOf(words))),
        unit: 'ms',
        bar: MAX_BLOCK,
      });
    }
  }
  return rows;
}
