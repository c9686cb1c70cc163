/** Deliveries on their way to another computer, and from another one. A move sends nothing: rule 7 of `record.ts`. */
import { addChecksum, verifyLines } from '../../platform/checkedLines.ts';
import type { DurableFiles } from '../../platform/durableFiles.ts';
import type { MergeResult, MovableOutbox, MovedDelivery, OutboxSurvey } from '../contract.ts';
import {
  CONCURRENCY,
  claimFileOf,
  claimOf,
  claimsIn,
  type DeliveryStore,
  deliveryFileOf,
  folderOf,
  repliesFileOf,
  repliesFilesOf,
  repliesOf,
  timesOf,
} from './deliveryStore.ts';
import { headingOf } from './deliveryTexts.ts';
import { journalOf, MOVED, newWindowName } from './journals.ts';
import type { Outbox } from './outbox.ts';
import { isScheduled, type StoredEntry } from './outboxEntry.ts';
import {
  Claim,
  DamagedError,
  type Delivery,
  isDeliveryId,
  JournalLine,
  newDeliveryId,
  parseDelivery,
} from './record.ts';
import { askToSchedule } from './scheduleAgain.ts';

export class DeliveryMoves implements MovableOutbox {
  readonly #files: DurableFiles;
  readonly #store: DeliveryStore;
  readonly #outbox: Outbox;
  readonly #onChange: (id: string) => void;
  /** When deliveries that {@link take} has canceled were to be sent (Unix ms), by ID. */
  readonly #canceled = new Map<string, number>();
  /** The move that has canceled something. Its heartbeat tells others that it goes on. */
  #move: { readonly id: string; readonly end: (isInterrupted: boolean) => Promise<void> } | undefined;

  /** `files` are those of the store. `onChange` is called with the ID of a delivery after each change. */
  constructor(files: DurableFiles, store: DeliveryStore, outbox: Outbox, onChange: (id: string) => void) {
    this.#files = files;
    this.#store = store;
    this.#outbox = outbox;
    this.#onChange = onChange;
  }

  async survey(): Promise<OutboxSurvey> {
    const entries = await this.#outbox.entries();
    const readable = entries.filter((entry) => 'status' in entry);
    return {
      // Resends come last: a computer that has a delivery without its resend might resend it again.
      ids: readable.flatMap(({ isRunning, status }) => (isRunning ? [] : status.delivery.id)).toSorted(),
      scheduled: readable.filter(isScheduled).map(({ status }) => status.delivery.id),
      sending: readable.filter(({ isRunning }) => isRunning).length,
      unreadable: entries.length - readable.length,
    };
  }

