/** The outcome of a delivery for one recipient: whether the message arrived, or may still have arrived. */
import { RecipientResult } from '../../protocol/report.ts';
import type { Failure } from '../../service/errors.ts';
import type { Reason } from '../draft/leaveOut.ts';

export type Outcome =
  /** Named in `successList`, or found in the chat afterwards. */
  | { state: 'reached'; msgId: string }
  /** The batch was accepted without naming the recipient, which may have it: failures are not documented (contract 4.5). */
  | ({ state: 'unconfirmed' } & Unchecked)
  /** The message was looked for afterwards, and is not in the chat. With `failure`, there is no such group or person. */
  | { state: 'absent'; failure?: Failure }
  /** The service refused the batch. */
  | { state: 'rejected'; failure: Failure | undefined }
  /** Not sent yet, or the connection failed. */
  | { state: 'notSent'; failure?: Failure | undefined }
  /** Sent, but the answer was lost: it may or may not have arrived. */
  | ({ state: 'unknown'; failure?: Failure | undefined } & Unchecked)
  /** Nothing is sent, because of a rule: see `leaveOut.ts`. That is settled. */
  | ({ state: 'leftOut' } & Reason);

/** What matters for a check whether the message is in the chat. */
interface Unchecked {
  /** When the call was answered, or else made, if known (Unix milliseconds). */
  at?: number;
  /** A check didn't find the message, but so soon that it may not have been listed yet. */
  wasEarly?: true;
}

export type OutcomeState = Outcome['state'];

/** The ID of the message that is known to have arrived, if so. */
export const messageIdOf = (outcome: Outcome) => (outcome.state === 'reached' ? outcome.msgId : undefined);

/** Whether a check has found that there is no such group or person. */
export const isNobody = (outcome: Outcome | undefined) => outcome?.state === 'absent' && outcome.failure !== undefined;

/** Those that need the most attention first. */
export const OUTCOME_STATES = RecipientResult.options satisfies readonly OutcomeState[];

/**
 * A recipient in one of these states may have the message until its chat is read: a `successList` says who got it, not who
 * didn't. Sending it again may reach it twice.
 */
export const UNCHECKED_STATES = ['unknown', 'unconfirmed'] as const satisfies readonly OutcomeState[];

export const isUnchecked = (
  outcome: Outcome,
): outcome is Extract<Outcome, { state: (typeof UNCHECKED_STATES)[number] }> =>
  UNCHECKED_STATES.some((state) => state === outcome.state);
