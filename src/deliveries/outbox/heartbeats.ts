/** The heartbeats of windows that send: they tell the others what is being sent. Who may send, claims decide. */
import * as v from 'valibot';
import type { DurableFiles } from '../../platform/durableFiles.ts';
import { type Clock, Timer } from '../../service/clock.ts';
import { checkedId, isDeliveryId } from './record.ts';

/** A window that sends writes a heartbeat at this interval, and counts as dead after the timeout (milliseconds). */
const HEARTBEAT_INTERVAL = 3_000;

export const HEARTBEAT_TIMEOUT = 12_000;

const Heartbeat = v.pipe(v.string(), v.parseJson(), v.object({ at: v.number() }));

const pathOf = (id: string) => `running/${checkedId(id)}`;

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
    const beat = () => this.#files.write(pathOf(id), JSON.stringify({ at: this.#clock.wall() }), end.signal);
    await beat();
    let last: Promise<void> | undefined;
    const timer = new Timer(() => {
      timer.start(HEARTBEAT_INTERVAL);
      // One that waits for its file mustn't come after the next. A missed heartbeat misleads other windows, but claims
      // still keep them from sending.
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
      if (!isInterrupted) await this.clear(id);
    };
  }

  /** Whether a window is sending a delivery. */
  async isAlive(id: string): Promise<boolean> {
    // An unreadable heartbeat counts as none: claims decide who sends.
    const text = await this.#files.read(pathOf(id)).catch(() => undefined);
    const heartbeat = v.safeParse(Heartbeat, text);
    if (!heartbeat.success) return false;
    return Math.abs(this.#clock.wall() - heartbeat.output.at) < HEARTBEAT_TIMEOUT;
  }

  /** The IDs of deliveries whose window died while sending, until their heartbeat is cleared. */
  async silent(): Promise<string[]> {
    const ids = (await this.#files.names('running')).filter(isDeliveryId);
    const running = await Promise.all(ids.map((id) => this.isAlive(id)));
    return ids.filter((_, index) => !running[index]);
  }

  /** Whether any window is marked as sending, which may have died since. */
  async any(): Promise<boolean> {
    return (await this.#files.names('running')).some(isDeliveryId);
  }

  /** Ends the heartbeat of a delivery, so that it no longer counts as running or interrupted. */
  async clear(id: string): Promise<void> {
    await this.#files.remove(pathOf(id));
  }
}
