/** Asks for confirmation before a message is sent. */
import { joinShown, shownCount } from '../../markup/escapeInvisible.ts';
import { joinIconTexts } from '../../markup/safeText.ts';
import { section } from '../../presentation/chatItems.ts';
import { singleLineName, summaryOf, toSingleLine } from '../../presentation/describe.ts';
import { askModal, listItem, pickOne } from '../../presentation/dialogs.ts';
import { joinPhrases } from '../../presentation/factParts.ts';
import { firstTexts, formatCount, formatDateTime, formatShortTime } from '../../presentation/formats.ts';
import { iconText, l10n, type ShownText, shownText } from '../../presentation/shown.ts';
import { systemClock } from '../../service/clock.ts';
import { chatKey } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import type { Draft } from '../draft/draftReader.ts';
import { MAX_LEFT_OUT, reasonText } from '../draft/leftOutText.ts';
import { shownName } from '../plan/deliveryPlan.ts';
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
import type { AnswerIn, Planned } from './journey.ts';
import { modelOf } from './steps.ts';

/** The most buttons beside *Cancel*, which VS Code adds. */
const MAX_BUTTONS = 4;

/** How many results of trials are shown. */
const MAX_TRIALS = 3;

const MAX_PROBLEMS = 3;

/**
 * Shows the message, its bot and its recipients. The default button checks who has the message, or goes back to the
 * recipients, so Enter never sends. `kept` says where the outbox is kept, if that is to be said.
 */
export async function confirm(planned: Planned, kept?: ShownText): Promise<AnswerIn<'confirming'>> {
  const { draft, purpose, bot, recipients, chosenBy, leftOut, warnings } = planned;
  const isResend = purpose.type === 'resend';
  const parts = [singleLineName(draft.name), shownName(bot), recipientCount(recipients)];
  const title = isResend
    ? l10n.t('Resend “{0}” as {1} to {2}?', ...parts)
    : l10n.t('Send “{0}” as {1} to {2}?', ...parts);
  const due = dueOf(planned);
  const needless = needlessOf(planned);
  const notes = [
    ...(due === undefined ? [] : [l10n.t('It was scheduled for {0}.', formatDateTime(due))]),
    ...notesOf(planned),
    ...(needless.size > 0 ? [l10n.t("“Leave Out” asks again without those who have it or don't exist.")] : []),
    ...(kept === undefined ? [] : [kept]),
  ];
  const room = roomOf(planned, notes.length);
  const detail = detailOf(planned, notes, recipientsText(recipients, room), room);
  const back =
    chosenBy === 'file'
      ? l10n.t('Show Preview')
      : chosenBy === 'report'
        ? l10n.t('Open Report')
        : l10n.t('Change Recipients…');
  const compare = warnings.find((warning) => warning.compare !== undefined)?.compare;
  const canCheck = isResend && purpose.unreached.toCheck.length > 0;
  // VS Code puts all buttons side by side, and cuts them off in a narrow window: explanations are in the text, and the most
  // needed buttons come first.
  const answers = new Map<ShownText, AnswerIn<'confirming'> | 'all'>();
  if (canCheck) answers.set(l10n.t('Check Delivery'), { type: 'check' });
  else answers.set(back, { type: 'changeRecipients' });
  if (needless.size > 0)
    answers.set(l10n.t('Leave Out ({0})', formatCount(needless.size)), { type: 'leaveOut', needless });
  if (due !== undefined)
    answers.set(l10n.t('Send at {0}', formatShortTime(due, systemClock.wall())), { type: 'schedule', due });
  answers.set(isResend ? l10n.t('Resend') : l10n.t('Send'), { type: 'send' });
  if (canCheck) answers.set(back, { type: 'changeRecipients' });
  if (!isResend) answers.set(l10n.t('Later…'), { type: 'later' }).set(l10n.t('Test…'), { type: 'tryFirst' });
  if (compare !== undefined) answers.set(l10n.t('Compare'), { type: 'compare', id: compare });
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
    if (answer === 'all') await showAll(planned);
    else if (answer !== undefined || chosen !== moreLabel) return answer ?? { type: 'canceled' };
  }
}

