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
  /** New messages so far. */
  readonly added: number;
  /** When the last message that was read was sent (Unix ms), if known. */
  readonly reached: number | undefined;
  /** Why it has stopped, unless it was paused. */
  readonly error?: unknown;
}

type RunsHost = Pick<Host, 'chatEvents' | 'connection' | 'tokens'>;

export class ArchiveRuns {
  readonly #archive: RemoteArchive;
  readonly #host: RunsHost;
  readonly #changed = new EventEmitter<void>();
  readonly #ended = new EventEmitter<void>();
  /** The current or last run of each chat in this window, by its number. */
  readonly #runs = new Map<number, { state: RunState; abort: AbortController; done: Promise<void> }>();

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

  /** Catches up with a chat. Joins a run that is under way. Resolves when it has ended, however that was. */
  start(chat: number, botChat: BotChat): Promise<void> {
    const running = this.#runs.get(chat);
    if (running?.state.isRunning) return running.done;
    const abort = new AbortController();
    const run = { state: { isRunning: true, added: 0, reached: undefined }, abort, done: Promise.resolve() };
    this.#runs.set(chat, run);
    run.done = this.#run(chat, botChat, abort.signal);
    this.#changed.fire();
    return run.done;
  }

  /** Pauses a run after the current page. */
  pause(chat: number): void {
    this.#runs.get(chat)?.abort.abort();
  }

  /** Pauses the run of a chat and forgets it. Resolves when it has ended. */
  async forget(chat: number): Promise<void> {
    const run = this.#runs.get(chat);
    run?.abort.abort();
    await run?.done;
    this.#runs.delete(chat);
  }

  dispose(): void {
    for (const { abort } of this.#runs.values()) abort.abort();
    this.#changed.dispose();
    this.#ended.dispose();
  }

  async #run(chat: number, botChat: BotChat, signal: AbortSignal): Promise<void> {
    const client = new BotChatClient(botChat, this.#host);
    try {
      const options = {
        archive: this.#archive,
        list: client.listOnly.bind(client),
        onPage: (added: number, reached: number | undefined) => this.#update(chat, { added, reached }),
        now: systemClock.wall,
      };
      await catchUp(chat, options, signal);
      this.#update(chat, { isRunning: false });
    } catch (error) {
      this.#update(chat, { isRunning: false, ...(!signal.aborted && { error }) });
    }
    this.#ended.fire();
  }

  #update(chat: number, change: Partial<RunState>): void {
    const run = this.#runs.get(chat);
    if (!run) return;
    run.state = { ...run.state, ...change };
    this.#changed.fire();
  }
}
