/** Parsing the JSON of an answer, if it isn't too large to be parsed at once. */
import { ServiceError } from './errors.ts';
import type { TimeSlices } from './timeSlices.ts';

/** How many characters are counted before anybody else may have a turn. */
const BLOCK = 2 ** 16;

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, OPEN_OBJECT] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

/**
 * The object that a text is in JSON; undefined where it is none.
 * @throws ServiceError `tooLarge` where it holds more than so many values, counted at every level
 */
export async function parseJson(text: string, values: number, slices: TimeSlices): Promise<unknown> {
  // A page of HTML, for example: it is not too large, but not the service.
  if (!/^[ \t\r\n]*\{/.test(text)) return undefined;
  await countValues(text, values, slices);
  // Parsing is a long piece of work by itself.
  if (slices.isOver) await slices.turn();
  const parsed = parse(text);
  if (slices.isOver) await slices.turn();
  return parsed;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Counts what could be a value: each comma, list and object outside of texts. What is no JSON otherwise, the parser finds. */
async function countValues(text: string, most: number, slices: TimeSlices): Promise<void> {
  let [values, isText, pause] = [0, false, BLOCK];
  for (let at = 0; at < text.length; at++) {
    if (at >= pause) {
      pause = at + BLOCK;
      if (slices.isOver) await slices.turn();
    }
    if (isText) {
      at = text.indexOf('"', at);
      if (at < 0) return;
      isText = isEscaped(text, at);
      continue;
    }
    const mark = text.charCodeAt(at);
    if (mark === QUOTE) isText = true;
    else if (mark === COMMA || mark === OPEN_LIST || mark === OPEN_OBJECT) values++;
    if (values > most) throw new ServiceError({ kind: 'tooLarge', of: 'values', bound: most });
  }
}

/** Whether an odd number of backslashes stands before it. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === BACKSLASH) before--;
  return (at - before) % 2 === 0;
}
