/** The lists of audiences to choose from, and what can be done with an audience. */
import { ThemeIcon } from 'vscode';
import type { Audiences, ParsedAudiences } from '../platform/audiences.ts';
import { onDidChangeSettings } from '../platform/configuration.ts';
import { countText } from '../presentation/chatItems.ts';
import { audienceName, unreadableText } from '../presentation/describe.ts';
import {
  createPicker,
  type ListItem,
  listItem,
  pickOne,
  type ShownButton,
  separator,
  showUntilChosen,
} from '../presentation/dialogs.ts';
import { joinPhrases } from '../presentation/factParts.ts';
import { formatCount } from '../presentation/formats.ts';
import { iconText, l10n, type ShownText } from '../presentation/shown.ts';
import { type Chat, chatKey } from '../service/model.ts';

/** What can be done with a whole audience. */
export type AudienceAction = 'send' | 'rename' | 'exportCsv' | 'remove';

interface ActionButton extends ShownButton {
  readonly action: AudienceAction;
}

interface AudienceItem extends ListItem {
  /** The name of an audience; undefined for a new one. */
  audience?: string | undefined;
  buttons?: readonly ActionButton[];
}

/** What the user chose: an audience, or undefined for a new one, and what to do with it. */
interface AudienceChoice {
  readonly name: string | undefined;
  readonly action: AudienceAction | 'open';
}

/** Shows all audiences, with the focus on `last` if it is one of them. Resolves to undefined if the user closes the list. */
export async function askAudience(audiences: Audiences, last?: string): Promise<AudienceChoice | undefined> {
  const list = createPicker<AudienceItem>();
  list.title = l10n.t('Audiences');
  list.placeholder = l10n.t('Select an audience to see who is in it');
  list.ignoreFocusOut = true;
  const update = (name: string | undefined) => {
    list.items = items(audiences.read());
    const focused = list.items.find(({ audience }) => audience !== undefined && audience === name);
    // Without any active item, Enter would do nothing.
    if (focused) list.activeItems = [focused];
  };
  update(last);
  // Another window, or Undo, may change the audiences.
  const listening = onDidChangeSettings(['audiences'], () => update(list.activeItems[0]?.audience));
  try {
    return await showUntilChosen<AudienceChoice | undefined>(list, undefined, (choose) => {
      list.onDidAccept(() => {
        const [item] = list.selectedItems;
        if (item) choose({ name: item.audience, action: 'open' });
      });
      list.onDidTriggerItemButton(({ item, button }) => {
        const action = item.buttons?.find((one) => one === button)?.action;
        if (action) choose({ name: item.audience, action });
      });
    });
  } finally {
    listening.dispose();
  }
}

/** Asks for an audience to add these chats to. `name` is undefined for a new one. */
export async function askTarget(
  audiences: Audiences,
  title: ShownText,
  chats: readonly Chat[],
): Promise<{ name: string | undefined } | undefined> {
  const all = [...audiences.read().audiences];
  if (all.length === 0) return { name: undefined };
  const items = all.map(([name, members]): AudienceItem => {
    const keys = new Set(members.map(chatKey));
    const count = chats.filter((chat) => keys.has(chatKey(chat))).length;
    const some = count > 0 && l10n.t('has {0} of {1}', formatCount(count), formatCount(chats.length));
    const overlap = count === chats.length ? l10n.t('already included') : some;
    return { ...audienceItem(name, members), description: iconText(joinPhrases(membersText(members), overlap)) };
  });
  const placeHolder = l10n.t('Select an audience to add to');
  const chosen = await pickOne([...items, ...newItem()], { title, placeHolder, ignoreFocusOut: true });
  return chosen && { name: chosen.audience };
}

function items({ audiences, unreadable }: ParsedAudiences): AudienceItem[] {
  const readable = [...audiences].map(([name, members]) => ({
    ...audienceItem(name, members),
    buttons: actionButtons(),
  }));
  const others = Array.from(unreadable, ([name, entries]) =>
    listItem({
      icon: 'warning',
      label: audienceName(name),
      description: unreadableText(name, entries),
      audience: name,
      buttons: [removeButton()],
    }),
  );
  return [...readable, ...others, ...newItem()];
}

const audienceItem = (name: string, members: readonly Chat[]) =>
  listItem({ icon: 'list-unordered', label: audienceName(name), description: membersText(members), audience: name });

const newItem = (): AudienceItem[] => [separator(''), listItem({ icon: 'add', label: l10n.t('New Audience…') })];

/** How many groups and people are in an audience. */
export function membersText(members: readonly Chat[]): ShownText {
  const groups = members.filter(({ kind }) => kind === 'group').length;
  return members.length === 0 ? l10n.t('empty') : countText(groups, members.length - groups);
}

/** The buttons for a whole audience. */
export const actionButtons = (): ActionButton[] => [
  { action: 'send', iconPath: new ThemeIcon('send'), tooltip: l10n.t('Send…') },
  { action: 'rename', iconPath: new ThemeIcon('edit'), tooltip: l10n.t('Rename…') },
  { action: 'exportCsv', iconPath: new ThemeIcon('export'), tooltip: l10n.t('Export as CSV…') },
  removeButton(),
];

/** The button that removes an audience, also one that can't be read. */
const removeButton = (): ActionButton => ({
  action: 'remove',
  iconPath: new ThemeIcon('trash'),
  tooltip: l10n.t('Delete'),
});
