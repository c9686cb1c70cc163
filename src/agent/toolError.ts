/** Errors that tell a model what went wrong, and what to do next. */

import { SetupError } from '../platform/openService.ts';
import { NoTokenError, OtherServiceError } from '../presentation/botChatClient.ts';
import { errorText } from '../presentation/errorText.ts';
import { isFailure, isOutage, isRateLimited, mayNeedToken } from '../service/errors.ts';
import { inert } from './untrusted.ts';

/** An error with a text for a model: in English, like everything that only a model reads. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** How much of an error is passed on (UTF-16 units). It may contain a text of the service. */
const MAX_TEXT = 600;

/** Any error as one for a model. The service's own code and text are in it, cut off if they're long. */
export function toToolError(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  const text = inert(errorText(error).replace(/\s+/g, ' '), MAX_TEXT);
  return new ToolError([text, advice(error)].filter(Boolean).join(' '));
}

function advice(error: unknown): string {
  if (error instanceof SetupError || error instanceof OtherServiceError)
    return 'Ask the user to run the command "Bot Chats: Connect to Your Service…". You can\'t change the connection.';
  if (error instanceof NoTokenError || mayNeedToken(error)) return ASK_FOR_TOKEN;
  if (isRateLimited(error)) return 'Wait before you call this tool again.';
  if (isOutage(error)) return 'Tell the user. Archived messages can still be found with botchats_search.';
  if (isFailure(error, 'rejected')) return "Don't repeat the same call. Tell the user.";
  return '';
}

/** What helps if a bot has no token, or a wrong one. */
export const ASK_FOR_TOKEN =
  'Ask the user to run the command "Bot Chats: Set Bot Token…". Never ask for the token itself.';
