import assert from 'node:assert/strict';
import { fixed, problemsOf, read, withBlock } from './read.ts';

/** What the problems of a document with this front matter say. */
const textsOf = (yaml: string) => read(`---\n${yaml}\n---\nHi`).problems.map(({ text }) => text);

describe('Front matter that can’t be used', () => {
  it('is a problem where the YAML is invalid', () => {
    const placesIn = (yaml: string) => {
      const text = `---\n${yaml}\n---\nHi`;
      return read(text).problems.map(({ start, end }) => text.slice(start, end));
    };
    assert.deepEqual(placesIn('chat:\n  bot: a: b'), ['a']);
    assert.deepEqual(placesIn('chat: "\\z"'), ['\\']);
    assert.deepEqual(placesIn('chat: ['), ['\n']);
    assert.deepEqual(placesIn('chat:\n--- a'), ['-']);
    assert.deepEqual(problemsOf('---\nchat:\n  bot: 1\n\nHi'), [
      "<---> The front matter isn't closed. Add a line with ---, or use *** if you want a horizontal rule.",
    ]);
    assert.deepEqual(problemsOf('---\n{chat: {bot: 1}}\n---\nHi'), [
      "<chat> Aliases, tags, and top-level maps in braces aren't supported here.",
    ]);
    assert.equal(fixed('---\nchat:\n  bot: 1\n\nHi'), '---\nchat:\n  bot: 1\n---\n\nHi');
    for (const closing of [
      ...[' ---', '\t--- ', '--', '----', '–––', '—-', '—', '－－－', '---\u00A0', '---\u200B', '\u3000---\u3000'],
      ...['- - -', '***', '___', '===', '+++', '```', ' ...'],
    ])
      assert.equal(fixed(`---\nchat:\n  bot: 1\n${closing}\nHi`), '---\nchat:\n  bot: 1\n---\nHi', closing);
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
      const document = `---\n${yaml}\n---\nHi`;
      assert.equal(read(document).problems[0]?.fixes?.[0]?.title, 'Replace the tabs with spaces', yaml);
      assert.equal(fixed(document), `---\n${right}\n---\nHi`);
      assert.deepEqual(problemsOf(fixed(document)), []);
    }
    assert.equal(fixed('---\nchat:\n\tbot: a: b\n---\nHi'), '---\nchat:\n  bot: a: b\n---\nHi');
    for (const yaml of ['chat:\n  bot: a: b\n  # \tc', 'chat:\n\t# c\n  bot: a: b'])
      assert.deepEqual(read(`---\n${yaml}\n---\nHi`).problems[0]?.fixes, undefined);
  });

  it('is told in plain words what is wrong with its YAML, if that is frequent', () => {
    const indented = "a value with a colon needs quotes, or a line isn't indented like the others";
    const unclosed = "a bracket or brace isn't closed, or a line isn't indented like the others";
    const special = 'put quotes around a value that begins with a special character';
    const missing = 'a colon, comma, space, or quotation mark is missing';
    const keyless = 'the key in this line has no colon, or a value in brackets begins with a dash';
    for (const [yaml, why] of [
      ['chat:\n--- a', 'a second document begins here'],
      ['chat:\n\tbot: 1', 'indent lines with spaces instead of tabs'],
      ['chat:\n  people: [1', unclosed],
      ['chat:\n  bot: a: b', indented],
      ['chat:\n bot: 1\n  people: 2', indented],
      ['chat:\n  bot: @a', special],
      ['chat:\n  bot: *', special],
      ['chat:\n  bot: & b', special],
      ['chat:\n  bot: !!', special],
      ['chat:\n  bot: "3', missing],
      ['chat:\n  bot: 3\n  people', missing],
      ['chat:\n  bot: - 3', "this character isn't expected here. Put quotes around text that contains it"],
      ['chat:\n  groups\n    - 1\n  people: [2]', keyless],
      ['chat:\n  except\n    people: [7]', keyless],
      ['chat:\n  groups: [- 1]', keyless],
      ['chat: "C:\\z"', 'in double quotation marks, write two backslashes instead of one'],
      ['chat: &a *b', 'An alias node must not specify any properties'],
    ] as const)
      assert.deepEqual(textsOf(yaml), [`The front matter isn't valid YAML: ${why}.`], yaml);
    assert.deepEqual(textsOf(`chat: ${'['.repeat(200)}`), ['The front matter is nested too deeply.']);
  });

  it('is told of a full-width colon, which Chinese input methods type', () => {
    const right = '---\ntitle: a：b\nchat:\n  bot: 1\n  groups: [518204736]\n  except:\n    people: [7]\n---\nHi';
    for (const key of ['chat', 'bot', 'groups', 'except', 'people']) {
      for (const wide of ['：', '： ', ' ：']) {
        const text = right.replace(new RegExp(`\\b${key}: ?`), `${key}${wide}`);
        const said = '<：> This colon is a full-width one. YAML needs a plain colon and a space.';
        assert.deepEqual([read(text).message, problemsOf(text)], [undefined, [said]], text);
        assert.deepEqual(problemsOf(fixed(text)), [], fixed(text));
      }
    }
    const several = right.replace('chat:', 'chat：').replace('bot: ', 'bot：').replace('groups: ', 'groups：');
    assert.equal(problemsOf(several).length, 3);
    assert.equal(fixed(several), several.replace('chat：', 'chat: '));
    assert.deepEqual(problemsOf(fixed(several, 1)), []);
    const all = '---\nchat：\n  groups：[518204736]\n---\nHi';
    const said = '<：> This colon is a full-width one. YAML needs a plain colon and a space.';
    assert.deepEqual(problemsOf(all), [said, said]);
    assert.deepEqual(problemsOf(fixed(all, 1)), []);
    const only = '---\nchat:\n  groups：[518204736]\n---\nHi';
    assert.equal(fixed(only), only.replace('：', ': '));
    const list = '---\nchat:\n  buttons:\n    - text: a\n      opens：https://example.com\n---\nHi';
    assert.equal(fixed(list), list.replace('：', ': '));
    assert.deepEqual(problemsOf('---\ntitle：a\nb: c\n---\nHi').length, 1);
  });

  it('is a problem if the key of its block is written in another way', () => {
    for (const key of ['Chat', 'CHAT', 'chats']) {
      const text = `---\ntitle: a\n${key}:\n  groups: [518204736]\n---\nHi`;
      assert.deepEqual([read(text).message, problemsOf(text)], [undefined, [`<${key}> Unknown key ${key}.`]]);
      assert.equal(fixed(text), text.replace(key, 'chat'));
    }
    for (const yaml of ['Chat: true', 'chats:\n  - a', 'Chat:', 'Chat:\n  hello: 1', 'chatter:\n  groups: [1]'])
      assert.deepEqual(problemsOf(`---\n${yaml}\n---\nHi`), [], yaml);
  });

  it('is a problem if YAML takes blanks or invisible characters for a part of the key of its block', () => {
    for (const blank of ['\u00A0', '\u3000', '\u200B', '\u2060', '\uFEFF'])
      for (const key of [`${blank}chat`, `chat${blank}`, `${blank}Chat${blank}`])
        for (const above of ['', 'title: a\n']) {
          const text = `---\n${above}${key}:\n  except:\n    groups: [518204736]\n---\nHi`;
          assert.deepEqual(
            [read(text).message, problemsOf(text)],
            [
              undefined,
              [
                `<${key}> The key chat would be ignored, because blanks or invisible characters beside it aren't plain spaces.`,
              ],
            ],
          );
          assert.equal(fixed(text), text.replace(key, 'chat'));
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
    assert.deepEqual(problemsOf(`---\na: ${'['.repeat(90)}${']'.repeat(90)}\n---\nHi`), []);
  });

  it('may have aliases, which never make it longer', () => {
    const doubled = Array.from({ length: 60 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`).join('\n');
    assert.deepEqual(problemsOf(`---\na0: &a0 x\n${doubled}\nchat:\n  groups: *a60\n---\nHi`), [
      "<*a60> Aliases, tags, and top-level maps in braces aren't supported here.",
    ]);
  });

  it('may be anything but YAML, of any length: the problem is short and found at once', () => {
    for (const start of ['', '[', '{', 'chat: ', '- ', '? ', '"', "'", '|\n ', '&', '!<']) {
      for (const part of [
        ...'}]"\'&!*|>%@`?-#:,[{ \t\n\r',
        ...['{}', '[]', '""', '" ', '&a ', '!a ', '*a ', '? ', '- ', '}{', '!<a> '],
      ]) {
        const { problems } = read(`---\n${start}${part.repeat(20_000)}\n---\nHi`);
        assert.ok(problems.every(({ text }) => text.length < 400));
      }
    }
    assert.deepEqual(problemsOf(`---\n${'}'.repeat(300_000)}\n---\nHi`), [
      "<}> The front matter isn't valid YAML: this character isn't expected here. Put quotes around text that contains it.",
    ]);
    // The parser would take seconds to find what is wrong with these.
    for (const text of ['"a" '.repeat(75_000), '&a '.repeat(100_000), '- '.repeat(50_000), `[${'- '.repeat(50_000)}`])
      assert.deepEqual(problemsOf(`---\nchat: ${text}\n---\nHi`), [
        '<---> The front matter has more than 2,000 values. Move long lists of recipients to an audience or a CSV file.',
      ]);
  });

  it('may be too long, and isn’t sent then', () => {
    const document = (recipients: number) => {
      const ids = Array.from({ length: recipients }, (_, at) => 7_000_000 + at);
      return `---\nchat:\n  people:\n${ids.map((id) => `    - ${id}`).join('\n')}\n---\nHi`;
    };
    assert.equal(read(document(1_900)).recipients.length, 1_900);
    assert.deepEqual(problemsOf(document(10_000)), [
      '<---> The front matter has more than 2,000 values. Move long lists of recipients to an audience or a CSV file.',
    ]);
    const { message, recipients, hasBlock } = read(document(10_000));
    assert.deepEqual({ message, recipients, hasBlock }, { message: undefined, recipients: [], hasBlock: true });
  });

  it('doesn’t hide that the document has a chat block', () => {
    for (const [text, hasBlock] of [
      ['---\nchat:\n  a: b: c\n---', true],
      ['---\nchat:\n  bot: 1\n\nHi', true],
      ['---\n{"chat": [}\n---', true],
      ['---\nchat：\n  a: b\n---', true],
      ['---\ntitle: a: b\n---', false],
      ['---\n\nchat: x', false],
      ['---\nchats: a: b\n---', false],
    ] as const)
      assert.equal(read(text).hasBlock, hasBlock, text);
  });
});