/** Like {@link confirm}, for a trial. The default button goes back to the chats. */
export async function confirmTrial(planned: Planned): Promise<AnswerIn<'confirming'>> {
  const { draft, bot, service } = planned;
  const [recipient] = planned.recipients;
  const name = singleLineName(draft.name);
  const to = shownName(recipient);
  const title = l10n.t('Send “{0}” as {1} to {2} first?', name, shownName(bot), to);
  const back = l10n.t('Change Chat');
  const send = l10n.t('Send to This Chat');
  const found = recipient.kind === 'group' ? service.directory.peek('group', recipient.id) : undefined;
  const line = shownText`• ${joinPhrases(recipientText(recipient), found && summaryOf(found))}`;
  const model = modelOf(planned);
  const as = model && isPersonal(draft) && l10n.t('With the values of {0}.', recipientText(model));
  const notes = notesOf(planned);
  const list = joinShown([l10n.t('To:'), line, as], '\n');
  const detail = detailOf(planned, notes, list, roomOf(planned, notes.length));
  const chosen = await askModal(title, detail, back, send);
  return { type: chosen === send ? 'send' : chosen === back ? 'changeRecipients' : 'canceled' };
}

/** When the message was to be sent before it was edited (Unix ms), if that is still possible. */
function dueOf({ purpose }: Planned): number | undefined {
  const due = purpose.type === 'edit' ? purpose.entry.editedDue : undefined;
  return due !== undefined && due > systemClock.wall() ? due : undefined;
}

/** The keys of recipients who don't exist, or are known to have the message; none if that's everyone. */
function needlessOf({ recipients, warnings }: Planned): ReadonlySet<string> {
  const needless = new Set(warnings.flatMap((warning) => [...(warning.needless ?? [])]));
  return recipients.every((one) => needless.has(chatKey(one))) ? new Set() : needless;
}

/** The results of trials, warnings, and the document's problems: a line each. */
function notesOf({ draft, leftOut, rows, trials, warnings }: Planned): ShownText[] {
  return [
    ...trials.slice(-MAX_TRIALS),
    ...leftOutLines(leftOut, rows),
    ...warnings.map(({ text }) => shownText`⚠ ${text}`),
    ...problemLines(draft.problems ?? []),
  ];
}

/** What the checks of a document warn about: the first few lines. */
function problemLines(problems: readonly string[]): ShownText[] {
  return firstTexts(
    problems.map((text) => shownText`⚠ ${toSingleLine(text)}`),
    MAX_PROBLEMS,
  );
}

function detailOf(
  { draft, bot, service, plan, callsPerSecond }: Planned,
  notes: readonly ShownText[],
  recipients: ShownText,
  room: Room,
): ShownText {
  const by = senderText(bot, service.address);
  const content = isPersonal(draft)
    ? [planText(plan, callsPerSecond), samplesText(plan, room)]
    : [contentText(draft.message, room)];
  return joinShown([joinShown(notes, '\n'), by, recipients, ...content], '\n\n');
}

/** How much of the recipients and the message is shown: several messages leave less room for each. */
const roomOf = ({ draft }: Planned, notes: number): Room =>
  isPersonal(draft) ? { names: 3, lines: 3 } : roomBelow(notes);

const isPersonal = ({ variables = [] }: Draft) => variables.length > 0;

/** Offers the answers that have no button. Undefined if the user goes back. */
async function pickLabel(labels: readonly ShownText[], title: ShownText): Promise<ShownText | undefined> {
  const items = labels.map((label) => listItem({ label, chosen: label }));
  const placeHolder = l10n.t('Press Escape to go back');
  return (await pickOne(items, { title, placeHolder, ignoreFocusOut: true }))?.chosen;
}

/** Lists all recipients and those left out for reading and searching. Resolves when the list is closed. */
async function showAll({ recipients, leftOut, service }: Planned): Promise<void> {
  const items: RecipientItem[] = [];
  const slices = new TimeSlices();
  await slices.each(recipients, (one) => items.push(recipientItem(one, service)));
  const out: RecipientItem[] = [];
  await slices.each(leftOut, (one) => {
    const item = recipientItem(one, service);
    out.push({ ...item, description: joinIconTexts([iconText(reasonText(one)), item.description], ' · ') });
  });
  items.push(...section(l10n.t('Left out'), out));
  const title = l10n.t('All Recipients');
  const placeHolder = l10n.t('Press Enter or Escape to go back');
  await pickOne(items, { title, placeHolder, matchOnDescription: true, ignoreFocusOut: true });
}
