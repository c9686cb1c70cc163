/** Sending a document: recipients, confirmation, delivery and report, one after the other. */
import { l10n, ProgressLocation, type TextDocument, window } from 'vscode';
import type { Chat, Kind } from '../service/model.ts';
import { nameOf } from '../words/describe.ts';
import { mayNeedToken, UserFacingError } from '../words/explain.ts';
import { notice } from '../words/notice.ts';
import { signalOf } from '../workbench/cancellation.ts';
import type { Service } from '../workbench/service.ts';
import { batchSize } from '../workbench/settings.ts';
import type { Tokens } from '../workbench/tokens.ts';
import { confirm } from './confirm.ts';
import { type Delivery, deliver } from './deliver.ts';
import { type Draft, readDraft } from './draft.ts';
import { planBatches, type Recipient } from './plan.ts';
import { askRecipients } from './recipients.ts';
import { headline, reportOf } from './report.ts';

export interface SendingNeeds {
  tokens: Tokens;
  openService(): Promise<Service | undefined>;
  /** The bot to send as; undefined when the person stepped back. */
  chooseBot(service: Service, title: string): Promise<string | undefined>;
  /** Asks for the token of a bot and saves it; undefined when the person stepped back. */
  setToken(service: Service, botId: string): Promise<string | undefined>;
  /** Told of every chat that a message may have come into. */
  delivered(service: Service, chats: readonly Chat[]): Promise<void>;
  /** Opens the history of a chat as a bot reads it. */
  openHistory(chat: Chat, botId: string): Promise<unknown>;
  /** Opens a Markdown text for reading. */
  showReport(name: string, markdown: string): Promise<void>;
}

interface Sender {
  service: Service;
  botId: string;
  /** The bot's name. */
  name: string;
}

/**
 * Sends a document as Markdown to these chats, or without any to those the person chooses. Nothing is sent before their
 * confirmation.
 */
export async function sendDocument(
  document: TextDocument,
  needs: SendingNeeds,
  chats: readonly Chat[] = [],
): Promise<void> {
  const name = document.uri.path.split('/').at(-1) ?? document.uri.path;
  if (document.languageId !== 'markdown') throw new UserFacingError(l10n.t('{0} is not a Markdown file.', name));
  const draft = readDraft(name, document.getText());
  if (!draft) {
    void window.showErrorMessage(notice(l10n.t('{0} is empty: there is nothing to send.', name)));
    return;
  }
  const service = await needs.openService();
  if (!service) return;
  const botId = await needs.chooseBot(service, l10n.t('Send as which bot?'));
  if (!botId) return;
  // Asked for now: recipients that were chosen before it were lost with it.
  if (!(await needs.tokens.get(service, botId)) && !(await needs.setToken(service, botId))) return;
  const sender = { service, botId, name: await nameOrId(service, 'bot', botId) };
  await sendTo(draft, sender, needs, chats.length > 0 ? await named(chats, service) : undefined);
}

/**
 * Asks for recipients (unless some are offered), confirms, sends and reports; goes round while the person steps back.
 * `offered` were chosen before, or an earlier delivery did not surely reach them; the `uncertain` among them may have
 * got the message.
 */
async function sendTo(
  draft: Draft,
  sender: Sender,
  needs: SendingNeeds,
  offered?: Recipient[],
  uncertain: readonly Recipient[] = [],
): Promise<void> {
  const title = l10n.t('Send {0} as {1}', draft.name, sender.name);
  let recipients = offered ?? (await askRecipients(sender.service, title, []));
  while (recipients) {
    const again = recipients.filter((recipient) => isIn(uncertain, recipient));
    const answer = await confirm({ draft, bot: sender.name, recipients, uncertain: again.length });
    if (answer === 'cancel') return;
    if (answer === 'send') {
      const at = new Date();
      const delivery = await deliverWithProgress(draft, sender, recipients, needs);
      await Promise.all([
        needs.delivered(sender.service, recipients),
        report(delivery, draft, sender, at, uncertain, needs),
      ]);
      return;
    }
    recipients = await askRecipients(sender.service, title, recipients);
  }
}

