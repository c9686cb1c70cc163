/** What is unusual about a message that is about to go out: what a person should know before it does. */

import type { Draft } from '../drafts/draft.ts';
import type { Recipient } from '../outbox/batches.ts';
import type { StoredDelivery } from '../outbox/deliveryStore.ts';
import type { UnreadableEntry } from '../outbox/outbox.ts';
import { chatKey } from '../service/model.ts';
import { TimeSlices } from '../service/timeSlices.ts';

/** So many recipients, or members of one group, are told of. */
const MANY_RECIPIENTS = 500;
const LARGE_GROUP = 1_000;

export type Warning =
  | { kind: 'many'; count: number }
  /** The largest groups first; `members` is the sum of theirs. */
  | { kind: 'huge'; groups: string[]; members: number }
  /** The document's text is another one than when it was last sent (Unix milliseconds). */
  | { kind: 'changed'; at: number }
  /** The very same message went to so many of them before, the last time then (Unix milliseconds). */
  | { kind: 'again'; count: number; at: number }
  /** So many of them may have it: what became of it is not known. */
  | { kind: 'uncertain'; count: number }
  /** So many deliveries of the outbox cannot be read: whether they went to some of them is not known. */
  | { kind: 'unreadable'; count: number }
  /** The fields of its content are not documented. */
  | { kind: 'undocumented' };

export interface MessageToCheck {
  draft: Pick<Draft, 'source' | 'message'>;
  digest: string;
  bot: { id: string };
  /** Address of the service. */
  address: string;
  recipients: readonly Recipient[];
  /** All deliveries so far, the newest first. */
  earlier: readonly (Pick<StoredDelivery, 'status' | 'isRunning'> | UnreadableEntry)[];
  uncertain: readonly Recipient[];
  /** How many members a group has, as far as that is known. */
  membersOf(groupId: string): number | undefined;
}

/** All that is unusual, the most pressing first. Of those who are uncertain anyway, "again" says nothing. */
export async function findWarnings({
  draft,
  digest,
  bot,
  address,
  recipients,
  uncertain,
  ...known
}: MessageToCheck): Promise<Warning[]> {
  const readable = known.earlier.filter((one) => 'status' in one);
  const before = readable.filter(({ status }) => status.delivery.service === address);
  const { source, message } = draft;
  const found: Warning[] = [];

  const slices = new TimeSlices();
  const doubtful = new Set<string>();
  await slices.each(uncertain, (one) => doubtful.add(chatKey(one)));
  const sure = new Set<string>();
  await slices.each(recipients, (one) => {
    const key = chatKey(one);
    if (!doubtful.has(key)) sure.add(key);
  });
  const unsure = recipients.length - sure.size;
  if (unsure > 0) found.push({ kind: 'uncertain', count: unsure });

  const got = new Set<string>();
  let last: number | undefined;
  for (const { status, isRunning } of before) {
    if (status.delivery.digest !== digest || status.delivery.bot.id !== bot.id) continue;
    for (const one of status.recipients()) {
      if (slices.isOver) await slices.pause();
      const { state } = status.outcomeOf(one);
      const key = chatKey(one);
      if (state === 'rejected' || (state === 'notSent' && !isRunning) || !sure.has(key)) continue;
      last ??= status.delivery.at;
      got.add(key);
    }
  }
  if (last !== undefined) found.push({ kind: 'again', count: got.size, at: last });
  const unread = known.earlier.length - readable.length;
  if (unread > 0) found.push({ kind: 'unreadable', count: unread });

  if (source !== undefined && 'text' in message.content) {
    const sent = before.find(
      ({ status: { delivery } }) => delivery.source === source && delivery.message.contentType === message.contentType,
    );
    const { delivery } = sent?.status ?? {};
    if (delivery && delivery.digest !== digest) found.push({ kind: 'changed', at: delivery.at });
  }

  if (recipients.length >= MANY_RECIPIENTS) found.push({ kind: 'many', count: recipients.length });
  const huge = recipients
    .filter(({ type }) => type === 'group')
    .map(({ id, name }) => ({ name, members: known.membersOf(id) ?? 0 }))
    .filter(({ members }) => members >= LARGE_GROUP)
    .toSorted((a, b) => b.members - a.members);
  if (huge.length > 0) {
    const members = huge.reduce((sum, one) => sum + one.members, 0);
    found.push({ kind: 'huge', groups: huge.map(({ name }) => name), members });
  }
  if (message.contentType === 'html') found.push({ kind: 'undocumented' });
  return found;
}
