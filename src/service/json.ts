/** Parses JSON from outside unless it has too many values. */
import { ServiceError } from './errors.ts';
import { TimeSlices } from './timeSlices.ts';

/** Characters to count between checks of the time slice. */
const BLOCK = 2 ** 16;

const [QUOTE, BACKSLASH, COMMA, OPEN_ARRAY, OPEN_OBJECT] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

/**
 * Parses a JSON object. Returns undefined for any other text.
 * @throws ServiceError `tooLarge` if it has more than `maxValues` values, counted at every level
 */
export async function parseJson(text: string, maxValues: number, slices: TimeSlices): Promise<unknown> {
  // Avoids reporting other content, such as an HTML page, as too large.
  if (!/^[ \t\r\n]*\{/.test(text)) return undefined;
  if (await hasMoreValues(text, maxValues, slices))
    throw new ServiceError({ kind: 'tooLarge', of: 'values', bound: maxValues });
  // Parsing can't be interrupted.
  if (slices.isOver) await slices.pause();
  const parsed = parse(text);
  if (slices.isOver) await slices.pause();
  return parsed;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Whether JSON has more values, counted at every level: the commas, arrays and objects outside of strings. The parser reports
 * syntax errors.
 */
export async function hasMoreValues(text: string, maxValues: number, slices = new TimeSlices()): Promise<boolean> {
  if (text.length <= maxValues) return false;
  let [values, isInString, nextCheck] = [0, false, BLOCK];
  for (let index = 0; index < text.length; index++) {
    if (index >= nextCheck) {
      nextCheck = index + BLOCK;
      if (slices.isOver) await slices.pause();
    }
    if (isInString) {
      index = text.indexOf('"', index);
      if (index < 0) return false;
      isInString = isEscaped(text, index);
      continue;
    }
    const character = text.charCodeAt(index);
    if (character === QUOTE) isInString = true;
    else if (character === COMMA || character === OPEN_ARRAY || character === OPEN_OBJECT) values++;
    if (values > maxValues) return true;
  }
  return false;
}

/** Whether an odd number of backslashes precedes the character. */
function isEscaped(text: string, index: number): boolean {
  let before = index - 1;
  while (text.charCodeAt(before) === BACKSLASH) before--;
  return (index - before) % 2 === 0;
}
