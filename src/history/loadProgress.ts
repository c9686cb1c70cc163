/** What the user sees while several pages of a history load. */
import { l10n } from 'vscode';
import { signalOf } from '../platform/cancellation.ts';
import { showProgress } from '../presentation/dialogs.ts';
import { formatCount } from '../presentation/formats.ts';
import type { OnProgress } from './loads.ts';

/** Shows a cancelable progress notification while `load` is pending. */
export function showLoading<T>(load: (progress: OnProgress, signal: AbortSignal) => Promise<T>): Thenable<T> {
  return showProgress(l10n.t('Loading message history'), (report, cancellation) =>
    load((items) => report({ message: l10n.t('{0} messages', formatCount(items)) }), signalOf(cancellation)),
  );
}
