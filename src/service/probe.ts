/** Checks what answers at an address, with reads that change nothing. */
import { Client } from './client.ts';
import { isFailure } from './errors.ts';

/** Milliseconds for one check, retries included. */
const TIMEOUT = 10_000;

/** Looks up a user (contract 4.3). Rejects with a ServiceError unless the service answers, whatever the answer. */
export function probeLookups(webUrl: string, signal: AbortSignal): Promise<void> {
  return expectService(clientAt(webUrl).user('1', signal));
}

/**
 * Lists a chat without a token (contract 4.4), which the service refuses. Rejects with a ServiceError unless the service
 * answers, whatever the answer.
 */
export function probeBotOperations(openApiUrl: string, signal: AbortSignal): Promise<void> {
  return expectService(clientAt(openApiUrl).messages('', { type: 'user', id: '1' }, { latest: 1 }, signal));
}

/** Both addresses are the same, because only one of them is called. */
function clientAt(address: string): Client {
  // No token is sent.
  return new Client({ webUrl: address, openApiUrl: address, allowPlainHttp: true, timeout: TIMEOUT });
}

async function expectService(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    // These come in an envelope (contract section 1), which only the service sends.
    if (!isFailure(error, 'rejected', 'notFound', 'unreadable')) throw error;
  }
}
