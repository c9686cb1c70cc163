import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ArchiveDatabase } from '../../../../src/chats/archive/archiveDatabase.ts';
import type { SearchRequest } from '../../../../src/chats/archive/search.ts';
import { archiveWithoutIndex, CHAT, idsFound, jsonsOf, messageOf, openArchive } from './archives.ts';
import { plainlyMatches } from './plainSearch.ts';

/** Opens archives with or without an index. */
type Open = () => ArchiveDatabase;

/** The IDs of the messages that a query finds, newest first, among texts whose IDs are their indexes. */
function found(open: Open, texts: readonly string[], query: string): string[] {
  const archive = open();
  const chat = archive.addChat(CHAT);
  const messages = texts.map((text, at) =>
    messageOf(`m${at}`, text, { sendTime: 1000 * (at + 1), senderNickname: '', senderId: '' }),
  );
  archive.addPage(chat, jsonsOf(messages));
  return idsFound(archive, query).map((msgId) => msgId.slice(1));
}

for (const [name, open] of [
  ['Searching the archive', openArchive],
  ['Searching the archive without an index', archiveWithoutIndex],
] as const) {
  describe(name, () => searches(open));
}

function searches(open: Open) {
  const findsIn = (text: string, query: string) => found(open, [text], query).length > 0;

  it('finds whole words in any case, width and accent', () => {
    for (const query of ['login ', 'LOGIN ', 'ｌｏｇｉｎ ']) assert.ok(findsIn('The Login fails', query), query);
    assert.ok(findsIn('the café is open', 'CAFE '));
    assert.ok(findsIn('the cafe is open', 'café '));
    assert.ok(!findsIn('The logins fail', 'login '));
  });

  it('takes a word that is still being typed, or ends with an asterisk, for a beginning', () => {
    assert.ok(findsIn('The logins fail', 'log'));
    assert.ok(findsIn('The logins fail', 'log* fail'));
    assert.ok(!findsIn('The logins fail', 'log fail'));
    assert.ok(!findsIn('The logins fail', '"log"'));
  });

  it('finds one, two and more Chinese, Japanese and Korean characters anywhere', () => {
    for (const query of ['登', '录', '登录', '录失', '登录失败', '败'])
      assert.ok(findsIn('无法登录失败了', query), query);
    for (const query of ['ログ', 'グイン']) assert.ok(findsIn('ログインできない', query), query);
    assert.ok(findsIn('로그인이 안 돼요', '그인'));
    for (const [text, query] of [
      ['ภาษาไทยง่ายนิดเดียว', 'ไทย'],
      ['ภาษาไทยง่ายนิดเดียว', 'ง่าย'],
      ['ພາສາລາວງ່າຍ', 'ລາວ'],
      ['ភាសាខ្មែរងាយ', 'ខ្មែរ'],
      ['မြန်မာစာလွယ်', 'စာ'],
    ] as const)
      assert.ok(findsIn(text, query), query);
    assert.ok(!findsIn('ไอที ทย', 'ไทย'));
    assert.ok(!findsIn('登机录像', '登录'));
    assert.ok(!findsIn('登,录', '登录'));
  });

  it('finds mixed text, with or without a space where the script changes', () => {
    for (const text of ['请用SSO登录', '请用 SSO 登录']) {
      for (const query of ['SSO登录', '用sso', '"用 sso 登"']) assert.ok(findsIn(text, query), `${query} in ${text}`);
    }
    assert.ok(!findsIn('请用SSO登录', '请sso'));
  });

  it('finds exact phrases, and leaves out what is excluded', () => {
    assert.deepEqual(found(open, ['release is done', 'is release done'], '"release is"'), ['0']);
    assert.deepEqual(found(open, ['release is done', 'is release done', 'done'], 'done -"release is"'), ['2', '1']);
    assert.deepEqual(found(open, ['a b', 'b c'], '-a '), ['1']);
  });

  it('takes wide quotation marks, asterisks, minuses and spaces as it takes narrow ones', () => {
    assert.deepEqual(found(open, ['release is done', 'is release done'], '＂release is＂'), ['0']);
    assert.deepEqual(found(open, ['会议 明天', '会议'], '会议　－明天'), ['1']);
    assert.deepEqual(found(open, ['The logins fail'], 'log＊ fail'), ['0']);
  });

  it('finds emoji by their codes, and what markup runs through', () => {
    const archive = open();
    const texts = [
      messageOf('a', '好的[.点赞]'),
      messageOf('b', '明天的**重要**会议', { contentType: 'markdown' }),
      messageOf('c', '<div class="card">明天的<b>重要</b>会议</div>', { contentType: 'html' }),
    ];
    archive.addPage(archive.addChat(CHAT), jsonsOf(texts));
    const ids = (text: string) => archive.search({ text, order: 'newest' }, 10).found.map(({ msgId }) => msgId);
    assert.deepEqual([ids('[.点赞]'), ids('好的👍'), ids('"好的[.点赞]"')], [['a'], ['a'], ['a']]);
    assert.deepEqual(ids('重要会议').sort(), ['b', 'c']);
    assert.deepEqual([ids('card'), ids('div')], [[], []]);
  });

  it('finds IDs, and parts of addresses', () => {
    assert.ok(findsIn('see https://docs.example.com/login/sso?id=7', 'example.com/login'));
    assert.ok(findsIn('see https://docs.example.com/login/sso?id=7', 'sso'));
    assert.ok(findsIn('of 7654321', '7654321'));
    assert.deepEqual(found(open, ['a', 'b'], 'm1 '), ['1']);
  });

  it('finds nothing for what has no letters, digits or emoji', () => {
    assert.deepEqual(found(open, ['!!!'], '!!!'), []);
    assert.deepEqual(found(open, ['yes 👍🏽', 'no 👎'], '👍'), ['0']);
  });

  it('answers any query, however long', () => {
    const archive = open();
    const texts = ['alpha beta', 'alpha x1199', '中文 x0'];
    archive.addPage(archive.addChat(CHAT), jsonsOf(texts.map((text, at) => messageOf(`${at}`, text))));
    const found = (text: string, order: SearchRequest['order']) => idsFound(archive, { text, order }).toSorted();
    // SQLite and its index each limit the depth of expressions: to 1,000 and 256.
    const many = (term: (at: number) => string) => Array.from({ length: 1_200 }, (_, at) => term(at)).join(' ');
    const queries: [query: string, expected: string[]][] = [
      [`alpha ${many((at) => `-x${at}`)} `, ['0']],
      [`${many((at) => `-x${at}`)} `, ['0']],
      [many((at) => `-"x${at} x${at}"`), ['0', '1', '2']],
      [`${many((at) => `-x${at}*`)} `, ['0']],
      [many((at) => `x${at}`), []],
      [many((at) => `"x${at} y${at}"`), []],
      [many(() => 'alpha'), ['0', '1']],
      [`"${many((at) => `x${at}`)}"`, []],
      ['x'.repeat(100_000), []],
      [`-${'x'.repeat(100_000)}`, ['0', '1', '2']],
      ['中文'.repeat(5_000), []],
      [`alpha -${'中文'.repeat(5_000)}`, ['0', '1']],
      ['中 '.repeat(5_000), ['2']],
      ['-'.repeat(100_000), []],
      ['"'.repeat(100_000), []],
    ];
    for (const [query, expected] of queries) {
      for (const order of ['newest', 'relevance'] as const)
        assert.deepEqual(found(query, order), expected, `${query.slice(0, 30)} ${order}`);
    }
  });

  it('finds everything that a plain search finds, nothing else, and the newest first', () => {
    const characters = [
      '登',
      '录',
      '失',
      'ガ',
      '그',
      'a',
      'b',
      'B',
      'é',
      '1',
      ' ',
      ' ',
      ',',
      '-',
      '"',
      '*',
      '😀',
      '\n',
    ];
    const texts = fc.array(fc.constantFrom(...characters), { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 12 }), texts, (all, query) => {
        const expected = all.flatMap((text, at) => (plainlyMatches(text, query) ? [`${at}`] : []));
        assert.deepEqual(found(open, all, query), expected.reverse());
      }),
    );
  });

  it('filters by chat, sender, type, buttons, commands and dates', () => {
    const archive = open();
    const [one, other] = [CHAT, { ...CHAT, id: '100000002' }].map((chat) => archive.addChat(chat));
    const buttons = [[{ text: 'Open', actionType: 1, url: 'https://example.com' }]];
    archive.addPage(
      one ?? 0,
      jsonsOf([
        messageOf('a', 'hello', { sendTime: 1000, senderId: '7', senderType: 'bot', senderNickname: 'Robo' }),
        messageOf('b', 'hello', { sendTime: 2000, content: { text: 'hello', buttons } }),
        messageOf('c', 'hello', { sendTime: 3000, commandName: 'help', commandId: 4 }),
        messageOf('d', '', { sendTime: 4000, contentType: 'image', content: { imageName: 'hello.png' } }),
      ]),
    );
    archive.addPage(other ?? 0, jsonsOf([messageOf('e', 'hello', { sendTime: 2500 })]));
    const ids = (request: Partial<SearchRequest>) =>
      idsFound(archive, { text: '', order: 'newest', ...request }).join('');
    assert.equal(ids({}), 'dceba');
    assert.equal(ids({ text: 'hello', chats: [other ?? 0] }), 'e');
    assert.equal(ids({ text: 'hello', senders: ['bot 7'] }), 'a');
    assert.equal(ids({ kinds: ['image'] }), 'd');
    assert.equal(ids({ hasButtons: true }), 'b');
    assert.equal(ids({ text: 'help', isCommand: true }), 'c');
    assert.equal(ids({ text: 'hello', since: 2000, until: 3000 }), 'eb');
    assert.equal(ids({ text: '-png', until: 2500 }), 'ba');
  });

  it('tells what was said from what was quoted, for a sender and if asked to', () => {
    const archive = open();
    const ben = { senderId: '8', senderNickname: 'Ben' };
    const parents = ['', 'Ana : The soup?', 'Ana : The bread?'];
    archive.addPage(
      archive.addChat(CHAT),
      jsonsOf([
        messageOf('a', 'Is there soup?', { sendTime: 1000 }),
        messageOf('b', '', { sendTime: 2000, ...ben, content: { text: 'Yes.', parent: parents[1] } }),
        messageOf('c', '', { sendTime: 3000, ...ben, content: { text: 'No, soup.', parent: parents[2] } }),
      ]),
    );
    for (const order of ['newest', 'relevance'] as const) {
      const ids = (text: string, more: Partial<SearchRequest> = {}) =>
        idsFound(archive, { text, order, ...more })
          .toSorted()
          .join('');
      const [withoutQuoted, senders] = [true, ['user 8']];
      assert.deepEqual([ids('soup'), ids('soup', { withoutQuoted })], ['abc', 'ac']);
      assert.deepEqual([ids('soup -bread'), ids('soup -bread', { withoutQuoted })], ['ab', 'ac']);
      assert.deepEqual([ids('-bread'), ids('-bread', { withoutQuoted })], ['ab', 'abc']);
      assert.deepEqual([ids('ana'), ids('ana', { withoutQuoted })], ['abc', 'a']);
      assert.deepEqual([ids('soup', { senders }), ids('the', { senders })], ['c', '']);
      assert.deepEqual(
        [ids('ben', { senders }), ids('', { senders }), ids('', { withoutQuoted })],
        ['bc', 'bc', 'abc'],
      );
    }
  });

  it('finds the one who said what everyone quotes', () => {
    const archive = open();
    const quoting = Array.from({ length: 700 }, (_, at) =>
      messageOf(`m${at}`, '', { sendTime: 2000 + at, content: { text: 'Yes.', parent: 'Ana : Is there soup?' } }),
    );
    archive.addPage(archive.addChat(CHAT), jsonsOf([messageOf('a', 'Is there soup?', { sendTime: 1000 }), ...quoting]));
    for (const order of ['newest', 'relevance'] as const)
      assert.deepEqual(idsFound(archive, { text: 'soup', order, withoutQuoted: true }, 50), ['a']);
  });

  it('pages through results while messages come in', () => {
    const archive = open();
    const chat = archive.addChat(CHAT);
    const add = (from: number, to: number) =>
      archive.addPage(
        chat,
        jsonsOf(
          Array.from({ length: to - from }, (_, at) =>
            messageOf(`m${from + at}`, 'hello', { sendTime: 1000 * (from + at) }),
          ),
        ),
      );
    add(1, 100);
    const first = archive.search({ text: 'hello', order: 'newest' }, 30);
    add(100, 130);
    const rest = archive.search({ text: 'hello', order: 'newest' }, 1000, first.next);
    const ids = [...first.found, ...rest.found].map(({ msgId }) => msgId);
    assert.deepEqual(
      ids,
      Array.from({ length: 99 }, (_, at) => `m${99 - at}`),
    );
  });

  it('finds the ID of a message with filters, too, and each message once', () => {
    const archive = open();
    const [chat, other] = [archive.addChat(CHAT), archive.addChat({ ...CHAT, id: '100000002' })];
    archive.addPage(chat, jsonsOf([messageOf('abc123', 'the ID of this is abc123')]));
    archive.addPage(other, jsonsOf([messageOf('def456', 'nothing')]));
    assert.deepEqual(idsFound(archive, 'abc123'), ['abc123']);
    assert.deepEqual(idsFound(archive, { text: 'def456', chats: [other], order: 'newest' }), ['def456']);
    assert.deepEqual(idsFound(archive, { text: 'def456', chats: [chat], order: 'newest' }), []);
  });

  it('finds the message with an ID first, and not again among later results that mention it', () => {
    const archive = open();
    const messages = ['abc123', 'm1', 'm2'].map((msgId, at) => messageOf(msgId, 'see abc123', { sendTime: 1000 + at }));
    archive.addPage(archive.addChat(CHAT), jsonsOf(messages));
    const first = archive.search({ text: 'abc123', order: 'newest' }, 2);
    const rest = archive.search({ text: 'abc123', order: 'newest' }, 2, first.next);
    const ids = [...first.found, ...rest.found].map(({ msgId }) => msgId);
    assert.deepEqual(ids, ['abc123', 'm2', 'm1']);
  });

  it('finds nothing in an archive whose chats were all removed', () => {
    const archive = open();
    const chat = archive.addChat(CHAT);
    archive.addPage(chat, jsonsOf([messageOf('a', 'hello')]));
    archive.removeChat(chat);
    for (const text of ['', 'hello', '-hello']) assert.deepEqual(idsFound(archive, text), []);
  });
}

