/**
 * Size limits of responses by operation, which allow texts of 100,000 characters. Bytes are counted while a response is
 * read, values before it's parsed. One that is too large is an error: after a `batch_send`, the outcome is unknown.
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
export const lookupLimits = (): ResponseLimits => ({ bytes: MIB, values: 5_000, elements: 1_000 });

/** For a page of `messages` messages (contract 4.4). */
export const pageLimits = (messages: number) =>
  capped({ bytes: 256 * KIB + messages * 320 * KIB, values: 10_000 + messages * 100, elements: 1_000 + messages * 2 });

/** For a batch with `receivers` receivers (contract 4.5). */
export const batchLimits = (receivers: number) =>
  capped({ bytes: 256 * KIB + receivers * KIB, values: 10_000 + receivers * 10, elements: 1_000 + receivers * 2 });

function capped({ bytes, values, elements }: ResponseLimits): ResponseLimits {
  return {
    bytes: Math.min(bytes, MAXIMUM.bytes),
    values: Math.min(values, MAXIMUM.values),
    elements: Math.min(elements, MAXIMUM.elements),
  };
}
