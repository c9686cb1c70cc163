/** The labels that the search page shows. */
import { l10n } from 'vscode';
import type { SearchLabels } from '../../../protocol/search.ts';

/** In the display language. */
export function searchLabels(): SearchLabels {
  return {
    query: l10n.t('Search messages'),
    queryHint: l10n.t('Words, "exact phrase", begin*, -without'),
    filters: l10n.t('Filters'),
    activeFilters: l10n.t('Filters ({0})'),
    chat: l10n.t('Chat'),
    allChats: l10n.t('All chats'),
    groups: l10n.t('Groups'),
    people: l10n.t('People'),
    sender: l10n.t('Sender'),
    allSenders: l10n.t('All senders'),
    noSender: l10n.t('No matching senders'),
    kind: l10n.t('Type'),
    allKinds: l10n.t('All types'),
    from: l10n.t('From'),
    to: l10n.t('To'),
    withButtons: l10n.t('With buttons'),
    commands: l10n.t('Commands'),
    withoutQuoted: l10n.t('Without quoted text'),
    order: l10n.t('Sort order'),
    newestFirst: l10n.t('Newest first'),
    byRelevance: l10n.t('By relevance'),
    results: l10n.t('Results'),
    resultCountOne: l10n.t('1 result'),
    resultCount: l10n.t('{0} results'),
    resultsSoFar: l10n.t('{0}+ results'),
    noMore: l10n.t('No more results.'),
    nothingFound: l10n.t('No archived messages match. Try fewer words or filters.'),
    nothingArchived: l10n.t('No messages are archived yet. Archive chats to search their messages, even offline.'),
    archiveChats: l10n.t('Archive Chats…'),
    searching: l10n.t('Searching…'),
    retry: l10n.t('Retry'),
    cannotOpen: l10n.t("This message has no ID, so it can't be opened."),
  };
}
