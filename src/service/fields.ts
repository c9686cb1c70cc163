/**
 * The small shapes that every resource is made of. Strict about what callers rely on (identifiers, lists);
 * tolerant about the rest, because the contract leaves much "not shown" and the field notes saw it vary.
 * What a field could not be read as is not lost: the raw JSON is kept beside each resource and message.
 */
import * as v from 'valibot';

/**
 * An identifier: an opaque string of characters that can all be seen. What holds white space, control, format or bidi
 * characters, lone surrogates or fillers is none: it could pass for another, or for several lines.
 */
export const identifier = v.pipe(v.string(), v.regex(/^[^\p{C}\p{Z}\p{DI}\u2800]+$/u));
/** The same, without the white space around it: as a person writes it. */
export const writtenIdentifier = v.pipe(v.string(), v.trim(), identifier);
export const isIdentifier = (text: string) => v.is(identifier, text);

/** A text that may be absent, null or empty. A number reads as its digits; anything else as empty. */
export const text = v.fallback(v.union([v.string(), v.pipe(v.number(), v.transform(String))]), '');

/** The identifier of a resource that may be none: an empty one (contract 2.3, 4.3). */
export const identifierOrNone = v.pipe(
  v.string(),
  v.check((text) => text === '' || isIdentifier(text)),
);

/** The identifier of something else that a resource names; empty where it names nothing that could be one. */
export const namedIdentifier = v.pipe(
  text,
  v.transform((named) => (isIdentifier(named) ? named : '')),
);

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
