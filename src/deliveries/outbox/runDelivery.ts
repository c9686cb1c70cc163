/** Sends deliveries and shows their progress: new ones, the rest of interrupted ones, and scheduled ones. */
import { commands } from 'vscode';
import { joinShown } from '../../markup/escapeInvisible.ts';
import type { Host } from '../../platform/host.ts';
import type { Service } from '../../platform/service.ts';
import { namesAt, singleLineName, withLabel } from '../../presentation/describe.ts';
import { askModal, showProgress, showWarning, signalOf } from '../../presentation/dialogs.ts';
import { formatCount, formatDateTime, joinSentences } from '../../presentation/formats.ts';
import { neverNotes } from '../../presentation/neverSend.ts';
import { showError } from '../../presentation/showError.ts';
import { l10n, type ShownText, shownText } from '../../presentation/shown.ts';
import { refusalOf } from '../../presentation/tokenState.ts';
import { type Failure, isFailure, meaningOfMinus1 } from '../../service/errors.ts';
import type { Chat } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import { type Division, NO_RULES, noted } from '../draft/leaveOut.ts';
import type { Recipient } from '../plan/deliveryPlan.ts';
import {
  leftOutLines,
  recipientCount,
  recipientsText,
  roomBelow,
  senderText,
  uncertainText,
} from '../plan/planText.ts';
import { accessTo, MissingTokenError, missingToken, savedAccessOf } from './deliveryAccess.ts';
import { DeliveryMessages } from './deliveryMessages.ts';
import { offerActions, outdated } from './deliveryNotice.ts';
import { type DeliveryResult, type Sender, StopError } from './deliveryRunner.ts';
import type { SendDue } from './deliveryScheduler.ts';
import { type DeliveryStatus, UNCHECKED_STATES } from './deliveryStatus.ts';
import { headingOf, headline, movedTexts, noticeHeading } from './deliveryTexts.ts';
import type { Outbox } from './outbox.ts';
import type { OutboxController } from './outboxController.ts';
import { actionsOn, type StoredEntry } from './outboxEntry.ts';
import type { Delivery } from './record.ts';

/** Starts a delivery in the outbox; resolves to undefined if another window has taken it. */
type Start = (sender: Sender, onProgress: (status: DeliveryStatus) => void) => Promise<DeliveryResult | undefined>;

/**
 * Runs a delivery, shows its progress, and reports the result. Canceling waits for the call in progress. Nothing is sent
 * any more with a token that was removed meanwhile. Resolves to undefined if another window has taken it. The result of a
 * delivery that `isDue` names its message: the user may be busy with something else.
 */
export async function runDelivery(
  delivery: Delivery,
  { service, token }: { service: Service; token: string },
  outbox: Pick<Outbox, 'get' | 'markUnseen'>,
  host: Pick<Host, 'chatEvents' | 'commands' | 'never' | 'store' | 'tokens'>,
  start: Start,
  { isDue = false } = {},
): Promise<DeliveryResult | undefined> {
  const { id } = delivery;
  const messages = new DeliveryMessages(delivery);
  const sender: Sender = {
    token,
    never: () => neverNotes(host.never),
    send: async (batch, options) => {
      const ids = batch.recipients.map((recipient) => recipient.id);
      const before = async () => {
        // A token that can't be read now isn't taken for removed.
        if ((await host.tokens.get(service, delivery.bot.id).catch(() => token)) === undefined)
          throw new StopError('noToken', missingToken(delivery));
        // The user may have canceled while the token was read.
        options.signal.throwIfAborted();
        await options.before();
      };
      const message = await messages.verified(batch);
      const result = await service.client.batchSend(token, batch.recvType, ids, message, { ...options, before });
      const sent = result.reached.map(({ recvId, msgId }) => ({ kind: batch.recvType, id: recvId, msgId }));
      host.chatEvents.sent({ service: service.address, messages: sent });
      return result;
    },
    missing: (recipients) => missingAmong(recipients, service.directory),
  };
  const ended = await showProgress(l10n.t('Sending “{0}”', noticeHeading(delivery)), (report, cancellation) => {
    let shown = 0;
    return start({ ...sender, canceled: signalOf(cancellation) }, ({ counts, total }) => {
      const done = total - counts.notSent;
      report({
        message: l10n.t('{0} of {1}', formatCount(done), formatCount(total)),
        increment: ((done - shown) / total) * 100,
      });
      shown = done;
    });
  });
  if (!ended) return undefined;
  const { status, stopped } = ended;
  // Completes a step of the walkthrough.
  if (status.counts.reached > 0) await commands.executeCommand('setContext', 'botChats.hasSent', true);
  const needsToken = stopped?.why === 'token' || stopped?.error instanceof MissingTokenError;
  const refusal = needsToken ? refusalOf(stopped?.error, { hasRecipients: true }) : undefined;
  const result = headline(status, stopped);
  const words = isDue ? joinSentences(result, l10n.t('Scheduled message: “{0}”.', noticeHeading(delivery))) : result;
  if (!status.isComplete) await outbox.markUnseen(id);
  // The stored delivery tells: if it wasn't begun, it still has its time, and another window may have gone on with it.
  const entry = await outbox.get(id).catch(() => undefined);
  // The notification isn't awaited: its buttons run commands of their own.
  if (stopped?.why === 'deleted') void showWarning(words);
  else {
    const needs = { needsToken, needsList: stopped?.why === 'never' };
    void offerActions(words, status, entry ? actionsOn(entry) : [], host.commands, needs).catch(showError);
  }
  // Noting this is worth neither an error nor a wait for the keyring before the result is told.
  if (refusal || status.counts.reached > 0)
    await host.tokens.answered(service, delivery.bot.id, token, refusal).catch(() => {});
  await host.chatEvents.arrived(service, status.recipients('reached', ...UNCHECKED_STATES));
  return ended;
}

