/** Valid answers with a few random changes anywhere, or with one field replaced or removed. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { BatchResult } from '../../../src/service/client.ts';
import type { Listed } from '../../../src/service/message.ts';
import { type Found, KINDS, type Kind } from '../../../src/service/model.ts';
import type { Operation } from '../../../src/service/operations.ts';
import { embedded, operationNames, operations } from '../../unit/service/answering.ts';
import { type Ending, endingOf, type Json, mutated, mutations, odd, textOf } from './answers.ts';

const isObject = (value: unknown) => typeof value === 'object' && value !== null;
/** Text of visible characters only. */
const isId = (value: unknown) => typeof value === 'string' && /^[^\s\p{C}\p{DI}\u2800]+$/u.test(value);
/** A field of any value; undefined, which JSON can't hold, if there is none. */
const field = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value as object, name) ? (value as Record<string, unknown>)[name] : undefined;

/** What must be true of the result of a successful answer with this data. */
type Claim = readonly [claim: string, check: (ended: Ending, data: unknown) => void];

const found = (kind: Kind): Claim => [
  `a ${kind} is found if its ID is readable, missing if it is empty, and otherwise unreadable`,
  (ended, data) => {
    const received = field(data, kind);
    const id = field(received, `${kind}Id`);
    if ('value' in ended) return assert.equal((ended.value as Found & { raw: object }).raw !== undefined, isId(id));
    // Other ways in which the contract represents a missing group.
    const nothing =
      kind === 'group' && (received === null || isDeepStrictEqual(received, {}) || isDeepStrictEqual(received, []));
    assert.equal(ended.failure.kind, id === '' || nothing ? 'notFound' : 'unreadable');
    assert.ok(!isId(id));
  },
];

const claims: Readonly<Record<Operation, Claim>> = {
  group: found('group'),
  bot: found('bot'),
  user: found('user'),

  messages: [
    'each message of a list is preserved in order, and readable if it has an ID',
    (ended, data) => {
      const received = field(data, 'list');
      if (received === null) return assert.deepEqual(ended, { value: [] });
      if (!Array.isArray(received)) return assert.ok('failure' in ended && ended.failure.kind === 'unreadable');
      assert.ok('value' in ended);
      const list = ended.value as Listed[];
      assert.deepEqual(
        list.map(({ raw }) => raw),
        received,
      );
      for (const { readable, raw } of list) assert.equal(readable, isId(field(raw, 'msgId')));
      for (const entry of list) if (entry.readable) assert.equal(entry.message.msgId, field(entry.raw, 'msgId'));
    },
  ],

  batchSend: [
    'each entry of a batch result names a receiver or is preserved as received',
    (ended, data) => {
      const received = field(data, 'successList');
      if (!Array.isArray(received) && received !== null) return assert.ok('failure' in ended);
      assert.ok('value' in ended);
      const { reached, unreadable } = ended.value as BatchResult;
      const list: unknown[] = received ?? [];
      const names = (entry: unknown) => isId(field(entry, 'recvId')) || Number.isSafeInteger(field(entry, 'recvId'));
      assert.deepEqual(
        reached.map(({ recvId }) => recvId),
        list.filter(names).map((entry) => String(field(entry, 'recvId'))),
      );
      assert.deepEqual(
        unreadable,
        list.filter((entry) => !names(entry)),
      );
    },
  ],
};

export const changedAnswers = (good: Record<Operation, Json>) => {
  const claimed = operationNames.map((name) => {
    const [claim, check] = claims[name];
    const property = fc.asyncProperty(mutations, async (changes) => {
      const text = textOf(mutated(good[name], changes));
      const envelope: unknown = JSON.parse(text);
      const ended = await endingOf(name, text);
      // Other codes are covered by other proofs.
      if (field(envelope, 'code') === 1) check(ended, field(envelope, 'data'));
    });
    return [claim, property] as const;
  });

  return {
    ...Object.fromEntries(claimed),

    'a change to one message does not affect the others': fc.asyncProperty(
      fc.nat(),
      mutations,
      async (number, changes) => {
        const list = field(field(good.messages, 'data'), 'list') as Json[];
        const at = number % list.length;
        const answer = (messages: Json[]) => textOf({ code: 1, msg: 'success', data: { list: messages } });
        const before = await endingOf('messages', answer(list));
        const after = await endingOf('messages', answer(list.with(at, mutated(list[at] ?? null, changes))));
        assert.ok('value' in before && 'value' in after);
        const others = ({ value }: { value: unknown }) => (value as Listed[]).toSpliced(at, 1);
        assert.deepEqual(others(after), others(before));
      },
    ),
  };
};

type Fields = Record<string, Json>;

export const oddFields = (good: Record<Operation, Json>) => {
  const dataOf = (name: Operation) => (good[name] as { data: Fields }).data;
  const operationOn = (name: Operation, data: Json) => {
    const text = textOf({ code: 1, msg: 'success', data });
    return operations[name](embedded(() => new Response(text)));
  };

  /** Changing any field except the ID leaves all others unchanged. */
  const fieldsAreIndependent = (
    fields: Fields,
    id: string,
    read: (fields: Fields) => Promise<Record<string, unknown>>,
  ) =>
    fc.asyncProperty(fc.nat(), fc.option(odd, { nil: undefined }), async (number, value) => {
      const names = Object.keys(fields).filter((name) => name !== id);
      const changed = names[number % names.length] ?? assert.fail();
      const { [changed]: _, ...others } = fields;
      const before = await read(fields);
      const after = await read(value === undefined ? others : { ...others, [changed]: value });
      for (const name of Object.keys({ ...before, ...after })) {
        if (name !== changed) assert.deepEqual(after[name], before[name], `${name} after a change to ${changed}`);
      }
    });

  const lookUp = (kind: Kind) =>
    fieldsAreIndependent(dataOf(kind)[kind] as Fields, `${kind}Id`, async (fields) => ({
      ...((await operationOn(kind, { [kind]: fields })) as Found).resource,
    }));

  const first = (dataOf('messages').list as Fields[])[0] ?? assert.fail();
  const readMessage = async (fields: Fields) => {
    const [entry] = (await operationOn('messages', { list: [fields] })) as Listed[];
    return entry?.readable ? entry.message : assert.fail('unreadable');
  };
  const button = { text: 'Open', actionType: 1, url: 'https://chat.example', value: '' };
  const content = { text: 'Hello', tip: 't', fileSize: 3, imageWidth: 5, at: ['7058314'], buttons: [[button]] };
  const readContent = async (fields: Fields) => (await readMessage({ ...first, content: fields })).content;

  return {
    ...Object.fromEntries(KINDS.map((kind) => [`a bad field of a ${kind} does not affect the others`, lookUp(kind)])),
    'a bad field of a message does not affect the others': fieldsAreIndependent(first, 'msgId', readMessage),
    'a bad field of message content does not affect the others': fieldsAreIndependent(content, '', readContent),
  };
};
