import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Listed } from '../../../src/service/message.ts';
import type { Found } from '../../../src/service/model.ts';
import { operations } from './answering.ts';
import { clientOf, goodAnswers, type Json, type Name, odd, textOf } from './fuzzed.ts';

type Fields = Record<string, Json>;

describe('Whatever stands in one field', () => {
  let good: Record<Name, Json>;
  before(async () => {
    good = await goodAnswers();
  });

  const dataOf = (name: Name) => (good[name] as { data: Fields }).data;
  const operationOn = (name: Name, data: Json) => {
    const text = textOf({ code: 1, msg: 'success', data });
    return operations[name](clientOf(async () => new Response(text)));
  };

  /** Asserts that a change of any field but the ID's leaves all others as they were read. */
  const assertApart = (fields: () => Fields, id: string, read: (fields: Fields) => Promise<Record<string, unknown>>) =>
    fc.assert(
      fc.asyncProperty(fc.nat(), fc.option(odd, { nil: undefined }), async (number, value) => {
        const names = Object.keys(fields()).filter((name) => name !== id);
        const changed = names[number % names.length] ?? assert.fail();
        const { [changed]: _, ...others } = fields();
        const before = await read(fields());
        const after = await read(value === undefined ? others : { ...others, [changed]: value });
        for (const name of Object.keys({ ...before, ...after })) {
          if (name !== changed) assert.deepEqual(after[name], before[name], `${name} after a change of ${changed}`);
        }
      }),
      { numRuns: 300 },
    );

  for (const kind of ['group', 'bot', 'user'] as const) {
    it(`of a ${kind}, the others read as before`, () =>
      assertApart(
        () => dataOf(kind)[kind] as Fields,
        `${kind}Id`,
        async (fields) => ({ ...((await operationOn(kind, { [kind]: fields })) as Found).resource }),
      ));
  }

  const first = () => (dataOf('messages').list as Fields[])[0] ?? assert.fail();
  const readMessage = async (fields: Fields) => {
    const [entry] = (await operationOn('messages', { list: [fields] })) as Listed[];
    return entry?.readable ? entry.message : assert.fail('unreadable');
  };

  it('of a message, the others read as before', () => assertApart(first, 'msgId', readMessage));

  it('of the content of a message, the others read as before', () => {
    const button = { text: 'Open', actionType: 1, url: 'https://chat.example', value: '' };
    const content = { text: 'Hello', tip: 't', fileSize: 3, imageWidth: 5, at: ['7058314'], buttons: [[button]] };
    return assertApart(
      () => content,
      '',
      async (fields) => (await readMessage({ ...first(), content: fields })).content,
    );
  });
});
