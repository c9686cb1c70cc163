/** Where deliveries are written down: before the first call, before each call, and after each outcome. */
import * as v from 'valibot';
import type { DurableFiles } from '../platform/durableFiles.ts';
import { createTextRedactor } from '../service/redaction.ts';
import { TimeSlices } from '../service/timeSlices.ts';
import { addChecksum, verifyChecksum } from './checksum.ts';
import { type Attempt, DeliveryStatus } from './deliveryStatus.ts';
import { Claim, type Delivery, type JournalLine } from './record.ts';
import { parseDelivery, parseJournal, serializeDelivery } from './recordFiles.ts';

/** A delivery as it is written down. */
export interface StoredDelivery {
  status: DeliveryStatus;
  /** It is being sent now, by this window or another. */
  isRunning: boolean;
  /** Lines of its journal, and acts, that cannot be read: what they said is unknown. */
  unreadableCount: number;
  /** How much was done about it. */
  claimCount: number;
  /** The delivery that goes to its unreached, where there is one: nothing more of this one goes out. */
  resentBy: string | undefined;
}

/** Whoever sends says so at this interval, and is taken for dead after so long a silence (milliseconds). */
const BEAT = 3_000;
export const HEARTBEAT_TIMEOUT = 12_000;

const Running = v.pipe(v.string(), v.parseJson(), v.object({ at: v.number() }));

export class DeliveryStore {
  readonly #files: DurableFiles;
  readonly #now: () => number;
  /** What was read of each delivery: to read it takes long, and is done again only where its files have become others. */
  readonly #cache = new Map<string, { stamp: string; kept: Omit<StoredDelivery, 'isRunning'> }>();
  /** Lines that the disk did not take: what they say is kept for the next time. */
  readonly #unwritten = new Map<string, string>();

  /** `now` is Unix milliseconds. */
  constructor(files: DurableFiles, now: () => number = Date.now) {
    this.#files = files;
    this.#now = now;
  }

  /** A new ID; later ones sort after earlier ones. */
  newId(): string {
    return `${String(this.#now()).padStart(15, '0')}-${crypto.randomUUID().slice(0, 8)}`;
  }

