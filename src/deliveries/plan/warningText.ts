/** Warnings about a message, as the confirmation shows them. */
import { l10n } from 'vscode';
import { singleLineName, toSingleLine } from '../../presentation/describe.ts';
import {
  firstTexts,
  formatCount,
  formatDateTime,
  formatRoughDuration,
  formatTimestamp,
  joinNames,
  joinSentences,
} from '../../presentation/formats.ts';
import { systemClock } from '../../service/clock.ts';
import { problemText } from '../draft/editing/problemText.ts';
import { severalHostsText } from '../draft/editing/recipientProblemText.ts';
import { uncheckedText } from '../draft/editing/unknownRecipients.ts';
import { recipientText } from './confirmationText.ts';
import { emptyText } from './planText.ts';
import { MAX_FIRST, type Warning } from './warnings.ts';

const MAX_GROUPS = 3;
const MAX_PROBLEMS = 3;

/** A warning in one sentence. */
export function warningText(warning: Warning): string {
  switch (warning.kind) {
    case 'manyRecipients':
      return l10n.t('Large number of recipients: {0}.', formatCount(warning.count));
    case 'largeGroups': {
      const list = joinNames(firstTexts(warning.groups.map(singleLineName), MAX_GROUPS));
      return l10n.t('Large number of members: {0}, in {1}.', formatCount(warning.members), list);
    }
    case 'changed':
      return joinSentences(
        l10n.t('The text has changed since this document was last sent: {0}.', timeText(warning.at)),
        compareText(),
      );
    case 'changedSince':
      return joinSentences(
        l10n.t('The document has changed since this delivery. The resend sends what was sent then.'),
        compareText(),
      );
    case 'alreadySent':
      return joinSentences(alreadySentText(warning), notKnownText(warning));
    case 'scheduled':
      return warning.isSame
        ? l10n.t('This message is already scheduled for {0}.', formatDateTime(warning.due))
        : l10n.t('Another version of this document is scheduled for {0}.', formatDateTime(warning.due));
    case 'uncertain':
      return warning.count === 1
        ? l10n.t('1 recipient may already have this message. At worst, they get it twice.')
        : l10n.t(
            '{0} recipients may already have this message. At worst, they get it twice.',
            formatCount(warning.count),
          );
    case 'notFound': {
      const [only] = warning.first;
      if (warning.count === 1 && only) {
        return problemText({ code: 'unknownRecipient', args: [only.kind, singleLineName(only.id)] });
      }
      const first = warning.first.map(({ id }) => singleLineName(id));
      const list = joinNames(firstTexts(first, MAX_FIRST, warning.count));
      return l10n.t("{0} recipients don't exist: {1}.", formatCount(warning.count), list);
    }
    case 'notLookedUp':
      return uncheckedText(warning.count);
    case 'unreadable':
      return warning.count === 1
        ? l10n.t("1 delivery in the outbox can't be read. It may have sent this message before.")
        : l10n.t(
            "{0} deliveries in the outbox can't be read. They may have sent this message before.",
            formatCount(warning.count),
          );
    case 'emptyValue':
      return emptyText(warning.missing);
    case 'severalHosts':
      return severalHostsText(warning.name, warning.hosts);
    case 'longMessage':
      return l10n.t('Long message: {0} characters.', formatCount(warning.length));
    case 'manyCalls':
      return l10n.t(
        'Large number of calls: {0}, which take about {1}. Keep a window open until then.',
        formatCount(warning.calls),
        formatRoughDuration(warning.duration),
      );
    case 'mayRepeat':
      return l10n.t(
        "If a connection breaks, the browser may repeat a call by itself: some may get the message twice. VS Code on your computer or in a remote window doesn't.",
      );
    case 'undocumented':
      return l10n.t('The service may refuse HTML, or show it differently.');
  }
}

/** What the button does: the dialog can't stay open under an editor. */
const compareText = () => l10n.t('“Compare” opens both, and sends nothing.');

type AlreadySent = Extract<Warning, { kind: 'alreadySent' }>;

function alreadySentText({ bot, count, first, at }: AlreadySent): string {
  const to = count === 1 ? recipientText(first) : formatCount(count);
  const time = timeText(at);
  if (bot !== undefined) {
    const other = singleLineName(bot);
    return count === 1
      ? l10n.t('{0} already sent this message to {1}: {2}.', other, to, time)
      : l10n.t('{0} already sent this message to {1} of these recipients: {2}.', other, to, time);
  }
  return count === 1
    ? l10n.t('This message was already sent to {0}: {1}.', to, time)
    : l10n.t('This message was already sent to {0} of these recipients: {1}.', to, time);
}

/** Of how many it isn't known that they have it. They can't be left out. */
function notKnownText({ count, reached }: AlreadySent): string {
  const more = count - reached.size;
  if (more === 0) return '';
  if (count === 1) return l10n.t("It isn't known whether it arrived.");
  return more === 1
    ? l10n.t("Of 1 of them, it isn't known whether it arrived.")
    : l10n.t("Of {0} of them, it isn't known whether it arrived.", formatCount(more));
}

/** What the checks of a document warn about: the first few lines. */
export function problemLines(problems: readonly string[]): string[] {
  return firstTexts(
    problems.map((text) => `⚠ ${toSingleLine(text)}`),
    MAX_PROBLEMS,
  );
}

const timeText = (ms: number) => formatTimestamp(ms / 1000, systemClock.wall(), '');
