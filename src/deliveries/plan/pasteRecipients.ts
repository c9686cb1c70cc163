/** Adds recipients by pasted IDs. Each ID is looked up as a group and as a user. */
import { l10n } from 'vscode';
import { parseIds } from '../../markup/pastedIds.ts';
import type { Service } from '../../platform/service.ts';
import { idsProblem, lookupItem } from '../../presentation/candidates.ts';
import { askInput, pickMany } from '../../presentation/dialogs.ts';
import { type ChatLookup, lookUpChats } from '../../presentation/lookups.ts';
import { CHAT_KINDS, type Chat, chatKey } from '../../service/model.ts';

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
      // A canceled prompt doesn't say what was typed.
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
  return [...chats, ...(await askWhichToAdd(ambiguous))];
}

async function askWhichToAdd(results: readonly ChatLookup[]): Promise<Chat[]> {
  if (results.length === 0) return [];
  const chosen = await pickMany(results.map(lookupItem), {
    title: l10n.t('Paste IDs'),
    placeHolder: l10n.t('Not found as groups or people. Select any you want to add anyway.'),
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  return chosen?.map(({ chat }) => chat) ?? [];
}
