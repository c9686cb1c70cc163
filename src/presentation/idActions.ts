/** Actions for a group, bot or user, wherever its name or ID appears. */
import { l10n } from 'vscode';
import type { IdActionName } from '../protocol/history.ts';
import type { Reference } from '../service/model.ts';

export interface IdAction {
  /** The command, without `botChats.`. */
  readonly name: IdActionName;
  readonly icon: string;
  readonly label: string;
}

/** The actions, most likely first. A bot has no history of its own and receives no messages. */
export function actionsFor({ kind }: Pick<Reference, 'kind'>, isListed: boolean): IdAction[] {
  const chat: IdAction[] = [
    { name: 'openHistory', icon: 'comment-discussion', label: l10n.t('Open History') },
    { name: 'newMessage', icon: 'edit', label: l10n.t('New Message…') },
    { name: 'send', icon: 'send', label: l10n.t('Send…') },
    { name: 'showDeliveries', icon: 'inbox', label: l10n.t('Show Deliveries…') },
  ];
  return [
    ...(kind === 'bot' ? [] : chat),
    { name: 'copyId', icon: 'copy', label: l10n.t('Copy ID') },
    ...(isListed ? [] : [{ name: 'addToSidebar', icon: 'add', label: l10n.t('Add to Sidebar') } as const]),
  ];
}
