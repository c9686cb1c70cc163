/** What a person does with a delivery of the outbox. */
import { env, l10n } from 'vscode';
import { signalOf } from '../platform/cancellation.ts';
import { askModal, showProgress } from '../presentation/dialogs.ts';
import { explain, UserFacingError } from '../presentation/errorText.ts';
import { formatDateTime } from '../presentation/formats.ts';
import { confirmResume } from '../sending/confirmation.ts';
import { dispatch, offer } from '../sending/dispatch.ts';
import { type SendingNeeds, serviceOf, statusOf, tokenOf } from '../sending/needs.ts';
import { creationTimeOf } from './deliveryStore.ts';
import { csvOf, reportOf } from './report.ts';

/** Goes on with a delivery that ended before all was sent, if the person says so. */
export async function resume(id: string, needs: SendingNeeds): Promise<void> {
  const status = await statusOf(id, needs);
  const { delivery } = status;
  const answer = await confirmResume(delivery, status.recipients('notSent', 'rejected'));
  if (answer === 'report') await openReport(id, needs);
  if (answer !== 'resume') return;
  const service = await serviceOf(delivery, needs);
  const token = service && (await tokenOf(delivery.bot.id, service, needs));
  if (!token) return;
  if (!(await dispatch(delivery, service, token, needs, (...how) => needs.outbox.resume(id, ...how))))
    throw beingSent();
}

/** Reads the chats of those of whom it is unknown whether they got the message. */
export async function check(id: string, needs: SendingNeeds): Promise<void> {
  const { delivery } = await statusOf(id, needs);
  const service = await serviceOf(delivery, needs);
  const token = service && (await tokenOf(delivery.bot.id, service, needs));
  if (!token) return;
  const title = l10n.t('Checking delivery');
  const settled = await showProgress(title, (report, cancellation) =>
    needs.outbox.settle(
      id,
      (chat, page, signal) => service.client.messages(token, chat, page, signal),
      signalOf(cancellation),
      (done, of) => report({ message: l10n.t('{0} of {1}', done, of), increment: 100 / of }),
    ),
  );
  if (!settled) throw beingSent();
  const status = await statusOf(id, needs);
  const arrived = settled.found.filter(({ msgId }) => msgId !== undefined).length;
  const words = l10n.t(
    'Delivered: {0}. Not delivered: {1}. Still unknown: {2}.',
    arrived,
    settled.found.length - arrived,
    status.counts.unknown,
  );
  const error = settled.unclear.find((one) => one.error !== undefined)?.error;
  await offer(error === undefined ? words : `${words} ${explain(error)}`, status);
}

export async function openReport(id: string, needs: SendingNeeds): Promise<void> {
  const status = await statusOf(id, needs);
  await needs.showReport(l10n.t('Delivery of {0}', status.delivery.name), id);
}

/** The report of a delivery as it is now. */
export async function report(id: string, needs: SendingNeeds): Promise<string> {
  return reportOf(await statusOf(id, needs));
}

export async function copyReport(id: string, needs: SendingNeeds): Promise<void> {
  await env.clipboard.writeText(await report(id, needs));
}

export async function copyReportCsv(id: string, needs: SendingNeeds): Promise<void> {
  await env.clipboard.writeText(await csvOf(await statusOf(id, needs)));
}

/** Deletes a delivery, after the person has said so: what it says of its recipients is nowhere else. */
export async function remove(id: string, needs: SendingNeeds): Promise<void> {
  // One that cannot be read may be deleted, too.
  const stored = await needs.outbox.get(id).catch(() => undefined);
  const name = stored?.status.delivery.name ?? formatDateTime(creationTimeOf(id));
  const forget = l10n.t('Delete');
  const detail = l10n.t("The delivery results are deleted. Messages already sent aren't recalled.");
  const text = l10n.t('Delete the delivery of “{0}” from the outbox?', name);
  if ((await askModal(text, detail, forget)) !== forget) return;
  if (!(await needs.outbox.remove(id))) throw beingSent();
}

const beingSent = () => new UserFacingError(l10n.t('This is being sent now, in this window or another.'));
