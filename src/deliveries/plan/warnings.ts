/** Warnings about a message, shown before it is sent. */
import type { Directory } from '../../directory/directory.ts';
import { MessageTemplate } from '../../markup/messageTemplate.ts';
import { isBrowser } from '../../platform/node.ts';
import { SANDBOX_ADDRESS } from '../../platform/service.ts';
import { chatKey, type Kind } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import type { Draft } from '../draft/draft.ts';
import type { RecipientTable } from '../draft/recipients/recipientTable.ts';
import type { Batch, Recipient } from '../outbox/batches.ts';
import type { StoredDelivery } from '../outbox/deliveryStore.ts';
import { sentTimeOf } from '../outbox/deliveryTimes.ts';
import type { EditedDocuments } from '../outbox/editedDocuments.ts';
import type { UnreadableEntry } from '../outbox/outbox.ts';
import type { DeliveryPlan, MissingValue } from './deliveryPlan.ts';
import { durationOf } from './planText.ts';

/** From how many recipients, or members of one group, there is a warning. */
const MANY_RECIPIENTS = 500;
const LARGE_GROUP = 1_000;
/** From how many calls, and from which length of a message (UTF-16 units). Limits of the service are unknown. */
const MANY_CALLS = 1_000;
const LONG_MESSAGE = 10_000;
/** How many of the missing recipients are named. */
export const MAX_FIRST = 3;

export type Warning =
  | { kind: 'manyRecipients'; count: number }
  /** The largest groups first; `members` is their total. */
  | { kind: 'largeGroups'; groups: string[]; members: number }
  /** The document has changed since it was last sent, by the delivery with this ID (Unix milliseconds). */
  | { kind: 'changed'; at: number; id: string }
  /** The document has changed since the delivery that is resent, which has this ID. */
  | { kind: 'changedSince'; id: string }
  | AlreadySent
  /** It, or another version of its document, is scheduled (Unix milliseconds). */
  | { kind: 'scheduled'; due: number; isSame: boolean }
  /** How many of them may already have it. */
  | { kind: 'uncertain'; count: number }
  /** How many of them were looked up and don't exist, and the first ones; also the bot. */
  | { kind: 'notFound'; count: number; first: readonly Resource[] }
  /** How many of them haven't been looked up. */
  | { kind: 'notLookedUp'; count: number }
  /** How many deliveries in the outbox can't be read. They may have sent this message. */
  | { kind: 'unreadable'; count: number }
  /** A variable is empty for some of them. */
  | { kind: 'emptyValue'; missing: MissingValue }
  /** The links in a variable go to several hosts. */
  | { kind: 'severalHosts'; name: string; hosts: readonly string[] }
  /** The length of the longest message (UTF-16 units). */
  | { kind: 'longMessage'; length: number }
  /** How many calls there are, and how long they take (milliseconds). */
  | { kind: 'manyCalls'; calls: number; duration: number }
  /** The browser may repeat a call by itself. */
  | { kind: 'mayRepeat' }
  /** The contract doesn't document the fields of this content type. */
  | { kind: 'undocumented' };

/** The same message was sent to some of them, by this bot or another. */
interface AlreadySent {
  readonly kind: 'alreadySent';
  /** The name of the other bot. */
  readonly bot?: string;
  /** How many may have received it, and one of them. */
  readonly count: number;
  readonly first: Recipient;
  /** When the last time was (Unix milliseconds). */
  readonly at: number;
  /** Those that are known to have it, by their keys. */
  readonly reached: ReadonlySet<string>;
}

type Resource = { kind: Kind; id: string };

export interface MessageToCheck {
  draft: Pick<Draft, 'source' | 'uri' | 'message' | 'variables' | 'table'>;
  plan: Pick<DeliveryPlan, 'batches' | 'empty' | 'hosts' | 'longest'>;
  callsPerSecond: number;
  digest: string;
  bot: { id: string };
  service: { address: string; directory: Pick<Directory, 'has' | 'peek'> };
  recipients: readonly Recipient[];
  /** All deliveries so far, newest first. */
  earlier: readonly ((Pick<StoredDelivery, 'status' | 'isRunning'> & { due?: number | undefined }) | UnreadableEntry)[];
  uncertain: readonly Recipient[];
  documents: Pick<EditedDocuments, 'isOf'>;
  /** The delivery that is resent, if it's a resend, and whether its document has changed since. */
  resent?: { readonly id: string; readonly hasChanged: boolean } | undefined;
}

