/** Whether a token outlives the window: in a browser, SecretStorage may be in memory only, and doesn't say. */
import { l10n } from 'vscode';
import type { Host } from '../platform/host.ts';
import { isBrowser } from '../platform/node.ts';
import { showInfo } from '../presentation/dialogs.ts';

/** Says after a token was saved if VS Code forgets it when the window is closed, as far as that is known. */
export async function explainLifetime({ store, tokens }: Pick<Host, 'store' | 'tokens'>): Promise<void> {
  if (!isBrowser()) return;
  // The store is always kept.
  const last = store.get('tokenWindow');
  const isKept = (await tokens.keepWindowId()) === last;
  await store.set('tokenWindow', tokens.windowId);
  if (last === tokens.windowId) return;
  if (last === undefined) {
    void showInfo(
      l10n.t(
        "In a browser, VS Code may keep the token only until this window is closed or reloaded. If so, you'll be asked for it again.",
      ),
    );
  } else if (!isKept) {
    void showInfo(
      l10n.t(
        "This VS Code keeps the token only until this window is closed or reloaded. Then you'll be asked for it again.",
      ),
    );
  }
}
