/** Stores deliveries: before the first call, before each call, and after each outcome. */
import { addChecksum, verifyChecksum } from '../../platform/checkedLines.ts';
import type { DurableFiles } from '../../platform/durableFiles.ts';
import { type Clock, systemClock } from '../../service/clock.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import { type Attempt, attemptIn, DeliveryStatus } from './deliveryStatus.ts';
import { Heartbeats } from './heartbeats.ts';
import { attemptKey, Journals } from './journals.ts';
import {
  Claim,
  checkedId,
  type Delivery,
  isDeliveryId,
  type JournalLine,
  newDeliveryId,
  parseDelivery,
  serializeDelivery,
} from './record.ts';

/** When a delivery is to be sent, or was to be. At most one of the times is known. All are in Unix milliseconds. */
export interface DeliveryTimes {
  /** When the delivery is to be sent; undefined if it isn't scheduled, or was begun. */
  due: number | undefined;
  /** When the delivery was to be sent before its message was edited; undefined if it isn't being edited. */
  editedDue?: number | undefined;
  /** When the delivery was to be sent before it was canceled; undefined if it's scheduled again, or was begun. */
  canceledDue?: number | undefined;
  /** The move that canceled the delivery. */
  movedBy?: string | undefined;
  /** When the delivery was to be sent, once it was begun. */
  begunDue?: number | undefined;
}

/** A delivery as read from its files. Somebody may be sending it. */
export interface StoredDelivery extends DeliveryTimes {
  status: DeliveryStatus;
  /** Number of unreadable journal lines and claims: what they said is unknown. */
  unreadableCount: number;
  /** Attempts without a known outcome. */
  unanswered: Attempt[];
  /** Number of claims, which is the number of the next one. */
  claimCount: number;
  /** The ID of its resend, if any: nothing more of this delivery is sent. */
  resentBy: string | undefined;
  /** The IDs of the resends before `resentBy`. A resend that isn't there was deleted: each has a row of its own. */
  earlierResends: readonly string[];
}

/** What the claims of a delivery say of it, even if its own file is damaged. */
export interface DeliveryLink extends Pick<StoredDelivery, 'claimCount' | 'resentBy'> {}

/** How many files are written or read at the same time: the system may limit the number of open files. */
export const CONCURRENCY = 16;

/** After how long folders that dead windows have left are removed (milliseconds). */
const LEFT_BEHIND = 24 * 60 * 60_000;

/** The delivery was deleted, by this window or another. */
export class DeletedError extends Error {
  override readonly name = 'DeletedError';
}

export class DeliveryStore {
  readonly heartbeats: Heartbeats;
  readonly #files: DurableFiles;
  readonly #clock: Pick<Clock, 'wall'>;
  /** Stored deliveries as last read: reading is slow, and is repeated only if the files change. */
  readonly #cache = new Map<string, { stamp: string; stored: StoredDelivery }>();
  readonly journals: Journals;
  /** The deliveries that may be scheduled or edited: a start without any reads nothing else. */
  readonly hints: DeliveryMarks;
  /** The deliveries that may need somebody, who hasn't seen that yet. */
  readonly unseen: DeliveryMarks;
  #isSwept = false;

  constructor(files: DurableFiles, clock: Pick<Clock, 'wall' | 'after'> = systemClock) {
    this.#files = files;
    this.#clock = clock;
    this.journals = new Journals(files);
    this.heartbeats = new Heartbeats(files, clock);
    this.hints = marksIn('scheduled', files);
    this.unseen = marksIn('unseen', files);
  }

