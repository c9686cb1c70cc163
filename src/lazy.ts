/**
 * All that is loaded after activation, on first use. A file of its own: one file for everything takes three times as long to
 * activate. A module that both need exists twice at run time, and must have no state.
 */
export { createTools } from './agent/createTools.ts';
export { AudienceManager } from './audiences/audienceManager.ts';
export { ArchiveController } from './chats/archiving/archiveController.ts';
export { problemItem } from './chats/archiving/archiveItems.ts';
export { SearchPanel } from './chats/archiving/search/searchPanel.ts';
export { StatisticsPanels } from './chats/archiving/statistics/statisticsPanels.ts';
export { HistoryCommands } from './chats/history/historyCommands.ts';
export { HistoryPanels } from './chats/history/historyPanels.ts';
export { readPage } from './chats/history/historySource.ts';
export { chooseBot, removeToken, setToken } from './connecting/bots.ts';
export { addBotChats } from './connecting/chatsOfBots.ts';
export { connect, offerToRemoveLeftovers, useSandbox } from './connecting/connect.ts';
export { askWhatToSend, chooseDocument, clickedFile } from './deliveries/draft/chooseDocument.ts';
export { DraftPrompt } from './deliveries/draft/draftPrompt.ts';
export { DraftReader } from './deliveries/draft/draftReader.ts';
export { createEditing } from './deliveries/draft/editing/createEditing.ts';
export { openNewDraft, openPersonalDraft, openWrittenDraft } from './deliveries/draft/newDraft.ts';
export { PreviewController } from './deliveries/draft/preview/previewController.ts';
export { selectionDraft } from './deliveries/draft/selection.ts';
export { readerOf } from './deliveries/outbox/deliverySummary.ts';
export { OutboxController } from './deliveries/outbox/outboxController.ts';
export { resumeDelivery, sendDeliveryNow } from './deliveries/outbox/runDelivery.ts';
export { RepliesPanels } from './deliveries/replies/repliesPanel.ts';
export { openReplyStore } from './deliveries/replies/replyStore.ts';
export { DraftSender } from './deliveries/send/draftSender.ts';
export { openEdited, readDraft } from './deliveries/send/editedDraft.ts';
export { chooseDeliveryTo } from './deliveries/view/chatDeliveries.ts';
export { Comparison } from './deliveries/view/comparison.ts';
export { OutboxTree } from './deliveries/view/outboxTree.ts';
export { copyReport } from './deliveries/view/report.ts';
export { ReportPanels } from './deliveries/view/reportPanel.ts';
export { ScheduleController } from './deliveries/view/scheduleController.ts';
export { IdsController } from './ids/idsController.ts';
export { MoveController } from './moving/moveController.ts';
export { parseArguments } from './platform/commandArguments.ts';
export { createStored } from './platform/createStored.ts';
export { openService } from './platform/openService.ts';
export { showError } from './presentation/errorText.ts';
export { Sidebar } from './sidebar/sidebar.ts';