/** All warnings, most important first. Those who are `uncertain` don't count for `alreadySent`. */
export async function findWarnings({
  draft,
  digest,
  bot,
  service: { address, directory },
  recipients,
  uncertain,
  ...context
}: MessageToCheck): Promise<Warning[]> {
  const readable = context.earlier.filter((one) => 'status' in one);
  const deliveries = readable.filter(({ status }) => status.delivery.service === address);
  const { source, message } = draft;
  const warnings: Warning[] = [];

  const slices = new TimeSlices();
  const uncertainKeys = new Set<string>();
  await slices.each(uncertain, (one) => uncertainKeys.add(chatKey(one)));
  const otherKeys = new Set<string>();
  await slices.each(recipients, (one) => {
    const key = chatKey(one);
    if (!uncertainKeys.has(key)) otherKeys.add(key);
  });
  const uncertainCount = recipients.length - otherKeys.size;
  if (uncertainCount > 0) warnings.push({ kind: 'uncertain', count: uncertainCount });

  for (const missing of context.plan.empty) warnings.push({ kind: 'emptyValue', missing });
  for (const [name, hosts] of context.plan.hosts)
    if (hosts.size > 1) warnings.push({ kind: 'severalHosts', name, hosts: [...hosts] });

  const isSameMessage = await compareWithPlan(context.plan.batches, draft, slices);
  const same = deliveries.filter(({ status }) => status.delivery.digest === digest);
  for (const botId of new Set([bot.id, ...same.map(({ status }) => status.delivery.bot.id)])) {
    const sent = same.filter(({ status }) => status.delivery.bot.id === botId);
    const repeats = await findRepeats(sent, otherKeys, isSameMessage, slices);
    const other = botId === bot.id ? undefined : sent[0]?.status.delivery.bot.name;
    if (repeats) warnings.push(other === undefined ? repeats : { ...repeats, bot: other });
  }
  const scheduled = deliveries.find(
    ({ due, status: { delivery } }) =>
      due !== undefined && (delivery.digest === digest || context.documents.isOf(delivery, draft)),
  );
  if (scheduled?.due !== undefined) {
    const isSame = scheduled.status.delivery.digest === digest;
    warnings.push({ kind: 'scheduled', due: scheduled.due, isSame });
  }
  const unreadableCount = context.earlier.length - readable.length;
  if (unreadableCount > 0) warnings.push({ kind: 'unreadable', count: unreadableCount });

  const lookups = await lookupWarnings(bot, recipients, directory, draft.table?.rows);
  warnings.push(...lookups.unknown);

  if (context.resent?.hasChanged) warnings.push({ kind: 'changedSince', id: context.resent.id });
  if (!context.resent && source !== undefined && 'text' in message.content) {
    const sent = deliveries.find(
      ({ due, status: { delivery, counts, total } }) =>
        due === undefined &&
        counts.notSent < total &&
        delivery.source === source &&
        delivery.message.contentType === message.contentType,
    );
    const { delivery } = sent?.status ?? {};
    if (sent && delivery && delivery.digest !== digest)
      warnings.push({ kind: 'changed', at: sentTimeOf(sent.status), id: delivery.id });
  }

  if (recipients.length >= MANY_RECIPIENTS) warnings.push({ kind: 'manyRecipients', count: recipients.length });
  warnings.push(...lookups.large);
  const calls = context.plan.batches.length;
  if (calls >= MANY_CALLS)
    warnings.push({ kind: 'manyCalls', calls, duration: durationOf(calls, context.callsPerSecond) });
  if (context.plan.longest >= LONG_MESSAGE) warnings.push({ kind: 'longMessage', length: context.plan.longest });
  // The sandbox isn't on a network.
  if (isBrowser() && address !== SANDBOX_ADDRESS) warnings.push({ kind: 'mayRepeat' });
  if (message.contentType === 'html') warnings.push({ kind: 'undocumented' });
  return warnings;
}

