/** Warnings about a message, as the confirmation shows them. */
import { l10n } from 'vscode';
import { singleLineName } from '../presentation/describe.ts';
import { formatCount, formatTimestamp } from '../presentation/formats.ts';
import { moreText, recipientText } from './confirmationText.ts';
import type { Warning } from './warnings.ts';

const MAX_GROUPS = 3;

/** A warning in one sentence. */
export function warningText(warning: Warning): string {
  switch (warning.kind) {
    case 'manyRecipients':
      return l10n.t('Large number of recipients: {0}.', formatCount(warning.count));
    case 'largeGroups': {
      const shown = warning.groups.slice(0, MAX_GROUPS).map(singleLineName);
      const list = [...shown, ...moreText(warning.groups.length - shown.length)].join(', ');
      return l10n.t('Large number of members: {0}, in {1}.', formatCount(warning.members), list);
    }
    case 'changed':
      return l10n.t('The text has changed since this document was last sent: {0}.', timeText(warning.at));
    case 'alreadySent':
      return warning.count === 1
        ? l10n.t('This message was already sent to {0}: {1}.', recipientText(warning.first), timeText(warning.at))
        : l10n.t(
            'This message was already sent to {0} of them: {1}.',
            formatCount(warning.count),
            timeText(warning.at),
          );
    case 'uncertain':
      return warning.count === 1
        ? l10n.t('1 recipient may already have this message.')
        : l10n.t('{0} recipients may already have this message.', formatCount(warning.count));
    case 'unreadable':
      return warning.count === 1
        ? l10n.t("1 delivery in the outbox can't be read. It may have sent this message before.")
        : l10n.t(
            "{0} deliveries in the outbox can't be read. They may have sent this message before.",
            formatCount(warning.count),
          );
    case 'undocumented':
      return l10n.t('The service may refuse HTML, or show it differently.');
  }
}

const timeText = (ms: number) => formatTimestamp(ms / 1000, Date.now(), '');
