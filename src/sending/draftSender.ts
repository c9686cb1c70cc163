/** Sends drafts: asks for recipients, then for confirmation, then delivers. */
import { commands, l10n } from 'vscode';
import type { Draft } from '../drafts/draft.ts';
import { BatchPlan, type Recipient } from '../outbox/batches.ts';
import { serviceOf, tokenFor } from '../outbox/deliveryAccess.ts';
import { offerActions } from '../outbox/deliveryNotice.ts';
import type { DeliveryStatus } from '../outbox/deliveryStatus.ts';
import type { DeliveryResult, Outbox, OutboxEntry, Sender } from '../outbox/outbox.ts';
import { beingSent, type OutboxController } from '../outbox/outboxController.ts';
import { type Delivery, digestOf } from '../outbox/record.ts';
import { headline } from '../outbox/report.ts';
import type { UnreachedRecipients } from '../outbox/resends.ts';
import type { Host } from '../platform/host.ts';
import type { Service } from '../platform/service.ts';
import { showInfo, showProgress } from '../presentation/dialogs.ts';
import { showError, UserFacingError } from '../presentation/errorText.ts';
import type { Chat } from '../service/model.ts';
import { redactToken } from '../service/redaction.ts';
import { TimeSlices } from '../service/timeSlices.ts';
import { confirm, confirmResume } from './confirmation.ts';
import { namedRecipients, nameOrId } from './recipientNames.ts';
import { askRecipients } from './recipientPicker.ts';

type SenderHost = Pick<
  Host,
  'access' | 'audiences' | 'chatEvents' | 'commands' | 'lists' | 'settings' | 'store' | 'tokens'
>;

/** Starts a delivery in the outbox; resolves to undefined if another window has taken it. */
type Start = (sender: Sender, onProgress: (status: DeliveryStatus) => void) => Promise<DeliveryResult | undefined>;

/** Longer lists of recipients aren't remembered. */
const MAX_REMEMBERED = 2_000;

export class DraftSender {
  readonly #host: SenderHost;
  readonly #controller: Pick<OutboxController, 'entryFor' | 'outbox'>;

  constructor(host: SenderHost, controller: Pick<OutboxController, 'entryFor' | 'outbox'>) {
    this.#host = host;
    this.#controller = controller;
  }

