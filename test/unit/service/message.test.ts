import assert from 'node:assert/strict';
import type { Page } from '../../../src/service/client.ts';
import { isSentBy, type Listed, type Message, messageKey } from '../../../src/service/message.ts';
import { failureOf, nulls, succeeding } from './answering.ts';

const BUTTON = { text: 'Open', actionType: 1, url: 'https://chat.example/a', value: 'a' };
const CONTENT = {
  text: '你好\nworld',
  tip: 'a note',
  imageKey: 'k.png',
  imageUrl: 'https://pictures.example/k.png',
  fileName: 'a.pdf',
  fileUrl: 'https://chat.example/a.pdf',
  buttons: [[BUTTON, { ...BUTTON, actionType: 2 }], [{ ...BUTTON, actionType: 3 }]],
};
const MESSAGE = {
  msgId: '0f8c1d2e3b4a59687786a5b4c3d2e1f0',
  parentId: 'aaaabbbbccccddddeeeeffff00001111',
  senderId: '30481126',
  senderType: 'bot',
  senderNickname: 'Order Desk',
  contentType: 'text',
  content: CONTENT,
  sendTime: 1_767_225_600_123,
  commandName: '/order',
  commandId: 12,
};

/** Parses a list as the client does. */
const listed = (list: unknown, page: Page = { latest: 20 }, more = {}): Promise<Listed[]> =>
  succeeding({ list, ...more }).messages('t', { kind: 'group', id: 'big' }, page);

async function read(message: object): Promise<Message> {
  const [entry] = await listed([message]);
  assert.ok(entry?.readable);
  return entry.message;
}
const buttonsOf = async (buttons: unknown) => {
  const { content } = await read({ ...MESSAGE, content: { buttons } });
  return content.buttons ?? assert.fail('no buttons');
};

