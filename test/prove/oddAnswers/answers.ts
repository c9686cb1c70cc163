/** Random changes to the service's answers, a client that receives them, and what must be true of its results. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { Client } from '../../../src/service/client.ts';
import { type Failure, ServiceError } from '../../../src/service/errors.ts';
import type { Listed } from '../../../src/service/message.ts';
import type { Found } from '../../../src/service/model.ts';
import type { Operation } from '../../../src/service/operations.ts';
import { embedded, operationNames, operations } from '../../unit/service/answering.ts';
import * as shapes from '../../unit/service/shapes.ts';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The sandbox's answer to one call of each operation. */
export async function goodAnswers(): Promise<Record<Operation, Json>> {
  const { webUrl, openApiUrl, token, fetch } = createSandbox({ origin: 'https://chat.example', now: () => 0 });
  const answers: Partial<Record<Operation, Json>> = {};
  for (const name of operationNames) {
    const keeping: typeof globalThis.fetch = async (input, init) => {
      const response = await fetch(new Request(input, init));
      answers[name] = (await response.clone().json()) as Json;
      return response;
    };
    const client = new Client({ webUrl, openApiUrl, fetch: keeping });
    await operations[name](client, undefined, token('30481126'));
  }
  return answers as Record<Operation, Json>;
}

/** JSON that `JSON.stringify` can't produce: {@link textOf} replaces the placeholders. */
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

/** An unexpected value. */
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

/** A position in a value; more often near the start, where the codes and IDs are. */
const place = fc.oneof(fc.nat(), fc.nat({ max: 8 }));

/** Changes, each at a position in a value. */
export const mutations = fc.array(fc.tuple(place, change), { minLength: 1, maxLength: 4 });

/** Applies changes in turn. A position is the value itself, a field or an element, at any depth. */
export function mutated(value: Json, changes: readonly [number, Change][]): Json {
  return changes.reduce((current, [at, how]) => {
    let left = at % sizeOf(current);
    const visit = (here: Json): Json[] => {
      if (left-- === 0) return how(here);
      if (Array.isArray(here)) return [here.flatMap(visit)];
      if (typeof here !== 'object' || here === null) return [here];
      // If a field has two values, JSON keeps the last.
      return [Object.fromEntries(Object.entries(here).flatMap(([name, old]) => visit(old).map((one) => [name, one])))];
    };
    return visit(current)[0] ?? null;
  }, value);
}

function sizeOf(value: Json): number {
  const inner = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return inner.reduce<number>((sum, one) => sum + sizeOf(one), 1);
}

export type Ending = { value: unknown } | { failure: Failure };

/** The result of an operation with this answer. Asserts that it is a value of its type or a ServiceError. */
export async function endingOf(name: Operation, text: string): Promise<Ending> {
  try {
    const value = await operations[name](embedded(() => new Response(text)));
    assertValid(name, value);
    return { value };
  } catch (error) {
    assert.ok(error instanceof ServiceError, `${name} threw ${error instanceof Error ? error.stack : error}`);
    return { failure: error.failure };
  }
}

const found = (kind: Found['kind'], resource: shapes.Shape) => (value: unknown) => {
  const result = value as Found;
  assert.deepEqual(Object.keys(result).toSorted(), ['kind', 'raw', 'resource']);
  assert.equal(result.kind, kind);
  resource(result.resource);
};

/** Asserts that a result has the right type, and that no answer has polluted `Object.prototype`. */
export function assertValid(name: Operation, value: unknown): void {
  checks[name](value);
  assert.deepEqual(Object.keys(Object.prototype), []);
}

const checks: Record<Operation, (value: unknown) => void> = {
  group: found('group', shapes.group),
  bot: found('bot', shapes.bot),
  user: found('user', shapes.user),
  batchSend: shapes.batchAnswer,
  messages: (list) => {
    assert.ok(Array.isArray(list));
    for (const entry of list as Listed[]) if (entry.readable) shapes.message(entry.message);
  },
};
