/** Reading the envelope that every answer comes in (contract section 1). */
import * as v from 'valibot';
import { readElements } from './elements.ts';
import { ServiceError } from './errors.ts';
import { requiredNumber, text } from './fields.ts';
import type { HttpResponse } from './http.ts';
import { parseJson } from './json.ts';
import type { ResponseLimits } from './limits.ts';
import { hideTraces, tokenRemover } from './redaction.ts';
import { TimeSlices } from './timeSlices.ts';

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

/**
 * The `data` of a success, without the call's `token`. Success is the code 1 and nothing else, whatever the HTTP status.
 * @throws ServiceError `rejected`, `http`, `notEnvelope` or `tooLarge`, the call's `token` hidden in each
 */
export async function dataOf(
  answer: HttpResponse,
  { token, bounds }: { token?: string; bounds: ResponseLimits },
  signal: AbortSignal,
): Promise<unknown> {
  const { status, retryAfter } = answer;
  const wait = retryAfter === undefined ? {} : { retryAfter };
  const slices = new TimeSlices(signal);
  const envelope = v.safeParse(Envelope, await parseJson(answer.text, bounds.values, slices));
  if (!envelope.success) {
    if (status < 200 || status >= 300) throw httpError(answer, token);
    throw new ServiceError({ kind: 'notEnvelope', status, excerpt: excerptOf(answer.text, token) });
  }
  const { code, msg, message, data } = envelope.output;
  if (code === 1) {
    const removeToken = tokenRemover(answer.text, token);
    if (slices.isOver) await slices.turn();
    return readElements(data, bounds.elements, removeToken, slices);
  }
  throw new ServiceError({ kind: 'rejected', code, text: shownOf(msg || message, token), status, ...wait });
}

/** An answer by its HTTP status and the beginning of its body, the call's `token` hidden. */
export function httpError({ status, text, retryAfter }: HttpResponse, token: string | undefined): ServiceError {
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
  return shownOf(received, token).replace(/\s+/g, ' ').trim().slice(0, EXCERPT);
}

/** The token hidden, and what is said at such length cut off. */
function shownOf(said: string, token: string | undefined): string {
  const hidden = hideTraces(said.slice(0, BEGINNING), token);
  // A token that is cut at the end of it is not hidden: so much of it, however it is written, is not looked at.
  return said.length > BEGINNING ? hidden.slice(0, -BEGINNING / 10) : hidden;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
