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

/** @throws {Refused} to answer with this refusal */
export function refuse(refusal: Refusal): never {
  throw new Refused(refusal);
}

type Schema = v.GenericSchema<unknown, unknown>;

/** The validated query of a request. @throws {Refused} with the invalid parameter */
export function queryOf<S extends Schema>({ url }: Request, schema: S): v.InferOutput<S> {
  return validate(schema, fieldsOf(new URL(url).searchParams));
}

const FORM = 'application/x-www-form-urlencoded';

/** The validated JSON body of a request. @throws {Refused} with the invalid field */
export async function bodyOf<S extends Schema>(request: Request, schema: S): Promise<v.InferOutput<S>> {
  if (contentTypeOf(request) !== 'application/json') refuse(badBody);
  return validate(schema, parseObject(await request.text()) ?? refuse(badBody));
}

/** Like {@link bodyOf}, for clients that send a form, or JSON as anything (observed). */
export async function lookupOf<S extends Schema>(request: Request, schema: S): Promise<v.InferOutput<S>> {
  const type = contentTypeOf(request);
  if (type === 'multipart/form-data') {
    const form = await request.formData().catch(() => refuse(badBody));
    return validate(schema, Object.fromEntries([...form].reverse()));
  }
  if (!['application/json', 'text/plain', FORM, ''].includes(type)) refuse(badBody);
  const text = await request.text();
  return validate(schema, parseObject(text) ?? (type === FORM ? fieldsOf(new URLSearchParams(text)) : refuse(badBody)));
}

const contentTypeOf = ({ headers }: Request) =>
  (headers.get('content-type') ?? '').split(';', 1).join().trim().toLowerCase();

/** The first of duplicate names counts. */
const fieldsOf = (params: URLSearchParams) => Object.fromEntries([...params].reverse());

/** A text as a JSON object; undefined if it isn't one. */
function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function validate<S extends Schema>(schema: S, value: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, value);
  return result.success ? result.output : refuse(badParameter(v.getDotPath(result.issues[0]) ?? ''));
}
