/** All that is loaded after activation, on first use. */
export { chooseBot, removeToken, setToken } from './connecting/bots.ts';
export { connect, useSandbox } from './connecting/connect.ts';
export { offerToRemoveLeftovers } from './connecting/sandboxLeftovers.ts';
export { DraftPrompt } from './drafts/draftPrompt.ts';
export { askWhatToSend, clickedFile, DraftReader, selectionDraft } from './drafts/draftReader.ts';
export { createEditing } from './drafts/editing/createEditing.ts';
export { openNewDraft } from './drafts/newDraft.ts';
export { PreviewController } from './drafts/preview/previewController.ts';
export { HistoryCommands } from './history/historyCommands.ts';
export { HistoryPanels } from './history/historyPanels.ts';
export { IdsController } from './ids/idsController.ts';
export { OutboxController } from './outbox/outboxController.ts';
export { parseArguments } from './platform/commandArguments.ts';
export { createStored } from './platform/createStored.ts';
export { openService } from './platform/openService.ts';
export { showError } from './presentation/errorText.ts';
export { DraftSender } from './sending/draftSender.ts';
export { Sidebar } from './sidebar/sidebar.ts';
