/**
 * The operations of the service (contract section 4), and the size limits of their responses, which allow texts of 100,000
 * characters. `Client` has a method for each operation, which takes from here all that a call needs besides its own query or
 * body. A row without a method doesn't compile.
 */

/**
 * Bytes are counted while a response is read, values before it's parsed. A response that is too large is an error: after a
 * `batch_send`, the outcome is unknown.
 */
export interface ResponseLimits {
  readonly bytes: number;
  /** Numbers, strings, arrays, objects and so on, counted at every level. */
  readonly values: number;
  /** Messages or receivers: the elements of a list directly in `data`. */
  readonly elements: number;
}

const KIB = 2 ** 10;
const MIB = 2 ** 20;

/** The limit for any response. It can be parsed within 50 ms even on a slow machine. */
export const MAXIMUM: ResponseLimits = { bytes: 4 * MIB, values: 60_000, elements: 15_000 };

/** A group, a bot or a user (contract 4.1–4.3). */
const lookupLimits = (): ResponseLimits => ({ bytes: MIB, values: 5_000, elements: 1_000 });

/** For a page of `messages` messages (contract 4.4). */
const pageLimits = (messages: number) =>
  capped({ bytes: 256 * KIB + messages * 320 * KIB, values: 10_000 + messages * 100, elements: 1_000 + messages * 2 });

/** For a batch with `receivers` receivers (contract 4.5). */
const batchLimits = (receivers: number) =>
  capped({ bytes: 256 * KIB + receivers * KIB, values: 10_000 + receivers * 10, elements: 1_000 + receivers * 2 });

function capped({ bytes, values, elements }: ResponseLimits): ResponseLimits {
  return {
    bytes: Math.min(bytes, MAXIMUM.bytes),
    values: Math.min(values, MAXIMUM.values),
    elements: Math.min(elements, MAXIMUM.elements),
  };
}

interface OperationRow {
  /** A GET has its fields in the query, a POST in a JSON body. */
  readonly method: 'GET' | 'POST';
  /** The path of the URL after the base address. */
  readonly path: string;
  /** Whether a call that failed may be sent again: never if it does something, because that would do it twice. */
  readonly repeatable: boolean;
  /** The limits of an answer. Those of a list depend on how many elements are asked for. */
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
