/** What is known about a bot's saved token: that the service refuses it, or that VS Code has lost it. */
import { env, UIKind } from 'vscode';
import type { Service } from '../platform/service.ts';
import type { Refusal, Tokens } from '../platform/tokens.ts';
import { isFailure, mayNeedToken, meaningOf1003, ServiceError } from '../service/errors.ts';
import { truncate } from '../service/truncate.ts';
import { errorText } from './errorText.ts';
import { l10n, type ShownText } from './shown.ts';

/** How to give VS Code a keyring, which keeps secrets after it is closed. */
export const ABOUT_KEYRINGS =
  'https://code.visualstudio.com/docs/editor/settings-sync#_troubleshooting-keychain-issues';

/** How much of the service's text is kept (UTF-16 units): it may repeat the whole request. */
const MAX_TEXT = 300;

/**
 * The refusal of a token in an error. A call with recipients may be refused for another reason under the same code, so that
 * only its text tells (observed).
 */
export function refusalOf(error: unknown, { hasRecipients = false } = {}): Refusal | undefined {
  if (!isFailure(error, 'rejected', 'http') || !mayNeedToken(error)) return undefined;
  const { failure } = error;
  const { status } = failure;
  if (failure.kind === 'http') return { status, text: truncate(failure.excerpt, MAX_TEXT) };
  const { code, text } = failure;
  if (hasRecipients && code === 1003 && meaningOf1003(text) !== 'token') return undefined;
  return { status, code, text: truncate(text, MAX_TEXT) };
}

/** A refusal with the service's own code and text. */
export function refusalText({ status, code, text }: Refusal): string {
  const failure =
    code === undefined
      ? ({ kind: 'http', status, excerpt: text } as const)
      : ({ kind: 'rejected', status, code, text } as const);
  return errorText(new ServiceError(failure));
}

/**
 * Reads with a bot's token, and remembers whether the service accepts the token; if that can't be stored, nothing is said.
 * Rejects as `call` does.
 */
export async function readWithToken<T>(
  tokens: Tokens,
  service: Service,
  { botId, token }: { botId: string; token: string },
  call: () => Promise<T>,
): Promise<T> {
  const remember = (refusal: Refusal | undefined) => tokens.answered(service, botId, token, refusal).catch(() => {});
  try {
    const result = await call();
    await remember(undefined);
    return result;
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal) await remember(refusal);
    throw error;
  }
}

/** Whether VS Code runs in a browser, with an extension host there or on a server. */
export const isInBrowser = () => env.uiKind === UIKind.Web;

/** Why VS Code has lost a token: it keeps secrets in memory only, which it doesn't say. */
export function lossText(): ShownText {
  return isInBrowser()
    ? l10n.t('This VS Code keeps tokens only until its window is closed or reloaded.')
    : l10n.t('Without a keyring, VS Code keeps tokens only until its window is closed or reloaded.');
}
