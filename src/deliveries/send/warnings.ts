/** Warnings about a message, shown before it is sent. */
import { l10n } from 'vscode';
import type { Directory } from '../../directory/directory.ts';
import { isBrowser } from '../../platform/node.ts';
import { SANDBOX_ADDRESS } from '../../platform/service.ts';
import { singleLineName, toSingleLine } from '../../presentation/describe.ts';
import {
  firstTexts,
  formatCount,
  formatDateTime,
  formatRoughDuration,
  formatTimestamp,
  joinNames,
  joinSentences,
} from '../../presentation/formats.ts';
import { systemClock } from '../../service/clock.ts';
import { type Chat, chatKey, type Kind } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import type { Draft } from '../draft/draft.ts';
import type { RecipientTable } from '../draft/recipients/recipientTable.ts';
import { severalHostsText } from '../draft/recipients/variableText.ts';
import { isUnknown, uncheckedText, unknownRecipientText } from '../draft/unknownRecipients.ts';
import { movedTexts } from '../outbox/deliveryTexts.ts';
import { sentTimeOf } from '../outbox/deliveryTimes.ts';
import type { EditedDocuments } from '../outbox/editedDocuments.ts';
import { isScheduled, type OutboxEntry, type StoredEntry, type UnreadableEntry } from '../outbox/outboxEntry.ts';
import type { Recipient } from '../plan/batches.ts';
import type { DeliveryPlan } from '../plan/deliveryPlan.ts';
import { durationOf, emptyText, uncertainText } from '../plan/planText.ts';
import { alreadySent } from './alreadySent.ts';

/** From how many recipients, or members of one group, there is a warning. */
const MANY_RECIPIENTS = 500;

const LARGE_GROUP = 1_000;

/** From how many calls, and from which length of a message (UTF-16 units). Limits of the service are unknown. */
const MANY_CALLS = 1_000;

const LONG_MESSAGE = 10_000;

/** How many missing recipients, large groups, and problems are named. */
const MAX_NAMED = 3;

export interface Warning {
  /** In one sentence, or a few. */
  readonly text: string;
  /** The ID of the delivery to compare the document with, if it has changed since. */
  readonly compare?: string;
  /** Those who needn't get the message, because they have it or don't exist, by their keys. */
  readonly needless?: ReadonlySet<string>;
}

export interface MessageToCheck {
  draft: Pick<Draft, 'source' | 'uri' | 'message' | 'variables' | 'table'>;
  plan: Pick<DeliveryPlan, 'batches' | 'empty' | 'hosts' | 'longest'>;
  /** How many calls a second are permitted. */
  callsPerSecond: number;
  /** Identifies the message. */
  digest: string;
  bot: { id: string };
  service: { address: string; directory: Pick<Directory, 'has' | 'peek'> };
  recipients: readonly Recipient[];
  /** All deliveries so far, newest first. */
  earlier: readonly (OutboxEntry | UnreadableEntry)[];
  /** Recipients that may have received this message in an earlier delivery. */
  uncertain: readonly Recipient[];
  /** Which deliveries the open documents without a file belong to. */
  documents: Pick<EditedDocuments, 'isOf'>;
  /** The delivery that is resent, if it's a resend, and whether its document has changed since. */
  resent?: { readonly id: string; readonly hasChanged: boolean } | undefined;
  /** The delivery whose message was edited, and which is replaced. It isn't among the earlier ones. */
  replaced?: Pick<StoredEntry, 'status'> | undefined;
}

