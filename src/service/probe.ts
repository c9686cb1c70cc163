/**
 * Finds out which part of the service answers at an address, with reads that change nothing. Only documented answers prove
 * it, and the observed one for a missing token. The user may accept any other. HTTP 404 is no answer of an operation,
 * whatever its body.
 */
import { Client, type ClientOptions } from './client.ts';
import { blamesToken, isFailure, meaningOf1003, type ServiceError } from './errors.ts';
import type { Api } from './operations.ts';

/** What answers at an address that was meant for one of them. */
export type Finding =
  /** The operations that the address was meant for answer. */
  | { is: 'expected' }
  /** The other operations answer: the two addresses may be the wrong way round. */
  | { is: 'other' }
  /** An envelope (contract section 1) answers whose code or data neither of them is documented to return. */
  | { is: 'unclear'; error: ServiceError }
  /** Something else answers, or nothing does. */
  | { is: 'missing'; error: unknown };

/** Milliseconds for one check, retries included. */
const TIMEOUT = 10_000;

export type ProbeOptions = Required<Pick<ClientOptions, 'inBrowser'>> & { signal: AbortSignal };

/** Never rejects. Sends no token. */
export async function probe(api: Api, address: string, options: ProbeOptions): Promise<Finding> {
  const finding = await probeFor(api, address, options);
  // Nothing can be said about an address where nothing answers, or where permission is missing.
  if (finding.is !== 'missing' || !isElsewhere(finding.error)) return finding;
  const other = await probeFor(api === 'lookups' ? 'bots' : 'lookups', address, options);
  return other.is === 'expected' ? { is: 'other' } : finding;
}

async function probeFor(api: Api, address: string, { inBrowser, signal }: ProbeOptions): Promise<Finding> {
  // Both addresses are the same, because only one of them is called.
  const urls = { webUrl: address, openApiUrl: address, allowPlainHttp: true };
  const client = new Client({ ...urls, timeout: TIMEOUT, inBrowser });
  try {
    // An unknown user is a success (4.3). The other lookups document less about unknown IDs.
    if (api === 'lookups') await client.user('1', signal);
    // A refusal, as the token is missing. `batch_send` is no question: it sends.
    else await client.messages('', { kind: 'user', id: '1' }, { latest: 1 }, signal);
    return { is: 'expected' };
  } catch (error) {
    if (isExpected(api, error)) return { is: 'expected' };
    if (isFailure(error, 'rejected') && error.failure.status !== 404) return { is: 'unclear', error };
    return isFailure(error, 'unreadable') ? { is: 'unclear', error } : { is: 'missing', error };
  }
}

/** Whether something else answers at the path of an operation. */
function isElsewhere(error: unknown): boolean {
  return isFailure(error, 'notEnvelope') || (isFailure(error, 'rejected', 'http') && error.failure.status === 404);
}

/** Whether an error is how these operations answer. For a missing token, that was observed: it isn't documented. */
function isExpected(api: Api, error: unknown): boolean {
  if (api === 'lookups') return isFailure(error, 'notFound');
  if (!isFailure(error, 'rejected') || error.failure.status === 404) return false;
  const { code, text } = error.failure;
  return code === 1003 ? meaningOf1003(text) !== 'notFriend' : code === 1002 && blamesToken(text);
}
