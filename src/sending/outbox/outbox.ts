/** The outbox: deliveries on their way and those of the past. Nothing is sent but what is written down in it first. */
import type { BatchAnswer } from '../../service/client.ts';
import type { Clock } from '../../service/clock.ts';
import type { Chat } from '../../service/model.ts';
import { deliver, type Stopped } from '../deliver.ts';
import type { Batch, Recipient } from '../plan.ts';
import { Account, type Outcome } from './account.ts';
import type { Delivery } from './record.ts';
import { type Reading, type Settled, settle } from './settle.ts';
import type { Kept, Store } from './store.ts';

/** How batches go out, and with which token, which is never written down. */
export interface Sender {
  readonly token: string;
  send(batch: Batch, options: { before(): Promise<void>; signal: AbortSignal }): Promise<BatchAnswer>;
}

/** Those of a delivery whom the message has not surely reached, by it or by those that went to its unreached since. */
export interface Unreached {
  recipients: Recipient[];
  /** Those of them who may have it all the same. */
  uncertain: Recipient[];
  /** How often it was sent to them again before. */
  resends: number;
}

export class Outbox {
  readonly #store: Store;
  readonly #changed: (id: string) => void;
  readonly #clock: Clock | undefined;
  /** What this window sends now. */
  readonly #running = new Map<string, { account: Account; abort: AbortController }>();

  /** `changed` is told of every delivery that has become another. */
  constructor(store: Store, changed: (id: string) => void = () => {}, clock?: Clock) {
    this.#store = store;
    this.#changed = changed;
    this.#clock = clock;
  }

  newId(): string {
    return this.#store.newId();
  }

  /** All deliveries, the newest first. */
  async all(): Promise<Kept[]> {
    const all = await Promise.all((await this.#store.ids()).map((id) => this.get(id)));
    return all.filter((kept) => kept !== undefined);
  }

  async get(id: string): Promise<Kept | undefined> {
    const running = this.#running.get(id);
    if (running) return { account: running.account, isRunning: true, unreadable: 0 };
    return this.#store.load(id);
  }

  /** Writes a new delivery down and sends it. Rejects where it cannot be written down: nothing is sent then. */
  async start(delivery: Delivery, sender: Sender, progress: (account: Account) => void = () => {}): Promise<Ended> {
    const end = await this.#store.run(delivery.id);
    try {
      await this.#store.create(delivery);
      return await this.#send(new Account(delivery), sender, progress);
    } finally {
      await end();
      this.#changed(delivery.id);
    }
  }

  /**
   * Sends what nobody can have got of a delivery: batches that were never sent or were refused. Undefined where there is
   * no such delivery, or somebody sends it.
   */
  async resume(
    id: string,
    sender: Sender,
    progress: (account: Account) => void = () => {},
  ): Promise<Ended | undefined> {
    if (this.#running.has(id) || (await this.#store.isRunning(id))) return undefined;
    const end = await this.#store.run(id);
    try {
      const kept = await this.#store.load(id);
      return kept && (await this.#send(kept.account, sender, progress));
    } finally {
      await end();
      this.#changed(id);
    }
  }

  /** Lets a delivery end after the call that is under way; it can be resumed. */
  stop(id: string): void {
    this.#running.get(id)?.abort.abort();
  }

  /** Reads the chats of those of whom it is unknown whether they got the message, and writes down what they tell. */
  async settle(
    id: string,
    list: Reading['list'],
    signal: AbortSignal,
    progress: (done: number, of: number) => void = () => {},
  ): Promise<Settled | undefined> {
    const kept = await this.get(id);
    if (!kept || kept.isRunning) return undefined;
    const { delivery } = kept.account;
    const same = (await this.all()).filter(
      ({ account }) => account.delivery.id !== id && account.delivery.bot.id === delivery.bot.id,
    );
    const brought = new Set(
      same.flatMap(({ account }) => account.recipients('reached').map((one) => msgIdOf(account, one))),
    );
    const alike = same.filter(({ account }) => account.delivery.digest === delivery.digest);
    const settled = await settle(
      kept.account,
      {
        list,
        isOthers: (msgId) => brought.has(msgId),
        isContested: (chat) => alike.some(({ account }) => account.outcomeOf(chat).state === 'unknown'),
      },
      signal,
      progress,
    );
    if (settled.found.length > 0) {
      await this.#store.append(id, { what: 'read', at: Date.now(), found: settled.found });
      this.#changed(id);
    }
    return settled;
  }

  async unreached(id: string): Promise<Unreached> {
    const all = await this.all();
    const first = all.find(({ account }) => account.delivery.id === id)?.account;
    if (!first) return { recipients: [], uncertain: [], resends: 0 };
    const line = descendants(id, all);
    const states = (one: Recipient): Outcome['state'][] =>
      [first, ...line].map((account) => account.outcomeOf(one).state);
    const recipients = first.recipients().filter((one) => !states(one).includes('reached'));
    const uncertain = recipients.filter((one) =>
      states(one).some((state) => state === 'unknown' || state === 'missing'),
    );
    return { recipients, uncertain, resends: await this.#store.resends(id) };
  }

  /** Takes the right to send to the unreached of a delivery; false where another window has since they were counted. */
  claimResend(id: string, resends: number): Promise<boolean> {
    return this.#store.claimResend(id, resends);
  }

  /** Forgets a delivery; false while it is sent. */
  async remove(id: string): Promise<boolean> {
    if (this.#running.has(id) || (await this.#store.isRunning(id))) return false;
    await this.#store.remove(id);
    this.#changed(id);
    return true;
  }

  /** Deliveries that a death has cut off; each is told of once. */
  async interrupted(): Promise<Kept[]> {
    const cut = await Promise.all(
      (await this.#store.interrupted()).map(async (id) => {
        const kept = await this.#store.load(id);
        await this.#store.told(id);
        return kept;
      }),
    );
    return cut.filter((kept) => kept !== undefined);
  }

  /** Whether any window says that it sends something. */
  isSomeRunning(): Promise<boolean> {
    return this.#store.isSomeRunning();
  }

  /** Ends what this window sends, each after the call that is under way. */
  dispose(): void {
    for (const { abort } of this.#running.values()) abort.abort();
  }

  async #send(account: Account, sender: Sender, progress: (account: Account) => void): Promise<Ended> {
    const { id } = account.delivery;
    const abort = new AbortController();
    this.#running.set(id, { account, abort });
    this.#changed(id);
    try {
      const stopped = await deliver(
        account,
        {
          send: sender.send,
          begin: (one) => this.#store.begin(id, one),
          append: (line) => this.#store.append(id, line, sender.token),
          progress: () => {
            progress(account);
            this.#changed(id);
          },
          ...(this.#clock && { clock: this.#clock }),
        },
        abort.signal,
      );
      return { account, stopped };
    } finally {
      this.#running.delete(id);
    }
  }
}

/** How a run ended: the account as far as this window knows it. */
export interface Ended {
  account: Account;
  stopped: Stopped | undefined;
}

/** The deliveries to the unreached of a delivery, and to theirs in turn. */
function descendants(id: string, all: readonly Kept[]): Account[] {
  const children = all.flatMap(({ account }) => (account.delivery.resends === id ? [account] : []));
  return children.flatMap((child) => [child, ...descendants(child.delivery.id, all)]);
}

function msgIdOf(account: Account, recipient: Chat): string {
  const outcome = account.outcomeOf(recipient);
  return outcome.state === 'reached' ? outcome.msgId : '';
}
