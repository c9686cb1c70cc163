import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fixed, problemsOf, read, withBlock } from './read.ts';

describe('The problems of a draft', () => {
  it('include only local images in a document without front matter', () => {
    assert.deepEqual(problemsOf('# a\n\n![b](c.png)'), ['warning localPicture <c.png> c.png']);
    assert.deepEqual(problemsOf('a\n\n---\n\nchat:\n  x: y\n\n---'), []);
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
      read(text).recipients.map(({ kind, id }) => `${kind} ${id}`),
      ['group 1', 'group 2', 'user 1'],
    );
    assert.equal(fixed(text), withBlock('groups: [1, 2]', 'people: [1]'));
    assert.equal(fixed(withBlock('groups:', '  - 1', '  - 1', '  - 2')), withBlock('groups:', '  - 1', '  - 2'));
  });

  it('include audiences that don’t exist, with the name of a similar one', () => {
    assert.equal(fixed(withBlock('audiences: [custmers]')), withBlock('audiences: [customers]'));
    assert.equal(fixed(withBlock('audiences: [vip list]'), 0), withBlock('audiences: ["VIP list"]'));
    // It's listed already.
    assert.deepEqual(read(withBlock('audiences: [customers, custmers]')).problems[0]?.fixes, undefined);
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

  it('don’t include what may follow from another one', () => {
    const only = (...lines: string[]) => problemsOf(['---', 'chat:', ...lines, '---', ''].join('\n'));
    assert.deepEqual(only('  type: image', '  picture: k'), ['unknownKey <picture> picture']);
    assert.deepEqual(only('  format: image', '  imageKey: k'), ['unknownKey <format> format']);
    assert.deepEqual(only('  type: [image]', '  imageKey: k'), ['textExpected <[image]> type']);
    assert.deepEqual(problemsOf(withBlock('csv: a.csv', 'kind: person')), ['unknownKey <csv> csv']);
    // These don't follow from it.
    assert.deepEqual(only('  type: file', '  fileName: a', '  wat: 1'), [
      'missing <file> fileUrl type: file',
      'unknownKey <wat> wat',
    ]);
    assert.deepEqual(only('  csv: a.csv'), ['unknownKey <csv> csv', 'emptyBody <>']);
  });

  it('include local images in the body, as Markdown or HTML', () => {
    assert.deepEqual(problemsOf('---\na: "![](b)"\n---\n![](c)'), ['warning localPicture <c> c']);
    const body = '<img src="a.png"> ![](b.png)';
    assert.deepEqual(problemsOf(`---\nchat:\n  type: html\n---\n${body}`), ['warning localPicture <a.png> a.png']);
    assert.deepEqual(problemsOf(`---\nchat:\n  type: text\n---\n${body}`), []);
  });

  it('prevent sending if one of them is an error, and lie in the document, whatever its text is', () => {
    const yaml = [
      ...['chat:', 'bot: ', 'groups: ', 'type: ', 'buttons: ', 'text: ', 'opens: ', 'a: ', '- ', '? ', ': ', ', '],
      ...['[', ']', '{', '}', '"', "'", '&a ', '*a', '!b ', '!!str ', '!!binary ', '|', '>', '#', '<<', '~', '\\'],
      ...['\n', '\n  ', '\r\n', ' ', '\t', '%', '@', '`', '---', '---\n', '\n---\n', '\n...\n', '\0', '\u2028'],
    ];
    const values = ['a', '1', '中', 'text', 'https://x.y', '![](b)', '{{', '}}', '\uFEFF', '\uD800'];
    const part = fc.constantFrom(...yaml, ...values);
    const texts = fc.array(part, { maxLength: 60 }).map((parts) => parts.join(''));
    const long = fc
      .array(fc.tuple(part, fc.oneof(fc.constant(1), fc.nat(3000))), { maxLength: 20 })
      .map((runs) => runs.map(([one, times]) => one.repeat(times)).join(''));
    const documents = fc.oneof(
      texts,
      fc.oneof(texts, fc.string({ unit: 'binary' })).map((block) => `---\nchat:${block}\n---\nHi`),
      long.map((front) => `---\n${front}\n---\nHi`),
    );
    fc.assert(
      fc.property(documents, fc.boolean(), (text, keepFrontMatter) => {
        const { message, problems } = read(text, keepFrontMatter);
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