describe('Listed messages', () => {
  it('keep every field of contract 2.6 to 2.8', async () => {
    assert.deepEqual(await read(MESSAGE), MESSAGE);
  });

  it('have no name of a sender that is nothing but spaces', async () => {
    for (const [senderNickname, name] of [
      [' \u3000', ''],
      [' Order Desk\n', 'Order Desk'],
    ])
      assert.equal((await read({ ...MESSAGE, senderNickname })).senderNickname, name);
  });

  it("keep observed content fields that the contract doesn't have", async () => {
    const seen = { imageName: 'k', imageWidth: 640, imageHeight: 480, fileSize: 12, at: ['7058314', '7102649'] };
    const content = { ...CONTENT, ...seen };
    assert.deepEqual((await read({ ...MESSAGE, content })).content, content);
    const { at } = (await read({ ...MESSAGE, content: { at: ['7058314', '', null, 7] } })).content;
    assert.deepEqual(at, ['7058314']);
  });

  it('keep observed fields of replies and other content types', async () => {
    const seen = {
      parent: 'Ann : Soup?',
      parentImgName: 'a.jpg',
      parentVideoUrl: 'v.mp4',
      parentFileName: 'b.pdf',
      videoUrl: 'v.mp4',
      videoDuration: 3,
      audioUrl: 'a.m4a',
      audioDuration: 7,
      fileKey: 'f',
      videoKey: 'v',
      audioKey: 'a',
      expressionId: '1',
      stickerId: '2',
      stickerPackId: '3',
      postId: '9',
      postTitle: 'Tea',
      postContent: 'hot',
      postContentType: 2,
      formJson: [{ label: 'Size', value: 'L' }],
    };
    assert.deepEqual((await read({ ...MESSAGE, content: seen })).content, seen);
  });

  it('have the fields of a form in any format', async () => {
    const formOf = async (formJson: unknown) => (await read({ ...MESSAGE, content: { formJson } })).content.formJson;
    const fields = [
      { came: { label: 'Size', value: 'L' }, read: { label: 'Size', value: 'L' } },
      { came: { label: 'Pieces', value: 3 }, read: { label: 'Pieces', value: '3' } },
      { came: { value: 'x' }, read: { label: '', value: 'x' } },
    ];
    const form = fields.map(({ came }) => came);
    const expected = fields.map(({ read }) => read);
    const byId = Object.fromEntries(form.map((field, index) => [`id${index}`, field]));
    for (const kept of [form, byId, JSON.stringify(form), JSON.stringify(byId), [null, ...form, {}, 'x', [form]]]) {
      assert.deepEqual(await formOf(kept), expected);
    }
    for (const none of [null, '', 'none', '{', 7, [], {}, '"a"']) assert.deepEqual(await formOf(none), []);
    // The depth limit doesn't apply inside a string.
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    assert.deepEqual(await formOf(`[{"label":"Size","value":${deep}}]`), [{ label: 'Size', value: '…' }]);
  });

  it('keep unknown fields in the raw JSON', async () => {
    const content = { ...CONTENT, etag: 'e', form: { a: [null] }, buttons: [[{ ...BUTTON, style: 'red' }]] };
    const raw = { ...MESSAGE, recall: true, content };
    const message = { ...MESSAGE, content: { ...CONTENT, buttons: [[BUTTON]] } };
    assert.deepEqual(await listed([raw]), [{ readable: true, message, raw }]);
  });

  it('are empty if the list is null', async () => {
    assert.deepEqual(await listed(null), []);
  });

  it('keep unknown content types', async () => {
    for (const contentType of ['video', 'expression', 'audio', 'form', 'tip', 'from the future']) {
      assert.equal((await read({ ...MESSAGE, contentType })).contentType, contentType);
    }
    for (const senderType of ['user', 'system']) {
      assert.equal((await read({ ...MESSAGE, senderType })).senderType, senderType);
    }
    for (const actionType of [99, 'dial', '']) {
      assert.deepEqual(await buttonsOf([[{ ...BUTTON, actionType }]]), [[{ ...BUTTON, actionType }]]);
    }
  });

  it('need only an identifier', async () => {
    for (const rest of [{}, nulls(MESSAGE)]) {
      const { content, ...message } = await read({ ...rest, msgId: 'm' });
      assert.equal(message.msgId, 'm');
      assert.deepEqual([message.parentId, message.senderType, message.contentType], ['', '', '']);
      assert.deepEqual([message.sendTime, message.commandId], [undefined, undefined]);
      assert.deepEqual(content, {});
    }
  });

  it('are read without unknown or invalid content, which the raw JSON keeps', async () => {
    for (const content of [{ spin: { axis: [0, 1] }, note: '' }, 'Hello', 7, true, null, []]) {
      const raw = { ...MESSAGE, contentType: 'hologram', content };
      assert.deepEqual(await listed([raw]), [{ readable: true, message: { ...raw, content: {} }, raw }]);
    }
  });

  it('have rows of buttons, where a flat list is one row', async () => {
    const other = { ...BUTTON, text: 'Copy', actionType: 2 };
    assert.deepEqual(await buttonsOf([[BUTTON], [other]]), [[BUTTON], [other]]);
    assert.deepEqual(await buttonsOf([BUTTON, other]), [[BUTTON, other]]);
    assert.deepEqual(await buttonsOf([BUTTON, [other, BUTTON], other]), [[BUTTON], [other, BUTTON], [other]]);
    for (const none of [[], [[]], [[], []], null, 'none', 7, {}]) assert.deepEqual(await buttonsOf(none), []);
  });

  it('have no invalid buttons and no empty rows', async () => {
    assert.deepEqual(await buttonsOf([[null, BUTTON, 'press', [BUTTON]], [7], 'x']), [[BUTTON]]);
    assert.deepEqual(await buttonsOf([null, BUTTON, 'press']), [[BUTTON]]);
    const bare = { text: 'Bare', actionType: undefined, url: '', value: '' };
    assert.deepEqual(await buttonsOf([[{ text: 'Bare', actionType: null }]]), [[bare]]);
  });

  it('keep an invalid message as raw JSON among valid ones', async () => {
    const broken = [null, 'text', 7, [], {}, { ...MESSAGE, msgId: '' }, { ...MESSAGE, msgId: 12 }];
    for (const raw of broken) {
      const [before, after] = ['before', 'after'].map((msgId) => ({ ...MESSAGE, msgId }));
      assert.deepEqual(await listed([before, raw, after]), [
        { readable: true, message: before, raw: before },
        { readable: false, raw },
        { readable: true, message: after, raw: after },
      ]);
    }
  });

  it('ignore other data', async () => {
    assert.deepEqual(await listed([], undefined, { total: 'many', extra: { a: 1 } }), []);
    assert.equal((await listed([MESSAGE], undefined, { total: 0 })).length, 1);
  });

  it('are only the anchor if only that is requested', async () => {
    const list = ['newer', 'm', 'older'].map((msgId) => ({ ...MESSAGE, msgId }));
    const message = { ...MESSAGE, msgId: 'm' };
    assert.deepEqual(await listed([...list, null], { anchor: 'm' }), [{ readable: true, message, raw: message }]);
  });
});

