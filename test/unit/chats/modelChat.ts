// A minimal model of a chat on a service, which may number, time, order and limit its messages as services do.
import * as v from 'valibot';
import type { Page } from '../../../src/service/client.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { Listed } from '../../../src/service/message.ts';
import { noSuchMessage } from './history/chat.ts';

/** A sent message. `index` is its index in the chat. */
interface Sent {
  readonly index: number;
  readonly msgId: string | undefined;
  readonly entry: Listed;
  isDeleted: boolean;
}

export interface Habits {
  /** The time of the message with this index. */
  time(index: number): number | undefined;
  /** Maximum number of messages on each side of an anchor. */
  limit: number;
}

/** The label of unreadable messages that look different at each read. */
export const CHANGING = '~';

/** A minimal model of a chat on a service. */
export class ModelChat {
  readonly sent: Sent[] = [];
  isReversed = false;
  /** The response for an anchor that does not exist. */
  lost: 'rejects' | 'empty' | 'without' = 'rejects';
  /** How many of the next calls fail. */
  failures = 0;
  readonly #habits: Habits;
  #changes = 0;

  constructor(habits: Habits) {
    this.#habits = habits;
  }

  /** Unreadable messages with the same label are equal. */
  send(label: string | undefined): void {
    const index = this.sent.length;
    const msgId = label === undefined ? `m${index}` : undefined;
    const sendTime = this.#habits.time(index);
    const entry = msgId === undefined ? unreadable(label) : v.parse(Listed, { msgId, sendTime });
    this.sent.push({ index, msgId, entry, isDeleted: false });
  }

  async list(page: Page): Promise<Listed[]> {
    if (this.failures > 0) {
      this.failures--;
      throw new ServiceError({ kind: 'unreachable', reason: 'ECONNRESET' });
    }
    const { limit } = this.#habits;
    const present = this.sent.filter(({ isDeleted }) => !isDeleted);
    if ('latest' in page) return this.#inSomeOrder(present.slice(-page.latest), false);
    const at = present.findIndex(({ msgId }) => msgId === page.anchor);
    if (at < 0 && this.lost === 'rejects') throw noSuchMessage();
    if (at < 0) return this.#inSomeOrder(this.lost === 'empty' ? [] : present.slice(0, 3), false);
    const [before, after] = [Math.min(page.before ?? 0, limit), Math.min(page.after ?? 0, limit)];
    const found = present.slice(Math.max(0, at - before), at + after + 1);
    return this.#inSomeOrder(found, before === 0 || after === 0);
  }

  /** Only a page whose order is evident may be reversed. */
  #inSomeOrder(page: Sent[], isOneSided: boolean): Listed[] {
    const times = page.map(({ index, msgId }) => msgId && this.#habits.time(index)).filter(Number.isFinite);
    const tellsOrder = isOneSided || Number(times[0]) < Number(times.at(-1));
    const entries = page.map(({ entry }) => (isChanging(entry) ? unreadable(`${CHANGING}${++this.#changes}`) : entry));
    return this.isReversed && tellsOrder ? entries : entries.reverse();
  }
}

const unreadable = (label: string | undefined): Listed => v.parse(Listed, { broken: label });

const isChanging = (entry: Listed) => !entry.readable && (entry.raw as { broken?: string }).broken === CHANGING;
