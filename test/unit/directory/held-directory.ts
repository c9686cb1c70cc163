import assert from 'node:assert/strict';
import * as v from 'valibot';
import {
  Directory,
  type DirectoryOptions,
  type LookupOptions,
  type Lookups,
} from '../../../src/directory/directory.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { Bot, type Found, Group, type Kind, User } from '../../../src/service/model.ts';
import { type Deferred, deferred, settled } from '../deferred.ts';

export const MINUTE = 60_000;
export const missing = (what: Kind, id: string) => new ServiceError({ kind: 'notFound', what, id });
export const broken = () => new ServiceError({ kind: 'unreachable', reason: 'ECONNRESET' });

/** A resource of the service. */
export const thing: { [K in Kind]: (id: string, name?: string) => Found<K> } = {
  group: (groupId, name = '') => ({
    kind: 'group',
    resource: v.parse(Group, { groupId, name }),
    raw: { groupId, name },
  }),
  bot: (botId, nickname = '') => ({
    kind: 'bot',
    resource: v.parse(Bot, { botId, nickname }),
    raw: { botId, nickname },
  }),
  user: (userId, nickname = '') => ({
    kind: 'user',
    resource: v.parse(User, { userId, nickname }),
    raw: { userId, nickname },
  }),
};

/** A pending lookup, which the test answers with a name or an error. */
interface Asked extends Deferred<string> {
  what: string;
  signal: AbortSignal;
}

/** A directory with lookups that the test answers and a stopped clock. */
export function held(options: Omit<DirectoryOptions, 'now'> = {}) {
  const clock = { now: 0 };
  const asked: Asked[] = [];
  const ask = (kind: Kind, id: string, signal: AbortSignal) => {
    const one = { what: `${kind} ${id}`, signal, ...deferred<string>() };
    asked.push(one);
    return one.promise;
  };
  const lookUps: Lookups = {
    group: async (id, signal) => thing.group(id, await ask('group', id, signal)),
    bot: async (id, signal) => thing.bot(id, await ask('bot', id, signal)),
    user: async (id, signal) => thing.user(id, await ask('user', id, signal)),
  };
  const directory = new Directory(lookUps, { now: () => clock.now, defer: setImmediate, ...options });
  const changes: string[] = [];
  directory.onDidChange((kind, id) => changes.push(`${kind} ${id}`));
  /** Lets the directory make its requests, and answers the last one. */
  const answer = async (name: string | Error) => {
    await settled();
    const last = asked.at(-1) ?? assert.fail('nothing was asked');
    if (typeof name === 'string') last.resolve(name);
    else last.reject(name);
    await settled();
  };
  /** Gets group 1, for which the service is asked and answers this: the resource or the error that it ends with. */
  const lookUp = async (name: string | Error, accept: LookupOptions['accept'] = 'remembered') => {
    const ended = directory.get('group', '1', { accept }).catch((error: unknown) => error);
    await answer(name);
    return ended;
  };
  const requests = () => asked.map(({ what }) => what);
  return { clock, asked, directory, changes, answer, lookUp, requests };
}

/** A directory that has looked up group 1 at time 0. */
export async function withGroup(name: string | Error = 'One') {
  const all = held();
  return { ...all, first: await all.lookUp(name) };
}
