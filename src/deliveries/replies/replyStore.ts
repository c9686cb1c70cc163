/**
 * What was found is kept with its delivery, a line for each page that had something new, in a file for each window: only some
 * disks append for two windows without losing a line of one, and a lost answer isn't found again. It is deleted and moved with
 * the delivery, and nothing else reads it. Windows that read at the same time read the same pages, and a message counts once, by
 * its ID or its content; of how far a chat was read, the last line counts. A damaged line is ignored: nothing was read after one
 * that was cut.
 */
import * as v from 'valibot';
import type { Uri } from 'vscode';
import { addChecksum, verifyLines } from '../../platform/checkedLines.ts';
import { openDurableFiles } from '../../platform/createStored.ts';
import type { DurableFiles } from '../../platform/durableFiles.ts';
import type { Failure } from '../../service/errors.ts';
import { Listed } from '../../service/message.ts';
import { type Chat, chatKey } from '../../service/model.ts';
import { createTextRedactor } from '../../service/redaction.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import { DeletedError, deliveryFileOf, repliesFileOf, repliesFilesOf } from '../outbox/deliveryStore.ts';
import { newWindowName } from '../outbox/journals.ts';
import { FailureSchema, Time } from '../outbox/record.ts';
import { isByBot, type ReadableEntry } from './findReplies.ts';
import type { Anchor } from './replyReader.ts';

const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const chatFields = { kind: v.picklist(['group', 'user']), id: text, at: Time };

/** A line of the file. `at` is in Unix milliseconds. */
const ReplyLine = v.variant('what', [
  /** What a page of a chat has added, and how far the chat is read now. */
  v.object({
    what: v.literal('read'),
    ...chatFields,
    /** The answers, as received. */
    answers: v.array(v.unknown()),
    links: v.array(text),
    anchors: v.array(v.object({ msgId: text, beyond: count })),
    /** The keys of entries that can't be read. */
    unreadable: v.array(text),
    isComplete: v.boolean(),
    isEnded: v.boolean(),
    /** Set if the chat doesn't have the delivered message any more, with why it couldn't be read on from there. */
    lost: v.optional(v.object({ failure: v.optional(FailureSchema) })),
  }),
  /** A chat couldn't be read; without a failure, because the messages that were read lead no further. */
  v.object({ what: v.literal('failed'), ...chatFields, failure: v.optional(FailureSchema) }),
  /** All chats were tried. */
  v.object({ what: v.literal('done'), at: Time }),
]);
export type ReplyLine = v.InferOutput<typeof ReplyLine>;

/** What is known of a chat. */
class ChatReplies {
  /** The answers by the IDs of the messages, in the order in which they were found. */
  readonly answers = new Map<string, ReadableEntry>();
  /** How many answers aren't from bots. */
  answerCount = 0;
  readonly links = new Set<string>();
  anchors: readonly Anchor[] = [];
  /** The keys of entries that couldn't be read, each of which may be an answer. */
  readonly unreadable = new Set<string>();
  /** Whether the chat was read to its end once. */
  isRead = false;
  /** Whether nothing that follows can be an answer. */
  isEnded = false;
  /** Set if the chat doesn't have the delivered message any more, with what the service said about that, if anything. */
  lost: { readonly failure?: Failure | undefined } | undefined;
  /** Set if the chat couldn't be read the last time, with the failure, if there was one. */
  failed: { readonly failure?: Failure | undefined } | undefined;
}

export class ReplyRecord {
  readonly #chats = new Map<string, ChatReplies>();
  /** When all chats were tried last (Unix ms). */
  doneAt: number | undefined;

  of(chat: Chat): ChatReplies {
    const key = chatKey(chat);
    const known = this.#chats.get(key) ?? new ChatReplies();
    this.#chats.set(key, known);
    return known;
  }

  apply(line: ReplyLine): void {
    if (line.what === 'done') {
      this.doneAt = Math.max(line.at, this.doneAt ?? 0);
      return;
    }
    const chat = this.of(line);
    if (line.what === 'failed') {
      chat.failed = line.failure ? { failure: line.failure } : {};
      return;
    }
    for (const raw of line.answers) {
      const entry = v.parse(Listed, raw);
      if (!entry.readable || chat.answers.has(entry.message.msgId)) continue;
      chat.answers.set(entry.message.msgId, entry);
      if (!isByBot(entry.message)) chat.answerCount++;
    }
    for (const link of line.links) chat.links.add(link);
    chat.anchors = line.anchors;
    for (const key of line.unreadable) chat.unreadable.add(key);
    chat.isRead ||= line.isComplete;
    // The chat may go on again: a reminder may have followed.
    chat.isEnded = line.isEnded;
    chat.lost = line.lost ?? chat.lost;
    chat.failed = undefined;
  }
}

type ReplyFiles = Pick<DurableFiles, 'append' | 'names' | 'read' | 'remove' | 'stat'>;

export class ReplyStore {
  readonly #files: ReplyFiles;
  readonly #window = newWindowName();

  /** `files` are those of the outbox. */
  constructor(files: ReplyFiles) {
    this.#files = files;
  }

  /** The replies to a delivery. Rejects with the error of the file system. */
  async load(id: string): Promise<ReplyRecord> {
    const dated: { at: number; line: ReplyLine }[] = [];
    for (const path of await repliesFilesOf(id, this.#files)) {
      const texts = ((await this.#files.read(path)) ?? '').split('\n').filter(Boolean);
      // Lines of a file stay in their order, even if a clock was set back meanwhile.
      let at = Number.NEGATIVE_INFINITY;
      for (const line of await verifyLines(texts, ReplyLine)) {
        at = Math.max(at, line?.at ?? at);
        if (line) dated.push({ at, line });
      }
    }
    const record = new ReplyRecord();
    await new TimeSlices().each(
      dated.toSorted((one, other) => one.at - other.at),
      ({ line }) => record.apply(line),
    );
    return record;
  }

  /** The size of the stored replies, which changes when any window has found more. */
  async size(id: string): Promise<number> {
    const sizes = (await repliesFilesOf(id, this.#files)).map(
      async (path) => (await this.#files.stat(path))?.size ?? 0,
    );
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  }

  /**
   * Stores a line; `token` is redacted wherever the service may have repeated it.
   * @throws DeletedError or the file system's error
   */
  async append(id: string, line: ReplyLine, token?: string): Promise<void> {
    const redact = createTextRedactor(token);
    const json = await addChecksum(line, (name, value) =>
      typeof value === 'string' && name !== 'what' && name !== 'kind' ? redact(value) : value,
    );
    await this.#files.append(repliesFileOf(id, this.#window), `\n${json}\n`).catch(async (error) => {
      throw (await this.#isDeleted(id)) ? new DeletedError() : error;
    });
    if (await this.#isDeleted(id)) throw new DeletedError();
  }

  async #isDeleted(id: string): Promise<boolean> {
    return (await this.#files.stat(deliveryFileOf(id))) === undefined;
  }
}

/** The replies of an outbox in a folder. */
export const openReplyStore = (folder: Uri) => new ReplyStore(openDurableFiles(folder));
