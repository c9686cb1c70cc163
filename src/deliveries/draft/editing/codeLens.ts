/** Code lenses above the front matter of a draft. */
import { CodeLens, l10n, Range, type TextDocument } from 'vscode';
import { countText } from '../../../presentation/chatItems.ts';
import { formatCount, formatDateTime, formatShortTime } from '../../../presentation/formats.ts';
import { systemClock } from '../../../service/clock.ts';
import type { EditedMessage, ScheduledMessage } from '../../contract.ts';
import { countedProblems, type Problem } from '../document/problem.ts';
import { type DraftReader, versionText } from '../draftReader.ts';
import { listed, NO_RULES } from '../leaveOut.ts';
import type { DraftCache } from './draftCache.ts';

export function codeLenses(
  document: TextDocument,
  drafts: DraftCache,
  reader: Pick<DraftReader, 'countOf'>,
  problems: readonly Problem[],
  { edited, scheduled }: { edited: EditedMessage | undefined; scheduled: ScheduledMessage | undefined },
): CodeLens[] {
  const draft = drafts.get(document);
  if (!draft.hasBlock) return [];
  const { length: count } = countedProblems(problems);
  const { table, rules = NO_RULES } = drafts.lastRead(document) ?? {};
  const all = edited ? rules.with('needless', listed(edited.needless)) : rules;
  const send = {
    command: 'botChats.sendActiveMarkdown',
    title: sendTitle(reader.countOf(draft, draft.recipientFile && table, all)),
    arguments: [document.uri],
  };
  const show = {
    command: 'workbench.actions.view.problems',
    title: count === 1 ? l10n.t('1 problem') : l10n.t('{0} problems', formatCount(count)),
  };
  const preview = { command: 'botChats.preview', title: l10n.t('Preview'), arguments: [document.uri] };
  const top = new Range(0, 0, 0, 0);
  const canSend = problems.every(({ severity }) => severity !== 'error');
  const edits = edited && {
    command: 'botChats.openReport',
    // A narrow editor cuts off a longer one.
    title: l10n.t('Edits the message due {0}', formatShortTime(edited.due, systemClock.wall())),
    tooltip: l10n.t(
      'It was scheduled for {0}. To schedule it again, send the edited message.',
      formatDateTime(edited.due),
    ),
    arguments: [edited.id],
  };
  const copy = scheduled && {
    command: 'botChats.editDelivery',
    title: l10n.t('Edit the version due {0}…', formatShortTime(scheduled.due, systemClock.wall())),
    tooltip: l10n.t(
      "A version of this document is scheduled for {0}. What you change here isn't in it, unless you edit it and send it again.",
      formatDateTime(scheduled.due),
    ),
    arguments: [scheduled.id],
  };
  const version = versionText(document);
  return [
    ...(version ? [{ command: '', title: version }] : []),
    canSend ? send : show,
    preview,
    ...(edits ? [edits] : []),
    ...(copy ? [copy] : []),
  ].map((command) => new CodeLens(top, command));
}

function sendTitle({ group, user, leftOut }: ReturnType<DraftReader['countOf']>): string {
  const title =
    group === 0 || user === 0
      ? l10n.t('Send to {0}', countText(group, user))
      : l10n.t('Send to {0} chats', formatCount(group + user));
  if (leftOut > 0) return l10n.t('{0}, {1} left out', title, formatCount(leftOut));
  return group + user === 0 ? l10n.t('Send…') : title;
}
