/** The heartbeats of windows that send: they tell other windows what is being sent. Claims decide who may send. */
import * as v from 'valibot';
import type { DurableFiles } from '../../platform/durableFiles.ts';
import { type Clock, Timer } from '../../service/clock.ts';
import { checkedId } from './record.ts';

/** A window that sends writes a heartbeat at this interval, and counts as dead after the timeout (milliseconds). */
const HEARTBEAT_INTERVAL = 3_000;

export const HEARTBEAT_TIMEOUT = 12_000;

const Heartbeat = v.pipe(v.string(), v.parseJson(), v.object({ at: v.number() }));

/** Each start has a file of its own: nobody clears away another's who has just gone on with the same delivery. */
const HEARTBEAT_NAME = /^\d{15}-\w{8}-\w{8}$/;

const newName = (id: string) => `${checkedId(id)}-${crypto.randomUUID().slice(0, 8)}`;

export class Heartbeats {
  readonly #files: Pick<DurableFiles, 'names' | 'read' | 'remove' | 'write'>;
  readonly #clock: Pick<Clock, 'wall' | 'after'>;

  constructor(files: Pick<DurableFiles, 'names' | 'read' | 'remove' | 'write'>, clock: Pick<Clock, 'wall' | 'after'>) {
    this.#files = files;
    this.#clock = clock;
  }

  /**
   * Marks a delivery as being sent by this window. Resolves to a function that ends this; with `isInterrupted` the
   * delivery is reported as such at the next start.
   */
  async start(id: string): Promise<(isInterrupted?: boolean) => Promise<void>> {
    const end = new AbortController();
    const name = newName(id);
    const beat = () => this.#files.write(pathOf(name), JSON.stringify({ at: this.#clock.wall() }), end.signal);
    await beat();
    let last: Promise<void> | undefined;
    const timer = new Timer(() => {
      timer.start(HEARTBEAT_INTERVAL);
      // A heartbeat that waits for its file mustn't come after the next one. A missed heartbeat misleads other windows, but
      // claims still keep them from sending.
      last ??= beat()
        .catch(() => {})
        .finally(() => {
          last = undefined;
        });
    }, this.#clock);
    timer.start(HEARTBEAT_INTERVAL);
    return async (isInterrupted = false) => {
      timer.stop();
      end.abort();
      await last;
      if (isInterrupted) return;
      await this.#files.remove(pathOf(name));
      // The user has resumed what was interrupted, so it isn't reported any more.
      await this.clearSilent(id);
    };
  }

  /** Whether a window is sending a delivery. */
  async isAlive(id: string): Promise<boolean> {
    const beats = await Promise.all((await this.#namesOf(id)).map((name) => this.#isBeating(name)));
    return beats.includes(true);
  }

  /** The IDs of deliveries whose windows died while sending, until their heartbeats are cleared. */
  async silent(): Promise<string[]> {
    const ids = [...new Set((await this.#names()).map(idIn))];
    const running = await Promise.all(ids.map((id) => this.isAlive(id)));
    return ids.filter((_, index) => !running[index]);
  }

  /** Whether any window is marked as sending, although it may have died. */
  async any(): Promise<boolean> {
    return (await this.#names()).length > 0;
  }

  /** Ends the heartbeats of dead windows, so that the delivery no longer counts as interrupted by them. */
  async clearSilent(id: string): Promise<void> {
    for (const name of await this.#namesOf(id))
      if (!(await this.#isBeating(name))) await this.#files.remove(pathOf(name));
  }

  /** Ends all heartbeats of a delivery that is deleted. */
  async clear(id: string): Promise<void> {
    for (const name of await this.#namesOf(id)) await this.#files.remove(pathOf(name));
  }

  async #names(): Promise<string[]> {
    return (await this.#files.names('running')).filter((name) => HEARTBEAT_NAME.test(name));
  }

  async #namesOf(id: string): Promise<string[]> {
    return (await this.#names()).filter((name) => idIn(name) === id);
  }

  async #isBeating(name: string): Promise<boolean> {
    // An unreadable heartbeat counts as none: claims decide who sends.
    const text = await this.#files.read(pathOf(name)).catch(() => undefined);
    const heartbeat = v.safeParse(Heartbeat, text);
    return heartbeat.success && Math.abs(this.#clock.wall() - heartbeat.output.at) < HEARTBEAT_TIMEOUT;
  }
}

const pathOf = (name: string) => `running/${name}`;

const idIn = (name: string) => name.slice(0, name.lastIndexOf('-'));
