/** Notifications about a delivery, with what can be done next. */
import { l10n } from 'vscode';
import type { Commands } from '../../platform/commands.ts';
import { showInfo, showWarning } from '../../presentation/dialogs.ts';
import { wholeTextAction } from '../../presentation/errorText.ts';
import { actionsOn, type StateFields } from './deliveryState.ts';

/** Says something about a delivery, with what can be done with it. `error` is what it's about. Resolves when that is done. */
export async function offerActions(
  message: string,
  entry: StateFields,
  commands: Commands,
  { needsToken = false, error }: { needsToken?: boolean; error?: unknown } = {},
): Promise<void> {
  const { status } = entry;
  const { counts, delivery, total } = status;
  const { id } = delivery;
  const isDone = counts.reached === total;
  const [first] = status.recipients();
  const actions = actionsOn(entry);
  const choices = new Map<string, () => Promise<void>>();
  if (actions.includes('check')) choices.set(l10n.t('Check Delivery'), () => commands.run('checkDelivery', id));
  choices.set(l10n.t('Open Report'), () => commands.run('openReport', id));
  if (isDone && first) {
    const { kind, id: chatId } = first;
    const outcome = status.outcomeOf(first);
    const msgId = outcome.state === 'reached' ? outcome.msgId : undefined;
    const place = { kind, id: chatId, service: delivery.service, botId: delivery.bot.id, msgId };
    choices.set(l10n.t('Open History'), () => commands.run('openMessage', place));
  }
  if (needsToken) choices.set(l10n.t('Set Bot Token…'), () => commands.run('setToken', { id: delivery.bot.id }));
  if (actions.includes('resume')) choices.set(l10n.t('Resume…'), () => commands.run('resumeDelivery', id));
  if (actions.includes('resend')) {
    choices.set(l10n.t('Resend to Missing Only…'), () => commands.run('resendDelivery', id));
  }
  const whole = error === undefined ? undefined : wholeTextAction(error);
  if (whole) choices.set(whole.label, whole.run);
  const show = isDone ? showInfo : showWarning;
  const chosen = await show(message, ...choices.keys());
  if (chosen !== undefined) await choices.get(chosen)?.();
}
