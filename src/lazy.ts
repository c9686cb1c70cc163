/** All that is loaded after activation, when the person first needs some of it. */

export { chooseBot, removeToken, setToken } from './connecting/bots.ts';
export { connect, useSandbox } from './connecting/connect.ts';
export { offerToRemoveLeftovers } from './connecting/leftovers.ts';
export { askDraft } from './drafts/askDraft.ts';
export { chosenDraft, clickedFile, selectionDraft } from './drafts/draftSource.ts';
export { createEditing } from './drafts/editing/createEditing.ts';
export { PreviewPanel } from './drafts/preview/previewPanel.ts';
export { Previews } from './drafts/preview/previews.ts';
export { HistoryActions } from './history/historyCommands.ts';
export { Histories } from './history/historyPanels.ts';
export { Lookup } from './ids/idsController.ts';
export { Room } from './outbox/outboxController.ts';
export { openService } from './platform/openService.ts';
export { showError } from './presentation/showError.ts';
export { sendDraft } from './sending/send.ts';
export { Sidebar } from './sidebar/sidebar.ts';
