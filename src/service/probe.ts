/** Checks what answers at an address, with reads that change nothing. */
import { Client, type ClientOptions } from './client.ts';
import { isFailure } from './errors.ts';

/** Milliseconds for one check, retries included. */
const TIMEOUT = 10_000;

export type ProbeOptions = Required<Pick<ClientOptions, 'inBrowser'>> & { signal: AbortSignal };

/** Looks up a user (contract 4.3). Rejects with a ServiceError unless the service answers, whatever the answer. */
export function probeLookups(webUrl: string, options: ProbeOptions): Promise<void> {
  return expectService(clientAt(webUrl, options).user('1', options.signal));
}

/**
 * Lists a chat without a token (contract 4.4), which the service refuses. Rejects with a ServiceError unless the service
 * answers, whatever the answer.
 */
export function probeBotOperations(openApiUrl: string, options: ProbeOptions): Promise<void> {
  return expectService(
    clientAt(openApiUrl, options).messages('', { type: 'user', id: '1' }, { latest: 1 }, options.signal),
  );
}

/** Both addresses are the same, because only one of them is called. */
function clientAt(address: string, { inBrowser }: ProbeOptions): Client {
  // No token is sent.
  return new Client({ webUrl: address, openApiUrl: address, allowPlainHttp: true, timeout: TIMEOUT, inBrowser });
}

async function expectService(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    // These come in an envelope (contract section 1), which only the service sends.
    if (!isFailure(error, 'rejected', 'notFound', 'unreadable')) throw error;
  }
}
