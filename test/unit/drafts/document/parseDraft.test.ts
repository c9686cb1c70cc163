import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as v from 'valibot';
import { Parser } from 'yaml';
import { toDraft } from '../../../../src/markup/messageDraft.ts';
import { sanitizeMarkdown } from '../../../../src/markup/sanitizeMarkdown.ts';
import { Listed } from '../../../../src/service/message.ts';
import { fixed, problemsOf, read, withBlock } from './read.ts';

describe('A draft', () => {
  it('is the unchanged text of a document without front matter', () => {
    for (const text of ['Hello', '# 今天\r\n\r\n- a\n', '  indented\n\n\n', 'a\n---\nb\n---', '*']) {
      const { message, hasBlock, body } = read(text);
      assert.deepEqual(message, { contentType: 'markdown', content: { text } });
      assert.deepEqual([hasBlock, body], [false, { start: 0, end: text.length }]);
    }
  });

  it('requires a message', () => {
    for (const text of ['', ' ', '\n\r\n\t', '\u00A0\u3000', '\uFEFF', '---\na: b\n---\n\n ']) {
      const { message, problems } = read(text);
      assert.deepEqual([message, problems.map(({ code }) => code)], [undefined, ['emptyBody']]);
    }
  });

  it('names its bot, recipients and buttons in the chat block', () => {
    const text = `---
title: Sale
chat:
  bot: 30481126
  groups: [518204736, big]
  people:
    - 007
  audiences: [customers]
  buttons:
    - - text: Docs
        opens: https://example.com
      - text: Copy code
        copies: ABC
    - - text: I will come
        reports: yes-7
---

Come!
`;
    const { message, bot, recipients, audiences, hasBlock, body, problems } = read(text);
    assert.deepEqual(message, {
      contentType: 'markdown',
      content: {
        text: 'Come!\n',
        buttons: [
          [
            { text: 'Docs', actionType: 1, url: 'https://example.com' },
            { text: 'Copy code', actionType: 2, value: 'ABC' },
          ],
          [{ text: 'I will come', actionType: 3, value: 'yes-7' }],
        ],
      },
    });
    const at = ({ start, end }: { start: number; end: number }) => text.slice(start, end);
    assert.deepEqual([bot?.id, bot && at(bot)], ['30481126', '30481126']);
    assert.deepEqual(
      recipients.map((one) => [one.type, one.id, at(one)]),
      [
        ['group', '518204736', '518204736'],
        ['group', 'big', 'big'],
        ['user', '007', '007'],
      ],
    );
    assert.deepEqual(
      audiences.map((one) => [one.name, at(one)]),
      [['customers', 'customers']],
    );
    assert.deepEqual([hasBlock, at(body), problems], [true, 'Come!\n', []]);
  });

  it('reads IDs as written, trimmed', () => {
    const ids = ['007', '0x1F', '1e3', 'true', 'null-1', 'nil', '2001-01-01', '123456789012345678901234567890'];
    const { bot, recipients } = read(withBlock('bot: " 0x10 "', `groups: [" ab ", 'null', ${ids}]`));
    assert.equal(bot?.id, '0x10');
    assert.deepEqual(
      recipients.map(({ id }) => id),
      ['ab', 'null', ...ids],
    );
  });

  it('reads quoted, folded and literal YAML strings', () => {
    const { message } = read(
      withBlock(
        'buttons:',
        `  - [{ text: "a\\n\\u202e", copies: 'it''s' }, { text: "x`,
        '      y", copies: z }]',
        '  - text: >-',
        '      x',
        '      y',
        '    copies: |',
        '      x',
        '      y',
      ),
    );
    assert.deepEqual(
      message?.content.buttons?.flat().map(({ text, value }) => [text, value]),
      [
        ['a\n\u202e', "it's"],
        ['x y', 'z'],
        ['x y', 'x\ny\n'],
      ],
    );
  });

  it('has the type that the block names', () => {
    for (const type of ['markdown', 'text', 'html']) {
      assert.deepEqual(read(withBlock(`type: ${type}`)).message, { contentType: type, content: { text: 'Hi' } });
    }
    const image = '---\nchat: { type: image, imageKey: k, buttons: [{ text: a, copies: b }] }\n---';
    const buttons = [[{ text: 'a', actionType: 2, value: 'b' }]];
    assert.deepEqual(read(image).message, { contentType: 'image', content: { imageKey: 'k', buttons } });
    const file = '---\nchat: { type: file, fileName: a.pdf, fileUrl: "https://x.y/a" }\n---\n';
    const content = { fileName: 'a.pdf', fileUrl: 'https://x.y/a' };
    assert.deepEqual(read(file).message, { contentType: 'file', content });
  });

  it('omits other front matter, or keeps it without the chat block', () => {
    const text = '---\r\ntitle: a # b\r\nchat:\r\n  bot: 1\r\n  # c\r\ntags: [x]\r\n---\r\n\r\nHi';
    const sent = (document: string, keep: boolean) => {
      const { message } = read(document, keep);
      return message && 'text' in message.content ? message.content.text : undefined;
    };
    assert.equal(sent(text, false), 'Hi');
    assert.equal(sent(text, true), '---\r\ntitle: a # b\r\ntags: [x]\r\n---\r\n\r\nHi');
    assert.equal(sent('---\ntitle: a\n---\nHi', true), '---\ntitle: a\n---\nHi');
    assert.equal(sent('---\na: b\nchat:\n  type: text\n---\nHi', true), '---\na: b\n---\nHi');
    assert.equal(sent('\uFEFF---\nchat:\n  bot: 1\n: b\n---\nHi', true), '---\n: b\n---\nHi');
    const odd = '---\na: &x !!set { b: 1, b }\n? [c]\n: *x\nd: !own\n---\nHi';
    assert.equal(sent(odd, true), odd);
    assert.equal(sent(withBlock('type: text'), true), 'Hi');
  });

  it('may begin with a thematic break, which is not front matter', () => {
    for (const text of ['---\nHello\n---\nHi', '---\n- a\n---\n', '---\n\nHello', '--- ', '---\nHello\n']) {
      for (const keep of [true, false]) {
        assert.deepEqual(read(text, keep).message, { contentType: 'markdown', content: { text } }, text);
      }
    }
    assert.deepEqual(read('---\n---\n\n---\nHi', true).message?.content, { text: '---\nHi' });
  });

  it('may have no recipients yet', () => {
    for (const block of ['chat:', 'chat: ~', 'chat: {}', 'chat:\n  groups:\n  people: []\n  buttons: [[]]']) {
      const { message, hasBlock, recipients, problems } = read(`---\n${block}\n---\nHi`);
      assert.deepEqual(message, { contentType: 'markdown', content: { text: 'Hi' } });
      assert.deepEqual([hasBlock, recipients, problems], [true, [], []]);
    }
  });

  it('reads a flat list of buttons as one row, and a button between rows as its own row', () => {
    const rows = (...lines: string[]) => {
      const { message } = read(withBlock('buttons:', ...lines));
      return message?.content.buttons?.map((row) => row.map(({ text }) => text));
    };
    assert.deepEqual(rows('- { text: a, copies: x }', '- { text: b, copies: x }'), [['a', 'b']]);
    assert.deepEqual(rows('- [{ text: a, copies: x }]', '- { text: b, copies: x }', '- []'), [['a'], ['b']]);
  });

  it('accepts action types of the contract', () => {
    const [one, two, three, nine] = [
      'actionType: 1, url: "http://x.y"',
      'actionType: "2", value: v',
      'actionType: 3, value: 05',
      'actionType: 9, url: u, value: v',
    ];
    const { message, problems } = read(
      withBlock('buttons:', ...[one, two, three, nine].map((action) => `- { text: a, ${action} }`)),
    );
    assert.deepEqual(message?.content.buttons, [
      [
        { text: 'a', actionType: 1, url: 'http://x.y' },
        { text: 'a', actionType: 2, value: 'v' },
        { text: 'a', actionType: 3, value: '05' },
        { text: 'a', actionType: 9, url: 'u', value: 'v' },
      ],
    ]);
    assert.deepEqual(
      problems.map(({ code, severity }) => [code, severity]),
      [['undocumentedAction', 'warning']],
    );
  });

  it('reads back a message that was turned into a draft', () => {
    const texts = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== '');
    const button = fc.oneof(
      fc.record({ text: texts, actionType: fc.constant(1), url: fc.webUrl() }, { noNullPrototype: true }),
      fc.record({ text: texts, actionType: fc.constantFrom(2, 3), value: texts }, { noNullPrototype: true }),
    );
    const rows = fc.array(fc.array(button, { minLength: 1, maxLength: 3 }), { maxLength: 3 });
    fc.assert(
      fc.property(
        rows,
        fc.oneof(texts, fc.constantFrom('---\na: b\n---\nc', '\n\n x', '\uFEFF---\n')),
        (buttons, text) => {
          const entry = v.parse(Listed, { msgId: '1', contentType: 'markdown', content: { text, buttons } });
          // HTML and links to anything except the web are removed.
          const content = { text: sanitizeMarkdown(text), ...(buttons.length > 0 && { buttons }) };
          assert.deepEqual(read(toDraft(entry)).message, { contentType: 'markdown', content });
        },
      ),
    );
  });
});

