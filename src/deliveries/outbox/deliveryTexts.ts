/** A delivery in words: what it's called in rows, when it's sent, and what came of it. */
import * as v from 'valibot';
import { env } from 'vscode';
import { escapeInvisible, excerpt, shortenShown } from '../../markup/escapeInvisible.ts';
import { writtenMessage } from '../../markup/markdownVariables.ts';
import { firstLineOf } from '../../markup/rendered/shownText.ts';
import { nameInNotice, shortServiceName, singleLineName } from '../../presentation/describe.ts';
import { errorText, systemErrorText, UserFacingError } from '../../presentation/errorText.ts';
import { formatCount, formatDateTime, joinNames, joinSentences } from '../../presentation/formats.ts';
import { l10n, type ShownText } from '../../presentation/shown.ts';
import { type Failure, ServiceError } from '../../service/errors.ts';
import { Message } from '../../service/message.ts';
import { reasonText, rowsText } from '../draft/leftOutText.ts';
import type { CheckResult } from './deliveryCheck.ts';
import type { EarlyStop } from './deliveryRunner.ts';
import { type DeliveryStatus, isUnchecked, OUTCOME_STATES, type Outcome, type OutcomeState } from './deliveryStatus.ts';
import type { DeliveryTimes } from './deliveryStore.ts';
import { type OutboxEntry, sentTimeOf } from './outboxEntry.ts';
import { DamagedError, type Delivery } from './record.ts';

/** The headings of stored deliveries, each made once: rows are painted often. */
const headings = new WeakMap<object, ShownText>();

/** The first line that people see of a message, as it was written; the name of its document if it has no text. */
export function headingOf({ message, name, variables }: Pick<Delivery, 'message' | 'name' | 'variables'>): ShownText {
  const known = headings.get(message);
  if (known !== undefined) return known;
  const { contentType, content } = variables ? writtenMessage(message, true) : message;
  const text = 'text' in content ? { text: content.text } : undefined;
  const line = text ? firstLineOf(v.parse(Message, { msgId: '0', contentType, content: text }), '') : '';
  const heading = line === '' ? singleLineName(name) : excerpt(line, 120, escapeInvisible);
  headings.set(message, heading);
  return heading;
}

/** How much of a heading a row shows, in letters of ordinary width. In a narrow row, more would hide the time. */
const MAX_COLUMNS = 20;

/** Letters and emoji that are about twice as wide as others. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303F\uFF01-\uFF60]/u;

const characters = new Intl.Segmenter();

/** The beginning of a heading that fits into a narrow row. */
export function shortHeading(delivery: Pick<Delivery, 'message' | 'name' | 'variables'>): ShownText {
  const heading = headingOf(delivery);
  let columns = 0;
  for (const { segment, index } of characters.segment(heading)) {
    columns += WIDE.test(segment) ? 2 : 1;
    if (columns > MAX_COLUMNS) return shortenShown(heading, index);
  }
  return heading;
}

/** The heading in a notification, which may end a sentence there. */
export const noticeHeading = (delivery: Pick<Delivery, 'message' | 'name' | 'variables'>) =>
  nameInNotice(headingOf(delivery).replace(/(?<!\.)[.。]$/, ''));

/**
 * Confirms the time that the user has chosen (Unix ms). VS Code keeps the notification, even if the delivery is changed
 * afterwards.
 */
export const scheduledText = (delivery: Delivery, due: number) =>
  l10n.t('Scheduled for {0}: “{1}”. A VS Code window must be open then.', formatDateTime(due), noticeHeading(delivery));

/** Says that the time that the user has chosen passed before the delivery was stored. */
export const timeHasPassed = () => new UserFacingError(l10n.t('This time has passed.'));

/** When a delivery is to be sent, for a row. Both times are in Unix ms. */
export const dueText = (due: number, now: number) =>
  due > now ? l10n.t('scheduled for {0}', formatDateTime(due)) : l10n.t('was due on {0}', formatDateTime(due));

/** When a delivery is to be sent (Unix ms), by which bot and through which service. */
export const scheduleOf = ({ bot, service }: Delivery, due: number) =>
  l10n.t('Scheduled for {0}, to be sent by {1} through {2}', formatDateTime(due), bot.name, shortServiceName(service));

