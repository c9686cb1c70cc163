/** Asks for groups and people to add to a list: pasted IDs, or those in a file. Shows first what the IDs belong to. */
import { Uri } from 'vscode';
import { shownCount } from '../markup/escapeInvisible.ts';
import { parseIds } from '../markup/pastedIds.ts';
import type { Service } from '../platform/service.ts';
import { byResult, idsProblem, lookupItem } from '../presentation/candidates.ts';
import { type ChatItem, chatItems, section } from '../presentation/chatItems.ts';
import {
  askInput,
  backButton,
  createPicker,
  type ListItem,
  listItem,
  showUntilChosen,
} from '../presentation/dialogs.ts';
import { formatCount, joinSentences } from '../presentation/formats.ts';
import { type ChatLookup, lookUpChats, MAX_NAMES } from '../presentation/lookups.ts';
import type { RowProblem } from '../presentation/recipientCsv.ts';
import { l10n, type ShownText } from '../presentation/shown.ts';
import { CHAT_KINDS, type Chat, chatKey } from '../service/model.ts';
import { askRecipientFile, type ListedId, type ReadRecipients, readRecipientFile } from './recipientFile.ts';

/** How many rows of a file are listed. */
const MAX_UNUSED = 1_000;

/** Where IDs come from: a prompt, a file that the user chooses, or one that was chosen before. */
export type MemberSource = 'paste' | 'file' | Uri;

interface Candidates {
  /** For each ID, the chats that it may be. A chat that was neither found nor failed wasn't looked up. */
  readonly possibilities: readonly (readonly ChatLookup[])[];
  /** Chats that the list already has. */
  readonly listed: readonly Chat[];
}

interface CandidateItem extends ListItem {
  /** The chat that is added if the item is selected. */
  chat?: Chat;
}

/** Resolves to the chats that the user selects, none of them in `members`; undefined if the user goes back. */
export async function askNewMembers(
  source: MemberSource,
  title: ShownText,
  members: readonly Chat[],
  service: Service,
): Promise<Chat[] | undefined> {
  let typed = '';
  for (;;) {
    let read: ReadRecipients | undefined;
    if (source === 'file') read = await askRecipientFile(title);
    else if (source instanceof Uri) read = await readRecipientFile(source);
    else {
      const text = await askIds(title, typed);
      typed = text ?? '';
      read = text === undefined ? undefined : { ids: parseIds(text).map((id) => ({ id })), unused: [] };
    }
    if (!read) return undefined;
    const candidates = await identify(read.ids, members, service);
    const chosen = await reviewCandidates(title, candidates, read.unused, service);
    if (chosen || source instanceof Uri) return chosen;
  }
}

function askIds(title: ShownText, value: string): Thenable<string | undefined> {
  return askInput({
    title,
    prompt: l10n.t('Enter the IDs of groups and people, separated by spaces or commas. Each is looked up.'),
    value,
    ignoreFocusOut: true,
    validateInput: idsProblem,
  });
}

/** Looks up the IDs that may be a group's or a user's, and some of the others for their names. */
async function identify(ids: readonly ListedId[], members: readonly Chat[], service: Service): Promise<Candidates> {
  const memberKeys = new Set(members.map(chatKey));
  const known: ChatLookup[][] = [];
  const listed: Chat[] = [];
  const unclear: ListedId[] = [];
  const unnamed: (ListedId & { kind: Chat['kind'] })[] = [];
  for (const { id, kind } of ids) {
    const chats = (kind ? [kind] : CHAT_KINDS).map((one): Chat => ({ kind: one, id }));
    const alreadyIn = chats.filter((chat) => memberKeys.has(chatKey(chat)));
    const named = chats.flatMap((chat): ChatLookup[] => {
      const found = service.directory.peek(chat.kind, id);
      return found ? [{ chat, found }] : [];
    });
    if (alreadyIn.length > 0) listed.push(...alreadyIn);
    else if (named.length === 1) known.push(named);
    else if (kind) unnamed.push({ id, kind });
    else unclear.push({ id });
  }
  const lookups = await lookUpChats([...unclear, ...unnamed.slice(0, MAX_NAMES)], service);
  const found = lookups.map((results) => {
    const matches = results.filter((one) => one.found);
    return matches.length === 1 ? matches : results;
  });
  const others = unnamed.slice(MAX_NAMES).map((chat): ChatLookup[] => [{ chat }]);
  return { possibilities: [...known, ...found, ...others], listed };
}

/** Asks which chats to add, with the clear ones selected, and names the rows of a file that aren't used. Resolves to undefined if the user goes back. */
function reviewCandidates(
  title: ShownText,
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
  list.buttons = [backButton()];
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

function unusedItems(unused: readonly RowProblem[]): CandidateItem[] {
  const items = unused
    .slice(0, shownCount(unused.length, MAX_UNUSED))
    .map(({ line, text }) => listItem({ icon: 'warning', label: l10n.t('Line {0}', formatCount(line)), detail: text }));
  const more = unused.length - items.length;
  return more > 0 ? [...items, listItem({ label: l10n.t('… and {0} more', formatCount(more)) })] : items;
}

function unusedText(count: number): string[] {
  if (count === 0) return [];
  return [
    count === 1
      ? l10n.t("1 row of the file isn't used: see the end of this list.")
      : l10n.t("{0} rows of the file aren't used: see the end of this list.", formatCount(count)),
  ];
}

function placeholderOf(clear: number, all: number): ShownText {
  if (clear > 0) return l10n.t('Select IDs to add, then press Enter');
  return all > 0
    ? l10n.t('Nothing found. Select any you want to add anyway.')
    : l10n.t('All of them are already on this list.');
}
