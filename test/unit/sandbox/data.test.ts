import assert from 'node:assert/strict';
import { assertFields, type Calls, createCalls, dataOf, type Fields, GROUP } from './calls.ts';

interface Message {
  readonly msgId: string;
  readonly parentId: string;
  readonly senderId: string;
  readonly senderType: string;
  readonly senderNickname: string;
  readonly contentType: string;
  readonly content: Record<string, unknown> & {
    readonly text?: string;
    readonly imageUrl?: string;
    readonly imageName?: string;
    readonly videoUrl?: string;
    readonly fileName?: string;
    readonly formJson?: Record<string, Record<string, unknown>>;
    readonly at?: string[];
    readonly parent?: string;
    readonly parentImgName?: string;
    readonly parentVideoUrl?: string;
    readonly parentFileName?: string;
    readonly buttons?: { readonly actionType: number }[][];
  };
  readonly sendTime: number;
}

interface Group {
  readonly groupId: string;
  readonly introduction: string;
  readonly createTime: number;
  readonly avatarUrl: string;
  readonly headcount: number;
  readonly groupBotRel: { readonly botId: string };
}

/** Fields of content by its type (2.7, or else as observed). */
const contentFields: Record<string, Fields> = {
  text: { string: 'text' },
  markdown: { string: 'text' },
  html: { string: 'text' },
  image: { string: 'imageName etag', number: 'imageWidth imageHeight' },
  file: { string: 'fileName fileUrl etag', number: 'fileSize' },
  tip: { string: 'text' },
  video: { string: 'videoUrl etag', number: 'videoDuration' },
  audio: { string: 'audioUrl', number: 'audioDuration' },
  expression: { string: 'imageName', number: 'expressionId stickerId stickerPackId' },
  post: { string: 'postId postTitle postContent', number: 'postContentType' },
  form: { object: 'formJson' },
};

/** Every chat that the first bot can read, and the other bots' chats with users, oldest message first. */
async function allChats({ sandbox, messages }: Calls): Promise<Message[][]> {
  const { groups, bots, users, token } = sandbox;
  const read = async (query: Record<string, string>) =>
    dataOf(await messages({ ...query, before: '10000' })).list.reverse();
  const queries = [
    ...groups.map((id) => ({ 'chat-type': 'group', 'chat-id': id })),
    ...bots.flatMap((bot) => users.map((id) => ({ token: token(bot) ?? '', 'chat-type': 'user', 'chat-id': id }))),
  ];
  return Promise.all(queries.map(read));
}

