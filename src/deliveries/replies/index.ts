/** What was answered to deliveries. Loaded on first use. */
import type { Disposable } from 'vscode';
import type { MessageArchive } from '../../chats/contract.ts';
import { once, restorePanels } from '../../platform/defer.ts';
import type { ActivationHost, Load } from '../../platform/host.ts';
import type { OutboxFeature } from '../outbox/index.ts';

/** The view type by which VS Code restores panels. */
const REPLIES_VIEW = 'botChats.replies';

type Lazy = Pick<typeof import('./repliesPanel.ts'), 'RepliesPanels'> &
  Pick<typeof import('./replyStore.ts'), 'openReplyStore'>;

/** `chosen` are the deliveries that a command is for. */
export function registerReplies(
  host: ActivationHost,
  { controller, folder }: Pick<OutboxFeature, 'controller' | 'folder'>,
  archive: MessageArchive,
  chosen: (clicked?: string, selected?: readonly string[]) => ReadonlySet<string>,
  load: Load<Lazy>,
): Disposable[] {
  const panels = once(async () => {
    const { RepliesPanels, openReplyStore, stored } = await load();
    return new RepliesPanels(REPLIES_VIEW, { ...host, ...stored, archive }, await controller(), openReplyStore(folder));
  });
  return [
    host.commands.register('findReplies', async (clicked, selected) => {
      const shown = await panels();
      const ids = [...chosen(clicked, selected)];
      await Promise.all(ids.map((id) => host.commands.report(() => shown.find(id))));
    }),
    restorePanels(REPLIES_VIEW, panels, host.commands),
  ];
}
