/** What the user sees while several pages of a history load. */
import { l10n } from 'vscode';
import { showProgress, signalOf } from '../../presentation/dialogs.ts';
import { joinPhrases } from '../../presentation/factParts.ts';
import { formatCount, formatRoughDuration } from '../../presentation/formats.ts';
import type { Calendar } from './calendar.ts';
import { LoadEstimate } from './loadEstimate.ts';
import type { OnProgress } from './loads.ts';

/**
 * Shows a cancelable progress notification while `load` is pending: the number of messages, how far back they go, and how
 * long it may take until they go back to `goal` (Unix ms).
 */
export function showLoading<T>(
  calendar: Calendar,
  goal: number | undefined,
  load: (progress: OnProgress, signal: AbortSignal) => Promise<T>,
): Thenable<T> {
  return showProgress(l10n.t('Loading message history'), (report, cancellation) => {
    const estimate = new LoadEstimate(goal);
    const progress: OnProgress = (items, reached) => {
      const left = estimate.update(reached);
      const count = l10n.t('{0} messages', formatCount(items));
      const day = reached !== undefined && l10n.t('back to {0}', calendar.format(reached));
      const time = left !== undefined && l10n.t('about {0} left', formatRoughDuration(left));
      report({ message: joinPhrases(count, day, time) });
    };
    return load(progress, signalOf(cancellation));
  });
}
