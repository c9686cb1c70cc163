/** Shows what IDs belong to before they are added to a list. */
import { l10n, QuickInputButtons } from 'vscode';
import { shownCount } from '../markup/escapeInvisible.ts';
import type { Service } from '../platform/service.ts';
import { byResult, lookupItem } from '../presentation/candidates.ts';
import { type ChatItem, chatItems, section } from '../presentation/chatItems.ts';
import { createPicker, type ListItem, safeLabel, showUntilChosen } from '../presentation/dialogs.ts';
import { formatCount, joinSentences } from '../presentation/formats.ts';
import type { ChatLookup } from '../presentation/lookups.ts';
import type { RowProblem } from '../presentation/recipientCsv.ts';
import type { Chat } from '../service/model.ts';

export interface Candidates {
  /** For each ID, the chats that it may be. One of neither found nor failed hasn't been looked up. */
  readonly possibilities: readonly (readonly ChatLookup[])[];
  /** Chats that the list already has. */
  readonly listed: readonly Chat[];
}

interface CandidateItem extends ListItem {
  /** Added if the item is selected. */
  chat?: Chat;
}

/** Asks which chats to add, with the clear ones selected, and names the rows of a file that aren't used. Resolves to undefined if the user goes back. */
export function reviewCandidates(
  title: string,
  { possibilities, listed }: Candidates,
  unused: readonly RowProblem[],
  service: Service,
): Promise<Chat[] | undefined> {
  const all = possibilities.flat();
  const isLookedUp = ({ found, error }: ChatLookup) => found !== undefined || error !== undefined;
  const clear = new Set(possibilities.flatMap(([one, other]) => (one && !other && !one.error ? [one.chat] : [])));
  const itemsOf = (chats: readonly Chat[]) => chatItems(chats, service).filter(({ chats }) => chats);
  const list = createPicker<CandidateItem>();
  list.title = title;
  list.placeholder = joinSentences(...unusedText(unused.length), placeholderOf(clear.size, all.length));
  list.canSelectMany = true;
  list.matchOnDescription = true;
  list.ignoreFocusOut = true;
  list.buttons = [QuickInputButtons.Back];
  list.items = [
    ...byResult(all.filter(isLookedUp), (one) => lookupItem(one, service.directory)),
    ...section(
      l10n.t('Not looked up'),
      itemsOf(all.filter((one) => !isLookedUp(one)).map(({ chat }) => chat)).map(withChat),
    ),
    ...section(l10n.t('Already on this list'), itemsOf(listed)),
    ...section(l10n.t('Not used'), unusedItems(unused)),
  ];
  list.selectedItems = list.items.filter(({ chat }) => chat && clear.has(chat));
  return showUntilChosen<Chat[] | undefined>(list, undefined, (choose) => {
    list.onDidTriggerButton(() => choose(undefined));
    list.onDidAccept(() => choose(list.selectedItems.flatMap(({ chat }) => chat ?? [])));
  });
}

const withChat = ({ chats, ...item }: ChatItem): CandidateItem => ({ ...item, ...(chats?.[0] && { chat: chats[0] }) });

/** How many rows of a file are listed. */
const MAX_UNUSED = 1_000;

function unusedItems(unused: readonly RowProblem[]): CandidateItem[] {
  const items = unused.slice(0, shownCount(unused.length, MAX_UNUSED)).map(({ line, text }) => ({
    label: safeLabel(l10n.t('Line {0}', formatCount(line)), 'warning'),
    detail: safeLabel(text),
  }));
  const more = unused.length - items.length;
  return more > 0 ? [...items, { label: safeLabel(l10n.t('… and {0} more', formatCount(more))) }] : items;
}

function unusedText(count: number): string[] {
  if (count === 0) return [];
  return [
    count === 1
      ? l10n.t("1 row of the file isn't used: see the end of this list.")
      : l10n.t("{0} rows of the file aren't used: see the end of this list.", formatCount(count)),
  ];
}

function placeholderOf(clear: number, all: number): string {
  if (clear > 0) return l10n.t('Select IDs to add, then press Enter');
  return all > 0
    ? l10n.t('Nothing found. Select any you want to add anyway.')
    : l10n.t('All of them are already on this list.');
}
