/** Why recipients weren't reached, in words. */
import { l10n } from 'vscode';
import { errorText } from '../../presentation/errorText.ts';
import { formatCount, joinSentences } from '../../presentation/formats.ts';
import { type Failure, ServiceError } from '../../service/errors.ts';
import type { DeliveryStatus } from './deliveryStatus.ts';
import { isUnchecked, type Outcome } from './outcome.ts';

/** Different outcomes whose causes are considered for the summary. */
const MAX_CAUSES = 100;

/** The causes in a delivery. Of several, each has how many recipients it is about. */
export function causesOf(status: DeliveryStatus): string[] {
  const alike = new Map<string, { outcome: Outcome; count: number }>();
  for (const [outcome, count] of status.unreachedOutcomes()) {
    const { state } = outcome;
    const key = JSON.stringify([state, isUnchecked(outcome) && outcome.wasEarly, failureKey(outcome)]);
    const known = alike.get(key);
    if (known) known.count += count;
    else alike.set(key, { outcome, count });
  }
  const causes = new Map<string, { outcome: Outcome; count: number }>();
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

/** The same for failures that say the same. Made once for each: rows are painted often. */
function failureKey(outcome: Outcome): string {
  const failure = 'failure' in outcome ? outcome.failure : undefined;
  if (!failure) return '';
  const key = failureKeys.get(failure) ?? JSON.stringify(failure);
  failureKeys.set(failure, key);
  return key;
}

/** What {@link causeOf} says of some of the recipients, where it is clear of how many; undefined if it speaks of none. */
function oneCauseOf(outcome: Outcome): string | undefined {
  if (outcome.state === 'absent' && !outcome.failure) return notInChatText();
  if (outcome.state === 'unconfirmed')
    return l10n.t("The service didn't confirm delivery, so the message may have arrived anyway.");
  return undefined;
}

export const notInChatText = () => l10n.t("The message isn't in the chat.");

/** What a check says that came soon after the message was sent. */
export const notListedText = () => l10n.t("The message isn't listed in the chat yet. Check again in a minute.");

/** What a summary says of an outcome; empty if there's nothing to say. */
export function causeOf(outcome: Outcome): string {
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
