/** The sidebar's rows of groups, bots and people, the state of each, and where they're looked up. Doesn't use VS Code. */
import type { Directory } from '../directory/directory.ts';
import type { Connection, Service } from '../platform/service.ts';
import { isOutage } from '../service/errors.ts';
import { type Found, type Kind, resourceKey } from '../service/model.ts';

/** The row of an ID. Each kind and ID has a single object, so that rows can be compared by identity. */
export interface ChatRow {
  readonly type: 'chat';
  readonly kind: Kind;
  readonly id: string;
}

/** What a row shows. In each status, the resource that was found before stays. */
export type RowState =
  /** The row is looked up when it becomes visible. */
  | { status: 'waiting'; found?: Found | undefined }
  | { status: 'loading'; found?: Found | undefined }
  | { status: 'known'; found: Found }
  | { status: 'failed'; error: unknown; found?: Found | undefined };

interface RowSource {
  /** The cached resource, however old. */
  peek(kind: Kind, id: string): Found | undefined;
  /**
   * Updates the cached resource; with `refresh`, even if it's fresh. Rejects if the lookup fails, and as soon as the
   * signal is aborted.
   */
  lookUp(kind: Kind, id: string, options: { refresh: boolean; signal: AbortSignal }): Promise<void>;
}

interface RowListener {
  /** The state of a row has changed. */
  rowChanged(row: ChatRow): void;
  /** The first lookup has started, or the last one has ended. */
  busyChanged(isBusy: boolean): void;
}

/** More rows don't fit on a screen: beyond them, lookups of rows that were scrolled past first are canceled. */
const MAX_VISIBLE = 100;

interface PendingLookup {
  readonly ended: Promise<void>;
  readonly abort: AbortController;
}

export class Rows {
  readonly #source: RowSource;
  readonly #listener: RowListener;
  #rows = new Map<string, ChatRow>();
  #states = new Map<ChatRow, RowState>();
  readonly #lookUps = new Map<ChatRow, PendingLookup>();
  /** Rows that are looked up only because they became visible, the most recent one last. */
  readonly #visibleOnly = new Set<ChatRow>();
  #generation = 0;
  #refreshCount = 0;
  #pendingCount = 0;

  constructor(source: RowSource, listener: RowListener) {
    this.#source = source;
    this.#listener = listener;
  }

  /** Increases whenever rows wait to be looked up again, because VS Code reports a visible row once per URI. */
  get generation(): number {
    return this.#generation;
  }

  /** The row of an ID, created if necessary. */
  row(kind: Kind, id: string): ChatRow {
    const key = resourceKey(kind, id);
    const row = this.#rows.get(key) ?? { type: 'chat', kind, id };
    this.#rows.set(key, row);
    return row;
  }

  /** The row of an ID, if there is one. */
  find(kind: Kind, id: string): ChatRow | undefined {
    return this.#rows.get(resourceKey(kind, id));
  }

