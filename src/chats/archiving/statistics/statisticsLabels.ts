/** The labels of the statistics, in the page and as CSV. */
import { l10n } from 'vscode';
import type { StatisticsLabels } from '../../../protocol/statistics.ts';

/** Labels in the display language. */
export function statisticsLabels(): StatisticsLabels {
  return {
    update: l10n.t('Update'),
    saveCsv: l10n.t('Save as CSV…'),
    copyCsv: l10n.t('Copy as CSV'),
    empty: l10n.t('No messages in this chat are archived yet.'),
    messages: l10n.t('Messages'),
    firstMessage: l10n.t('First message'),
    lastMessage: l10n.t('Last message'),
    senders: l10n.t('Senders'),
    withButtons: l10n.t('With buttons'),
    commands: l10n.t('Commands'),
    unreadable: l10n.t('Unreadable'),
    withoutTime: l10n.t('Without a time'),
    byDay: l10n.t('Messages by Day'),
    byWeek: l10n.t('Messages by Week'),
    byMonth: l10n.t('Messages by Month'),
    byQuarter: l10n.t('Messages by Quarter'),
    byYear: l10n.t('Messages by Year'),
    byHour: l10n.t('Messages by Weekday and Hour'),
    bySender: l10n.t('Messages by Sender'),
    byKind: l10n.t('Messages by Type'),
    byCommand: l10n.t('Commands by Name'),
    byButton: l10n.t('Buttons by Text'),
    others: l10n.t('{0} others'),
    most: l10n.t('Most: {0} ({1})'),
    value: l10n.t('{0}: {1}'),
    searchHint: l10n.t('Select a bar to search for its messages.'),
    notShown: l10n.t('Not shown: {0} messages dated years apart from the rest.'),
    buttonsIn: l10n.t('In the newest {0} messages with buttons.'),
    showNumbers: l10n.t('Show Numbers'),
    section: l10n.t('Section'),
    label: l10n.t('Label'),
    period: l10n.t('Period'),
    hour: l10n.t('Hour'),
    sender: l10n.t('Sender'),
    kind: l10n.t('Type'),
    command: l10n.t('Command'),
    button: l10n.t('Button'),
    count: l10n.t('Count'),
    share: l10n.t('Share'),
  };
}
