/** Asks for confirmation before a message is sent. */
import { l10n } from 'vscode';
import { shownCount } from '../../markup/escapeInvisible.ts';
import type { Service } from '../../platform/service.ts';
import { section } from '../../presentation/chatItems.ts';
import { singleLineName, summaryOf } from '../../presentation/describe.ts';
import { askModal, pickOne, safeLabel } from '../../presentation/dialogs.ts';
import { joinPhrases } from '../../presentation/factParts.ts';
import { formatCount, formatDateTime, formatShortTime } from '../../presentation/formats.ts';
import { systemClock } from '../../service/clock.ts';
import { chatKey } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import type { Draft } from '../draft/draft.ts';
import { MAX_LEFT_OUT, reasonText } from '../draft/leftOutText.ts';
import { type Recipient, shownName } from '../plan/batches.ts';
import type { DeliveryPlan } from '../plan/deliveryPlan.ts';
import {
  contentText,
  leftOutLines,
  planText,
  type Room,
  recipientCount,
  recipientsText,
  recipientText,
  roomBelow,
  samplesText,
  senderText,
} from '../plan/planText.ts';
import { type RecipientItem, recipientItem } from '../plan/recipientItems.ts';
import type { PreparedDraft } from './preparedDraft.ts';
import type { Out } from './sendingRules.ts';
import { findWarnings, type MessageToCheck, problemLines, type Warning } from './warnings.ts';

/** Besides *Cancel*, which VS Code adds. */
const MAX_BUTTONS = 4;

/** How many results of trials are shown. */
const MAX_TRIALS = 3;

export interface Confirmation extends MessageToCheck, Partial<Out> {
  draft: Draft;
  bot: PreparedDraft['bot'];
  service: Service;
  /** What is sent if the user confirms. */
  plan: DeliveryPlan;
  /** What came of sending it to one chat first, each time on a line; undefined if that isn't offered. */
  trials?: readonly string[] | undefined;
  /** When the message was to be sent before it was edited (Unix ms). */
  due?: number | undefined;
  /** Where the outbox is kept, if that is to be said. */
  kept?: string | undefined;
  /** The label of the first button, which sends nothing, if it doesn't go back to the recipients. */
  back?: string | undefined;
  /** `canCheck` if it can be checked first who has the message. */
  resent?: (MessageToCheck['resent'] & { readonly canCheck: boolean }) | undefined;
}

/**
 * What the user chose: `asPlanned` is to send it when it is `due`, `compare` is the ID of the delivery to compare the
 * document with, instead of sending it, `only` are the recipients to ask about again.
 */
type ConfirmationAnswer =
  | 'send'
  | 'asPlanned'
  | 'later'
  | 'try'
  | 'check'
  | 'back'
  | 'cancel'
  | { compare: string }
  | { only: readonly Recipient[] };

/**
 * Shows the message, its bot and its recipients. The default button checks who has the message, or goes back to the
 * recipients, so Enter never sends.
 */
export async function confirm(confirmation: Confirmation): Promise<ConfirmationAnswer> {
  const { draft, bot, recipients, service, trials, resent, leftOut = [] } = confirmation;
  const parts = [singleLineName(draft.name), singleLineName(shownName(bot)), recipientCount(recipients)];
  const title = resent
    ? l10n.t('Resend “{0}” as {1} to {2}?', ...parts)
    : l10n.t('Send “{0}” as {1} to {2}?', ...parts);
  const asPlanned =
    confirmation.due !== undefined && confirmation.due > systemClock.wall()
      ? l10n.t('Send at {0}', formatShortTime(confirmation.due, systemClock.wall()))
      : undefined;
  const warnings = await findWarnings(confirmation);
  const only = recipientsToKeep(recipients, warnings);
  const notes = [
    ...(asPlanned === undefined ? [] : [l10n.t('It was scheduled for {0}.', formatDateTime(confirmation.due ?? 0))]),
    ...notesOf(confirmation, warnings),
    ...(only ? [l10n.t("“Leave Out” asks again without those who have it or don't exist.")] : []),
    ...(confirmation.kept === undefined ? [] : [confirmation.kept]),
  ];
  const compare = warnings.find((warning) => warning.compare !== undefined)?.compare;
  const room = roomOf(confirmation, notes.length);
  const detail = detailOf(confirmation, notes, recipientsText(recipients, room), room);
  // VS Code puts all buttons side by side, and cuts them off in a narrow window: what needs words is in the text. The most
  // needed ones first.
  const answers = new Map<string, ConfirmationAnswer | 'all'>();
  const back = confirmation.back ?? l10n.t('Change Recipients…');
  if (resent?.canCheck) answers.set(l10n.t('Check Delivery'), 'check');
  else answers.set(back, 'back');
  if (only) answers.set(l10n.t('Leave Out ({0})', formatCount(recipients.length - only.length)), { only });
  if (asPlanned !== undefined) answers.set(asPlanned, 'asPlanned');
  answers.set(resent ? l10n.t('Resend') : l10n.t('Send'), 'send');
  if (resent?.canCheck) answers.set(back, 'back');
  if (trials) answers.set(l10n.t('Later…'), 'later').set(l10n.t('Test…'), 'try');
  if (compare !== undefined) answers.set(l10n.t('Compare'), { compare });
  if (recipients.length > shownCount(recipients.length, room.names) || leftOut.length > MAX_LEFT_OUT)
    answers.set(l10n.t('Show All…'), 'all');
  const labels = [...answers.keys()];
  const first = labels.slice(0, labels.length > MAX_BUTTONS ? MAX_BUTTONS - 1 : MAX_BUTTONS);
  const more = labels.slice(first.length);
  const moreLabel = l10n.t('More…');
  for (;;) {
    const chosen = await askModal(title, detail, ...first, ...(more.length > 0 ? [moreLabel] : []));
    const label = chosen === moreLabel ? await pickLabel(more, title) : chosen;
    const answer = answers.get(label ?? '');
    if (answer === 'all') await showAll(recipients, leftOut, service);
    else if (answer !== undefined || chosen !== moreLabel) return answer ?? 'cancel';
  }
}

