import assert from 'node:assert/strict';

/** Asserts that a value has a shape. The shapes are written by hand from sections 2 and 4.5 of the contract. */
export type Shape = (value: unknown) => void;

const text: Shape = (value) => assert.equal(typeof value, 'string');
const identifier: Shape = (value) =>
  assert.ok(typeof value === 'string' && value !== '' && !/[\s\p{C}\p{DI}]/u.test(value), `${value}`);
const number: Shape = (value) => assert.ok(value === undefined || Number.isFinite(value), `${value}`);
const code: Shape = (value) => (typeof value === 'string' ? undefined : number(value));
const maybe =
  (shape: Shape): Shape =>
  (value) =>
    value === undefined ? undefined : shape(value);

const listOf =
  (shape: Shape): Shape =>
  (value) => {
    assert.ok(Array.isArray(value));
    for (const element of value) shape(element);
  };

/** A plain object with only these fields. */
const objectOf =
  (fields: Record<string, Shape>): Shape =>
  (value) => {
    assert.ok(typeof value === 'object' && value !== null);
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    for (const name of Object.keys(value)) assert.ok(Object.hasOwn(fields, name), name);
    for (const [name, shape] of Object.entries(fields)) shape((value as Record<string, unknown>)[name]);
  };

const all = <const N extends string>(shape: Shape, ...names: N[]) =>
  Object.fromEntries(names.map((name) => [name, shape])) as Record<N, Shape>;

const review = objectOf({
  ...all(number, 'id', 'createTime', 'updateTime', 'delFlag'),
  ...all(text, 'chatId', 'checkWay', 'reason'),
  ...all(code, 'chatType', 'status'),
});

const botWith = (botId: Shape) =>
  objectOf({
    botId,
    ...all(number, 'id', 'nicknameId', 'avatarId', 'createTime', 'headcount', 'private'),
    ...all(text, 'nickname', 'avatarUrl', 'token', 'link', 'introduction', 'createBy', 'uri'),
    checkChatInfoRecord: maybe(review),
  });

const relation = objectOf({
  ...all(number, 'id', 'delFlag', 'createTime', 'updateTsime'),
  ...all(text, 'groupId', 'botId'),
  bot: maybe(botWith(text)),
});

export const bot = botWith(identifier);

export const group = objectOf({
  groupId: identifier,
  ...all(number, 'id', 'createTime', 'avatarId', 'headcount', 'readHistory'),
  ...all(text, 'name', 'introduction', 'createBy', 'avatarUrl', 'category', 'uri'),
  groupBotRel: maybe(relation),
  checkChatInfoRecord: maybe(review),
});

export const user = objectOf({
  userId: identifier,
  ...all(text, 'nickname', 'avatarUrl', 'registerTimeText'),
  ...all(number, 'registerTime', 'onLineDay', 'continuousOnLineDay', 'isVip'),
  medals: listOf(objectOf({ ...all(number, 'id', 'sort'), ...all(text, 'name', 'desc', 'imageUrl') })),
});

const button = objectOf({ text, actionType: code, url: text, value: text });

export const message = objectOf({
  msgId: identifier,
  ...all(text, 'parentId', 'senderId', 'senderType', 'senderNickname', 'contentType', 'commandName'),
  ...all(number, 'sendTime', 'commandId'),
  content: objectOf({
    ...all(maybe(text), 'text', 'tip', 'imageKey', 'imageUrl', 'imageName', 'fileName', 'fileUrl'),
    ...all(maybe(text), 'fileKey', 'videoKey', 'audioKey'),
    ...all(maybe(text), 'videoUrl', 'audioUrl', 'expressionId', 'stickerId', 'stickerPackId'),
    ...all(maybe(text), 'postId', 'postTitle', 'postContent'),
    ...all(maybe(text), 'parent', 'parentImgName', 'parentVideoUrl', 'parentFileName'),
    ...all(number, 'imageWidth', 'imageHeight', 'fileSize', 'videoDuration', 'audioDuration'),
    postContentType: code,
    formJson: maybe(listOf(objectOf({ label: text, value: text, type: maybe(text) }))),
    at: maybe(listOf(identifier)),
    buttons: maybe(listOf(listOf(button))),
  }),
});

export const batchAnswer = objectOf({
  reached: listOf(objectOf({ recvId: identifier, msgId: text })),
  unreadable: listOf(() => {}),
  successCount: number,
});
