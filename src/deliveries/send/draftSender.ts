/** Sends drafts: asks for recipients, then for confirmation, then delivers. */

import { l10n, Uri } from 'vscode';
import type { Host } from '../../platform/host.ts';
import type { Service } from '../../platform/service.ts';
import { askTime } from '../../presentation/askTime.ts';
import { withLabel } from '../../presentation/describe.ts';
import { showInfo } from '../../presentation/dialogs.ts';
import { formatCount, joinSentences } from '../../presentation/formats.ts';
import { outboxNote } from '../../presentation/keptText.ts';
import { lookUp } from '../../presentation/lookups.ts';
import { showError } from '../../presentation/showError.ts';
import { systemClock } from '../../service/clock.ts';
import type { Chat } from '../../service/model.ts';
import type { Draft } from '../draft/draft.ts';
import { parseText } from '../draft/draftReader.ts';
import { NO_RULES } from '../draft/leaveOut.ts';
import { unknownAmong } from '../draft/unknownRecipients.ts';
import { serviceOf, tokenFor } from '../outbox/deliveryAccess.ts';
import { outdated } from '../outbox/deliveryNotice.ts';
import type { DeliveryResult } from '../outbox/deliveryRuns.ts';
import { scheduledText, timeHasPassed } from '../outbox/deliveryTexts.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { OutboxController } from '../outbox/outboxController.ts';
import type { OutboxEntry, StoredEntry, UnreadableEntry } from '../outbox/outboxEntry.ts';
import type { Delivery } from '../outbox/record.ts';
import type { UnreachedRecipients } from '../outbox/resends.ts';
import { runDelivery } from '../outbox/runDelivery.ts';
import { closeUntitled } from '../outbox/sentDocument.ts';
import { type Recipient, shownName } from '../plan/batches.ts';
import { type DeliveryPlan, type PlanOptions, plannedValues } from '../plan/deliveryPlan.ts';
import { lookUpValues, namedRecipients } from '../plan/recipientNames.ts';
import { askRecipients, rememberedRecipients, rememberRecipients } from '../plan/recipientPicker.ts';
import { type Confirmation, confirm } from './confirmation.ts';
import {
  checkUnchanged,
  deliveryOf,
  hasDocumentChanged,
  isSentSince,
  type PreparedDraft,
  planOf,
  prepareDraft,
} from './preparedDraft.ts';
import { NOBODY, nobodyError, type Out, SendingRules } from './sendingRules.ts';
import { tryFirst } from './trial.ts';

type SenderHost = Parameters<typeof runDelivery>[3] &
  Pick<Host, 'access' | 'audiences' | 'connection' | 'lists' | 'settings'>;

/** The delivery that is resent, and whom it and its resends haven't reached. */
interface Resend {
  readonly delivery: Delivery;
  readonly unreached: UnreachedRecipients;
}

interface Sending {
  draft: Draft;
  botId: string;
  service: Service;
  /** Undefined to ask for them. */
  offered?: Recipient[] | undefined;
  resend?: Resend;
  /** For a resend: the values that each of them got, or was to get, in the delivery before. */
  values?: PlanOptions['valuesOf'] | undefined;
  /** The scheduled delivery that it replaces. */
  edited?: StoredEntry | undefined;
  /** Who is left out. */
  rules: SendingRules;
  rows: Out['rows'];
  /** Where the recipients come from, if the user doesn't choose them. */
  origin?: { label: string; show(): Promise<void> } | undefined;
}

export class DraftSender {
  readonly #host: SenderHost;
  readonly #controller: Pick<OutboxController, 'documents' | 'editedIn' | 'entryFor' | 'outbox'>;

  constructor(host: SenderHost, controller: Pick<OutboxController, 'documents' | 'editedIn' | 'entryFor' | 'outbox'>) {
    this.#host = host;
    this.#controller = controller;
  }

