/** Lets the user pick a chat, or enter the ID of any other or a link to it. */
import { fold } from '../markup/caseFolding.ts';
import { idInCell } from '../markup/listedId.ts';
import { mentionsToken } from '../markup/pastedToken.ts';
import type { Host } from '../platform/host.ts';
import type { Service } from '../platform/service.ts';
import { findChatLinks, isOurAddress } from '../protocol/chatLink.ts';
import { isIdentifier } from '../service/fields.ts';
import { CHAT_KINDS, type Chat } from '../service/model.ts';
import { type ChosenChat, linkedChat, readLink } from './chatReader.ts';
import { KIND_ICONS, nameOrId, otherName, ownName } from './describe.ts';
import { createPicker, type ListItem, listItem, pickOne, type ShownPicker, showUntilChosen } from './dialogs.ts';
import { errorText } from './errorText.ts';
import { joinPhrases } from './factParts.ts';
import { type ChatLookup, isMissing, lookUpChats } from './lookups.ts';
import { l10n, type ShownText } from './shown.ts';

interface ChatItem extends ListItem {
  readonly id: string;
  /** What the ID belongs to; undefined for an ID that isn't in the sidebar. */
  readonly chatKind: Chat['kind'] | undefined;
  /** Whether the ID is a link instead. */
  readonly isLink?: boolean;
}

type PickHost = Pick<Host, 'access' | 'lists'>;

/** Lets the user pick a chat of the sidebar, or enter an ID or a link; undefined if the user cancels. */
export const pickChat = async (host: PickHost, title: ShownText): Promise<ChosenChat | undefined> =>
  (await pick(host, title, false))[0];

/** Lets the user pick any number of chats of the sidebar, or enter IDs or links; none if the user cancels. */
export const pickChats = (host: PickHost, title: ShownText): Promise<ChosenChat[]> => pick(host, title, true);

async function pick({ access, lists }: PickHost, title: ShownText, canPickMany: boolean): Promise<ChosenChat[]> {
  const service = await access.openService();
  if (!service) return [];
  const listed = CHAT_KINDS.flatMap((kind) =>
    lists.read(kind, service).entries.map(
      ({ id }): ChatItem =>
        listItem({
          icon: KIND_ICONS[kind],
          label: nameOrId(service.directory, kind, id),
          description: joinPhrases(otherName(service.directory, kind, id), id),
          id,
          chatKind: kind,
        }),
    ),
  );
  const chats: ChosenChat[] = [];
  for (const { id, chatKind, isLink } of await pickOrType(listed, title, canPickMany)) {
    if (isLink) {
      chats.push(await linkedChat(readLink(id), service));
      continue;
    }
    const kind = chatKind ?? (await kindOf(id, service, title));
    if (!kind) return [];
    chats.push({ kind, id });
  }
  return chats;
}

/** The list, with what is typed as a further item if it can be an ID and isn't one of the list. */
function pickOrType(listed: readonly ChatItem[], title: ShownText, canPickMany: boolean): Promise<readonly ChatItem[]> {
  const list = createPicker<ChatItem>();
  list.title = title;
  list.placeholder = canPickMany
    ? l10n.t('Select chats, or enter the ID of another one or a link to it')
    : l10n.t('Select a chat, or enter the ID of another one or a link to it');
  list.canSelectMany = canPickMany;
  list.matchOnDescription = true;
  list.items = listed;
  let selected: readonly ChatItem[] = [];
  /** Whether VS Code has yet to report the selection that was set. It reports an empty one first. */
  let isPending = false;
  const onSelection = (items: readonly ChatItem[]) => {
    if (isPending && items.length === 0) return;
    isPending = false;
    selected = items;
  };
  const onText = (text: string) => {
    const id = typedId(text);
    const known = [...listed, ...selected.filter((item) => !listed.includes(item))];
    // VS Code shows an item of the list only if the typed text is in it as it is. An ID that isn't listed is looked up.
    const isListed = known.some((item) => item.id === text.trim());
    const other = isListed || mentionsToken(text) ? undefined : otherItem(id);
    list.items = other ? [...known, other] : known;
    if (!canPickMany) return;
    list.selectedItems = selected;
    isPending = selected.length > 0;
  };
  list.onDidChangeValue(onText);
  list.onDidChangeSelection(onSelection);
  return showUntilChosen<readonly ChatItem[]>(list, [], (choose) =>
    list.onDidAccept(() => {
      onSelection(list.selectedItems);
      const chosen = selected.length > 0 ? selected : itemsFor(list);
      if (chosen.length > 0) choose(chosen);
      else list.placeholder = l10n.t('Select at least one chat');
    }),
  );
}

/** A link as it is, or the one ID in what is typed or pasted; any other text as it is. */
function typedId(text: string): string {
  const found = isOurAddress(text) ? undefined : idInCell(text);
  return found && 'id' in found ? found.id : text.trim();
}

/** What is typed, as an item: a link or an ID; undefined if it's neither. */
function otherItem(id: string): ChatItem | undefined {
  const isLink = isOurAddress(id);
  if (!isLink && !isIdentifier(id)) return undefined;
  const linked = findChatLinks(id).some(({ isToMessage }) => isToMessage)
    ? l10n.t('Linked message')
    : l10n.t('Linked chat');
  const texts = isLink ? { icon: 'link', label: linked } : { icon: 'edit', label: l10n.t('Another chat') };
  // VS Code shows items first whose label matches.
  return listItem({ ...texts, description: id, alwaysShow: true, id, chatKind: undefined, isLink });
}

/** What Enter chooses where nothing is ticked but something is typed: the active item, or the first one with that text. */
function itemsFor({ activeItems, items, value }: ShownPicker<ChatItem>): readonly ChatItem[] {
  const typed = fold(value.trim());
  if (!typed) return [];
  if (activeItems.length > 0) return activeItems;
  const has = (text = '') => fold(text).includes(typed);
  return items.filter(({ label, description }) => has(label) || has(description)).slice(0, 1);
}

/** Whether an ID is a group's or a person's. Asks if that isn't known; undefined if the user cancels. */
async function kindOf(id: string, service: Service, title: ShownText): Promise<Chat['kind'] | undefined> {
  const [known, another] = CHAT_KINDS.filter((kind) => service.directory.peek(kind, id));
  if (known && !another) return known;
  const [lookups = []] = await lookUpChats([{ id }], service);
  const [found, ...others] = lookups.filter((one) => one.found);
  if (found && others.length === 0) return found.chat.kind;
  const options = { title, placeHolder: l10n.t('What is {0}?', id) };
  return (await pickOne(lookups.map(kindItem), options))?.chatKind;
}

function kindItem({ chat: { kind }, ...outcome }: ChatLookup) {
  const { found, error } = outcome;
  const label = kind === 'group' ? l10n.t('Group') : l10n.t('Person');
  const description = found ? ownName(found) : isMissing(outcome) ? l10n.t("doesn't exist") : errorText(error);
  return listItem({ icon: KIND_ICONS[kind], label, description, chatKind: kind });
}
