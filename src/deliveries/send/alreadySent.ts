/** Who has a message already, by earlier deliveries of the same message. */
import { l10n } from 'vscode';
import { MessageTemplate } from '../../markup/messageTemplate.ts';
import { singleLineName } from '../../presentation/describe.ts';
import { formatCount, formatTimestamp, joinSentences } from '../../presentation/formats.ts';
import { systemClock } from '../../service/clock.ts';
import type { Outgoing } from '../../service/message.ts';
import { chatKey } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import { sentTimeOf } from '../outbox/deliveryTimes.ts';
import type { OutboxEntry } from '../outbox/outboxEntry.ts';
import type { Batch, Recipient } from '../plan/batches.ts';
import { recipientText } from '../plan/planText.ts';

interface Planned {
  bot: { id: string };
  draft: { message: Outgoing; variables?: readonly string[] };
  batches: readonly Batch[];
}

/**
 * For each bot that has sent it, this one first, how many of the `wanted` may have received what is planned for them.
 * `same` are the earlier deliveries of the message, newest first.
 */
export async function alreadySent(
  same: readonly OutboxEntry[],
  wanted: ReadonlySet<string>,
  { bot, draft, batches }: Planned,
): Promise<{ text: string; needless: ReadonlySet<string> }[]> {
  const slices = new TimeSlices();
  const isSameMessage = await compareWithPlan(batches, draft, slices);
  const warnings: { text: string; needless: ReadonlySet<string> }[] = [];
  for (const botId of new Set([bot.id, ...same.map(({ status }) => status.delivery.bot.id)])) {
    const sent = same.filter(({ status }) => status.delivery.bot.id === botId);
    const repeats = await findRepeats(sent, wanted, isSameMessage, slices);
    const other = botId === bot.id ? undefined : sent[0]?.status.delivery.bot.name;
    if (repeats) warnings.push({ text: alreadySentText(repeats, other), needless: repeats.reached });
  }
  return warnings;
}

interface Repeats {
  /** How many may have received it, and one of them. */
  readonly count: number;
  readonly first: Recipient;
  /** When the last time was (Unix milliseconds). */
  readonly at: number;
  /** Those that are known to have it, by their keys. */
  readonly reached: ReadonlySet<string>;
}

/** Who of the wanted may have received the message by these deliveries, newest first; undefined if it's nobody. */
async function findRepeats(
  deliveries: readonly OutboxEntry[],
  wanted: ReadonlySet<string>,
  isSameMessage: (key: string, batch: Batch) => boolean,
  slices: TimeSlices,
): Promise<Repeats | undefined> {
  const received = new Set<string>();
  const reached = new Set<string>();
  let last: { first: Recipient; at: number } | undefined;
  for (const { status, isRunning } of deliveries) {
    for (const batch of status.delivery.batches) {
      for (const one of batch.recipients) {
        if (slices.isOver) await slices.pause();
        const { state } = status.outcomeOf(one);
        const key = chatKey(one);
        if (state === 'rejected' || state === 'absent' || state === 'leftOut' || (state === 'notSent' && !isRunning))
          continue;
        if (!wanted.has(key) || !isSameMessage(key, batch)) continue;
        last ??= { first: one, at: sentTimeOf(status) };
        received.add(key);
        if (state === 'reached') reached.add(key);
      }
    }
  }
  return last && { count: received.size, ...last, reached };
}

/** Whether a batch of another delivery of the same draft had the message that is planned for a recipient. */
async function compareWithPlan(
  batches: readonly Batch[],
  { message, variables = [] }: Planned['draft'],
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

/** `bot` is the name of another bot. */
function alreadySentText(repeats: Repeats, bot: string | undefined): string {
  return joinSentences(sentText(repeats, bot), notKnownText(repeats));
}

function sentText({ count, first, at }: Repeats, bot: string | undefined): string {
  const to = count === 1 ? recipientText(first) : formatCount(count);
  const time = formatTimestamp(at / 1000, systemClock.wall(), '');
  if (bot !== undefined) {
    const other = singleLineName(bot);
    return count === 1
      ? l10n.t('{0} already sent this message to {1}: {2}.', other, to, time)
      : l10n.t('{0} already sent this message to {1} of these recipients: {2}.', other, to, time);
  }
  return count === 1
    ? l10n.t('This message was already sent to {0}: {1}.', to, time)
    : l10n.t('This message was already sent to {0} of these recipients: {1}.', to, time);
}

/** Of how many it isn't known that they have it. They can't be left out. */
function notKnownText({ count, reached }: Repeats): string {
  const more = count - reached.size;
  if (more === 0) return '';
  if (count === 1) return l10n.t("It isn't known whether it arrived.");
  return more === 1
    ? l10n.t("Of 1 of them, it isn't known whether it arrived.")
    : l10n.t("Of {0} of them, it isn't known whether it arrived.", formatCount(more));
}
