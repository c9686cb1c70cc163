import { Directory, type Lookups } from '../../../src/directory/directory.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import type { Found, Kind } from '../../../src/service/model.ts';
import { deferred } from '../deferred.ts';
import { broken, MINUTE, missing, thing } from './held-directory.ts';

export type Accept = 'remembered' | 'fresh' | 'new';
export type Answer = 'found' | 'missing' | 'broken';
/** The result of a call: a resource, an error, or none yet. */
export type End = Found | ServiceError | 'cancelled' | 'pending';

interface LookUp {
  kind: Kind;
  id: string;
  /** Waiting calls by number. -1 is a background refresh, which is never canceled. */
  waiting: Set<number>;
  /** A sequence number of the last request. */
  asked: number;
}

/** A simple model of the directory as its doc comments describe it. */
export class Model {
  now = 0;
  readonly ends: End[] = [];
  readonly changes: string[] = [];
  /** In start order. */
  flying: LookUp[] = [];
  #queued: LookUp[] = [];
  #asked = 0;
  #known: { kind: Kind; id: string; at: number; end: Found | ServiceError }[] = [];

  get entries() {
    return this.#known.flatMap(({ id, at, end }) => (end instanceof ServiceError ? [] : [{ id, at, found: end }]));
  }

  peek(kind: Kind, id: string): Found | undefined {
    const known = this.#knownOf(kind, id)?.end;
    return known instanceof ServiceError ? undefined : known;
  }

  ask(kind: Kind, id: string, accept: Accept, aborted: boolean): void {
    const number = this.ends.push('pending') - 1;
    if (aborted) {
      this.ends[number] = 'cancelled';
      return;
    }
    const known = this.#knownOf(kind, id);
    const age = this.now - (known?.at ?? 0);
    const fresh = age >= 0 && age < (known?.end instanceof ServiceError ? 1 : 10) * MINUTE;
    const stale = known !== undefined && !fresh && accept === 'remembered' && !(known.end instanceof ServiceError);
    if (known && accept !== 'new' && (fresh || stale)) this.ends[number] = known.end;
    if (this.ends[number] === 'pending') this.#join(kind, id, number);
    else if (stale) this.#join(kind, id, -1);
  }

  /** Cancels a waiting call. */
  leave(number: number): void {
    if (this.ends[number] !== 'pending') return;
    this.ends[number] = 'cancelled';
    for (const { waiting } of [...this.flying, ...this.#queued]) waiting.delete(number);
    const wanted = ({ waiting }: LookUp) => waiting.size > 0;
    this.flying = this.flying.filter(wanted);
    this.#queued = this.#queued.filter(wanted);
    this.#start();
  }

  /** Answers a lookup in flight. */
  answer({ kind, id, waiting }: LookUp, end: Found | ServiceError, remember: boolean): void {
    for (const number of waiting) if (number >= 0) this.ends[number] = end;
    this.flying = this.flying.filter((one) => one.waiting !== waiting);
    if (remember) {
      this.#known = this.#known.filter((known) => known.kind !== kind || known.id !== id);
      this.#known.push({ kind, id, at: this.now, end });
      this.changes.push(`${kind} ${id}`);
    }
    this.#start();
  }

  dispose(): void {
    for (const { waiting } of [...this.flying, ...this.#queued]) {
      for (const number of waiting) if (number >= 0) this.ends[number] = 'cancelled';
    }
    this.flying = [];
    this.#queued = [];
  }

  #knownOf(kind: Kind, id: string) {
    return this.#known.find((known) => known.kind === kind && known.id === id);
  }

  #join(kind: Kind, id: string, number: number): void {
    const underWay = [...this.flying, ...this.#queued].find((one) => one.kind === kind && one.id === id);
    const lookUp = underWay ?? { kind, id, waiting: new Set(), asked: 0 };
    lookUp.waiting.add(number);
    lookUp.asked = ++this.#asked;
    if (!underWay) this.#queued.push(lookUp);
    this.#start();
  }

  #start(): void {
    while (this.flying.length < 8 && this.#queued.length > 0) {
      this.#queued.sort((one, other) => one.asked - other.asked);
      this.flying.push(...this.#queued.splice(-1));
    }
  }
}

/** A directory, its log, and its pending lookups. */
export function real() {
  const clock = { now: 0 };
  let calls: { kind: Kind; id: string; signal: AbortSignal; end: (end: Found | ServiceError) => void }[] = [];
  const lookUp = <K extends Kind>(kind: K, id: string, signal: AbortSignal): Promise<Found<K>> => {
    const { promise, resolve, reject } = deferred<Found<K>>();
    const end = (ended: Found | ServiceError) => {
      calls = calls.filter((call) => call.end !== end);
      if (ended instanceof ServiceError) reject(ended);
      else resolve(ended as Found<K>);
    };
    calls.push({ kind, id, signal, end });
    return promise;
  };
  const lookUps: Lookups = {
    group: (id, signal) => lookUp('group', id, signal),
    bot: (id, signal) => lookUp('bot', id, signal),
    user: (id, signal) => lookUp('user', id, signal),
  };
  const directory = new Directory(lookUps, { now: () => clock.now, defer: setImmediate });
  const changes: string[] = [];
  directory.onDidChange((kind, id) => changes.push(`${kind} ${id}`));
  const ends: End[] = [];
  const ask = (kind: Kind, id: string, accept: Accept, signal: AbortSignal | undefined) => {
    const number = ends.push('pending') - 1;
    directory.get(kind, id, { accept, signal }).then(
      (found) => {
        ends[number] = found;
      },
      (error) => {
        ends[number] = error instanceof ServiceError && error.failure.kind === 'cancelled' ? 'cancelled' : error;
      },
    );
  };
  return { clock, directory, changes, ends, ask, calls: () => calls.filter(({ signal }) => !signal.aborted) };
}

/** Possible results of a lookup. */
export function endOf(answer: Answer, kind: Kind, id: string): Found | ServiceError {
  if (answer === 'found') return thing[kind](id);
  return answer === 'missing' ? missing(kind, id) : broken();
}
