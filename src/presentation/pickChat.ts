/** Lets the user pick a chat, or type the ID of any other. */
import { l10n } from 'vscode';
import type { Host } from '../platform/host.ts';
import type { Service } from '../platform/service.ts';
import { isIdentifier } from '../service/fields.ts';
import { CHAT_KINDS, type Chat } from '../service/model.ts';
import type { ChosenChat } from './chatReader.ts';
import { displayName, KIND_ICONS } from './describe.ts';
import { createPicker, type ListItem, pickOne, safeLabel } from './dialogs.ts';
import { errorText } from './errorText.ts';
import { type ChatLookup, isMissing, lookUpChats } from './lookups.ts';

interface ChatItem extends ListItem {
  readonly id: string;
  /** Undefined for an ID that isn't in the sidebar. */
  readonly chatKind: Chat['kind'] | undefined;
}

/** Lets the user pick a chat of the sidebar, or type an ID; undefined if the user cancels. */
export async function pickChat(
  { access, lists }: Pick<Host, 'access' | 'lists'>,
  title: string,
): Promise<ChosenChat | undefined> {
  const service = await access.openService();
  if (!service) return undefined;
  const listed = CHAT_KINDS.flatMap((kind) =>
    lists.read(kind, service).entries.map(({ id }): ChatItem => {
      const known = service.directory.peek(kind, id);
      const label = safeLabel(known ? displayName(known) : id, KIND_ICONS[kind]);
      return { label, description: safeLabel(id), id, chatKind: kind };
    }),
  );
  const picked = await pickOrType(listed, title);
  if (!picked) return undefined;
  const { id, chatKind: kind = await kindOf(id, service, title) } = picked;
  return kind && { kind, id };
}

/** The list, with what is typed as a further item if it can be an ID and isn't one of the list. */
async function pickOrType(listed: readonly ChatItem[], title: string): Promise<ChatItem | undefined> {
  const list = createPicker<ChatItem>();
  list.title = title;
  list.placeholder = l10n.t('Select a chat, or enter the ID of another one');
  list.matchOnDescription = true;
  list.items = listed;
  list.onDidChangeValue((text) => {
    const id = text.trim();
    const isOther = isIdentifier(id) && !listed.some((item) => item.id === id);
    // VS Code shows those first whose label matches.
    const other = { label: safeLabel(l10n.t('Another chat'), 'edit'), description: safeLabel(id), alwaysShow: true };
    list.items = isOther ? [...listed, { ...other, id, chatKind: undefined }] : listed;
  });
  try {
    return await new Promise((resolve) => {
      list.onDidAccept(() => resolve(list.selectedItems[0]));
      list.onDidHide(() => resolve(undefined));
      list.show();
    });
  } finally {
    list.dispose();
  }
}

/** Whether an ID is a group's or a person's. Asks if that isn't known; undefined if the user cancels. */
async function kindOf(id: string, service: Service, title: string): Promise<Chat['kind'] | undefined> {
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
  const label = safeLabel(kind === 'group' ? l10n.t('Group') : l10n.t('Person'), KIND_ICONS[kind]);
  const description = found ? displayName(found) : isMissing(outcome) ? l10n.t("doesn't exist") : errorText(error);
  return { label, description: safeLabel(description), chatKind: kind };
}
