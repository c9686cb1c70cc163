/** Adds recipients by pasted IDs. Each ID is looked up as a group and as a user. */
import { l10n } from 'vscode';
import { signalOf } from '../platform/cancellation.ts';
import type { Service } from '../platform/service.ts';
import { displayName, KIND_ICONS, summaryOf } from '../presentation/describe.ts';
import { askInput, type ListItem, pickMany, safeLabel, showProgress } from '../presentation/dialogs.ts';
import { errorText } from '../presentation/errorText.ts';
import { joinPhrases } from '../presentation/factParts.ts';
import { parseIds } from '../service/fields.ts';
import { type Chat, chatKey, type Found } from '../service/model.ts';

/** The result of looking up an ID as a group or as a user. */
type LookupResult = { chat: Chat } & ({ found: Found } | { error: unknown });

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
      return parseIds(now).length > 0 ? undefined : l10n.t('Enter at least one ID.');
    },
  });
  if (text === undefined) return [];
  typed.text = text;
  const chats: Chat[] = [];
  const unknown: string[] = [];
  for (const id of parseIds(text)) {
    const matches = (['group', 'user'] as const).flatMap((type) => listed.get(chatKey({ type, id })) ?? []);
    const [match, other] = matches.filter(({ type }) => service.directory.peek(type, id));
    if (match && !other) chats.push(match);
    else unknown.push(id);
  }
  const ambiguous: LookupResult[] = [];
  for (const both of await lookUp(unknown, service)) {
    const found = both.filter((one) => 'found' in one);
    if (found.length === 1) chats.push(...found.map(({ chat }) => chat));
    else ambiguous.push(...both);
  }
  return [...chats, ...(await askWhichToAdd(ambiguous))];
}

/** Looks up IDs as groups and as users. If the user cancels, the unfinished lookups count as failed. */
async function lookUp(ids: readonly string[], { directory }: Service): Promise<LookupResult[][]> {
  if (ids.length === 0) return [];
  return showProgress(l10n.t('Looking up'), (report, cancellation) => {
    const signal = signalOf(cancellation);
    let done = 0;
    const lookUpAs = (type: Chat['type'], id: string): Promise<LookupResult> =>
      directory.get(type, id, { signal, accept: 'fresh' }).then(
        (found) => ({ chat: { type, id }, found }),
        (error: unknown) => ({ chat: { type, id }, error }),
      );
    return Promise.all(
      ids.map(async (id) => {
        const both = await Promise.all([lookUpAs('group', id), lookUpAs('user', id)]);
        report({ message: l10n.t('{0} of {1}', ++done, ids.length), increment: 100 / ids.length });
        return both;
      }),
    );
  });
}

async function askWhichToAdd(results: readonly LookupResult[]): Promise<Chat[]> {
  if (results.length === 0) return [];
  const items = results.map((result): ListItem & { chat: Chat } => {
    const { chat } = result;
    const action = chat.type === 'group' ? l10n.t('add as a group') : l10n.t('add as a person');
    const name = 'found' in result ? displayName(result.found) : chat.id;
    const detail = 'found' in result ? summaryOf(result.found) : errorText(result.error);
    const label = safeLabel(name, KIND_ICONS[chat.type]);
    return { chat, label, description: safeLabel(joinPhrases(chat.id, action)), detail: safeLabel(detail) };
  });
  const chosen = await pickMany(items, {
    title: l10n.t('Paste IDs'),
    placeHolder: l10n.t('Not found as groups or people. Select any you want to add anyway.'),
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  return chosen?.map(({ chat }) => chat) ?? [];
}