describe('Searching by relevance', () => {
  it('puts short messages that are about the words before long ones that mention them', () => {
    const archive = openArchive();
    const chat = archive.addChat(CHAT);
    const texts = ['login', `login ${'other words '.repeat(40)}`, 'login login', 'nothing'];
    archive.addPage(
      chat,
      jsonsOf(texts.map((text, at) => messageOf(`m${at}`, text, { sendTime: 1000 + at, senderNickname: '' }))),
    );
    assert.deepEqual(idsFound(archive, { text: 'login ', order: 'relevance' }, 2), ['m2', 'm0', 'm1']);
  });
});

describe('More results by relevance', () => {
  it('go on where the first ones ended, whatever is archived meanwhile', () => {
    const archive = openArchive();
    const chat = archive.addChat(CHAT);
    const add = (from: number, to: number, words: number) =>
      archive.addPage(
        chat,
        jsonsOf(
          Array.from({ length: to - from }, (_, at) =>
            messageOf(`m${from + at}`, `login ${'and more '.repeat(words + at)}`, { sendTime: 1000 * (from + at) }),
          ),
        ),
      );
    add(100, 160, 3);
    const request = { text: 'login ', order: 'relevance' } as const;
    const first = archive.search(request, 20);
    add(1, 50, 0);
    const second = archive.search(request, 20, first.next);
    const third = archive.search(request, 20, second.next);
    assert.equal(third.next, undefined);
    const ids = [first, second, third].flatMap(({ found }) => found.map(({ msgId }) => msgId));
    assert.deepEqual(
      ids,
      Array.from({ length: 60 }, (_, at) => `m${100 + at}`),
    );
  });
});
