/** Runs a delivery. */
import { commands, l10n } from 'vscode';
import type { Host } from '../../platform/host.ts';
import type { Service } from '../../platform/service.ts';
import { showProgress, showWarning } from '../../presentation/dialogs.ts';
import { showError } from '../../presentation/errorText.ts';
import { refusalOf } from '../../presentation/tokenState.ts';
import { DeliveryMessages } from '../outbox/deliveryMessages.ts';
import { offerActions } from '../outbox/deliveryNotice.ts';
import type { DeliveryResult, Sender } from '../outbox/deliveryRuns.ts';
import { type DeliveryStatus, UNCHECKED_STATES } from '../outbox/deliveryStatus.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Delivery } from '../outbox/record.ts';
import { headline } from '../outbox/report.ts';

/** Starts a delivery in the outbox; resolves to undefined if another window has taken it. */
export type Start = (
  outbox: Outbox,
  sender: Sender,
  onProgress: (status: DeliveryStatus) => void,
) => Promise<DeliveryResult | undefined>;

/**
 * Runs a delivery, shows its progress, and reports the result. Canceling waits for the call in progress.
 * Resolves to undefined if another window has taken it.
 */
export async function runDelivery(
  delivery: Delivery,
  { service, token }: { service: Service; token: string },
  outbox: Outbox,
  host: Pick<Host, 'chatEvents' | 'commands' | 'store' | 'tokens'>,
  start: Start,
): Promise<DeliveryResult | undefined> {
  const { id, name } = delivery;
  const messages = new DeliveryMessages(delivery);
  const sender: Sender = {
    token,
    send: async (batch, options) => {
      const ids = batch.recipients.map((recipient) => recipient.id);
      return service.client.batchSend(token, batch.recvType, ids, await messages.verified(batch), options);
    },
  };
  const ended = await showProgress(l10n.t('Sending “{0}”', name), (report, cancellation) => {
    cancellation.onCancellationRequested(() => outbox.cancel(id));
    let shown = 0;
    return start(outbox, sender, ({ counts, total }) => {
      const done = total - counts.notSent;
      report({ message: l10n.t('{0} of {1}', done, total), increment: ((done - shown) / total) * 100 });
      shown = done;
    });
  });
  if (!ended) return undefined;
  const { status, stopped } = ended;
  // Completes a step of the walkthrough, and shows the button in the titles of Markdown editors.
  if (status.counts.reached > 0) await commands.executeCommand('setContext', 'botChats.hasSent', true);
  const needsToken = stopped?.why === 'token';
  const refusal = needsToken ? refusalOf(stopped.error, { hasRecipients: true }) : undefined;
  if (refusal || status.counts.reached > 0) await host.tokens.answered(service, delivery.bot.id, token, refusal);
  const words = headline(status, stopped);
  const entry = { status, isRunning: false, isCanceling: false, isResent: false, resentBy: undefined, due: undefined };
  // Not awaited: its buttons run commands of their own.
  if (stopped?.why === 'deleted') void showWarning(words);
  else void offerActions(words, entry, host.commands, { needsToken }).catch(showError);
  // Worth no error.
  if (status.counts.reached > 0) await host.store.set('hasSent', true).catch(() => {});
  await host.chatEvents.arrived(service, status.recipients('reached', ...UNCHECKED_STATES));
  return ended;
}
