import * as v from 'valibot';
import { badBody, badParameter, type Refusal } from './refusals.ts';

/** Thrown to answer with a refusal. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.msg);
    this.refusal = refusal;
  }
}

type Schema = v.GenericSchema<unknown, unknown>;

/** The validated query of a request. @throws {Refused} with the invalid parameter */
export function queryOf<S extends Schema>({ url }: Request, schema: S): v.InferOutput<S> {
  // The first of duplicate names counts.
  return validate(schema, Object.fromEntries([...new URL(url).searchParams].reverse()));
}

/** The validated JSON body of a request. @throws {Refused} with the invalid field */
export async function bodyOf<S extends Schema>(request: Request, schema: S): Promise<v.InferOutput<S>> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new Refused(badBody);
  const body: unknown = await request.json().catch(() => undefined);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Refused(badBody);
  return validate(schema, body);
}

function validate<S extends Schema>(schema: S, value: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, value);
  if (!result.success) throw new Refused(badParameter(v.getDotPath(result.issues[0]) ?? ''));
  return result.output;
}
