/** The items of the recipient picker, and its total. */
import { parseIds } from '../../markup/pastedIds.ts';
import { joinIconTexts } from '../../markup/safeText.ts';
import type { ParsedAudiences } from '../../platform/audiences.ts';
import type { Service } from '../../platform/service.ts';
import { idsProblem, lookupItem } from '../../presentation/candidates.ts';
import { type ChatItem, section } from '../../presentation/chatItems.ts';
import { KIND_ICONS, summaryOf, unreadableText } from '../../presentation/describe.ts';
import { askInput, listItem, pickMany } from '../../presentation/dialogs.ts';
import { joinPhrases } from '../../presentation/factParts.ts';
import { formatCount } from '../../presentation/formats.ts';
import { type ChatLookup, lookUpChats } from '../../presentation/lookups.ts';
import { iconText, l10n, type ShownText } from '../../presentation/shown.ts';
import { CHAT_KINDS, type Chat, chatKey } from '../../service/model.ts';
import type { Rules } from '../draft/leaveOut.ts';
import { reasonText } from '../draft/leftOutText.ts';
import { type Recipient, shownName } from './deliveryPlan.ts';

/** The item of a chat or, with several chats, of an audience. It's selected if it has chats and all of them are selected. */
export interface RecipientItem extends ChatItem {
  /** The name of an audience. */
  audience?: string;
}

export function audienceItems({ audiences, unreadable }: ParsedAudiences, selected: ReadonlySet<string>) {
  const readable = [...audiences].map(([name, chats]): RecipientItem => {
    const count = chats.filter((chat) => selected.has(chatKey(chat))).length;
    const description = l10n.t('{0} of {1} selected', formatCount(count), formatCount(chats.length));
    return listItem({ icon: 'list-unordered', label: name, description, audience: name, chats });
  });
  const others = Array.from(unreadable, ([name, entries]): RecipientItem => {
    return listItem({ icon: 'warning', label: name, description: unreadableText(name, entries), audience: name });
  });
  return section(l10n.t('Audiences'), [...readable, ...others]);
}

/** A recipient with the name that is known of it. */
export function recipientItem(recipient: Recipient, { directory }: Service): RecipientItem {
  const { kind, id } = recipient;
  const name = shownName(recipient);
  const found = directory.peek(kind, id);
  const other = recipient.name !== name && recipient.name !== id && recipient.name;
  const description = joinPhrases(other, name !== id && id, found && summaryOf(found));
  return listItem({ icon: KIND_ICONS[kind], label: name, description, chats: [{ kind, id }] });
}

/** Why the chat of an item is left out, if it stands for one. */
function reasonOf({ audience, chats: [chat] = [] }: RecipientItem, rules: Rules) {
  return audience === undefined && chat ? rules.reasonFor(chat) : undefined;
}

export const isLeftOut = (item: RecipientItem, rules: Rules) => reasonOf(item, rules) !== undefined;

/** An item, which says so if its chat is left out. */
export function marked<Item extends RecipientItem>(item: Item, rules: Rules): Item {
  const reason = reasonOf(item, rules);
  return reason
    ? { ...item, description: joinIconTexts([iconText(reasonText(reason)), item.description], ' · ') }
    : item;
}

/** How many of the selected chats get the message and how many don't, and how many members their groups have, if known. */
export function totalText(selected: readonly Chat[], { directory }: Service, rules: Rules): ShownText {
  if (selected.length === 0) return '';
  const kept = selected.filter((chat) => !rules.reasonFor(chat));
  const leftOut = selected.length - kept.length;
  const groups = kept.filter(({ kind }) => kind === 'group');
  const known = groups.flatMap(({ id }) => {
    const found = directory.peek('group', id);
    return found?.kind === 'group' ? (found.resource.headcount ?? []) : [];
  });
  const members = known.reduce((sum, one) => sum + one, 0);
  const more = known.length < groups.length ? '+' : '';
  const sum = members === 1 && !more ? l10n.t('1 member') : l10n.t('{0} members', formatCount(members) + more);
  const recipients = kept.length === 1 ? l10n.t('1 recipient') : l10n.t('{0} recipients', formatCount(kept.length));
  const out = leftOut > 0 && l10n.t('{0} left out', formatCount(leftOut));
  return joinPhrases(recipients, known.length > 0 && sum, out);
}

/** Whether a filter consists of IDs, one of which no item shows: then they were typed to choose them. */
export function hasOtherIds(filter: string, items: readonly RecipientItem[]): boolean {
  const ids = parseIds(filter);
  const isShown = (id: string) =>
    items.some(({ label, description = '' }) => label.includes(id) || description.includes(id));
  return ids.every((id) => /^\d+$/.test(id)) && !ids.every(isShown);
}

/**
 * Asks for IDs and resolves to their chats. If an ID isn't found, or is a group's and a user's, the user chooses what to
 * add. `listed` holds the chats that have an item; `typed` keeps the text in the box.
 */
export async function pasteRecipients(
  service: Service,
  listed: ReadonlyMap<string, Chat>,
  typed: { text: string },
): Promise<readonly Chat[]> {
  const text = await askInput({
    title: l10n.t('Paste IDs'),
    prompt: l10n.t('Enter the IDs of groups and people, separated by spaces or commas. Each is looked up.'),
    value: typed.text,
    ignoreFocusOut: true,
    validateInput: (now) => {
      // VS Code doesn't say what was typed into a prompt that is canceled, so it's kept as it's typed.
      typed.text = now;
      return idsProblem(now);
    },
  });
  if (text === undefined) return [];
  typed.text = text;
  const chats: Chat[] = [];
  const unknown: { id: string }[] = [];
  for (const id of parseIds(text)) {
    const matches = CHAT_KINDS.flatMap((kind) => listed.get(chatKey({ kind, id })) ?? []);
    const [match, other] = matches.filter(({ kind }) => service.directory.peek(kind, id));
    if (match && !other) chats.push(match);
    else unknown.push({ id });
  }
  const ambiguous: ChatLookup[] = [];
  for (const both of await lookUpChats(unknown, service)) {
    const found = both.filter((one) => one.found);
    if (found.length === 1) chats.push(...found.map(({ chat }) => chat));
    else ambiguous.push(...both);
  }
  return [...chats, ...(await askWhichToAdd(ambiguous, service))];
}

async function askWhichToAdd(results: readonly ChatLookup[], { directory }: Service): Promise<Chat[]> {
  if (results.length === 0) return [];
  const chosen = await pickMany(
    results.map((one) => lookupItem(one, directory)),
    {
      title: l10n.t('Paste IDs'),
      placeHolder: l10n.t('Not found as groups or people. Select any you want to add anyway.'),
      matchOnDescription: true,
      ignoreFocusOut: true,
    },
  );
  return chosen?.map(({ chat }) => chat) ?? [];
}
