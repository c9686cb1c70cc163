import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ArchiveDatabase } from '../../../../src/chats/archive/archiveDatabase.ts';
import type { SearchRequest } from '../../../../src/chats/archive/search.ts';
import { range } from '../history/chat.ts';
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

  it('finds one, two and more characters anywhere in scripts without spaces', () => {
    for (const [text, query] of [
      ['无法登录失败了', '登'],
      ['无法登录失败了', '录'],
      ['无法登录失败了', '登录'],
      ['无法登录失败了', '录失'],
      ['无法登录失败了', '登录失败'],
      ['无法登录失败了', '败'],
      ['ログインできない', 'ログ'],
      ['ログインできない', 'グイン'],
      ['로그인이 안 돼요', '그인'],
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
    for (const query of ['[.点赞]', '好的👍', '"好的[.点赞]"'])
      assert.deepEqual(idsFound(archive, query), ['a'], query);
    assert.deepEqual(idsFound(archive, '重要会议').toSorted(), ['b', 'c']);
    for (const query of ['card', 'div']) assert.deepEqual(idsFound(archive, query), [], query);
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
    const character = fc.constantFrom(...Array.from('登录失ガ그abBé1  ,-"*😀\n'));
    const texts = fc.array(character, { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 12 }), texts, (all, query) => {
        const expected = all.flatMap((text, at) => (plainlyMatches(text, query) ? [`${at}`] : []));
        assert.deepEqual(found(open, all, query), expected.reverse());
      }),
    );
  });

  it('filters by chat, sender, type, buttons, commands and dates', () => {
    const archive = open();
    const other = archive.addChat({ ...CHAT, id: '100000002' });
    const buttons = [[{ text: 'Open', actionType: 1, url: 'https://example.com' }]];
    archive.addPage(
      archive.addChat(CHAT),
      jsonsOf([
        messageOf('a', 'hello', { sendTime: 1000, senderId: '7', senderType: 'bot', senderNickname: 'Robo' }),
        messageOf('b', 'hello', { sendTime: 2000, content: { text: 'hello', buttons } }),
        messageOf('c', 'hello', { sendTime: 3000, commandName: 'help', commandId: 4 }),
        messageOf('d', '', { sendTime: 4000, contentType: 'image', content: { imageName: 'hello.png' } }),
      ]),
    );
    archive.addPage(other, jsonsOf([messageOf('e', 'hello', { sendTime: 2500 }), { unreadable: 1 }]));
    const filters: [request: Partial<SearchRequest>, ids: string][] = [
      [{}, 'dc?eba'],
      [{ text: 'hello', chats: [other] }, 'e'],
      [{ text: 'unreadable', chats: [other] }, '?'],
      [{ text: 'hello', senders: ['bot 7'] }, 'a'],
      [{ senders: ['bot 7', 'bot 8'] }, 'a'],
      [{ kinds: ['image'] }, 'd'],
      [{ kinds: ['image'], chats: [other] }, ''],
      [{ hasButtons: true }, 'b'],
      [{ hasButtons: false }, 'dc?eba'],
      [{ isCommand: true }, 'c'],
      [{ text: 'help', isCommand: true }, 'c'],
      [{ text: 'hello', since: 2000, until: 3000 }, 'eb'],
      [{ text: '-png', until: 2500 }, 'ba'],
    ];
    for (const [request, ids] of filters) {
      const found = idsFound(archive, { text: '', order: 'newest', ...request });
      assert.equal(found.map((id) => id || '?').join(''), ids, JSON.stringify(request));
    }
  });

  it('tells what was said from what was quoted, for a sender and if asked to', () => {
    const archive = open();
    const ben = (msgId: string, sendTime: number, text: string, parent: string) =>
      messageOf(msgId, '', { senderId: '8', senderNickname: 'Ben', sendTime, content: { text, parent } });
    archive.addPage(
      archive.addChat(CHAT),
      jsonsOf([
        messageOf('a', 'Is there soup?', { sendTime: 1000 }),
        ben('b', 2000, 'Yes.', 'Ana : The soup?'),
        ben('c', 3000, 'No, soup.', 'Ana : The bread?'),
      ]),
    );
    const searches: [text: string, anywhere: string, said: string, saidByBen: string][] = [
      ['soup', 'abc', 'ac', 'c'],
      ['soup -bread', 'ab', 'ac', 'c'],
      ['-bread', 'ab', 'abc', 'bc'],
      ['ana', 'abc', 'a', ''],
      ['ben', 'bc', 'bc', 'bc'],
      ['the', 'abc', 'a', ''],
      ['', 'abc', 'abc', 'bc'],
    ];
    for (const order of ['newest', 'relevance'] as const) {
      for (const [text, anywhere, said, saidByBen] of searches) {
        const ids = (more: Partial<SearchRequest>) =>
          idsFound(archive, { text, order, ...more })
            .toSorted()
            .join('');
        assert.equal(ids({}), anywhere, text);
        assert.equal(ids({ withoutQuoted: true }), said, `${text}, said`);
        assert.equal(ids({ senders: ['user 8'] }), saidByBen, `${text}, said by Ben`);
      }
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
    const hello = (at: number) => messageOf(`m${at}`, 'hello', { sendTime: 1000 * at });
    archive.addPage(chat, jsonsOf(range(1, 99).map(hello)));
    const first = archive.search({ text: 'hello', order: 'newest' }, 30);
    archive.addPage(chat, jsonsOf(range(100, 129).map(hello)));
    const rest = archive.search({ text: 'hello', order: 'newest' }, 1000, first.next);
    const ids = [...first.found, ...rest.found].map(({ msgId }) => msgId);
    assert.deepEqual(
      ids,
      range(1, 99)
        .map((at) => `m${at}`)
        .toReversed(),
    );
  });

  it('finds the ID of a message with filters, too, and each message once', () => {
    const archive = open();
    const chat = archive.addChat(CHAT);
    const other = archive.addChat({ ...CHAT, id: '100000002' });
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
    const withWords = (at: number, words: number) =>
      messageOf(`m${at}`, `login ${'and more '.repeat(words)}`, { sendTime: 1000 * at });
    archive.addPage(chat, jsonsOf(range(100, 159).map((at) => withWords(at, at - 97))));
    const request = { text: 'login ', order: 'relevance' } as const;
    const first = archive.search(request, 20);
    archive.addPage(chat, jsonsOf(range(1, 49).map((at) => withWords(at, at - 1))));
    const second = archive.search(request, 20, first.next);
    const third = archive.search(request, 20, second.next);
    assert.equal(third.next, undefined);
    const ids = [first, second, third].flatMap(({ found }) => found.map(({ msgId }) => msgId));
    assert.deepEqual(
      ids,
      range(100, 159).map((at) => `m${at}`),
    );
  });
});
