/** Warnings about a message, shown before it is sent. */
import type { Draft } from '../drafts/draft.ts';
import type { Recipient } from '../outbox/batches.ts';
import type { StoredDelivery } from '../outbox/deliveryStore.ts';
import type { UnreadableEntry } from '../outbox/outbox.ts';
import { chatKey } from '../service/model.ts';
import { TimeSlices } from '../service/timeSlices.ts';

/** From how many recipients, or members of one group, there is a warning. */
const MANY_RECIPIENTS = 500;
const LARGE_GROUP = 1_000;

export type Warning =
  | { kind: 'manyRecipients'; count: number }
  /** The largest groups first; `members` is their total. */
  | { kind: 'largeGroups'; groups: string[]; members: number }
  /** The document has changed since it was last sent (Unix milliseconds). */
  | { kind: 'changed'; at: number }
  /** How many of them already received the same message, one of them, and when the last time was (Unix milliseconds). */
  | { kind: 'alreadySent'; count: number; first: Recipient; at: number }
  /** How many of them may already have it. */
  | { kind: 'uncertain'; count: number }
  /** How many deliveries in the outbox can't be read. They may have sent this message. */
  | { kind: 'unreadable'; count: number }
  /** The contract doesn't document the fields of this content type. */
  | { kind: 'undocumented' };

export interface MessageToCheck {
  draft: Pick<Draft, 'source' | 'message'>;
  digest: string;
  bot: { id: string };
  /** Address of the service. */
  address: string;
  recipients: readonly Recipient[];
  /** All deliveries so far, newest first. */
  earlier: readonly (Pick<StoredDelivery, 'status' | 'isRunning'> | UnreadableEntry)[];
  uncertain: readonly Recipient[];
  /** How many members a group has, if known. */
  membersOf(groupId: string): number | undefined;
}

/** All warnings, most important first. Those who are `uncertain` don't count for `alreadySent`. */
export async function findWarnings({
  draft,
  digest,
  bot,
  address,
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

  const received = new Set<string>();
  let last: { first: Recipient; at: number } | undefined;
  for (const { status, isRunning } of deliveries) {
    if (status.delivery.digest !== digest || status.delivery.bot.id !== bot.id) continue;
    for (const one of status.recipients()) {
      if (slices.isOver) await slices.pause();
      const { state } = status.outcomeOf(one);
      const key = chatKey(one);
      if (state === 'rejected' || (state === 'notSent' && !isRunning) || !otherKeys.has(key)) continue;
      last ??= { first: one, at: status.delivery.at };
      received.add(key);
    }
  }
  if (last) warnings.push({ kind: 'alreadySent', count: received.size, ...last });
  const unreadableCount = context.earlier.length - readable.length;
  if (unreadableCount > 0) warnings.push({ kind: 'unreadable', count: unreadableCount });

  if (source !== undefined && 'text' in message.content) {
    const sent = deliveries.find(
      ({ status: { delivery } }) => delivery.source === source && delivery.message.contentType === message.contentType,
    );
    const { delivery } = sent?.status ?? {};
    if (delivery && delivery.digest !== digest) warnings.push({ kind: 'changed', at: delivery.at });
  }

  if (recipients.length >= MANY_RECIPIENTS) warnings.push({ kind: 'manyRecipients', count: recipients.length });
  const largeGroups = recipients
    .filter(({ type }) => type === 'group')
    .map(({ id, name }) => ({ name, members: context.membersOf(id) ?? 0 }))
    .filter(({ members }) => members >= LARGE_GROUP)
    .toSorted((a, b) => b.members - a.members);
  if (largeGroups.length > 0) {
    const members = largeGroups.reduce((sum, one) => sum + one.members, 0);
    warnings.push({ kind: 'largeGroups', groups: largeGroups.map(({ name }) => name), members });
  }
  if (message.contentType === 'html') warnings.push({ kind: 'undocumented' });
  return warnings;
}