/** When a delivery was confirmed, and when it was to be sent, if it waited for that time. */
export function plannedTexts(
  { at }: Pick<Delivery, 'at'>,
  { begunDue, canceledDue = begunDue }: Pick<DeliveryTimes, 'begunDue' | 'canceledDue'>,
): ShownText[] {
  if (canceledDue === undefined) return [];
  return [l10n.t('Confirmed: {0}. Scheduled for: {1}.', formatDateTime(at), formatDateTime(canceledDue))];
}

/** Says that a delivery was a test, if it was. */
export const testTexts = ({ isTest }: Pick<Delivery, 'isTest'>) =>
  isTest ? [l10n.t('A test in one chat before the message is sent to all its recipients.')] : [];

/** Says how many rows of the recipient file weren't picked: reports don't list them. */
export const unpickedTexts = ({ leftOut }: Pick<Delivery, 'leftOut'>) =>
  leftOut && leftOut.rows > 0 ? [rowsText(leftOut.rows)] : [];

/** The {@link headline} of a delivery in the outbox. Why it stopped before doesn't matter once it's sent, now or later. */
export function headlineOf(entry: OutboxEntry): ShownText {
  const goesOn = entry.isRunning || (entry.due ?? entry.editedDue) !== undefined;
  return headline(entry.status, goesOn ? 'none' : undefined);
}

/** A summary of the delivery, followed by what went wrong. By default, it stopped as the outbox knows. */
export function headline(status: DeliveryStatus, end?: EarlyStop | 'none'): ShownText {
  const { counts } = status;
  const stopped = end ?? (status.stopped && { why: status.stopped });
  const reached = formatCount(counts.reached);
  const total = formatCount(status.intended);
  const note =
    notesOf(status).length > 0 && l10n.t("The service's response doesn't match the request. See the report.");
  const out = status.listedCount('leftOut') + (status.delivery.leftOut?.rows ?? 0);
  const leftOut = out > 0 && l10n.t('Also left out: {0}.', formatCount(out));
  if (counts.leftOut > 0 && status.intended === 0)
    return joinSentences(l10n.t('Nothing was sent: everyone was left out.'), note);
  if (status.isComplete) {
    const unsaved = typeof end === 'object' && end.why === 'disk' && notSavedText(end);
    return joinSentences(l10n.t('Sent: {0} of {1} reached.', reached, total), leftOut, unsaved, note);
  }
  const reason = typeof stopped === 'object' && stopText(stopped, status);
  const first = counts.notSent
    ? l10n.t('{0} of {1} reached. Not sent to {2}.', reached, total, formatCount(counts.notSent))
    : l10n.t('{0} of {1} reached.', reached, total);
  return joinSentences(first, leftOut, reason, note, ...causesOf(status));
}

/** When a delivery was sent, or else confirmed, by which bot and through which service. */
export const originOf = (status: DeliveryStatus) => {
  const { bot, service } = status.delivery;
  const parts = [formatDateTime(sentTimeOf(status)), bot.name, shortServiceName(service)] as const;
  return status.isUnsent && !status.isComplete
    ? l10n.t('Confirmed on {0}, to be sent by {1} through {2}', ...parts)
    : l10n.t('{0}, sent by {1} through {2}', ...parts);
};

/** Says that another computer may have the delivery, too, if it's in a file that was made to move it. */
export const movedTexts = ({ movedAt, isComplete }: DeliveryStatus): ShownText[] =>
  movedAt === undefined || isComplete
    ? []
    : [
        l10n.t(
          'It was copied to a file on {0}, so another computer may have it, too. Send it from only one of them.',
          formatDateTime(movedAt),
        ),
      ];

/** Says that only this window knows the last result. */
const notSavedText = ({ error }: EarlyStop) =>
  l10n.t("The outbox couldn't be saved ({0}), so it doesn't show this result.", systemErrorText(error ?? '…'));

/** Whether a delivery can be resumed: batches that were refused can only be resent, and a scheduled one can be sent now. */
const mayResume = ({ counts, delivery, isUnsent }: DeliveryStatus) =>
  counts.notSent > 0 && !(delivery.due !== undefined && isUnsent);

