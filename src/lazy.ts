/** All that is loaded after activation, when the person first needs some of it. */
export { chooseBot, removeToken, setToken } from './connecting/bots.ts';
export { connect, useSandbox } from './connecting/connect.ts';
export { offerToRemoveLeftovers } from './connecting/leftovers.ts';
export { askDraft } from './drafts/askDraft.ts';
export { chosenDraft, clickedFile, selectionDraft } from './drafts/draftSource.ts';
export { createEditing } from './drafts/editing/createEditing.ts';
export { PreviewPanel } from './drafts/preview/previewPanel.ts';
export { PreviewController } from './drafts/preview/previews.ts';
export { HistoryCommands } from './history/historyCommands.ts';
export { HistoryPanels } from './history/historyPanels.ts';
export { IdsController } from './ids/idsController.ts';
export { OutboxController } from './outbox/outboxController.ts';
export { openService } from './platform/openService.ts';
export { showError } from './presentation/showError.ts';
export { sendDraft } from './sending/send.ts';
export { Sidebar } from './sidebar/sidebar.ts';