describe('The problems of a draft', () => {
  it('include only local images in a document without front matter', () => {
    assert.deepEqual(problemsOf('# a\n\n![b](c.png)'), ['warning localPicture <c.png> c.png']);
    assert.deepEqual(problemsOf('a\n\n---\n\nchat:\n  x: y\n\n---'), []);
  });

  it('include invalid front matter', () => {
    const problemsIn = (yaml: string) => problemsOf(`---\n${yaml}\n---\nHi`);
    assert.deepEqual(problemsIn('chat:\n  bot: a: b'), [
      'yaml <a> BLOCK_AS_IMPLICIT_KEY Nested mappings are not allowed in compact mappings',
    ]);
    assert.deepEqual(problemsIn('chat: "\\z"'), ['yaml <\\> BAD_DQ_ESCAPE Invalid escape sequence \\z']);
    assert.deepEqual(problemsIn('chat: ['), [
      'yaml <\n> BAD_INDENT Flow sequence in block collection must be sufficiently indented and end with a ]',
    ]);
    assert.deepEqual(problemsIn('chat:\n--- a'), ['yaml <-> MULTIPLE_DOCS']);
    assert.deepEqual(problemsOf('---\nchat:\n  bot: 1\n\nHi'), ['unclosed <--->']);
    assert.deepEqual(problemsOf('---\n{chat: {bot: 1}}\n---\nHi'), ['unsupported <chat>']);
    assert.equal(fixed('---\nchat:\n  bot: 1\n\nHi'), '---\nchat:\n  bot: 1\n---\n\nHi');
  });

  it('include deeply nested YAML, in whatever way it is nested', () => {
    const tooDeep = (start: string, nested: string, times: number) => {
      const [problem = ''] = problemsOf(`---\n${start}${nested.repeat(times)}\n---\nHi`);
      assert.match(problem, /^yaml <[^>]> TOO_DEEP$/, nested);
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

  it('include aliases, which never make it longer', () => {
    const doubled = Array.from({ length: 60 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`).join('\n');
    assert.deepEqual(problemsOf(`---\na0: &a0 x\n${doubled}\nchat:\n  groups: *a60\n---\nHi`), ['unsupported <*a60>']);
  });

  it('include what isn’t YAML, for which the parser takes a limited number of steps', () => {
    const { next } = Parser.prototype;
    let steps = 0;
    Parser.prototype.next = function (source) {
      steps++;
      return next.call(this, source);
    };
    try {
      for (const start of ['', '[', '{', 'chat: ', '- ', '? ', '"', "'", '|\n ', '&', '!<']) {
        for (const part of [
          ...'}]"\'&!*|>%@`?-#:,[{ \t\n\r',
          '{}',
          '[]',
          '""',
          '" ',
          '&a ',
          '!a ',
          '*a ',
          '? ',
          '- ',
          '}{',
          '!<a> ',
        ]) {
          steps = 0;
          const { problems } = read(`---\n${start}${part.repeat(30_000)}\n---\nHi`);
          assert.ok(steps <= 24_000, `${start} ${part} ${steps}`);
          assert.ok(problems.every(({ args }) => args.join().length < 400));
        }
      }
    } finally {
      Parser.prototype.next = next;
    }
    assert.deepEqual(problemsOf(`---\n${'}'.repeat(300_000)}\n---\nHi`), [
      'yaml <}> UNEXPECTED_TOKEN Unexpected flow-map-end token in YAML document: "}"',
    ]);
    assert.deepEqual(problemsOf(`---\nchat: ${'"a" '.repeat(75_000)}\n---\nHi`), ['tooLong <---> 2,000']);
    assert.deepEqual(problemsOf(`---\nchat: ${'&a '.repeat(100_000)}\n---\nHi`), ['tooLong <---> 2,000']);
  });

  it('are found in any text', () => {
    const parts = [
      'chat:',
      'a: ',
      '- ',
      '? ',
      ': ',
      '[',
      ']',
      '{',
      '}',
      ',',
      '"',
      "'",
      '&a ',
      '*a ',
      '!b ',
      '|',
      '>',
      '#',
    ]
      .concat([
        '\n',
        '\n  ',
        '\r\n',
        ' ',
        '\t',
        '%',
        '@',
        '`',
        '{{',
        '}}',
        '---',
        '\n---\n',
        '\n...\n',
        '\\',
        '\0',
        '中',
        '\uD800',
      ])
      .concat(['bot', 'groups', 'buttons', 'text', '<<', '~', '\uFEFF', '\u2028']);
    const run = fc.tuple(fc.constantFrom(...parts), fc.oneof(fc.constant(1), fc.nat(3000)));
    fc.assert(
      fc.property(fc.array(run, { maxLength: 20 }), fc.boolean(), (runs, keepFrontMatter) => {
        const text = `---\n${runs.map(([part, times]) => part.repeat(times)).join('')}\n---\nHi`;
        const { problems, message } = read(text, keepFrontMatter);
        assert.equal(
          message === undefined,
          problems.some(({ severity }) => severity === 'error'),
        );
        for (const { start, end } of problems) assert.ok(0 <= start && start <= end && end <= text.length);
      }),
    );
  });

  it('include front matter that is too long, which is not sent', () => {
    const document = (recipients: number) => {
      const ids = Array.from({ length: recipients }, (_, at) => 7_000_000 + at);
      return `---\nchat:\n  people:\n${ids.map((id) => `    - ${id}`).join('\n')}\n---\nHi`;
    };
    assert.equal(read(document(1_900)).recipients.length, 1_900);
    assert.deepEqual(problemsOf(document(10_000)), ['tooLong <---> 2,000']);
    const { message, recipients, hasBlock } = read(document(10_000));
    assert.deepEqual({ message, recipients, hasBlock }, { message: undefined, recipients: [], hasBlock: true });
  });

  it('don’t hide that the document has a chat block', () => {
    const texts = ['---\nchat:\n  a: b: c\n---', '---\nchat:\n  bot: 1\n\nHi', '---\n{"chat": [}\n---'];
    assert.deepEqual(
      texts.map((text) => read(text).hasBlock),
      [true, true, true],
    );
    const others = ['---\ntitle: a: b\n---', '---\n\nchat: x', '---\nchats: a: b\n---'];
    assert.deepEqual(
      others.map((text) => read(text).hasBlock),
      [false, false, false],
    );
  });

  it('include unknown keys, with suggestions', () => {
    const fixedLine = (line: string) => fixed(withBlock(line)).split('\n')[2]?.trim();
    assert.deepEqual(problemsOf(withBlock('wat: 1')), ['unknownKey <wat> wat']);
    const pairs = {
      'users: [1]': 'people: [1]',
      'contentType: text': 'type: text',
      'gruops: [1]': 'groups: [1]',
      'Bot: 1': 'bot: 1',
      'from: 1': 'bot: 1',
      'button: []': 'buttons: []',
    };
    for (const [line, right] of Object.entries(pairs)) assert.equal(fixedLine(line), right);
    assert.deepEqual(
      [fixed(withBlock('to: [1]')), fixed(withBlock('to: [1]'), 1)],
      [withBlock('groups: [1]'), withBlock('people: [1]')],
    );
    assert.equal(fixed(withBlock('groups: [2]', 'to: [1]')), withBlock('groups: [2]', 'people: [1]'));
  });

  it('include unknown keys of buttons, without follow-up problems', () => {
    const button = (line: string) => withBlock(`buttons: [{ ${line} }]`);
    assert.deepEqual(problemsOf(button('label: a, opens: "https://x.y"')), ['unknownKey <label> label']);
    for (const key of ['url', 'link', 'href', 'open']) {
      assert.equal(fixed(button(`text: a, ${key}: "https://x.y"`)), button('text: a, opens: "https://x.y"'));
    }
    assert.equal(fixed(button('text: a, copy: b')), button('text: a, copies: b'));
    assert.equal(fixed(button('text: a, report: b')), button('text: a, reports: b'));
    assert.equal(fixed(button('title: a, reports: b')), button('text: a, reports: b'));
    assert.equal(fixed(button('text: a, value: b'), 1), button('text: a, reports: b'));
  });

  it('include values of the wrong type', () => {
    assert.deepEqual(problemsOf('---\nchat: hello\n---\nHi'), ['mapExpected <hello> chat']);
    assert.deepEqual(problemsOf(withBlock('groups: 1')), ['listExpected <1> groups']);
    assert.equal(fixed(withBlock('groups: big')), withBlock('groups: [big]'));
    assert.deepEqual(problemsOf(withBlock('bot: [1]', 'people: [[1]]', 'buttons: [a]')), [
      'textExpected <[1]> bot',
      'textExpected <[1]> people',
      'mapExpected <a> buttons',
    ]);
    assert.deepEqual(
      problemsOf(withBlock('bot:', '  - a # b', '  - c', '', 'people: |', '  1', 'buttons:', '  a: [b]')),
      ['textExpected <- a # b\n    - c> bot', 'listExpected <|\n    1\n> people', 'listExpected <a: [b]> buttons'],
    );
    assert.deepEqual(problemsOf('---\nchat: { bot, groups: [1: 2] }\n---\nHi'), [
      'emptyValue <bot> bot',
      'textExpected <1: 2> groups',
    ]);
    assert.deepEqual(problemsOf(withBlock('bot: !!str 1', 'groups: [&a 1, *a]', '*a : 2')), [
      'unsupported <1>',
      'unsupported <*a>',
      'unsupported <*a>',
    ]);
    assert.deepEqual(problemsOf(withBlock('bot: 1', 'bot: 2')), ['duplicateKey <bot> bot']);
    assert.deepEqual(problemsOf('---\nchat:\nchat:\n---\nHi'), ['duplicateKey <chat> chat']);
  });

  it('include invalid IDs, which are not recipients', () => {
    const text = withBlock(
      'bot: "30481126 [Get its token here](command:x)"',
      'groups: ["518204736\\nTo: everybody", big]',
      'people: ["705\\u200b8314", "\\u202e4138507"]',
    );
    const long = '7'.repeat(201);
    assert.deepEqual(problemsOf(withBlock(`groups: [${long}]`)), [`notIdentifier <${long}>`]);
    assert.deepEqual(problemsOf(text), [
      'notIdentifier <"30481126 [Get its token here](command:x)">',
      'notIdentifier <"518204736\\nTo: everybody">',
      'notIdentifier <"705\\u200b8314">',
      'notIdentifier <"\\u202e4138507">',
    ]);
    const { bot, recipients } = read(text);
    assert.deepEqual([bot, recipients.map(({ id }) => id)], [undefined, ['big']]);
  });

  it('include empty values', () => {
    assert.deepEqual(problemsOf(withBlock('bot:', 'type: ""', 'groups: ["", " ", ~, NULL]')), [
      'emptyValue <bot> bot',
      'emptyValue <""> type',
      'emptyValue <""> groups',
      'emptyValue <" "> groups',
      'emptyValue <~> groups',
      'emptyValue <NULL> groups',
    ]);
    assert.deepEqual(problemsOf(withBlock('people:', '  -')), ['emptyValue <people> people']);
  });

  it('include duplicate recipients, with a fix that removes them', () => {
    const text = withBlock('groups: [1, 2, "1"]', 'people: [1]');
    assert.deepEqual(problemsOf(text), ['warning duplicate <"1"> 1']);
    assert.deepEqual(
      read(text).recipients.map(({ type, id }) => `${type} ${id}`),
      ['group 1', 'group 2', 'user 1'],
    );
    assert.equal(fixed(text), withBlock('groups: [1, 2]', 'people: [1]'));
    assert.equal(fixed(withBlock('groups:', '  - 1', '  - 1', '  - 2')), withBlock('groups:', '  - 1', '  - 2'));
  });

  it('include audiences that don’t exist', () => {
    assert.deepEqual(problemsOf(withBlock('audiences: [customers, friends, friends]')), [
      'unknownAudience <friends> friends',
      'warning duplicate <friends> friends',
    ]);
  });

  it('include buttons that can’t work', () => {
    const button = (line: string) => problemsOf(withBlock(`buttons: [{ ${line} }]`));
    assert.deepEqual(button('opens: "https://x.y"'), ['noText <{ opens: "https://x.y" }>']);
    assert.deepEqual(button('text: "", copies: a'), ['emptyValue <""> text']);
    assert.deepEqual(button('text: a'), ['noEffect <{ text: a }>']);
    assert.deepEqual(button('text: a, opens: "https://x.y", copies: b'), ['twoEffects <copies>']);
    assert.deepEqual(button('text: a, reports: b, actionType: 3, value: b'), ['twoEffects <actionType>']);
    assert.deepEqual(button('text: a, copies: ""'), ['emptyValue <""> copies']);
    assert.deepEqual(button('text: a, reports:'), ['emptyValue <reports> reports']);
    assert.deepEqual(button('text: a, actionType: 1, value: "https://x.y"'), [
      'missing <1> url actionType: 1',
      'warning unused <value> value actionType: 1',
    ]);
    assert.deepEqual(button('text: a, actionType: odd'), ['unknownAction <odd> odd']);
  });

  it('include URLs that can’t be opened', () => {
    const addresses = ['ftp://x.y', 'javascript:alert(1)', 'x.y', 'http://', 'https://a b', '/a'];
    for (const address of addresses) {
      const text = withBlock(`buttons: [{ text: a, opens: "${address}" }]`);
      assert.deepEqual(problemsOf(text), [`notAddress <"${address}"> opens`]);
    }
    assert.deepEqual(problemsOf('---\nchat: { type: file, fileName: a, fileUrl: "file:///a" }\n---'), [
      'notAddress <"file:///a"> fileUrl',
    ]);
  });

  it('include unknown types, with suggestions', () => {
    assert.deepEqual(problemsOf(withBlock('type: video')), ['unknownType <video> video']);
    assert.equal(fixed(withBlock('type: md')), withBlock('type: markdown'));
    assert.equal(fixed(withBlock('type: HTML')), withBlock('type: html'));
    assert.equal(fixed(withBlock('type: picture')), withBlock('type: image'));
  });

  it('include missing and unused keys of a type', () => {
    assert.deepEqual(problemsOf('---\nchat:\n  type: image\n---'), ['missing <image> imageKey type: image']);
    assert.deepEqual(problemsOf('---\nchat:\n  type: file\n---'), [
      'missing <file> fileName type: file',
      'missing <file> fileUrl type: file',
    ]);
    assert.deepEqual(problemsOf(withBlock('imageKey: k')), ['warning unused <imageKey> imageKey type: markdown']);
    assert.deepEqual(problemsOf(withBlock('type: image', 'imageKey: k')), ['warning unusedBody <Hi> image']);
  });

  it('include local images in the body, as Markdown or HTML', () => {
    assert.deepEqual(problemsOf('---\na: "![](b)"\n---\n![](c)'), ['warning localPicture <c> c']);
    const body = '<img src="a.png"> ![](b.png)';
    assert.deepEqual(problemsOf(`---\nchat:\n  type: html\n---\n${body}`), ['warning localPicture <a.png> a.png']);
    assert.deepEqual(problemsOf(`---\nchat:\n  type: text\n---\n${body}`), []);
  });

  it('prevent sending if one of them is an error', () => {
    const token = fc.constantFrom(
      '---\n',
      'chat:',
      '\n',
      '  ',
      'bot: ',
      'groups: ',
      '- ',
      '[',
      ']',
      'a',
      '1',
      'type: ',
      'text',
      'buttons: ',
      'text: ',
      'opens: ',
      'https://x.y',
      '"',
      '![](b)',
      '`',
      '*a',
      '\r\n',
      ': ',
      '{',
      '}',
      ', ',
      "'",
      '|',
      '>',
      '#',
      '&',
      '!',
      '!!str ',
      '!!binary ',
      '%',
      '? ',
      '\\',
      '\t',
      '\0',
      '\uFEFF',
      '\uD800',
      '~',
    );
    const tokens = fc.array(token, { maxLength: 60 }).map((tokens) => tokens.join(''));
    const inFront = fc.oneof(tokens, fc.string({ unit: 'binary' })).map((yaml) => `---\nchat:${yaml}\n---\nHi`);
    fc.assert(
      fc.property(fc.oneof(tokens, inFront), fc.boolean(), (text, keep) => {
        const { message, problems } = read(text, keep);
        assert.equal(
          message === undefined,
          problems.some(({ severity }) => severity === 'error'),
        );
        for (const { start, end, fixes = [] } of problems) {
          for (const place of [{ start, end }, ...fixes.flatMap(({ edits }) => edits)]) {
            assert.ok(0 <= place.start && place.start <= place.end && place.end <= text.length);
          }
        }
      }),
    );
  });
});
