/** The chats that this window is archiving now. */
import { EventEmitter } from 'vscode';
import type { Host } from '../../platform/host.ts';
import { BotChatClient } from '../../presentation/botChatClient.ts';
import type { BotChat } from '../../protocol/botChat.ts';
import { systemClock } from '../../service/clock.ts';
import { catchUp } from '../archive/archiver.ts';
import type { RemoteArchive } from '../archive/remote.ts';

/** How far a run has come. */
export interface RunState {
  readonly isRunning: boolean;
  /** The number of new messages so far. */
  readonly added: number;
  /** When the last message that was read was sent (Unix ms), if known. */
  readonly reached: number | undefined;
  /** Why the run has stopped, unless it was paused. */
  readonly error?: unknown;
}

interface Run {
  state: RunState;
  readonly abort: AbortController;
  /** Resolves when it has ended, however that was. */
  done: Promise<void>;
}

type RunsHost = Pick<Host, 'chatEvents' | 'connection' | 'tokens'>;

export class ArchiveRuns {
  readonly #archive: RemoteArchive;
  readonly #host: RunsHost;
  readonly #changed = new EventEmitter<void>();
  readonly #ended = new EventEmitter<void>();
  /** The current or last run of each chat in this window, by its number. */
  readonly #runs = new Map<number, Run>();

  constructor(archive: RemoteArchive, host: RunsHost) {
    this.#archive = archive;
    this.#host = host;
  }

  readonly onDidChange = this.#changed.event;
  readonly onDidEnd = this.#ended.event;

  /** The current or last run of a chat in this window; undefined if there was none, or it had nothing to report. */
  state(chat: number): RunState | undefined {
    return this.#runs.get(chat)?.state;
  }

  /**
   * Catches up with a chat. Joins a run that is under way, but not one that was paused: it's over after its page. Resolves
   * when it has ended, however that was.
   */
  start(chat: number, botChat: BotChat): Promise<void> {
    const last = this.#runs.get(chat);
    if (last?.state.isRunning && !last.abort.signal.aborted) return last.done;
    const state = { isRunning: true, added: 0, reached: undefined };
    const run: Run = { state, abort: new AbortController(), done: Promise.resolve() };
    this.#runs.set(chat, run);
    run.done = this.#run(chat, botChat, run, last?.done);
    this.#changed.fire();
    return run.done;
  }

  /** Pauses a run after the current page. */
  pause(chat: number): void {
    this.#runs.get(chat)?.abort.abort();
  }

  /** Pauses the run of a chat and forgets it. Resolves when the run has ended. */
  async forget(chat: number): Promise<void> {
    for (let run = this.#runs.get(chat); run; run = this.#runs.get(chat)) {
      run.abort.abort();
      await run.done;
      // The run may have been started again meanwhile.
      if (this.#runs.get(chat) === run) this.#runs.delete(chat);
    }
  }

  dispose(): void {
    for (const { abort } of this.#runs.values()) abort.abort();
    this.#changed.dispose();
    this.#ended.dispose();
  }

  /** Runs once the run before, if any, has ended. */
  async #run(chat: number, botChat: BotChat, run: Run, before: Promise<void> | undefined): Promise<void> {
    const { signal } = run.abort;
    const client = new BotChatClient(botChat, this.#host);
    try {
      await before;
      signal.throwIfAborted();
      const options = {
        archive: this.#archive,
        list: client.listOnly.bind(client),
        onPage: (added: number, reached: number | undefined) => this.#update(run, { added, reached }),
        now: systemClock.wall,
      };
      await catchUp(chat, options, signal);
      this.#update(run, { isRunning: false });
    } catch (error) {
      this.#update(run, { isRunning: false, ...(!signal.aborted && { error }) });
    }
    this.#ended.fire();
  }

  #update(run: Run, change: Partial<RunState>): void {
    run.state = { ...run.state, ...change };
    this.#changed.fire();
  }
}
