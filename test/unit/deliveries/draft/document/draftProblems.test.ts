import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fixed, problemsOf, read, withBlock } from './read.ts';

const INVALID_ID =
  "This ID isn't valid. IDs can't be longer than 200 characters, or contain spaces, line breaks, or invisible characters.";

describe('The problems of a draft', () => {
  it('include unknown keys, with suggestions', () => {
    assert.deepEqual(problemsOf(withBlock('wat: 1')), ['<wat> Unknown key wat.']);
    for (const [line, right] of [
      ['users: [1]', 'people: [1]'],
      ['contentType: text', 'type: text'],
      ['gruops: [1]', 'groups: [1]'],
      ['Bot: 1', 'bot: 1'],
      ['from: 1', 'bot: 1'],
      ['button: []', 'buttons: []'],
      ['tpye: text', 'type: text'],
      ['to: [1]', 'groups: [1]'],
      ['send: tomorrow', 'send: tomorrow'],
      ['when: 9', 'when: 9'],
    ] as const)
      assert.equal(fixed(withBlock(line)), withBlock(right), line);
    assert.equal(fixed(withBlock('to: [1]'), 1), withBlock('people: [1]'));
    assert.equal(fixed(withBlock('groups: [2]', 'to: [1]')), withBlock('groups: [2]', 'people: [1]'));
  });

  it('include what is no delivery', () => {
    assert.deepEqual(problemsOf(withBlock('follows: "001700000000000-deliver0"')), []);
    assert.deepEqual(problemsOf(withBlock('follows: yesterday')), [
      "warning <yesterday> This isn't the ID of a delivery, so it's ignored.",
    ]);
  });

  it('include unknown keys of buttons, without follow-up problems', () => {
    const button = (line: string) => withBlock(`buttons: [{ ${line} }]`);
    assert.deepEqual(problemsOf(button('label: a, opens: "https://x.y"')), ['<label> Unknown key label.']);
    for (const key of ['url', 'link', 'href', 'open']) {
      assert.equal(fixed(button(`text: a, ${key}: "https://x.y"`)), button('text: a, opens: "https://x.y"'));
    }
    assert.equal(fixed(button('text: a, copy: b')), button('text: a, copies: b'));
    assert.equal(fixed(button('text: a, report: b')), button('text: a, reports: b'));
    assert.equal(fixed(button('title: a, reports: b')), button('text: a, reports: b'));
    assert.equal(fixed(button('text: a, value: b'), 1), button('text: a, reports: b'));
  });

  it('include values of the wrong type', () => {
    assert.deepEqual(problemsOf('---\nchat: hello\n---\nHi'), [
      '<hello> chat needs keys, such as bot, groups, people, audiences.',
    ]);
    assert.deepEqual(problemsOf(withBlock('groups: 1')), ['<1> groups must be a list.']);
    assert.equal(fixed(withBlock('groups: big')), withBlock('groups: [big]'));
    for (const wide of ['【big, small】', '［big, small］'])
      assert.equal(fixed(withBlock(`groups: ${wide}`)), withBlock('groups: [big, small]'));
    assert.deepEqual(problemsOf(withBlock('bot: [1]', 'people: [[1]]', 'buttons: [a]')), [
      '<[1]> bot must be a single text value.',
      '<[1]> people must be a single text value.',
      '<a> buttons needs keys, such as text, opens, copies, reports.',
    ]);
    assert.deepEqual(
      problemsOf(withBlock('bot:', '  - a # b', '  - c', '', 'people: |', '  1', 'buttons:', '  a: [b]')),
      [
        '<- a # b\n    - c> bot must be a single text value.',
        '<|\n    1\n> people must be a list.',
        '<a: [b]> buttons must be a list.',
      ],
    );
    assert.deepEqual(problemsOf('---\nchat: { bot, groups: [1: 2] }\n---\nHi'), [
      '<bot> bot has no value.',
      '<1: 2> groups must be a single text value.',
    ]);
    assert.deepEqual(problemsOf(withBlock('bot: !!str 1', 'groups: [&a 1, *a]', '*a : 2')), [
      "<1> Aliases, tags, and top-level maps in braces aren't supported here.",
      "<*a> Aliases, tags, and top-level maps in braces aren't supported here.",
      "<*a> Aliases, tags, and top-level maps in braces aren't supported here.",
    ]);
    assert.deepEqual(problemsOf(withBlock('bot: 1', 'bot: 2')), ['<bot> Duplicate key bot.']);
    assert.deepEqual(problemsOf('---\nchat:\nchat:\n---\nHi'), ['<chat> Duplicate key chat.']);
  });

  it('include invalid IDs, which are not recipients', () => {
    const text = withBlock(
      'bot: "30481126 [Get its token here](command:x)"',
      'groups: ["518204736\\nTo: everybody", big]',
      'people: ["705\\u200b8314", "413\\u202e8507"]',
    );
    const long = '7'.repeat(201);
    assert.deepEqual(problemsOf(withBlock(`groups: [${long}]`)), [`<${long}> ${INVALID_ID}`]);
    assert.deepEqual(problemsOf(text), [
      `<"30481126 [Get its token here](command:x)"> ${INVALID_ID}`,
      `<"518204736\\nTo: everybody"> ${INVALID_ID}`,
      `<"705\\u200b8314"> ${INVALID_ID}`,
      `<"413\\u202e8507"> ${INVALID_ID}`,
    ]);
    const { bot, recipients } = read(text);
    assert.deepEqual([bot, recipients.map(({ id }) => id)], [undefined, ['big']]);
  });

  it('include empty values', () => {
    assert.deepEqual(problemsOf(withBlock('bot:', 'type: ""', 'groups: ["", " ", ~, NULL]')), [
      '<bot> bot has no value.',
      '<""> type has no value.',
      '<""> An entry of groups is empty.',
      '<" "> An entry of groups is empty.',
      '<~> An entry of groups is empty.',
      '<NULL> An entry of groups is empty.',
    ]);
    for (const key of ['groups', 'people', 'audiences'])
      for (const empty of ['  -', '  - ', '  -   # Ann'])
        for (const others of [[], ['  - customers']])
          assert.deepEqual(
            problemsOf(withBlock(`${key}:`, '  - VIP', empty, ...others)).filter((one) => !one.startsWith('<VIP>')),
            [`<-> An entry of ${key} is empty.`],
          );
  });

  it('include duplicate recipients, with a fix that removes them', () => {
    const text = withBlock('groups: [1, 2, "1"]', 'people: [1]');
    assert.deepEqual(problemsOf(text), ['warning <"1"> 1 is listed twice. Only one message is sent.']);
    assert.deepEqual(
      read(text).recipients.map(({ kind, id }) => `${kind} ${id}`),
      ['group 1', 'group 2', 'user 1'],
    );
    assert.equal(fixed(text), withBlock('groups: [1, 2]', 'people: [1]'));
    assert.equal(fixed(withBlock('groups:', '  - 1', '  - 1', '  - 2')), withBlock('groups:', '  - 1', '  - 2'));
  });

  it('leave each name beside its ID when a duplicate is removed', () => {
    const listed = (...lines: string[]) => withBlock('people:', ...lines.map((line) => `  ${line}`), 'groups: [1]');
    const [ann, bo] = ['- 1 # Ann', '- 2 # Bo'];
    assert.equal(fixed(listed(ann, bo, ann)), listed(ann, bo));
    assert.equal(fixed(listed(ann, '- 1', bo)), listed(ann, bo));
    assert.equal(fixed(listed(ann, '', '- "1"   # Ann Lee', bo)), listed(ann, bo));
    const crlf = (text: string) => text.replaceAll('\n', '\r\n');
    assert.equal(fixed(crlf(listed(ann, bo, ann))), crlf(listed(ann, bo)));
    // Whose these comments are isn't clear.
    for (const text of [listed(ann, '# B', '- 1', bo), listed('[1, # Ann', '2, # Bo', '1 # Ann', ']')])
      assert.deepEqual([read(text).problems.length, fixed(text)], [1, text]);
  });

  it('include audiences that don’t exist, with the name of a similar one', () => {
    assert.equal(fixed(withBlock('audiences: [custmers]')), withBlock('audiences: [customers]'));
    assert.equal(fixed(withBlock('audiences: [vip list]'), 0), withBlock('audiences: ["VIP list"]'));
    // It's listed already.
    assert.deepEqual(read(withBlock('audiences: [customers, custmers]')).problems[0]?.fixes, undefined);
    assert.deepEqual(problemsOf(withBlock('audiences: [customers, friends, friends]')), [
      "<friends> Audience friends isn't in your settings.",
      'warning <friends> friends is listed twice. Only one message is sent.',
    ]);
  });

  it('include buttons that can’t work', () => {
    for (const [button, ...problems] of [
      ['opens: "https://x.y"', '<{ opens: "https://x.y" }> The button has no text.'],
      ['text: "", copies: a', '<""> text has no value.'],
      ['text: a', '<{ text: a }> The button does nothing. Add opens, copies, or reports.'],
      ['text: a, opens: "https://x.y", copies: b', '<copies> A button can do only one thing.'],
      ['text: a, reports: b, actionType: 3, value: b', '<actionType> A button can do only one thing.'],
      ['text: a, copies: ""', '<""> copies has no value.'],
      ['text: a, reports:', '<reports> reports has no value.'],
      [
        'text: a, actionType: 1, value: "https://x.y"',
        '<1> url is missing. actionType: 1 requires it.',
        "warning <value> value isn't used with actionType: 1.",
      ],
      ['text: a, actionType: odd', '<odd> Unknown action type odd. Use 1 to open a URL, 2 to copy, or 3 to report.'],
    ])
      assert.deepEqual(problemsOf(withBlock(`buttons: [{ ${button} }]`)), problems, button);
  });

  it('include variables that YAML takes for comments', () => {
    const said = (comment: string) =>
      `warning <${comment}> In YAML, # begins a comment, so this isn't a part of the value: ${comment}. Put quotes around the value.`;
    const button = (text: string) => withBlock('buttons:', `  - text: ${text}`, '    copies: a');
    for (const [text, comment, quote] of [
      ['Order #{{order}}', '#{{order}}', '"'],
      ['Order # {{ order }} today ', '# {{ order }} today', '"'],
      ['Your {{Order #}}', '#}}', '"'],
      ['Hi {{name|number #1}}, Ann', '#1}}, Ann', '"'],
      ['The "best" #{{order}}', '#{{order}}', "'"],
    ] as const) {
      assert.deepEqual(problemsOf(button(text)), [said(comment)], text);
      const quoted = quote + text.trimEnd() + quote;
      assert.equal(fixed(button(text)), button(quoted + (text.endsWith(' ') ? ' ' : '')));
      assert.deepEqual(problemsOf(button(quoted)), []);
      assert.equal(read(button(quoted)).shown?.content.buttons?.[0]?.[0]?.text, text.trimEnd());
    }
    assert.deepEqual(problemsOf(withBlock('type: file', 'fileName: a #{{b}}', 'fileUrl: https://x.y/ #{{b}}')), [
      said('#{{b}}'),
      said('#{{b}}'),
      "warning <Hi> The document's text isn't sent when the type is file.",
    ]);
    for (const text of [
      'Order # 1',
      '"Order" # {{order}}',
      'a {{order}} # as was',
      'a#{{order}}',
      'a\n      # {{order}}',
    ])
      assert.deepEqual(problemsOf(button(text)), [], text);
    assert.deepEqual(problemsOf(withBlock('groups:', '  - 518204736 # {{name}}')), []);
  });

  it('include URLs that can’t be opened', () => {
    const addresses = ['ftp://x.y', 'javascript:alert(1)', 'x.y', 'http://', 'https://a b', '/a'];
    for (const address of addresses) {
      const text = withBlock(`buttons: [{ text: a, opens: "${address}" }]`);
      assert.deepEqual(problemsOf(text), [`<"${address}"> opens must be a URL that starts with https:// or http://.`]);
    }
    assert.deepEqual(problemsOf('---\nchat: { type: file, fileName: a, fileUrl: "file:///a" }\n---'), [
      '<"file:///a"> fileUrl must be a URL that starts with https:// or http://.',
    ]);
  });

  it('include unknown types, with suggestions', () => {
    assert.deepEqual(problemsOf(withBlock('type: video')), [
      '<video> Unknown type video. Use markdown, text, html, image, or file.',
    ]);
    assert.equal(fixed(withBlock('type: md')), withBlock('type: markdown'));
    assert.equal(fixed(withBlock('type: HTML')), withBlock('type: html'));
    assert.equal(fixed(withBlock('type: picture')), withBlock('type: image'));
  });

  it('include missing and unused keys of a type', () => {
    assert.deepEqual(problemsOf('---\nchat:\n  type: image\n---'), [
      '<image> imageKey is missing. type: image requires it.',
    ]);
    assert.deepEqual(problemsOf('---\nchat:\n  type: file\n---'), [
      '<file> fileName is missing. type: file requires it.',
      '<file> fileUrl is missing. type: file requires it.',
    ]);
    assert.deepEqual(problemsOf(withBlock('imageKey: k')), [
      "warning <imageKey> imageKey isn't used with type: markdown.",
    ]);
    assert.deepEqual(problemsOf(withBlock('type: image', 'imageKey: k')), [
      "warning <Hi> The document's text isn't sent when the type is image.",
    ]);
  });

  it('don’t include what may follow from another one', () => {
    const only = (...lines: string[]) => problemsOf(['---', 'chat:', ...lines, '---', ''].join('\n'));
    assert.deepEqual(only('  type: image', '  picture: k'), ['<picture> Unknown key picture.']);
    assert.deepEqual(only('  format: image', '  imageKey: k'), ['<format> Unknown key format.']);
    assert.deepEqual(only('  type: [image]', '  imageKey: k'), ['<[image]> type must be a single text value.']);
    assert.deepEqual(problemsOf(withBlock('csv: a.csv', 'kind: person')), ['<csv> Unknown key csv.']);
    // These don't follow from it.
    assert.deepEqual(only('  type: file', '  fileName: a', '  wat: 1'), [
      '<file> fileUrl is missing. type: file requires it.',
      '<wat> Unknown key wat.',
    ]);
    assert.deepEqual(only('  csv: a.csv'), ['<csv> Unknown key csv.', '<> The message is empty.']);
  });

  it('include local images in the body, as Markdown or HTML', () => {
    assert.deepEqual(problemsOf('---\na: "![](b)"\n---\n![](c)'), [
      "warning <c> Recipients won't see this local image: c",
    ]);
    const body = '<img src="a.png"> ![](b.png)';
    assert.deepEqual(problemsOf(`---\nchat:\n  type: html\n---\n${body}`), [
      "warning <a.png> Recipients won't see this local image: a.png",
    ]);
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