  async take(id: string, at: number, mayCancel: boolean): Promise<MovedDelivery | undefined> {
    const entry = await this.#outbox.get(id).catch(() => undefined);
    if (!entry || entry.isRunning) return undefined;
    let { claimCount } = entry;
    const due = isScheduled(entry) ? entry.due : undefined;
    if (isScheduled(entry)) {
      if (!mayCancel) return undefined;
      const move = newDeliveryId(at);
      this.#move ??= { id: move, end: await this.#store.heartbeats.start(move) };
      // It's noted first, because a claim that fails may be stored nevertheless.
      this.#canceled.set(id, entry.due);
      if (!(await this.#outbox.reschedule(entry, null, this.#move.id))) return undefined;
      claimCount++;
    }
    const lines = linesOf(await this.#files.read(deliveryFileOf(id)));
    const claims: string[] = [];
    while (claims.length < claimCount) {
      const numbers = rangeOf(claims.length, claimCount);
      const texts = await Promise.all(numbers.map((number) => this.#files.read(claimFileOf(id, number))));
      // A damaged claim stays damaged, on one line.
      for (const text of texts) claims.push((text ?? '').replaceAll('\n', ' '));
    }
    const journal = await this.#journalOf(id);
    const replies = await this.#repliesOf(id);
    // Another window may be sending the delivery meanwhile: then a claim has no result yet.
    if (await this.#store.heartbeats.isAlive(id)) return undefined;
    if ((await this.#store.link(id))?.claimCount !== claimCount) return undefined;
    return { id, lines, claims, journal, replies, due };
  }

  async keep(): Promise<void> {
    await this.#end(await this.#scheduleAgain());
  }

  async leave(ids: readonly string[], at: number): Promise<void> {
    const failures: unknown[] = [];
    for (const id of ids) {
      this.#canceled.delete(id);
      try {
        const entry = await this.#outbox.get(id).catch(() => undefined);
        if (!entry || entry.status.isComplete) continue;
        await this.#store.append(id, { what: 'moved', at, move: this.#move?.id });
        this.#onChange(id);
      } catch (error) {
        failures.push(error);
      }
    }
    // What has changed since the file was written isn't in it.
    await this.#end([...failures, ...(await this.#scheduleAgain())]);
  }

  /** Deliveries that were canceled by moves whose windows died. The heartbeats of these moves are cleared elsewhere. */
  async unfinished(): Promise<StoredEntry[]> {
    const silent = (await this.#store.heartbeats.silent()).filter((id) => id !== this.#move?.id);
    if (silent.length === 0) return [];
    const entries: StoredEntry[] = [];
    for (const id of await this.#store.hints.ids()) {
      const entry = await this.#outbox.get(id).catch(() => undefined);
      if (entry?.isRunning !== false || entry.movedBy === undefined) continue;
      // A delivery that notes the move is in a complete file.
      if (silent.includes(entry.movedBy) && !entry.status.moves.has(entry.movedBy)) entries.push(entry);
    }
    return entries;
  }

  /** Schedules again what this move has canceled. Returns what went wrong. */
  async #scheduleAgain(): Promise<unknown[]> {
    const failures: unknown[] = [];
    for (const [id, due] of this.#canceled) {
      try {
        const entry = await this.#outbox.get(id);
        if (entry?.isRunning === false && entry.movedBy !== undefined && entry.movedBy === this.#move?.id)
          await this.#outbox.reschedule(entry, due);
      } catch (error) {
        failures.push(error);
      }
    }
    // The user is told which deliveries stay canceled, so a later export must not schedule them again.
    this.#canceled.clear();
    return failures;
  }

  /** Ends the move. After a failure, its heartbeat stays: the next start asks what becomes of canceled deliveries. */
  async #end(failures: readonly unknown[]): Promise<void> {
    const move = this.#move;
    this.#move = undefined;
    await move?.end(failures.length > 0).catch(() => {});
    if (failures.length > 0) throw failures[0];
  }

  async merge(moved: MovedDelivery, at: number, signal: AbortSignal): Promise<MergeResult> {
    const { id } = moved;
    const text = [...moved.lines, ''].join('\n');
    const delivery = isDeliveryId(id) ? await parseDelivery(id, text).catch(() => undefined) : undefined;
    const last = delivery && (await lastClaim(delivery, moved.claims));
    if (!last) return 'damaged';
    const claims = [...moved.claims, ...last];
    const note = await addChecksum({ what: 'moved', at });
    const isHere = await this.#store.load(id).catch((error) => {
      if (error instanceof DamagedError) return true;
      throw error;
    });
    const isAdded = !isHere && (await this.#store.add(id, text, filesOf(moved, claims, note), signal));
    // A delivery that wasn't added is here, perhaps only now: another window may import the same file.
    const result = isAdded ? 'added' : await this.#mergeInto(moved, text, claims, note);
    this.#onChange(id);
    return result;
  }

  /** Merges a moved delivery into the one that is here. `text` is its own file, `claims` are its claims and what follows them. */
  async #mergeInto(moved: MovedDelivery, text: string, claims: readonly string[], note: string): Promise<MergeResult> {
    const { id } = moved;
    try {
      const here = await this.#files.read(deliveryFileOf(id));
      if (here === undefined) return 'kept';
      return here === text ? await this.#extend(moved, claims, note) : 'diverged';
    } catch (error) {
      if (await this.#store.isDeleted(id)) return 'kept';
      throw error;
    }
  }

  async askToSchedule(moved: readonly { readonly id: string; readonly due: number }[]): Promise<void> {
    const canceled: { id: string; due: number; name: string }[] = [];
    for (const { id, due } of moved) {
      const entry = await this.#outbox.get(id).catch(() => undefined);
      if (entry?.isRunning === false && entry.canceledDue !== undefined)
        canceled.push({ id, due, name: headingOf(entry.status.delivery) });
    }
    await askToSchedule(canceled, this.#outbox, 'import');
  }

  /** Extends a delivery that is here. `claims` are those of the file and what follows them; `note` says when it was imported. */
  async #extend(
    { id, claims: { length }, journal, replies }: MovedDelivery,
    claims: readonly string[],
    note: string,
  ): Promise<MergeResult> {
    if ((await this.#outbox.get(id))?.isRunning) return 'sending';
    const names = await this.#files.names(folderOf(id));
    const missing: number[] = [];
    for (let number = length - 1; number >= 0; number--) {
      const known = await this.#files.read(claimFileOf(id, number));
      if (known !== undefined && known !== claims[number]) return 'diverged';
      if (known === undefined) missing.push(number);
    }
    const isLonger = claimsIn(names) > length;
    if (missing.length > 0 && !isLonger) missing.unshift(...claims.slice(length).map((_, at) => length + at));
    if (missing.length > 0) await this.#learn(id, [note]);
    // The last claim is added first: gaps before it count as unreadable claims, of which nothing is sent.
    for (const number of missing) {
      const isNew = await this.#files.create(claimFileOf(id, number), claims[number] ?? '');
      // Another window has gone on with the delivery, or imports the same file.
      if (!isNew && (await this.#files.read(claimFileOf(id, number))) !== claims[number]) return 'diverged';
    }
    // Results are kept even if no claim is new: another window may still import them, but people are told that all is here.
    await this.#learn(id, journal);
    await this.#learnReplies(id, replies);
    return missing.length > 0 ? 'extended' : 'kept';
  }

  async #journalOf(id: string): Promise<string[]> {
    const folder = folderOf(id);
    return this.#store.journals.written(folder, await this.#files.names(folder));
  }

  /** Keeps results that aren't known here: the claims that they belong to are. */
  async #learn(id: string, journal: readonly string[]): Promise<void> {
    const known = new Set(await this.#journalOf(id));
    const news = journal.filter((line) => !known.has(line));
    const values = await verifyLines(news, JournalLine);
    const readable = news.filter((_, at) => values[at]);
    await this.#store.journals.appendWritten(folderOf(id), readable);
  }

  /** Keeps the replies of the other computer, unless there are replies here: the next search finds the rest again. */
  async #learnReplies(id: string, replies: readonly string[]): Promise<void> {
    const known = new Set(await this.#repliesOf(id));
    const all = new Set(replies);
    if ([...known].some((line) => !all.has(line))) return;
    const news = replies.filter((line) => !known.has(line));
    if (news.length > 0) await this.#files.create(repliesFileOf(id, newWindowName()), textOf(news));
  }

  async #repliesOf(id: string): Promise<string[]> {
    const texts = await Promise.all((await repliesFilesOf(id, this.#files)).map((path) => this.#files.read(path)));
    return texts.flatMap((text) => linesOf(text).filter(Boolean));
  }
}

/**
 * What follows the claims of a moved delivery, so that it's neither scheduled nor edited; undefined if it can't have been
 * exported. Claims that are damaged stay so: they count as claims of every batch.
 */
async function lastClaim(delivery: Delivery, lines: readonly string[]): Promise<string[] | undefined> {
  const claims = await verifyLines(lines, Claim);
  if (claims.some((claim) => claim && 'removed' in claim)) return undefined;
  const times = claims.flatMap((claim) => (claim && 'due' in claim ? [claim] : []));
  const { due, editedDue } = timesOf(delivery, times, times.length < claims.length);
  const isPlanned = delivery.due !== undefined && (due ?? editedDue) !== undefined;
  return isPlanned ? [await addChecksum({ due: null })] : [];
}

/** The files of a moved delivery besides its own. */
function filesOf({ journal, replies }: MovedDelivery, claims: readonly string[], note: string): Map<string, string> {
  const files = new Map(claims.map((claim, number) => [claimOf(number), claim]));
  if (replies.length > 0) files.set(repliesOf(MOVED), textOf(replies));
  return files.set(journalOf(MOVED), textOf([...journal, note]));
}

/** The lines of a file without the end of the last one. */
const linesOf = (text = '') => text.replace(/\n$/, '').split('\n');

const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

/** The next numbers from `start` on, before `end`. */
const rangeOf = (start: number, end: number) =>
  Array.from({ length: Math.min(CONCURRENCY, end - start) }, (_, at) => start + at);