/**
 * The chats that were looked up and don't exist: the message can't have arrived there, whatever the answer says. Makes no
 * request.
 */
async function missingAmong(
  recipients: readonly Chat[],
  directory: Service['directory'],
): ReturnType<NonNullable<Sender['missing']>> {
  const found: (Chat & { failure: Failure })[] = [];
  await new TimeSlices().each(recipients, ({ kind, id }) => {
    const error = directory.missing(kind, id);
    if (!isFailure(error, 'notFound')) return;
    const { failure } = error;
    // Code -1 has other causes, too.
    if (failure.code === undefined || meaningOfMinus1(failure.text ?? '') === 'noGroup')
      found.push({ kind, id, failure });
  });
  return found;
}

type ResumingHost = Pick<Host, 'access' | 'chatEvents' | 'commands' | 'connection' | 'never' | 'store' | 'tokens'>;

type Controller = Pick<OutboxController, 'entryFor' | 'outbox'>;

/** Sends the rest of a delivery that ended early. Asks for confirmation. */
export async function resumeDelivery(id: string, controller: Controller, host: ResumingHost): Promise<void> {
  const { outbox } = controller;
  const entry = await controller.entryFor('resume', id);
  const { delivery } = entry.status;
  const recipients = entry.status.recipients('notSent', 'rejected');
  const answer = await confirmResume(entry.status, await divided(recipients, delivery, host));
  if (answer === 'report') await host.commands.run('openReport', id);
  const access = answer === 'resume' && (await accessTo(delivery, host));
  if (!access) return;
  const ended = await runDelivery(delivery, access, outbox, host, (...how) => outbox.resume(delivery.id, ...how));
  if (!ended) throw await outdated(delivery.id, outbox);
}

/**
 * Sends a delivery that is scheduled before its time, after it was missed, or after it was canceled. Asks for confirmation,
 * which can also change its time.
 */
export async function sendDeliveryNow(id: string, controller: Controller, host: ResumingHost): Promise<void> {
  const { outbox } = controller;
  const entry = await controller.entryFor('sendNow', id);
  const { delivery } = entry.status;
  const answer = await confirmSendNow(entry, await divided(entry.status.recipients(), delivery, host));
  if (answer === 'report') await host.commands.run('openReport', delivery.id);
  if (answer === 'reschedule') await host.commands.run('rescheduleDelivery', delivery.id);
  const access = answer === 'send' && (await accessTo(delivery, host));
  if (!access) return;
  const ended = await runDelivery(delivery, access, outbox, host, (...how) => outbox.sendScheduled(entry, ...how));
  if (!ended) throw await outdated(delivery.id, outbox);
}

/** Sends deliveries that are due, with their own service and a saved token. */
export const dueSender =
  (outbox: Outbox, host: ResumingHost): SendDue =>
  async ({ status: { delivery } }, take) => {
    const access = await savedAccessOf(delivery, host);
    // The list is read before the delivery is taken, so that it stays scheduled if the list can't be read.
    neverNotes(host.never);
    const taken = await take();
    if (!taken) return;
    const start: Start = (...how) => outbox.sendScheduled(taken, ...how);
    await runDelivery(delivery, access, outbox, host, start, { isDue: true });
  };

