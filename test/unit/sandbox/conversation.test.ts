import assert from 'node:assert/strict';
import fc from 'fast-check';
import { messageId, positionOf } from '../../../src/sandbox/messageId.ts';
import { sendTime } from '../../../src/sandbox/schedule.ts';
import { assertFields, dataOf, type Served, served } from './served.ts';

interface Message {
  readonly msgId: string;
  readonly parentId: string;
  readonly senderId: string;
  readonly senderType: string;
  readonly senderNickname: string;
  readonly contentType: string;
  readonly content: Content;
  readonly sendTime: number;
  readonly commandName: string;
  readonly commandId: number;
}
interface Content {
  readonly text?: string;
  readonly tip?: string;
  readonly buttons?: Button[][];
  readonly at?: string[];
  readonly parent?: string;
  readonly parentImgName?: string;
  readonly parentVideoUrl?: string;
  readonly parentFileName?: string;
  readonly imageUrl?: string;
  readonly imageName?: string;
  readonly videoUrl?: string;
  readonly fileName?: string;
}
interface Button {
  readonly text: string;
  readonly actionType: number;
}

const contentFields: Record<string, Record<string, string>> = {
  text: { text: 'string' },
  markdown: { text: 'string' },
  html: { text: 'string' },
  image: { imageName: 'string', etag: 'string', imageWidth: 'number', imageHeight: 'number' },
  file: { fileName: 'string', fileUrl: 'string', etag: 'string', fileSize: 'number' },
  tip: { text: 'string' },
  video: { videoUrl: 'string', videoDuration: 'number', etag: 'string' },
  audio: { audioUrl: 'string', audioDuration: 'number' },
  expression: { imageName: 'string', expressionId: 'string', stickerId: 'string', stickerPackId: 'string' },
  post: { postId: 'string', postTitle: 'string', postContent: 'string', postContentType: 'number' },
  form: { formJson: 'object' },
};
const buttonFields: Record<number, Record<string, string>> = {
  1: { text: 'string', actionType: 'number', url: 'string' },
  2: { text: 'string', actionType: 'number', value: 'string' },
  3: { text: 'string', actionType: 'number', value: 'string' },
};

/** Every chat that the first bot can read, and the other bots' chats with users, oldest message first. */
async function allChats(service: Served): Promise<Map<string, Message[]>> {
  const { groups, bots, users, token } = service.sandbox;
  const chats = new Map<string, Message[]>();
  const read = async (name: string, query: Record<string, string>) =>
    chats.set(name, dataOf(await service.messages({ ...query, before: '10000' })).list.reverse());
  for (const id of groups) await read(id, { 'chat-type': 'group', 'chat-id': id });
  for (const bot of bots) {
    for (const id of users) {
      await read(`${bot} ${id}`, { token: token(bot) ?? '', 'chat-type': 'user', 'chat-id': id });
    }
  }
  return chats;
}

