import { between, mix } from '../mix.ts';

/** What the places in the texts of one scene stand for: the same in all its turns, but for times, and something else in the next scene. */
export interface Placeholders {
  /** Any number that is the scene's own. */
  readonly seed: number;
  /** The base address of what the scene links to. */
  readonly web: string;
  /** The people of the scene, by number. */
  readonly people: readonly { readonly userId: string; readonly nickname: string }[];
  /** Of the message, in Unix milliseconds. */
  readonly sendTime: number;
}

const places: Readonly<Record<string, (filling: Placeholders) => string | undefined>> = {
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
  /** When a signed address expires: an hour after its message, in Unix seconds as hexadecimal digits (observed). */
  expiry: ({ sendTime }) => (Math.floor(sendTime / 1000) + 3600).toString(16),
  key: ({ seed }) => mix(seed, 10).toString(16).padStart(8, '0'),
};

/** A copy of a content with every `{place}` in its texts filled in; braces around anything else stay. */
export function fillIn<T>(value: T, filling: Placeholders): T {
  if (typeof value === 'string') {
    return (
      value.includes('{') ? value.replace(/\{(\w+)\}/g, (all, name) => places[name]?.(filling) ?? all) : value
    ) as T;
  }
  if (Array.isArray(value)) return value.map((item) => fillIn(item, filling)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillIn(item, filling)])) as T;
}
