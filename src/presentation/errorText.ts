/** Errors in the user's language: what happened, the service's code and text verbatim, what to do next. */
import { commands, l10n } from 'vscode';
import { SetupError } from '../platform/openService.ts';
import type { AddressProblem } from '../service/address.ts';
import { type Failure, isFailure, meaningOf1003, ServiceError } from '../service/errors.ts';
import { showFailure } from './dialogs.ts';
import { formatCount } from './formats.ts';

/** An error whose message is already translated for the user. */
export class UserFacingError extends Error {
  override readonly name = 'UserFacingError';
}

/** Describes any error in one or two sentences. */
export function errorText(error: unknown): string {
  if (error instanceof ServiceError) return explainFailure(error.failure);
  if (error instanceof SetupError) return explainSetup(error);
  if (error instanceof UserFacingError) return error.message;
  return l10n.t('Something unexpected went wrong: {0}', error instanceof Error ? error.message : String(error));
}

/** Shows an error, and offers to open the setting that caused it. */
export async function showError(error: unknown): Promise<void> {
  const settings = l10n.t('Open Settings');
  const chosen = await showFailure(errorText(error), ...(error instanceof SetupError ? [settings] : []));
  if (chosen && error instanceof SetupError) {
    await commands.executeCommand('workbench.action.openSettings', error.setting);
  }
}

/** Describes any error in two or three words, for a narrow row. */
export function shortErrorText(error: unknown): string {
  if (error instanceof UserFacingError) return error.message;
  if (!(error instanceof ServiceError)) return l10n.t('failed');
  const { failure } = error;
  switch (failure.kind) {
    case 'cancelled':
      return l10n.t('cancelled');
    case 'timedOut':
      return l10n.t('no answer');
    case 'unreachable':
      return l10n.t('cannot be reached');
    case 'tooLarge':
      return l10n.t('too large');
    case 'http':
      return l10n.t('HTTP status {0}', failure.status);
    case 'notEnvelope':
      return l10n.t('not the service');
    case 'unreadable':
      return l10n.t('unreadable answer');
    case 'rejected':
      return l10n.t('code {0}', failure.code);
    case 'notFound':
      return l10n.t('does not exist');
  }
}

/** Whether the service couldn't be reached or answered unusably, as opposed to rejecting the request. */
export function isOutage(error: unknown): boolean {
  return isFailure(error, 'unreachable', 'timedOut', 'notEnvelope', 'http');
}

function explainFailure(failure: Failure): string {
  switch (failure.kind) {
    case 'cancelled':
      return l10n.t('Cancelled.');
    case 'timedOut':
      return l10n.t('The service did not answer within {0} seconds.', Math.round(failure.after / 1000));
    case 'unreachable':
      return l10n.t('The service cannot be reached ({0}). Check the network and its address.', failure.reason);
    case 'tooLarge':
      return tooLarge(failure);
    case 'http':
      return join(
        l10n.t('The service answered with HTTP status {0}: {1}', failure.status, quote(failure.excerpt)),
        statusAdvice(failure.status),
        retryAdvice(failure.retryAfter),
      );
    case 'notEnvelope':
      return l10n.t(
        'What answered is not the service: it sent {0}. Check the address in the settings.',
        quote(failure.excerpt),
      );
    case 'unreadable':
      return l10n.t('The answer of the service could not be read at {0}: {1}.', failure.path, failure.problem);
    case 'rejected':
      return join(serviceAnswer(failure.code, failure.text), observedMeaning(failure), retryAdvice(failure.retryAfter));
    case 'notFound':
      return failure.code === undefined
        ? notFound(failure)
        : join(notFound(failure), serviceAnswer(failure.code, failure.text ?? ''));
  }
}

function tooLarge({ bound, of }: Extract<Failure, { kind: 'tooLarge' }>): string {
  switch (of) {
    case 'elements':
      return l10n.t('The answer was not read: it lists more than {0} entries.', formatCount(bound));
    case 'values':
      return l10n.t('The answer was not read: it holds more than {0} values.', formatCount(bound));
    default:
      return l10n.t('The answer was cut off: it has more than {0} MB.', Math.round(bound / 1e6));
  }
}

/** What to do about an HTTP status; empty if there is no advice. */
function statusAdvice(status: number): string {
  if (status >= 300 && status < 400) {
    return l10n.t('It redirects to another address. Redirects are not followed: set the address that they lead to.');
  }
  return status === 429 ? l10n.t('That is too many calls in a short time.') : '';
}

/** How long the service asked to wait; `retryAfter` is in milliseconds. */
function retryAdvice(retryAfter: number | undefined): string {
  return retryAfter ? l10n.t('It asks to wait {0} seconds.', Math.ceil(retryAfter / 1000)) : '';
}

function notFound({ what, id }: { what: 'group' | 'bot' | 'user'; id: string }): string {
  switch (what) {
    case 'group':
      return l10n.t('There is no group with the ID {0}.', id);
    case 'bot':
      return l10n.t('There is no bot with the ID {0}.', id);
    case 'user':
      return l10n.t('There is no user with the ID {0}.', id);
  }
}

/** The service's code and text, verbatim. */
function serviceAnswer(code: number, text: string): string {
  return l10n.t('The service answered with code {0}: {1}', code, quote(text));
}

/** The meaning of a code. Marked as observed, because the contract doesn't document it. */
function observedMeaning(failure: { code: number; text: string }): string {
  const meaning = meaningOf(failure);
  return meaning && l10n.t('(Observed, not documented: {0})', meaning);
}

function meaningOf({ code, text }: { code: number; text: string }): string {
  switch (code) {
    case 1002:
      return l10n.t('a parameter is missing or invalid');
    case 1003:
      return meaningOf1003Text(text);
    case 1004:
      return l10n.t('the bot is banned');
    case 1005:
      return l10n.t('the chat is banned');
    case 1007:
      return l10n.t('too many calls in a short time');
    default:
      return '';
  }
}

function meaningOf1003Text(text: string): string {
  switch (meaningOf1003(text)) {
    case 'token':
      return l10n.t('the token was refused');
    case 'notFriend':
      return l10n.t('the receiver is not a friend of the bot');
    case 'unclear':
      return l10n.t('the token was refused, or the receiver is not a friend of the bot');
  }
}

function explainSetup({ setting, problem }: SetupError): string {
  return l10n.t('The address in the setting {0} cannot be used: {1}', setting, addressProblem(problem));
}

/** Why an address can't be used, as a sentence. */
export function addressProblem(problem: AddressProblem): string {
  switch (problem) {
    case 'empty':
      return l10n.t('it is empty.');
    case 'notAnAddress':
      return l10n.t('it is not a complete address such as https://host/path.');
    case 'notHttp':
      return l10n.t('it must begin with https:// or http://.');
    case 'hasExtras':
      return l10n.t('it must not hold a password, a query or a fragment.');
    case 'insecure':
      return l10n.t(
        'over plain http a token could be read on its way. Use https://, or allow it in {0}.',
        'botChats.service.allowPlainHttp',
      );
  }
}

const quote = (text: string) => (text ? `“${text}”` : l10n.t('(nothing)'));
const join = (...sentences: string[]) => sentences.filter(Boolean).join(' ');
