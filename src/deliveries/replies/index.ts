/** What was answered to deliveries. */
import type { Disposable } from 'vscode';
import type { MessageArchive } from '../../chats/contract.ts';
import { lazy, restorePanels } from '../../platform/defer.ts';
import { type ActivationHost, wholeHost } from '../../platform/host.ts';
import type { OutboxFeature } from '../outbox/index.ts';

/** The view type by which VS Code restores panels. */
const REPLIES_VIEW = 'botChats.replies';

/** `chosen` are the deliveries that a command is for. */
export function registerReplies(
  host: ActivationHost,
  { controller, folder }: Pick<OutboxFeature, 'controller' | 'folder'>,
  archive: MessageArchive,
  chosen: (clicked?: string, selected?: readonly string[]) => ReadonlySet<string>,
): Disposable[] {
  const { commands } = host;
  const panels = lazy(async () => {
    const [{ RepliesPanels }, { openReplyStore }] = await Promise.all([
      import('./repliesPanel.ts'),
      import('./replyStore.ts'),
    ]);
    const whole = { ...(await wholeHost(host)), archive };
    return new RepliesPanels(REPLIES_VIEW, whole, await controller(), openReplyStore(folder));
  });
  return [
    commands.register('findReplies', async (clicked, selected) => {
      const shown = await panels();
      const ids = [...chosen(clicked, selected)];
      await Promise.all(ids.map((id) => commands.report(() => shown.find(id))));
    }),
    restorePanels(REPLIES_VIEW, panels, commands),
  ];
}
