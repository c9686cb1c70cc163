/** Warnings about a message, shown before it is sent. */
import type { Directory } from '../../directory/directory.ts';
import { MessageTemplate } from '../../markup/messageTemplate.ts';
import { isBrowser } from '../../platform/node.ts';
import { SANDBOX_ADDRESS } from '../../platform/service.ts';
import { singleLineName } from '../../presentation/describe.ts';
import {
  firstTexts,
  formatCount,
  formatDateTime,
  formatRoughDuration,
  formatTimestamp,
  joinNames,
  joinSentences,
} from '../../presentation/formats.ts';
import { l10n, type ShownText } from '../../presentation/shown.ts';
import { systemClock } from '../../service/clock.ts';
import { type Chat, chatKey, type Kind } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import type { Draft } from '../draft/draftReader.ts';
import type { RecipientTable } from '../draft/recipients/recipientTable.ts';
import { severalHostsText } from '../draft/recipients/variableText.ts';
import { isUnknown, uncheckedText, unknownRecipientText } from '../draft/unknownRecipients.ts';
import { movedTexts } from '../outbox/deliveryTexts.ts';
import type { EditedDocuments } from '../outbox/editedDocuments.ts';
import { isScheduled, type OutboxEntry, sentTimeOf } from '../outbox/outboxEntry.ts';
import type { Delivery } from '../outbox/record.ts';
import type { Batch, Recipient } from '../plan/deliveryPlan.ts';
import { durationOf, emptyText, recipientText, uncertainText } from '../plan/planText.ts';
import type { Planned, Warning } from './journey.ts';

/** From how many recipients, or members of one group, there is a warning. */
const MANY_RECIPIENTS = 500;

const LARGE_GROUP = 1_000;

/**
 * From how many calls, and from which length of a message (UTF-16 units), there is a warning. The service's limits are
 * unknown.
 */
const MANY_CALLS = 1_000;

const LONG_MESSAGE = 10_000;

/** How many missing recipients, large groups, and problems are named. */
const MAX_NAMED = 3;

type Unwarned = Omit<Planned, 'warnings'>;

/**
 * All warnings, most important first. Recipients of a resend who may have the message don't count as having received it.
 * `hasChanged` tells whether the document of the resent delivery has changed.
 */
export async function findWarnings(
  planned: Unwarned,
  documents: Pick<EditedDocuments, 'isOf'>,
  hasChanged = false,
): Promise<Warning[]> {
  const { draft, purpose, digest, bot, service, recipients, plan, callsPerSecond } = planned;
  // A delivery that is being edited is replaced, so it doesn't count.
  const earlier = planned.earlier.filter((one) => !('editedDue' in one && one.editedDue !== undefined));
  const readable = earlier.filter((one) => 'status' in one);
  const deliveries = readable.filter(({ status }) => status.delivery.service === service.address);
  const unreadable = earlier.length - readable.length;
  const same = deliveries.filter(({ status }) => status.delivery.digest === digest);

  const slices = new TimeSlices();
  const uncertain = new Set<string>();
  if (purpose.type === 'resend') await slices.each(purpose.unreached.uncertain, (one) => uncertain.add(chatKey(one)));
  const others = new Set<string>();
  await slices.each(recipients, (one) => {
    const key = chatKey(one);
    if (!uncertain.has(key)) others.add(key);
  });
  const uncertainCount = recipients.length - others.size;
  const lookups = await lookupTexts(bot, recipients, service.directory, draft.table?.rows);
  const text = (...texts: (ShownText | false)[]): Warning[] => texts.flatMap((one) => (one ? [{ text: one }] : []));
  return [
    ...text(uncertainCount > 0 && uncertainText(uncertainCount)),
    ...text(...plan.empty.map(emptyText)),
    ...text(...[...plan.hosts].map(([name, hosts]) => hosts.size > 1 && severalHostsText(name, [...hosts]))),
    ...(await alreadySent(same, others, planned)),
    ...text(...movedOf(planned, deliveries)),
    ...text(alreadyScheduledText(planned, deliveries, documents)),
    ...text(unreadable > 0 && unreadableText(unreadable)),
    ...lookups.unknown,
    ...(purpose.type === 'resend' ? resentChange(purpose.delivery, hasChanged) : changeOf(planned, deliveries)),
    ...text(
      recipients.length >= MANY_RECIPIENTS &&
        l10n.t('Large number of recipients: {0}.', formatCount(recipients.length)),
      lookups.large,
      plan.batches.length >= MANY_CALLS && manyCallsText(plan.batches.length, callsPerSecond),
      plan.longest >= LONG_MESSAGE && l10n.t('Long message: {0} characters.', formatCount(plan.longest)),
      // The sandbox isn't on a network.
      isBrowser() && service.address !== SANDBOX_ADDRESS && mayRepeatText(),
      // The contract leaves the fields of HTML open (2.7).
      draft.message.contentType === 'html' && l10n.t('The service may refuse HTML, or show it differently.'),
    ),
  ];
}

