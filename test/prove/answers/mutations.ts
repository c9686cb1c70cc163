/** Answers of the service, changed at random, and a client that is given them. */
import fc from 'fast-check';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { Client } from '../../../src/service/client.ts';
import { operations } from '../../unit/service/answering.ts';
import { hastyClock } from '../sender.ts';

export type Name = keyof typeof operations;
export const names = Object.keys(operations) as Name[];
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** A client of a service that answers every call alike, without a network. */
export function clientOf(answer: (input: Parameters<typeof fetch>[0], init?: RequestInit) => Promise<Response>) {
  const address = 'https://chat.example';
  return new Client({ webUrl: address, openApiUrl: address, fetch: answer, clock: hastyClock() });
}

/** What the sandbox answers to one call of each operation. */
export async function goodAnswers(): Promise<Record<Name, Json>> {
  const { webUrl, openApiUrl, token, fetch } = createSandbox({ origin: 'https://chat.example', now: () => 0 });
  const answers: Partial<Record<Name, Json>> = {};
  for (const name of names) {
    const keeping: typeof globalThis.fetch = async (input, init) => {
      const response = await fetch(new Request(input, init));
      answers[name] = (await response.clone().json()) as Json;
      return response;
    };
    const client = new Client({ webUrl, openApiUrl, fetch: keeping });
    await operations[name](client, undefined, token('30481126'));
  }
  return answers as Record<Name, Json>;
}

/** What JSON can hold and `JSON.stringify` cannot write: {@link textOf} puts it in the place of its name. */
const unwritable = { '<huge>': '1e999', '<least>': '-1e999', '<nested>': `${'['.repeat(60)}${']'.repeat(60)}` };

export function textOf(value: Json): string {
  let text = JSON.stringify(value);
  for (const [name, json] of Object.entries(unwritable)) text = text.replaceAll(`"${name}"`, () => json);
  return text;
}

const OBJECTS = [
  '{"__proto__":{"msgId":"p","token":"t"}}',
  '{"constructor":{"prototype":{"length":1}}}',
  '{"length":3}',
];

/** A value that stands where another was expected. */
export const odd: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json[]>(null, true, false, '', 0, -1, -0, 1.5, 2 ** 53, 1e300, -1e300, 5e-324),
  fc.constantFrom('0', '-7', '007', '1.0', ' 1', 'NaN', 'Infinity', '９', '9'.repeat(400), '\u0000', '\ud800'),
  fc.constantFrom(...Object.keys(unwritable)),
  fc.constantFrom<Json[]>([], [[]], [null], {}, { length: 1 }, [[[[0]]], 'a', {}]),
  fc.constantFrom(...OBJECTS).map((text): Json => JSON.parse(text)),
  fc.jsonValue() as fc.Arbitrary<Json>,
);

type Change = (old: Json) => Json[];
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.constant<Change>(() => []),
  odd.map(
    (value): Change =>
      () => [value],
  ),
  fc.constant<Change>((old) => [old, old]),
  fc.constant<Change>((old) => [[old]]),
  fc.constant<Change>((old) => [{ value: old }]),
  fc.constant<Change>((old) => [String(old)]),
);

/** A place among all, and more often one of the first, where the codes and IDs are. */
const place = fc.oneof(fc.nat(), fc.nat({ max: 8 }));

/** Some changes, each at some place of a value. */
export const mutations = fc.array(fc.tuple(place, change), { minLength: 1, maxLength: 4 });

/** The value with its places changed in turn; a place is the value itself, a field or an element, at any depth. */
export function mutated(value: Json, changes: readonly [number, Change][]): Json {
  return changes.reduce((current, [at, how]) => {
    let left = at % sizeOf(current);
    const visit = (here: Json): Json[] => {
      if (left-- === 0) return how(here);
      if (Array.isArray(here)) return [here.flatMap(visit)];
      if (typeof here !== 'object' || here === null) return [here];
      // Of two values for one field, JSON keeps the last.
      return [Object.fromEntries(Object.entries(here).flatMap(([name, old]) => visit(old).map((one) => [name, one])))];
    };
    return visit(current)[0] ?? null;
  }, value);
}

function sizeOf(value: Json): number {
  const inner = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return inner.reduce<number>((sum, one) => sum + sizeOf(one), 1);
}