/** All warnings, most important first. Those who are `uncertain` don't count as having received it. */
export async function findWarnings(toCheck: MessageToCheck): Promise<Warning[]> {
  const { draft, digest, bot, service, recipients, uncertain, earlier, plan } = toCheck;
  const readable = earlier.filter((one) => 'status' in one);
  const deliveries = readable.filter(({ status }) => status.delivery.service === service.address);
  const unreadable = earlier.length - readable.length;
  const same = deliveries.filter(({ status }) => status.delivery.digest === digest);

  const slices = new TimeSlices();
  const uncertainKeys = new Set<string>();
  await slices.each(uncertain, (one) => uncertainKeys.add(chatKey(one)));
  const others = new Set<string>();
  await slices.each(recipients, (one) => {
    const key = chatKey(one);
    if (!uncertainKeys.has(key)) others.add(key);
  });
  const uncertainCount = recipients.length - others.size;
  const lookups = await lookupTexts(bot, recipients, service.directory, draft.table?.rows);
  const text = (...texts: (string | false)[]): Warning[] => texts.flatMap((one) => (one ? [{ text: one }] : []));
  return [
    ...text(uncertainCount > 0 && uncertainText(uncertainCount)),
    ...text(...plan.empty.map(emptyText)),
    ...text(...[...plan.hosts].map(([name, hosts]) => hosts.size > 1 && severalHostsText(name, [...hosts]))),
    ...(await alreadySent(same, others, { bot, draft, batches: plan.batches })),
    ...text(...movedOf(toCheck, deliveries)),
    ...text(scheduledText(toCheck, deliveries)),
    ...text(unreadable > 0 && unreadableText(unreadable)),
    ...lookups.unknown,
    ...changeOf(toCheck, deliveries),
    ...text(
      recipients.length >= MANY_RECIPIENTS &&
        l10n.t('Large number of recipients: {0}.', formatCount(recipients.length)),
      lookups.large,
      plan.batches.length >= MANY_CALLS && manyCallsText(plan.batches.length, toCheck.callsPerSecond),
      plan.longest >= LONG_MESSAGE && l10n.t('Long message: {0} characters.', formatCount(plan.longest)),
      // The sandbox isn't on a network.
      isBrowser() && service.address !== SANDBOX_ADDRESS && mayRepeatText(),
      // The contract doesn't document its fields.
      draft.message.contentType === 'html' && l10n.t('The service may refuse HTML, or show it differently.'),
    ),
  ];
}

/** That another computer may send the same message, or what is left of it. */
function movedOf({ digest, resent, replaced }: MessageToCheck, deliveries: readonly OutboxEntry[]): string[] {
  const moved = deliveries.filter(
    ({ status: { delivery } }) => delivery.digest === digest || delivery.id === resent?.id,
  );
  return [...(replaced ? [replaced] : []), ...moved].flatMap(({ status }) => movedTexts(status)).slice(0, 1);
}

/** Whether it, or another version of its document, is scheduled. */
function scheduledText({ digest, documents, draft }: MessageToCheck, deliveries: readonly OutboxEntry[]): string {
  const scheduled = deliveries
    .filter(isScheduled)
    .find(({ status: { delivery } }) => delivery.digest === digest || documents.isOf(delivery, draft));
  if (!scheduled) return '';
  const time = formatDateTime(scheduled.due);
  return scheduled.status.delivery.digest === digest
    ? l10n.t('This message is already scheduled for {0}.', time)
    : l10n.t('Another version of this document is scheduled for {0}.', time);
}

/** They may have sent this message. */
const unreadableText = (count: number) =>
  count === 1
    ? l10n.t("1 delivery in the outbox can't be read. It may have sent this message before.")
    : l10n.t("{0} deliveries in the outbox can't be read. They may have sent this message before.", formatCount(count));

/** Whether the document has changed since it was last sent, or since the delivery that is resent. */
function changeOf({ digest, draft, resent }: MessageToCheck, deliveries: readonly OutboxEntry[]): Warning[] {
  // What the button does: the dialog can't stay open under an editor.
  const compareText = l10n.t('“Compare” opens both, and sends nothing.');
  if (resent) {
    const text = l10n.t('The document has changed since this delivery. The resend sends what was sent then.');
    return resent.hasChanged ? [{ text: joinSentences(text, compareText), compare: resent.id }] : [];
  }
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
  return [{ text: joinSentences(text, compareText), compare: sent.status.delivery.id }];
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
  directory: MessageToCheck['service']['directory'],
  rows: RecipientTable['rows'] = new Map(),
): Promise<{ unknown: Warning[]; large: string }> {
  const missing: Chat[] = [];
  const groups: { name: string; members: number }[] = [];
  let notLookedUp = 0;
  await new TimeSlices().each(recipients, ({ kind, id, name }) => {
    const found = directory.peek(kind, id);
    const members = (found?.kind === 'group' && found.resource.headcount) || 0;
    if (members >= LARGE_GROUP) groups.push({ name, members });
    if (isUnknown(kind, id, directory)) missing.push({ kind, id });
    // The name of one that was looked up long ago is known from then, unless it's from the file of recipients.
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

function notFoundText(missing: readonly { kind: Kind; id: string }[]): string {
  const [first] = missing;
  if (first && missing.length === 1) return unknownRecipientText({ kind: first.kind, id: singleLineName(first.id) });
  const ids = missing.slice(0, MAX_NAMED + 1).map(({ id }) => singleLineName(id));
  const list = joinNames(firstTexts(ids, MAX_NAMED, missing.length));
  return l10n.t("{0} recipients don't exist: {1}.", formatCount(missing.length), list);
}

/** What the checks of a document warn about: the first few lines. */
export function problemLines(problems: readonly string[]): string[] {
  return firstTexts(
    problems.map((text) => `⚠ ${toSingleLine(text)}`),
    MAX_NAMED,
  );
}
