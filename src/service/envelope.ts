/** Reads the envelope of a response (contract section 1). */
import * as v from 'valibot';
import { sanitizeElements } from './elements.ts';
import { type DataProblem, ServiceError } from './errors.ts';
import { requiredNumber, text } from './fields.ts';
import type { HttpResponse } from './http.ts';
import { parseJson } from './json.ts';
import type { ResponseLimits } from './operations.ts';
import { createTokenRedactor, redactFragments } from './redaction.ts';
import { TimeSlices } from './timeSlices.ts';
import { truncate } from './truncate.ts';

const Envelope = v.object({
  code: requiredNumber,
  msg: text,
  /** Observed instead of `msg`. */
  message: text,
  data: v.optional(v.unknown()),
});

/** Length of an excerpt (UTF-16 units). */
const EXCERPT = 200;
/** Characters in which tokens are redacted before an excerpt is taken. */
const REDACTED_LENGTH = 100_000;

/**
 * The `data` of a successful response, with the call's `token` redacted. Success is code 1, whatever the HTTP status.
 * @throws ServiceError `rejected`, `http`, `notEnvelope` or `tooLarge`, with the call's `token` redacted
 */
export async function readEnvelope(
  response: HttpResponse,
  { token, limits }: { token?: string; limits: ResponseLimits },
  signal: AbortSignal,
): Promise<unknown> {
  const { status, retryAfter } = response;
  const slices = new TimeSlices(signal);
  const envelope = v.safeParse(Envelope, await parseJson(response.text, limits.values, slices));
  if (!envelope.success) {
    if (status < 200 || status >= 300) throw httpError(response, token);
    throw new ServiceError({ kind: 'notEnvelope', status, excerpt: excerptOf(response.text, token) });
  }
  const { code, msg, message, data } = envelope.output;
  if (code === 1) {
    const redact = createTokenRedactor(response.text, token);
    if (slices.isOver) await slices.pause();
    return sanitizeElements(data, limits.elements, redact, slices);
  }
  const text = redactStart(msg || message, token);
  throw new ServiceError({ kind: 'rejected', code, text, status, ...(retryAfter !== undefined && { retryAfter }) });
}

/** The HTTP status and the beginning of the body as an error, with the call's `token` redacted. */
export function httpError({ status, text, retryAfter }: HttpResponse, token: string | undefined): ServiceError {
  const excerpt = excerptOf(text, token);
  return new ServiceError({ kind: 'http', status, excerpt, ...(retryAfter !== undefined && { retryAfter }) });
}

/**
 * Validates the data of a response.
 * @throws ServiceError `unreadable` with the path and the types only, because a value may contain a token
 */
export function decode<const S extends v.GenericSchema>(schema: S, data: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, data);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = ['data', v.getDotPath(issue)].filter(Boolean).join('.');
  throw new ServiceError({ kind: 'unreadable', path, problem: problemOf(issue) });
}

function problemOf({ kind, expected, input }: v.BaseIssue<unknown>): DataProblem {
  if (input === undefined) return 'missing';
  return kind === 'schema' ? { expected: expected ?? '', actual: typeName(input) } : 'malformed';
}

/** The beginning of a body, with white space collapsed. */
function excerptOf(body: string, token: string | undefined): string {
  return truncate(redactStart(body, token).replace(/\s+/g, ' ').trim(), EXCERPT);
}

/** Redacts the token and truncates long text. */
function redactStart(received: string, token: string | undefined): string {
  const redacted = redactFragments(received.slice(0, REDACTED_LENGTH), token);
  // A token that the limit cuts in two isn't recognized, so the end is dropped.
  return received.length > REDACTED_LENGTH ? redacted.slice(0, -REDACTED_LENGTH / 10) : redacted;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
