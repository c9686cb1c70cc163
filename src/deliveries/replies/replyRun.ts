/**
 * Reads the chats that a delivery has reached, several at a time: the client keeps the permitted pace. A chat that can't be
 * read says so, and the others go on. An error that would stop all of them is met only once: a token that is gone or
 * refused, another service. Every page is kept before the next one is read, so a run can stop anywhere.
 */
import type { MessageArchive } from '../../chats/contract.ts';
import type { Host } from '../../platform/host.ts';
import { BotChatClient } from '../../presentation/botChatClient.ts';
import type { Clock } from '../../service/clock.ts';
import { mayNeedToken, ServiceError } from '../../service/errors.ts';
import { LostAnchorError } from '../../service/messagePages.ts';
import { type Chat, chatKey } from '../../service/model.ts';
import type { DeliveryStatus } from '../outbox/deliveryStatus.ts';
import { sentTimeOf } from '../outbox/outboxEntry.ts';
import type { Delivery } from '../outbox/record.ts';
import type { ReachedRecipient } from './reachedRecipients.ts';
import { type ReadStep, readReplies } from './replyReader.ts';
import { type ReplyLine, ReplyRecord, type ReplyStore } from './replyStore.ts';

/** How many chats are read at the same time: enough for the permitted pace, even if each answer takes a second. */
const CONCURRENCY = 10;

export interface RunState {
  readonly is: 'idle' | 'reading' | 'paused';
  /** How many chats were tried. */
  readonly done: number;
  readonly total: number;
  /** Why nothing more could be kept, so that the run has stopped. */
  readonly error?: unknown;
}

export type RunHost = Pick<Host, 'chatEvents' | 'connection' | 'tokens'> & {
  readonly archive: Pick<MessageArchive, 'list'>;
};

/** What a run uses. */
interface RunMeans {
  readonly host: RunHost;
  readonly store: ReplyStore;
  readonly clock: Pick<Clock, 'wall'>;
}

export class ReplyRun {
  readonly #delivery: Pick<Delivery, 'id' | 'bot' | 'service'>;
  readonly #sentAt: number;
  readonly #means: RunMeans;
  readonly #onChange: () => void;
  #record = new ReplyRecord();
  #size = -1;
  #is: RunState['is'] = 'idle';
  /** The start that is being prepared, unless it was canceled or another one has taken its place. */
  #starting: object | undefined;
  #total = 0;
  /** The recipients whose chats are still to be read, without those that are being read. */
  #left: ReachedRecipient[] = [];
  #reading = 0;
  /** Whether chats weren't tried, because the same error would have come for all of them. */
  #isCutShort = false;
  /** Why nothing more can be stored. */
  #stopped: { readonly error: unknown } | undefined;
  #abort = new AbortController();
  /** Resolves when the last run has ended, however that was. */
  #ended = Promise.resolve();
  #token: string | undefined;
  /** Why chats couldn't be read in this run, by {@link chatKey}. */
  readonly #errors = new Map<string, unknown>();

  /** `onChange` is called after each change of the state or the record. */
  constructor(status: Pick<DeliveryStatus, 'delivery' | 'sentAt'>, means: RunMeans, onChange: () => void) {
    this.#delivery = status.delivery;
    this.#sentAt = sentTimeOf(status);
    this.#means = means;
    this.#onChange = onChange;
  }

