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
  /** The last of these deliveries, which the next one follows, and how often the right to follow it was taken. */
  last: string;
  resends: number;
}

interface Running {
  /** Once it is known. */
  account?: Account | undefined;
  readonly abort: AbortController;
  ended?: Promise<unknown>;
}

export class Outbox {
  readonly #store: Store;
  readonly #changed: (id: string) => void;
  readonly #clock: Clock | undefined;
  /** What this window sends now, or is about to. */
  readonly #running = new Map<string, Running>();
  #isClosing = false;

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
    const { account } = this.#running.get(id) ?? {};
    return account ? { account, isRunning: true, unreadable: 0, resends: 0 } : this.#store.load(id);
  }

  /** Writes a new delivery down and sends it. Rejects where it cannot be written down: nothing is sent then. */
  start(delivery: Delivery, sender: Sender, progress?: (account: Account) => void): Promise<Ended> {
    const written = async () => {
      await this.#store.create(delivery);
      return new Account(delivery);
    };
    return this.#run(delivery.id, written, sender, progress) as Promise<Ended>;
  }

  /**
   * Sends what nobody can have got of a delivery: batches that were never sent or were refused. Undefined where there is
   * no such delivery, where somebody sends it, or where its unreached were sent to again.
   */
  async resume(id: string, sender: Sender, progress?: (account: Account) => void): Promise<Ended | undefined> {
    if (await this.#isSent(id)) return undefined;
    const kept = async () => {
      const { account, resends } = (await this.#store.load(id)) ?? {};
      return resends === 0 ? account : undefined;
    };
    return this.#run(id, kept, sender, progress);
  }

  /** Lets a delivery end after the call that is under way; it can be resumed. False where this window does not send it. */
  stop(id: string): boolean {
    const running = this.#running.get(id);
    running?.abort.abort();
    return running !== undefined;
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
    const family = familyOf(id, await this.all());
    const states = (one: Recipient): Outcome['state'][] => family.map(({ account }) => account.outcomeOf(one).state);
    const recipients = family[0]?.account.recipients().filter((one) => !states(one).includes('reached')) ?? [];
    const uncertain = recipients.filter((one) =>
      states(one).some((state) => state === 'unknown' || state === 'missing'),
    );
    const last = family.find((one) => !family.some((other) => follows(other, one)));
    return { recipients, uncertain, last: last?.account.delivery.id ?? id, resends: last?.resends ?? 0 };
  }

  /** Takes the right to send to the unreached of a delivery; false where any of it is sent, or was since they were counted. */
  async claimResend(id: string, { last, resends, ...counted }: Unreached): Promise<boolean> {
    // Taken first: whoever sends looks whether it is, after having written down what goes out.
    if (!(await this.#store.claimResend(last, resends)) || (await this.#isSent(last))) return false;
    const now = await this.unreached(id);
    return (
      now.last === last &&
      now.recipients.length === counted.recipients.length &&
      now.uncertain.length === counted.uncertain.length
    );
  }

  /** Forgets a delivery; false while it is sent. */
  async remove(id: string): Promise<boolean> {
    if (await this.#isSent(id)) return false;
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

  /** Ends what this window sends; resolves when the answer of each call under way is written down. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const running = [...this.#running.values()];
    for (const { abort } of running) abort.abort();
    await Promise.allSettled(running.map(({ ended }) => ended));
  }

  async #isSent(id: string): Promise<boolean> {
    return (await this.#store.isRunning(id)) || this.#running.has(id);
  }

  #run(
    id: string,
    open: () => Promise<Account | undefined>,
    sender: Sender,
    progress: (account: Account) => void = () => {},
  ): Promise<Ended | undefined> {
    const running: Running = { abort: new AbortController() };
    this.#running.set(id, running);
    const run = async () => {
      const end = await this.#store.run(id);
      try {
        running.account = await open();
        return running.account && (await this.#send(running.account, sender, progress, running.abort.signal));
      } finally {
        // Where the window closes nobody hears how it ended, but at the next start.
        const isCut = this.#isClosing && running.account?.counts.reached !== running.account?.total;
        // How it ended must not be lost by a mark that stays: that is told of, too.
        await end(isCut).catch(() => {});
      }
    };
    const ended = run().finally(() => {
      this.#running.delete(id);
      this.#changed(id);
    });
    running.ended = ended;
    return ended;
  }

  async #send(
    account: Account,
    sender: Sender,
    progress: (account: Account) => void,
    signal: AbortSignal,
  ): Promise<Ended> {
    const { id } = account.delivery;
    this.#changed(id);
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
      signal,
    );
    return { account, stopped };
  }
}

/** How a run ended: the account as far as this window knows it. */
export interface Ended {
  account: Account;
  stopped: Stopped | undefined;
}

/** A delivery with those to whose unreached it went, those that went to its own, and theirs in turn. */
function familyOf(id: string, all: readonly Kept[]): Kept[] {
  const family = all.filter(({ account }) => account.delivery.id === id);
  for (const one of family) {
    family.push(...all.filter((other) => !family.includes(other) && (follows(other, one) || follows(one, other))));
  }
  return family;
}

const follows = (one: Kept, other: Kept) => one.account.delivery.resends === other.account.delivery.id;

function msgIdOf(account: Account, recipient: Chat): string {
  const outcome = account.outcomeOf(recipient);
  return outcome.state === 'reached' ? outcome.msgId : '';
}
