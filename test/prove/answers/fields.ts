/** Valid answers with one field replaced or removed. */
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

  const lookUp = (kind: 'group' | 'bot' | 'user') =>
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
    'a bad field of a group does not affect the others': lookUp('group'),
    'a bad field of a bot does not affect the others': lookUp('bot'),
    'a bad field of a user does not affect the others': lookUp('user'),
    'a bad field of a message does not affect the others': fieldsAreIndependent(first, 'msgId', readMessage),
    'a bad field of message content does not affect the others': fieldsAreIndependent(content, '', readContent),
  };
};