describe('A listed message', () => {
  it("is the bot's if the bot has sent it, and not a person with the same ID", async () => {
    const sentBy = async (senderType: string, botId = '30481126') =>
      isSentBy(await read({ ...MESSAGE, senderType }), botId);
    assert.deepEqual([await sentBy('bot'), await sentBy('app'), await sentBy('user')], [true, true, false]);
    assert.equal(await sentBy('bot', '30481127'), false);
  });

  it('has a key of its own, also if it is unreadable', async () => {
    const entries = await listed([MESSAGE, { odd: 1 }, { odd: 2 }, { odd: 1 }]);
    const [message, one, two, same] = entries.map(messageKey);
    assert.equal(message, MESSAGE.msgId);
    assert.notEqual(one, two);
    assert.equal(one, same);
    assert.deepEqual(entries.map(messageKey), [message, one, two, same]);
  });
});

describe('The result of a batch', () => {
  const answerTo = (data: unknown) =>
    succeeding(data).batchSend('t', 'group', ['a', 'b'], { contentType: 'text', content: { text: 'Hello' } });

  it('lists and counts the reached receivers', async () => {
    const reached = [
      { msgId: '1', recvId: 'a' },
      { msgId: '2', recvId: 'b' },
    ];
    const successList = reached.map((one) => ({ ...one, recvType: 'group' }));
    assert.deepEqual(await answerTo({ successCount: 2, successList }), { successCount: 2, reached, unreadable: [] });
  });

  it('may have its count as a string, or no count', async () => {
    for (const [successCount, read] of [
      ['2', 2],
      ['two', undefined],
      [undefined, undefined],
    ] as const)
      assert.equal((await answerTo({ successCount, successList: [] })).successCount, read, successCount);
  });

  it('may have unknown fields', async () => {
    const successList = [{ msgId: '1', recvId: 'a', recvType: 'group', at: 5 }];
    const data = { successCount: 1, successList, failCount: 1, failList: [{ recvId: 'b' }] };
    assert.deepEqual((await answerTo(data)).reached, [{ msgId: '1', recvId: 'a' }]);
  });

  it('confirms a receiver without a message identifier, or with a number as its own', async () => {
    const { reached, unreadable } = await answerTo({ successList: [{ recvId: 'a' }, { msgId: 12, recvId: 7058314 }] });
    const confirmed = [
      { msgId: '', recvId: 'a' },
      { msgId: '12', recvId: '7058314' },
    ];
    assert.deepEqual([reached, unreadable], [confirmed, []]);
  });

  it('keeps valid confirmations beside invalid entries', async () => {
    const odd = [{ msgId: '1' }, { msgId: '2', recvId: '' }, { recvId: 7.5 }, { recvId: 2 ** 53 }, null, 'x', []];
    const answer = await answerTo({ successCount: 8, successList: [...odd, { msgId: '3', recvId: '7058314' }] });
    assert.deepEqual(answer, { reached: [{ recvId: '7058314', msgId: '3' }], unreadable: odd, successCount: 8 });
  });

  it('keeps duplicate and unrequested entries', async () => {
    const successList = ['a', 'a', 'stranger'].map((recvId) => ({ msgId: `to ${recvId}`, recvId }));
    assert.deepEqual((await answerTo({ successCount: 3, successList })).reached, successList);
  });

  it('lists no one if the list is null', async () => {
    const answer = { reached: [], unreadable: [], successCount: 0 };
    assert.deepEqual(await answerTo({ successCount: 0, successList: null }), answer);
  });

  it('is invalid without a list', async () => {
    for (const [data, path] of [
      [{ successCount: 2 }, 'data.successList'],
      [{ successCount: 2, successList: {} }, 'data.successList'],
      [undefined, 'data'],
    ] as const) {
      const failure = await failureOf(answerTo(data));
      assert.partialDeepStrictEqual(failure, { kind: 'unreadable', path });
    }
  });
});
