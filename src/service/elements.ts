/** Limits the size and depth of single elements of a response, so that an oversized one doesn't affect the others. */
import { ServiceError } from './errors.ts';
import type { TimeSlices } from './timeSlices.ts';

/** Deeper than anything in the contract, and shallow enough for recursion and serialization. */
const MAX_DEPTH = 100;

/** More than any message has: a text of 100,000 characters (UTF-16 units), buttons by the hundred. */
const MAX_CHARACTERS = 700_000;
const MAX_VALUES = 5_000;

const ELLIPSIS = '…';

/**
 * Replaces each field of the data, and each element of its lists, by what `transform` returns for it. Before that, an
 * ellipsis replaces elements that are too large, and whatever is nested too deep. Modifies the data in place.
 * @throws ServiceError `tooLarge` if a list has more than `maxElements` elements
 */
export async function sanitizeElements(
  data: unknown,
  maxElements: number,
  transform: (element: unknown) => unknown,
  slices: TimeSlices,
): Promise<unknown> {
  const sanitize = (value: unknown) => transform(limitDepth(value) ? value : ELLIPSIS);
  if (!isObject(data)) return sanitize(data);
  for (const [name, value] of Object.entries(data)) {
    if (!Array.isArray(value)) {
      setField(data, name, sanitize(value));
      continue;
    }
    if (value.length > maxElements) {
      throw new ServiceError({ kind: 'tooLarge', of: 'elements', bound: maxElements });
    }
    for (const [index, element] of value.entries()) {
      value[index] = sanitize(element);
      if (slices.isOver) await slices.pause();
    }
  }
  return data;
}

/** Whether an element that isn't from a response could be from one: it's neither too large nor nested too deep. */
export function isWithinLimits(element: unknown): boolean {
  let isDeep = false;
  const isSmall = limitDepth(element, () => {
    isDeep = true;
  });
  return isSmall && !isDeep;
}

/** Cuts off what is nested too deep. Returns false if the element is too large. */
function limitDepth(element: unknown, onCut = () => {}): boolean {
  let [characters, values] = [0, 0];
  const walk = (value: unknown, depthLeft: number): boolean => {
    if (typeof value === 'string') characters += value.length;
    if (++values > MAX_VALUES || characters > MAX_CHARACTERS) return false;
    if (!isObject(value)) return true;
    if (Array.isArray(value)) return value.every((child, index) => walkChild(value, `${index}`, child, depthLeft));
    return Object.keys(value).every((name) => {
      characters += name.length;
      return walkChild(value, name, value[name], depthLeft);
    });
  };
  const walkChild = (parent: object, name: string, child: unknown, depthLeft: number): boolean => {
    if (depthLeft > 1 || !isObject(child)) return walk(child, depthLeft - 1);
    onCut();
    setField(parent, name, ELLIPSIS);
    return true;
  };
  return walk(element, MAX_DEPTH);
}

/** Unlike an assignment, doesn't set the prototype if the field is named `__proto__`. */
function setField(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
