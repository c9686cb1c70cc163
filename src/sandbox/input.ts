import * as v from 'valibot';
import { badBody, badParameter, type Refusal } from './refusals.ts';

/** Thrown by an operation that refuses; the answer is its envelope. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.msg);
    this.refusal = refusal;
  }
}

type Schema = v.GenericSchema<unknown, unknown>;

/** The query of a request as a schema wants it. @throws {Refused} naming the parameter that is wrong. */
export function queryOf<S extends Schema>({ url }: Request, schema: S): v.InferOutput<S> {
  // Of a name that comes again the first counts.
  return checked(schema, Object.fromEntries([...new URL(url).searchParams].reverse()));
}

/** The JSON body of a request as a schema wants it. @throws {Refused} naming the field that is wrong. */
export async function bodyOf<S extends Schema>(request: Request, schema: S): Promise<v.InferOutput<S>> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new Refused(badBody);
  const body: unknown = await request.json().catch(() => undefined);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Refused(badBody);
  return checked(schema, body);
}

function checked<S extends Schema>(schema: S, value: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, value);
  if (!result.success) throw new Refused(badParameter(v.getDotPath(result.issues[0]) ?? ''));
  return result.output;
}
