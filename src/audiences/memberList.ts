/** The lists of members, whose names appear as they are looked up: of an audience, and what others share with it. */
import { type Disposable, ThemeIcon } from 'vscode';
import { onDidChangeSettings } from '../platform/configuration.ts';
import type { Host } from '../platform/host.ts';
import type { Service } from '../platform/service.ts';
import { type ChatItem, chatItems } from '../presentation/chatItems.ts';
import { audienceName } from '../presentation/describe.ts';
import { backButton, createPicker, type ShownPicker, showUntilChosen } from '../presentation/dialogs.ts';
import { joinPhrases } from '../presentation/factParts.ts';
import { lookUpNames } from '../presentation/lookups.ts';
import { l10n } from '../presentation/shown.ts';
import { Timer } from '../service/clock.ts';
import { type Chat, chatKey } from '../service/model.ts';
import { type AudienceAction, actionButtons, membersText } from './audienceList.ts';
import type { MemberSource } from './newMembers.ts';

/** Names are shown together after this delay (milliseconds); in a long list, later. */
const UPDATE_DELAY = 100;
const UPDATE_DELAY_PER_ROW = 0.2;

/** What the user does with an audience: removes members, adds some, or something with all of it. */
type MemberChoice =
  | { readonly type: 'remove'; readonly chats: readonly Chat[] }
  | { readonly type: 'add'; readonly source: MemberSource }
  | { readonly type: 'act'; readonly action: AudienceAction };

/** What a list of members shows, and what the user can choose there. */
interface MemberView<C> {
  readonly list: ShownPicker<ChatItem>;
  /** The setting that has the members. */
  readonly setting: 'audiences' | 'sending.never';
  /** The members as they are now; undefined if there are none to show anymore, which closes the list. */
  read(): readonly Chat[] | undefined;
  /** Shows the members with the names that are known by now. */
  update(members: readonly Chat[]): void;
  listen(choose: (choice: C | undefined) => void): void;
}

/** The buttons that add members. */
export const addButtons = () => [
  { iconPath: new ThemeIcon('add'), tooltip: l10n.t('Add…'), source: 'paste' as const },
  { iconPath: new ThemeIcon('file-add'), tooltip: l10n.t('From File…'), source: 'file' as const },
];

/** Shows a list of members, and looks up their names, until the user chooses something. Resolves to undefined if it's closed. */
export async function showMembers<C>(
  { list, setting, read, update, listen }: MemberView<C>,
  service: Service,
): Promise<C | undefined> {
  const closed = new AbortController();
  const { signal } = closed;
  let members: readonly Chat[] = [];
  const timer = new Timer(() => update(members));
  const lookUp = async () => {
    const delay = Math.max(UPDATE_DELAY, members.length * UPDATE_DELAY_PER_ROW);
    const onEnded = () => {
      if (!signal.aborted) timer.start(delay);
    };
    list.busy = true;
    await lookUpNames(members, service, { signal, onEnded });
    if (!signal.aborted) list.busy = false;
  };
  let listening: Disposable | undefined;
  list.matchOnDescription = true;
  list.ignoreFocusOut = true;
  list.keepScrollPosition = true;
  try {
    return await showUntilChosen<C | undefined>(list, undefined, (choose) => {
      const show = () => {
        const now = read();
        if (!now) return choose(undefined);
        members = now;
        timer.stop();
        update(members);
        void lookUp();
      };
      // Another window, or Undo, may change the members.
      listening = onDidChangeSettings([setting], show);
      show();
      listen(choose);
    });
  } finally {
    closed.abort();
    timer.stop();
    listening?.dispose();
  }
}

/** Shows the members of an audience. Resolves to undefined if the user goes back, or it doesn't exist anymore. */
export function askMembers(
  name: string,
  { audiences }: Pick<Host, 'audiences'>,
  service: Service,
): Promise<MemberChoice | undefined> {
  const list = createPicker<ChatItem>();
  const add = addButtons();
  const acts = actionButtons();
  /** Keys of the selected members. */
  let selected = new Set<string>();
  /** Whether VS Code hasn't yet reported the selection that was last set. It reports an empty one first. */
  let isSelecting = false;
  const onSelection = (items: readonly ChatItem[]) => {
    if (isSelecting && items.length === 0) return;
    isSelecting = false;
    selected = new Set(items.flatMap(({ chats = [] }) => chats.map(chatKey)));
  };
  const update = (members: readonly Chat[]) => {
    list.title = joinPhrases(audienceName(name), membersText(members));
    list.placeholder = members.length > 0 ? l10n.t('Select recipients to remove, then press Enter') : nobodyText();
    const items = memberItems(members, service);
    const chosen = items.filter(({ chats }) => chats?.some((chat) => selected.has(chatKey(chat))));
    list.items = items;
    list.selectedItems = chosen;
    isSelecting = chosen.length > 0;
  };
  const listen = (choose: (choice: MemberChoice | undefined) => void) => {
    list.onDidChangeSelection(onSelection);
    list.onDidAccept(() => {
      isSelecting = false;
      onSelection(list.selectedItems);
      const chats = (audiences.get(name) ?? []).filter((chat) => selected.has(chatKey(chat)));
      choose(chats.length > 0 ? { type: 'remove', chats } : undefined);
    });
    list.onDidTriggerButton((button) => {
      const source = add.find((one) => one === button)?.source;
      const action = acts.find((one) => one === button)?.action;
      choose(source ? { type: 'add', source } : action && { type: 'act', action });
    });
  };
  list.canSelectMany = true;
  list.buttons = [backButton(), ...add, ...acts];
  const read = () => audiences.get(name);
  return showMembers({ list, setting: 'audiences', read, update, listen }, service);
}

/** Members as items. Before it's looked up, what an ID says may as well be a name, or have lost its first zero. */
export const memberItems = (members: readonly Chat[], service: Service) =>
  chatItems(members, service, l10n.t('not looked up yet'));

/** What an empty list says. */
export const nobodyText = () => l10n.t('No one is on this list yet. Add groups and people with the buttons above.');
