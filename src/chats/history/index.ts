/** Registers the history panels and their commands. */
import { type Disposable, commands as vscodeCommands, window } from 'vscode';
import { once, restorePanels } from '../../platform/defer.ts';
import type { ActivationHost, Load } from '../../platform/host.ts';
import type { ArchivedChats, MessageArchive, MessageReader } from '../contract.ts';

/** The view type by which VS Code restores the panels. */
const VIEW_TYPE = 'botChats.history';

const COMMANDS = [
  'findInHistory',
  'goToMessage',
  'backToResults',
  'loadHistory',
  'newMessageHere',
  'toggleRemoteImages',
  'archiveHere',
  'searchHere',
  'showStatisticsHere',
  'showDeliveriesHere',
] as const;
const MESSAGE_COMMANDS = [
  'copyMessage',
  'copyMessageMarkdown',
  'copyMessageJson',
  'copyMessageId',
  'copyMessageLink',
  'searchFromSender',
  'useAsDraft',
] as const;

type Lazy = Pick<typeof import('./historyPanels.ts'), 'HistoryPanels'> &
  Pick<typeof import('./historyCommands.ts'), 'HistoryCommands'> &
  Pick<typeof import('./historySource.ts'), 'readPage'>;

export function registerHistory(
  host: ActivationHost,
  { archive, archived }: { archive: MessageArchive; archived: ArchivedChats },
  load: Load<Lazy>,
) {
  const { chatEvents, commands, settings } = host;
  const panels = once(() =>
    load().then(({ HistoryPanels, stored }) => new HistoryPanels(VIEW_TYPE, { ...host, ...stored, archive, archived })),
  );
  const historyCommands = once(() =>
    load().then(
      async ({ HistoryCommands, stored }) => new HistoryCommands(await panels(), { ...host, ...stored, archive }),
    ),
  );
  const messages: MessageReader = {
    read: async (...args) => (await load()).readPage({ ...host, archive }, ...args),
  };
  const disposables: Disposable[] = [
    window.registerUriHandler({
      handleUri: (uri) => commands.report(async () => (await panels()).openLink(uri)),
    }),
    commands.register('openHistory', async (clicked, selected) => (await panels()).openChats(clicked, selected)),
    commands.register('openHistoryAs', async (clicked, selected) =>
      (await panels()).openChats(clicked, selected, { ask: true }),
    ),
    commands.register('openLink', async (address) => address && (await panels()).openLink(address)),
    commands.register('openMessage', async (message) => message && (await panels()).openMessage(message)),
    commands.register('exportHistory', async (clicked) => (await historyCommands()).exportHistory(clicked)),
    commands.register('goToDate', async (from) => (await historyCommands()).goToDate(from)),
    ...COMMANDS.map((name) => commands.register(name, async () => (await historyCommands())[name]())),
    ...MESSAGE_COMMANDS.map((name) =>
      commands.register(name, async (context) => (await historyCommands())[name](context)),
    ),
    restorePanels(VIEW_TYPE, panels, commands),
    settings.onDidChange(['history.remoteImagesIn'], async () => (await panels.loaded)?.reload()),
    // Completes a step of the walkthrough.
    chatEvents.onDidRead(() => void vscodeCommands.executeCommand('setContext', 'botChats.hasReadHistory', true)),
    chatEvents.onDidArrive(async (service, chats) => (await panels.loaded)?.loadNewer(service, chats)),
  ];
  return { disposables, messages };
}
