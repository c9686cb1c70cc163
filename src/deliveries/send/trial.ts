/** What only a trial asks and says: a message that is sent to one chat before it's sent to its recipients. */
import type { Host } from '../../platform/host.ts';
import type { Service } from '../../platform/service.ts';
import { chatItems, section } from '../../presentation/chatItems.ts';
import { toSingleLine } from '../../presentation/describe.ts';
import { listItem, pickOne, separator } from '../../presentation/dialogs.ts';
import { errorText } from '../../presentation/errorText.ts';
import { joinSentences } from '../../presentation/formats.ts';
import { l10n, type ShownText, shownText } from '../../presentation/shown.ts';
import { CHAT_KINDS, type Chat, chatKey } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import { detailOf, stateText } from '../outbox/deliveryTexts.ts';
import type { Recipient } from '../plan/deliveryPlan.ts';
import { recipientText } from '../plan/planText.ts';
import { pasteRecipients, type RecipientItem, recipientItem } from '../plan/recipientItems.ts';
import { namedRecipients } from '../plan/recipientNames.ts';
import type { Planned, Result } from './journey.ts';

/** The result of a trial, on one line. */
export function trialText({ recipients: [recipient] }: Planned, result: Result): ShownText {
  const outcome = 'status' in result ? result.status.outcomeOf(recipient) : undefined;
  const { state } = outcome ?? { state: 'notSent' as const };
  const text = l10n.t('Tested with {0}: {1}.', recipientText(recipient), stateText(state));
  if (state === 'reached') return shownText`✓ ${text}`;
  const cause = outcome ? detailOf(outcome) : 'error' in result && errorText(result.error);
  return shownText`⚠ ${toSingleLine(joinSentences(text, cause))}`;
}

/**
 * Asks for the chat of a trial: the last one, a recipient, a chat of the sidebar, or a pasted ID. Undefined if the user
 * cancels.
 */
export async function askTrialChat(
  { lists, store }: Pick<Host, 'lists' | 'store'>,
  service: Service,
  recipients: readonly Recipient[],
): Promise<Recipient | undefined> {
  const last = store.find('testChats', { service: service.address })?.chat;
  const listed = new Map<string, Chat>();
  const items: RecipientItem[] = [];
  let lastItem = last && chatItems([last], service).at(-1);
  await new TimeSlices().each(recipients, (one) => {
    listed.set(chatKey(one), one);
    const item = recipientItem(one, service);
    if (last && chatKey(last) === chatKey(one)) lastItem = item;
    else items.push(item);
  });
  if (last) listed.set(chatKey(last), last);
  const others: Chat[] = [];
  const add = (chat: Chat) => {
    if (!listed.has(chatKey(chat))) others.push(chat);
    listed.set(chatKey(chat), chat);
  };
  for (const kind of CHAT_KINDS) for (const { id } of lists.read(kind, service).entries) add({ kind, id });
  const typed = { text: '' };
  for (;;) {
    const paste: RecipientItem = listItem({ icon: 'clippy', label: l10n.t('Paste an ID…'), alwaysShow: true });
    const all: RecipientItem[] = [
      ...section(l10n.t('Last Test Chat'), lastItem ? [lastItem] : []),
      ...section(l10n.t('Recipients'), items),
      ...chatItems(others, service),
      separator(''),
      paste,
    ];
    const chosen = await pickOne(all, {
      title: l10n.t('Send to One Chat First'),
      placeHolder: l10n.t('Select a chat (type to filter by name or ID)'),
      matchOnDescription: true,
      ignoreFocusOut: true,
    });
    if (!chosen) return undefined;
    const chats = chosen.chats ?? (await pasteRecipients(service, listed, typed));
    if (chats.length === 1) return (await namedRecipients(chats, service))[0];
    for (const chat of chats) add(chat);
  }
}
