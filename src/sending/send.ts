/** Sending a draft: bot, recipients, confirmation, delivery, one after the other. */
import { l10n } from 'vscode';
import type { Draft } from '../drafts/draft.ts';
import { planBatches, type Recipient } from '../outbox/batches.ts';
import type { OutboxEntry } from '../outbox/outbox.ts';
import { digestOf } from '../outbox/record.ts';
import type { Unreached } from '../outbox/resends.ts';
import { signalOf } from '../platform/cancellation.ts';
import type { Service } from '../platform/service.ts';
import { batchSize } from '../platform/settings.ts';
import { displayName } from '../presentation/describe.ts';
import { showInfo, showProgress } from '../presentation/dialogs.ts';
import { UserFacingError } from '../presentation/errorText.ts';
import type { Chat, Kind } from '../service/model.ts';
import { redactToken } from '../service/redaction.ts';
import { TimeSlices } from '../service/timeSlices.ts';
import { confirm } from './confirmation.ts';
import { dispatch } from './dispatch.ts';
import { lastRecipients, rememberRecipients } from './lastRecipients.ts';
import { type SendingNeeds, serviceOf, statusOf, tokenOf } from './needs.ts';
import { askRecipients } from './recipientPicker.ts';

/**
 * Sends a draft to these chats, or else to those that it names, or to those the person chooses. Nothing is sent before
 * their confirmation.
 */
export async function sendDraft(draft: Draft, needs: SendingNeeds, chats: readonly Chat[] = []): Promise<void> {
  const service = await needs.openService();
  if (!service) return;
  const botId = draft.botId ?? (await needs.chooseBot(service, l10n.t('Send as which bot?')));
  if (!botId) return;
  const offered = chats.length > 0 ? chats : draft.chats;
  await send({ draft, botId, service, needs }, offered.length > 0 ? await named(offered, service) : undefined);
}

/** Sends a delivery again to those whom it has not surely reached, after a new confirmation. */
export async function resend(id: string, needs: SendingNeeds): Promise<void> {
  const { delivery } = await statusOf(id, needs);
  const unreached = await needs.outbox.unreached(id);
  if (unreached.recipients.length === 0) {
    void showInfo(l10n.t("Everyone has received this message. There's nothing to resend."));
    return;
  }
  const service = await serviceOf(delivery, needs);
  if (!service) return;
  const { name, source, message, bot } = delivery;
  const sending = { draft: { name, source, message, chats: [] }, botId: bot.id, service, needs };
  await send(sending, unreached.recipients, { ...unreached, id });
}

/** Of very many, few names are read before the message goes out. */
const LOOK_UPS = 200;

interface Sending {
  draft: Draft;
  botId: string;
  service: Service;
  needs: SendingNeeds;
}

/** Goes round while the person steps back from the confirmation; `again` says whose unreached are sent to. */
async function send(
  { draft, botId, service, needs }: Sending,
  offered?: Recipient[],
  again?: Unreached & { id: string },
): Promise<void> {
  // Asked for now: recipients that were chosen before it were lost with it.
  const token = await tokenOf(botId, service, needs);
  if (!token) return;
  if (redactToken(JSON.stringify(draft.message), token) !== JSON.stringify(draft.message)) {
    throw new UserFacingError(l10n.t('{0} contains the token of the bot. It is not sent.', draft.name));
  }
  const bot = { id: botId, name: await nameOrId(service, 'bot', botId) };
  const title = l10n.t('Send {0} as {1}', draft.name, bot.name);
  const ask = async (chosen: readonly Chat[]) => {
    const recipients = await askRecipients(service, title, chosen);
    if (recipients && !again) await rememberRecipients(needs.memory, service, draft.source, recipients);
    return recipients;
  };
  const digest = await digestOf(draft.message);
  let recipients = offered ?? (await ask(lastRecipients(needs.memory, service, draft.source)));
  while (recipients) {
    const before = await needs.outbox.entries();
    const answer = await confirm({
      draft,
      digest,
      bot,
      recipients,
      service,
      before,
      uncertain: again?.uncertain ?? [],
    });
    if (answer === 'cancel') return;
    if (answer === 'send') {
      const known = new Set(before.map((one) => ('status' in one ? one.status.delivery.id : one.id)));
      const isNew = ({ status: { delivery } }: OutboxEntry) => delivery.digest === digest && !known.has(delivery.id);
      // Another window has sent the same while the question stood: it is asked with that.
      if (!again && (await needs.outbox.all()).some(isNew)) continue;
      const delivery = {
        id: needs.outbox.newId(),
        at: Date.now(),
        service: service.address,
        bot,
        name: draft.name,
        ...(draft.source && { source: draft.source }),
        message: draft.message,
        digest,
        batches: planBatches(recipients, batchSize()),
        ...(again && { resends: again.last }),
      };
      const isSent = await dispatch(delivery, service, token, needs, (...how) =>
        again ? needs.outbox.startAgain(delivery, again, ...how) : needs.outbox.start(delivery, ...how),
      );
      if (!isSent) throw new UserFacingError(l10n.t('This message was already resent. Check the outbox first.'));
      return;
    }
    recipients = await ask(recipients);
  }
}

/** Chats with their names as far as these are known; so many others are looked up, if the person waits for that. */
async function named(chats: readonly Chat[], service: Service): Promise<Recipient[]> {
  const { directory } = service;
  const unknown = chats.filter(({ type, id }) => !directory.knows(type, id));
  const ids = new Set(unknown.slice(LOOK_UPS));
  const name = async (signal?: AbortSignal) => {
    const slices = new TimeSlices();
    const naming: Promise<Recipient>[] = [];
    for (const chat of chats) {
      const { type, id } = chat;
      const named = ids.has(chat) ? Promise.resolve(id) : nameOrId(service, type, id, signal);
      naming.push(named.then((name) => ({ ...chat, name })));
      if (slices.isOver) await slices.turn();
    }
    return Promise.all(naming);
  };
  if (unknown.length === 0) return name();
  const title = l10n.t('Looking up names: cancel to go on with IDs');
  return showProgress(title, (_, cancellation) => name(signalOf(cancellation)));
}

async function nameOrId({ directory }: Service, kind: Kind, id: string, signal?: AbortSignal): Promise<string> {
  try {
    return displayName(await directory.get(kind, id, { signal }));
  } catch {
    return id;
  }
}
