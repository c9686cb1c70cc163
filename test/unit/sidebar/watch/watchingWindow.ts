import assert from 'node:assert/strict';
import type { Service } from '../../../../src/platform/service.ts';
import type { Mark } from '../../../../src/platform/store.ts';
import type { Listed } from '../../../../src/service/message.ts';
import type { Chat } from '../../../../src/service/model.ts';
import type { ChatWatch, WatchEntry } from '../../../../src/sidebar/watch/chatWatch.ts';
import type { NewMessages, WatchContext } from '../../../../src/sidebar/watch/watchContext.ts';
import { Watcher } from '../../../../src/sidebar/watch/watcher.ts';
import type { WatchState } from '../../../../src/sidebar/watch/watchList.ts';
import { heldClock } from '../../clocks.ts';
import { type Deferred, deferred, settled } from '../../deferred.ts';
import { BOT, type Name, pageOf } from './messages.ts';

export const MINUTE = 60_000;

export const SERVICE = { address: 'https://chats.example' } as Service;

export const group = (id: string): Chat => ({ kind: 'group', id });

/** A read that the test settles. */
interface Held extends Deferred<Listed[]> {
  readonly id: string;
  readonly signal: AbortSignal;
  /** Whether it looks for more than a poll does. */
  readonly isFurther: boolean;
  /** The newest page as it was when the read began. */
  readonly names: readonly Name[];
}

/** What all windows share: the messages of the chats by ID, oldest first, and the stored entries. */
export class World {
  readonly chats: Record<string, Name[]> = {};
  /** The errors of failing reads by chat ID. */
  readonly failures: Record<string, unknown> = {};
  stored: readonly WatchEntry[] = [];

  names(id: string, count = 50): readonly Name[] {
    return (this.chats[id] ?? assert.fail(id)).slice(-count);
  }

  page(id: string, count?: number): Listed[] {
    return pageOf(...this.names(id, count));
  }
}

/** A window that watches chats, in its own world or a shared one. */
export function windowOf(world = new World()) {
  const { clock, pass, sleeping } = heldClock();
  const state = {
    isActive: true,
    /** Reads wait in `reads` until the test settles them. */
    isHeld: false,
    /** As many messages the service lists at once. */
    mostListed: 1_000,
    storeFailure: undefined as unknown,
    /** The IDs of chats that aren't in the sidebar. */
    unlisted: new Set<string>(),
  };
  const reads: Held[] = [];
  /** Each request as its time in minutes and its chat. */
  const requests: string[] = [];
  const changes: string[] = [];
  const announced: Record<string, number>[] = [];
  const arrived: NewMessages[] = [];
  const stores: (readonly WatchEntry[])[] = [];
  /** The states at their last reported changes. */
  const painted: Record<string, WatchState | undefined> = {};
  const context: WatchContext = {
    open: async () => SERVICE,
    readNewest: async ({ service, id, botId }, signal, count) => {
      assert.deepEqual([service, botId], [SERVICE.address, watcher.state(group(id))?.botId ?? BOT]);
      requests.push(`${clock.now() / MINUTE} ${id}`);
      if (!state.isHeld) {
        if (id in world.failures) throw world.failures[id];
        return world.page(id, Math.min(count, state.mostListed));
      }
      const read = { ...deferred<Listed[]>(), id, signal, isFurther: count > 50, names: world.names(id) };
      reads.push(read);
      return read.promise.finally(() => reads.splice(reads.indexOf(read), 1));
    },
    storage: () => ({
      load: () => world.stored,
      save: async (entries) => {
        if (state.storeFailure !== undefined) throw state.storeFailure;
        stores.push(entries);
        world.stored = JSON.parse(JSON.stringify(entries));
      },
    }),
    isActive: () => state.isActive,
    listed:
      () =>
      ({ id }) =>
        !state.unlisted.has(id),
    clock,
  };
  const inService = new Watcher(context, {
    chatChanged: ({ kind, id }) => {
      changes.push(id);
      painted[id] = watcher.state({ kind, id });
      window.onChange({ kind, id });
    },
    polled: (watches) => window.onPoll(watches),
    newMessages: (service, found) => {
      assert.equal(service, SERVICE);
      arrived.push(...found);
      announced.push(Object.fromEntries(found.map(({ chat: { id }, messages }) => [id, messages.length])));
    },
  });
  inService.use(SERVICE);
  /** The watcher, for chats of the service. */
  const watcher = {
    state: (chat: Chat) => inService.state(chat),
    total: () => inService.total(),
    watch: (chat: Chat, botId: string) => inService.watch(SERVICE, [{ chat, botId }]),
    unwatch: (chat: Chat) => inService.unwatch(chat),
    markSeen: (chat: Chat, mark: Mark) =>
      inService.markSeen([[{ ...chat, service: SERVICE.address, botId: BOT }, mark]]),
    poll: (chat: Chat) => inService.poll(chat),
    wake: (options?: { retry: boolean }) => inService.wake(options),
    dispose: () => inService.dispose(),
  };

  /** The unread count, with a `+` if there may be more; undefined if the chat isn't watched. */
  const unread = (id: string) => {
    const seen = watcher.state(group(id));
    return seen && `${seen.unread}${seen.more ? '+' : ''}`;
  };
  /** The window gets or loses the focus. */
  const focus = async (isActive: boolean) => {
    state.isActive = isActive;
    watcher.wake();
    await settled();
  };
  /** Removes and returns the records. */
  const take = <T>(record: T[]) => record.splice(0);
  const records = { reads, requests, changes, painted, announced, arrived, stores };
  const window = {
    world,
    watcher,
    inService,
    clock,
    state,
    ...records,
    pass,
    sleeping,
    unread,
    focus,
    take,
    /** Called at each change. */
    onChange: (_: Chat) => {},
    /** Called after polls. */
    onPoll: (_: readonly ChatWatch[]) => {},
  };
  return window;
}

/** A window that watches these chats and has seen all of their messages. */
export async function watchingWindow(chats: Record<string, Name[]>) {
  const window = windowOf();
  Object.assign(window.world.chats, chats);
  for (const id of Object.keys(chats)) await window.watcher.watch(group(id), BOT);
  for (const record of [window.requests, window.changes, window.stores]) record.splice(0);
  return window;
}