describe('Sandbox conversations', () => {
  let service: Served;
  let chats: Map<string, Message[]>;
  let everything: Message[];
  before(async () => {
    service = await served();
    chats = await allChats(service);
    everything = [...chats.values()].flat();
  });
  after(() => service.close());

  it('have 480 messages in the first group, 3 to hundreds in others, and none for one user', () => {
    assert.equal(chats.get('518204736')?.length, 480);
    assert.equal(chats.get('563311478')?.length, 3);
    assert.ok((chats.get('big')?.length ?? 0) > 500);
    for (const [name, { length }] of chats) assert.equal(length === 0, name.endsWith(' 7850437'), name);
  });

  it('are the same in every sandbox', async () => {
    const other = await served();
    try {
      const own = new RegExp(service.origin, 'g');
      const told = JSON.stringify([...chats]).replace(own, other.origin);
      assert.equal(told, JSON.stringify([...(await allChats(other))]));
    } finally {
      await other.close();
    }
  });

  it('give each message a unique ID of 32 hex digits', () => {
    for (const { msgId } of everything) assert.match(msgId, /^[0-9a-f]{32}$/);
    assert.equal(new Set(everything.map(({ msgId }) => msgId)).size, everything.length);
  });

  it('last for days in increasing order and end on March 13, 2026', () => {
    for (const messages of chats.values()) {
      messages.forEach(({ sendTime }, at) => {
        assert.ok(sendTime > (messages[at - 1]?.sendTime ?? 0));
        assert.ok(sendTime > Date.UTC(2025, 0) && sendTime < Date.UTC(2026, 2, 13, 16));
      });
    }
    const first = chats.get('518204736') ?? [];
    const days = ((first.at(-1)?.sendTime ?? 0) - (first[0]?.sendTime ?? 0)) / 86_400_000;
    assert.ok(days > 7 && days < 120, `${days} days`);
  });

  it('have matching content for each content type, and every content type', () => {
    for (const { contentType, content } of everything) {
      const { buttons, tip, at, parent, parentImgName, parentVideoUrl, parentFileName, ...fields } = content;
      const { imageUrl, ...others } = fields;
      assertFields(contentType === 'image' ? others : fields, contentFields[contentType] ?? {});
      if (tip !== undefined) assert.ok(contentType === 'text' && typeof tip === 'string');
    }
    assert.deepEqual(new Set(everything.map((message) => message.contentType)), new Set(Object.keys(contentFields)));
    assert.ok(everything.some(({ content }) => content.tip));
    const first = chats.get('518204736') ?? [];
    assert.deepEqual(new Set(first.map((message) => message.contentType)), new Set(Object.keys(contentFields)));
  });

  it('have buttons in rows with all three actions, only in messages from bots', () => {
    const withButtons = everything.filter(({ content }) => content.buttons);
    const rows = withButtons.flatMap(({ content }) => content.buttons ?? []);
    for (const button of rows.flat()) assertFields(button, buttonFields[button.actionType] ?? {});
    assert.deepEqual(new Set(rows.flat().map((button) => button.actionType)), new Set([1, 2, 3]));
    assert.ok(rows.some((row) => row.length > 1));
    assert.ok(withButtons.every(({ senderType }) => senderType === 'bot'));
  });

  it('are between known users and bots, with their names', async () => {
    const names = new Map<string, string>();
    for (const userId of service.sandbox.users) {
      names.set(`user ${userId}`, dataOf(await service.user(`?userId=${userId}`)).user.nickname);
    }
    for (const botId of service.sandbox.bots)
      names.set(`bot ${botId}`, dataOf(await service.bot({ botId })).bot.nickname);
    for (const { senderType, senderId, senderNickname } of everything) {
      assert.equal(senderNickname, names.get(`${senderType} ${senderId}`));
    }
  });

  it('contain only their own bot, and only two participants in a user chat', async () => {
    for (const [name, messages] of chats) {
      const [bot, user] = name.split(' ');
      const there = user ? bot : dataOf(await service.group({ groupId: name })).group.groupBotRel.botId;
      for (const { senderType, senderId } of messages) {
        if (senderType === 'bot') assert.equal(senderId, there);
        else if (user) assert.equal(senderId, user);
      }
    }
  });

  it('reply to earlier messages of the same chat', () => {
    let replies = 0;
    for (const messages of chats.values()) {
      const seen = new Set(['']);
      for (const { msgId, parentId } of messages) {
        assert.ok(seen.has(parentId));
        if (parentId) replies++;
        seen.add(msgId);
      }
    }
    assert.ok(replies > 100);
  });

  it('quote the parent in replies only', () => {
    const byId = new Map(everything.map((message) => [message.msgId, message]));
    for (const { parentId, content } of everything) {
      const parent = byId.get(parentId);
      const { parentImgName, parentVideoUrl, parentFileName } = content;
      if (!parent) {
        assert.deepEqual([content.parent, parentImgName, parentVideoUrl, parentFileName], Array(4).fill(undefined));
        continue;
      }
      const { imageName, videoUrl, fileName, text = '' } = parent.content;
      assert.deepEqual([parentImgName, parentVideoUrl, parentFileName], [imageName, videoUrl, fileName]);
      const name = `${parent.senderNickname} : `;
      if (parent.contentType === 'text') assert.equal(content.parent, name + text.slice(0, 80));
      else assert.ok(content.parent?.startsWith(name) && content.parent.length <= name.length + 80, content.parent);
    }
    const replies = everything.filter(({ parentId }) => parentId);
    for (const field of ['parentImgName', 'parentVideoUrl', 'parentFileName'] as const) {
      assert.ok(
        replies.some(({ content }) => content[field]),
        field,
      );
    }
  });

  it('mention people by name and a zero-width space, with their IDs in a field', async () => {
    const mentioning = everything.filter(({ content }) => content.at);
    assert.ok(mentioning.length > 0);
    for (const { content } of mentioning) {
      const names = [...(content.text ?? '').matchAll(/@([^\u200B]+)\u200B/g)].map(([, name]) => name);
      const ids = content.at ?? [];
      const users = ids.map(async (id) => dataOf(await service.user(`?userId=${id}`)).user.nickname);
      assert.deepEqual(await Promise.all(users), names);
    }
  });

  it('have images with URLs, with names only, and with URLs that expire after an hour', () => {
    const pictures = everything.filter(({ contentType }) => contentType === 'image');
    const expiries = everything.flatMap(({ content: { imageUrl, videoUrl }, sendTime }) => {
      const time = new URL(imageUrl ?? videoUrl ?? 'x:').searchParams.get('t');
      return time ? [Number.parseInt(time, 16) - Math.floor(sendTime / 1000)] : [];
    });
    assert.ok(pictures.some(({ content }) => !content.imageUrl));
    assert.ok(pictures.some(({ content }) => content.imageUrl?.endsWith(content.imageName ?? '?')));
    assert.ok(pictures.some(({ content }) => content.imageUrl?.includes('&t=')));
    assert.deepEqual(new Set(expiries), new Set([3600]));
  });

  it('have a name and an ID for commands only', () => {
    for (const { commandName, commandId } of everything) assert.equal(commandName === '', commandId === 0);
    const commands = everything.filter(({ commandId }) => commandId > 0);
    assert.ok(commands.length > 0);
    for (const { content, commandName } of commands) assert.ok(String(content.text).startsWith(commandName));
  });

  it('leave no placeholder in a text', () => {
    const left = JSON.stringify(everything).match(/\{(web|n|m|order|price|time|version|key|expiry|a|b|c|cId)\}/g);
    assert.equal(left, null);
  });
});

