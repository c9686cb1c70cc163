/** A new message to those who have answered a delivery, or who haven't. It's sent like any other. */
import { l10n } from 'vscode';
import { BYTE_ORDER_MARK, csvLine } from '../../markup/csv.ts';
import { writtenMessage } from '../../markup/markdownVariables.ts';
import type { Host } from '../../platform/host.ts';
import { showInfo } from '../../presentation/dialogs.ts';
import { askSaveTarget, safeFileName, saveText } from '../../presentation/fileDialogs.ts';
import { formatCount } from '../../presentation/formats.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import { openReminderDraft } from '../draft/newDraft.ts';
import { headingOf } from '../outbox/deliveryTexts.ts';
import type { Delivery } from '../outbox/record.ts';
import { MAX_CHATS } from '../outbox/sentDocument.ts';
import type { Recipient } from '../plan/deliveryPlan.ts';

export type ReminderHost = Pick<Host, 'commands' | 'connection' | 'extensionUri' | 'log'>;

/** Opens a draft to these recipients, with what the delivery said in a comment. Many are listed in a file that the user saves. */
export async function openReminder(
  delivery: Delivery,
  recipients: readonly Recipient[],
  host: ReminderHost,
): Promise<void> {
  if (recipients.length === 0) return void showInfo(l10n.t('There are no such recipients.'));
  const { id, bot, message, variables } = delivery;
  const { content } = writtenMessage(message, variables !== undefined);
  const text = 'text' in content ? content.text : headingOf(delivery);
  const chats = recipients.map((one) => ({ kind: one.kind, id: one.id }));
  const reminder = { follows: { delivery: id, text }, chats, botId: bot.id };
  if (recipients.length <= MAX_CHATS) return openReminderDraft(host, reminder);
  const title = l10n.t('Save the {0} recipients', formatCount(recipients.length));
  const name = safeFileName(delivery.name.replace(/\.\w+$/, '')) || 'recipients';
  const target = await askSaveTarget({ title, name, type: 'CSV', extension: 'csv' }, host);
  if (!target) return;
  const lines = [BYTE_ORDER_MARK, csvLine(['id', 'kind', 'name'])];
  await new TimeSlices().each(recipients, ({ kind, id: chatId, name: chatName }) =>
    lines.push(csvLine([chatId, kind === 'group' ? 'group' : 'person', chatName === chatId ? '' : chatName])),
  );
  await saveText(target, lines.join(''));
  // A browser doesn't say where it has saved the file.
  if (target.uri) await openReminderDraft(host, { ...reminder, file: target.uri });
  else
    void showInfo(l10n.t('To send to these recipients, name the file in a new message: recipients: {0}', target.name));
}
