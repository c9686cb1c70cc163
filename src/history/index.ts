/** Message history, wired to VS Code. */
import { type Disposable, window } from 'vscode';
import type { PreviewOwner } from '../drafts/preview/previewPanel.ts';
import type { Register } from '../platform/commands.ts';
import type { Service } from '../platform/service.ts';
import { onDidChangeSettings } from '../platform/settings.ts';
import type { Chat } from '../service/model.ts';
import type { HistoryNeeds, HistoryPanels } from './historyPanels.ts';

/** The type of the panels, by which VS Code restores them. */
const VIEW = 'botChats.history';

/** Commands for the history in front, and for a message in it. */
const ACTIONS = [
  ...(['findInHistory', 'goToMessage', 'loadHistory', 'exportHistory', 'togglePictures'] as const),
  ...(['copyMessage', 'copyMessageMarkdown', 'copyMessageJson', 'copyMessageId', 'useAsDraft'] as const),
];

type Later = () => Promise<
  Pick<typeof import('./historyPanels.ts'), 'HistoryPanels'> &
    Pick<typeof import('./historyCommands.ts'), 'HistoryCommands'> &
    Pick<typeof import('../drafts/preview/previewPanel.ts'), 'PreviewPanel'>
>;

export function registerHistory(needs: HistoryNeeds, register: Register, later: Later) {
  let loaded: Promise<HistoryPanels> | undefined;
  const histories = () => {
    loaded ??= later().then(({ HistoryPanels }) => new HistoryPanels(VIEW, needs));
    return loaded;
  };
  const disposables: Disposable[] = [
    register('openHistory', async (clicked?: unknown, selected?: unknown) =>
      (await histories()).openAny(clicked, selected),
    ),
    register('openHistoryAs', async (clicked?: unknown, selected?: unknown) =>
      (await histories()).openAny(clicked, selected, { ask: true }),
    ),
    ...ACTIONS.map((name) =>
      register(name, async (context?: unknown) => {
        const { HistoryCommands } = await later();
        await new HistoryCommands(await histories(), needs)[name](context);
      }),
    ),
    window.registerWebviewPanelSerializer(VIEW, {
      deserializeWebviewPanel: async (panel, state) => (await histories()).restore(panel, state),
    }),
    onDidChangeSettings(['history.picturesIn'], async () => (await loaded)?.reload()),
  ];
  return {
    disposables,
    /** Opens the history of a chat as a bot reads it. */
    open: async (chat: Chat, reader: string) => (await histories()).open(chat, reader),
    /** Opens a panel that shows a draft as a history would, and tells its owner what happens in it. */
    openPreview: async (title: string, owner: PreviewOwner) => {
      const { PreviewPanel } = await later();
      return new PreviewPanel(title, owner, needs);
    },
    /** Shows new messages in the open panels of these chats. */
    loadNewer: async (service: Service, chats: readonly Chat[]) => (await loaded)?.loadNewer(service, chats),
  };
}