/**
 * For each bot that has sent the message, this one first, how many of the `wanted` may have received what is planned for
 * them. `same` are the earlier deliveries of the message, newest first.
 */
async function alreadySent(
  same: readonly OutboxEntry[],
  wanted: ReadonlySet<string>,
  { bot, draft, plan }: Unwarned,
): Promise<Warning[]> {
  const slices = new TimeSlices();
  const isSameMessage = await compareWithPlan(plan.batches, draft, slices);
  const warnings: Warning[] = [];
  for (const botId of new Set([bot.id, ...same.map(({ status }) => status.delivery.bot.id)])) {
    const sent = same.filter(({ status }) => status.delivery.bot.id === botId);
    const repeats = await findRepeats(sent, wanted, isSameMessage, slices);
    const other = botId === bot.id ? undefined : sent[0]?.status.delivery.bot.name;
    if (repeats) warnings.push({ text: alreadySentText(repeats, other), needless: repeats.reached });
  }
  return warnings;
}

interface Repeats {
  /** How many recipients may have received the message, and one of them. */
  readonly count: number;
  readonly first: Recipient;
  /** When the message was last sent (Unix milliseconds). */
  readonly at: number;
  /** The keys of recipients that are known to have the message. */
  readonly reached: ReadonlySet<string>;
}

/** The `wanted` recipients who may have received the message by these deliveries, newest first; undefined if nobody has. */
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
  { message, variables = [] }: Draft,
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
function alreadySentText(repeats: Repeats, bot: string | undefined): ShownText {
  return joinSentences(sentText(repeats, bot), notKnownText(repeats));
}

