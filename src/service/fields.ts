/**
 * The small shapes that every resource is made of. Strict about what callers rely on (identifiers, lists);
 * tolerant about the rest, because the contract leaves much "not shown" and the field notes saw it vary.
 * What a field could not be read as is not lost: the raw JSON is kept beside each resource and message.
 */
import * as v from 'valibot';

/** An identifier: an opaque, non-empty string. */
export const identifier = v.pipe(v.string(), v.nonEmpty());

/** A text that may be absent, null or empty. A number reads as its digits; anything else as empty. */
export const text = v.fallback(v.union([v.string(), v.pipe(v.number(), v.transform(String))]), '');

/** A number that must be there; numeric strings are read. */
export const requiredNumber = v.union([
  v.custom<number>(Number.isFinite),
  v.pipe(
    v.string(),
    v.regex(/^-?\d+$/),
    v.transform((digits) => Number(digits)),
    v.finite(),
  ),
]);

/** A number, or a numeric string; undefined where none is given, so that nobody mistakes "unknown" for 0. */
export const number = v.fallback(v.optional(requiredNumber), undefined);

/** A code of which the contract shows some values: a number, or whatever text stands there in its place. */
export const code = v.fallback(v.optional(v.union([requiredNumber, v.string()])), undefined);

/** Something with a schema of its own that may be absent, null or unreadable: `undefined` then. */
export const maybe = <const S extends v.GenericSchema>(schema: S) => v.fallback(v.optional(schema), undefined);

/** Fields, of an object that is no list: a list has properties of its own, such as `at`. */
export const fieldsOf = <const E extends v.ObjectEntries>(entries: E) =>
  v.pipe(
    v.custom<object>((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
    v.object(entries),
  );

/** The elements of a list that a schema can read; empty where there is no list. */
export const readableOf = <const S extends v.GenericSchema>(schema: S) =>
  v.fallback(
    v.pipe(
      v.array(v.unknown()),
      v.transform((list) =>
        list.flatMap((element) => {
          const read = v.safeParse(schema, element);
          return read.success ? [read.output] : [];
        }),
      ),
    ),
    [],
  );