  get #outbox(): Outbox {
    return this.#controller.outbox;
  }

  /**
   * Sends a draft to these chats, or to those that it names, or to those the user chooses. Sends nothing until the user
   * confirms.
   */
  async sendDraft(draft: Draft, chats: readonly Chat[] = []): Promise<void> {
    const { access } = this.#host;
    const service = await access.openService();
    if (!service) return;
    const botId = draft.botId ?? (await access.chooseBot(service, l10n.t('Send as which bot?')));
    if (!botId) return;
    const offered = chats.length > 0 ? chats : draft.chats;
    const recipients = offered.length > 0 ? await namedRecipients(offered, service) : undefined;
    await this.#confirmAndSend(draft, botId, service, recipients);
  }

  /** Resends a delivery to the recipients that it may not have reached. Asks for confirmation. */
  async resend(id: string): Promise<void> {
    const { delivery } = (await this.#controller.entryFor('resend', id)).status;
    const unreached = await this.#outbox.unreached(id);
    if (unreached.recipients.length === 0) {
      void showInfo(l10n.t("Everyone has received this message. There's nothing to resend."));
      return;
    }
    const service = await serviceOf(delivery, this.#host.access);
    if (!service) return;
    const { name, source, message, bot } = delivery;
    await this.#confirmAndSend({ name, source, message, chats: [] }, bot.id, service, unreached.recipients, unreached);
  }

  /** Sends the rest of a delivery that ended early. Asks for confirmation. */
  async resume(id: string): Promise<void> {
    const { status } = await this.#controller.entryFor('resume', id);
    const { delivery } = status;
    const answer = await confirmResume(delivery, status.recipients('notSent', 'rejected'));
    if (answer === 'report') await this.#host.commands.run('openReport', id);
    if (answer !== 'resume') return;
    const service = await serviceOf(delivery, this.#host.access);
    const token = service && (await tokenFor(delivery.bot.id, service, this.#host));
    if (!token) return;
    const isSent = await this.#deliver(delivery, service, token, (...how) => this.#outbox.resume(id, ...how));
    if (!isSent) throw beingSent();
  }

  /** Asks for recipients again each time the user goes back from the confirmation. `unreached` is for a resend. */
  async #confirmAndSend(
    draft: Draft,
    botId: string,
    service: Service,
    offered?: Recipient[],
    unreached?: UnreachedRecipients,
  ): Promise<void> {
    // Asked before the recipients, which would be lost if this prompt is canceled.
    const token = await tokenFor(botId, service, this.#host);
    if (!token) return;
    if (redactToken(JSON.stringify(draft.message), token) !== JSON.stringify(draft.message)) {
      throw new UserFacingError(l10n.t("“{0}” contains the bot's token, so it wasn't sent.", draft.name));
    }
    const bot = { id: botId, name: await nameOrId(service, 'bot', botId) };
    const title = l10n.t('Send “{0}” as {1}', draft.name, bot.name);
    const ask = async (chosen: readonly Chat[]) => {
      const recipients = await askRecipients(this.#host, service, title, chosen);
      if (recipients && !unreached) await this.#rememberRecipients(service, draft, recipients);
      return recipients;
    };
    const digest = await digestOf(draft.message);
    let recipients = offered ?? (await ask(this.#rememberedRecipients(service, draft)));
    while (recipients) {
      const earlier = await this.#outbox.entries();
      const uncertain = unreached?.uncertain ?? [];
      const answer = await confirm({ draft, digest, bot, recipients, service, earlier, uncertain });
      if (answer === 'cancel') return;
      if (answer === 'send') {
        const plan = new BatchPlan(this.#host.settings.batchSize);
        await new TimeSlices().each(recipients, (recipient) => plan.add(recipient));
        const known = new Set(earlier.map((one) => ('status' in one ? one.status.delivery.id : one.id)));
        const isNew = ({ status: { delivery } }: OutboxEntry) => delivery.digest === digest && !known.has(delivery.id);
        // Another window has sent the same message. The next confirmation says so.
        if (!unreached && (await this.#outbox.all()).some(isNew)) continue;
        const delivery: Delivery = {
          id: this.#outbox.newId(),
          at: Date.now(),
          service: service.address,
          bot,
          name: draft.name,
          ...(draft.source && { source: draft.source }),
          message: draft.message,
          digest,
          batches: plan.batches,
          ...(unreached && { resends: unreached.lastId }),
        };
        const isSent = await this.#deliver(delivery, service, token, (...how) =>
          unreached ? this.#outbox.resend(delivery, unreached, ...how) : this.#outbox.start(delivery, ...how),
        );
        if (!isSent) throw new UserFacingError(l10n.t('This message was already resent. Check the outbox first.'));
        return;
      }
      recipients = await ask(recipients);
    }
  }

  /**
   * Runs a delivery, shows its progress, and reports the result. Canceling waits for the call in progress.
   * Resolves to false if another window has taken it.
   */
  async #deliver(delivery: Delivery, service: Service, token: string, start: Start): Promise<boolean> {
    const { id, name, message } = delivery;
    const sender: Sender = {
      token,
      send: ({ recvType, recipients }, options) => {
        const ids = recipients.map((recipient) => recipient.id);
        return service.client.batchSend(token, recvType, ids, message, options);
      },
    };
    const ended = await showProgress(l10n.t('Sending “{0}”', name), (report, cancellation) => {
      cancellation.onCancellationRequested(() => this.#outbox.cancel(id));
      let shown = 0;
      return start(sender, ({ counts, total }) => {
        const done = total - counts.notSent;
        report({ message: l10n.t('{0} of {1}', done, total), increment: ((done - shown) / total) * 100 });
        shown = done;
      });
    });
    if (!ended) return false;
    const { status, stopped } = ended;
    // Completes a step of the walkthrough.
    if (status.counts.reached > 0) await commands.executeCommand('setContext', 'botChats.hasSent', true);
    const needsToken = stopped?.why === 'token';
    // Not awaited: its buttons run commands of their own.
    void offerActions(headline(status, stopped), status, this.#host.commands, { needsToken }).catch(showError);
    await this.#host.chatEvents.arrived(service, status.recipients('reached', 'missing', 'unknown'));
    return true;
  }

  #rememberedRecipients({ address }: Service, { source }: Draft): readonly Chat[] {
    if (source === undefined) return [];
    return this.#host.store.find('recipients', { service: address, source })?.chats ?? [];
  }

  async #rememberRecipients({ address }: Service, { source }: Draft, recipients: readonly Chat[]): Promise<void> {
    if (source === undefined || recipients.length > MAX_REMEMBERED) return;
    const chats = recipients.map(({ type, id }) => ({ type, id }));
    await this.#host.store.remember('recipients', { service: address, source }, { chats });
  }
}
