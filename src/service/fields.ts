/**
 * Field schemas shared by all resources: strict for what callers rely on (identifiers, lists), lenient for everything
 * else, which the contract leaves open and which was observed to vary. Nothing is lost: the raw JSON is kept, too.
 */
import * as v from 'valibot';

/**
 * An identifier: an opaque string of visible characters. White space, control, format and bidi characters, lone
 * surrogates and fillers are rejected: they could make one ID look like another or like several lines.
 */
export const identifier = v.pipe(v.string(), v.regex(/^[^\p{C}\p{Z}\p{DI}\u2800]+$/u));

/** The longest ID that somebody may enter, in UTF-16 units. IDs that the service itself returns may have any length. */
const MAX_ID = 200;

/** An identifier that a user, a link, a setting, a file or another program gives. */
export const givenIdentifier = v.pipe(identifier, v.maxLength(MAX_ID));
/** An identifier in user input, with surrounding white space removed. */
const trimmedIdentifier = v.pipe(v.string(), v.trim(), givenIdentifier);
/** A number as an identifier. A number that isn't a safe integer has lost digits: it may be somebody else's ID. */
const numberAsIdentifier = v.pipe(v.number(), v.safeInteger(), v.transform(String));
/** An identifier in a setting that allows something. */
export const settingIdentifier = v.union([trimmedIdentifier, numberAsIdentifier]);
/** An identifier that the service may send as a number. */
export const identifierOrNumber = v.union([identifier, numberAsIdentifier]);
export const isIdentifier = (text: string) => v.is(givenIdentifier, text);

/** Text that may be absent, null or empty. A number becomes its digits, and anything else an empty text. */
export const text = v.fallback(v.union([v.string(), v.pipe(v.number(), v.transform(String))]), '');

/** The identifier of a resource. An empty one means that there is no resource (contract 2.3, 4.3). */
export const identifierOrEmpty = v.pipe(
  v.string(),
  v.check((text) => text === '' || v.is(identifier, text)),
);

/** A reference to another resource. An invalid identifier becomes empty. */
export const lenientIdentifier = v.fallback(identifierOrNumber, '');

/** A number, or a numeric string of this form. */
const numeric = (form: RegExp) =>
  v.union([
    v.custom<number>(Number.isFinite),
    v.pipe(
      v.string(),
      v.regex(form),
      v.transform((digits) => Number(digits)),
      v.finite(),
    ),
  ]);

/** A mandatory number that stands for something, such as a code or an index. As a string, it has digits only. */
export const requiredNumber = numeric(/^-?\d+$/);

/** An optional number or numeric string. Anything else is undefined, so that "unknown" isn't mistaken for 0. */
export const number = v.fallback(v.optional(numeric(/^-?\d+(\.\d+)?$/)), undefined);

/** An optional ID that is a number by contract. If it has lost digits, it's undefined. */
export const numericIdentifier = v.fallback(v.optional(v.pipe(requiredNumber, v.safeInteger())), undefined);

/** An enumeration that the contract documents only in part: a number or any text. */
export const code = v.fallback(v.optional(v.union([requiredNumber, v.string()])), undefined);

/** An optional value. Null or an invalid value becomes undefined. */
export const lenientOptional = <const S extends v.GenericSchema>(schema: S) =>
  v.fallback(v.optional(schema), undefined);

/** Whether a value is an object that isn't an array: arrays have properties of their own, such as `at`. */
export const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const plainObject = <const E extends v.ObjectEntries>(entries: E) =>
  v.pipe(v.custom<object>(isPlainObject), v.object(entries));

/** The valid elements of a list. Anything but a list becomes an empty list. */
export const lenientList = <const S extends v.GenericSchema>(schema: S) =>
  v.fallback(
    v.pipe(
      v.array(v.unknown()),
      v.transform((list) =>
        list.flatMap((element) => {
          const result = v.safeParse(schema, element);
          return result.success ? [result.output] : [];
        }),
      ),
    ),
    [],
  );
