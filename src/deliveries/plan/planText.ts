/** The texts of a plan: how many messages and calls there are, and what some recipients get. */
import { l10n } from 'vscode';
import { formatCount, formatRoughDuration } from '../../presentation/formats.ts';
import { variableName, withMarks } from '../draft/editing/recipientProblemText.ts';
import { messageLines, type Room, recipientText } from './confirmationText.ts';
import type { DeliveryPlan, MissingValue } from './deliveryPlan.ts';

/** Nobody wonders about less (milliseconds). */
const WORTH_SAYING = 10_000;

/** How many different messages and calls there are, and how long they take. `callsPerSecond` are permitted. */
export function planText({ batches, messages }: DeliveryPlan, callsPerSecond: number): string {
  const different = messages === 1 ? l10n.t('1 message') : l10n.t('{0} different messages', formatCount(messages));
  const calls = batches.length === 1 ? l10n.t('1 call') : l10n.t('{0} calls', formatCount(batches.length));
  const duration = durationOf(batches.length, callsPerSecond);
  return duration < WORTH_SAYING
    ? l10n.t('{0}, in {1}', different, calls)
    : l10n.t('{0}, in {1}, which take about {2}', different, calls, formatRoughDuration(duration));
}

/** In milliseconds. */
export const durationOf = (calls: number, callsPerSecond: number) => (calls / callsPerSecond) * 1000;

/** What some of the recipients get. */
export function samplesText({ samples }: DeliveryPlan, room: Room): string {
  const texts = samples.map(({ recipient, message }) =>
    [l10n.t('{0} gets:', recipientText(recipient)), messageLines(message, room)].join('\n'),
  );
  return texts.join('\n\n');
}

/** Who lacks a value, in one sentence. */
export function emptyText({ name, count, first, marks }: MissingValue): string {
  const text =
    count === 1
      ? l10n.t('{0} is empty for {1}.', variableName(name), recipientText(first))
      : l10n.t(
          '{0} is empty for {1} recipients, such as {2}.',
          variableName(name),
          formatCount(count),
          recipientText(first),
        );
  return withMarks(text, marks);
}

/** Whose value isn't an address, in one sentence. */
export function notAddressText({ name, count, first }: MissingValue): string {
  return count === 1
    ? l10n.t("{0} isn't a web address for {1}.", variableName(name), recipientText(first))
    : l10n.t(
        "{0} isn't a web address for {1} recipients, such as {2}.",
        variableName(name),
        formatCount(count),
        recipientText(first),
      );
}
