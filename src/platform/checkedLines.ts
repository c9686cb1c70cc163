/** Lines of JSON, each with a checksum: a disk, a file that was cut off or somebody with an editor may have changed them. */
import * as v from 'valibot';
import { TimeSlices } from '../service/timeSlices.ts';
import { hexDigest } from './durableFiles.ts';

/** Hexadecimal digits of a checksum. */
const DIGITS = 16;

/** Serializes a value to a line, without the line break. `replacer` is passed to `JSON.stringify`. */
export async function addChecksum(
  value: unknown,
  replacer?: (name: string, value: unknown) => unknown,
): Promise<string> {
  const json = JSON.stringify(value, replacer);
  return `${await checksumOf(json)} ${json}`;
}

/** The value of a line; undefined if the line is damaged or doesn't match the schema. */
export async function verifyChecksum<Schema extends v.GenericSchema>(
  line: string,
  schema: Schema,
): Promise<v.InferOutput<Schema> | undefined> {
  const json = line.slice(DIGITS + 1);
  if (line.slice(0, DIGITS + 1) !== `${await checksumOf(json)} `) return undefined;
  // The first mistake is enough: to find that of each of thousands of values takes long.
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), json, { abortEarly: true });
  return result.success ? result.output : undefined;
}

/** The values of many lines, in time slices. */
export async function verifyLines<Schema extends v.GenericSchema>(
  lines: readonly string[],
  schema: Schema,
): Promise<(v.InferOutput<Schema> | undefined)[]> {
  const slices = new TimeSlices();
  const values: (v.InferOutput<Schema> | undefined)[] = [];
  for (const line of lines) {
    values.push(await verifyChecksum(line, schema));
    if (slices.isOver) await slices.pause();
  }
  return values;
}

const checksumOf = async (text: string) => (await hexDigest(text)).slice(0, DIGITS);
