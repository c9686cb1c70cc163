/** Recipients by their IDs, many at once: each ID is looked up as a group and as a user. */
import { l10n } from 'vscode';
import { signalOf } from '../platform/cancellation.ts';
import type { Service } from '../platform/service.ts';
import { displayName, KIND_ICONS, summaryOf } from '../presentation/describe.ts';
import { askInput, type ListItem, pickMany, safeLabel, showProgress } from '../presentation/dialogs.ts';
import { errorText } from '../presentation/errorText.ts';
import { joinPhrases } from '../presentation/factParts.ts';
import { parseIds } from '../service/fields.ts';
import { type Chat, chatKey, type Found } from '../service/model.ts';

/** What a lookup said of an ID as one of a type. */
type LookupResult = { chat: Chat } & ({ found: Found } | { error: unknown });

/**
 * Asks for IDs and resolves to the chats that they belong to: `listed` ones, those that are found, and of the rest,
 * and of an ID that is both a group's and a user's, those that the person wants. `typed` holds what stands in the box.
 */
export async function pasteRecipients(
  service: Service,
  listed: ReadonlyMap<string, Chat>,
  typed: { text: string },
): Promise<readonly Chat[]> {
  const text = await askInput({
    title: l10n.t('Paste IDs'),
    prompt: l10n.t('IDs of groups and people, with blanks or commas between them. Each is looked up.'),
    value: typed.text,
    ignoreFocusOut: true,
    validateInput: (now) => {
      // Escape tells nobody what was typed.
      typed.text = now;
      return parseIds(now).length > 0 ? undefined : l10n.t('Type or paste at least one ID.');
    },
  });
  if (text === undefined) return [];
  typed.text = text;
  const clear: Chat[] = [];
  const strange: string[] = [];
  for (const id of parseIds(text)) {
    const rows = (['group', 'user'] as const).flatMap((type) => listed.get(chatKey({ type, id })) ?? []);
    const [row, other] = rows.filter(({ type }) => service.directory.peek(type, id));
    if (row && !other) clear.push(row);
    else strange.push(id);
  }
  const unclear: LookupResult[] = [];
  for (const both of await lookUp(strange, service)) {
    const found = both.filter((one) => 'found' in one);
    if (found.length === 1) clear.push(...found.map(({ chat }) => chat));
    else unclear.push(...both);
  }
  return [...clear, ...(await askWhichToAdd(unclear))];
}

/** Looks all of them up; what was not answered when the person cancels is a failure like others. */
async function lookUp(ids: readonly string[], { directory }: Service): Promise<LookupResult[][]> {
  if (ids.length === 0) return [];
  return showProgress(l10n.t('Looking up'), (report, cancellation) => {
    const signal = signalOf(cancellation);
    let done = 0;
    const as = (type: Chat['type'], id: string): Promise<LookupResult> =>
      directory.get(type, id, { signal, accept: 'fresh' }).then(
        (found) => ({ chat: { type, id }, found }),
        (error: unknown) => ({ chat: { type, id }, error }),
      );
    return Promise.all(
      ids.map(async (id) => {
        const both = await Promise.all([as('group', id), as('user', id)]);
        report({ message: l10n.t('{0} of {1}', ++done, ids.length), increment: 100 / ids.length });
        return both;
      }),
    );
  });
}

async function askWhichToAdd(answers: readonly LookupResult[]): Promise<Chat[]> {
  if (answers.length === 0) return [];
  const items = answers.map((answer): ListItem & { chat: Chat } => {
    const { chat } = answer;
    const as = chat.type === 'group' ? l10n.t('add as a group') : l10n.t('add as a person');
    const name = 'found' in answer ? displayName(answer.found) : chat.id;
    const detail = 'found' in answer ? summaryOf(answer.found) : errorText(answer.error);
    const label = safeLabel(name, KIND_ICONS[chat.type]);
    return { chat, label, description: safeLabel(joinPhrases(chat.id, as)), detail: safeLabel(detail) };
  });
  const chosen = await pickMany(items, {
    title: l10n.t('Paste IDs'),
    placeHolder: l10n.t('It is not clear what these belong to. Tick what you want to add anyway.'),
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  return chosen?.map(({ chat }) => chat) ?? [];
}
