/** Errors in the user's language: what happened, the service's code and text verbatim, what to do next. */
import { escapeInvisible, excerpt, visibleText } from '../markup/escapeInvisible.ts';
import { RowGoneError } from '../platform/commandArguments.ts';
import { FileInUseError } from '../platform/filesInUse.ts';
import { SetupError } from '../platform/openService.ts';
import { InvalidSettingError } from '../platform/scopedSetting.ts';
import type { AddressProblem } from '../service/address.ts';
import {
  blamesToken,
  type DataProblem,
  type Failure,
  isCertificateError,
  isFailure,
  meaningOf1003,
  meaningOfMinus1,
  ServiceError,
  toError,
} from '../service/errors.ts';
import type { Kind } from '../service/model.ts';
import { formatCount, joinSentences } from './formats.ts';
import { l10n, type ShownText, shownText } from './shown.ts';

/** What a service must answer to be called from browsers. */
export const ABOUT_CORS = 'https://developer.mozilla.org/docs/Web/HTTP/Guides/CORS';

/** An error whose message is already translated for the user. */
export class UserFacingError extends Error {
  override readonly name = 'UserFacingError';
}

/** How much of an error is shown (UTF-16 units). VS Code cuts notifications off there, too. */
const MAX_ERROR = 1_000;
/** How much of a text from outside is quoted in an error (UTF-16 units). A service may repeat the whole request. */
const MAX_QUOTED = 300;

/** Describes any error in one or two sentences. {@link wholeErrorText} has all of a longer text. */
export const errorText = (error: unknown) =>
  visibleText(
    describeError(error, (text) => visibleText(text, MAX_QUOTED)),
    MAX_ERROR,
  );

/** The whole text of an error, if less of it is shown. */
export function wholeErrorText(error: unknown): ShownText | undefined {
  const whole = escapeInvisible(describeError(error, (text) => text));
  return whole === errorText(error) ? undefined : whole;
}

/** Describes any error. `shorten` is applied to texts from outside. */
function describeError(error: unknown, shorten: (text: string) => string): ShownText {
  if (isCertificateError(error)) return certificateText(error.failure.reason);
  if (error instanceof ServiceError) return explainFailure(error.failure, shorten);
  if (error instanceof SetupError) return explainSetup(error);
  if (error instanceof InvalidSettingError) return invalidSettingText(error.setting);
  if (error instanceof UserFacingError) return escapeInvisible(error.message);
  if (error instanceof RowGoneError) return l10n.t('The list is being updated. Try again.');
  return l10n.t('Something went wrong: {0}', shorten(systemErrorText(error)));
}

/** What the system says of an error, as part of a sentence. */
export function systemErrorText(error: unknown): ShownText {
  // Windows has one error for a file in use and a folder in use.
  if (error instanceof FileInUseError)
    return l10n.t("{0} is open in another program, or your user isn't allowed to change it", error.path);
  return escapeInvisible(toError(error).message);
}

/** Whether a browser may have kept back what the service answered. */
export const mayBeBlocked = (error: unknown) => isFailure(error, 'unreachable') && error.failure.inBrowser === true;

/** Describes any error in two or three words, for a narrow row. */
export function shortErrorText(error: unknown): ShownText {
  if (error instanceof UserFacingError) return excerpt(error.message);
  if (!(error instanceof ServiceError)) return l10n.t('failed');
  const { failure } = error;
  switch (failure.kind) {
    case 'cancelled':
      return l10n.t('canceled');
    case 'timedOut':
      return l10n.t('no response');
    case 'unreachable':
      return l10n.t("can't connect");
    case 'redirected':
      return l10n.t('redirected');
    case 'insecure':
      return l10n.t('insecure address');
    case 'tooLarge':
      return l10n.t('too large');
    case 'http':
      return l10n.t('HTTP status {0}', failure.status);
    case 'notEnvelope':
      return l10n.t('unexpected response');
    case 'unreadable':
      return l10n.t('unreadable response');
    case 'rejected':
      return l10n.t('error {0}', failure.code);
    case 'notFound':
      return l10n.t("doesn't exist");
  }
}

function explainFailure(failure: Failure, shorten: (text: string) => string): ShownText {
  switch (failure.kind) {
    case 'cancelled':
      return l10n.t('Canceled.');
    case 'timedOut':
      return l10n.t("The service didn't respond within {0} seconds.", Math.round(failure.after / 1000));
    case 'unreachable':
      return unreachableText({ ...failure, reason: shorten(failure.reason) });
    case 'redirected':
      return l10n.t(
        "The service redirects to another address, which isn't followed. Enter the final address in Settings.",
      );
    case 'insecure':
      return addressProblem('insecure');
    case 'tooLarge':
      return tooLarge(failure);
    case 'http':
      return joinSentences(
        endOnce(l10n.t('The service returned HTTP status {0}: {1}.', failure.status, quote(failure.excerpt))),
        statusAdvice(failure.status),
        retryAdvice(failure.retryAfter),
      );
    case 'notEnvelope':
      return l10n.t('Unexpected response ({0}). Check the service address in Settings.', quote(failure.excerpt));
    case 'unreadable':
      return l10n.t(
        "The service's response can't be read at {0}: {1}.",
        failure.path,
        dataProblemText(failure.problem),
      );
    case 'rejected':
      return joinSentences(
        serviceAnswer(failure.code, shorten(failure.text)),
        meaningOf(failure),
        retryAdvice(failure.retryAfter),
      );
    case 'notFound':
      return failure.code === undefined
        ? notFound(failure)
        : joinSentences(notFound(failure), serviceAnswer(failure.code, shorten(failure.text ?? '')));
  }
}

