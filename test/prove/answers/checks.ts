/** Checks the results of the client's operations. */
import assert from 'node:assert/strict';
import { type Failure, ServiceError } from '../../../src/service/errors.ts';
import type { Listed } from '../../../src/service/message.ts';
import type { Found } from '../../../src/service/model.ts';
import { operations } from '../../unit/service/answering.ts';
import * as shapes from '../../unit/service/shapes.ts';
import { clientOf, type Name } from './mutations.ts';

export type Ending = { value: unknown } | { failure: Failure };

/** The result of an operation with this answer. Asserts that it is a value of its type or a ServiceError. */
export async function endingOf(name: Name, text: string): Promise<Ending> {
  try {
    const value = await operations[name](clientOf(async () => new Response(text)));
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
export function assertValid(name: Name, value: unknown): void {
  checks[name](value);
  assert.deepEqual(Object.keys(Object.prototype), []);
}

const checks: Record<Name, (value: unknown) => void> = {
  group: found('group', shapes.group),
  bot: found('bot', shapes.bot),
  user: found('user', shapes.user),
  batchSend: shapes.batchAnswer,
  messages: (list) => {
    assert.ok(Array.isArray(list));
    for (const entry of list as Listed[]) if (entry.readable) shapes.message(entry.message);
  },
};