/** Why a delivery stopped early. */
function stopText({ why, error }: EarlyStop, status: DeliveryStatus): ShownText {
  switch (why) {
    case 'canceled':
      return mayResume(status) ? l10n.t('Canceled. You can resume it.') : l10n.t('Canceled.');
    case 'token':
      return l10n.t('The service refused the token, so sending stopped.');
    case 'noToken':
      return error === undefined
        ? l10n.t("The bot's token could no longer be sent, so sending stopped.")
        : joinSentences(errorText(error), l10n.t('Sending stopped.'));
    case 'failed':
      return l10n.t('The service had a problem, so sending stopped.');
    case 'disk':
      return l10n.t("The outbox couldn't be saved ({0}), so sending stopped.", systemErrorText(error ?? '…'));
    case 'never':
      return error === undefined
        ? l10n.t("Your Do Not Send list couldn't be read, so sending stopped.")
        : joinSentences(errorText(error), l10n.t('Sending stopped.'));
    case 'changed':
      return l10n.t(
        "A message can't be made again exactly as you confirmed it, so sending stopped. Send the document again to those it hasn't reached.",
      );
    case 'taken':
      return l10n.t('Another window is sending this message or has changed the delivery, so sending stopped here.');
    case 'deleted':
      return l10n.t('This delivery was deleted from the outbox, so sending stopped.');
  }
}

/** What checks have found about so many recipients. */
export function checkedText({ counts, error }: Pick<CheckResult, 'counts' | 'error'>, total: number): ShownText {
  const { checked, reached, absent, unknown, early } = counts;
  return joinSentences(
    l10n.t(
      'Checked {0} of {1}, and found {2} reached, {3} not reached. Still unknown: {4}.',
      formatCount(checked),
      total === 1 ? l10n.t('1 recipient') : l10n.t('{0} recipients', formatCount(total)),
      formatCount(reached),
      formatCount(absent),
      formatCount(unknown),
    ),
    early > 0 && l10n.t("Messages that aren't listed yet: {0}. Check again in a minute.", formatCount(early)),
    error !== undefined && errorText(error),
  );
}

/** How many notes, and IDs in a note, are listed. */
const MAX_NOTES = 50;

/** Inconsistencies in the service's answers. */
export function notesOf({ unrequested, repeated, unreadable, miscounted }: DeliveryStatus): ShownText[] {
  const list = (ids: readonly string[]) => joinNames(ids.slice(0, MAX_NOTES));
  return [
    ...miscounted
      .slice(0, MAX_NOTES)
      .map(({ successCount, listed }) =>
        l10n.t('Recipients counted by the service: {0}. Listed: {1}.', formatCount(successCount), formatCount(listed)),
      ),
    ...(unrequested.length > 0
      ? [l10n.t("The service listed recipients you didn't send to: {0}", list(unrequested))]
      : []),
    ...(repeated.length > 0 ? [l10n.t('The service listed recipients more than once: {0}', list(repeated))] : []),
    ...unreadable
      .slice(0, MAX_NOTES)
      .map((entry) =>
        l10n.t(
          'The service listed an entry without a recipient: {0}',
          typeof entry === 'string' ? entry : JSON.stringify(entry),
        ),
      ),
  ];
}

export function stateText(state: OutcomeState): ShownText {
  switch (state) {
    case 'reached':
      return l10n.t('reached');
    case 'unconfirmed':
      return l10n.t('not confirmed');
    case 'absent':
      return l10n.t('not reached');
    case 'rejected':
      return l10n.t('refused');
    case 'notSent':
      return l10n.t('not sent');
    case 'unknown':
      return l10n.t('unknown');
    case 'leftOut':
      return l10n.t('left out');
  }
}

/** Details of an outcome, besides its state. */
export function detailOf(outcome: Outcome): ShownText {
  if (outcome.state === 'reached') return l10n.t('Message {0}', outcome.msgId);
  if (outcome.state === 'leftOut') return reasonText(outcome);
  if (outcome.state === 'absent' && !outcome.failure) return notInChatText();
  if (outcome.state !== 'unconfirmed') return causeOf(outcome);
  return outcome.wasEarly
    ? notListedText()
    : l10n.t("The service didn't confirm delivery to this recipient, who may have the message.");
}

/** How many different outcomes are considered for the summary. */
const MAX_CAUSES = 100;

