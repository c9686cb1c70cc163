/** Asks whether to reschedule messages that a move has canceled. */
import { joinShown } from '../../markup/escapeInvisible.ts';
import { singleLineName } from '../../presentation/describe.ts';
import { askModal, showInfo, showWarning } from '../../presentation/dialogs.ts';
import { errorText } from '../../presentation/errorText.ts';
import { formatCount, formatDateTime, joinSentences } from '../../presentation/formats.ts';
import { l10n, type ShownText, shownText } from '../../presentation/shown.ts';
import { systemClock } from '../../service/clock.ts';
import type { Outbox } from './outbox.ts';

/** How many messages are named in the question. */
const MAX_NAMED = 10;

interface Canceled {
  readonly id: string;
  readonly name: string;
  /** When the message was to be sent (Unix ms). */
  readonly due: number;
}

/** Says that a move broke off, and asks what becomes of the messages that it has canceled. */
export async function reportCanceled(canceled: readonly Canceled[], outbox: Outbox): Promise<void> {
  const schedule = l10n.t('Schedule Again…');
  const text =
    canceled.length === 1
      ? l10n.t('1 scheduled message is canceled: VS Code closed while it was being moved to a file.')
      : l10n.t(
          '{0} scheduled messages are canceled: VS Code closed while they were being moved to a file.',
          formatCount(canceled.length),
        );
  const chosen = await showWarning(text, schedule, l10n.t('Leave Canceled'));
  if (chosen === schedule) await askToSchedule(canceled, outbox, 'crash');
}

/** Asks whether to schedule messages, after an import or a crash. The default button doesn't. */
export async function askToSchedule(
  canceled: readonly Canceled[],
  outbox: Pick<Outbox, 'get' | 'reschedule'>,
  after: 'import' | 'crash',
): Promise<void> {
  if (canceled.length === 0) return;
  const now = systemClock.wall();
  const later = canceled.filter((one) => one.due > now).toSorted((one, other) => one.due - other.due);
  const passed = canceled.length - later.length;
  const note =
    passed > 0 && l10n.t('Messages whose time has passed: {0}. You find them in the outbox.', formatCount(passed));
  if (later.length === 0) return void showInfo(note || '');
  const notNow = l10n.t('Not Now');
  const schedule = l10n.t('Schedule');
  const named = later
    .slice(0, MAX_NAMED)
    .map(({ name, due }) => shownText`• ${singleLineName(name)}: ${formatDateTime(due)}`);
  const lines = [
    joinShown([...named, later.length > MAX_NAMED && '…'], '\n'),
    l10n.t('Schedule them on one computer only: each one sends what is scheduled there.'),
    note,
  ];
  const chosen = await askModal(questions(later.length)[after], joinShown(lines, '\n\n'), notNow, schedule);
  if (chosen !== schedule) return;
  let scheduled = 0;
  const failures: unknown[] = [];
  for (const { id, due } of later) {
    try {
      const entry = await outbox.get(id);
      // The delivery may have been sent or deleted meanwhile.
      const isCanceled = entry?.isRunning === false && entry.canceledDue !== undefined;
      if (isCanceled && (await outbox.reschedule(entry, due))) scheduled++;
    } catch (error) {
      failures.push(error);
    }
  }
  const others = later.length - scheduled;
  const text = joinSentences(
    l10n.t('Scheduled messages: {0}.', formatCount(scheduled)),
    others > 0 && l10n.t('Not scheduled: {0}.', formatCount(others)),
    failures.length > 0 && errorText(failures[0]),
  );
  void (others > 0 ? showWarning(text) : showInfo(text));
}

function questions(count: number): Record<'import' | 'crash', ShownText> {
  if (count === 1)
    return {
      import: l10n.t('Send 1 message from this computer that was scheduled on the other one?'),
      crash: l10n.t('Schedule 1 message again?'),
    };
  return {
    import: l10n.t('Send {0} messages from this computer that were scheduled on the other one?', formatCount(count)),
    crash: l10n.t('Schedule {0} messages again?', formatCount(count)),
  };
}
