/** What is said about how long VS Code keeps tokens. It shows only in a later window, by a token that is gone. */
import { env, l10n, Uri } from 'vscode';
import type { Service } from '../platform/service.ts';
import type { Tokens } from '../platform/tokens.ts';
import { serviceName } from '../presentation/describe.ts';
import { showInfo, showWarning } from '../presentation/dialogs.ts';
import { ABOUT_KEYRINGS, isInBrowser, lossText } from '../presentation/tokenState.ts';

/** The windows in which it was said. */
const told = new WeakSet<Tokens>();

/** What to say when a token is saved, read before that. Once a window; undefined if nothing is known. */
export async function lifetimeNote(service: Service, tokens: Tokens): Promise<string | undefined> {
  const isLost = (await tokens.lost(service)).length > 0;
  // A desktop without a keyring says so itself when it's given the first secret.
  const mayBeLost = isInBrowser() && !tokens.wasSaved();
  if (told.has(tokens) || !(isLost || mayBeLost)) return undefined;
  told.add(tokens);
  if (isLost) return lossText();
  return l10n.t(
    "In a browser, VS Code may keep the token only until this window is closed or reloaded. If so, you'll be asked for it again.",
  );
}

/** Shows that note, with how to mend it where that's possible. */
export async function showLifetime(note: string): Promise<void> {
  const learn = l10n.t('Learn More');
  if ((await showInfo(note, ...actions(learn))) === learn) await learnMore();
}

/** Says that a token is needed, and why one that was saved is gone. Resolves to true to set one. */
export async function askToSet(service: Service, tokens: Tokens): Promise<boolean> {
  const set = l10n.t('Set Bot Token…');
  const learn = l10n.t('Learn More');
  const name = serviceName(service.address);
  const isLost = (await tokens.lost(service)).length > 0;
  const chosen = isLost
    ? await showWarning(
        l10n.t('VS Code no longer has the bot token that you saved for {0}. {1}', name, lossText()),
        set,
        ...actions(learn),
      )
    : await showWarning(l10n.t('No bot token is saved for {0}. You need one to read and send messages.', name), set);
  if (chosen === learn) await learnMore();
  return chosen === set;
}

/** Only a desktop can be given a keyring. */
const actions = (learn: string) => (isInBrowser() ? [] : [learn]);
const learnMore = () => env.openExternal(Uri.parse(ABOUT_KEYRINGS));