/**
 * Like {@link confirm}, before the message is sent to one chat first: that of `model` if the chat isn't a recipient. The
 * default button goes back to the chats.
 */
export async function confirmTrial(
  confirmation: Omit<Confirmation, 'recipients' | 'uncertain' | 'trials' | 'back' | 'due'>,
  recipient: Recipient,
  model?: Recipient,
): Promise<'send' | 'back' | 'cancel'> {
  const { draft, bot, service } = confirmation;
  const name = singleLineName(draft.name);
  const to = singleLineName(shownName(recipient));
  const title = l10n.t('Send “{0}” as {1} to {2} first?', name, singleLineName(shownName(bot)), to);
  const back = l10n.t('Change Chat');
  const send = l10n.t('Send to This Chat');
  const found = recipient.kind === 'group' ? service.directory.peek('group', recipient.id) : undefined;
  const line = `• ${joinPhrases(recipientText(recipient), found && summaryOf(found))}`;
  const as = model && isPersonal(draft) && l10n.t('With the values of {0}.', recipientText(model));
  const warnings = await findWarnings({ ...confirmation, recipients: [recipient], uncertain: [] });
  const notes = notesOf(confirmation, warnings);
  const detail = detailOf(
    confirmation,
    notes,
    [l10n.t('To:'), line, as].filter(Boolean).join('\n'),
    roomOf(confirmation, notes.length),
  );
  const chosen = await askModal(title, detail, back, send);
  return chosen === send ? 'send' : chosen === back ? 'back' : 'cancel';
}

/** Those who exist, and aren't known to have the message; undefined if that's all of them, or none. */
function recipientsToKeep(
  recipients: readonly Recipient[],
  warnings: readonly Warning[],
): readonly Recipient[] | undefined {
  const needless = new Set(warnings.flatMap(({ needless = [] }) => [...needless]));
  if (needless.size === 0) return undefined;
  const others = recipients.filter((one) => !needless.has(chatKey(one)));
  return others.length > 0 && others.length < recipients.length ? others : undefined;
}

/** The results of trials, warnings, and the document's problems: a line each. */
function notesOf(
  { draft, leftOut = [], rows, trials = [] }: Omit<Confirmation, 'recipients' | 'uncertain'>,
  warnings: readonly Warning[],
): string[] {
  return [
    ...trials.slice(-MAX_TRIALS),
    ...leftOutLines(leftOut, rows),
    ...warnings.map(({ text }) => `⚠ ${text}`),
    ...problemLines(draft.problems ?? []),
  ];
}

function detailOf(
  {
    draft,
    bot,
    service,
    plan,
    callsPerSecond,
  }: Pick<Confirmation, 'draft' | 'bot' | 'service' | 'plan' | 'callsPerSecond'>,
  notes: readonly string[],
  recipients: string,
  room: Room,
): string {
  const by = senderText(bot, service.address);
  const content = isPersonal(draft)
    ? [planText(plan, callsPerSecond), samplesText(plan, room)]
    : [contentText(draft.message, room)];
  return [notes.join('\n'), by, recipients, ...content].filter(Boolean).join('\n\n');
}

/** Several messages leave less room for each. */
const roomOf = ({ draft }: Pick<Confirmation, 'draft'>, notes: number): Room =>
  isPersonal(draft) ? { names: 3, lines: 3 } : roomBelow(notes);

const isPersonal = ({ variables = [] }: Draft) => variables.length > 0;

/** Offers what has no button. Undefined if the user goes back. */
async function pickLabel(labels: readonly string[], title: string): Promise<string | undefined> {
  const items = labels.map((label) => ({ label: safeLabel(label) }));
  const placeHolder = l10n.t('Press Escape to go back');
  return (await pickOne(items, { title, placeHolder, ignoreFocusOut: true }))?.label;
}

/** Lists all recipients and those left out for reading and searching. Resolves when the list is closed. */
async function showAll(recipients: readonly Recipient[], leftOut: Out['leftOut'], service: Service): Promise<void> {
  const items: RecipientItem[] = [];
  const slices = new TimeSlices();
  await slices.each(recipients, (one) => items.push(recipientItem(one, service)));
  const out: RecipientItem[] = [];
  await slices.each(leftOut, (one) => {
    const item = recipientItem(one, service);
    out.push({ ...item, description: safeLabel(joinPhrases(reasonText(one), item.description)) });
  });
  items.push(...section(l10n.t('Left out'), out));
  const title = l10n.t('All Recipients');
  const placeHolder = l10n.t('Press Enter or Escape to go back');
  await pickOne(items, { title, placeHolder, matchOnDescription: true, ignoreFocusOut: true });
}
