/** The *Do Not Send* list on the screen: who is on it, what in it can't be read, and its edits. Loaded on first use. */
import { commands, ThemeIcon } from 'vscode';
import type { Host } from '../platform/host.ts';
import { NEVER, type NeverList, type ParsedNever } from '../platform/neverList.ts';
import type { Service } from '../platform/service.ts';
import type { ChatItem } from '../presentation/chatItems.ts';
import { nameOrId } from '../presentation/describe.ts';
import { createPicker, listItem } from '../presentation/dialogs.ts';
import { joinPhrases } from '../presentation/factParts.ts';
import { entriesText } from '../presentation/formats.ts';
import { checkNever, neverSend } from '../presentation/neverSend.ts';
import { showError } from '../presentation/showError.ts';
import { iconText, l10n } from '../presentation/shown.ts';
import { type Chat, chatKey } from '../service/model.ts';
import { offerUndo } from './audienceEditor.ts';
import { membersText } from './audienceList.ts';
import { addButtons, memberItems, nobodyText, showMembers } from './memberList.ts';
import { askNewMembers, type MemberSource } from './newMembers.ts';

type EditorHost = Pick<Host, 'access' | 'never'>;

type NeverChoice =
  | { readonly type: 'add'; readonly source: MemberSource }
  | { readonly type: 'note' | 'remove'; readonly chat: Chat }
  /** An entry that can't be read. */
  | { readonly type: 'correct' };

/** Shows the list until the user closes it, or opens the setting. */
export async function editNeverList(host: EditorHost): Promise<void> {
  const service = await host.access.openService();
  if (!service) return;
  let last: Chat | undefined;
  for (;;) {
    const choice = await askNever(host, service, last);
    if (!choice) return;
    if (choice.type === 'correct') {
      await commands.executeCommand('workbench.action.openSettings', NEVER);
      return;
    }
    if (choice.type !== 'add') last = choice.chat;
    try {
      await edit(choice, host.never, service);
    } catch (error) {
      void showError(error);
    }
  }
}

async function edit(choice: Exclude<NeverChoice, { type: 'correct' }>, list: NeverList, service: Service) {
  checkNever(list);
  const nameOf = ({ kind, id }: Chat) => nameOrId(service.directory, kind, id);
  if (choice.type === 'add') {
    const [first, ...others] = (await askNewMembers(choice.source, listName(), list.read().chats, service)) ?? [];
    if (first) await neverSend(list, [first, ...others], nameOf(first));
    return;
  }
  const { chat } = choice;
  if (choice.type === 'note') return neverSend(list, [chat], nameOf(chat));
  const note = list.read().notes.get(chatKey(chat));
  await list.remove([chat]);
  offerUndo(l10n.t('Removed {0} from your Do Not Send list.', nameOf(chat)), () => list.add([chat], note));
}

/** Asks what to do, with the focus on `last` if it's on the list. Resolves to undefined if the user closes the list. */
function askNever({ never }: EditorHost, service: Service, last: Chat | undefined): Promise<NeverChoice | undefined> {
  const list = createPicker<ChatItem>();
  const add = addButtons();
  const update = () => {
    const parsed = never.read();
    const [active] = list.activeItems;
    const focused = active ? keyOf(active) : last && chatKey(last);
    list.title = joinPhrases(listName(), membersText(parsed.chats));
    list.placeholder = parsed.chats.length > 0 ? l10n.t('Select someone to change the note') : nobodyText();
    list.items = neverItems(parsed, service);
    const next = list.items.find((item) => keyOf(item) === focused);
    // Without any active item, Enter would do nothing.
    if (next) list.activeItems = [next];
  };
  const listen = (choose: (choice: NeverChoice) => void) => {
    list.onDidAccept(() => {
      const [item] = list.selectedItems;
      const [chat] = item?.chats ?? [];
      if (item) choose(chat ? { type: 'note', chat } : { type: 'correct' });
    });
    list.onDidTriggerItemButton(({ item: { chats: [chat] = [] } }) => {
      if (chat) choose({ type: 'remove', chat });
    });
    list.onDidTriggerButton((button) => {
      const source = add.find((one) => one === button)?.source;
      if (source) choose({ type: 'add', source });
    });
  };
  list.matchOnDetail = true;
  list.buttons = add;
  const read = () => never.read().chats;
  return showMembers({ list, setting: 'sending.never', read, update, listen }, service);
}

/** What can't be read comes first. */
function neverItems({ chats, notes, unusable }: ParsedNever, service: Service): ChatItem[] {
  const unreadable = unusable.map((entry) =>
    listItem({
      icon: 'warning',
      label: entriesText([entry]),
      description: l10n.t("can't be read: nothing is sent until you correct it"),
    }),
  );
  const remove = { iconPath: new ThemeIcon('trash'), tooltip: l10n.t('Remove from the list') };
  const others = memberItems(chats, service).map((item) => {
    const [chat] = item.chats ?? [];
    return chat ? { ...item, detail: iconText(notes.get(chatKey(chat)) ?? ''), buttons: [remove] } : item;
  });
  return [...unreadable, ...others];
}

const keyOf = ({ label, chats: [chat] = [] }: ChatItem) => (chat ? chatKey(chat) : label);

const listName = () => l10n.t('Do Not Send List');