describe('Sandbox data', () => {
  const calls = createCalls();
  const { sandbox } = calls;
  let chats: Message[][];
  let everything: Message[];
  before(async () => {
    chats = await allChats(calls);
    everything = chats.flat();
  });

  it('are the same in every sandbox', async () => {
    assert.deepEqual(await allChats(createCalls()), chats);
  });

  it('show what there can be: in the first group every type of content, all actions of buttons, replies, mentions', () => {
    const first = chats[sandbox.groups.indexOf(GROUP)] ?? [];
    assert.deepEqual(new Set(first.map(({ contentType }) => contentType)), new Set(Object.keys(contentFields)));
    const actions = first.flatMap(({ content }) => content.buttons?.flat() ?? []).map(({ actionType }) => actionType);
    assert.deepEqual(new Set(actions), new Set([1, 2, 3]));
    for (const is of [
      ({ parentId, content }: Message) => parentId && content.parent,
      ({ content }: Message) => content.at,
      ({ content }: Message) => content.tip,
    ])
      assert.ok(first.some(is), String(is));
  });

  it('have groups of every kind: with 182,340 members, without a bot, a picture, a text or a time', async () => {
    const groups = await Promise.all(
      sandbox.groups.map(async (groupId) => dataOf(await calls.group({ groupId })).group),
    );
    for (const is of [
      ({ groupId, headcount }) => groupId === 'big' && headcount === 182_340,
      ({ groupBotRel }) => groupBotRel.botId === '',
      ({ introduction }) => /\p{Script=Han}.*\n.*\p{Script=Han}/u.test(introduction),
      ({ introduction }) => introduction === '',
      ({ createTime }) => createTime === 0,
      ({ avatarUrl }) => avatarUrl === '',
      ({ avatarUrl }) => avatarUrl.startsWith('data:image/svg+xml,'),
    ] as ((group: Group) => boolean)[])
      assert.ok(groups.some(is), String(is));
  });

  it('have the fields of each type of content', () => {
    for (const { contentType, content } of everything) {
      const { imageUrl, buttons, tip, at, parent, parentImgName, parentVideoUrl, parentFileName, ...fields } = content;
      assertFields(fields, contentFields[contentType] ?? {});
    }
  });

  it('have forms, stickers and media as they were recorded', () => {
    const contents = (type: string) =>
      everything.filter((one) => one.contentType === type).map(({ content }) => content);
    const [form = {}] = contents('form').map(({ formJson }) => formJson ?? {});
    assert.deepEqual(
      Object.entries(form).map(([key, { id, type, label, ...values }]) => [
        key === id,
        type,
        label,
        Object.keys(values),
      ]),
      [
        [true, 'select', 'Shelf', ['selectIndex', 'selectValue']],
        [true, 'input', 'Bags', ['value']],
        [true, 'checkbox', 'Checked', ['selectValues']],
        [true, 'input', null, ['value']],
        [true, 'textarea', 'Remarks', ['value']],
      ],
    );
    for (const { imageName } of contents('expression')) assert.match(`${imageName}`, /^sticker\//);
    for (const { videoUrl, audioUrl } of [...contents('video'), ...contents('audio')])
      assert.match(`${videoUrl ?? audioUrl}`, /^[\w-]+\.(mp4|m4a)$/);
    const signed = everything.filter(({ content }) => content.imageUrl?.includes('&t='));
    assert.ok(signed.length > 0);
    for (const { content, sendTime } of signed) {
      const expiry = Number.parseInt(content.imageUrl?.split('&t=')[1] ?? '', 16);
      assert.equal(expiry, Math.floor(sendTime / 1000) + 3600);
    }
  });

  it('have a message ID of 32 hex digits for each message, in increasing times', () => {
    for (const { msgId } of everything) assert.match(msgId, /^[0-9a-f]{32}$/);
    assert.equal(new Set(everything.map(({ msgId }) => msgId)).size, everything.length);
    for (const chat of chats)
      for (const [at, { sendTime }] of chat.entries()) assert.ok(sendTime > (chat[at - 1]?.sendTime ?? 0));
  });

  it('are from 9:00 to 20:00 (UTC+8), without a day between two, until the evening of March 13, 2026', () => {
    const hour = 3_600_000;
    const evening = Date.UTC(2026, 2, 13, 17 - 8);
    for (const chat of chats.filter(({ length }) => length > 0)) {
      const times = chat.map(({ sendTime }) => sendTime);
      for (const [at, time] of times.entries()) {
        const timeOfDay = (time + 8 * hour) % (24 * hour);
        assert.ok(timeOfDay >= 9 * hour && timeOfDay < 20 * hour);
        assert.ok(time - (times[at - 1] ?? time) < 24 * hour);
      }
      const last = times.at(-1) ?? 0;
      assert.ok(last >= evening && last < evening + 3 * hour);
    }
  });

  it('reply to earlier messages of the same chat, whose sender and media they quote', () => {
    for (const chat of chats) {
      const seen = new Map<string, Message>();
      for (const message of chat) {
        const parent = seen.get(message.parentId);
        assert.equal(parent !== undefined, message.parentId !== '');
        const { parent: quote, parentImgName, parentVideoUrl, parentFileName } = message.content;
        assert.equal(quote?.split(' : ')[0], parent?.senderNickname);
        const { imageName, videoUrl, fileName } = parent?.content ?? {};
        assert.deepEqual([parentImgName, parentVideoUrl, parentFileName], [imageName, videoUrl, fileName]);
        seen.set(message.msgId, message);
      }
    }
  });

  it('are from people and bots that can be looked up under the same names, as are those they mention', async () => {
    const names = new Map<string, string>();
    for (const id of sandbox.users) names.set(`user ${id}`, dataOf(await calls.user(`?userId=${id}`)).user.nickname);
    for (const botId of sandbox.bots) names.set(`bot ${botId}`, dataOf(await calls.bot({ botId })).bot.nickname);
    for (const { senderType, senderId, senderNickname, content } of everything) {
      assert.equal(senderNickname, names.get(`${senderType} ${senderId}`));
      if (!content.at) continue;
      const mentioned = [...(content.text ?? '').matchAll(/@([^\u200B]+)\u200B/g)].map(([, name]) => name);
      assert.deepEqual(
        content.at.map((id) => names.get(`user ${id}`)),
        mentioned,
      );
    }
  });

  it('are in a group from no bot but its own', async () => {
    for (const [at, groupId] of sandbox.groups.entries()) {
      const { groupBotRel } = dataOf(await calls.group({ groupId })).group;
      for (const { senderType, senderId } of chats[at] ?? [])
        if (senderType === 'bot') assert.equal(senderId, groupBotRel.botId);
    }
  });

  it('have no placeholder left in a text', () => {
    assert.equal(JSON.stringify(everything).match(/\{(web|n|m|order|price|time|version|key|expiry|a|b|c|cId)\}/), null);
  });

  it('refer to no host but the sandbox', async () => {
    const groups = await Promise.all(sandbox.groups.map((groupId) => calls.group({ groupId })));
    const users = await Promise.all(sandbox.users.map((userId) => calls.user(`?userId=${userId}`)));
    const text = decodeURIComponent(JSON.stringify([groups, users])) + JSON.stringify(everything);
    const hosts = new Set(text.match(/https?:\/\/[^/"\\)]+/g));
    // Nothing is fetched from the SVG namespace.
    hosts.delete('http://www.w3.org');
    assert.deepEqual([...hosts], ['http://sandbox.localhost']);
  });
});
