/** Sends drafts: asks for recipients, then for confirmation, then delivers. */
import { l10n, Uri } from 'vscode';
import type { Draft } from '../drafts/draft.ts';
import type { Recipient } from '../outbox/batches.ts';
import { serviceOf, tokenFor } from '../outbox/deliveryAccess.ts';
import { withDigests } from '../outbox/deliveryMessages.ts';
import type { DeliveryResult, Outbox, OutboxEntry, UnreadableEntry } from '../outbox/outbox.ts';
import type { OutboxController } from '../outbox/outboxController.ts';
import { type Delivery, digestOf } from '../outbox/record.ts';
import type { UnreachedRecipients } from '../outbox/resends.ts';
import { scheduledText, timeHasPassed } from '../outbox/scheduledText.ts';
import type { Host } from '../platform/host.ts';
import type { Service } from '../platform/service.ts';
import { askTime } from '../presentation/askTime.ts';
import { showInfo } from '../presentation/dialogs.ts';
import { showError, UserFacingError } from '../presentation/errorText.ts';
import { type Chat, chatKey } from '../service/model.ts';
import { redactToken } from '../service/redaction.ts';
import { TimeSlices } from '../service/timeSlices.ts';
import { type Confirmation, confirm, confirmResume, confirmTrial } from './confirmation.ts';
import { type DeliveryPlan, type PlanOptions, planDelivery, plannedValues, valuesFrom } from './deliveryPlan.ts';
import { notAddressText } from './planText.ts';
import { lookUpValues, namedRecipients, nameOfBot } from './recipientNames.ts';
import { askRecipients } from './recipientPicker.ts';
import { resumeDelivery } from './resumeDelivery.ts';
import { runDelivery } from './runDelivery.ts';
import { askTrialChat, type Trial } from './trial.ts';

type SenderHost = Pick<
  Host,
  'access' | 'audiences' | 'chatEvents' | 'connection' | 'commands' | 'lists' | 'settings' | 'store' | 'tokens'
>;

/** A draft that can be sent once its recipients are confirmed. */
interface PreparedDraft extends Pick<Confirmation, 'draft' | 'digest' | 'bot' | 'service' | 'callsPerSecond'> {
  token: string;
  /** The values of the variables for a recipient. */
  valuesOf: PlanOptions['valuesOf'];
}