  /** The IDs of all deliveries, newest first. Other files in the folder are ignored. */
  async ids(): Promise<string[]> {
    const ids = (await this.#files.names('deliveries')).filter(isDeliveryId).toSorted().toReversed();
    const stored = new Set(ids);
    // Another window may have deleted deliveries.
    for (const id of this.#cache.keys()) if (!stored.has(id)) this.#cache.delete(id);
    return ids;
  }

  async create(delivery: Delivery): Promise<void> {
    // The hint comes first: a scheduled delivery without it would never be sent.
    if (delivery.due !== undefined) await this.hints.add(delivery.id);
    try {
      await this.#files.write(deliveryFileOf(delivery.id), await serializeDelivery(delivery));
    } catch (error) {
      // The delivery may be there nevertheless, and the user, who is told that it isn't, may send it again.
      await this.remove(delivery.id, true).catch(() => {});
      throw error;
    }
  }

  /**
   * Adds a delivery in one step, with its own file, and others by name: windows that stall, die or do the same at once
   * don't matter. False if there's a delivery with this ID. Rejects without adding it if the signal aborts.
   */
  async add(id: string, text: string, others: ReadonlyMap<string, string>, signal: AbortSignal): Promise<boolean> {
    const own = this.#newFolder();
    void this.#sweep();
    let isAdded = false;
    try {
      await this.#files.write(`${own}/${FILE}`, text);
      const all = [...others];
      for (let done = 0; done < all.length; done += CONCURRENCY) {
        signal.throwIfAborted();
        const next = all.slice(done, done + CONCURRENCY);
        // If this window was suspended for days, the folder may be gone, and isn't made again.
        await Promise.all(next.map(([name, content]) => this.#files.create(`${own}/${name}`, content)));
      }
      signal.throwIfAborted();
      isAdded = await this.#files.move(own, folderOf(id));
      return isAdded;
    } finally {
      if (!isAdded) await this.#files.remove(own).catch(() => {});
    }
  }

  /** Reads a delivery; undefined if there is none with this ID. @throws DamagedError or the file system's error */
  async load(id: string): Promise<StoredDelivery | undefined> {
    const folder = folderOf(id);
    const names = await this.#files.names(folder);
    // The delivery and its claims are written once, so that their names tell a change.
    const stamp = [names.includes(FILE), claimsIn(names), await this.journals.stamp(folder, names)].join();
    let cached = this.#cache.get(id);
    if (cached?.stamp !== stamp) {
      const stored = await this.#load(id, names);
      if (!stored) return undefined;
      cached = { stamp, stored };
      this.#cache.set(id, cached);
    }
    return cached.stored;
  }

  /** Reads the claims of a delivery; undefined if there is none with this ID. Rejects if its folder can't be read. */
  async link(id: string): Promise<DeliveryLink | undefined> {
    const names = await this.#files.names(folderOf(id));
    if (!names.includes(FILE)) return undefined;
    const claimCount = claimsIn(names);
    for (let number = claimCount - 1; number >= 0; number--) {
      const claim = await this.#readClaim(id, number);
      if (!claim) continue;
      if ('removed' in claim) return undefined;
      return { claimCount, resentBy: 'resentBy' in claim ? claim.resentBy : undefined };
    }
    return { claimCount, resentBy: undefined };
  }

  async #load(id: string, names: readonly string[]): Promise<StoredDelivery | undefined> {
    const text = await this.#files.read(deliveryFileOf(id));
    if (text === undefined) return undefined;
    const delivery = await parseDelivery(id, text);
    const { lines, damaged } = await this.journals.read(folderOf(id), names);
    const claimCount = claimsIn(names);
    const times = delivery.due === undefined ? [] : await this.#timeClaims(id, claimCount);
    const open = await this.#openClaims(id, times.length, claimCount, lines);
    if (open.some((claim) => claim && 'removed' in claim)) {
      // The deletion was cut short.
      await this.remove(id).catch(() => {});
      return undefined;
    }
    const claimed: Attempt[] = open.flatMap((claim) => (claim && 'batch' in claim ? [claim] : []));
    const unanswered = claimed.filter((attempt) => !wasRetried(attempt, lines));
    const begun = [...claimed, ...answeredLate(lines)];
    let status = await statusOf(delivery, begun, lines);
    const lost = open.filter((claim) => !claim).length;
    // An unreadable claim may be about any batch; what a check found afterwards still counts.
    if (lost > 0) status = await statusOf(delivery, [...begun, ...status.nextAttempts()], lines);
    for (const attempt of unanswered.filter(beganAfterChecks(lines))) status.doubtAbsence(attempt);
    const [resentBy, ...earlierResends] = open.flatMap((claim) =>
      claim && 'resentBy' in claim ? [claim.resentBy] : [],
    );
    return {
      status,
      unreadableCount: damaged + lost,
      unanswered: unanswered.map(({ batch, attempt }) => ({ batch, attempt })),
      claimCount,
      resentBy,
      earlierResends,
      // Any claim of another kind begins the delivery, or hands it to a resend.
      ...timesOf(delivery, times, times.length < claimCount),
    };
  }

  /** The times that were claimed before anything else. */
  async #timeClaims(id: string, count: number): Promise<TimeClaim[]> {
    const times: TimeClaim[] = [];
    while (times.length < count) {
      const claim = await this.#readClaim(id, times.length);
      if (!claim || !('due' in claim)) break;
      times.push(claim);
    }
    return times;
  }

  /**
   * Claims from number `first` on without a journal line, the last one first; undefined for an unreadable one. Usually
   * that is the last claim at most, so not all of them are read.
   */
  async #openClaims(
    id: string,
    first: number,
    count: number,
    lines: readonly JournalLine[],
  ): Promise<(Claim | undefined)[]> {
    const answered = new Set<string>();
    await new TimeSlices().each(lines, (line) => {
      if ('attempt' in line) answered.add(attemptKey(line));
    });
    const open: (Claim | undefined)[] = [];
    for (let number = count - 1; number >= first && open.length < count - first - answered.size; number--) {
      const claim = await this.#readClaim(id, number);
      if (!claim || !('batch' in claim) || !answered.has(attemptKey(claim))) open.push(claim);
    }
    return open;
  }

  async #readClaim(id: string, number: number): Promise<Claim | undefined> {
    return verifyChecksum((await this.#files.read(claimFileOf(id, number))) ?? '', Claim);
  }

  /**
   * Stores the claim with this number, before the step is taken. False if there is one already, because another window
   * claimed the next step, or if the delivery was deleted. See {@link DurableFiles} for the signal.
   */
  async claim(id: string, number: number, claim: Claim, signal?: AbortSignal): Promise<boolean> {
    const line = await addChecksum(claim);
    try {
      const isNew = await this.#files.create(claimFileOf(id, number), line, signal);
      // Another window may have deleted the delivery meanwhile.
      return isNew && (await this.#files.stat(deliveryFileOf(id))) !== undefined;
    } catch (error) {
      if (await this.isDeleted(id)) return false;
      throw error;
    }
  }

  /**
   * Appends a line to the journal; `token` is redacted wherever the service may have repeated it.
   * @throws DeletedError or the file system's error
   */
  async append(id: string, line: JournalLine, token?: string): Promise<void> {
    try {
      await this.journals.append(folderOf(id), line, token);
    } catch (error) {
      throw (await this.isDeleted(id)) ? new DeletedError() : error;
    }
  }

  /**
   * Makes the claims of a delivery survive a loss of power. Call this before a change outside its folder that relies on them;
   * another claim in the folder does the same.
   */
  keepClaims(id: string): Promise<void> {
    return this.#files.sync(folderOf(id));
  }

  /** Whether there is no such delivery, or its deletion has begun. A delivery whose folder can't be read is there. */
  async isDeleted(id: string): Promise<boolean> {
    return (await this.link(id).catch(() => 'unreadable')) === undefined;
  }

  /**
   * Deletes a delivery, in one step. Claim that first: another window may be about to send it. What hasn't that claim any more
   * was deleted by another window, and has been imported since: it stays. Unless it's `unclaimed`, because nothing can be
   * stored, or its folder can't be read.
   */
  async remove(id: string, isUnclaimed = false): Promise<void> {
    void this.#sweep();
    const claim = isUnclaimed ? undefined : await this.#removalOf(id);
    if (!claim && !isUnclaimed) return;
    if (claim) {
      await this.keepClaims(id);
      // Hints and marks go before the folder: afterwards, they may belong to an import of the same delivery.
      await this.#clear(id);
    }
    const isRemoved = await this.#files.removeFolder(folderOf(id), this.#newFolder(), claim);
    if (claim && !isRemoved && (await this.#files.stat(deliveryFileOf(id)))) return this.hints.add(id);
    if (!claim) await this.#clear(id);
    this.#cache.delete(id);
    this.journals.forget(folderOf(id));
  }

  async #clear(id: string): Promise<void> {
    await this.heartbeats.clear(id);
    await this.hints.remove(id);
    await this.unseen.remove(id);
  }

  /** The file with the claim to delete a delivery, and its text; undefined if there's none. */
  async #removalOf(id: string): Promise<{ name: string; text: string } | undefined> {
    const text = await addChecksum({ removed: true } satisfies Claim);
    for (let number = claimsIn(await this.#files.names(folderOf(id))) - 1; number >= 0; number--)
      if ((await this.#files.read(claimFileOf(id, number))) === text) return { name: claimOf(number), text };
    return undefined;
  }

  /** The path of a folder that no other window uses, beside the deliveries. */
  #newFolder(): string {
    return `deliveries/own-${newDeliveryId(this.#clock.wall())}`;
  }

  /** Removes the folders that dead windows have left, once. */
  async #sweep(): Promise<void> {
    if (this.#isSwept) return;
    this.#isSwept = true;
    const names = await this.#files.names('deliveries').catch(() => []);
    for (const name of names) {
      const at = Number(/^own-(\d{15})-\w{8}$/.exec(name)?.[1]);
      if (Math.abs(this.#clock.wall() - at) > LEFT_BEHIND)
        await this.#files.removeFolder(`deliveries/${name}`, this.#newFolder()).catch(() => {});
    }
  }

  /** Claims to ask about a delivery because it wasn't sent at its time (Unix ms). False if somebody was asked. */
  claimQuestion(id: string, due: number): Promise<boolean> {
    return this.#files.create(askedOf(id, due), '');
  }

  async forgetQuestion(id: string, due: number): Promise<void> {
    await this.#files.remove(askedOf(id, due));
  }
}

/** Empty files in a folder, named by the IDs of deliveries. */
const marksIn = (folder: string, files: DurableFiles) => ({
  ids: async () => (await files.names(folder)).filter(isDeliveryId),
  add: async (id: string) => files.write(`${folder}/${checkedId(id)}`, ''),
  remove: async (id: string) => files.remove(`${folder}/${checkedId(id)}`),
});

type DeliveryMarks = ReturnType<typeof marksIn>;

type TimeClaim = Extract<Claim, { due: unknown }>;

/** The times of a delivery. `claims` are its first claims, as far as they are of times. */
export function timesOf({ due }: Pick<Delivery, 'due'>, claims: readonly TimeClaim[], isBegun: boolean): DeliveryTimes {
  const times = [due, ...claims.map((claim) => claim.due)];
  const planned = times.findLast((time) => time !== null);
  if (planned === undefined) return { due: undefined };
  if (isBegun) return { due: undefined, begunDue: planned };
  const last = claims.at(-1);
  if (last?.due !== null) return { due: planned };
  if (last.edited) return { due: undefined, editedDue: planned };
  return { due: undefined, canceledDue: planned, movedBy: last.movedBy };
}

/** The status of a delivery, made in time slices: there may be very many recipients. */
async function statusOf(
  delivery: Delivery,
  begun: readonly Attempt[],
  lines: readonly JournalLine[],
): Promise<DeliveryStatus> {
  const status = new DeliveryStatus(delivery, begun);
  await new TimeSlices().each(lines, (line) => status.apply(line));
  return status;
}

/** Whether another attempt followed. None does before an answer, so that the line with the answer is damaged then. */
const wasRetried = ({ batch, attempt }: Attempt, lines: readonly JournalLine[]) =>
  lines.some((line) => 'attempt' in line && line.batch === batch && line.attempt > attempt);

/** Whether an attempt without an answer began after all checks: each names those that had begun. */
function beganAfterChecks(lines: readonly JournalLine[]): (attempt: Attempt) => boolean {
  const checks = lines.filter((line) => line.what === 'read');
  const seen = new Set(checks.flatMap(({ unanswered = [] }) => unanswered.map(attemptKey)));
  return (attempt) => checks.length > 0 && !seen.has(attemptKey(attempt));
}

/** The attempts whose answers came after a check: they had begun by then. */
function answeredLate(lines: readonly JournalLine[]): Attempt[] {
  const read = lines.findIndex(({ what }) => what === 'read');
  if (read < 0) return [];
  return lines.slice(read).flatMap((line) => ('attempt' in line ? [attemptIn(line)] : []));
}

export const folderOf = (id: string) => `deliveries/${checkedId(id)}`;

const FILE = 'delivery.ndjson';

export const deliveryFileOf = (id: string) => `${folderOf(id)}/${FILE}`;

const askedOf = (id: string, due: number) => `${folderOf(id)}/asked-${due}`;

/** The file with the replies that a window has found (`replyStore.ts`). Each window has its own, as with journals. */
export const repliesOf = (window: string) => `replies-${window}.ndjson`;

export const repliesFileOf = (id: string, window: string) => `${folderOf(id)}/${repliesOf(window)}`;

/** The paths of all files with replies to a delivery. */
export const repliesFilesOf = async (id: string, files: Pick<DurableFiles, 'names'>): Promise<string[]> => {
  const names = (await files.names(folderOf(id))).filter((name) => /^replies-\w{8}\.ndjson$/.test(name));
  return names.toSorted().map((name) => `${folderOf(id)}/${name}`);
};

export const claimOf = (number: number) => `act-${number}`;

export const claimFileOf = (id: string, number: number) => `${folderOf(id)}/${claimOf(number)}`;

/** The number of claims in a folder; other files, such as those that `create` needs for a moment, don't count. */
export const claimsIn = (names: readonly string[]) =>
  names.reduce((most, name) => Math.max(most, 1 + Number(/^act-(\d+)$/.exec(name)?.[1] ?? -1)), 0);