describe('Sandbox message IDs', () => {
  const word = () => fc.integer({ min: 0, max: 0xffffffff });

  it('encode the position of their message', () => {
    fc.assert(
      fc.property(word(), word(), word(), (chat, index, run) => {
        const id = messageId({ chat, index, run });
        assert.match(id, /^[0-9a-f]{32}$/);
        assert.deepEqual(positionOf(id), { chat, index, run });
      }),
    );
  });

  it('differ completely from those of adjacent messages', () => {
    const ids = Array.from({ length: 200 }, (_, index) => messageId({ chat: 0, index, run: 0 }));
    assert.equal(new Set(ids.map((id) => id.slice(0, 8))).size, 200);
    assert.equal(new Set(ids.map((id) => id.slice(-8))).size, 200);
  });

  it("can't be guessed: other text has no position", () => {
    const hex = fc.array(fc.constantFrom(...'0123456789abcdef'), { minLength: 32, maxLength: 32 });
    fc.assert(fc.property(hex, (digits) => assert.equal(positionOf(digits.join('')), undefined)));
    fc.assert(fc.property(fc.string(), (any) => assert.equal(positionOf(any), undefined)));
  });
});

describe('Sandbox send times', () => {
  it('increase through a chat of any length', () => {
    const chat = fc.integer({ min: 1, max: 25_000_000 }).chain((scenes) =>
      fc.record({
        seed: fc.nat(),
        scenes: fc.constant(scenes),
        scene: fc.nat({ max: scenes - 1 }),
        turns: fc.integer({ min: 1, max: 7 }),
      }),
    );
    fc.assert(
      fc.property(chat, ({ seed, ...moment }) => {
        const { scene, turns } = moment;
        const times = Array.from({ length: turns }, (_, turn) => sendTime(seed, { ...moment, turn }));
        if (scene > 0) times.unshift(sendTime(seed, { ...moment, scene: scene - 1, turn: turns - 1 }));
        for (const [at, time] of times.entries()) assert.ok(at === 0 || time > (times[at - 1] ?? 0));
      }),
    );
  });
});
