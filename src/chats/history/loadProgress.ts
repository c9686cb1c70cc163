/** What the user sees while several pages of a history load, and how long that may still take. */
import { l10n } from 'vscode';
import { showProgress, signalOf } from '../../presentation/dialogs.ts';
import { joinPhrases } from '../../presentation/factParts.ts';
import { type Calendar, formatCount, formatRoughDuration } from '../../presentation/formats.ts';
import { type Clock, systemClock } from '../../service/clock.ts';
import type { OnProgress } from './loads.ts';

/** An estimate after a shorter time (ms) would be a guess. */
const MIN_ELAPSED = 3_000;

/**
 * Estimates how long a history still takes to load, back to `goal` (Unix ms, if known), from how far it has come: the
 * milliseconds left when all messages since `reached` (Unix ms) are loaded; undefined if they can't be estimated.
 */
export function loadEstimate(goal: number | undefined, { now }: Pick<Clock, 'now'> = systemClock) {
  let start: { readonly reached: number; readonly at: number } | undefined;
  return (reached: number | undefined): number | undefined => {
    if (goal === undefined || reached === undefined) return undefined;
    start ??= { reached, at: now() };
    const covered = start.reached - reached;
    const elapsed = now() - start.at;
    if (elapsed < MIN_ELAPSED || covered <= 0 || reached <= goal) return undefined;
    return (elapsed * (reached - goal)) / covered;
  };
}

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
    const estimate = loadEstimate(goal);
    const progress: OnProgress = (items, reached) => {
      const left = estimate(reached);
      const count = l10n.t('{0} messages', formatCount(items));
      const day = reached !== undefined && l10n.t('back to {0}', calendar.format(reached));
      const time = left !== undefined && l10n.t('about {0} left', formatRoughDuration(left));
      report({ message: joinPhrases(count, day, time) });
    };
    return load(progress, signalOf(cancellation));
  });
}
