import type { CancellationToken } from 'vscode';

/** The editor's way to say that something is no longer wanted, in the web's way. */
export function signalOf(token: CancellationToken): AbortSignal {
  const abort = new AbortController();
  if (token.isCancellationRequested) abort.abort();
  else token.onCancellationRequested(() => abort.abort());
  return abort.signal;
}
