/** What the outbox writes down of a delivery, and how it reads it back: stored files are bytes from outside. */
import * as v from 'valibot';
import type { Failure } from '../service/errors.ts';
import type { Outgoing } from '../service/message.ts';
import { hexDigestOf } from './checksum.ts';

const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const type = v.picklist(['group', 'user']);

/** As the draft was checked before; what is read back must only be content of its kind (contract 2.7). */
const MessageSchema = v.custom<Outgoing>((value) =>
  v.is(v.object({ contentType: text, content: v.object({}) }), value),
);

/** Recipients of one call. */
export const StoredBatch = v.object({
  recvType: type,
  recipients: v.array(v.object({ type, id: text, name: text })),
});
type Batch = v.InferOutput<typeof StoredBatch>;

/** What a delivery is, beside its recipients. */
export const DeliveryHeader = v.object({
  id: v.pipe(text, v.nonEmpty()),
  /** When it was confirmed, in Unix milliseconds. */
  at: v.number(),
  /** Address of the service. */
  service: text,
  bot: v.object({ id: text, name: text }),
  /** What the person knows the document by. */
  name: text,
  /** Address of the document, where it has one to come back to. */
  source: v.optional(text),
  message: MessageSchema,
  /** What tells this message from others: see {@link digestOf}. */
  digest: text,
  /** How many batches there are. */
  batches: count,
  /** The delivery to whose unreached recipients this goes. */
  resends: v.optional(text),
});
type Header = v.InferOutput<typeof DeliveryHeader>;

/** A delivery as the person confirmed it: written once, before the first call. Never holds a token. */
export interface Delivery extends Omit<Header, 'batches'> {
  /** Cut once for all: a number of a batch means the same recipients for ever. */
  batches: Batch[];
}

/** Failures are written by ourselves: only what tells them apart is checked. */
const FailureSchema = v.custom<Failure>((value) => v.is(v.object({ kind: text }), value));

/**
 * What is done about a delivery: a try of a batch goes out, or another delivery goes to its unreached, after which
 * nothing more is done about it.
 */
export const Claim = v.union([v.object({ batch: count, attempt: count }), v.object({ resentBy: text })]);
export type Claim = v.InferOutput<typeof Claim>;

/** The number of a batch, and how often it was tried before. */
const Try = { batch: count, attempt: count, at: v.number() };

/** One line of a delivery's journal: what became of something, in the order in which it came about. */
export const JournalLine = v.variant('what', [
  /** The service took a batch (contract 4.5). */
  v.object({
    what: v.literal('answered'),
    ...Try,
    reached: v.array(v.object({ recvId: text, msgId: text })),
    unreadable: v.array(v.unknown()),
    successCount: v.optional(v.number()),
  }),
  /** A batch was refused, did not get out, or its answer was not seen. */
  v.object({
    what: v.literal('failed'),
    ...Try,
    state: v.picklist(['rejected', 'notSent', 'unknown']),
    failure: v.optional(FailureSchema),
  }),
  /** Those whose chats were read afterwards: by which message each was reached, if by any. */
  v.object({
    what: v.literal('read'),
    at: v.number(),
    found: v.array(v.object({ type, id: text, msgId: v.optional(text) })),
  }),
  /** A run ended before all was sent. */
  v.object({ what: v.literal('stopped'), at: v.number(), why: v.picklist(['person', 'token', 'trouble', 'disk']) }),
]);
export type JournalLine = v.InferOutput<typeof JournalLine>;
export type StopReason = Extract<JournalLine, { what: 'stopped' }>['why'];

/** 32 hexadecimal digits that two messages share if they are the same. */
export async function digestOf(message: Outgoing): Promise<string> {
  return (await hexDigestOf(JSON.stringify([message.contentType, message.content]))).slice(0, 32);
}