const outside = (key: string) =>
  `<${key}> ${key} is outside the chat: block, so it would be ignored. Indent it below chat: with spaces.`;
const indented = '---\nchat:\n  groups: [518204736]\n  except:\n    people: [7058314]\n---\nHi';

describe('Keys of a block that stand outside it', () => {
  it('are errors if the block is empty: they have lost their indentation', () => {
    const text = '---\nchat:\ngroups: [518204736]\nexcept:\n  people: [7058314]\n---\nHi';
    assert.deepEqual(problemsOf(text), [outside('groups'), outside('except')]);
    assert.equal(read(text).message, undefined);
    assert.equal(fixed(text), indented);
    const fixes = read(text).problems.map((problem) => problem.fixes?.map(({ title }) => title));
    assert.deepEqual(fixes, [['Indent below chat:'], ['Indent below chat:']]);
    const more = '---\r\ntitle: a\r\nchat: # who\r\nbot: 1\r\n\r\npeople:\r\n- 7\r\ntags: [a]\r\n---\r\nHi';
    assert.equal(fixed(more), more.replace('bot', '  bot').replace('people:\r\n- 7', '  people:\r\n  - 7'));
    assert.deepEqual(problemsOf(fixed(more)), []);
    const all = '---\n  chat:\n  groups: [518204736]\n  except:\n    people: [7058314]\n---\nHi';
    assert.equal(fixed(all), '---\n  chat:\n    groups: [518204736]\n    except:\n      people: [7058314]\n---\nHi');
  });

  it('are errors if other blanks than spaces are before them', () => {
    for (const [one, two] of [
      ['\u3000', '\u3000\u3000'],
      ['\u00A0\u00A0', '\u00A0\u00A0\u00A0\u00A0'],
      ['\u2003\u2003', '\u2003\u2003\u2003\u2003'],
    ]) {
      const text = `---\nchat:\n${one}groups: [518204736]\n${one}except:\n${two}people: [7058314]\n---\nHi`;
      assert.ok(problemsOf(text).includes(outside('except')), JSON.stringify(text));
      assert.equal(read(text).message, undefined);
      assert.equal(fixed(text), indented);
    }
    const mixed = '---\nchat:\n    groups: [1]\n\u3000\u3000people: [2]\n---\nHi';
    assert.deepEqual(problemsOf(mixed), [outside('people')]);
    assert.equal(fixed(mixed), '---\nchat:\n    groups: [1]\n    people: [2]\n---\nHi');
  });

  it('are errors if they say who gets nothing, wherever they are', () => {
    const above = '---\nexcept:\n  people: [7058314]\ntitle: a\nchat:\n  groups: [518204736]\n---\nHi';
    assert.deepEqual(problemsOf(above), [outside('except')]);
    const below = '---\nchat:\n  groups: [518204736]\nexcept:\n  people: [7058314]\n---\nHi';
    assert.deepEqual(problemsOf(below), [outside('except')]);
    assert.equal(fixed(below), indented);
    const where = '---\nchat:\n    recipients: a.csv\nwhere:\n  city: Berlin\ntitle: a\n---\nHi';
    assert.deepEqual(problemsOf(where), [outside('where')]);
    assert.equal(fixed(where), where.replace('where:\n  city', '    where:\n      city'));
  });

  it('are warnings right below a block, unless they may be those of a page', () => {
    const text = (key: string) => `---\nchat:\n  groups: [1]\n${key}\n---\nHi`;
    assert.deepEqual(problemsOf(text('people: [2]')), [`warning ${outside('people')}`]);
    assert.deepEqual(problemsOf(text('type: html')), [`warning ${outside('type')}`]);
    assert.deepEqual(read(text('people: [2]')).message, { contentType: 'markdown', content: { text: 'Hi' } });
    for (const key of ['type: post', 'kind: essay', 'groups: [2]', 'title: a\npeople: [2]', 'people:'])
      assert.deepEqual(problemsOf(text(key)), [], key);
    assert.deepEqual(problemsOf('---\npeople: [2]\nchat:\n  groups: [1]\n---\nHi'), []);
  });

  it('are errors without a block, if they say who gets something and who doesn’t', () => {
    const text = (...lines: string[]) => ['---', ...lines, '---', 'Hi'].join('\n');
    const except = text('groups: [518204736]', 'except:', '  people: [7058314]');
    const said = 'is ignored, because there is no line with chat: above these keys.';
    assert.deepEqual(problemsOf(except), [`<except> except ${said}`]);
    assert.equal(read(except).message, undefined);
    assert.equal(fixed(except), indented);
    assert.equal(
      fixed(text('title: a', 'groups: [1]', 'except: {people: [7]}')),
      text('title: a', 'groups: [1]', 'except: {people: [7]}'),
    );
    assert.deepEqual(problemsOf(text('recipients: a.csv', 'where: {city: Berlin}')), [`<where> where ${said}`]);
    for (const other of [['where: Berlin', 'type: post'], ['except: {a: b}'], ['groups: [1]', 'people: [2]']])
      assert.deepEqual(problemsOf(text(...other)), [], other.join());
  });
});
