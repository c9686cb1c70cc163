/** The sidebar's rows of groups, bots and people, and what is known of each. Plain data: no editor in it. */
import type { Found, Kind } from '../service/model.ts';

/** One configured ID. There is one object for each kind and ID, so that a view can tell rows apart by identity. */
export interface ChatRow {
  readonly type: 'chat';
  readonly kind: Kind;
  readonly id: string;
}

/** What a row shows. A row that failed, or is looked up again, keeps what was known before. */
export type RowState =
  | { at: 'loading'; found?: Found | undefined }
  | { at: 'known'; found: Found }
  | { at: 'failed'; error: unknown; found?: Found | undefined };

export interface RowSource {
  /** What is remembered of an ID, however old. */
  peek(kind: Kind, id: string): Found | undefined;
  /** What there is to know of an ID now; with `refresh`, as the service has it at this moment. */
  lookUp(kind: Kind, id: string, options: { refresh: boolean }): Promise<Found>;
}

export class Rows {
  readonly #source: RowSource;
  readonly #changed: (row: ChatRow) => void;
  #rows = new Map<string, ChatRow>();
  #states = new Map<ChatRow, RowState>();

  /** `changed` is called each time the state of a row is another. */
  constructor(source: RowSource, changed: (row: ChatRow) => void) {
    this.#source = source;
    this.#changed = changed;
  }

  row(kind: Kind, id: string): ChatRow {
    const key = `${kind} ${id}`;
    const row = this.#rows.get(key) ?? { type: 'chat', kind, id };
    this.#rows.set(key, row);
    return row;
  }

  /** The state of a row. The first time it is asked for, it shows what is remembered, and its lookup begins. */
  state(row: ChatRow): RowState {
    const state = this.#states.get(row);
    if (state) return state;
    const found = this.#source.peek(row.kind, row.id);
    const first: RowState = found ? { at: 'known', found } : { at: 'loading' };
    this.#states.set(row, first);
    void this.#load(row, false);
    return first;
  }

  /** Looks a row up again. Resolves when its new state is there, be it a failure. */
  refresh(row: ChatRow): Promise<void> {
    this.#states.set(row, { at: 'loading', found: this.#states.get(row)?.found });
    this.#changed(row);
    return this.#load(row, true);
  }

  /** Looks every row up again that was looked up before. */
  async refreshAll(): Promise<void> {
    await Promise.all([...this.#states.keys()].map((row) => this.refresh(row)));
  }

  /** Shows what was found by others on the row of an ID, if that is shown and does not look it up itself. */
  learn(kind: Kind, id: string, found: Found): void {
    const row = this.#rows.get(`${kind} ${id}`);
    const state = row && this.#states.get(row);
    if (!row || !state || state.at === 'loading' || (state.at === 'known' && state.found === found)) return;
    this.#states.set(row, { at: 'known', found });
    this.#changed(row);
  }

  /** Forgets everything: the service is another one. */
  reset(): void {
    this.#rows = new Map();
    this.#states = new Map();
  }

  async #load(row: ChatRow, refresh: boolean): Promise<void> {
    const states = this.#states;
    let state: RowState;
    try {
      state = { at: 'known', found: await this.#source.lookUp(row.kind, row.id, { refresh }) };
    } catch (error) {
      state = { at: 'failed', error, found: states.get(row)?.found };
    }
    if (states !== this.#states) return;
    states.set(row, state);
    this.#changed(row);
  }
}