function dataProblemText(problem: DataProblem): ShownText {
  if (problem === 'missing') return l10n.t('missing');
  if (problem === 'malformed') return l10n.t('not valid');
  if (problem === 'mismatch') return l10n.t('not the ID that was looked up');
  return l10n.t('expected {0}, got {1}', problem.expected, problem.actual);
}

function tooLarge({ bound, of }: Extract<Failure, { kind: 'tooLarge' }>): ShownText {
  switch (of) {
    case 'elements':
      return l10n.t("The response lists more than {0} entries, so it wasn't read.", formatCount(bound));
    case 'values':
      return l10n.t("The response contains more than {0} values, so it wasn't read.", formatCount(bound));
    default:
      return l10n.t('The response is larger than {0} MB and was cut off.', Math.round(bound / 1e6));
  }
}

/** What to do about an HTTP status; empty if there is no advice. */
function statusAdvice(status: number): ShownText {
  if (status >= 300 && status < 400) {
    return l10n.t("It redirects to another address, which isn't followed. Enter the final address in Settings.");
  }
  return status === 429 ? l10n.t('Too many requests.') : '';
}

/** How long the service asked to wait; `retryAfter` is in milliseconds. */
function retryAdvice(retryAfter: number | undefined): ShownText {
  if (!retryAfter) return '';
  const seconds = Math.ceil(retryAfter / 1000);
  return seconds === 1 ? l10n.t('Try again in 1 second.') : l10n.t('Try again in {0} seconds.', seconds);
}

function notFound({ what, id }: { what: Kind; id: string }): ShownText {
  switch (what) {
    case 'group':
      return l10n.t("Group {0} doesn't exist.", id);
    case 'bot':
      return l10n.t("Bot {0} doesn't exist.", id);
    case 'user':
      return l10n.t("Person {0} doesn't exist.", id);
  }
}

/** The service's code and the beginning of its text, verbatim. */
function serviceAnswer(code: number, text: string): ShownText {
  return endOnce(l10n.t('The service returned error {0}: {1}.', code, quote(text)));
}

/** A connection that broke after it was made says nothing against the address. */
function unreachableText({ reason, inBrowser }: Extract<Failure, { kind: 'unreachable' }>): ShownText {
  if (inBrowser) {
    return l10n.t(
      "The browser got no answer from the service ({0}). Check your network and the service address. If they're right, the service doesn't allow calls from browsers: use VS Code on your computer or in a remote window.",
      reason,
    );
  }
  // Node's word for a port that browsers block.
  if (reason === 'bad port') return l10n.t('Connections to this port are blocked. Check the service address.');
  return ['ECONNRESET', 'UND_ERR_SOCKET'].includes(reason)
    ? l10n.t('The connection was interrupted ({0}).', reason)
    : l10n.t("Can't connect to the service ({0}). Check your network and the service address.", reason);
}

function certificateText(reason: string): ShownText {
  return l10n.t("The server's certificate isn't valid or isn't trusted ({0}).", reason);
}

/** The meaning of a code as it was observed: the contract doesn't say. */
function meaningOf({ code, text, withoutToken }: Extract<Failure, { kind: 'rejected' }>): ShownText {
  if (withoutToken) return l10n.t('Lookups are made without a token.');
  switch (code) {
    case -1:
      return meaningOfMinus1Text(text);
    case 1002:
      return blamesToken(text) ? l10n.t('The token is wrong.') : l10n.t('A parameter is missing or invalid.');
    case 1003:
      return meaningOf1003Text(text);
    case 1004:
      return l10n.t('The bot is banned.');
    case 1005:
      return l10n.t('The chat is banned.');
    case 1007:
      return l10n.t('Too many requests.');
    default:
      return '';
  }
}

function meaningOfMinus1Text(text: string): ShownText {
  switch (meaningOfMinus1(text)) {
    case 'noGroup':
      return l10n.t("The group doesn't exist.");
    case 'notInGroup':
      return l10n.t("The bot isn't in the group.");
    case 'noMessage':
      return l10n.t("The message doesn't exist, or the bot has no access to it.");
    case 'unclear':
      return '';
  }
}

function meaningOf1003Text(text: string): ShownText {
  switch (meaningOf1003(text)) {
    case 'token':
      return l10n.t('The token is wrong.');
    case 'notFriend':
      return l10n.t("The recipient isn't a friend of the bot.");
    case 'unclear':
      return l10n.t("The token is wrong, or the recipient isn't a friend of the bot.");
  }
}

function explainSetup({ setting, problem }: SetupError): ShownText {
  return l10n.t("The address in the setting {0} can't be used. {1}", setting, addressProblem(problem));
}

const invalidSettingText = (setting: string) => l10n.t("The setting {0} isn't valid. Correct it first.", setting);

/** Why an address can't be used, as a sentence. */
export function addressProblem(problem: AddressProblem): ShownText {
  switch (problem) {
    case 'empty':
      return l10n.t("It's empty.");
    case 'notAnAddress':
      return l10n.t("It isn't a complete address, such as https://example.com/path.");
    case 'notHttp':
      return l10n.t('It must start with https:// or http://.');
    case 'hasExtras':
      return l10n.t("It can't contain a password, query, or fragment.");
    case 'insecure':
      return l10n.t(
        'Over plain http, the token could be intercepted. Use https://, or allow it in {0}.',
        'botChats.service.allowPlainHttp',
      );
  }
}

/** An excerpt in quotes, or that there is none. */
export const quote = (text: string) => (text ? shownText`“${escapeInvisible(text)}”` : l10n.t('no content'));

/** A sentence without a full stop of its own if it ends with a quoted one. */
const endOnce = (sentence: ShownText) => escapeInvisible(sentence.replace(/(?<=[.。]”)[.。]$/, ''));
