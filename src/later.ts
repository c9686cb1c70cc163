/** All that is loaded after activation, when the person first needs some of it. */
export { Sidebar } from './chats/sidebar.ts';
export { chooseBot, removeToken, setToken } from './connecting/bots.ts';
export { connect, useSandbox } from './connecting/connect.ts';
export { offerToRemoveLeftovers } from './connecting/leftovers.ts';
export { HistoryActions } from './history/actions.ts';
export { Histories } from './history/histories.ts';
export { PreviewPanel } from './history/preview.ts';
export { Lookup } from './lookup/lookup.ts';
export { createEditing } from './sending/editing/editing.ts';
export { Previews } from './sending/preview.ts';
export { Room } from './sending/room.ts';
export { sendDraft } from './sending/send.ts';
export { askDraft } from './sending/sendAs.ts';
export { chosenDraft, clickedFile, selectionDraft } from './sending/source.ts';
export { showError } from './words/showError.ts';
export { openService } from './workbench/openService.ts';
