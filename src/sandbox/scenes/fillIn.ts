import { between, mix } from '../seeded.ts';

/** The source of placeholder values in a scene. Except for times, they are the same in all of its turns. */
export interface Placeholders {
  /** Unique for the scene. */
  readonly seed: number;
  /** The base URL of links. */
  readonly web: string;
  /** The people of the scene, by index. */
  readonly people: readonly { readonly userId: string; readonly nickname: string }[];
  /** Send time of the message in Unix milliseconds. */
  readonly sendTime: number;
}

const values: Readonly<Record<string, (source: Placeholders) => string | undefined>> = {
  web: ({ web }) => web,
  a: ({ people }) => people[0]?.nickname,
  b: ({ people }) => people[1]?.nickname,
  c: ({ people }) => people[2]?.nickname,
  cId: ({ people }) => people[2]?.userId,
  n: ({ seed }) => String(between(mix(seed, 1), 20, 48)),
  m: ({ seed }) => String(between(mix(seed, 2), 3, 19)),
  order: ({ seed }) => `FK-${between(mix(seed, 3), 10_000, 99_999)}`,
  price: ({ seed }) => `${between(mix(seed, 4), 6, 64)}.${between(mix(seed, 5), 10, 95)}`,
  time: ({ seed }) => `${String(between(mix(seed, 6), 9, 20)).padStart(2, '0')}:${between(mix(seed, 7), 0, 5)}0`,
  version: ({ seed }) => `2.${between(mix(seed, 8), 1, 40)}.${between(mix(seed, 9), 0, 9)}`,
  /** The expiry of a signed URL: an hour after its message, in Unix seconds as hexadecimal digits (observed). */
  expiry: ({ sendTime }) => (Math.floor(sendTime / 1000) + 3600).toString(16),
  key: ({ seed }) => mix(seed, 10).toString(16).padStart(8, '0'),
};

/** A copy of a content with all known `{placeholders}` in its texts replaced. */
export function fillIn<T>(value: T, source: Placeholders): T {
  if (typeof value === 'string') {
    return (
      value.includes('{') ? value.replace(/\{(\w+)\}/g, (all, name) => values[name]?.(source) ?? all) : value
    ) as T;
  }
  if (Array.isArray(value)) return value.map((item) => fillIn(item, source)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillIn(item, source)])) as T;
}
