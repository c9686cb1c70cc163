import assert from 'node:assert/strict';
import * as v from 'valibot';
import { parseDraft } from '../../../src/deliveries/draft/document/parseDraft.ts';
import { buttonComment, composeDraft, draftSnippet, emptyDraft, toDraft } from '../../../src/markup/messageDraft.ts';
import { Listed } from '../../../src/service/message.ts';

const draft = (contentType: string, content: unknown) =>
  toDraft(v.parse(Listed, { msgId: 'm1', contentType, content }));

describe('A message as a draft', () => {
  it('is Markdown without front matter if it has no buttons', () => {
    assert.equal(draft('markdown', { text: '# a' }), '# a');
    assert.equal(draft('text', { text: '# a', buttons: [] }), '\\# a');
    assert.equal(draft('file', { fileName: 'a', fileUrl: 'https://x.y' }), '[a](<https://x.y>)');
  });

  it('omits the quotation, and links no expired addresses', () => {
    assert.equal(draft('text', { text: 'Yes.', parent: 'Ann : Soup?' }), 'Yes.');
    assert.equal(draft('file', { fileName: 'a.pdf', fileUrl: 'https://x.y/a.pdf?t=5f000000' }), 'a.pdf');
  });

  it('has its rows of buttons as front matter', () => {
    const buttons = [
      [
        { text: 'Hour by "hour"', actionType: 1, url: 'https://x.y/h' },
        { text: 'Copy: #1', actionType: 2, value: 'a\nb' },
      ],
      [{ text: 'Tell', actionType: 3, value: 'subscribe:riverside' }],
    ];
    assert.equal(
      draft('markdown', { text: '**Riverside**', buttons }),
      `---
chat:
  buttons:
    - - text: "Hour by \\"hour\\""
        opens: "https://x.y/h"
      - text: "Copy: #1"
        copies: "a\\nb"
    - - text: "Tell"
        reports: "subscribe:riverside"
---

**Riverside**`,
    );
  });

  it('uses the address in `value`, where some senders put it', () => {
    const buttons = [[{ text: 'b', actionType: 1, value: 'https://x.y' }]];
    assert.match(draft('text', { text: 'a', buttons }), /opens: "https:\/\/x\.y"/);
  });

  it('keeps undocumented action types unchanged', () => {
    const buttons = [
      { text: 'a', actionType: 9, url: 'u', value: 'v' },
      { text: 'b', actionType: 'odd' },
      { text: 'c' },
    ];
    const lines = draft('text', { text: 'a', buttons }).split('\n').slice(3, 10);
    assert.deepEqual(lines, [
      '    - - text: "a"',
      '        actionType: 9',
      '        url: "u"',
      '        value: "v"',
      '      - text: "b"',
      '        actionType: "odd"',
      '      - text: "c"',
    ]);
  });

  it('escapes invisible characters and those that YAML forbids', () => {
    const buttons = [[{ text: 'a\u202E\u0085\u2028\uFEFF\u0007', actionType: 2, value: '👩‍🌾' }]];
    assert.match(draft('text', { text: 'a', buttons }), /"a\\u202e\\u0085\\u2028\\ufeff\\u0007"\n {8}copies: "👩‍🌾"/);
  });

  it("doesn't mistake a leading rule for front matter", () => {
    assert.equal(draft('markdown', { text: '---\na: b\n---\nc' }), '---\n---\n\n---\na: b\n---\nc');
    assert.equal(draft('markdown', { text: '\uFEFF---\n' }), '---\n---\n\n\uFEFF---\n');
    assert.equal(draft('text', { text: '---\na' }), '\\---  \na');
    assert.equal(draft('markdown', { text: 'a\n---' }), 'a\n---');
  });
});