function sentText({ count, first, at }: Repeats, bot: string | undefined): ShownText {
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

/** How many may have the message without that being known. They can't be left out. */
function notKnownText({ count, reached }: Repeats): ShownText {
  const more = count - reached.size;
  if (more === 0) return '';
  if (count === 1) return l10n.t("It isn't known whether it arrived.");
  return more === 1
    ? l10n.t("Of 1 of them, it isn't known whether it arrived.")
    : l10n.t("Of {0} of them, it isn't known whether it arrived.", formatCount(more));
}

/** Warns that another computer may send the same message, or the rest of it. */
function movedOf({ digest, purpose }: Unwarned, deliveries: readonly OutboxEntry[]): ShownText[] {
  const resent = purpose.type === 'resend' ? purpose.delivery.id : undefined;
  const moved = deliveries.filter(({ status: { delivery } }) => delivery.digest === digest || delivery.id === resent);
  return (purpose.type === 'edit' ? [purpose.entry, ...moved] : moved)
    .flatMap(({ status }) => movedTexts(status))
    .slice(0, 1);
}

/** Warns if the message, or another version of its document, is scheduled. */
function alreadyScheduledText(
  { digest, draft }: Unwarned,
  deliveries: readonly OutboxEntry[],
  documents: Pick<EditedDocuments, 'isOf'>,
): ShownText {
  const scheduled = deliveries
    .filter(isScheduled)
    .find(({ status: { delivery } }) => delivery.digest === digest || documents.isOf(delivery, draft));
  if (!scheduled) return '';
  const time = formatDateTime(scheduled.due);
  return scheduled.status.delivery.digest === digest
    ? l10n.t('This message is already scheduled for {0}.', time)
    : l10n.t('Another version of this document is scheduled for {0}.', time);
}

/** Warns that deliveries which can't be read may have sent this message. */
const unreadableText = (count: number) =>
  count === 1
    ? l10n.t("1 delivery in the outbox can't be read. It may have sent this message before.")
    : l10n.t("{0} deliveries in the outbox can't be read. They may have sent this message before.", formatCount(count));

/** Says what the button does: the dialog can't stay open under an editor. */
const compareText = () => l10n.t('“Compare” opens both, and sends nothing.');

/** Warns if the document has changed since the delivery that is resent. */
function resentChange({ id }: Delivery, hasChanged: boolean): Warning[] {
  const text = l10n.t('The document has changed since this delivery. The resend sends what was sent then.');
  return hasChanged ? [{ text: joinSentences(text, compareText()), compare: id }] : [];
}

/** Warns if the document has changed since it was last sent. */
function changeOf({ digest, draft }: Unwarned, deliveries: readonly OutboxEntry[]): Warning[] {
  const { source, message } = draft;
  if (source === undefined || !('text' in message.content)) return [];
  const sent = deliveries.find((entry) => {
    const { delivery, isUnsent } = entry.status;
    const isSameType = delivery.message.contentType === message.contentType;
    return !isScheduled(entry) && !isUnsent && !delivery.isTest && delivery.source === source && isSameType;
  });
  if (!sent || sent.status.delivery.digest === digest) return [];
  const time = formatTimestamp(sentTimeOf(sent.status) / 1000, systemClock.wall(), '');
  const text = l10n.t('The text has changed since this document was last sent: {0}.', time);
  return [{ text: joinSentences(text, compareText()), compare: sent.status.delivery.id }];
}

const manyCallsText = (calls: number, callsPerSecond: number) =>
  l10n.t(
    'Large number of calls: {0}, which take about {1}. Keep a window open until then.',
    formatCount(calls),
    formatRoughDuration(durationOf(calls, callsPerSecond)),
  );

/** Chromium repeats a POST whose connection breaks, and the page sees only the second answer. */
const mayRepeatText = () =>
  l10n.t(
    "If a connection breaks, the browser may repeat a call by itself: some may get the message twice. VS Code on your computer or in a remote window doesn't.",
  );

/** What the directory knows of the bot and the recipients. */
async function lookupTexts(
  bot: { id: string },
  recipients: readonly Recipient[],
  directory: Pick<Directory, 'has' | 'peek'>,
  rows: RecipientTable['rows'] = new Map(),
): Promise<{ unknown: Warning[]; large: ShownText }> {
  const missing: Chat[] = [];
  const groups: { name: string; members: number }[] = [];
  let notLookedUp = 0;
  await new TimeSlices().each(recipients, ({ kind, id, name }) => {
    const found = directory.peek(kind, id);
    const members = (found?.kind === 'group' && found.resource.headcount) || 0;
    if (members >= LARGE_GROUP) groups.push({ name, members });
    if (isUnknown(kind, id, directory)) missing.push({ kind, id });
    // A recipient whose name is known was looked up before, unless the name is from the file of recipients.
    else if (!found && (name === id || rows.has(chatKey({ kind, id })))) notLookedUp++;
  });
  const unknown = [
    isUnknown('bot', bot.id, directory) && { text: notFoundText([{ kind: 'bot', id: bot.id }]) },
    missing.length > 0 && { text: notFoundText(missing), needless: new Set(missing.map(chatKey)) },
    notLookedUp > 0 && { text: uncheckedText(notLookedUp) },
  ].filter((warning) => warning !== false);
  if (groups.length === 0) return { unknown, large: '' };
  const members = groups.reduce((sum, one) => sum + one.members, 0);
  const names = groups.toSorted((a, b) => b.members - a.members).map(({ name }) => singleLineName(name));
  const list = joinNames(firstTexts(names, MAX_NAMED));
  return { unknown, large: l10n.t('Large number of members: {0}, in {1}.', formatCount(members), list) };
}

function notFoundText(missing: readonly { kind: Kind; id: string }[]): ShownText {
  const [first] = missing;
  if (first && missing.length === 1) return unknownRecipientText({ kind: first.kind, id: singleLineName(first.id) });
  const ids = missing.slice(0, MAX_NAMED + 1).map(({ id }) => singleLineName(id));
  const list = joinNames(firstTexts(ids, MAX_NAMED, missing.length));
  return l10n.t("{0} recipients don't exist: {1}.", formatCount(missing.length), list);
}