  /** The IDs of all deliveries, the newest first. Whatever else lies in their folder is none of ours. */
  async ids(): Promise<string[]> {
    return (await this.#files.names('deliveries')).filter(isId).toSorted().toReversed();
  }

  async create(delivery: Delivery): Promise<void> {
    await this.#files.write(fileOf(delivery.id), await serializeDelivery(delivery));
  }

  /** Undefined where there is no such delivery. @throws DamagedError, or that of the file system */
  async load(id: string): Promise<StoredDelivery | undefined> {
    const folder = folderOf(id);
    const names = await this.#files.names(folder);
    const unwritten = this.#unwritten.get(id) ?? '';
    const stamp = [names.length, await this.#files.size(`${folder}/journal.ndjson`), unwritten.length].join();
    let known = this.#cache.get(id);
    if (known?.stamp !== stamp) {
      const kept = await this.#load(id, names, unwritten);
      if (!kept) return undefined;
      known = { stamp, kept };
      this.#cache.set(id, known);
    }
    return { ...known.kept, isRunning: await this.isRunning(id) };
  }

  async #load(
    id: string,
    names: readonly string[],
    unwritten: string,
  ): Promise<Omit<StoredDelivery, 'isRunning'> | undefined> {
    const text = await this.#files.read(fileOf(id));
    if (text === undefined) return undefined;
    const delivery = await parseDelivery(id, text);
    const written = (await this.#files.read(`${folderOf(id)}/journal.ndjson`)) ?? '';
    const lines = await parseJournal(written + unwritten);
    const readable = lines.filter((line) => line !== undefined);
    const acts = names.reduce((most, name) => Math.max(most, 1 + numberOf(name)), 0);
    const beside = await this.#actsBeside(id, acts, readable);
    const begun = beside.flatMap((claim) => (claim && 'batch' in claim ? [claim] : []));
    let status = await statusOf(delivery, begun, readable);
    const lost = beside.filter((act) => !act).length;
    // Any batch may be the one that such an act was about; what was read of it afterwards holds.
    if (lost > 0) status = await statusOf(delivery, [...begun, ...status.nextAttempts()], readable);
    const resent = beside.find((act) => act && 'resentBy' in act);
    return {
      status,
      unreadableCount: lines.length - readable.length + lost,
      claimCount: acts,
      resentBy: resent && 'resentBy' in resent ? resent.resentBy : undefined,
    };
  }

  /**
   * What was done that no line tells of, the last act first; undefined for one that cannot be read. Mostly that is the
   * last act, if any: there is no need to read them all.
   */
  async #actsBeside(id: string, count: number, lines: readonly JournalLine[]): Promise<(Claim | undefined)[]> {
    const told = new Set(lines.flatMap((line) => ('attempt' in line ? [keyOf(line)] : [])));
    const beside: (Claim | undefined)[] = [];
    for (let number = count - 1; number >= 0 && beside.length < count - told.size; number--) {
      const act = await verifyChecksum((await this.#files.read(actOf(id, number))) ?? '', Claim);
      if (!act || 'resentBy' in act || !told.has(keyOf(act))) beside.push(act);
    }
    return beside;
  }

  /**
   * Writes down what is done about a delivery, as the act of this number, before it is done. False where there is one
   * already: another window has done something, and what it was decides. Rejects where the delivery was forgotten.
   */
  async claim(id: string, number: number, act: Claim): Promise<boolean> {
    return this.#files.create(actOf(id, number), await addChecksum(act));
  }

  /** Writes a line down; `token` is hidden wherever the service may have repeated it. */
  async append(id: string, line: JournalLine, token?: string): Promise<void> {
    const sealed = await addChecksum(line, hiding(token));
    // What a death cut off must not spoil the line after it.
    const text = `${this.#unwritten.get(id) ?? ''}\n${sealed}\n`;
    this.#unwritten.set(id, text);
    await this.#files.append(`${folderOf(id)}/journal.ndjson`, text);
    this.#unwritten.delete(id);
  }

  async remove(id: string): Promise<void> {
    // First what makes it a delivery: without its marks it would seem never sent.
    await this.#files.remove(fileOf(id));
    await this.#files.remove(folderOf(id));
    await this.clearHeartbeat(id);
    this.#cache.delete(id);
    this.#unwritten.delete(id);
  }

  /** Says that this window sends a delivery, until the function it resolves to is called; `isCut` leaves it to be told of. */
  async startHeartbeat(id: string): Promise<(isCut?: boolean) => Promise<void>> {
    const beat = () => this.#files.write(runningOf(id), JSON.stringify({ at: this.#now() }));
    await beat();
    let last = Promise.resolve();
    const timer = setInterval(() => {
      // Only other windows would be misled; what is sent is guarded by its marks.
      last = beat().catch(() => {});
    }, BEAT);
    return async (isCut = false) => {
      clearInterval(timer);
      await last;
      if (!isCut) await this.clearHeartbeat(id);
    };
  }

  async isRunning(id: string): Promise<boolean> {
    // Acts decide who sends: what cannot be read here may be taken for nothing.
    const text = await this.#files.read(runningOf(id)).catch(() => undefined);
    const read = v.safeParse(Running, text);
    if (!read.success) return false;
    return Math.abs(this.#now() - read.output.at) < HEARTBEAT_TIMEOUT;
  }

  /** The IDs of the deliveries that a death has cut off and nobody was told of. */
  async interrupted(): Promise<string[]> {
    const ids = (await this.#files.names('running')).filter(isId);
    const running = await Promise.all(ids.map((id) => this.isRunning(id)));
    return ids.filter((_, index) => !running[index]);
  }

  async isAnyRunning(): Promise<boolean> {
    return (await this.#files.names('running')).some(isId);
  }

  /** They have been told of. */
  async clearHeartbeat(id: string): Promise<void> {
    await this.#files.remove(runningOf(id));
  }
}

/** In slices: there may be very many recipients. */
async function statusOf(
  delivery: Delivery,
  begun: readonly Attempt[],
  lines: readonly JournalLine[],
): Promise<DeliveryStatus> {
  const status = new DeliveryStatus(delivery, begun);
  await new TimeSlices().each(lines, (line) => status.apply(line));
  return status;
}

/** Fields whose words are our own. */
const OWN = new Set(['what', 'state', 'why', 'kind', 'type']);

/** For JSON: every text that may be the service's, without the token, which may stand in names of fields, too. */
const hiding = (token: string | undefined) => {
  const redact = createTextRedactor(token);
  return (name: string, value: unknown) => {
    if (name === 'unreadable' && Array.isArray(value)) return value.map((entry) => JSON.stringify(entry));
    return typeof value === 'string' && !OWN.has(name) ? redact(value) : value;
  };
};

/** When a delivery was begun, by its ID (Unix milliseconds). */
export const creationTimeOf = (id: string): number => Number(id.slice(0, 15));

/** An ID as {@link DeliveryStore.newId} makes them. It stands in paths, and must not lead out of the outbox. */
const isId = (name: string) => /^\d{15}-\w{8}$/.test(name);
const folderOf = (id: string) => `deliveries/${checked(id)}`;
const fileOf = (id: string) => `${folderOf(id)}/delivery.ndjson`;
const runningOf = (id: string) => `running/${checked(id)}`;
const actOf = (id: string, number: number) => `${folderOf(id)}/act-${number}`;
/** The number of an act by the name of its file; -1 for any other file. */
const numberOf = (name: string) => Number(/^act-(\d+)$/.exec(name)?.[1] ?? -1);
const keyOf = ({ batch, attempt }: Attempt) => `${batch}.${attempt}`;

function checked(id: string): string {
  if (!isId(id)) throw new Error(`no delivery ${id}`);
  return id;
}