  /** The state of a row. Starts no lookup. */
  state(row: ChatRow): RowState {
    const state = this.#states.get(row);
    if (state && (state.found || state.status !== 'waiting')) return state;
    const first: RowState = { status: 'waiting', found: this.#source.peek(row.kind, row.id) };
    this.#states.set(row, first);
    return first;
  }

  /** Looks up a row that has become visible, if it waits for that, and cancels lookups of rows that were scrolled past. */
  lookUpVisible(row: ChatRow): void {
    if (this.state(row).status !== 'waiting') return;
    this.#visibleOnly.add(row);
    void this.#load(row, this.#refreshCount > 0);
    for (const passed of this.#visibleOnly) {
      if (this.#visibleOnly.size <= MAX_VISIBLE) break;
      this.#visibleOnly.delete(passed);
      this.#lookUps.get(passed)?.abort.abort();
    }
  }

  /** Looks up a row that waits for it. Resolves when the lookup has succeeded or failed. */
  async lookUp(row: ChatRow): Promise<void> {
    this.#visibleOnly.delete(row);
    if (this.state(row).status === 'waiting') await this.#load(row, this.#refreshCount > 0);
    else await this.#lookUps.get(row)?.ended;
  }

  /** Looks up a row again. Resolves when the lookup has succeeded or failed. */
  refresh(row: ChatRow): Promise<void> {
    this.#visibleOnly.delete(row);
    return this.#load(row, true);
  }

  /** Looks up all rows again, each when it becomes visible. */
  refreshAll(): void {
    this.#generation++;
    this.#refreshCount++;
    for (const [row, { found }] of this.#states) this.#states.set(row, { status: 'waiting', found });
  }

  /** A row whose lookup failed because the service couldn't be reached. */
  unreachedRow(): ChatRow | undefined {
    return [...this.#states].find(([, state]) => isUnreached(state))?.[0];
  }

  /** Looks up the rows again that the service couldn't be reached for, each when it becomes visible. */
  retryUnreached(): void {
    this.#generation++;
    for (const [row, state] of this.#states) {
      if (isUnreached(state)) this.#states.set(row, { status: 'waiting', found: state.found });
    }
  }

  /** Shows what the source has found for an ID, unless its row is still being looked up. */
  update(kind: Kind, id: string): void {
    const row = this.find(kind, id);
    const state = row && this.#states.get(row);
    if (!row || !state || state.status === 'loading') return;
    const found = this.#source.peek(kind, id);
    if (!found || (state.status === 'known' && state.found === found)) return;
    this.#setState(row, { status: 'known', found });
  }

  /** The error of the last failed row, if no row is known. */
  sharedError(): unknown {
    const states = [...this.#states.values()];
    if (states.some(({ status }) => status === 'known')) return undefined;
    const failed = states.findLast((state) => state.status === 'failed');
    return failed?.error;
  }

  /** Removes all rows, because the service has changed. */
  reset(): void {
    this.#rows = new Map();
    this.#states = new Map();
    this.#visibleOnly.clear();
    this.#generation++;
    this.#refreshCount = 0;
  }

  #load(row: ChatRow, refresh: boolean): Promise<void> {
    const { status, found } = this.state(row);
    this.#states.set(row, { status: 'loading', found });
    // A row with a name looks the same while it's loading.
    if (!found || status === 'failed') this.#listener.rowChanged(row);
    const abort = new AbortController();
    const ended = this.#lookUp(row, refresh, abort.signal);
    const lookUp = { ended, abort };
    this.#lookUps.set(row, lookUp);
    return ended.finally(() => {
      if (this.#lookUps.get(row) === lookUp) this.#lookUps.delete(row);
    });
  }

  /** Looks up a row. Never rejects. */
  async #lookUp(row: ChatRow, refresh: boolean, signal: AbortSignal): Promise<void> {
    const states = this.#states;
    const refreshCount = this.#refreshCount;
    if (this.#pendingCount++ === 0) this.#listener.busyChanged(true);
    let failure: { error: unknown } | undefined;
    try {
      await this.#source.lookUp(row.kind, row.id, { refresh, signal });
    } catch (error) {
      failure = { error };
    }
    if (--this.#pendingCount === 0) this.#listener.busyChanged(false);
    // The rows were reset, or another lookup has started.
    if (states !== this.#states || this.#lookUps.get(row)?.abort.signal !== signal) return;
    this.#visibleOnly.delete(row);
    const before = states.get(row)?.found;
    const found = failure ? before : (this.#source.peek(row.kind, row.id) ?? before);
    // A lookup that started before a refresh doesn't count as one.
    const isOutdated = signal.aborted || refreshCount !== this.#refreshCount;
    if (!isOutdated && failure) this.#setState(row, { status: 'failed', ...failure, found });
    else if (!isOutdated && found) this.#setState(row, { status: 'known', found });
    else {
      this.#generation++;
      this.#setState(row, { status: 'waiting', found });
    }
  }

  #setState(row: ChatRow, state: RowState): void {
    this.#states.set(row, state);
    this.#listener.rowChanged(row);
  }
}

const isUnreached = (state: RowState) => state.status === 'failed' && isOutage(state.error);

/** The directory of the service in use, as the source of the rows. */
export class RowDirectory implements RowSource {
  readonly #connection: Connection;
  readonly #onDidChange: (kind: Kind, id: string) => void;
  #directory: Directory | undefined;
  #removeListener = () => {};

  /** `onDidChange` is called for each changed entry, whichever feature looked it up. */
  constructor(connection: Connection, onDidChange: (kind: Kind, id: string) => void) {
    this.#connection = connection;
    this.#onDidChange = onDidChange;
  }

  peek(kind: Kind, id: string): Found | undefined {
    return this.#directory?.peek(kind, id);
  }

  labelOf(kind: Kind, id: string): string | undefined {
    return this.#directory?.labelOf(kind, id);
  }

  /** Opens the service in use. Its directory is the source from then on. @throws SetupError */
  async open(): Promise<Service> {
    const service = await this.#connection.open();
    this.#use(service.directory);
    return service;
  }

  async lookUp(kind: Kind, id: string, { refresh, signal }: { refresh: boolean; signal: AbortSignal }): Promise<void> {
    const { directory } = await this.open();
    await directory.get(kind, id, { accept: refresh ? 'new' : 'fresh', signal });
  }

  /** Stops using the current directory, because the service has changed. */
  clear(): void {
    this.#removeListener();
    this.#removeListener = () => {};
    this.#directory = undefined;
  }

  /** Uses and follows this directory instead of another one. */
  #use(directory: Directory): void {
    if (directory === this.#directory) return;
    this.clear();
    this.#directory = directory;
    this.#removeListener = directory.onDidChange(this.#onDidChange);
  }
}
