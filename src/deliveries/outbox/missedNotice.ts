/** Asks about deliveries that were due, but weren't sent by themselves. */
import { l10n } from 'vscode';
import type { Commands } from '../../platform/commands.ts';
import { showWarning } from '../../presentation/dialogs.ts';
import { errorText, wholeTextAction } from '../../presentation/errorText.ts';
import { formatDateTime } from '../../presentation/formats.ts';
import { MissingTokenError } from './deliveryAccess.ts';
import type { ScheduledEntry } from './outbox.ts';
import type { Hindrance } from './scheduledWatch.ts';

/** Resolves when the user has chosen. What is chosen checks itself whether it's still possible. */
export async function askAboutMissed(
  { due, status: { delivery } }: ScheduledEntry,
  hindrance: Hindrance,
  commands: Commands,
): Promise<void> {
  const { id, name, bot } = delivery;
  const choices = new Map<string, () => Promise<void>>();
  if (hindrance.why === 'failed' && hindrance.error instanceof MissingTokenError) {
    choices.set(l10n.t('Set Bot Token…'), () => commands.run('setToken', { id: bot.id }));
  }
  choices.set(l10n.t('Send Now…'), () => commands.run('sendDeliveryNow', id));
  choices.set(l10n.t('Change Time…'), () => commands.run('rescheduleDelivery', id));
  choices.set(l10n.t('Cancel Sending'), () => commands.run('unscheduleDelivery', id));
  const whole = hindrance.why === 'failed' ? wholeTextAction(hindrance.error) : undefined;
  if (whole) choices.set(whole.label, whole.run);
  const chosen = await showWarning(missedText(name, formatDateTime(due), hindrance), ...choices.keys());
  if (chosen !== undefined) await choices.get(chosen)?.();
}

function missedText(name: string, time: string, hindrance: Hindrance): string {
  switch (hindrance.why) {
    case 'closed':
      return l10n.t("“{0}” wasn't sent. It was due on {1}, but no VS Code window was open.", name, time);
    case 'skipped':
      return l10n.t("“{0}” wasn't sent. It was due on {1}, but the clock changed or the computer slept.", name, time);
    case 'abandoned':
      return l10n.t("“{0}” wasn't sent. It was due on {1}, but the window that took it has closed.", name, time);
    case 'failed':
      return l10n.t("“{0}” wasn't sent. It was due on {1}. {2}", name, time, errorText(hindrance.error));
  }
}
