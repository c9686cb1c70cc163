/** The tooltip of a row. */
import { l10n, type MarkdownString } from 'vscode';
import type { AvatarCache } from '../directory/avatarCache.ts';
import type { Directory } from '../directory/directory.ts';
import type { Refusal } from '../platform/tokens.ts';
import { cardOf } from '../presentation/card.ts';
import { nameOrId } from '../presentation/describe.ts';
import { errorText } from '../presentation/errorText.ts';
import { onListText } from '../presentation/neverSend.ts';
import { refusalText } from '../presentation/tokenState.ts';
import type { Match } from './activity/activityRules.ts';
import { matchText } from './activity/activityTexts.ts';
import { unreadText } from './nodeItems.ts';
import type { RowState } from './rows.ts';
import type { WatchState } from './watch/watchList.ts';

export interface TooltipContext {
  readonly watch: WatchState | undefined;
  /** Why its new messages need the user. */
  readonly match: Match | undefined;
  /** A bot that can read and send, because its token is saved. */
  readonly hasToken: boolean;
  /** How the service refused that token, if it did. */
  readonly refusal: Refusal | undefined;
  /** The note on the *Do Not Send* list, perhaps empty; undefined for a chat that isn't on it. */
  readonly never: string | undefined;
  readonly directory: Directory;
  readonly avatars: AvatarCache;
  /** Called when the avatar arrives too late. VS Code requests the tooltip again after the row is repainted. */
  onLateAvatar(): void;
}

/** The card of a row, with its avatar if it loads in time, and its errors. */
export async function tooltipOf(state: RowState, context: TooltipContext): Promise<MarkdownString | string> {
  const { found } = state;
  const notes = [...(state.status === 'failed' ? [errorText(state.error)] : []), ...watchNotes(context)];
  if (context.never !== undefined) notes.push(onListText(context.never));
  if (context.refusal) notes.push(l10n.t('The token was refused. {0}', refusalText(context.refusal)));
  else if (context.hasToken) notes.push(l10n.t('Token saved. This bot can read and send messages.'));
  if (!found) return notes.join('\n');
  const avatar = await context.avatars.getSoon(found.resource.avatarUrl, { late: () => context.onLateAvatar() });
  return cardOf(found, { notes, avatar, known: context.directory });
}

function watchNotes({ watch, match, directory }: TooltipContext): string[] {
  if (!watch) return [];
  const watched = l10n.t('Watching as {0}', nameOrId(directory, 'bot', watch.botId));
  const unread = match ? l10n.t('{0} ({1})', unreadText(watch), matchText(match)) : unreadText(watch);
  return [[watched, unread].filter(Boolean).join(' · '), ...(watch.error ? [errorText(watch.error)] : [])];
}
