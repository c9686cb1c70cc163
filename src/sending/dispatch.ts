/** Deliveries on their way: progress, what became of them, and what may come next. */
import { commands, l10n } from 'vscode';
import { actionsOn } from '../outbox/deliveryState.ts';
import type { DeliveryStatus } from '../outbox/deliveryStatus.ts';
import type { Ended, Sender } from '../outbox/outbox.ts';
import type { Delivery } from '../outbox/record.ts';
import { headline } from '../outbox/report.ts';
import type { Service } from '../platform/service.ts';
import { showInfo, showProgress, showWarning } from '../presentation/dialogs.ts';
import { showError } from '../presentation/showError.ts';
import type { SendingNeeds } from './needs.ts';

type Send = (sender: Sender, progress: (status: DeliveryStatus) => void) => Promise<Ended | undefined>;

/**
 * Lets a delivery be sent, with its progress on the screen; cancelling lets the call that is under way come to its
 * answer, and sends nothing more. Says how it went. Resolves to false where another window sends it.
 */
export async function dispatch(
  delivery: Delivery,
  service: Service,
  token: string,
  needs: SendingNeeds,
  send: Send,
): Promise<boolean> {
  const { id, name, message } = delivery;
  const sender: Sender = {
    token,
    send: ({ recvType, recipients }, options) => {
      const ids = recipients.map((recipient) => recipient.id);
      return service.client.batchSend(token, recvType, ids, message, options);
    },
  };
  const title = l10n.t('Sending “{0}”', name);
  const ended = await showProgress(title, (report, cancellation) => {
    cancellation.onCancellationRequested(() => needs.outbox.cancel(id));
    let shown = 0;
    return send(sender, ({ counts, total }) => {
      const done = total - counts.notSent;
      report({ message: l10n.t('{0} of {1}', done, total), increment: ((done - shown) / total) * 100 });
      shown = done;
    });
  });
  if (!ended) return false;
  const { status, stopped } = ended;
  // The answer to this is a command of its own.
  void offer(headline(status, stopped), status, stopped?.why === 'token').catch(showError);
  await needs.delivered(service, status.recipients('reached', 'missing', 'unknown'));
  return true;
}

/** Says something of a delivery, with what can be done about it. */
export async function offer(words: string, status: DeliveryStatus, needsToken = false): Promise<void> {
  const { counts, delivery, total } = status;
  const isDone = counts.reached === total;
  const actions = actionsOn({
    ...{ status, isRunning: false, isCanceling: false, isResent: false, resentBy: undefined },
  });
  const choices: [label: string, command: string, ...args: unknown[]][] = [
    [l10n.t('Open Report'), 'openReport', delivery.id],
  ];
  const [first] = status.recipients();
  if (isDone) choices.push([l10n.t('Open History'), 'openHistory', { kind: first?.type, id: first?.id }]);
  if (needsToken) choices.push([l10n.t('Set Bot Token…'), 'setToken', { id: delivery.bot.id }]);
  if (actions.includes('resume')) choices.push([l10n.t('Resume…'), 'resumeDelivery', delivery.id]);
  if (actions.includes('check')) choices.push([l10n.t('Check Delivery'), 'checkDelivery', delivery.id]);
  if (actions.includes('resend')) choices.push([l10n.t('Resend to Missing Only…'), 'resendDelivery', delivery.id]);
  const show = isDone ? showInfo : showWarning;
  const chosen = await show(words, ...choices.map(([label]) => label));
  const [, command, ...args] = choices.find(([label]) => label === chosen) ?? [];
  if (command) await commands.executeCommand(`botChats.${command}`, ...args);
}

/** Says of deliveries that a death has cut off what is known of them. */
export async function tellInterrupted({ outbox }: Pick<SendingNeeds, 'outbox'>): Promise<void> {
  for (const { status } of await outbox.interrupted()) {
    const { counts, delivery, total } = status;
    const words = l10n.t(
      'The delivery of “{0}” was interrupted. Reached: {1} of {2}. Unknown: {3}. Not sent: {4}.',
      delivery.name,
      counts.reached,
      total,
      counts.unknown,
      counts.notSent + counts.rejected,
    );
    void offer(words, status).catch(showError);
  }
}
