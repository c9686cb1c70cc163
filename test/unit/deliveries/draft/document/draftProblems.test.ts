import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  fixed,
  hasMistake,
  hasProblems,
  haveMistakes,
  problemsOf,
  read,
  unmark,
  withBlock,
  withFront,
} from './read.ts';

const INVALID_ID =
  "This ID isn't valid. IDs can't be longer than 200 characters, or contain spaces, line breaks, or invisible characters.";
const TWICE = 'is listed twice. Only one message is sent.';
const NOT_SENT = "warning: The document's text isn't sent when the type is";
const UNSUPPORTED = "Aliases, tags, and top-level maps in braces aren't supported here.";
/** A document whose block has one button. */
const button = (line: string) => withBlock(`buttons: [{ ${line} }]`);

describe('The problems of a draft', () => {
  it('include unknown keys, with suggestions', () => {
    haveMistakes('Unknown key ‹›.', [
      ['‹wat›: 1'],
      ['‹users›: [1]', 'people: [1]'],
      ['‹contentType›: text', 'type: text'],
      ['‹gruops›: [1]', 'groups: [1]'],
      ['‹Bot›: 1', 'bot: 1'],
      ['‹from›: 1', 'bot: 1'],
      ['‹button›: []', 'buttons: []'],
      ['‹tpye›: text', 'type: text'],
      ['‹to›: [1]', 'groups: [1]', 'people: [1]'],
      ['groups: [2]\n‹to›: [1]', 'groups: [2]\npeople: [1]'],
      ['‹image›: a', 'imageKey: a'],
      ['‹picture›: a', 'imageKey: a'],
      ['‹file›: a', 'fileName: a', 'fileUrl: a'],
      ['‹link›: a', 'fileUrl: a'],
      ['‹format›: text', 'type: text'],
      ['‹filter›: { a: b }', 'where: { a: b }'],
      ['‹send›: tomorrow'],
      ['‹when›: 9'],
    ]);
  });

  it('include what is no delivery', () => {
    hasProblems(withBlock('follows: "001700000000000-deliver0"'));
    hasMistake(withBlock('follows: ‹yesterday›'), "warning: This isn't the ID of a delivery, so it's ignored.");
  });

  it('include unknown keys of buttons, without follow-up problems', () => {
    const said = 'Unknown key ‹›.';
    const opening = ['‹label›: a, opens', 'text: a, ‹url›', 'text: a, ‹link›', 'text: a, ‹href›', 'text: a, ‹open›'];
    for (const keys of opening)
      haveMistakes(said, [[`${keys}: "https://x.y"`, 'text: a, opens: "https://x.y"']], button);
    haveMistakes(
      said,
      [
        ['text: a, ‹copy›: b', 'text: a, copies: b'],
        ['text: a, ‹report›: b', 'text: a, reports: b'],
        ['‹title›: a, reports: b', 'text: a, reports: b'],
        ['text: a, ‹value›: b', 'text: a, copies: b', 'text: a, reports: b'],
      ],
      button,
    );
  });

  it('include values of the wrong type', () => {
    hasMistake(withFront('chat: ‹hello›'), 'chat needs keys, such as bot, groups, people, audiences.');
    haveMistakes('groups must be a list.', [
      ['groups: ‹1›', 'groups: [1]'],
      ['groups: ‹big›', 'groups: [big]'],
      ['groups: ‹【big, small】›', 'groups: [big, small]'],
      ['groups: ‹［big, small］›', 'groups: [big, small]'],
    ]);
    hasProblems(
      withBlock('bot: ‹[1]›', 'people: [‹[1]›]', 'buttons: [‹a›]'),
      'bot must be a single text value.',
      'people must be a single text value.',
      'buttons needs keys, such as text, opens, copies, reports.',
    );
    hasMistake(withBlock('bot:', '  ‹- a # b', '  - c›', ''), 'bot must be a single text value.');
    hasMistake(
      '---\nchat:\n  people: ‹|\n    1\n›---\nHi',
      'people must be a list.',
      '---\nchat:\n  people: [1]\n---\nHi',
    );
    hasMistake(withBlock('buttons:', '  ‹a: [b]›'), 'buttons must be a list.');
    hasProblems(
      withFront('chat: { ‹bot›, groups: [‹1: 2›] }'),
      'bot has no value.',
      'groups must be a single text value.',
    );
    const unsupported = withBlock('bot: !!str ‹1›', 'groups: [&a 1, ‹*a›]', '‹*a› : 2');
    hasProblems(unsupported, UNSUPPORTED, UNSUPPORTED, UNSUPPORTED);
    hasMistake(withBlock('‹[a]›: 1'), 'chat must be a single text value.');
    hasMistake(withBlock('bot: 1', '‹bot›: 2'), 'Duplicate key bot.');
    hasMistake(withFront('chat:', '‹chat›:'), 'Duplicate key chat.');
  });

  it('include invalid IDs, which are not recipients', () => {
    const marked = withBlock(
      'bot: ‹"30481126 [Get its token here](command:x)"›',
      `groups: [‹"518204736\\nTo: everybody"›, big, ‹${'7'.repeat(201)}›]`,
      'people: [‹"705\\u200b8314"›, ‹"413\\u202e8507"›]',
    );
    hasProblems(marked, ...Array(5).fill(INVALID_ID));
    const { bot, recipients } = read(unmark(marked).text);
    assert.equal(bot, undefined);
    assert.deepEqual(
      recipients.map(({ id }) => id),
      ['big'],
    );
  });

  it('include empty values', () => {
    hasMistake(withBlock('‹bot›:'), 'bot has no value.');
    hasMistake(withBlock('type: ‹""›'), 'type has no value.');
    for (const entry of ['""', '" "', '~', 'NULL'])
      hasMistake(withBlock(`groups: [‹${entry}›]`), 'An entry of groups is empty.');
    for (const key of ['groups', 'people'])
      for (const entry of ['‹-›', '‹-› ', '‹-›   # Ann'])
        for (const others of ['', '\n  - VIP'])
          hasMistake(withBlock(`${key}:\n  - customers\n  ${entry}${others}`), `An entry of ${key} is empty.`);
  });

  it('include duplicate recipients, with a fix that removes them', () => {
    const marked = withBlock('groups: [1, 2, ‹"1"›]', 'people: [1]');
    hasMistake(marked, `warning: 1 ${TWICE}`, withBlock('groups: [1, 2]', 'people: [1]'));
    assert.deepEqual(
      read(unmark(marked).text).recipients.map(({ kind, id }) => `${kind} ${id}`),
      ['group 1', 'group 2', 'user 1'],
    );
    assert.equal(fixed(withBlock('groups:', '  - 1', '  - 1', '  - 2')), withBlock('groups:', '  - 1', '  - 2'));
  });

  it('leave each name beside its ID when a duplicate is removed', () => {
    const listed = (...lines: string[]) => withBlock('people:', ...lines.map((line) => `  ${line}`), 'groups: [1]');
    const ann = '- 1 # Ann';
    const bo = '- 2 # Bo';
    assert.equal(fixed(listed(ann, bo, ann)), listed(ann, bo));
    assert.equal(fixed(listed(ann, '- 1', bo)), listed(ann, bo));
    assert.equal(fixed(listed(ann, '', '- "1"   # Ann Lee', bo)), listed(ann, bo));
    const crlf = (text: string) => text.replaceAll('\n', '\r\n');
    assert.equal(fixed(crlf(listed(ann, bo, ann))), crlf(listed(ann, bo)));
    // Whose these comments are isn't clear.
    hasMistake(listed(ann, '# B', '- ‹1›', bo), `warning: 1 ${TWICE}`);
    hasMistake(listed('[1, # Ann', '2, # Bo', '‹1› # Ann', ']'), `warning: 1 ${TWICE}`);
  });

  it('include audiences that don’t exist, with the name of a similar one', () => {
    haveMistakes("Audience ‹› isn't in your settings.", [
      ['audiences: [‹custmers›]', 'audiences: [customers]'],
      ['audiences: [‹vip list›]', 'audiences: ["VIP list"]'],
      // It's listed already.
      ['audiences: [customers, ‹custmers›]'],
    ]);
    hasProblems(
      withBlock('audiences: [customers, ‹friends›, ‹friends›]'),
      "Audience friends isn't in your settings.",
      `warning: friends ${TWICE}`,
    );
  });

  it('include buttons that can’t work', () => {
    for (const [marked, ...said] of [
      ['‹{ opens: "https://x.y" }›', 'The button has no text.'],
      ['{ text: ‹""›, copies: a }', 'text has no value.'],
      ['‹{ text: a }›', 'The button does nothing. Add opens, copies, or reports.'],
      ['{ text: a, opens: "https://x.y", ‹copies›: b }', 'A button can do only one thing.'],
      ['{ text: a, reports: b, ‹actionType›: 3, value: b }', 'A button can do only one thing.'],
      ['{ text: a, copies: ‹""› }', 'copies has no value.'],
      ['{ text: a, ‹reports›: }', 'reports has no value.'],
      [
        '{ text: a, actionType: ‹1›, ‹value›: "https://x.y" }',
        'url is missing. actionType: 1 requires it.',
        "warning: value isn't used with actionType: 1.",
      ],
      [
        '{ text: a, actionType: ‹2›, ‹url›: "https://x.y" }',
        'value is missing. actionType: 2 requires it.',
        "warning: url isn't used with actionType: 2.",
      ],
      ['{ text: a, actionType: ‹odd› }', 'Unknown action type odd. Use 1 to open a URL, 2 to copy, or 3 to report.'],
      ['{ text: a, actionType: ‹0›, value: b }', 'warning: Action type 0 might not do anything.'],
      ['{ text: a, actionType: ‹4›, value: b }', 'warning: Action type 4 might not do anything.'],
    ] as const)
      hasProblems(withBlock(`buttons: [${marked}]`), ...said);
  });

  it('include variables that YAML takes for comments', () => {
    const said = (comment: string) =>
      `warning: In YAML, # begins a comment, so this isn't a part of the value: ${comment}. Put quotes around the value.`;
    const labelled = (text: string) => withBlock('buttons:', `  - text: ${text}`, '    copies: a');
    const rows = [
      ['Order ‹#{{order}}›', '"Order #{{order}}"'],
      ['Order ‹# {{ order }} today› ', '"Order # {{ order }} today" '],
      ['Your {{Order ‹#}}›', '"Your {{Order #}}"'],
      ['Hi {{name|number ‹#1}}, Ann›', '"Hi {{name|number #1}}, Ann"'],
      ['The "best" ‹#{{order}}›', '\'The "best" #{{order}}\''],
    ] as const;
    haveMistakes(said('‹›'), rows, labelled);
    for (const [, quoted] of rows) {
      hasProblems(labelled(quoted));
      assert.equal(read(labelled(quoted)).shown?.content.buttons?.[0]?.[0]?.text, quoted.trim().slice(1, -1));
    }
    hasProblems(
      withBlock('type: file', 'fileName: a ‹#{{b}}›', 'fileUrl: https://x.y/ ‹#{{b}}›').replace('Hi', '‹Hi›'),
      said('#{{b}}'),
      said('#{{b}}'),
      `${NOT_SENT} file.`,
    );
    for (const text of [
      'Order # 1',
      '"Order" # {{order}}',
      'a {{order}} # as was',
      'a#{{order}}',
      'a\n      # {{order}}',
    ])
      hasProblems(labelled(text));
    hasProblems(withBlock('groups:', '  - 518204736 # {{name}}'));
  });

  it('include URLs that can’t be opened', () => {
    const said = (key: string) => `${key} must be a URL that starts with https:// or http://.`;
    for (const address of ['ftp://x.y', 'javascript:alert(1)', 'x.y', 'http://', 'https://a b', '/a'])
      hasMistake(button(`text: a, opens: ‹"${address}"›`), said('opens'));
    hasMistake('---\nchat: { type: file, fileName: a, fileUrl: ‹"file:///a"› }\n---', said('fileUrl'));
  });

  it('include unknown types, with suggestions', () => {
    haveMistakes('Unknown type ‹›. Use markdown, text, html, image, or file.', [
      ['type: ‹video›'],
      ['type: ‹md›', 'type: markdown'],
      ['type: ‹HTML›', 'type: html'],
      ['type: ‹picture›', 'type: image'],
    ]);
  });

  it('include missing and unused keys of a type', () => {
    hasMistake('---\nchat:\n  type: ‹image›\n---', 'imageKey is missing. type: image requires it.');
    assert.deepEqual(problemsOf('---\nchat:\n  type: file\n---'), [
      '<file> fileName is missing. type: file requires it.',
      '<file> fileUrl is missing. type: file requires it.',
    ]);
    hasMistake(withBlock('‹imageKey›: k'), "warning: imageKey isn't used with type: markdown.");
    hasMistake(withBlock('type: image', 'imageKey: k').replace('Hi', '‹Hi›'), `${NOT_SENT} image.`);
  });

  it('don’t include what may follow from another one', () => {
    for (const [block, said] of [
      ['  type: image\n  ‹picture›: k', 'Unknown key picture.'],
      ['  ‹format›: image\n  imageKey: k', 'Unknown key format.'],
      ['  type: ‹[image]›\n  imageKey: k', 'type must be a single text value.'],
    ] as const)
      hasProblems(`---\nchat:\n${block}\n---\n`, said);
    hasProblems(withBlock('‹csv›: a.csv', 'kind: person'), 'Unknown key csv.');
    // These don't follow from it.
    hasProblems(
      '---\nchat:\n  type: ‹file›\n  fileName: a\n  ‹wat›: 1\n---\n',
      'fileUrl is missing. type: file requires it.',
      'Unknown key wat.',
    );
    hasProblems('---\nchat:\n  ‹csv›: a.csv\n---\n‹›', 'Unknown key csv.', 'The message is empty.');
  });

  it('include local images in the body, as Markdown or HTML', () => {
    const said = (image: string) => `warning: Recipients won't see this local image: ${image}`;
    hasMistake('---\na: "![](b)"\n---\n![](‹c›)', said('c'));
    hasMistake('---\nchat:\n  type: html\n---\n<img src="‹a.png›"> ![](b.png)', said('a.png'));
    hasProblems('---\nchat:\n  type: text\n---\n<img src="a.png"> ![](b.png)');
  });

  it('are at most a hundred local images', () => {
    assert.equal(read('![](a.png)\n\n'.repeat(101)).problems.length, 100);
  });

  it('prevent sending if one of them is an error, and lie in the document, whatever its text is', () => {
    const keys = ['chat:', 'bot: ', 'groups: ', 'type: ', 'buttons: ', 'text: ', 'opens: ', 'a: ', '- ', '? ', ': '];
    const marks = [...',[]{}"\'|>#~\\%@`', '&a ', '*a', '!b ', '!!str ', '!!binary ', '<<', ', '];
    const spaces = [' ', '\t', '\n', '\n  ', '\r\n', '\0', '\u2028', '---', '---\n', '\n---\n', '\n...\n'];
    const values = ['a', '1', '中', 'text', 'https://x.y', '![](b)', '{{', '}}', '\uFEFF', '\uD800'];
    const part = fc.constantFrom(...keys, ...marks, ...spaces, ...values);
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
