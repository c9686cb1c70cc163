/** State that survives restarts, apart from settings, tokens and files. All windows share it. */
import * as v from 'valibot';
import type { Memento } from 'vscode';
import { BotChat } from '../protocol/botChat.ts';
import { identifier, lenientIdentifier, lenientList, lenientOptional, text } from '../service/fields.ts';
import { CHAT_KINDS } from '../service/model.ts';
import { STORAGE_PLACES } from './storagePlace.ts';

/** A message of a chat. An empty `msgId` means that there is none. */
const Position = v.object({
  msgId: v.string(),
  /** Unix milliseconds. */
  sendTime: v.pipe(v.number(), v.finite()),
});

/** A position in a chat, and how many messages that can't be read, and so have no ID, directly follow it. */
const Mark = v.object({ ...Position.entries, unreadable: lenientOptional(v.pipe(v.number(), v.safeInteger())) });
export type Mark = Readonly<v.InferOutput<typeof Mark>>;

const Chat = v.object({ kind: v.picklist(CHAT_KINDS), id: identifier });

/** The schema of each key. Invalid entries are dropped one by one. */
const SCHEMA = {
  /** The places of which the user was told how long they keep the outbox. */
  placesTold: lenientList(v.picklist(STORAGE_PLACES)),
  /** How the sidebar is sorted. */
  order: v.fallback(v.picklist(['listed', 'name', 'id', 'recent']), 'listed'),
  /**
   * Watched chats, each with the newest message that the user has seen, if any, and the newest one that any window has
   * found, so that each is announced once; and the latest messages of the bot itself and of the outbox, which others may answer.
   */
  watched: lenientList(
    v.object({
      ...BotChat.entries,
      seen: lenientOptional(Mark),
      heard: lenientOptional(Mark),
      sent: lenientOptional(lenientList(identifier)),
    }),
  ),
  /** Messages of watched chats that the user may want to see, newest first. The text is an excerpt. */
  activity: lenientList(
    v.object({
      ...BotChat.entries,
      ...Position.entries,
      msgId: identifier,
      sender: text,
      senderId: lenientIdentifier,
      text,
      /** Whether the message replies to one of the bot. */
      isReply: v.boolean(),
      /** Which of the user's words were found in the whole message. */
      words: lenientList(v.string()),
    }),
  ),
  /** The bot that last read a chat. */
  readers: lenientList(BotChat),
  /** The newest message that was read in a chat. */
  readMarks: lenientList(v.object({ ...BotChat.entries, ...Position.entries })),
  /** The recipients last chosen for a document. */
  recipients: lenientList(v.object({ service: v.string(), source: v.string(), chats: v.array(Chat) })),
  /** The chat that a message was last sent to first, before its recipients. */
  testChats: lenientList(v.object({ service: v.string(), chat: Chat })),
};

type Key = keyof typeof SCHEMA;
type Value<K extends Key> = v.InferOutput<(typeof SCHEMA)[K]>;
type ListKey = 'readers' | 'readMarks' | 'recipients' | 'testChats';
type Entry<K extends ListKey> = Value<K>[number];

export type Order = Value<'order'>;
export type WatchedChat = Value<'watched'>[number];
export type ActivityItem = Value<'activity'>[number];

/** How many entries are kept. The oldest are dropped first. */
const LIMITS = { readers: 1_000, readMarks: 1_000, recipients: 50, testChats: 50 } as const satisfies Record<
  ListKey,
  number
>;

export class Store {
  readonly #memento: Memento;
  /**
   * What was read last, and the stored value that it was read from. VS Code returns the same object until another one is
   * stored.
   */
  readonly #read = new Map<Key, { readonly stored: unknown; readonly value: unknown }>();

  constructor(memento: Memento) {
    this.#memento = memento;
  }

  /** The current value, which another window may have written. Don't change it in place. */
  get<K extends Key>(key: K): Value<K> {
    const stored: unknown = this.#memento.get(key);
    const last = this.#read.get(key);
    // With many watched chats, each of them reads them all: to validate them each time would block for seconds.
    if (last && last.stored === stored) return last.value as Value<K>;
    const value = v.parse(SCHEMA[key], stored) as Value<K>;
    this.#read.set(key, { stored, value });
    return value;
  }

  /** @throws VS Code's own error if the value can't be stored */
  async set<K extends Key>(key: K, value: Value<K>): Promise<void> {
    await this.#memento.update(key, value);
  }

  /** The first entry with all of these properties. */
  find<K extends ListKey>(key: K, identity: Partial<Entry<K>>): Entry<K> | undefined {
    return (this.get(key) as Entry<K>[]).find(matcher(identity));
  }

  /** Puts an entry first, replacing the one with this identity. */
  async remember<K extends ListKey>(key: K, identity: Partial<Entry<K>>, rest: Partial<Entry<K>> = {}): Promise<void> {
    await this.rememberAll(key, [[identity, rest]]);
  }

  /** Like {@link remember} for each of these entries in turn, but stores them once. */
  async rememberAll<K extends ListKey>(
    key: K,
    added: readonly (readonly [identity: Partial<Entry<K>>, rest: Partial<Entry<K>>])[],
  ): Promise<void> {
    if (added.length === 0) return;
    let entries = this.get(key) as Entry<K>[];
    for (const [identity, rest] of added) {
      const isReplaced = matcher(identity);
      entries = [{ ...identity, ...rest } as Entry<K>, ...entries.filter((entry) => !isReplaced(entry))];
    }
    await this.set(key, entries.slice(0, LIMITS[key]) as Value<K>);
  }
}

function matcher<T extends object>(identity: Partial<T>): (entry: T) => boolean {
  const properties = Object.entries(identity);
  return (entry) => properties.every(([name, value]) => entry[name as keyof T] === value);
}