  get state(): RunState {
    if (this.#is === 'idle') return { is: 'idle', done: 0, total: 0, ...this.#stopped };
    return { is: this.#is, done: this.#total - this.#left.length - this.#reading, total: this.#total };
  }

  /** What is known of the replies. */
  get record(): ReplyRecord {
    return this.#record;
  }

  /** Why a chat couldn't be read the last time; undefined if it was read, or not tried. */
  errorOf(chat: Chat): unknown {
    const { failed } = this.#record.of(chat);
    const kept = failed && (failed.failure ? new ServiceError(failed.failure) : new LostAnchorError(''));
    return this.#errors.get(chatKey(chat)) ?? kept;
  }

  /** Reads what is stored, unless that is known already: another window may have found replies. */
  async load(): Promise<void> {
    const size = await this.#means.store.size(this.#delivery.id);
    if (size === this.#size || this.#is !== 'idle') return;
    this.#record = await this.#means.store.load(this.#delivery.id);
    this.#size = size;
  }

  /** Reads what is new in all chats, first in those that were never read. Resolves when the run has ended, or is paused. */
  async start(reached: readonly ReachedRecipient[]): Promise<void> {
    if (this.#is === 'reading') return;
    this.cancel();
    const start = {};
    this.#starting = start;
    await this.#ended;
    await this.load();
    if (this.#starting !== start) return;
    const isRead = ({ recipient }: ReachedRecipient) => Number(this.#record.of(recipient).isRead);
    const open = reached.filter(({ recipient, reminders = [] }) => {
      const { isEnded, links } = this.#record.of(recipient);
      return !isEnded || [...reminders].some((msgId) => !links.has(msgId));
    });
    this.#left = open.toSorted((one, other) => isRead(one) - isRead(other));
    this.#total = reached.length;
    this.#errors.clear();
    this.#isCutShort = false;
    await this.#run();
  }

  /** Goes on where the run was paused. */
  async resume(): Promise<void> {
    if (this.#is !== 'paused') return;
    await this.#ended;
    // The run may have been canceled meanwhile, or go on already.
    if (this.#is === 'paused') await this.#run();
  }

  /** Stops after the pages that are being kept. */
  pause(): void {
    if (this.#is === 'reading') this.#stop('paused');
  }

  /** Stops, and doesn't go on. What was found stays. */
  cancel(): void {
    this.#starting = undefined;
    if (this.#is !== 'idle') this.#stop('idle');
  }

  #stop(is: 'paused' | 'idle'): void {
    this.#is = is;
    this.#abort.abort();
    this.#onChange();
  }

  async #run(): Promise<void> {
    const abort = new AbortController();
    this.#abort = abort;
    this.#starting = undefined;
    this.#is = 'reading';
    this.#stopped = undefined;
    this.#onChange();
    this.#ended = this.#readAll(abort);
    await this.#ended;
    this.#onChange();
  }

  async #readAll(abort: AbortController): Promise<void> {
    const service = await this.#means.host.connection.open().catch(() => undefined);
    this.#token = service && (await this.#means.host.tokens.get(service, this.#delivery.bot.id).catch(() => undefined));
    await Promise.all(Array.from({ length: CONCURRENCY }, () => this.#readNext(abort)));
    if (abort.signal.aborted) return;
    if (!this.#isCutShort) await this.#keep({ what: 'done', at: this.#means.clock.wall() }, abort).catch(() => {});
    this.#is = 'idle';
    // The stored replies are read again: another window may have found some meanwhile.
    this.#size = -1;
    await this.load().catch(() => {});
  }

  async #readNext(abort: AbortController): Promise<void> {
    for (let next = this.#left.shift(); next; next = this.#left.shift()) {
      this.#reading++;
      const isDone = await this.#read(next, abort);
      this.#reading--;
      // A paused run goes on with the chat that it was reading.
      if (!isDone) this.#left.unshift(next);
      this.#onChange();
      if (abort.signal.aborted) return;
    }
  }

  /** Reads one chat. False if the run has stopped before. */
  async #read({ recipient, ...sent }: ReachedRecipient, abort: AbortController): Promise<boolean> {
    if (abort.signal.aborted) return false;
    const { kind, id } = recipient;
    const { bot, service } = this.#delivery;
    const chat: Chat = { kind, id };
    const botChat = { ...chat, service, botId: bot.id };
    const client = new BotChatClient(botChat, this.#means.host);
    const { anchors, answers, isEnded, links, unreadable } = this.#record.of(chat);
    // A reminder that nobody knew of may lie before the place where reading ended: such a chat is read once more.
    const place = isEnded ? { anchors: [], unreadable: [] } : { anchors, unreadable };
    try {
      await readReplies(
        { ...sent, chat, botId: bot.id },
        { ...place, thread: [...answers.keys(), ...links] },
        {
          sentAt: this.#sentAt,
          list: client.list.bind(client),
          archived: (page) => this.#means.host.archive.list(botChat, page),
          keep: (step) => this.#keepStep(chat, step, abort),
        },
        abort.signal,
      );
      return true;
    } catch (error) {
      if (abort.signal.aborted) return false;
      await this.#fail(chat, error, abort);
      return true;
    }
  }

  async #keepStep(chat: Chat, step: ReadStep, abort: AbortController): Promise<void> {
    const { answers, links, anchors, unreadable, isComplete, isEnded, lost } = step;
    const known = this.#record.of(chat);
    const isSame = isComplete && !isEnded && JSON.stringify(anchors) === JSON.stringify(known.anchors);
    // Most chats have nothing new.
    if (known.isRead && isSame && !known.failed && (!lost || known.lost)) return;
    const found = { answers: answers.map(({ raw }) => raw), links, anchors: [...anchors], unreadable: [...unreadable] };
    const at = this.#means.clock.wall();
    await this.#keep({ what: 'read', ...chat, at, ...found, isComplete, isEnded, ...(lost && { lost }) }, abort);
  }

  async #fail(chat: Chat, error: unknown, abort: AbortController): Promise<void> {
    this.#errors.set(chatKey(chat), error);
    const isOfChat = error instanceof ServiceError || error instanceof LostAnchorError;
    if (!isOfChat || mayNeedToken(error)) {
      // The error would be the same for all other chats.
      this.#isCutShort = true;
      for (const { recipient } of this.#left.splice(0)) this.#errors.set(chatKey(recipient), error);
      return;
    }
    const failure = error instanceof ServiceError ? { failure: error.failure } : {};
    // A failure is stored once, even if it comes again and again.
    if (JSON.stringify(this.#record.of(chat).failed) === JSON.stringify(failure)) return;
    await this.#keep({ what: 'failed', ...chat, at: this.#means.clock.wall(), ...failure }, abort).catch(() => {});
  }

  /** Nothing more is read once something can't be kept. */
  async #keep(line: ReplyLine, abort: AbortController): Promise<void> {
    try {
      await this.#means.store.append(this.#delivery.id, line, this.#token);
      this.#record.apply(line);
    } catch (error) {
      this.#stopped = { error };
      abort.abort();
      this.#is = 'idle';
      throw error;
    }
  }
}
