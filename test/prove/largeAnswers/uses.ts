/** Everything the extension does with an answer as a whole. */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { newProgress } from '../../../src/chats/history/commands/exportProgress.ts';
import { exportFormat, type FormatName } from '../../../src/chats/history/commands/formats.ts';
import { readToBeginning } from '../../../src/chats/history/commands/readHistory.ts';
import { assemble } from '../../../src/chats/history/commands/writeExport.ts';
import { PageFeed, PostQueue, portionsOf } from '../../../src/chats/history/historyPage.ts';
import { itemView } from '../../../src/chats/history/itemViews.ts';
import { Timeline } from '../../../src/chats/history/timeline.ts';
import { Directory } from '../../../src/directory/directory.ts';
import { toDraft } from '../../../src/markup/messageDraft.ts';
import { toJson, toMarkdown } from '../../../src/markup/messageFormats.ts';
import { toText } from '../../../src/markup/rendered/shownText.ts';
import { deserializeEntries, serializeEntries } from '../../../src/platform/directoryFile.ts';
import type { Service } from '../../../src/platform/service.ts';
import { Store } from '../../../src/platform/store.ts';
import { cardOf } from '../../../src/presentation/card.ts';
import { factsOf } from '../../../src/presentation/facts.ts';
import type { Page } from '../../../src/service/client.ts';
import { type Listed, messageKey } from '../../../src/service/message.ts';
import type { Found } from '../../../src/service/model.ts';
import type { Operation } from '../../../src/service/operations.ts';
import { TimeSlices } from '../../../src/service/timeSlices.ts';
import { Activity } from '../../../src/sidebar/activity/activity.ts';
import { ChatWatch } from '../../../src/sidebar/watch/chatWatch.ts';
import { botChat, MemoryStore } from '../../unit/chats/history/export-chat.ts';
import { memento } from '../../unit/memory.ts';

type Use<T> = (value: T) => unknown;

/** Actions on a page of messages. Those on a single message use the longest one. */
const usesOfPage: Readonly<Record<string, Use<Listed[]>>> = {
  async 'shown in a panel'(page) {
    const feeds: PageFeed[] = [];
    // Unreadable entries have no ID and are compared with all that are loaded; these differ each time.
    const other: Listed[] = [];
    await new TimeSlices().each(page, (entry) => {
      other.push(entry.readable ? entry : { readable: false, raw: [entry.raw] });
      // As the client does.
      messageKey(other.at(-1) ?? entry);
    });
    let calls = 0;
    const timeline = new Timeline(
      async () => {
        // Like with HTTP, the event loop has a turn before each answer.
        await setImmediate();
        return calls++ % 2 ? other : page;
      },
      (splice) => splice && feeds[0]?.change(splice),
    );
    // VS Code serializes a message to JSON twice.
    const posts = new PostQueue(async (message) => JSON.stringify(JSON.stringify(message)).length);
    await timeline.loadNewer();
    const feed = new PageFeed(timeline.items, (splice) => posts.post(portionsOf(splice, itemView)));
    feeds.push(feed);
    await feed.run(timeline.items.length);
    await timeline.loadNewer();
    await timeline.loadOlder();
    await timeline.goTo('m7');
    timeline.newest();
  },
  async 'notified as new'(page) {
    const watch = new ChatWatch({ kind: 'group', id: 'big', botId: 'b', seen: undefined, heard: undefined });
    watch.handlePage(page);
    watch.markSeen({ msgId: 'm3', sendTime: 3 });
    watch.handlePage(page);
    watch.takeNew();
    const service = { address: '' } as Service;
    const watcher = { service, watches: [watch], get: () => watch, markSeen: async () => {} };
    const words = () => ['tea', '"release notes"', '发布'];
    await new Activity({ store: new Store(memento()), watcher, words, changed: () => {} }).add([watch]);
  },
  'exported as Markdown': (page) => exported(page, 'md'),
  'exported as HTML': (page) => exported(page, 'html'),
  'exported as NDJSON': (page) => exported(page, 'ndjson'),
  'copied as text': (page) => toText(longestOf(page)),
  'copied as Markdown': (page) => toMarkdown(longestOf(page)),
  'copied as JSON': (page) => toJson(longestOf(page)),
  drafted: (page) => toDraft(longestOf(page)),
};

const usesOfFound: Readonly<Record<string, Use<Found>>> = {
  async 'stored over a restart'(found) {
    const look = () => assert.fail();
    const cached = Array.from({ length: 30 }, (_, id) => ({ id: `${id}`, at: id, found }));
    const directory = new Directory({ group: look, bot: look, user: look }, { cached });
    await deserializeEntries(await serializeEntries(directory.entries()));
  },
  'shown on a card': (found) => cardOf(found, { known: { labelOf: () => undefined, peek: () => undefined } }),
  'listed fact by fact': (found) => factsOf(found),
};

/** What is done with the result of each operation. */
export const uses: Readonly<Record<Operation, Readonly<Record<string, Use<never>>>>> = {
  group: usesOfFound,
  bot: usesOfFound,
  user: usesOfFound,
  messages: usesOfPage,
  batchSend: {},
};

async function exported(page: Listed[], name: FormatName): Promise<void> {
  const store = new MemoryStore();
  const signal = new AbortController().signal;
  // There are no older messages.
  const list = async (asked: Page) =>
    'anchor' in asked ? page.filter((entry) => entry.readable && entry.message.msgId === asked.anchor) : page;
  const progress = await readToBeginning(newProgress(botChat, 0), { list, store, signal, onPage: () => {} });
  const format = exportFormat(name, { chat: 'a', bot: '' }, progress);
  const write = async (text: string) => void new TextEncoder().encode(text);
  await assemble(progress, { store, format, write, signal, onPart: () => {} });
}

function longestOf(page: readonly Listed[]): Listed {
  const lengths = page.map((entry) => (entry.readable ? (entry.message.content.text?.length ?? 0) : 0));
  return page[lengths.indexOf(Math.max(0, ...lengths.slice(0, 1000)))] ?? { readable: false, raw: undefined };
}
