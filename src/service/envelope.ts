/** Reading the envelope that every answer comes in (contract section 1). */
import * as v from 'valibot';
import { ServiceError } from './errors.ts';
import type { HttpAnswer } from './exchange.ts';
import { requiredNumber, text } from './fields.ts';
import { hideTraces, withoutToken } from './secrets.ts';

const Envelope = v.object({
  code: requiredNumber,
  msg: text,
  /** Seen in the place of `msg`. */
  message: text,
  data: v.optional(v.unknown()),
});

/** Characters of an answer that is no envelope, to show what came instead. */
const EXCERPT = 200;
/** Characters that are looked through for it. */
const BEGINNING = 100_000;
/** Deeper than anything in the contract; far less deep than what no stack could walk through or write down again. */
const LEVELS = 100;

/**
 * The `data` of a success, without the call's `token`. Success is the code 1 and nothing else, whatever the HTTP status.
 * @throws ServiceError `rejected`, `http` or `notEnvelope`, the call's `token` hidden in each
 */
export function dataOf(answer: HttpAnswer, token: string | undefined): unknown {
  const { status, retryAfter } = answer;
  const wait = retryAfter === undefined ? {} : { retryAfter };
  const envelope = v.safeParse(Envelope, parseJson(answer.text));
  if (!envelope.success) {
    if (status < 200 || status >= 300) throw httpError(answer, token);
    throw new ServiceError({ kind: 'notEnvelope', status, excerpt: excerptOf(answer.text, token) });
  }
  const { code, msg, message, data } = envelope.output;
  if (code === 1) {
    cutBelow(LEVELS, data);
    return withoutToken(data, answer.text, token);
  }
  throw new ServiceError({ kind: 'rejected', code, text: hideTraces(msg || message, token), status, ...wait });
}

/** An answer by its HTTP status and the beginning of its body, the call's `token` hidden. */
export function httpError({ status, text, retryAfter }: HttpAnswer, token: string | undefined): ServiceError {
  const wait = retryAfter === undefined ? {} : { retryAfter };
  return new ServiceError({ kind: 'http', status, excerpt: excerptOf(text, token), ...wait });
}

/**
 * The data as a schema reads it.
 * @throws ServiceError `unreadable`, which says where: by type alone, for a value may quote a token
 */
export function decode<const S extends v.GenericSchema>(schema: S, data: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, data);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = ['data', v.getDotPath(issue)].filter(Boolean).join('.');
  throw new ServiceError({
    kind: 'unreadable',
    path,
    problem: problemOf(issue),
  });
}

function problemOf({ kind, expected, input }: v.BaseIssue<unknown>): string {
  if (input === undefined) return 'missing';
  return kind === 'schema' ? `expected ${expected}, got ${typeName(input)}` : 'malformed';
}

/** The beginning of what came, its white space collapsed. */
function excerptOf(received: string, token: string | undefined): string {
  const hidden = hideTraces(received.slice(0, BEGINNING), token);
  // A token that is cut at the end of it is not hidden: so much of it, however it is written, is not looked at.
  const sure = received.length > BEGINNING ? hidden.slice(0, -BEGINNING / 10) : hidden;
  return sure.replace(/\s+/g, ' ').trim().slice(0, EXCERPT);
}

/** Puts dots in the place of whatever is nested deeper: one such value must not cost the others, or a walk its stack. */
function cutBelow(levels: number, data: unknown): void {
  if (typeof data !== 'object' || data === null) return;
  const cut = (name: string | number, value: unknown) => {
    if (levels > 1) cutBelow(levels - 1, value);
    // Not an assignment, which would make a prototype of a field called `__proto__`.
    else if (typeof value === 'object') Object.defineProperty(data, name, { value: '…' });
  };
  // To go through a long list by its names would take longer than all else.
  if (Array.isArray(data)) for (const [at, value] of data.entries()) cut(at, value);
  else for (const name in data) cut(name, data[name as keyof object]);
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function parseJson(received: string): unknown {
  try {
    return JSON.parse(received);
  } catch {
    return undefined;
  }
}
