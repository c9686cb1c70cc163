/**
 * The files of the outbox: their schemas, and how they're written and read. What is read back is untrusted input. A delivery
 * is a folder: `delivery.ndjson`, written once; `act-<n>`, a file for each claim; journals with the results. A call with a
 * claim and no result is unknown: reading the chat settles it, or the user does. A damaged line is ignored. A delivery whose
 * first file is damaged can only be deleted or read again.
 *
 * Windows may stall or die at any step, and no lock is trusted, because its owner may only be suspended. So:
 *
 * 1. Something is claimed before it's done, by a file with the next number from 0, which can be created once, whole. A
 *    window that finds it does nothing. See {@link Claim}.
 * 2. A window reads all claims before it acts. A confirmation holds for the number of claims that the user was shown. It also
 *    stores those claims first: the window that made them may have died, or be stalled, before it did.
 * 3. After another delivery goes to its unreached, nothing more of a delivery is sent. That delivery counts once the one
 *    before has the claim that names it. Before that one is deleted, the later one gets a claim of its own, and the one
 *    before takes its place, so that a deletion changes nothing else. A deletion takes the whole folder away, in one step,
 *    and gives it back if it hasn't the claim of a deletion: then it was deleted before, and has been imported since.
 * 4. Until a batch is claimed, a delivery is due at the time in its last claim that has one, or else at the one that it was
 *    stored with. When it's due, a window claims the same time once more, and sends only what still has these claims.
 * 5. `scheduled/<id>` is only a hint. One that is canceled keeps it: it may be scheduled again. `unseen/<id>` and `asked-<time>`,
 *    in the folder of a delivery, decide nothing: they say that it needs somebody, and that somebody was asked.
 * 6. The *Do Not Send* list is read before each claim of a batch, which names those of the batch who aren't in its call; so does
 *    the result. They are settled: later attempts leave them out, too, and nobody looks for them or sends to them again. A claim
 *    that names everyone makes no call. Those who were left out when the delivery was confirmed are in no batch.
 * 7. A file that moves deliveries has those that nobody is sending, and none that is scheduled: its time is canceled first,
 *    by a claim, so that no two computers have it scheduled. The claim names the move, which has a heartbeat until it ends:
 *    if its window dies, people are asked. A delivery of a file is added if there's none with its ID, in one step: all of it
 *    is written into a folder that no other window uses, which then gets its place, or doesn't. Where the claims here are the
 *    first ones of the file, and nobody is sending it, the others are added, the last one first: a claim that is still missing
 *    counts as one of every batch. All others stay as they are. `deliveryMoves.ts` does that.
 *
 * `test/prove` tries to refute this with kills, several windows, bad disks and losses of power.
 */
import * as v from 'valibot';
import { isTime } from '../../markup/days.ts';
import { addChecksum, verifyChecksum, verifyLines } from '../../platform/checkedLines.ts';
import { hexDigest } from '../../platform/durableFiles.ts';
import type { Failure } from '../../service/errors.ts';
import { lenientList, lenientOptional } from '../../service/fields.ts';
import type { Outgoing } from '../../service/message.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import { RULES } from '../draft/leaveOut.ts';
import type { Batch } from '../plan/deliveryPlan.ts';

const text = v.string();

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
/** A time that can be shown (Unix ms). */
export const Time = v.pipe(
  v.number(),
  v.check((ms) => isTime(ms)),
);

const Kind = v.picklist(['group', 'user']);

/** What a message of each type has besides buttons (contract 2.7). It may come from the file of another computer. */
const CONTENTS = {
  text: { text },
  markdown: { text },
  html: { text },
  image: { imageKey: text },
  file: { fileName: text, fileUrl: text },
} satisfies Record<Outgoing['contentType'], v.ObjectEntries>;
const StoredButton = v.object({ text, actionType: v.number(), url: v.optional(text), value: v.optional(text) });
const buttons = v.optional(v.array(v.array(StoredButton)));
const AnyMessage = v.union(
  Object.entries(CONTENTS).map(([contentType, fields]) =>
    v.object({ contentType: v.literal(contentType), content: v.object({ ...fields, buttons }) }),
  ),
);
/** A message that can be shown and sent. */
const MessageSchema = v.custom<Outgoing>((value) => v.is(AnyMessage, value));

