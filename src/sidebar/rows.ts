/** The sidebar's rows of groups, bots and people, and what is known of each. Plain data: no editor in it. */
import type { Found, Kind } from '../service/model.ts';

/** One ID. There is one object for each kind and ID, so that a view can tell rows apart by identity. */
export interface ChatRow {
  readonly type: 'chat';
  readonly kind: Kind;
  readonly id: string;
}

/** What a row shows. One that waits, is looked up again or failed keeps what was known before. */
export type RowState =
  /** It is looked up when the person sees it. */
  | { at: 'waiting'; found?: Found | undefined }
  | { at: 'loading'; found?: Found | undefined }
  | { at: 'known'; found: Found }
  | { at: 'failed'; error: unknown; found?: Found | undefined };

export interface RowSource {
  /** What is remembered of an ID, however old. */
  peek(kind: Kind, id: string): Found | undefined;
  /**
   * What there is to know of an ID now; with `refresh`, as the service has it at this moment. Rejects as soon as the
   * signal is aborted.
   */
  lookUp(kind: Kind, id: string, options: { refresh: boolean; signal: AbortSignal }): Promise<Found>;
}

export interface RowEvents {
  /** The state of a row is another. */
  changed(row: ChatRow): void;
  /** Lookups have begun, or the last of them has ended. */
  busy(isBusy: boolean): void;
}

/** More rows than this are not on a screen: of those that were scrolled past, the oldest are not looked up. */
const IN_VIEW = 100;

/** A lookup that is under way. */
interface LookUp {
  readonly ended: Promise<void>;
  readonly abort: AbortController;
}

export class Rows {
  readonly #source: RowSource;
  readonly #events: RowEvents;
  #rows = new Map<string, ChatRow>();
  #states = new Map<ChatRow, RowState>();
  readonly #lookUps = new Map<ChatRow, LookUp>();
  /** Rows that are looked up for no other reason than that they were seen; the one seen last comes last. */
  readonly #glanced = new Set<ChatRow>();
  #round = 0;
  /** How often the person wanted all rows as the service has them then. */
  #refreshes = 0;
  #underWay = 0;

  constructor(source: RowSource, events: RowEvents) {
    this.#source = source;
    this.#events = events;
  }

  /** Counts how often rows were put to be looked up again. Never goes back: VS Code asks for each address once. */
  get round(): number {
    return this.#round;
  }

  row(kind: Kind, id: string): ChatRow {
    const key = `${kind} ${id}`;
    const row = this.#rows.get(key) ?? { type: 'chat', kind, id };
    this.#rows.set(key, row);
    return row;
  }

  /** The row of an ID, where there is one. */
  find(kind: Kind, id: string): ChatRow | undefined {
    return this.#rows.get(`${kind} ${id}`);
  }

  /** The state of a row; asks for nothing. */
  state(row: ChatRow): RowState {
    const state = this.#states.get(row);
    if (state && (state.found || state.at !== 'waiting')) return state;
    const first: RowState = { at: 'waiting', found: this.#source.peek(row.kind, row.id) };
    this.#states.set(row, first);
    return first;
  }

  /** The person sees this row: it is looked up if that was not done yet, and others that were scrolled past are not. */
  seen(row: ChatRow): void {
    if (this.state(row).at !== 'waiting') return;
    this.#glanced.add(row);
    void this.#load(row, this.#refreshes > 0);
    for (const passed of this.#glanced) {
      if (this.#glanced.size <= IN_VIEW) break;
      this.#glanced.delete(passed);
      this.#lookUps.get(passed)?.abort.abort();
    }
  }

  /** The person wants to know of this row. Resolves when its state is there, be it a failure. */
  async need(row: ChatRow): Promise<void> {
    this.#glanced.delete(row);
    if (this.state(row).at === 'waiting') await this.#load(row, this.#refreshes > 0);
    else await this.#lookUps.get(row)?.ended;
  }

  /** Looks a row up again. Resolves when its new state is there, be it a failure. */
  refresh(row: ChatRow): Promise<void> {
    this.#glanced.delete(row);
    return this.#load(row, true);
  }

  /** All rows are looked up again, each when it is seen. */
  refreshAll(): void {
    this.#round++;
    this.#refreshes++;
    for (const [row, { found }] of this.#states) this.#states.set(row, { at: 'waiting', found });
  }

  /** Shows what was found by others on the row of an ID, if that is shown and does not look it up itself. */
  learn(kind: Kind, id: string, found: Found): void {
    const row = this.#rows.get(`${kind} ${id}`);
    const state = row && this.#states.get(row);
    if (!row || !state || state.at === 'loading' || (state.at === 'known' && state.found === found)) return;
    this.#set(row, { at: 'known', found });
  }

  /** The error of every lookup that has ended, where all of them have failed; undefined otherwise. */
  trouble(): unknown {
    const states = [...this.#states.values()];
    if (states.some(({ at }) => at === 'known')) return undefined;
    const failed = states.findLast((state) => state.at === 'failed');
    return failed?.error;
  }

  /** Forgets everything: the service is another one. */
  reset(): void {
    this.#rows = new Map();
    this.#states = new Map();
    this.#glanced.clear();
    this.#round++;
    this.#refreshes = 0;
  }

  #load(row: ChatRow, refresh: boolean): Promise<void> {
    const { at, found } = this.state(row);
    this.#states.set(row, { at: 'loading', found });
    // One that has a name looks the same meanwhile.
    if (!found || at === 'failed') this.#events.changed(row);
    const abort = new AbortController();
    const ended = this.#lookUp(row, refresh, abort.signal);
    const lookUp = { ended, abort };
    this.#lookUps.set(row, lookUp);
    return ended.finally(() => {
      if (this.#lookUps.get(row) === lookUp) this.#lookUps.delete(row);
    });
  }

  /** Never rejects. */
  async #lookUp(row: ChatRow, refresh: boolean, signal: AbortSignal): Promise<void> {
    const states = this.#states;
    const refreshes = this.#refreshes;
    if (this.#underWay++ === 0) this.#events.busy(true);
    let state: RowState;
    try {
      state = { at: 'known', found: await this.#source.lookUp(row.kind, row.id, { refresh, signal }) };
    } catch (error) {
      state = { at: 'failed', error, found: states.get(row)?.found };
    }
    // What was asked before a refresh is no answer to that.
    if (signal.aborted || refreshes !== this.#refreshes) state = { at: 'waiting', found: state.found };
    if (--this.#underWay === 0) this.#events.busy(false);
    // Another service, or a lookup that has begun since.
    if (states !== this.#states || this.#lookUps.get(row)?.abort.signal !== signal) return;
    this.#glanced.delete(row);
    // It is to be noticed again.
    if (state.at === 'waiting') this.#round++;
    this.#set(row, state);
  }

  #set(row: ChatRow, state: RowState): void {
    this.#states.set(row, state);
    this.#events.changed(row);
  }
}
