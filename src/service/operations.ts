/**
 * The operations of the service (contract section 4). `Client` has a method for each, which takes from here all that a
 * call needs besides its own query or body. A row without a method doesn't compile.
 */
import { batchLimits, lookupLimits, pageLimits, type ResponseLimits } from './limits.ts';

interface OperationRow {
  /** A GET has its fields in the query, a POST in a JSON body. */
  readonly method: 'GET' | 'POST';
  /** Follows the address. */
  readonly path: string;
  /** Whether a call that failed may be sent again: never if it does something, because that would do it twice. */
  readonly repeatable: boolean;
  /** Of an answer. For a list, by the number of elements that are asked for. */
  readonly limits: (elements: number) => ResponseLimits;
}

export const OPERATIONS = {
  /** At `{web_url}`. No token is sent, and those in an answer are redacted. */
  lookups: {
    group: { method: 'POST', path: '/v1/group/group-info', repeatable: true, limits: lookupLimits },
    bot: { method: 'POST', path: '/v1/bot/bot-info', repeatable: true, limits: lookupLimits },
    user: { method: 'GET', path: '/v1/user/homepage', repeatable: true, limits: lookupLimits },
  },
  /** At `{open_api_url}`. The token of a bot is sent in the query (contract section 5). */
  bots: {
    messages: { method: 'GET', path: '/open-apis/v1/bot/messages', repeatable: true, limits: pageLimits },
    batchSend: { method: 'POST', path: '/open-apis/v1/bot/batch_send', repeatable: false, limits: batchLimits },
  },
} as const satisfies Record<string, Record<string, OperationRow>>;

/** The operations on one of the two addresses. */
export type Api = keyof typeof OPERATIONS;
export type Lookup = keyof (typeof OPERATIONS)['lookups'];
export type BotOperation = keyof (typeof OPERATIONS)['bots'];
export type Operation = Lookup | BotOperation;
