/** What resting the pointer on a row shows. */
import { l10n, type MarkdownString } from 'vscode';
import type { AvatarCache } from '../directory/avatarCache.ts';
import type { Directory } from '../directory/directory.ts';
import { cardOf } from '../presentation/card.ts';
import { displayName } from '../presentation/describe.ts';
import { errorText } from '../presentation/errorText.ts';
import type { RowState } from './rows.ts';
import { newsOf } from './treeItems.ts';
import type { WatchState } from './watch/serviceWatcher.ts';

export interface TooltipNeeds {
  readonly label: string | undefined;
  readonly watch: WatchState | undefined;
  /** A bot that can read and send. */
  readonly hasToken: boolean;
  readonly directory: Directory;
  readonly pictures: AvatarCache;
  /** The avatar came when the tooltip was made already: VS Code asks for another one once the row is painted again. */
  late(): void;
}

/** The card of a row, with its avatar where that loads, and what went wrong. */
export async function tooltipOf(state: RowState, needs: TooltipNeeds): Promise<MarkdownString | string> {
  const { found } = state;
  const notes = [...(state.at === 'failed' ? [errorText(state.error)] : []), ...watchNotes(needs)];
  if (needs.hasToken) notes.push(l10n.t('A token is saved: this bot can read and send.'));
  if (!found) return notes.join('\n');
  const picture = await needs.pictures.getSoon(found.resource.avatarUrl, needs);
  return cardOf(found, { notes, ...(needs.label && { label: needs.label }), ...(picture && { picture }) });
}

function watchNotes({ watch, directory }: TooltipNeeds): string[] {
  if (!watch) return [];
  const bot = directory.peek('bot', watch.botId);
  const watched = l10n.t('Watched as {0}', bot ? displayName(bot) : watch.botId);
  return [[watched, newsOf(watch)].filter(Boolean).join(' · '), ...(watch.error ? [errorText(watch.error)] : [])];
}
