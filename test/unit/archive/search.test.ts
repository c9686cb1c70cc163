import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CHAT, jsonsOf, memoryArchive, messageOf } from './archives.ts';

/** The IDs of the messages that a query finds, newest first, among texts whose IDs are their indexes. */
function found(texts: readonly string[], query: string): string[] {
  const archive = memoryArchive();
  const chat = archive.addChat(CHAT);
  archive.addPage(
    chat,
    jsonsOf(
      texts.map((text, at) =>
        messageOf(`m${at}`, text, { sendTime: 1000 * (at + 1), senderNickname: '', senderId: '' }),
      ),
    ),
  );
  const page = archive.search({ text: query, order: 'newest' }, 1000);
  return page.found.map(({ msgId }) => msgId?.slice(1) ?? '');
}

const findsIn = (text: string, query: string) => found([text], query).length > 0;

describe('Searching the archive', () => {
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
    assert.deepEqual(found(['release is done', 'is release done'], '"release is"'), ['0']);
    assert.deepEqual(found(['release is done', 'is release done', 'done'], 'done -"release is"'), ['2', '1']);
    assert.deepEqual(found(['a b', 'b c'], '-a '), ['1']);
  });

  it('finds IDs, and parts of addresses', () => {
    assert.ok(findsIn('see https://docs.example.com/login/sso?id=7', 'example.com/login'));
    assert.ok(findsIn('see https://docs.example.com/login/sso?id=7', 'sso'));
    assert.ok(findsIn('of 7654321', '7654321'));
    assert.deepEqual(found(['a', 'b'], 'm1 '), ['1']);
  });

  it('finds nothing for what has no letters, digits or emoji', () => {
    assert.deepEqual(found(['!!!'], '!!!'), []);
    assert.deepEqual(found(['yes 👍🏽', 'no 👎'], '👍'), ['0']);
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
        const expected = all.flatMap((text, at) => (plainlyMatches(`${text}\nm${at}`, query) ? [`${at}`] : []));
        assert.deepEqual(found(all, query), expected.reverse());
      }),
      { numRuns: 1500 },
    );
  });
});

// A second implementation, from what the README says. It shares no code with the first.

const isHan = (character: string) => /[登录失ガ그]/.test(character);

function plainRuns(text: string): string[] {
  const runs: string[] = [];
  let kind = '';
  for (const character of text.normalize('NFD').replaceAll('\u0301', '').normalize('NFC').toLowerCase()) {
    const own = isHan(character) ? 'han' : /[a-z0-9]/.test(character) ? 'word' : character === '😀' ? 'emoji' : '';
    if (own && own === kind && own !== 'emoji') runs[runs.length - 1] += character;
    else if (own) runs.push(character);
    kind = own;
  }
  return runs;
}

function plainlyMatches(text: string, query: string): boolean {
  const runs = plainRuns(text);
  const terms = plainTerms(query);
  if (query.trim() && terms.length === 0) return false;
  return terms.every(({ wanted, isPrefix, isExcluded }) => {
    const isThere = runs.some((_, at) =>
      wanted.every((one, index) => {
        const run = runs[at + index] ?? '';
        const [isFirst, isLast] = [index === 0, index === wanted.length - 1];
        if (run === one) return true;
        if (isHan(one.charAt(0))) {
          if (isFirst && isLast) return run.includes(one);
          return (isFirst && run.endsWith(one)) || (isLast && run.startsWith(one));
        }
        return isLast && isPrefix && /^[a-z0-9]/.test(one) && run.startsWith(one);
      }),
    );
    return isThere !== isExcluded;
  });
}

function plainTerms(query: string) {
  const terms: { wanted: string[]; isPrefix: boolean; isExcluded: boolean }[] = [];
  let rest = query;
  while (rest.trim()) {
    rest = rest.trimStart();
    const isExcluded = rest.startsWith('-');
    const begin = isExcluded ? rest.slice(1) : rest;
    let term: string;
    let isPrefix: boolean;
    if (begin.startsWith('"')) {
      const end = begin.indexOf('"', 1);
      term = end < 0 ? begin.slice(1) : begin.slice(1, end);
      rest = end < 0 ? '' : begin.slice(end + 1);
      isPrefix = end < 0 && /[a-z0-9é]$/i.test(term);
    } else {
      term = /^\S*/.exec(begin)?.[0] ?? '';
      rest = begin.slice(term.length);
      isPrefix = term.endsWith('*') || (rest === '' && /[a-z0-9é]$/i.test(term));
    }
    const wanted = plainRuns(term);
    if (wanted.length > 0) terms.push({ wanted, isPrefix, isExcluded });
  }
  return terms;
}
