/** Sends drafts: asks for recipients, then for confirmation, then delivers. */
import { l10n } from 'vscode';
import type { Draft } from '../drafts/draft.ts';
import { BatchPlan, type Recipient } from '../outbox/batches.ts';
import { serviceOf, tokenFor } from '../outbox/deliveryAccess.ts';
import type { DeliveryResult, Outbox, OutboxEntry, UnreadableEntry } from '../outbox/outbox.ts';
import { beingSent, type OutboxController } from '../outbox/outboxController.ts';
import { type Delivery, digestOf } from '../outbox/record.ts';
import type { UnreachedRecipients } from '../outbox/resends.ts';
import type { Host } from '../platform/host.ts';
import type { Service } from '../platform/service.ts';
import { showInfo } from '../presentation/dialogs.ts';
import { UserFacingError } from '../presentation/errorText.ts';
import type { Chat } from '../service/model.ts';
import { redactToken } from '../service/redaction.ts';
import { TimeSlices } from '../service/timeSlices.ts';
import { type Confirmation, confirm, confirmResume, confirmTrial } from './confirmation.ts';
import { namedRecipients, nameOfBot } from './recipientNames.ts';
import { askRecipients } from './recipientPicker.ts';
import { runDelivery } from './runDelivery.ts';
import { askTrialChat, type Trial } from './trial.ts';

type SenderHost = Pick<
  Host,
  'access' | 'audiences' | 'chatEvents' | 'connection' | 'commands' | 'lists' | 'settings' | 'store' | 'tokens'
>;

/** A draft that can be sent once its recipients are confirmed. */
interface PreparedDraft extends Pick<Confirmation, 'draft' | 'digest' | 'bot' | 'service'> {
  token: string;
}

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
    const { name, source, document, message, bot } = delivery;
    const draft: Draft = { name, source, document, message, chats: [] };
    await this.#confirmAndSend(draft, bot.id, service, unreached.recipients, unreached);
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
    const run = { service, token };
    const ended = await runDelivery(delivery, run, this.#outbox, this.#host, (outbox, ...how) =>
      outbox.resume(id, ...how),
    );
    if (!ended) throw beingSent();
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
    const bot = { id: botId, name: await nameOfBot(service, botId) };
    const title = l10n.t('Send “{0}” as {1}', draft.name, bot.name);
    const ask = async (chosen: readonly Chat[]) => {
      const recipients = await askRecipients(this.#host, service, title, chosen);
      if (recipients && !unreached) await this.#rememberRecipients(service, draft, recipients);
      return recipients;
    };
    const prepared = { draft, digest: await digestOf(draft.message), bot, service, token };
    const trials: Trial[] = [];
    let recipients = offered ?? (await ask(this.#rememberedRecipients(service, draft)));
    while (recipients) {
      const earlier = await this.#outbox.entries();
      const state = unreached ? { uncertain: unreached.uncertain } : { uncertain: [], trials };
      const answer = await confirm({ ...prepared, recipients, earlier, ...state });
      if (answer === 'cancel') return;
      if (typeof answer === 'object') {
        await this.#rememberRecipients(service, draft, recipients);
        return this.#host.commands.run('compareWithSent', answer.compare);
      }
      if (answer === 'back') recipients = await ask(recipients);
      else if (answer === 'try') {
        const trial = await this.#try(prepared, recipients);
        if (trial) trials.push(trial);
      } else if (unreached || !(await this.#isSentSince(earlier, prepared))) {
        if (await this.#send(prepared, recipients, unreached)) return;
        throw new UserFacingError(l10n.t('This message was already resent. Check the outbox first.'));
      }
    }
  }

  /** Sends a draft to one chat that the user chooses and confirms. Undefined if the user cancels. */
  async #try(prepared: PreparedDraft, recipients: readonly Recipient[]): Promise<Trial | undefined> {
    const ask = () => askTrialChat(this.#host.lists, prepared.service, recipients);
    let recipient = await ask();
    while (recipient) {
      const earlier = await this.#outbox.entries();
      const answer = await confirmTrial({ ...prepared, earlier }, recipient);
      if (answer === 'cancel') return undefined;
      if (answer === 'back') recipient = await ask();
      else if (!(await this.#isSentSince(earlier, prepared))) {
        // The confirmation that follows shows an error: the recipients must not be lost.
        const result = await this.#send(prepared, [recipient]).catch((error: unknown) => ({ error }));
        return result && { recipient, result };
      }
    }
    return undefined;
  }

  /** Whether the same message was sent by another window. The next confirmation says so. */
  async #isSentSince(
    earlier: readonly (OutboxEntry | UnreadableEntry)[],
    { digest }: Pick<PreparedDraft, 'digest'>,
  ): Promise<boolean> {
    const known = new Set(earlier.map((one) => ('status' in one ? one.status.delivery.id : one.id)));
    return (await this.#outbox.all()).some(
      ({ status: { delivery } }) => delivery.digest === digest && !known.has(delivery.id),
    );
  }

  /** Sends a confirmed draft. Resolves to undefined if it is a resend that another window has made. */
  async #send(
    { draft, digest, bot, service, token }: PreparedDraft,
    recipients: readonly Recipient[],
    unreached?: UnreachedRecipients,
  ): Promise<DeliveryResult | undefined> {
    await this.#checkUnchanged(service, bot.id, token);
    const plan = new BatchPlan(this.#host.settings.batchSize);
    await new TimeSlices().each(recipients, (recipient) => plan.add(recipient));
    const delivery: Delivery = {
      id: this.#outbox.newId(),
      at: Date.now(),
      service: service.address,
      bot,
      name: draft.name,
      ...(draft.source && { source: draft.source }),
      ...withoutToken(draft, token),
      message: draft.message,
      digest,
      batches: plan.batches,
      ...(unreached && { resends: unreached.lastId }),
    };
    return runDelivery(delivery, { service, token }, this.#outbox, this.#host, (outbox, ...how) =>
      unreached ? outbox.resend(delivery, unreached, ...how) : outbox.start(delivery, ...how),
    );
  }

  /** The settings may have changed while the user chose and confirmed. @throws UserFacingError if they have */
  async #checkUnchanged(service: Service, botId: string, token: string): Promise<void> {
    const { connection, tokens } = this.#host;
    if ((await connection.open()) !== service)
      throw new UserFacingError(l10n.t('The service has changed, so nothing was sent. Send again to use the new one.'));
    if ((await tokens.get(service, botId)) !== token)
      throw new UserFacingError(
        l10n.t("The bot's token has changed, so nothing was sent. Send again to use the new one."),
      );
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

/** The document, unless it contains the token, which a delivery never stores. The message itself was checked before. */
const withoutToken = ({ document }: Draft, token: string) =>
  document !== undefined && redactToken(document, token) === document ? { document } : {};
