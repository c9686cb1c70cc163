import assert from 'node:assert/strict';
import { CHAT, jsonsOf, messageOf, openArchive } from './archives.ts';

/** A text that isn't cut, with the ranges of what was found. */
const whole = (text: string, ranges: [number, number][] = []) => ({
  text,
  ranges,
  isCutBefore: false,
  isCutAfter: false,
});

describe('An excerpt', () => {
  const parts = (query: string, more: Record<string, unknown>) => {
    const archive = openArchive();
    archive.addPage(archive.addChat(CHAT), jsonsOf([messageOf('m', '', more)]));
    return archive.search({ text: query, order: 'newest' }, 1).found[0]?.parts ?? assert.fail('not found');
  };
  const excerptOf = (text: string, query: string, more: Record<string, unknown> = {}) =>
    parts(query, { content: { text }, ...more }).said;
  const markedIn = ({ text, ranges }: ReturnType<typeof excerptOf>) =>
    ranges.map(([start, end]) => text.slice(start, end));
  const marked = (text: string, query: string) => markedIn(excerptOf(text, query));

  it('marks what was found as it is written', () => {
    assert.deepEqual(marked('The ＬＯＧＩＮ of Café 登录失败', 'login cafe 录失'), ['ＬＯＧＩＮ', 'Café', '录失']);
    assert.deepEqual(marked('release is done, is it?', '"is done" -never'), ['is done']);
    assert.deepEqual(marked('logins and logs', 'log*'), ['logins', 'logs']);
  });

  it('shows the first match of a long message in context', () => {
    const found = excerptOf(`${'😀 '.repeat(500)}needle${' 😀'.repeat(500)}`, 'needle ');
    assert.deepEqual(markedIn(found), ['needle']);
    assert.ok(found.isCutBefore && found.isCutAfter);
    assert.ok(found.text.length <= 241);
    assert.doesNotMatch(found.text, /^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/);
  });

  it('begins with a word', () => {
    // The match is 60 characters after the space.
    const text = `${'x'.repeat(40)} ${'y'.repeat(58)} needle`;
    assert.equal(excerptOf(text, 'needle').text, `${'y'.repeat(58)} needle`);
    assert.equal(excerptOf(`a · ${text.slice(1)}`, 'needle').text, `${'y'.repeat(58)} needle`);
  });

  it('marks nothing beyond its end', () => {
    const found = excerptOf(`${'a '.repeat(100)}needle ${'b '.repeat(100)}needle${' c'.repeat(100)}`, 'needle ');
    assert.equal(found.isCutAfter, true);
    assert.equal(found.ranges.length, 1);
  });

  it('begins and ends with whole emoji', () => {
    const family = '👩\u200D👩\u200D👧';
    const { text } = excerptOf(`${family.repeat(50)}needle${family.repeat(50)}`, 'needle');
    const [before, after] = text.split('needle').map((part) => part.replaceAll(family, ''));
    assert.deepEqual([before, after], ['', '']);
  });

  it('shows lines and tables of Markdown on one line, without their marks', () => {
    const table = '| Item | Price |\n| --- | ---: |\n| Copper kettle | 47.10 |';
    const markdown = `### Order\n\n${table}\n\n> Packed, **not yet** \`collected\`\n- a | b`;
    const found = excerptOf(markdown, 'kettle not', { contentType: 'markdown' });
    assert.equal(found.text, 'Order · Item · Price · Copper kettle · 47.10 · Packed, not yet collected · a | b');
    assert.deepEqual(markedIn(found), ['kettle', 'not']);
    assert.equal(excerptOf('a | **b**\nc', 'b').text, 'a | **b** · c');
    assert.equal(excerptOf('<h3>Kettle</h3><p>1 < 2</p>', 'kettle', { contentType: 'html' }).text, 'Kettle · 1 < 2');
  });

  it('shows a match between any number of spaces, marks or empty lines', () => {
    for (const one of [' ', '|', '\n', ' \n', '#', '`', '- ', '| |', '< ']) {
      const text = `${one.repeat(10_000)}needle${one.repeat(10_000)}`;
      for (const contentType of ['markdown', 'html', 'text'])
        assert.match(excerptOf(text, 'needle', { contentType }).text, /needle/);
    }
  });

  it('tells what was said from what it quotes, and from the labels of buttons', () => {
    const content = {
      text: 'On it.',
      tip: 'Only you see this.',
      parent: 'Grace : The courier is early.',
      buttons: [[{ text: 'Courier' }, { text: '' }], [{ text: 'Later' }]],
    };
    assert.deepEqual(parts('courier grace', { content, commandName: 'go' }), {
      said: whole('On it. · Only you see this. · go'),
      author: whole('Grace', [[0, 5]]),
      quoted: whole('The courier is early.', [[4, 11]]),
      buttons: [whole('Courier', [[0, 7]]), whole('Later')],
      hasMoreButtons: false,
    });
  });

  it("marks nothing in quotations that weren't searched", () => {
    const content = { text: 'Soup?', parent: 'Grace : Soup!' };
    const archive = openArchive();
    archive.addPage(archive.addChat(CHAT), jsonsOf([messageOf('m', '', { content })]));
    const [found] = archive.search({ text: 'soup', order: 'newest', withoutQuoted: true }, 1).found;
    assert.deepEqual(found?.parts.said, whole('Soup?', [[0, 4]]));
    assert.deepEqual(found?.parts.quoted, whole('Soup!'));
  });

  it('shows what was found of a long quotation, and the buttons that were found of many', () => {
    const content = {
      text: 'Yes.',
      parent: `Grace : ${'and more '.repeat(20)}soup ${'and more '.repeat(5)}`,
      buttons: [Array.from({ length: 12 }, (_, at) => ({ text: at === 8 ? 'Soup' : `Choice ${at}` }))],
    };
    const { quoted, buttons, hasMoreButtons } = parts('soup', { content });
    assert.equal(quoted.text, 'and more and more and more soup and more and more and more and more and more');
    assert.equal(quoted.isCutBefore, true);
    assert.equal(quoted.isCutAfter, false);
    assert.deepEqual(
      buttons.map(({ text }) => text),
      ['Choice 0', 'Choice 1', 'Choice 2', 'Choice 3', 'Soup'],
    );
    assert.ok(hasMoreButtons);
  });

  it('shows the beginning if only the sender or an ID was found', () => {
    assert.deepEqual(excerptOf('hello there', 'ana'), whole('hello there'));
  });
});
