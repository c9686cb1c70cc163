import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as v from 'valibot';
import { embedMarkdown } from '../../../../../src/markup/embedMarkdown.ts';
import { toDraft } from '../../../../../src/markup/messageDraft.ts';
import { textOf } from '../../../../../src/markup/template.ts';
import { Listed } from '../../../../../src/service/message.ts';
import { hasMistake, read, unmark, withBlock } from './read.ts';

describe('A draft', () => {
  it('is the unchanged text of a document without front matter', () => {
    for (const text of ['Hello', '# 今天\r\n\r\n- a\n', '  indented\n\n\n', 'a\n---\nb\n---', '*']) {
      const { message, hasBlock, body } = read(text);
      assert.deepEqual(message, { contentType: 'markdown', content: { text } });
      assert.equal(hasBlock, false);
      assert.deepEqual(body, { start: 0, end: text.length });
    }
  });

  it('requires a message', () => {
    for (const text of ['', ' ', '\n\r\n\t', '\u00A0\u3000', '\uFEFF', '---\na: b\n---\n\n ']) {
      const [{ text: said } = assert.fail(), ...others] = read(text).problems;
      assert.equal(said, 'The message is empty.');
      assert.deepEqual(others, []);
    }
    hasMistake('---\na: b\n---\n‹\u200B\n\u2060›', 'The message has only invisible characters.');
  });

  it('names its bot, recipients and buttons in the chat block', () => {
    const marked = `---
title: Sale
chat:
  bot: ‹30481126›
  groups: [‹518204736›, ‹big›]
  people:
    - ‹007›
  audiences: [‹customers›]
  buttons:
    - - text: Docs
        opens: https://example.com
      - text: Copy code
        copies: ABC
    - - text: I will come
        reports: yes-7
---

‹Come!
›`;
    const { text, places } = unmark(marked);
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
    assert.equal(bot?.id, '30481126');
    assert.deepEqual(
      recipients.map(({ kind, id }) => `${kind} ${id}`),
      ['group 518204736', 'group big', 'user 007'],
    );
    assert.deepEqual(
      audiences.map(({ name }) => name),
      ['customers'],
    );
    const found = [bot, ...recipients, ...audiences, body].map(({ start, end }) => ({ start, end }));
    assert.deepEqual(found, places);
    assert.ok(hasBlock);
    assert.deepEqual(problems, []);
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
      assert.equal(hasBlock, true);
      assert.deepEqual(recipients, []);
      assert.deepEqual(problems, []);
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
    const marked = withBlock(
      'buttons:',
      '- { text: a, actionType: 1, url: "http://x.y" }',
      '- { text: a, actionType: "2", value: v }',
      '- { text: a, actionType: 3, value: 05 }',
      '- { text: a, actionType: ‹9›, url: u, value: v }',
    );
    assert.deepEqual(read(unmark(marked).text).message?.content.buttons, [
      [
        { text: 'a', actionType: 1, url: 'http://x.y' },
        { text: 'a', actionType: 2, value: 'v' },
        { text: 'a', actionType: 3, value: '05' },
        { text: 'a', actionType: 9, url: 'u', value: 'v' },
      ],
    ]);
    hasMistake(marked, 'warning: Action type 9 might not do anything.');
  });

  it('reads back a message that was turned into a draft', () => {
    const texts = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== '');
    const visible = texts.filter((text) => textOf(text) !== '');
    const button = fc.oneof(
      fc.record({ text: texts, actionType: fc.constant(1), url: fc.webUrl() }, { noNullPrototype: true }),
      fc.record({ text: texts, actionType: fc.constantFrom(2, 3), value: texts }, { noNullPrototype: true }),
    );
    const rows = fc.array(fc.array(button, { minLength: 1, maxLength: 3 }), { maxLength: 3 });
    fc.assert(
      fc.property(
        rows,
        fc.oneof(visible, fc.constantFrom('---\na: b\n---\nc', '\n\n x', '\uFEFF---\n')),
        (buttons, text) => {
          const entry = v.parse(Listed, { msgId: '1', contentType: 'markdown', content: { text, buttons } });
          // HTML and links to anything except the web are removed.
          const content = { text: embedMarkdown(text), ...(buttons.length > 0 && { buttons }) };
          assert.deepEqual(read(toDraft(entry)).message, { contentType: 'markdown', content });
        },
      ),
    );
  });
});
