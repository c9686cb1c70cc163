/** Says when messages are sent. */
import { l10n } from 'vscode';
import { shortServiceName } from '../../presentation/describe.ts';
import { UserFacingError } from '../../presentation/errorText.ts';
import { formatDateTime } from '../../presentation/formats.ts';
import type { DeliveryTimes } from './deliveryTimes.ts';
import type { Delivery } from './record.ts';

/** Confirms the time that the user has chosen (Unix ms). */
export const scheduledText = (name: string, due: number) =>
  l10n.t('“{0}” will be sent on {1}. A VS Code window must be open then.', name, formatDateTime(due));

/** The time that the user has chosen passed before the delivery was stored. */
export const timeHasPassed = () => new UserFacingError(l10n.t('This time has passed.'));

/** For a row. Both times are in Unix ms. */
export const dueText = (due: number, now: number) =>
  due > now ? l10n.t('scheduled for {0}', formatDateTime(due)) : l10n.t('was due on {0}', formatDateTime(due));

/** When a delivery is to be sent (Unix ms), by which bot and through which service. */
export const scheduleOf = ({ bot, service }: Delivery, due: number) =>
  l10n.t('Scheduled for {0}, to be sent by {1} through {2}', formatDateTime(due), bot.name, shortServiceName(service));

/** When a delivery was confirmed, and when it was to be sent, if it waited for that time. */
export function plannedTexts(
  { at }: Pick<Delivery, 'at'>,
  { begunDue, canceledDue = begunDue }: Pick<DeliveryTimes, 'begunDue' | 'canceledDue'>,
): string[] {
  if (canceledDue === undefined) return [];
  return [l10n.t('Confirmed: {0}. Scheduled for: {1}.', formatDateTime(at), formatDateTime(canceledDue))];
}