describe('A new draft', () => {
  const parse = (text: string) => parseDraft(text, { keepFrontMatter: false, audiences: () => [] });

  it('names its bot and chats, with the names of the chats as comments', () => {
    const chats = [
      { kind: 'user', id: '7', name: 'Alice' },
      { kind: 'group', id: '5', name: 'Fern & Kettle: the shop' },
      { kind: 'group', id: 'big' },
    ] as const;
    assert.equal(
      emptyDraft({ botId: '30481126', chats }),
      `---
chat:
  bot: "30481126"
  groups:
    - "5" # Fern & Kettle: the shop
    - "big"
  people:
    - "7" # Alice
---

`,
    );
  });

  it('may name a file of recipients, and say what they are', () => {
    const people = emptyDraft({ chats: [], file: { name: 'team: a.csv', kind: 'person' } }, '  # a\n');
    assert.equal(people, '---\nchat:\n  recipients: "team: a.csv"\n  kind: person\n  # a\n---\n\n');
    const others = emptyDraft({ chats: [], file: { name: 'a.csv' } });
    assert.equal(others, '---\nchat:\n  recipients: "a.csv"\n---\n\n');
  });

  it('to be filled in is a snippet with a place for each thing, which a bot and notes cannot break', () => {
    assert.equal(
      draftSnippet('$1}', 'A $file', buttonComment('Text', 'a}')),
      `---
chat:
  bot: "\\$1\\}"
  groups: [$1]
  people: [$2]
  # recipients: people.csv # A \\$file
  # kind: person
  # buttons: [{text: Text, opens: "https://example.com"\\}] # a\\}
---

$0`,
    );
    assert.ok(!draftSnippet(undefined, '', '').includes('bot:'));
  });

  it('gets no recipients from the name of a chat', () => {
    for (const end of ['\n', '\r', '\u0085', '\u2028', '\u2029']) {
      const name = `a${end}    - "8"${end}---`;
      const { recipients, body, problems } = parse(`${emptyDraft({ chats: [{ kind: 'group', id: '5', name }] })}Hi`);
      assert.deepEqual(
        [recipients.map(({ kind, id }) => [kind, id]), body.end - body.start, problems],
        [[['group', '5']], 2, []],
      );
    }
  });

  it('that reminds of a delivery names it, with what it said in a comment that is never sent', () => {
    const note = 'Reminds of:';
    const follows = { delivery: '001700000000000-deliver0', text: 'Come?\r\n\n---\u2028chat: x\n{{name}} # y', note };
    const draft = emptyDraft({ botId: '1', chats: [{ kind: 'group', id: '5' }], follows });
    assert.equal(
      draft,
      `---
chat:
  # Reminds of:
  # > Come?
  # >
  # > --- chat: x
  # > {{name}} # y
  follows: "001700000000000-deliver0"
  bot: "1"
  groups:
    - "5"
---

`,
    );
    for (const keepFrontMatter of [false, true]) {
      const parsed = parseDraft(`${draft}Please answer.`, { keepFrontMatter, audiences: () => [] });
      assert.deepEqual([parsed.follows, parsed.problems, parsed.isTemplate], [follows.delivery, [], false]);
      assert.deepEqual(parsed.message?.content, { text: 'Please answer.' });
    }
  });

  it('quotes only the beginning of a long text', () => {
    const text = `${'x'.repeat(500)}\n${'line\n'.repeat(100)}`;
    const follows = { delivery: '001700000000000-deliver0', text, note: '' };
    const lines = emptyDraft({ chats: [], follows }).split('\n');
    assert.ok(lines.length < 40 && lines.every(({ length }) => length < 220));
    assert.ok(lines.includes('  # > …'));
  });

  it('of a message has its content, too', () => {
    const entry = v.parse(Listed, { msgId: 'm1', contentType: 'text', content: { text: 'Hi' } });
    const text = toDraft(entry, { botId: '1', chats: [{ kind: 'user', id: '7' }] });
    assert.equal(text, '---\nchat:\n  bot: "1"\n  people:\n    - "7"\n---\n\nHi');
  });

  it('that is already written says everything that it was given, and its body is never front matter', () => {
    const body = '---\ntype: html\n---\n\nNow buy!';
    const audiences = ['VIP: "all"', '- x'];
    const buttons = [[{ text: 'Docs', actionType: 1, url: 'https://a.example/?a=1#b', value: '' }]];
    const chats = [{ kind: 'group', id: '5' }] as const;
    const parsed = parseDraft(composeDraft({ body, type: 'text', audiences, buttons }, { botId: '1', chats }), {
      keepFrontMatter: false,
      audiences: () => audiences,
    });
    assert.deepEqual(parsed.message, {
      contentType: 'text',
      content: { text: body, buttons: [[{ text: 'Docs', actionType: 1, url: 'https://a.example/?a=1#b' }]] },
    });
    assert.deepEqual([parsed.bot?.id, parsed.recipients.map(({ id }) => id)], ['1', ['5']]);
    assert.deepEqual(
      parsed.audiences.map(({ name }) => name),
      audiences,
    );
    const bare = parse(composeDraft({ body, type: undefined, audiences: [], buttons: [] }, { chats: [] }));
    assert.deepEqual([bare.message, bare.recipients], [{ contentType: 'markdown', content: { text: body } }, []]);
    const withBlock = parse(
      composeDraft({ body: '---\nchat:\n  groups: [1]\n---\n\nHi', audiences: [], buttons: [] }, { chats }),
    );
    assert.deepEqual([withBlock.message, withBlock.recipients.map(({ id }) => id)], [undefined, ['5']]);
    assert.match(withBlock.problems.map(({ text }) => text).join(), /^This second chat: block would be sent as text\./);
  });
});
