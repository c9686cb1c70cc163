/** How large an answer may be, by what was asked for: generous for all that is legitimate, texts of 100,000 characters. */

export interface ResponseLimits {
  readonly bytes: number;
  /** Numbers, texts, lists, objects and so on, counted at every level. */
  readonly values: number;
  /** Messages, or receivers: the elements of a list right within `data`. */
  readonly elements: number;
}

const KIB = 2 ** 10;
const MIB = 2 ** 20;

/** No answer may be larger, whatever was asked for: this much is parsed within 50 ms on a busy machine, too. */
const MOST: ResponseLimits = { bytes: 8 * MIB, values: 60_000, elements: 15_000 };

/** A group, a bot or a user (contract 4.1–4.3). */
export const LOOKUP_LIMITS: ResponseLimits = { bytes: 2 * MIB, values: 5_000, elements: 1_000 };

/** So many messages (contract 4.4). */
export const pageLimits = (messages: number) =>
  within({ bytes: MIB + messages * 320 * KIB, values: 10_000 + messages * 100, elements: 1_000 + messages * 2 });

/** What became of a message for so many receivers (contract 4.5). */
export const batchLimits = (receivers: number) =>
  within({ bytes: MIB + receivers * KIB, values: 10_000 + receivers * 10, elements: 1_000 + receivers * 2 });

function within({ bytes, values, elements }: ResponseLimits): ResponseLimits {
  return {
    bytes: Math.min(bytes, MOST.bytes),
    values: Math.min(values, MOST.values),
    elements: Math.min(elements, MOST.elements),
  };
}
