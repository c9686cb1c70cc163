/** What the user is told about a delivery, with what can be done next. */
import type { Commands } from '../../platform/commands.ts';
import { showInfo, showWarning } from '../../presentation/dialogs.ts';
import { UserFacingError } from '../../presentation/errorText.ts';
import { wholeTextAction } from '../../presentation/showError.ts';
import { l10n, type ShownText } from '../../presentation/shown.ts';
import { type DeliveryStatus, messageIdOf } from './deliveryStatus.ts';
import { noticeHeading } from './deliveryTexts.ts';
import type { Outbox } from './outbox.ts';
import { type DeliveryAction, mayHaveReplies, type OutboxEntry } from './outboxEntry.ts';

/** Says something about a delivery, perhaps about an `error`, with its actions. Resolves when the chosen action is done. */
export async function offerActions(
  message: ShownText,
  status: DeliveryStatus,
  actions: readonly DeliveryAction[],
  commands: Commands,
  { needsToken = false, needsList = false, error }: { needsToken?: boolean; needsList?: boolean; error?: unknown } = {},
): Promise<void> {
  const { delivery, isComplete } = status;
  const { id } = delivery;
  const [first] = status.firstListed('reached', 1);
  const choices = new Map<ShownText, () => Promise<void>>();
  if (actions.includes('check')) choices.set(l10n.t('Check Delivery'), () => commands.run('checkDelivery', id));
  choices.set(l10n.t('Open Report'), () => commands.run('openReport', id));
  if (isComplete && first) {
    const { kind, id: chatId } = first;
    const msgId = messageIdOf(status.outcomeOf(first));
    const place = { kind, id: chatId, service: delivery.service, botId: delivery.bot.id, msgId };
    choices.set(l10n.t('Open History'), () => commands.run('openMessage', place));
  }
  if (isComplete && mayHaveReplies({ isRunning: false, status }))
    choices.set(l10n.t('Find Replies'), () => commands.run('findReplies', id));
  if (needsToken) choices.set(l10n.t('Set Bot Token…'), () => commands.run('setToken', { id: delivery.bot.id }));
  if (needsList) choices.set(l10n.t('Open List'), () => commands.run('editNeverList'));
  if (actions.includes('resume')) choices.set(l10n.t('Resume…'), () => commands.run('resumeDelivery', id));
  if (actions.includes('sendNow')) choices.set(l10n.t('Send Now…'), () => commands.run('sendDeliveryNow', id));
  if (actions.includes('resend')) {
    choices.set(l10n.t('Resend to Missing Only…'), () => commands.run('resendDelivery', id));
  }
  const whole = error === undefined ? undefined : wholeTextAction(error);
  if (whole) choices.set(whole.label, whole.run);
  const show = isComplete ? showInfo : showWarning;
  const chosen = await show(message, ...choices.keys());
  if (chosen !== undefined) await choices.get(chosen)?.();
}

/** Says that a delivery doesn't offer any more what it did when the user saw it. */
export const hasChanged = ({ status: { delivery } }: Pick<OutboxEntry, 'status'>) =>
  new UserFacingError(
    l10n.t('“{0}” has changed. Check the outbox to see what you can do now.', noticeHeading(delivery)),
  );

export const isGone = () => new UserFacingError(l10n.t('This delivery is no longer in the outbox.'));

/** Says why something that the user has confirmed can't be done with a delivery any more. */
export async function outdated(id: string, outbox: Pick<Outbox, 'get'>): Promise<UserFacingError> {
  // A delivery that can't be read offers only to be deleted, unless it's being sent.
  const now = await outbox.get(id).catch(() => ({ isRunning: true }) as const);
  if (!now) return isGone();
  return now.isRunning
    ? new UserFacingError(l10n.t('This message is being sent, in this window or another.'))
    : hasChanged(now);
}
