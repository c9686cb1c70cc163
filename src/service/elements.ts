/** The parts of an answer: messages, receipts, what was looked up. One that is odd must not cost the others. */
import { ServiceError } from './errors.ts';
import type { TimeSlices } from './timeSlices.ts';

/** Deeper than anything in the contract; far less deep than what no stack could walk through or write down again. */
const LEVELS = 100;

/** More than any message has: a text of 100,000 characters (UTF-16 units), buttons by the hundred. */
const CHARACTERS = 700_000;
const VALUES = 5_000;

const DOTS = '…';

/**
 * Does something with each field of the data, or each element of those that are lists, and puts what it gives in its
 * place. Before that, dots take the place of whatever is nested too deep, and of a part that is too large as a whole.
 * Changes the data itself.
 * @throws ServiceError `tooLarge` where a list is longer than so many elements
 */
export async function readElements(
  data: unknown,
  elements: number,
  act: (part: unknown) => unknown,
  slices: TimeSlices,
): Promise<unknown> {
  const part = (value: unknown) => act(isWithin(value) ? value : DOTS);
  if (!isObject(data)) return part(data);
  for (const [name, value] of Object.entries(data)) {
    if (!Array.isArray(value)) {
      put(data, name, part(value));
      continue;
    }
    if (value.length > elements) throw new ServiceError({ kind: 'tooLarge', of: 'elements', bound: elements });
    for (const [at, element] of value.entries()) {
      value[at] = part(element);
      if (slices.isOver) await slices.turn();
    }
  }
  return data;
}

/** Whether a part is not too large. Cuts it where it is nested too deep. */
function isWithin(part: unknown): boolean {
  let [characters, values] = [0, 0];
  const walk = (value: unknown, levels: number): boolean => {
    if (typeof value === 'string') characters += value.length;
    if (++values > VALUES || characters > CHARACTERS) return false;
    if (!isObject(value)) return true;
    if (Array.isArray(value)) return value.every((element, at) => inner(value, `${at}`, element, levels));
    return Object.keys(value).every((name) => {
      characters += name.length;
      return inner(value, name, value[name], levels);
    });
  };
  const inner = (outer: object, name: string, value: unknown, levels: number): boolean => {
    if (levels > 1 || !isObject(value)) return walk(value, levels - 1);
    put(outer, name, DOTS);
    return true;
  };
  return walk(part, LEVELS);
}

/** Not an assignment, which would make a prototype of a field called `__proto__`. */
function put(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