/** A {@link Batch}, as stored. */
const StoredBatch = v.object({
  recvType: Kind,
  recipients: v.array(v.object({ kind: Kind, id: text, name: text, mayHaveIt: v.optional(v.literal(true)) })),
  values: v.optional(v.array(text)),
  digest: v.optional(text),
});

const ground = { by: v.picklist(RULES), note: v.fallback(text, '') };

/** Someone who was left out when the delivery was confirmed: see `leaveOut.ts`. */
const LeftOutRecipient = v.pipe(
  v.object({
    kind: Kind,
    id: text,
    name: text,
    ...ground,
    also: v.optional(lenientList(v.object(ground))),
    /** Earlier versions stored `except`, too. */
    isExcepted: v.optional(v.literal(true)),
  }),
  v.transform(({ isExcepted, ...one }) => (isExcepted ? { ...one, also: [{ by: 'except' as const, note: '' }] } : one)),
);

export type LeftOutRecipient = v.InferOutput<typeof LeftOutRecipient>;

/** A line with some of those who were left out. */
const StoredLeftOut = v.object({ leftOut: v.array(LeftOutRecipient) });

/** A line with one batch, or with several that have few recipients. */
const StoredBatches = v.union([
  v.pipe(
    StoredBatch,
    v.transform((batch) => [batch]),
  ),
  v.array(StoredBatch),
]);

/** A delivery without its recipients. */
const DeliveryHeader = v.object({
  id: v.pipe(text, v.nonEmpty()),
  /** When the user confirmed it, in Unix milliseconds. */
  at: Time,
  /** Address of the service. */
  service: text,
  bot: v.object({ id: text, name: text }),
  /** The document's name, as shown to the user. */
  name: text,
  /** The document's URI, if it can be opened again. */
  source: v.optional(text),
  /** The text of the document. Missing where it would hold a token. */
  document: v.optional(text),
  /** With `variables`, a template: see `deliveryMessages.ts`. */
  message: MessageSchema,
  /** The names of the variables in the message; missing if it is sent as it is. */
  variables: v.optional(v.array(text)),
  /** The {@link digestOf} its message in its normal form: the same for deliveries of the same message. */
  digest: text,
  /** Number of batches. */
  batches: count,
  /** The ID of the delivery whose unreached recipients this one is sent to. */
  resends: v.optional(text),
  /** The ID of the delivery that it reminds of. */
  follows: v.optional(text),
  /** Whether it tries the message in one chat, before the message is sent to its recipients. */
  isTest: v.optional(v.literal(true)),
  /** How many are listed as left out, and how many rows `where:` left out besides. */
  leftOut: v.optional(v.object({ people: count, rows: count })),
  /** When the delivery is to be sent, in Unix milliseconds. A later {@link Claim} may have changed that. */
  due: v.optional(Time),
});

/** A delivery as the user confirmed it, stored once before the first call. Never holds a token. */
export interface Delivery extends Omit<v.InferOutput<typeof DeliveryHeader>, 'batches' | 'leftOut'> {
  /** The batches, which never change: the journal refers to them by index. */
  batches: Batch[];
  /** Who was left out when the delivery was confirmed, and how many rows of the file `where:` left out besides. */
  leftOut?: { people: readonly LeftOutRecipient[]; rows: number } | undefined;
}

/** The recipients of a batch who aren't in its call, because they are on the *Do Not Send* list, with the list's notes. */
const NotInCall = v.array(v.object({ id: text, note: v.optional(text) }));

export type NotInCall = v.InferOutput<typeof NotInCall>;

