/** Asks for groups and people to add to a list: pasted IDs, or those in a file. */
import { l10n, Uri } from 'vscode';
import { parseIds } from '../markup/pastedIds.ts';
import type { Service } from '../platform/service.ts';
import { idsProblem } from '../presentation/candidates.ts';
import { askInput } from '../presentation/dialogs.ts';
import { type ChatLookup, lookUpChats, MAX_NAMES } from '../presentation/lookups.ts';
import { CHAT_KINDS, type Chat, chatKey } from '../service/model.ts';
import { type Candidates, reviewCandidates } from './candidateReview.ts';
import { askRecipientFile, type ListedId, type ReadRecipients, readRecipientFile } from './recipientFile.ts';

/** Where IDs come from: a prompt, a file that the user chooses, or one that was chosen before. */
export type MemberSource = 'paste' | 'file' | Uri;

/** Resolves to the chats that the user selects, none of them in `members`; undefined if the user goes back. */
export async function askNewMembers(
  source: MemberSource,
  title: string,
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

function askIds(title: string, value: string): Thenable<string | undefined> {
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
