import assert from 'node:assert/strict';
import { fixed, hasMistake, hasProblems, problemsOf, read, unmark, withBlock, withFront } from './read.ts';

const TOO_LONG =
  'The front matter has more than 2,000 values. Move long lists of recipients to an audience or a CSV file.';
const UNSUPPORTED = "Aliases, tags, and top-level maps in braces aren't supported here.";

describe('Front matter that can’t be used', () => {
  it('is a problem where it isn’t closed, which a fix does', () => {
    const closed = '---\nchat:\n  bot: 1\n---\n\nHi';
    const said = "The front matter isn't closed. Add a line with ---, or use *** if you want a horizontal rule.";
    hasMistake('‹---›\nchat:\n  bot: 1\n\nHi', said, closed);
    const hyphens = [' ---', '\t--- ', '--', '----', '–––', '—-', '—', '－－－', '- - -'];
    const withOddSpaces = ['---\u00A0', '---\u200B', '\u3000---\u3000'];
    const others = ['***', '___', '===', '+++', '```', ' ...'];
    for (const closing of [...hyphens, ...withOddSpaces, ...others])
      assert.equal(fixed(`---\nchat:\n  bot: 1\n${closing}\n\nHi`), closed, closing);
  });

  it('is closed above the text, if no blank line is between them', () => {
    const block = 'chat:\n  bot: 1\n  groups:\n  - 2\n';
    for (const own of [
      block,
      `${block}title: a\n`,
      `tags:\n- a\n- b\n${block}`,
      `title: a\n${block}`,
      'chat: {\n  bot: 1\n}\n',
      'chat：\n  bot：1\n',
    ])
      for (const text of [
        'Hi Ann,\n\nBye',
        'Hi\n***\nBye',
        '# Hi\nBye',
        '- Hi\n- Bye',
        '大家好：\nBye',
        'https://example.com',
      ])
        for (const eol of ['\n', '\r\n']) {
          const written = `---\n${own}${text}`.replaceAll('\n', eol);
          const body = text.replaceAll('\n', eol);
          assert.equal(fixed(written), `---\n${own}`.replaceAll('\n', eol).replace(/\r?\n$/, `\n---${eol}${body}`));
          assert.equal(written.slice(read(written).body.start), body);
        }
    const tags = `---\n${block}tags:\n- a\n- b\n`;
    assert.equal(fixed(`${tags}Hi`), `${tags}---\nHi`);
    assert.equal(fixed(`---\n${block}# c\n----\nHi`), `---\n${block}# c\n---\nHi`);
    // The block is below what was to close it.
    assert.equal(fixed(`---\ntitle: a\n----\n${block}Hi`), `---\ntitle: a\n---\n${block}Hi`);
    assert.equal(fixed(`---\ntitle: |\n  a\n  ***\n${block}Hi`), `---\ntitle: |\n  a\n  ***\n${block}---\nHi`);
  });

  it('is indented with spaces instead of tabs by a fix', () => {
    for (const [yaml, right] of [
      ['chat:\n\tbot: 1\n\tgroups:\n\t\t- 2', 'chat:\n  bot: 1\n  groups:\n    - 2'],
      ['chat:\r\n\tbot: 1', 'chat:\r\n  bot: 1'],
      ['chat:\n  bot: 1\n\tgroups: [2]', 'chat:\n  bot: 1\n  groups: [2]'],
      ['chat:\n    bot: 1\n\tgroups: [2]', 'chat:\n    bot: 1\n    groups: [2]'],
      ['chat:\n  bot: 1\n  except:\n  \tgroups: [2]', 'chat:\n  bot: 1\n  except:\n    groups: [2]'],
      ['a:\n\tb: 1\nchat:\n  groups: [\n\t1]', 'a:\n    b: 1\nchat:\n  groups: [\n    1]'],
      ['chat: {\n\tbot: 1\n}', 'chat: {\n  bot: 1\n}'],
      ['chat:\n  buttons:\n    -\ttext: a\n    \tcopies: b\tc', 'chat:\n  buttons:\n    - text: a\n      copies: b\tc'],
    ] as const) {
      assert.equal(read(withFront(yaml)).problems[0]?.fixes?.[0]?.title, 'Replace the tabs with spaces', yaml);
      assert.equal(fixed(withFront(yaml)), withFront(right));
      hasProblems(withFront(right));
    }
    assert.equal(fixed(withFront('chat:\n\tbot: a: b')), withFront('chat:\n  bot: a: b'));
    for (const yaml of ['chat:\n  bot: a: b\n  # \tc', 'chat:\n\t# c\n  bot: a: b'])
      assert.deepEqual(read(withFront(yaml)).problems[0]?.fixes, undefined);
  });

  it('is told in plain words, where it is, what is wrong with its YAML, if that is frequent', () => {
    const indented = "a value with a colon needs quotes, or a line isn't indented like the others";
    const unclosed = "a bracket or brace isn't closed, or a line isn't indented like the others";
    const special = 'put quotes around a value that begins with a special character';
    const missing = 'a colon, comma, space, or quotation mark is missing';
    const keyless = 'the key in this line has no colon, or a value in brackets begins with a dash';
    for (const [yaml, why] of [
      ['chat:\n‹-›-- a', 'a second document begins here'],
      ['chat:\n  people: [1⏎', unclosed],
      ['chat:\n  bot: ‹a›: b', indented],
      ['chat:\n bot: ‹1›\n  people: 2', indented],
      ['chat:\n  bot: ‹@›a', special],
      ['chat:\n  bot: ‹*›', special],
      ['chat:\n  bot: ‹&› b', special],
      ['chat:\n  bot: ‹!›!', special],
      ['chat:\n  bot: "3⏎', missing],
      ['chat:\n  bot: 3\n  ‹p›eople', missing],
      ['chat:\n  bot: ‹-› 3', "this character isn't expected here. Put quotes around text that contains it"],
      ['chat:\n  ‹g›roups\n    - 1\n  people: [2]', keyless],
      ['chat:\n  ‹e›xcept\n    people: [7]', keyless],
      ['chat:\n  groups: [‹-› 1]', keyless],
      ['chat: "C:‹\\›z"', 'in double quotation marks, write two backslashes instead of one'],
      ['chat: &a ‹*›b', 'An alias node must not specify any properties'],
    ] as const)
      hasProblems(withFront(yaml).replace('⏎\n', '‹\n›'), `The front matter isn't valid YAML: ${why}.`);
    const tabs = "The front matter isn't valid YAML: indent lines with spaces instead of tabs.";
    hasMistake(withFront('chat:\n‹\t›bot: 1'), tabs, withFront('chat:\n  bot: 1'));
    hasProblems(withFront('{‹chat›: {bot: 1}}'), UNSUPPORTED);
  });

  it('is told of a full-width colon, which Chinese input methods type', () => {
    const said = 'This colon is a full-width one. YAML needs a plain colon and a space.';
    const right = withFront('title: a type：b\nchat:\n  bot: 1\n  groups: [518204736]\n  except:\n    people: [7]');
    for (const key of ['chat', 'bot', 'groups', 'except', 'people'])
      for (const wide of ['‹：›', '‹：› ', ' ‹：›']) {
        const marked = right.replace(new RegExp(`\\b${key}: ?`), `${key}${wide}`);
        hasProblems(marked, said);
        const { text } = unmark(marked);
        assert.equal(read(text).message, undefined, text);
        hasProblems(fixed(text));
      }
    const one = (first: string, second: string) => withFront(`chat${first}\n  groups${second}[518204736]`);
    hasMistake(one(':', '‹：›'), said, one(':', ': '));
    hasProblems(one('‹：›', '‹：›'), said, said);
    assert.equal(fixed(one('：', '：')), one(': ', '：'));
    assert.equal(fixed(one('：', '：'), 1), one(': ', ': '));
    const list = (colon: string) =>
      withFront(`chat:\n  buttons:\n    - text: a\n      opens${colon}https://example.com`);
    hasMistake(list('‹：›'), said, list(': '));
    assert.equal(problemsOf(withFront('title：a\nb: c')).length, 1);
  });

  it('is a problem if the key of its block is written in another way', () => {
    const document = (key: string) => withFront(`title: a\n${key}:\n  groups: [518204736]`);
    for (const key of ['Chat', 'CHAT', 'chats'])
      hasMistake(document(`‹${key}›`), `Unknown key ${key}.`, document('chat'));
    for (const yaml of ['Chat: true', 'chats:\n  - a', 'Chat:', 'Chat:\n  hello: 1', 'chatter:\n  groups: [1]'])
      hasProblems(withFront(yaml));
  });

  it('is a problem if YAML takes blanks or invisible characters for a part of the key of its block', () => {
    const said = "The key chat would be ignored, because blanks or invisible characters beside it aren't plain spaces.";
    for (const above of ['', 'title: a\n']) {
      const document = (key: string) => withFront(`${above}${key}:\n  except:\n    groups: [518204736]`);
      for (const blank of ['\u00A0', '\u3000', '\u200B', '\u2060', '\uFEFF'])
        for (const key of [`${blank}chat`, `chat${blank}`, `${blank}Chat${blank}`])
          hasMistake(document(`‹${key}›`), said, document('chat'));
    }
  });

  it('leaves the text, and what else can be read, to be shown', () => {
    const shown = (text: string) => {
      const { message, shown, bot, recipients } = read(text);
      assert.equal(message, undefined);
      return [shown, bot?.id, recipients.map(({ id }) => id)];
    };
    const hi = { contentType: 'markdown', content: { text: 'Hi' } };
    assert.deepEqual(shown(withBlock('bot: 1', 'people: 7: 8', 'groups: [2]')), [hi, '1', ['2']]);
    assert.deepEqual(shown(withBlock('bot: 1', 'groups: [2', 'people: [3]')), [hi, undefined, []]);
    assert.deepEqual(shown(withBlock('type: video', 'bot: 1')), [hi, '1', []]);
    assert.deepEqual(shown('---\nChats:\n  bot: 1\n---\nHi'), [hi, '1', []]);
    for (const end of ['', '\n ---', '\n--'])
      assert.deepEqual(shown(`---\nchat:\n  bot: 1\n  groups: [2]${end}\n\nHi`), [hi, '1', ['2']], end);
    const buttons = [[{ text: 'b', actionType: 2, value: 'c' }]];
    assert.deepEqual(shown(withBlock('buttons: [{ text: a }, { text: b, copies: c }]')), [
      { contentType: 'markdown', content: { text: 'Hi', buttons } },
      undefined,
      [],
    ]);
    assert.deepEqual(shown('---\nchat:\n  bot: 1\n  type: image\n---\n'), [undefined, '1', []]);
  });

  it('isn’t sent as text, also where front matter without a block is', () => {
    for (const yaml of [
      'chat:\n  a: b: c',
      'chat：\n  bot：1',
      'Chat:\n  bot: 1',
      'groups: [1]\nexcept: { people: [7] }',
      `chat:\n  people: [${'7, '.repeat(2_001)}]`,
    ])
      assert.deepEqual(read(withFront(yaml), true).shown?.content, { text: 'Hi' }, yaml);
    assert.deepEqual(read('---\nchat:\n  bot: 1\n\nHi', true).shown?.content, { text: 'Hi' });
  });

  it('may be nested too deeply, in whatever way', () => {
    const tooDeep = (start: string, nested: string, times: number) => {
      const [problem = ''] = problemsOf(`---\n${start}${nested.repeat(times)}\n---\nHi`);
      assert.match(problem, /^<[^>]> The front matter is nested too deeply\.$/, nested);
    };
    for (const nested of ['- ', '? ', '[', '{ ', '[{', '- ? ', '? - ', '[? ', '{? ', '&a [', '!b [', '"a": [']) {
      for (const start of ['', 'chat: \n  ', 'a: # comment\n  - ']) tooDeep(start, nested, 900);
    }
    for (const nested of ['a: ', '"a": ', ': ', '&a b: ', '<<: ']) {
      tooDeep('', nested, 1900);
      tooDeep('a:\n  - ', nested, 1900);
    }
    const lines = Array.from({ length: 900 }, (_, at) => `${' '.repeat(at)}a:\n`).join('');
    tooDeep(lines, '', 1);
    // Up to 100 levels are fine.
    hasProblems(withFront(`a: ${'['.repeat(90)}${']'.repeat(90)}`));
  });

  it('may have aliases, which never make it longer', () => {
    const doubled = Array.from({ length: 60 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`).join('\n');
    hasMistake(withFront(`a0: &a0 x\n${doubled}\nchat:\n  groups: ‹*a60›`), UNSUPPORTED);
  });

  it('may be anything but YAML, of any length: the problem is short and found at once', () => {
    const characters = [...'}]"\'&!*|>%@`?-#:,[{ \t\n\r'];
    const pairs = ['{}', '[]', '""', '" ', '&a ', '!a ', '*a ', '? ', '- ', '}{', '!<a> '];
    for (const start of ['', '[', '{', 'chat: ', '- ', '? ', '"', "'", '|\n ', '&', '!<']) {
      for (const part of [...characters, ...pairs]) {
        const { problems } = read(`---\n${start}${part.repeat(20_000)}\n---\nHi`);
        assert.ok(problems.every(({ text }) => text.length < 400));
      }
    }
    assert.deepEqual(problemsOf(`---\n${'}'.repeat(300_000)}\n---\nHi`), [
      "<}> The front matter isn't valid YAML: this character isn't expected here. Put quotes around text that contains it.",
    ]);
    // The parser would take seconds to find what is wrong with these.
    for (const text of ['"a" '.repeat(75_000), '&a '.repeat(100_000), '- '.repeat(50_000), `[${'- '.repeat(50_000)}`])
      hasMistake(`‹---›\nchat: ${text}\n---\nHi`, TOO_LONG);
  });

  it('may be too long, and isn’t sent then', () => {
    const document = (recipients: number) => {
      const ids = Array.from({ length: recipients }, (_, at) => 7_000_000 + at);
      return `\nchat:\n  people:\n${ids.map((id) => `    - ${id}`).join('\n')}\n---\nHi`;
    };
    assert.equal(read(`---${document(1_900)}`).recipients.length, 1_900);
    hasMistake(`‹---›${document(10_000)}`, TOO_LONG);
    const { message, recipients, hasBlock } = read(`---${document(10_000)}`);
    assert.deepEqual({ message, recipients, hasBlock }, { message: undefined, recipients: [], hasBlock: true });
  });

  it('doesn’t hide that the document has a chat block', () => {
    for (const [text, hasBlock] of [
      ['---\nchat:\n  a: b: c\n---', true],
      ['---\nchat:\n  bot: 1\n\nHi', true],
      ['---\n{"chat": [}\n---', true],
      ['---\nchat：\n  a: b\n---', true],
      ['---\ntitle: a: b\n---', false],
      ['---\ngroups: [1]\nexcept: { people: [7] }\n---', true],
      ['---\n\nchat: x', false],
      ['---\nchats: a: b\n---', false],
    ] as const)
      assert.equal(read(text).hasBlock, hasBlock, text);
  });
});

const outside = (key: string) =>
  `${key} is outside the chat: block, so it would be ignored. Indent it below chat: with spaces.`;
const INDENTED = withFront('chat:\n  groups: [518204736]\n  except:\n    people: [7058314]');

describe('Keys of a block that stand outside it', () => {
  it('are errors if the block is empty: they have lost their indentation', () => {
    const marked = withFront('chat:\n‹groups›: [518204736]\n‹except›:\n  people: [7058314]');
    hasProblems(marked, outside('groups'), outside('except'));
    const { text } = unmark(marked);
    assert.equal(read(text).message, undefined);
    assert.equal(fixed(text), INDENTED);
    for (const { fixes } of read(text).problems)
      assert.deepEqual(
        fixes?.map(({ title }) => title),
        ['Indent below chat:'],
      );
    const more = '---\r\ntitle: a\r\nchat: # who\r\nbot: 1\r\n\r\npeople:\r\n- 7\r\ntags: [a]\r\n---\r\nHi';
    assert.equal(fixed(more), more.replace('bot', '  bot').replace('people:\r\n- 7', '  people:\r\n  - 7'));
    hasProblems(fixed(more));
    const all = '  chat:\n  groups: [518204736]\n  except:\n    people: [7058314]';
    const right = '  chat:\n    groups: [518204736]\n    except:\n      people: [7058314]';
    assert.equal(fixed(withFront(all)), withFront(right));
  });

  it('are errors if other blanks than spaces are before them', () => {
    for (const [one, two] of [
      ['\u3000', '\u3000\u3000'],
      ['\u00A0\u00A0', '\u00A0\u00A0\u00A0\u00A0'],
      ['\u2003\u2003', '\u2003\u2003\u2003\u2003'],
    ]) {
      const text = withFront(`chat:\n${one}groups: [518204736]\n${one}except:\n${two}people: [7058314]`);
      assert.ok(problemsOf(text).includes(`<except> ${outside('except')}`), JSON.stringify(text));
      assert.equal(read(text).message, undefined);
      assert.equal(fixed(text), INDENTED);
    }
    const mixed = (people: string) => withFront(`chat:\n    groups: [1]\n${people}: [2]`);
    hasMistake(mixed('\u3000\u3000‹people›'), outside('people'), mixed('    people'));
  });

  it('are errors if they say who gets nothing, wherever they are', () => {
    hasMistake(withFront('‹except›:\n  people: [7058314]\ntitle: a\nchat:\n  groups: [518204736]'), outside('except'));
    hasMistake(withFront('chat:\n  groups: [518204736]\n‹except›:\n  people: [7058314]'), outside('except'), INDENTED);
    const where = (lines: string) => withFront(`chat:\n    recipients: a.csv\n${lines}\ntitle: a`);
    hasMistake(where('‹where›:\n  city: Berlin'), outside('where'), where('    where:\n      city: Berlin'));
  });

  it('are warnings right below a block, unless they may be those of a page', () => {
    const document = (line: string) => withFront(`chat:\n  groups: [1]\n${line}`);
    hasMistake(document('‹people›: [2]'), `warning: ${outside('people')}`, document('  people: [2]'));
    hasMistake(document('‹type›: html'), `warning: ${outside('type')}`, document('  type: html'));
    assert.deepEqual(read(document('people: [2]')).message, { contentType: 'markdown', content: { text: 'Hi' } });
    for (const line of ['type: post', 'kind: essay', 'groups: [2]', 'title: a\npeople: [2]', 'people:'])
      hasProblems(document(line));
    hasProblems(withFront('people: [2]\nchat:\n  groups: [1]'));
  });

  it('are errors without a block, if they say who gets something and who doesn’t', () => {
    const said = 'is ignored, because there is no line with chat: above these keys.';
    hasMistake(withFront('groups: [518204736]\n‹except›:\n  people: [7058314]'), `except ${said}`, INDENTED);
    hasMistake(withFront('title: a\ngroups: [1]\n‹except›: {people: [7]}'), `except ${said}`);
    hasMistake(
      withFront('recipients: a.csv\n‹where›: {city: Berlin}'),
      `where ${said}`,
      withFront('chat:\n  recipients: a.csv\n  where: {city: Berlin}'),
    );
    for (const other of ['where: Berlin\ntype: post', 'except: {a: b}', 'groups: [1]\npeople: [2]'])
      hasProblems(withFront(other));
  });
});
