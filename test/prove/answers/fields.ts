/** Good answers with anything in the place of one field, or without it. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Listed } from '../../../src/service/message.ts';
import type { Found } from '../../../src/service/model.ts';
import { operations } from '../../unit/service/answering.ts';
import { clientOf, type Json, type Name, odd, textOf } from './mutations.ts';

type Fields = Record<string, Json>;

export const oddFields = (good: Record<Name, Json>) => {
  const dataOf = (name: Name) => (good[name] as { data: Fields }).data;
  const operationOn = (name: Name, data: Json) => {
    const text = textOf({ code: 1, msg: 'success', data });
    return operations[name](clientOf(async () => new Response(text)));
  };

  /** A change of any field but the ID's leaves all others as they were read. */
  const apart = (fields: Fields, id: string, read: (fields: Fields) => Promise<Record<string, unknown>>) =>
    fc.asyncProperty(fc.nat(), fc.option(odd, { nil: undefined }), async (number, value) => {
      const names = Object.keys(fields).filter((name) => name !== id);
      const changed = names[number % names.length] ?? assert.fail();
      const { [changed]: _, ...others } = fields;
      const before = await read(fields);
      const after = await read(value === undefined ? others : { ...others, [changed]: value });
      for (const name of Object.keys({ ...before, ...after })) {
        if (name !== changed) assert.deepEqual(after[name], before[name], `${name} after a change of ${changed}`);
      }
    });

  const lookUp = (kind: 'group' | 'bot' | 'user') =>
    apart(dataOf(kind)[kind] as Fields, `${kind}Id`, async (fields) => ({
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
    'whatever stands in one field of a group, the others read as before': lookUp('group'),
    'whatever stands in one field of a bot, the others read as before': lookUp('bot'),
    'whatever stands in one field of a user, the others read as before': lookUp('user'),
    'whatever stands in one field of a message, the others read as before': apart(first, 'msgId', readMessage),
    'whatever stands in one field of a content, the others read as before': apart(content, '', readContent),
  };
};
