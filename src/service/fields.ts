/**
 * The small shapes that every resource is made of. Strict about what callers rely on (identifiers, lists);
 * tolerant about the rest, because the contract leaves much "not shown" and the field notes saw it vary.
 */
import * as v from 'valibot';

/** An identifier: an opaque, non-empty string. */
export const identifier = v.pipe(v.string(), v.nonEmpty());

/** A text that may be absent, null or empty; anything that is not a string reads as empty. */
export const text = v.fallback(v.string(), '');

const numeric = v.union([
  v.pipe(v.number(), v.finite()),
  v.pipe(
    v.string(),
    v.regex(/^-?\d+$/),
    v.transform((digits) => Number(digits)),
  ),
]);

/** A number, or a numeric string; undefined where none is given, so that nobody mistakes "unknown" for 0. */
export const number = v.fallback(v.optional(numeric), undefined);

/** A number that must be there (numeric strings are read). */
export const requiredNumber = numeric;

/** An object that may be absent or null: `undefined` then. */
export const maybe = <const S extends v.GenericSchema>(schema: S) => v.fallback(v.optional(schema), undefined);
