/** What goes to a page, in order; long lists in portions, for VS Code writes each message as one text. */

import type { PageItem, ToPage } from '../protocol/history.ts';
import { TimeSlices } from '../service/timeSlices.ts';

type SpliceMessage = Extract<ToPage, { type: 'splice' }>;

/** How long a message may get (UTF-16 units of JSON); one item may be longer. */
const PORTION = 2 ** 18;

export class PostQueue {
  readonly #send: (message: ToPage) => PromiseLike<unknown>;
  /** Resolves when all that was posted so far has been sent; undefined where it has. */
  #last: Promise<unknown> | undefined;

  /** `send` resolves when the page has got a message. */
  constructor(send: (message: ToPage) => PromiseLike<unknown>) {
    this.#send = send;
  }

  /**
   * Sends messages after all that were posted before, one by one as they are made. Resolves when the page has got them.
   * Nothing more is sent once they are not wanted any longer.
   */
  async post(messages: Iterable<ToPage>, isWanted: () => boolean = () => true): Promise<void> {
    const send = async () => {
      const slices = new TimeSlices();
      const got: PromiseLike<unknown>[] = [];
      for (const message of messages) {
        // Only what comes in portions is interrupted.
        if (got.length > 0 && slices.isOver) await slices.pause();
        if (!isWanted()) break;
        got.push(this.#send(message));
      }
      // In a list: not to be waited for here, as a page that is hidden gets nothing.
      return { got };
    };
    const sent = this.#last ? this.#last.then(send) : send();
    this.#last = sent;
    const { got } = await sent;
    if (this.#last === sent) this.#last = undefined;
    await Promise.all(got);
  }
}

/** A splice as several, none of which is long. Each is made when it is asked for. */
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