/** Who of the wanted may have received the message by these deliveries, newest first; undefined if it's nobody. */
async function findRepeats(
  deliveries: readonly Pick<StoredDelivery, 'status' | 'isRunning'>[],
  wanted: ReadonlySet<string>,
  isSameMessage: (key: string, batch: Batch) => boolean,
  slices: TimeSlices,
): Promise<AlreadySent | undefined> {
  const received = new Set<string>();
  const reached = new Set<string>();
  let last: { first: Recipient; at: number } | undefined;
  for (const { status, isRunning } of deliveries) {
    for (const batch of status.delivery.batches) {
      for (const one of batch.recipients) {
        if (slices.isOver) await slices.pause();
        const { state } = status.outcomeOf(one);
        const key = chatKey(one);
        if (state === 'rejected' || state === 'absent' || (state === 'notSent' && !isRunning)) continue;
        if (!wanted.has(key) || !isSameMessage(key, batch)) continue;
        last ??= { first: one, at: sentTimeOf(status) };
        received.add(key);
        if (state === 'reached') reached.add(key);
      }
    }
  }
  return last && { kind: 'alreadySent', count: received.size, ...last, reached };
}

/** Whether a batch of another delivery of the same draft had the message that is planned for a recipient. */
async function compareWithPlan(
  batches: readonly Batch[],
  { message, variables = [] }: MessageToCheck['draft'],
  slices: TimeSlices,
): Promise<(key: string, batch: Batch) => boolean> {
  if (variables.length === 0) return () => true;
  const template = new MessageTemplate(message);
  // Other values may make the same message.
  const messageKey = ({ values = [] }: Batch) => template.fill((name) => values[variables.indexOf(name)] ?? '').key;
  const planned = new Map<string, string>();
  for (const batch of batches) {
    const key = messageKey(batch);
    for (const one of batch.recipients) planned.set(chatKey(one), key);
    if (slices.isOver) await slices.pause();
  }
  let last: { batch: Batch; key: string } | undefined;
  return (key, batch) => {
    if (last?.batch !== batch) last = { batch, key: messageKey(batch) };
    return planned.get(key) === last.key;
  };
}

/** What the directory knows of the bot and the recipients. */
async function lookupWarnings(
  bot: { id: string },
  recipients: readonly Recipient[],
  directory: MessageToCheck['service']['directory'],
  rows: RecipientTable['rows'] = new Map(),
): Promise<{ unknown: Warning[]; large: Warning[] }> {
  const isMissing = (kind: Kind, id: string) => directory.has(kind, id) && !directory.peek(kind, id);
  const missing: Resource[] = [];
  const groups: { name: string; members: number }[] = [];
  let notLookedUp = 0;
  await new TimeSlices().each(recipients, ({ kind, id, name }) => {
    const found = directory.peek(kind, id);
    const members = (found?.kind === 'group' && found.resource.headcount) || 0;
    if (members >= LARGE_GROUP) groups.push({ name, members });
    if (isMissing(kind, id)) missing.push({ kind, id });
    // The name of one that was looked up long ago is known from then, unless it's from the file of recipients.
    else if (!found && (name === id || rows.has(chatKey({ kind, id })))) notLookedUp++;
  });
  const unknown: Warning[] = [];
  if (isMissing('bot', bot.id)) unknown.push({ kind: 'notFound', count: 1, first: [{ kind: 'bot', id: bot.id }] });
  if (missing.length > 0)
    unknown.push({ kind: 'notFound', count: missing.length, first: missing.slice(0, MAX_FIRST + 1) });
  if (notLookedUp > 0) unknown.push({ kind: 'notLookedUp', count: notLookedUp });
  const members = groups.reduce((sum, one) => sum + one.members, 0);
  const names = groups.toSorted((a, b) => b.members - a.members).map(({ name }) => name);
  return { unknown, large: names.length > 0 ? [{ kind: 'largeGroups', groups: names, members }] : [] };
}
