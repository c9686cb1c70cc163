/** What people have confirmed and were told of a delivery, and what has really become of it. */
import { chatKey, type DiskEntry, type OutboxEntry } from './product.ts';

/** When a delivery is to be sent (Unix ms); null if it isn't sent by itself. */
export type Due = number | null;

/** A delivery, as people have confirmed it. */
export interface Confirmed {
  readonly id: string;
  /** The first delivery of the message, which this one is or resends. */
  readonly origin: string;
  /** What each recipient must get, by the key of their chat. */
  readonly texts: ReadonlyMap<string, string>;
  /** What they get according to this version of the extension. Another one may have stored it. */
  readonly preview: ReadonlyMap<string, string>;
  readonly isOtherVersion: boolean;
  /** Those who may get it twice: the person was told. */
  readonly accepted: ReadonlySet<string>;
  readonly due?: number | undefined;
  /** It's from another computer: it's here once it's imported. */
  readonly isFromElsewhere?: boolean;
}

/** When something was seen, on all clocks. */
export interface Seen {
  wall: number;
  steady: number;
  awake: number;
}

/** Who or what begins to send: a person, who saw the delivery with this many claims, or a window when it's due. */
export type Cause = { seen: number } | { due: number };

/** What one window does to send a delivery. */
export interface Run {
  readonly of: Known;
  readonly cause: Cause;
  calls: number;
  readonly since: number;
  /** Whether its window lives. */
  isAlive(): boolean;
}

export class Known {
  readonly confirmed: Confirmed;
  readonly order: number;
  /** Recipients who got it from this delivery: the IDs of their messages. */
  readonly got = new Map<string, string[]>();
  /** Recipients that a person was told have it. */
  readonly toldReached = new Set<string>();
  /** A person was told that it's stored. */
  isStored = false;
  calls = 0;
  /** The fewest claims that people had seen who sent it. */
  seenToSend = Number.POSITIVE_INFINITY;
  /** A person has tried to delete it, and was told that it's gone, having seen this many claims. */
  mayBeRemoved = false;
  removedAt: number | undefined;
  /** How many claims people have seen at most who tried to delete it. */
  seenToRemove = 0;
  /** By the number of the claim that says so. What windows were told comes first; the others may have said so. */
  readonly times = new Map<number, Due>();
  /** How many claims windows had seen that took it when it was due. */
  readonly taken = new Set<number>();
  readonly tried: { readonly number: number; readonly due: Due }[] = [];
  /** Windows that send it, or died while they did. */
  readonly runs = new Set<Run>();
  /** A window has tried to send it: what keeps it from that also ends its schedule. */
  hasRun = false;
  isEdited = false;
  isInterrupted = false;
  isReported = false;
  /** Recipients of whose calls a person was told that no answer was seen. */
  readonly toldUnanswered = new Set<string>();

  constructor(confirmed: Confirmed, order: number) {
    this.confirmed = confirmed;
    this.order = order;
    if (confirmed.due !== undefined) this.times.set(-1, confirmed.due);
  }

  get lastTime(): number {
    return Math.max(...this.times.keys());
  }

  /** When it may be due now. */
  get dues(): Due[] {
    const number = this.lastTime;
    const last = this.times.get(number);
    const tried = this.tried.filter((one) => one.number > number).map(({ due }) => due);
    return last === undefined ? tried : [last, ...tried];
  }
}

/** Why nothing of a delivery may be sent for this cause; undefined if it may. */
export function problemOfBeginning({ times, lastTime, dues, isEdited }: Known, cause: Cause): string | undefined {
  if (times.size === 0) return undefined;
  if ('due' in cause)
    return dues.includes(cause.due) ? undefined : 'was sent at an old time: early, or after it was canceled';
  return lastTime >= cause.seen || isEdited ? 'was sent early: it changed since the person saw it' : undefined;
}

/** By how much a clock may get ahead of the time that passes, before a window asks (milliseconds). */
const TOLERANCE = 60_000;
/** How long a computer may sleep whose clocks count that, before a window asks (milliseconds). */
const DOZE = 90_000;

/** Why a window mustn't take a delivery for due now, which it first saw waiting for this time then; undefined if it may. */
export function problemOfTime(due: number, seen: Seen | undefined, now: Seen): string | undefined {
  if (!seen) return "is sent early: the window hadn't seen it before";
  const wait = due - seen.wall - TOLERANCE;
  if (now.wall < due || now.steady - seen.steady < wait) return 'is sent early';
  return now.awake - seen.awake < wait - DOZE ? 'is sent early, after a sleep' : undefined;
}

/** Whether two texts may be listed alike. */
export const isAlike = (one: string | undefined, other: string | undefined) => one?.trim() === other?.trim();

/** What is wrong with a delivery as a window reads it that opens now. `from` says which delivery a message is from. */
export function* problemsOf(
  known: Known,
  entry: DiskEntry | undefined,
  from: ReadonlyMap<string, Known>,
): Generator<string> {
  const { got, toldReached, mayBeRemoved, removedAt, isStored } = known;
  if (!entry) {
    if (mayBeRemoved || (known.confirmed.isFromElsewhere && !isStored)) return;
    if (got.size > 0) yield 'was sent and is forgotten';
    else if (isStored) yield 'was stored and is lost';
    return;
  }
  if (removedAt !== undefined) yield 'is back after it was deleted';
  if (!entry.isClaimed) yield 'is a resend that was never claimed: beside another one, it may be sent twice';
  const { origin, texts } = known.confirmed;
  const isTaken = (one: string) =>
    [...from.values()].some(
      ({ confirmed, got, mayBeRemoved }) =>
        mayBeRemoved && got.has(one) && isAlike(confirmed.texts.get(one), texts.get(one)),
    );
  if ([...texts.keys()].toSorted().join() !== [...entry.states.keys()].toSorted().join()) yield 'lost a recipient';
  for (const [one, state] of entry.states) {
    if (isUnsent(state) && got.has(one)) yield `has forgotten ${one}, who has it and is shown as ${state}`;
    if (toldReached.has(one) && state !== 'reached') yield `lost that ${one} was reached, who is ${state}`;
    if (state !== 'reached' || got.has(one)) continue;
    const sender = from.get(entry.messages.get(one) ?? '');
    // A deletion also deletes whose a message was.
    if (!sender) yield `lost ${one}, who is shown as reached, without a message`;
    else if (sender.confirmed.origin !== origin && !isTaken(one)) yield `lost ${one}, who got another delivery's`;
  }
  const [due, ...others] = known.dues;
  if (known.hasRun || entry.isBegun || others.length > 0 || due === undefined) return;
  if ((entry.due ?? null) !== due) yield `is forgotten: it's due at ${entry.due} instead of ${due}`;
  if (due !== null && !entry.isHinted) yield 'is forgotten: no window looks for it when it is due';
}

/** The recipients of calls that were made, and whose answers aren't known. */
export const unansweredOf = ({ status }: OutboxEntry): string[] =>
  status.recipients('unknown').flatMap((one) => {
    const outcome = status.outcomeOf(one);
    return outcome.state === 'unknown' && outcome.failure === undefined ? chatKey(one) : [];
  });

export const isUnsent = (state: string | undefined) =>
  state === undefined || state === 'notSent' || state === 'rejected' || state === 'leftOut';
