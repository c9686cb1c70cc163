import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { BatchAnswer } from '../../../src/service/client.ts';
import { type Failure, ServiceError } from '../../../src/service/errors.ts';
import type { Listed } from '../../../src/service/message.ts';
import type { Found } from '../../../src/service/model.ts';
import { operations } from './answering.ts';
import { clientOf, goodAnswers, type Json, mutated, mutations, type Name, names, odd, textOf } from './fuzzed.ts';
import * as shapes from './shapes.ts';

type Ended = { value: unknown } | { failure: Failure };

/** How an operation ends where the service answers so; in nothing but a value or a ServiceError. */
async function ending(name: Name, answer: () => Response): Promise<Ended> {
  try {
    return { value: await operations[name](clientOf(async () => answer())) };
  } catch (error) {
    assert.ok(error instanceof ServiceError, `${name} threw ${error instanceof Error ? error.stack : error}`);
    return { failure: error.failure };
  }
}

const endingOf = (name: Name, text: string) => ending(name, () => new Response(text));

const found = (kind: Found['kind'], resource: shapes.Shape) => (value: unknown) => {
  const result = value as Found;
  assert.deepEqual(Object.keys(result).toSorted(), ['kind', 'raw', 'resource']);
  assert.equal(result.kind, kind);
  resource(result.resource);
};

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

const isObject = (value: unknown) => typeof value === 'object' && value !== null;
const isId = (value: unknown) => typeof value === 'string' && value !== '';
/** A field of whatever stands there; what JSON cannot hold where there is none. */
const field = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value as object, name) ? (value as Record<string, unknown>)[name] : undefined;

describe('Whatever the service answers', () => {
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.record({ code: fc.constant<Json>(1), msg: odd, data: odd }).map(textOf),
    fc
      .record({ code: odd, msg: odd, data: odd }, { requiredKeys: [] })
      .map((envelope) => textOf(envelope as unknown as Json)),
  );
  const headers = fc.record(
    {
      'content-type': fc.constantFrom('application/json', 'text/html', 'image/png', 'text/event-stream', 'x'),
      'content-length': fc.constantFrom('0', '5', '99999999999', '-1', 'many'),
      'retry-after': fc.constantFrom('0', '1', '-1', '1.5', '9'.repeat(400), 'Thu, 01 Jan 1970 00:00:00 GMT', 'soon'),
    },
    { requiredKeys: [] },
  );
  const statuses = fc.oneof(fc.integer({ min: 200, max: 599 }), fc.constantFrom(200, 204, 302, 304, 401, 429, 503));

  it('an operation ends in a value of its type or in a ServiceError', () =>
    fc.assert(
      fc.asyncProperty(bodies, statuses, headers, async (body, status, headers) => {
        const content = [204, 205, 304].includes(status) ? null : (body as BodyInit);
        for (const name of names) {
          const ended = await ending(name, () => new Response(content, { status, headers }));
          if ('value' in ended) checks[name](ended.value);
        }
      }),
      { numRuns: 400 },
    ));

  it('an operation ends in a ServiceError where an answer is nested deeper than a stack', async () => {
    const deep = (open: string, close: string) => `${open.repeat(50_000)}0${close.repeat(50_000)}`;
    for (const nest of [deep('[', ']'), deep('{"a":', '}')]) {
      for (const name of names) {
        const bodies = [nest, `{"code":${nest}}`, `{"code":1,"msg":${nest}}`, `{"code":1,"data":${nest}}`];
        for (const inner of ['group', 'bot', 'user', 'list', 'successList']) {
          bodies.push(`{"code":1,"data":{"${inner}":${nest}}}`, `{"code":1,"data":{"${inner}":{"userId":${nest}}}}`);
        }
        for (const body of bodies) {
          const ended = await endingOf(name, body);
          if ('value' in ended) checks[name](ended.value);
        }
      }
    }
  });
});