/** Who gets what is left of a delivery, and who doesn't. @throws UserFacingError if the *Do Not Send* list can't be read */
async function divided(
  recipients: readonly Recipient[],
  { service }: Delivery,
  host: Pick<Host, 'connection' | 'never'>,
): Promise<Division<Recipient>> {
  const known = await namesAt(host.connection, service);
  const rules = NO_RULES.with('never', noted(neverNotes(host.never)));
  return rules.divide(recipients.map((one) => withLabel(one, known)));
}

/** Says that there's no one to send to, and offers the list beside other buttons. Resolves to the chosen button. */
async function showNobody(
  { delivery }: DeliveryStatus,
  leftOut: Division<Recipient>['leftOut'],
  ...buttons: ShownText[]
): Promise<ShownText | undefined> {
  const title = l10n.t(
    "There's no one to send “{0}” to: everyone who is left is on your Do Not Send list.",
    headingOf(delivery),
  );
  const list = l10n.t('Open List');
  const detail = joinShown([...leftOutLines(leftOut), senderText(delivery.bot, delivery.service)], '\n\n');
  const chosen = await askModal(title, detail, ...buttons, list);
  if (chosen === list) await commands.executeCommand('botChats.editNeverList');
  return chosen;
}

/** Asks whether to resume a delivery. The default button sends nothing. */
async function confirmResume(
  status: DeliveryStatus,
  { kept: recipients, leftOut }: Division<Recipient>,
): Promise<'resume' | 'report' | 'cancel'> {
  const report = l10n.t('Open Report');
  if (recipients.length === 0) return (await showNobody(status, leftOut, report)) === report ? 'report' : 'cancel';
  const { bot, service } = status.delivery;
  const heading = headingOf(status.delivery);
  const to = recipientCount(recipients);
  const title = l10n.t('Resume sending “{0}” as {1} to {2}?', heading, singleLineName(bot.name), to);
  const uncertain = recipients.filter(({ mayHaveIt }) => mayHaveIt);
  const others = recipients.filter(({ mayHaveIt }) => !mayHaveIt);
  const room = roomBelow(uncertain.length > 0 && others.length > 0 ? 8 : 0);
  const lists = [
    ...(uncertain.length > 0 ? [recipientsText(uncertain, room, shownText`⚠ ${uncertainText(uncertain.length)}`)] : []),
    ...(others.length > 0 ? [recipientsText(others, room, l10n.t('No one below has received it yet.'))] : []),
  ];
  const notes = [...movedTexts(status), ...leftOutLines(leftOut)];
  const detail = joinShown([...notes, senderText(bot, service), ...lists], '\n\n');
  const resume = l10n.t('Resume');
  const chosen = await askModal(title, detail, report, resume);
  return chosen === resume ? 'resume' : chosen === report ? 'report' : 'cancel';
}

/** Asks whether to send a delivery now that is scheduled, or was, or at another time. The default button sends nothing. */
async function confirmSendNow(
  { status, due, editedDue, canceledDue }: Pick<StoredEntry, 'status' | 'due' | 'editedDue' | 'canceledDue'>,
  { kept: recipients, leftOut }: Division<Recipient>,
): Promise<'send' | 'reschedule' | 'report' | 'cancel'> {
  const report = l10n.t('Open Report');
  const reschedule = canceledDue !== undefined ? l10n.t('Schedule…') : l10n.t('Change Time…');
  if (recipients.length === 0) {
    const chosen = await showNobody(status, leftOut, report, reschedule);
    return chosen === reschedule ? 'reschedule' : chosen === report ? 'report' : 'cancel';
  }
  const { bot, service } = status.delivery;
  const heading = headingOf(status.delivery);
  const to = recipientCount(recipients);
  const title = l10n.t('Send “{0}” as {1} to {2} now?', heading, singleLineName(bot.name), to);
  const planned = due ?? editedDue;
  const time =
    planned === undefined
      ? l10n.t(
          "It was scheduled for {0}, and isn't sent by itself anymore. If you confirm, it's sent now.",
          formatDateTime(canceledDue ?? 0),
        )
      : l10n.t("It was scheduled for {0}. If you confirm, it's sent now.", formatDateTime(planned));
  const list = recipientsText(recipients, roomBelow(leftOut.length));
  const unedited = editedDue === undefined ? [] : [l10n.t("It's sent as it was before you edited it.")];
  const notes = [...unedited, ...movedTexts(status), ...leftOutLines(leftOut)];
  const detail = joinShown([time, ...notes, senderText(bot, service), list], '\n\n');
  const send = l10n.t('Send Now');
  const chosen = await askModal(title, detail, report, reschedule, send);
  if (chosen === send) return 'send';
  return chosen === reschedule ? 'reschedule' : chosen === report ? 'report' : 'cancel';
}