  get #outbox(): Outbox {
    return this.#controller.outbox;
  }

  /**
   * Sends a draft to these chats, or to those that it names, or to those the user chooses. Sends nothing until the user
   * confirms. `editedId` is the delivery that it's to replace, if the user has chosen that.
   */
  async sendDraft(draft: Draft, chats: readonly Chat[] = [], editedId?: string): Promise<void> {
    const { access } = this.#host;
    const service = await access.openService();
    if (!service) return;
    const edited = chats.length > 0 ? undefined : await this.#controller.editedIn(draft, service, editedId);
    const named = chats.length > 0 ? chats : draft.chats;
    const botId =
      draft.botId ??
      edited?.status.delivery.bot.id ??
      (await access.chooseBot(service, l10n.t('Send as which bot?'), undefined, named));
    if (!botId) return;
    const rules = SendingRules.ofDraft(draft, this.#host.never, edited?.status);
    const { rows, others } = await rules.unpicked(chats.length > 0 ? { chats } : draft, service.directory);
    const chosen = [...named, ...others];
    const offered = chosen.length > 0 ? chosen : (edited?.status.recipients() ?? []);
    const recipients = offered.length > 0 ? await namedRecipients(offered, service, draft.table) : undefined;
    const origin = chats.length === 0 && draft.table ? previewOf(draft, this.#host.commands) : undefined;
    await this.#confirmAndSend({ draft, botId, service, offered: recipients, origin, edited, rules, rows });
  }

  /**
   * Resends a delivery to the recipients that it may not have reached. Asks for confirmation. If they all don't exist, it can
   * look them up again, once, and does so without a question if the user `looksUp`.
   */
  async resend(id: string, { looksUp = false, hasLookedUp = false } = {}): Promise<void> {
    const { delivery } = (await this.#controller.entryFor('resend', id)).status;
    const unreached = await this.#outbox.unreached(id);
    if (unreached.recipients.length === 0) {
      void showInfo(l10n.t("Everyone has received this message. There's nothing to resend."));
      return;
    }
    const service = await serviceOf(delivery, this.#host.access);
    if (!service) return;
    const { directory } = service;
    const nobody = await unknownAmong(unreached.recipients, directory);
    for (const one of unreached.nobody) if (!directory.peek(one.kind, one.id)) nobody.add(one);
    if (unreached.recipients.every((one) => nobody.has(one))) {
      const again = l10n.t('Look Up Again');
      const text = nobodyLeftText(nobody.size);
      if (hasLookedUp) return void showInfo(joinSentences(l10n.t('Looked up again.'), text));
      if (!looksUp && (await showInfo(text, again)) !== again) return;
      const wanted = Array.from(nobody, ({ id, kind }) => ({ id, kinds: [kind] }));
      await lookUp(wanted, service, { accept: 'new', title: l10n.t('Looking up recipients') });
      return this.resend(id, { hasLookedUp: true });
    }
    const { name, source, document, message, variables, bot } = delivery;
    const draft: Draft = {
      name,
      source,
      document,
      message,
      chats: [],
      rules: NO_RULES,
      ...(variables && { variables }),
    };
    const origin = variables && { label: l10n.t('Open Report'), show: () => this.#host.commands.run('openReport', id) };
    const values = variables && (await plannedValues(variables, delivery.batches));
    await this.#confirmAndSend({
      draft,
      botId: bot.id,
      service,
      offered: unreached.recipients.map((one) => withLabel(one, directory)),
      resend: { delivery, unreached },
      values,
      origin,
      rules: SendingRules.ofResend(delivery, this.#host.never).withNeedless([...nobody]),
      rows: NOBODY.rows,
    });
  }

  /** Asks for recipients again each time the user goes back from the confirmation. */
  async #confirmAndSend({ offered, resend, origin, rows, ...sending }: Sending): Promise<void> {
    const { store } = this.#host;
    let { edited, rules } = sending;
    const { draft, botId, service, values } = sending;
    // Asked before the recipients, which would be lost if this prompt is canceled.
    const token = await tokenFor(botId, service, this.#host);
    if (!token) return;
    const prepared = await prepareDraft(sending, token, this.#host);
    const title = l10n.t('Send “{0}” as {1}', draft.name, shownName(prepared.bot));
    const ask = async (chosen: readonly Chat[]) => {
      const recipients = await askRecipients(this.#host, service, title, chosen, rules.now);
      if (recipients && !resend) await rememberRecipients(store, service, draft, recipients);
      return recipients;
    };
    const trials: string[] = [];
    let recipients: readonly Recipient[] | undefined =
      offered ?? (await ask(rememberedRecipients(store, service, draft)));
    while (recipients) {
      const { kept, leftOut } = await rules.now.divide(recipients);
      const out = { leftOut, rows };
      const needless = leftOut.filter(({ by }) => by === 'needless');
      // Somebody may exist by now, or be the only one whom an edited document names.
      if (kept.length === 0 && needless.length > 0 && needless.length === leftOut.length) {
        rules = rules.withNeedless([]);
        continue;
      }
      if (kept.length === 0) {
        if (recipients === offered) throw nobodyError(out);
        void showError(nobodyError(out));
        recipients = await ask(recipients);
        continue;
      }
      if (!values) await lookUpValues(draft, kept, service);
      const plan = await planOf(prepared, kept, this.#host);
      const earlier = await this.#outbox.entries();
      const state = resend
        ? { uncertain: resend.unreached.uncertain, resent: await this.#stateOf(resend) }
        : { uncertain: [], trials };
      const due = edited?.editedDue;
      const others = earlier.filter((one) => !('editedDue' in one && one.editedDue !== undefined));
      const note = outboxNote(store);
      const answer = await confirm({
        ...prepared,
        recipients: kept,
        ...out,
        plan,
        earlier: others,
        documents: this.#controller.documents,
        ...state,
        back: origin?.label,
        due,
        replaced: edited,
        kept: note?.text,
      });
      if (answer === 'send' || answer === 'later' || answer === 'asPlanned') await note?.remember();
      if (answer === 'cancel') return;
      if (typeof answer === 'object' && 'only' in answer) {
        const only = new Set(answer.only);
        rules = rules.withNeedless([...needless, ...kept.filter((one) => !only.has(one))]);
        continue;
      }
      if (typeof answer === 'object') {
        if (!resend) await rememberRecipients(store, service, draft, rules.chosen(recipients));
        return this.#host.commands.run('compareWithSent', answer.compare);
      }
      if (answer === 'check') return this.#host.commands.run('checkDelivery', resend?.delivery.id);
      if (answer === 'back' && origin) return origin.show();
      if (answer === 'back') {
        const chosen = rules.chosen(recipients);
        rules = rules.withNeedless([]);
        recipients = await ask(chosen);
      } else if (answer === 'try') {
        const trial = await tryFirst(prepared, kept, rules, {
          host: this.#host,
          controller: this.#controller,
          send: (trial) => this.#send(prepared, trial, NOBODY, { isTest: true }),
        });
        if (trial) trials.push(trial);
      } else if (answer === 'later' || answer === 'asPlanned') {
        const at = answer === 'later' ? await this.#askTime(prepared, due) : due;
        if (at === undefined) continue;
        edited = await this.#claim(edited);
        const scheduled = await this.#schedule(prepared, plan, out, earlier, at);
        if (!scheduled) continue;
        await this.#replaced(edited);
        return closeUntitled(scheduled, draft.uri);
      } else if (resend) {
        // Who was left out of a resend is settled, but these may exist by the next one.
        const settled = leftOut.filter(({ by }) => by !== 'needless');
        if (await this.#send(prepared, plan, { leftOut: settled, rows }, resend)) return;
        throw await outdated(resend.unreached.lastId, this.#outbox);
      } else if (!(await isSentSince(earlier, prepared, this.#outbox))) {
        edited = await this.#claim(edited);
        const sent = await this.#send(prepared, plan, out, { edited });
        const isKept = sent && sent.stopped?.why !== 'deleted';
        if (isKept && sent.status.counts.reached > 0) await closeUntitled(sent.status.delivery, draft.uri);
        return;
      }
    }
  }

  async #stateOf({ delivery, unreached }: Resend): Promise<Confirmation['resent']> {
    const hasChanged = await hasDocumentChanged(delivery, (text) => parseText(text, this.#host));
    return { id: delivery.id, hasChanged, canCheck: unreached.toCheck.length > 0 };
  }

  /** Claims the delivery that the user has confirmed to replace: only one window can. @throws UserFacingError if it can't */
  async #claim(edited: StoredEntry | undefined): Promise<StoredEntry | undefined> {
    if (!edited) return undefined;
    if (!(await this.#outbox.beginEdit(edited))) throw await outdated(edited.status.delivery.id, this.#outbox);
    return { ...edited, claimCount: edited.claimCount + 1 };
  }

  /** Removes a delivery that another one now stands for. Nothing of it would be sent if that failed. */
  async #replaced(edited: StoredEntry | undefined): Promise<void> {
    if (edited) await this.#outbox.remove(edited.status.delivery.id, edited.claimCount);
  }

  /** Asks when to send a draft (Unix ms), beginning with the time that it had, if any. */
  #askTime({ draft, bot }: PreparedDraft, due: number | undefined): Promise<number | undefined> {
    return askTime(l10n.t('Send “{0}” as {1} later', draft.name, shownName(bot)), due);
  }

  /** Schedules a draft. Undefined if the user has to look again. */
  async #schedule(
    prepared: PreparedDraft,
    plan: DeliveryPlan,
    out: Out,
    earlier: readonly (OutboxEntry | UnreadableEntry)[],
    due: number,
  ): Promise<Delivery | undefined> {
    const { draft } = prepared;
    if (await isSentSince(earlier, prepared, this.#outbox)) return undefined;
    await checkUnchanged(prepared, this.#host);
    const delivery = await deliveryOf(prepared, plan, out);
    if (due <= systemClock.wall()) {
      void showError(timeHasPassed());
      return undefined;
    }
    if (draft.uri !== undefined) this.#controller.documents.set(delivery.id, Uri.parse(draft.uri));
    await this.#outbox.schedule({ ...delivery, due });
    const change = l10n.t('Change Time…');
    const offerChange = async () => {
      const chosen = await showInfo(scheduledText(delivery, due), change);
      if (chosen === change) await this.#host.commands.run('rescheduleDelivery', delivery.id);
    };
    void offerChange().catch(showError);
    return delivery;
  }

  /** Sends a confirmed draft, instead of an edited message if given. Undefined if it is a resend that another window has made. */
  async #send(
    prepared: PreparedDraft,
    plan: DeliveryPlan,
    out: Out,
    { unreached, edited, isTest }: Partial<Resend> & Pick<Sending, 'edited'> & Pick<Delivery, 'isTest'>,
  ): Promise<DeliveryResult | undefined> {
    await checkUnchanged(prepared, this.#host);
    const delivery: Delivery = {
      ...(await deliveryOf(prepared, plan, out)),
      ...(unreached && { resends: unreached.lastId }),
      ...(isTest && { isTest }),
    };
    return runDelivery(delivery, prepared, this.#outbox, this.#host, (...how) =>
      unreached ? this.#outbox.resend(delivery, unreached, ...how) : this.#outbox.start(delivery, ...how, edited),
    );
  }
}

const nobodyLeftText = (count: number) =>
  count === 1
    ? l10n.t("The recipient who wasn't reached doesn't exist.")
    : l10n.t("The {0} recipients who weren't reached don't exist.", formatCount(count));

/** Goes back to the preview, where the recipients of a file are seen one by one. */
function previewOf({ source }: Draft, commands: Host['commands']): Sending['origin'] {
  const document = source === undefined ? undefined : Uri.parse(source);
  return document && { label: l10n.t('Show Preview'), show: () => commands.run('preview', document) };
}