/** The causes in a delivery. If there are several, each says how many recipients it is about. */
function causesOf(status: DeliveryStatus): ShownText[] {
  const alike = new Map<string, { outcome: Outcome; count: number }>();
  for (const [outcome, count] of status.unreachedOutcomes()) {
    const { state } = outcome;
    const key = JSON.stringify([state, isUnchecked(outcome) && outcome.wasEarly, failureKey(outcome)]);
    const known = alike.get(key);
    if (known) known.count += count;
    else alike.set(key, { outcome, count });
  }
  const causes = new Map<ShownText, { outcome: Outcome; count: number }>();
  for (const { outcome, count } of [...alike.values()].slice(0, MAX_CAUSES)) {
    const cause = causeOf(outcome);
    if (cause) causes.set(cause, { outcome, count: count + (causes.get(cause)?.count ?? 0) });
  }
  if (causes.size < 2) return [...causes.keys()];
  return [...causes].slice(0, 3).map(([cause, { outcome, count }]) => {
    const text = oneCauseOf(outcome) ?? cause;
    return count === 1 ? l10n.t('1 recipient: {0}', text) : l10n.t('{0} recipients: {1}', formatCount(count), text);
  });
}

const failureKeys = new WeakMap<Failure, string>();

/** A key that failures with the same text share, made once for each failure: rows are painted often. */
function failureKey(outcome: Outcome): string {
  const failure = 'failure' in outcome ? outcome.failure : undefined;
  if (!failure) return '';
  const key = failureKeys.get(failure) ?? JSON.stringify(failure);
  failureKeys.set(failure, key);
  return key;
}

/** What {@link causeOf} says where the number of recipients is told beside it; undefined if it says nothing then. */
function oneCauseOf(outcome: Outcome): ShownText | undefined {
  if (outcome.state === 'absent' && !outcome.failure) return notInChatText();
  if (outcome.state === 'unconfirmed')
    return l10n.t("The service didn't confirm delivery, so the message may have arrived anyway.");
  return undefined;
}

const notInChatText = () => l10n.t("The message isn't in the chat.");

/** Says that a check came so soon after the message was sent that it may not be listed yet. */
const notListedText = () => l10n.t("The message isn't listed in the chat yet. Check again in a minute.");

/** What a summary says of an outcome; empty if there's nothing to say. */
function causeOf(outcome: Outcome): ShownText {
  switch (outcome.state) {
    case 'reached':
    case 'leftOut':
      return '';
    case 'unconfirmed':
      return l10n.t("Where the service didn't confirm delivery, the message may have arrived anyway.");
    case 'absent':
      return textOf(outcome.failure) || l10n.t("The message isn't in some of the chats.");
    case 'rejected':
      return textOf(outcome.failure);
    case 'notSent':
      return textOf(outcome.failure);
    case 'unknown':
      return joinSentences(
        textOf(outcome.failure),
        outcome.wasEarly ? notListedText() : l10n.t('The message may have been delivered anyway.'),
      );
  }
}

const textOf = (failure: Failure | undefined) => (failure ? errorText(new ServiceError(failure)) : '');

/** Why a delivery can't be read. */
export function unreadableText(error: unknown): ShownText {
  if (error instanceof DamagedError) return l10n.t("This delivery can't be read: its file is damaged.");
  return l10n.t("This delivery can't be read ({0}).", excerpt(systemErrorText(error)));
}

/** A result, as a title. */
export function stateTitle(state: OutcomeState): ShownText {
  const text = stateText(state);
  return escapeInvisible(text.charAt(0).toLocaleUpperCase(env.language) + text.slice(1));
}

/** Says that VS Code died while a delivery was being sent, and how many recipients have each result. */
export function interruptedText(status: DeliveryStatus): ShownText {
  const { counts, delivery, intended } = status;
  const [reached, total] = [formatCount(counts.reached), formatCount(intended)];
  const others = OUTCOME_STATES.filter((state) => state !== 'reached' && status.listedCount(state) > 0);
  return joinSentences(
    l10n.t('Interrupted, {0} of {1} reached: “{2}”.', reached, total, noticeHeading(delivery)),
    ...others.map((state) => l10n.t('{0}: {1}.', stateTitle(state), formatCount(status.listedCount(state)))),
  );
}