describe('However a good answer is changed', () => {
  let good: Record<Name, Json>;
  before(async () => {
    good = await goodAnswers();
  });

  /** Runs an operation on changed answers: what it ends in, and the data of the answer where that says success. */
  const changed = (name: Name, check: (ended: Ended, data: unknown) => void) =>
    fc.assert(
      fc.asyncProperty(mutations, async (changes) => {
        const text = textOf(mutated(good[name], changes));
        const envelope: unknown = JSON.parse(text);
        const ended = await endingOf(name, text);
        if ('value' in ended) checks[name](ended.value);
        // What stands for the code is another test's concern.
        if (field(envelope, 'code') === 1) check(ended, field(envelope, 'data'));
      }),
      { numRuns: 600 },
    );

  for (const kind of ['group', 'bot', 'user'] as const) {
    it(`a ${kind} is found where its ID can be read, missing where that is empty, and else unreadable`, () =>
      changed(kind, (ended, data) => {
        const came = field(data, kind);
        const id = field(came, `${kind}Id`);
        if ('value' in ended) return assert.equal((ended.value as Found & { raw: object }).raw !== undefined, isId(id));
        // What the contract does not show a missing group as.
        const nothing =
          kind === 'group' && (came === null || isDeepStrictEqual(came, {}) || isDeepStrictEqual(came, []));
        assert.equal(ended.failure.kind, id === '' || nothing ? 'notFound' : 'unreadable');
        assert.ok(!isId(id));
      }));
  }

  it('each message of a list is there in its place as it came, readable where it has an ID', () =>
    changed('messages', (ended, data) => {
      const came = field(data, 'list');
      if (came === null) return assert.deepEqual(ended, { value: [] });
      if (!Array.isArray(came)) return assert.ok('failure' in ended && ended.failure.kind === 'unreadable');
      assert.ok('value' in ended);
      const list = ended.value as Listed[];
      assert.deepEqual(
        list.map(({ raw }) => raw),
        came,
      );
      for (const { readable, raw } of list) assert.equal(readable, isId(field(raw, 'msgId')));
      for (const entry of list) if (entry.readable) assert.equal(entry.message.msgId, field(entry.raw, 'msgId'));
    }));

  it('each entry of a batch names a receiver or is kept as it came', () =>
    changed('batchSend', (ended, data) => {
      const came = field(data, 'successList');
      if (!Array.isArray(came) && came !== null) return assert.ok('failure' in ended);
      assert.ok('value' in ended);
      const { reached, unreadable } = ended.value as BatchAnswer;
      const list: unknown[] = came ?? [];
      const names = (entry: unknown) => isId(field(entry, 'recvId')) || Number.isSafeInteger(field(entry, 'recvId'));
      assert.deepEqual(
        reached.map(({ recvId }) => recvId),
        list.filter(names).map((entry) => String(field(entry, 'recvId'))),
      );
      assert.deepEqual(
        unreadable,
        list.filter((entry) => !names(entry)),
      );
    }));

  it('a change of one message changes nothing about the others', () =>
    fc.assert(
      fc.asyncProperty(fc.nat(), mutations, async (number, changes) => {
        const list = field(field(good.messages, 'data'), 'list') as Json[];
        const at = number % list.length;
        const answer = (messages: Json[]) => textOf({ code: 1, msg: 'success', data: { list: messages } });
        const before = await endingOf('messages', answer(list));
        const after = await endingOf('messages', answer(list.with(at, mutated(list[at] ?? null, changes))));
        assert.ok('value' in before && 'value' in after);
        const others = ({ value }: { value: unknown }) => (value as Listed[]).toSpliced(at, 1);
        assert.deepEqual(others(after), others(before));
      }),
      { numRuns: 300 },
    ));

  it('nothing gets a property that nobody gave it', () => {
    assert.deepEqual(Object.keys(Object.prototype), []);
    assert.equal(field(Object.prototype, 'msgId'), undefined);
  });
});
