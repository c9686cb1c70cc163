/** The history panels, their commands, and links to chats. */
import { type Disposable, commands as vscodeCommands, window } from 'vscode';
import { onDidChangeSettings } from '../../platform/configuration.ts';
import { lazy, methodsOf, restorePanels } from '../../platform/defer.ts';
import { type ActivationHost, wholeHost } from '../../platform/host.ts';
import type { ArchivedChats, MessageArchive } from '../contract.ts';

/** The view type by which VS Code restores the panels. */
const VIEW_TYPE = 'botChats.history';

export function registerHistory(
  host: ActivationHost,
  { archive, archived }: { archive: MessageArchive; archived: ArchivedChats },
) {
  const { chatEvents, commands } = host;
  const panels = lazy(async () => {
    const { HistoryPanels } = await import('./historyPanels.ts');
    return new HistoryPanels(VIEW_TYPE, { ...(await wholeHost(host)), archive, archived });
  });
  const historyCommands = lazy(async () => {
    const { HistoryCommands } = await import('./commands/historyCommands.ts');
    return new HistoryCommands(await panels(), { ...(await wholeHost(host)), archive });
  });
  const messages = lazy(async () => {
    const { messageReader } = await import('./historySource.ts');
    return messageReader({ ...(await wholeHost(host)), archive });
  });
  const disposables: Disposable[] = [
    window.registerUriHandler({
      handleUri: (uri) => commands.report(async () => (await panels()).openLink(uri)),
    }),
    ...commands.registerAll(panels, 'openHistory', 'openHistoryAs', 'openLink', 'openMessage'),
    ...commands.registerAll(
      historyCommands,
      'archiveHere',
      'backToResults',
      'copyMessage',
      'copyMessageId',
      'copyMessageJson',
      'copyMessageLink',
      'copyMessageMarkdown',
      'exportHistory',
      'findInHistory',
      'goToDate',
      'goToMessage',
      'loadHistory',
      'newMessageHere',
      'searchFromSender',
      'searchHere',
      'showDeliveriesHere',
      'showStatisticsHere',
      'toggleRemoteImages',
      'useAsDraft',
    ),
    restorePanels(VIEW_TYPE, panels, commands),
    onDidChangeSettings(['history.remoteImagesIn'], async () => (await panels.loaded)?.reload()),
    // Completes a step of the walkthrough.
    chatEvents.onDidRead(() => void vscodeCommands.executeCommand('setContext', 'botChats.hasReadHistory', true)),
    chatEvents.onDidArrive(async (service, chats) => (await panels.loaded)?.loadNewer(service, chats)),
  ];
  return { disposables, messages: methodsOf(messages, 'read') };
}