async function deliverWithProgress(draft: Draft, sender: Sender, recipients: Recipient[], { tokens }: SendingNeeds) {
  const { service, botId } = sender;
  const token = await tokens.get(service, botId);
  if (!token) throw new UserFacingError(l10n.t('No token is saved for the bot {0}.', botId));
  const location = ProgressLocation.Notification;
  const title = notice(l10n.t('Sending “{0}”', draft.name));
  return window.withProgress({ location, title, cancellable: true }, (progress, cancellation) => {
    const signal = signalOf(cancellation);
    const total = recipients.length;
    let shown = 0;
    return deliver(
      planBatches(recipients, batchSize()),
      ({ recvType, recipients: receivers }) => {
        const ids = receivers.map(({ id }) => id);
        return service.client.batchSend(token, recvType, ids, draft.message, signal);
      },
      signal,
      (done) => {
        progress.report({ message: l10n.t('{0} of {1}', done, total), increment: ((done - shown) / total) * 100 });
        shown = done;
      },
    );
  });
}

/**
 * Says how it went and offers what may come next; sending to the others starts with a new confirmation. Those of whom it
 * was `uncertain` before whether they got the message stay so until they are reached.
 */
async function report(
  delivery: Delivery,
  draft: Draft,
  sender: Sender,
  at: Date,
  uncertain: readonly Recipient[],
  needs: SendingNeeds,
): Promise<void> {
  const missed = delivery.results.filter(({ outcome }) => outcome.state !== 'reached');
  const others = missed.map(({ recipient }) => recipient);
  const stillUncertain = missed
    .filter(
      ({ recipient, outcome: { state } }) => state === 'unknown' || state === 'missing' || isIn(uncertain, recipient),
    )
    .map(({ recipient }) => recipient);
  const open = l10n.t('Open Report');
  const history = l10n.t('Open History');
  const again = l10n.t('Send to the Others…');
  const token = l10n.t('Set Bot Token…');
  const refused = missed.some(({ outcome }) => 'error' in outcome && mayNeedToken(outcome.error));
  const ask = () =>
    others.length === 0
      ? window.showInformationMessage(notice(headline(delivery)), open, history)
      : window.showWarningMessage(notice(headline(delivery)), open, again, ...(refused ? [token] : []));

  let chosen = await ask();
  // A message goes once one of its buttons is pressed: it comes back until the others are seen to, or it is closed.
  while (chosen === open || chosen === token) {
    if (chosen === open) {
      const name = l10n.t('Delivery of {0}', draft.name);
      await needs.showReport(name, reportOf(delivery, { name: draft.name, bot: sender.name, at }));
      if (others.length === 0) return;
    } else if (await needs.setToken(sender.service, sender.botId)) break;
    chosen = await ask();
  }
  const [first] = delivery.results;
  if (chosen === history && first) await needs.openHistory(first.recipient, sender.botId);
  if (chosen === again || chosen === token) await sendTo(draft, sender, needs, others, stillUncertain);
}

const isIn = (recipients: readonly Recipient[], { type, id }: Recipient) =>
  recipients.some((one) => one.type === type && one.id === id);

/** Chats with their names; where the person does not wait for those that are to be looked up, with their IDs. */
async function named(chats: readonly Chat[], service: Service): Promise<Recipient[]> {
  const name = (signal?: AbortSignal) =>
    Promise.all(chats.map(async (chat) => ({ ...chat, name: await nameOrId(service, chat.type, chat.id, signal) })));
  if (chats.every(({ type, id }) => service.directory.knows(type, id))) return name();
  return window.withProgress(
    { location: ProgressLocation.Notification, title: l10n.t('Looking up'), cancellable: true },
    (_, cancellation) => name(signalOf(cancellation)),
  );
}

async function nameOrId({ directory }: Service, kind: Kind, id: string, signal?: AbortSignal): Promise<string> {
  try {
    return nameOf(await directory.get(kind, id, { signal }));
  } catch {
    return id;
  }
}
