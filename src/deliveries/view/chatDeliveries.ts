/** The deliveries to one chat, to choose from. Makes no request, unless the user enters an ID. */
import type { ArgumentsOf } from '../../platform/commandArguments.ts';
import type { Host } from '../../platform/host.ts';
import { knownName } from '../../presentation/describe.ts';
import { type ListItem, listItem, pickOne, showInfo } from '../../presentation/dialogs.ts';
import { joinPhrases } from '../../presentation/factParts.ts';
import { formatShortTime } from '../../presentation/formats.ts';
import { pickChat } from '../../presentation/pickChat.ts';
import { l10n } from '../../presentation/shown.ts';
import { systemClock } from '../../service/clock.ts';
import { type Chat, isSame } from '../../service/model.ts';
import { detailOf, dueText, headingOf, stateTitle } from '../outbox/deliveryTexts.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { isScheduled, type OutboxEntry, shownTimeOf } from '../outbox/outboxEntry.ts';
import { type DeliveryFamily, familiesOf, jointEntry } from '../outbox/resends.ts';

interface DeliveryItem extends ListItem {
  readonly id: string;
  /** The name of the chat, as the delivery has it. */
  readonly name: string;
}

/**
 * Lets the user choose one of the deliveries to the `clicked` chat, or else to a chat that the user picks. Each delivery
 * shows its result there. Undefined if the user cancels, or if there's no delivery.
 */
export async function chooseDeliveryTo(
  clicked: ArgumentsOf<'showDeliveries'>[0],
  host: Pick<Host, 'access' | 'lists'>,
  outbox: Pick<Outbox, 'all'>,
): Promise<{ id: string; chatId: string } | undefined> {
  const given = clicked ?? (await pickChat(host, l10n.t('Show Deliveries')));
  if (!given || given.kind === 'bot') return undefined;
  const service = await host.access.openService();
  const address = 'service' in given ? given.service : service?.address;
  if (address === undefined) return undefined;
  const chat: Chat = { kind: given.kind, id: given.id };
  const families = familiesOf(await outbox.all()).filter(([{ status }]) => status.delivery.service === address);
  const items: DeliveryItem[] = [];
  for (const family of families) {
    const name = nameIn(family, chat);
    if (name !== undefined) items.push(itemOf(await jointEntry(family), chat, name));
  }
  const name =
    (service?.address === address && knownName(service.directory, chat.kind, chat.id)) || items[0]?.name || chat.id;
  if (items.length === 0) {
    void showInfo(l10n.t('The outbox has no deliveries to {0}.', name));
    return undefined;
  }
  const title = l10n.t('Deliveries to {0}', name);
  const chosen = await pickOne(items, { title, matchOnDescription: true, matchOnDetail: true });
  return chosen && { id: chosen.id, chatId: chat.id };
}

function itemOf(entry: OutboxEntry, chat: Chat, name: string): DeliveryItem {
  const { status } = entry;
  const { delivery } = status;
  const now = systemClock.wall();
  const outcome = status.outcomeOf(chat);
  const document = delivery.name !== headingOf(delivery) && delivery.name;
  const test = delivery.isTest && l10n.t('test');
  const result = joinPhrases(stateTitle(outcome.state), detailOf(outcome));
  return listItem({
    id: delivery.id,
    name,
    label: headingOf(delivery),
    description: joinPhrases(formatShortTime(shownTimeOf(entry), now), delivery.bot.name, document, test),
    detail: isScheduled(entry) && outcome.state === 'notSent' ? dueText(entry.due, now) : result,
  });
}

/** What a delivery or its resends call a chat; undefined if none of them is sent to it. */
function nameIn(family: DeliveryFamily<OutboxEntry>, chat: Chat): string | undefined {
  for (const { status } of family) {
    for (const { recvType, recipients } of status.delivery.batches) {
      const found = recvType === chat.kind && recipients.find(({ id }) => id === chat.id);
      if (found) return found.name;
    }
    const leftOut = status.delivery.leftOut?.people.find((one) => isSame(one, chat));
    if (leftOut) return leftOut.name;
  }
  return undefined;
}