const status = { status: v.number(), retryAfter: v.optional(v.number()) };
/** The fields of each failure, which may come from the file of another computer. */
const FAILURES = {
  cancelled: { unsent: v.optional(v.boolean()) },
  timedOut: { after: v.number() },
  unreachable: { reason: text, inBrowser: v.optional(v.boolean()) },
  redirected: {},
  insecure: {},
  tooLarge: { bound: v.number(), of: v.optional(v.picklist(['values', 'elements'])) },
  http: { ...status, excerpt: text },
  notEnvelope: { status: v.number(), excerpt: text },
  unreadable: {
    path: text,
    problem: v.union([v.picklist(['missing', 'malformed', 'mismatch']), v.object({ expected: text, actual: text })]),
  },
  rejected: { ...status, code: v.number(), text },
  notFound: {
    what: v.picklist(['group', 'bot', 'user']),
    id: text,
    code: v.optional(v.number()),
    text: v.optional(text),
  },
} satisfies Record<Failure['kind'], v.ObjectEntries>;
const AnyFailure = v.union(
  Object.entries(FAILURES).map(([kind, fields]) => v.object({ kind: v.literal(kind), ...fields })),
);
/** A failure that can be shown. */
export const FailureSchema = v.custom<Failure>((value) => v.is(AnyFailure, value));
/** A failure that can't be shown is dropped; the outcome that it has caused still counts. */
const Cause = lenientOptional(FailureSchema);

/**
 * The right to take the next step of a delivery, which only one window can get: to send an attempt of a batch (at a time in
 * Unix ms), except to some, to resend to the unreached recipients, to change when it's sent (Unix ms; null if it isn't sent by
 * itself; `edited` if it isn't sent at all, because its message is being edited; `movedBy` names the move that canceled it),
 * or to delete it. After a resend only a later resend or the deletion follows, and a time counts only before the first
 * attempt. `resends` stands in for the claim of the delivery before, which is deleted.
 */
export const Claim = v.union([
  v.object({ batch: count, attempt: count, at: v.optional(Time), leftOut: v.optional(NotInCall) }),
  v.object({ resentBy: text }),
  v.object({ due: v.nullable(Time), edited: v.optional(v.literal(true)), movedBy: v.optional(text) }),
  v.object({ resends: text }),
  v.object({ removed: v.literal(true) }),
]);

export type Claim = v.InferOutput<typeof Claim>;

/** The index of a batch, the number of attempts before this one, the time in Unix milliseconds, and who wasn't in the call. */
const attemptFields = { batch: count, attempt: count, at: Time, leftOut: v.optional(NotInCall) };

/** A line of a delivery's journal: an outcome, in chronological order. */
export const JournalLine = v.variant('what', [
  /** The service accepted a batch (contract 4.5). */
  v.object({
    what: v.literal('answered'),
    ...attemptFields,
    reached: v.array(v.object({ recvId: text, msgId: text })),
    unreadable: v.array(v.unknown()),
    successCount: v.optional(v.number()),
  }),
  /** A batch was refused or not sent, or its answer was lost. */
  v.object({
    what: v.literal('failed'),
    ...attemptFields,
    state: v.picklist(['rejected', 'notSent', 'unknown']),
    failure: Cause,
  }),
  /** Everyone in a batch is left out, so there was no call. */
  v.object({ what: v.literal('leftOut'), ...attemptFields }),
  /**
   * Recipients whose chats were checked afterwards, with the message if it was there, or the failure if there is no such
   * group or person; `early` are those where it wasn't, but may be listed later. `unanswered` are the attempts that had no
   * outcome before the check.
   */
  v.object({
    what: v.literal('read'),
    at: Time,
    found: v.array(v.object({ kind: Kind, id: text, msgId: v.optional(text), failure: Cause })),
    early: v.optional(v.array(v.object({ kind: Kind, id: text }))),
    unanswered: v.optional(v.array(v.object({ batch: count, attempt: count }))),
  }),
  /** Sending stopped before everything was sent. */
  v.object({
    what: v.literal('stopped'),
    at: Time,
    why: v.picklist(['canceled', 'token', 'noToken', 'failed', 'disk', 'changed', 'never']),
  }),
  /** The delivery is in a file that was made to move it, perhaps after a {@link Claim}: another computer may have it, too. */
  v.object({ what: v.literal('moved'), at: Time, move: v.optional(text) }),
]);

export type JournalLine = v.InferOutput<typeof JournalLine>;

export type StopReason = Extract<JournalLine, { what: 'stopped' }>['why'];

