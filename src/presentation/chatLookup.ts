/** Looks up IDs as groups and as users, to tell which they are. */
import { l10n } from 'vscode';
import { signalOf } from '../platform/cancellation.ts';
import type { Service } from '../platform/service.ts';
import type { Chat, Found } from '../service/model.ts';
import { TimeSlices } from '../service/timeSlices.ts';
import { displayName, KIND_ICONS, summaryOf } from './describe.ts';
import { type ListItem, safeLabel, showProgress } from './dialogs.ts';
import { errorText } from './errorText.ts';
import { joinPhrases } from './factParts.ts';

/** The result of looking up an ID as a group or as a user. */
export interface ChatLookup {
  readonly chat: Chat;
  readonly found?: Found;
  readonly error?: unknown;
}

const TYPES = ['group', 'user'] as const;
/** The queue of lookups gets slow with very many. */
const MAX_AT_ONCE = 100;

/**
 * Looks up IDs, each as a group and as a user unless its type is known. If the user cancels, the unfinished lookups count
 * as failed.
 */
export async function lookUpChats(
  wanted: readonly { readonly id: string; readonly type?: Chat['type'] }[],
  { directory }: Service,
): Promise<ChatLookup[][]> {
  if (wanted.length === 0) return [];
  return showProgress(l10n.t('Looking up'), async (report, cancellation) => {
    const signal = signalOf(cancellation);
    const slices = new TimeSlices();
    const results: ChatLookup[][] = [];
    let done = 0;
    const lookUpAs = (type: Chat['type'], id: string): Promise<ChatLookup> =>
      directory.get(type, id, { signal, accept: 'fresh' }).then(
        (found) => ({ chat: { type, id }, found }),
        (error: unknown) => ({ chat: { type, id }, error }),
      );
    for (let start = 0; start < wanted.length; start += MAX_AT_ONCE) {
      const some = wanted.slice(start, start + MAX_AT_ONCE).map(async ({ id, type }) => {
        const all = await Promise.all((type ? [type] : TYPES).map((one) => lookUpAs(one, id)));
        report({ message: l10n.t('{0} of {1}', ++done, wanted.length), increment: 100 / wanted.length });
        return all;
      });
      results.push(...(await Promise.all(some)));
      if (slices.isOver) await slices.pause();
    }
    return results;
  });
}

/** An item that says what an ID is, or why that isn't known, and as what it would be added. */
export function lookupItem({ chat, found, error }: ChatLookup): ListItem & { chat: Chat } {
  const action = chat.type === 'group' ? l10n.t('add as a group') : l10n.t('add as a person');
  const label = safeLabel(found ? displayName(found) : chat.id, KIND_ICONS[chat.type]);
  const detail = found ? summaryOf(found) : errorText(error);
  return { chat, label, description: safeLabel(joinPhrases(chat.id, action)), detail: safeLabel(detail) };
}