interface Sending {
  draft: Draft;
  botId: string;
  service: Service;
  /** Undefined to ask for them. */
  offered?: Recipient[] | undefined;
  /** For a resend. */
  unreached?: UnreachedRecipients;
  /** The values that each of them got, or was to get, in the delivery before. */
  values?: PreparedDraft['valuesOf'] | undefined;
  /** Where the recipients come from, if the user doesn't choose them. */
  origin?: { label: string; show(): Promise<void> } | undefined;
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
    const recipients = offered.length > 0 ? await namedRecipients(offered, service, draft.table) : undefined;
    const origin = chats.length === 0 && draft.table ? previewOf(draft, this.#host.commands) : undefined;
    await this.#confirmAndSend({ draft, botId, service, offered: recipients, origin });
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
    const { name, source, document, message, variables, bot } = delivery;
    const draft: Draft = { name, source, document, message, chats: [], ...(variables && { variables }) };
    const { recipients } = unreached;
    const origin = variables && { label: l10n.t('Open Report'), show: () => this.#host.commands.run('openReport', id) };
    const values = variables && plannedValues(variables, delivery.batches);
    await this.#confirmAndSend({ draft, botId: bot.id, service, offered: recipients, unreached, values, origin });
  }

  /** Sends the rest of a delivery that ended early. Asks for confirmation. */
  async resume(id: string): Promise<void> {
    const { status } = await this.#controller.entryFor('resume', id);
    const { delivery } = status;
    const answer = await confirmResume(delivery, status.recipients('notSent', 'rejected'));
    if (answer === 'report') await this.#host.commands.run('openReport', id);
    if (answer === 'resume') await resumeDelivery(delivery, this.#outbox, this.#host);
  }

  /** Asks for recipients again each time the user goes back from the confirmation. */
  async #confirmAndSend({ draft, botId, service, offered, unreached, values, origin }: Sending): Promise<void> {
    // Asked before the recipients, which would be lost if this prompt is canceled.
    const token = await tokenFor(botId, service, this.#host);
    if (!token) return;
    if (hasToken(draft.message, token)) throw containsToken(draft);
    const bot = { id: botId, name: await nameOfBot(service, botId) };
    const title = l10n.t('Send “{0}” as {1}', draft.name, bot.name);
    const ask = async (chosen: readonly Chat[]) => {
      const recipients = await askRecipients(this.#host, service, title, chosen);
      if (recipients && !unreached) await this.#rememberRecipients(service, draft, recipients);
      return recipients;
    };
    const { callsPerSecond } = this.#host.settings.service;
    const valuesOf = values ?? valuesFrom(draft, service.directory);
    const prepared = { draft, digest: await digestOf(draft.message), bot, service, token, callsPerSecond, valuesOf };
    const trials: Trial[] = [];
    let recipients = offered ?? (await ask(this.#rememberedRecipients(service, draft)));
    while (recipients) {
      if (!values) await lookUpValues(draft, recipients, service);
      const plan = await this.#plan(prepared, recipients);
      const earlier = await this.#outbox.entries();
      const state = unreached ? { uncertain: unreached.uncertain } : { uncertain: [], trials };
      const answer = await confirm({ ...prepared, recipients, plan, earlier, ...state, back: origin?.label });
      if (answer === 'cancel') return;
      if (typeof answer === 'object') {
        await this.#rememberRecipients(service, draft, recipients);
        return this.#host.commands.run('compareWithSent', answer.compare);
      }
      if (answer === 'back' && origin) return origin.show();
      if (answer === 'back') recipients = await ask(recipients);
      else if (answer === 'try') {
        const trial = await this.#try(prepared, recipients);
        if (trial) trials.push(trial);
      } else if (answer === 'later') {
        if (await this.#schedule(prepared, plan, earlier)) return;
      } else if (unreached || !(await this.#isSentSince(earlier, prepared))) {
        if (await this.#send(prepared, plan, unreached)) return;
        throw new UserFacingError(l10n.t('This message was already resent. Check the outbox first.'));
      }
    }
  }

  /** @throws UserFacingError if a message can't be sent */
  async #plan(
    { draft, token, valuesOf }: PreparedDraft,
    recipients: readonly Recipient[],
    model?: Recipient,
  ): Promise<DeliveryPlan> {
    const plan = await planDelivery(draft, recipients, {
      batchSize: this.#host.settings.batchSize,
      valuesOf: model ? () => valuesOf(model) : valuesOf,
    });
    const [wrong] = plan.notAddress;
    if (wrong) throw new UserFacingError(l10n.t("{0} can't be sent. {1}", draft.name, notAddressText(wrong)));
    await new TimeSlices().each(plan.batches, ({ values }) => {
      if (values && hasToken(values, token)) throw containsToken(draft);
    });
    return plan;
  }

  /** Sends a draft to one chat that the user chooses and confirms. Undefined if the user cancels. */
  async #try(prepared: PreparedDraft, recipients: readonly Recipient[]): Promise<Trial | undefined> {
    const ask = () => askTrialChat(this.#host.lists, prepared.service, recipients);
    const keys = new Set<string>();
    await new TimeSlices().each(recipients, (one) => keys.add(chatKey(one)));
    let recipient = await ask();
    while (recipient) {
      // Another chat gets what the first recipient will get.
      const model = keys.has(chatKey(recipient)) ? undefined : recipients[0];
      const plan = await this.#plan(prepared, [recipient], model);
      const earlier = await this.#outbox.entries();
      const answer = await confirmTrial({ ...prepared, plan, earlier }, recipient, model);
      if (answer === 'cancel') return undefined;
      if (answer === 'back') recipient = await ask();
      else if (!(await this.#isSentSince(earlier, prepared))) {
        // The confirmation that follows shows an error: the recipients must not be lost.
        const result = await this.#send(prepared, plan).catch((error: unknown) => ({ error }));
        return result && { recipient, result };
      }
    }
    return undefined;
  }

  /** Asks when to send a draft. False if the user cancels, or has to look again. */
  async #schedule(
    prepared: PreparedDraft,
    plan: Pick<DeliveryPlan, 'batches'>,
    earlier: readonly (OutboxEntry | UnreadableEntry)[],
  ): Promise<boolean> {
    const { draft, bot, service, token } = prepared;
    const due = await askTime(l10n.t('Send “{0}” as {1} later', draft.name, bot.name));
    if (due === undefined || (await this.#isSentSince(earlier, prepared))) return false;
    await this.#checkUnchanged(service, bot.id, token);
    const delivery = await this.#deliveryOf(prepared, plan);
    if (due <= Date.now()) {
      void showError(timeHasPassed());
      return false;
    }
    await this.#outbox.schedule({ ...delivery, due });
    void showInfo(scheduledText(draft.name, due));
    return true;
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
    prepared: PreparedDraft,
    plan: Pick<DeliveryPlan, 'batches'>,
    unreached?: UnreachedRecipients,
  ): Promise<DeliveryResult | undefined> {
    const { bot, service, token } = prepared;
    await this.#checkUnchanged(service, bot.id, token);
    const delivery: Delivery = {
      ...(await this.#deliveryOf(prepared, plan)),
      ...(unreached && { resends: unreached.lastId }),
    };
    return runDelivery(delivery, { service, token }, this.#outbox, this.#host, (outbox, ...how) =>
      unreached ? outbox.resend(delivery, unreached, ...how) : outbox.start(delivery, ...how),
    );
  }

  /** What the outbox stores of a confirmed draft. */
  async #deliveryOf(
    { draft, digest, bot, service, token }: PreparedDraft,
    { batches }: Pick<DeliveryPlan, 'batches'>,
  ): Promise<Delivery> {
    const { message, variables = [] } = draft;
    const personal = variables.length > 0 ? { variables: [...variables] } : {};
    return {
      id: this.#outbox.newId(),
      at: Date.now(),
      service: service.address,
      bot,
      name: draft.name,
      ...(draft.source && { source: draft.source }),
      ...withoutToken(draft, token),
      message,
      ...personal,
      digest,
      batches: await withDigests({ message, ...personal, batches }),
    };
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

/** Goes back to the preview, where the recipients of a file are seen one by one. */
function previewOf({ source }: Draft, commands: Host['commands']): Sending['origin'] {
  const document = source === undefined ? undefined : Uri.parse(source);
  return document && { label: l10n.t('Show Preview'), show: () => commands.run('preview', document) };
}

const hasToken = (value: unknown, token: string) => redactToken(JSON.stringify(value), token) !== JSON.stringify(value);

const containsToken = ({ name }: Draft) =>
  new UserFacingError(l10n.t("“{0}” contains the bot's token, so it wasn't sent.", name));

/** The document, unless it contains the token, which a delivery never stores. The message itself was checked before. */
const withoutToken = ({ document }: Draft, token: string) =>
  document !== undefined && redactToken(document, token) === document ? { document } : {};
