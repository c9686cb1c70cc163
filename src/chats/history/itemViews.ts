/** Converts the timeline's items and edges to what the page displays. */
import { knownType } from '../../markup/messageContent.ts';
import { NoTokenError } from '../../presentation/botChatClient.ts';
import { errorText } from '../../presentation/errorText.ts';
import { l10n, type ShownText } from '../../presentation/shown.ts';
import type { EdgeView, PageItem } from '../../protocol/history.ts';
import { isFailure, isTransient, mayNeedAddress, mayNeedToken } from '../../service/errors.ts';
import { LostAnchorError } from '../../service/messagePages.ts';
import type { Edge, TimelineItem } from './timelineItems.ts';

export function itemView(item: TimelineItem): PageItem {
  if (item.type === 'gap') return { type: 'gap', key: `gap ${item.id}`, id: item.id, edge: edgeView(item.edge) };
  const { key, entry } = item;
  if (!entry.readable) return { type: 'unreadable', key, raw: entry.raw };
  const { message, raw } = entry;
  return { type: 'message', key, message, raw: knownType(message) ? undefined : raw };
}

export function edgeView(edge: Edge): EdgeView {
  if (edge.at !== 'failed') return edge;
  const { error } = edge;
  const fix = fixOf(error);
  return { at: 'failed', text: edgeText(error), ...(fix && { fix }) };
}

function fixOf(error: unknown): 'setToken' | 'changeAddress' | undefined {
  if (error instanceof NoTokenError || mayNeedToken(error)) return 'setToken';
  return mayNeedAddress(error) ? 'changeAddress' : undefined;
}

/** Whether polling makes sense: a rejection (of the token, for example) stands until the user acts. */
export function canReload(edge: Edge): boolean {
  if (edge.at === 'failed') return !isFailure(edge.error, 'rejected') || isTransient(edge.error);
  return edge.at !== 'loading';
}

function edgeText(error: unknown): ShownText {
  if (!(error instanceof LostAnchorError)) return errorText(error);
  return l10n.t('The service no longer returns the messages needed to load more.');
}