/** A digest of a message: 32 hexadecimal digits, the same for identical messages. */
export async function digestOf(message: Outgoing): Promise<string> {
  return (await hexDigest(JSON.stringify([message.contentType, message.content]))).slice(0, 32);
}

/** A new ID for a delivery that is created at a time (Unix milliseconds). Later IDs sort after earlier ones. */
export const newDeliveryId = (at: number) => `${String(at).padStart(15, '0')}-${crypto.randomUUID().slice(0, 8)}`;

/** When a delivery was created, according to its ID (Unix milliseconds). */
export const creationTimeOf = (id: string): number => Number(id.slice(0, 15));

/** Whether {@link newDeliveryId} could have made this ID. IDs are part of paths and must stay in the outbox. */
export const isDeliveryId = (name: string) => /^\d{15}-\w{8}$/.test(name);

/** An ID that may be part of a path. @throws Error */
export function checkedId(id: string): string {
  if (!isDeliveryId(id)) throw new Error(`no delivery ${id}`);
  return id;
}

/** A delivery's file is damaged. */
export class DamagedError extends Error {
  override readonly name = 'DamagedError';
}

/** How many batches of few recipients share a line: a checksum for each batch would take long. */
const MAX_BATCHES = 100;

const MAX_RECIPIENTS = 200;

/** How long the values in a line are together (UTF-16 units), unless those of one batch are longer. */
const MAX_LENGTH = 1_000_000;

/** A delivery's file: a header, then lines of batches and of those left out, so that it's parsed in time slices. */
export async function serializeDelivery({ batches, leftOut, ...delivery }: Delivery): Promise<string> {
  const slices = new TimeSlices();
  const people = leftOut?.people ?? [];
  const counted = leftOut && { leftOut: { people: people.length, rows: leftOut.rows } };
  const lines = [await addChecksum({ ...delivery, ...counted, batches: batches.length })];
  for (const group of groupsOf(batches)) {
    lines.push(await addChecksum(group));
    if (slices.isOver) await slices.pause();
  }
  for (let at = 0; at < people.length; at += MAX_RECIPIENTS) {
    lines.push(await addChecksum({ leftOut: people.slice(at, at + MAX_RECIPIENTS) }));
    if (slices.isOver) await slices.pause();
  }
  // The last line ends with a line break, too.
  return [...lines, ''].join('\n');
}

/** The batches of each line. A batch without values has its own line: it may have many recipients. */
function* groupsOf(batches: readonly Batch[]): Generator<Batch | Batch[]> {
  let group: Batch[] = [];
  let recipients = 0;
  let length = 0;
  for (const batch of batches) {
    if (!batch.values) {
      yield batch;
      continue;
    }
    const longer = batch.values.reduce((sum, value) => sum + value.length, 0);
    recipients += batch.recipients.length;
    length += longer;
    const isFull = group.length === MAX_BATCHES || recipients > MAX_RECIPIENTS || length > MAX_LENGTH;
    if (group.length > 0 && isFull) {
      yield group;
      group = [];
      recipients = batch.recipients.length;
      length = longer;
    }
    group.push(batch);
  }
  if (group.length > 0) yield group;
}

/** Reads a delivery's file. @throws DamagedError unless it's exactly what {@link serializeDelivery} made of this delivery */
export async function parseDelivery(id: string, text: string): Promise<Delivery> {
  const [first = '', ...lines] = text.split('\n');
  const header = await verifyChecksum(first, DeliveryHeader);
  const batches: Delivery['batches'] = [];
  const people: LeftOutRecipient[] = [];
  let isDamaged = lines.at(-1) !== '';
  for (const group of await verifyLines(lines.slice(0, -1), Group)) {
    if (group && 'leftOut' in group) people.push(...group.leftOut);
    else batches.push(...(group ?? []));
    isDamaged ||= !group;
  }
  if (header?.id !== id || header.batches !== batches.length || isDamaged) throw new DamagedError();
  const { leftOut, ...fields } = header;
  if ((leftOut?.people ?? 0) !== people.length) throw new DamagedError();
  return { ...fields, ...(leftOut && { leftOut: { people, rows: leftOut.rows } }), batches };
}

const Group = v.union([StoredBatches, StoredLeftOut]);
