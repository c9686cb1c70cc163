/** Posts messages to a page in order. Long lists are split, since VS Code serializes each message as one string. */

import type { PageItem, ToPage } from '../../protocol/history.ts';
import { TimeSlices } from '../../service/timeSlices.ts';

type SpliceMessage = Extract<ToPage, { type: 'splice' }>;

/** Maximum length of a message (UTF-16 units of JSON), unless a single item is longer. */
const PORTION = 2 ** 18;

export class PostQueue {
  readonly #send: (message: ToPage) => PromiseLike<unknown>;
  /** Resolves when all messages so far have been sent; undefined if nothing is pending. */
  #last: Promise<unknown> | undefined;

  /** `send` resolves when the page has received a message. */
  constructor(send: (message: ToPage) => PromiseLike<unknown>) {
    this.#send = send;
  }

  /**
   * Sends messages after those posted before, each as it is created. Stops as soon as `isWanted` returns false. Resolves
   * when the page has received them.
   */
  async post(messages: Iterable<ToPage>, isWanted: () => boolean = () => true): Promise<void> {
    const send = async () => {
      const slices = new TimeSlices();
      const received: PromiseLike<unknown>[] = [];
      for (const message of messages) {
        if (!isWanted()) break;
        received.push(this.#send(message));
        // Not before it: however slow the machine is, the first message is sent at once.
        if (slices.isOver) await slices.pause();
      }
      // Wrapped, so that it is not awaited here: a hidden page receives nothing.
      return { received };
    };
    const sent = this.#last ? this.#last.then(send) : send();
    this.#last = sent;
    const { received } = await sent;
    if (this.#last === sent) this.#last = undefined;
    await Promise.all(received);
  }
}

/** Splits a splice into several short ones, each created on demand. */
export function* portionsOf<T>(
  { at, removed, inserted }: { at: number; removed: number; inserted: readonly T[] },
  view: (one: T) => PageItem,
): Generator<SpliceMessage> {
  let portion: SpliceMessage = { type: 'splice', at, removed, items: [] };
  let size = 0;
  for (const one of inserted) {
    const item = view(one);
    const length = JSON.stringify(item).length;
    if (size > 0 && size + length > PORTION) {
      yield portion;
      portion = { type: 'splice', at: portion.at + portion.items.length, removed: 0, items: [] };
      size = 0;
    }
    portion.items.push(item);
    size += length;
  }
  yield portion;
}
