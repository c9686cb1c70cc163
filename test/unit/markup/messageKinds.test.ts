import assert from 'node:assert/strict';
import * as v from 'valibot';
import { cardText } from '../../../src/markup/interactiveCard.ts';
import { knownType } from '../../../src/markup/messageContent.ts';
import { toDraft } from '../../../src/markup/messageDraft.ts';
import { contentMarkdown, toMarkdown } from '../../../src/markup/messageFormats.ts';
import { htmlEntry } from '../../../src/markup/rendered/exportHtml.ts';
import { markdownEntry } from '../../../src/markup/rendered/exportMarkdown.ts';
import { renderMarkdown } from '../../../src/markup/rendered/markdownHtml.ts';
import { toText } from '../../../src/markup/rendered/shownText.ts';
import { Listed } from '../../../src/service/message.ts';
import { exportLabels as labels, newConversation } from './exportLabels.ts';

type Content = Record<string, unknown>;

const listed = (contentType: string, content: Content) =>
  v.parse(Listed, { msgId: 'm1', senderId: '7', senderNickname: 'Ann', contentType, content });

function typeOf(contentType: string, content: Content) {
  const entry = listed(contentType, content);
  return entry.readable ? knownType(entry.message) : assert.fail();
}

/** The entry in both exports, without the sender and the marks of a quotation. */
function exported(contentType: string, content: Content) {
  const entry = listed(contentType, content);
  const render = (markdown: string) => renderMarkdown(markdown, { loadImages: false })?.html;
  const markdown = markdownEntry(entry, newConversation().next(entry), labels);
  const html = htmlEntry(entry, newConversation().next(entry), { labels, render });
  return { markdown, html };
}

const A2UI = `\`\`\`json
[
  { "version": "v0.9", "createSurface": { "surfaceId": "main", "catalogId": "https://a2ui.example/catalog.json" } },
  { "version": "v0.9", "updateComponents": { "surfaceId": "main", "components": [
    { "id": "root", "component": "Column", "children": ["title", "name", "go"] },
    { "id": "title", "component": "Text", "text": "Book a table[.OK]", "variant": "h1" },
    { "id": "name", "component": "TextField", "label": "Name", "value": { "path": "/name" } },
    { "id": "go", "component": "Button", "child": "goText", "action": { "event": { "name": "book" } } },
    { "id": "goText", "component": "Text", "text": "Book" } ] } }
]
\`\`\``;

describe('The type of a message', () => {
  it('is its own if its fields are known, and otherwise one that has a text', () => {
    for (const [contentType, content, expected] of [
      ['audioCall', { text: 'Call ended 00:12' }, 'other'],
      ['videoCall', { text: 'Missed' }, 'other'],
      ['unknown', { text: 'Hi' }, 'other'],
      ['constructor', { text: 'Hi' }, 'other'],
      ['post', { text: 'Hi', postId: '9' }, 'other'],
      ['post', { text: 'Hi', postTitle: 'Tea' }, 'post'],
      ['video', { text: 'Hi' }, 'other'],
      ['video', { videoKey: 'k' }, 'video'],
      ['audio', { audioKey: 'k' }, 'audio'],
      ['audio', { audioDuration: 4 }, 'audio'],
      ['audio', { audioUrl: 'a.m4a' }, 'audio'],
      ['expression', { imageName: 'a' }, 'expression'],
      ['expression', { imageUrl: 'a' }, 'expression'],
      ['expression', { expressionId: 7 }, 'expression'],
      ['expression', { stickerId: 7 }, 'expression'],
      ['expression', { stickerPackId: 7 }, 'expression'],
      ['expression', { text: 'Hi' }, 'other'],
      ['a2ui', { text: '{}' }, 'a2ui'],
      ['form', { formJson: [{ label: 'a' }] }, 'form'],
      ['a2ui', {}, undefined],
      ['unknown', { text: ' \n' }, undefined],
      ['unknown', { room: 7 }, undefined],
      ['other', {}, undefined],
    ] as const) {
      assert.equal(typeOf(contentType, content), expected, contentType);
    }
  });
});

describe('An exported message', () => {
  it('of a kind that has only a text is that text, and says what it is', () => {
    for (const [contentType, name] of [
      ['audioCall', 'Voice call'],
      ['videoCall', 'Video call'],
      ['liveAudio', 'Live audio'],
      ['post', 'Post'],
      ['unknown', 'Type unknown'],
      ['bot', 'Type bot'],
    ] as const) {
      const { markdown, html } = exported(contentType, { text: 'Call *ended*[.OK]\u200B', postId: '9' });
      assert.match(markdown, new RegExp(`${name}\n\n> Call \\\\\\*ended\\\\\\*👌\n$`));
      assert.match(
        html,
        new RegExp(`<span dir="auto">${name}</span></header>\n<div class="text" dir="auto">Call \\*ended\\*👌</div>`),
      );
    }
  });

  it('is the texts of an interactive card, or else its source', () => {
    const { markdown, html } = exported('a2ui', { text: A2UI });
    assert.match(markdown, /Card\n\n> Book a table👌 {2}\n> Name {2}\n> Book\n$/);
    assert.match(html, /<div class="text" dir="auto">Book a table👌\nName\nBook<\/div>/);
    const { markdown: source, html: sourceHtml } = exported('a2ui', { text: '```json\n{"a":1}\n```' });
    assert.match(source, /Card\n\n> ````\n> ```json\n> \{"a":1\}\n> ```\n> ````\n$/);
    assert.match(sourceHtml, /<pre>```json\n\{&quot;a&quot;:1\}\n```<\/pre>/);
  });

  it('has a form below its text', () => {
    const formJson = [
      { type: 'select', label: 'City', selectIndex: 1, selectValue: '北京' },
      { type: 'switch', label: 'Fast', value: false },
      { type: 'input', label: null, value: 'long *text*' },
      { type: 'input', label: 'Note', value: null },
    ];
    for (const contentType of ['text', 'markdown', 'form', 'unknown']) {
      const { markdown, html } = exported(contentType, { text: 'Answers', formJson });
      assert.match(markdown, /> Answers\n>\n> - City: 北京\n> - Fast: ☐\n> - long \\\*text\\\*\n> - Note:\n$/);
      assert.match(
        html,
        /Answers.*<\/div>\n<ul>\n<li><span class="quiet" dir="auto">City<\/span> <span class="text" dir="auto">北京</s,
      );
      assert.match(html, /<li><span class="text" dir="auto">long \*text\*<\/span><\/li>/);
    }
    assert.doesNotMatch(exported('unknown', { formJson }).html, /<ul>/);
  });

  it('has all of a long text in its form, on one line or several', () => {
    for (const value of ['word '.repeat(5_000).trim(), `First\n${'word '.repeat(5_000).trim()}`]) {
      const formJson = [{ label: 'Story', value }];
      for (const text of [toMarkdown(listed('form', { formJson })), exported('form', { formJson }).markdown])
        assert.equal(text.match(/word/g)?.length, 5_000);
    }
  });

  it('is the name and the key of a file without an address', () => {
    for (const [contentType, content] of [
      ['file', { fileKey: 'k/7f3a', fileName: 'a.pdf' }],
      ['video', { videoKey: 'k/7f3a', fileName: 'a.pdf' }],
      ['audio', { audioKey: 'k/7f3a', fileName: 'a.pdf' }],
    ] as const) {
      assert.equal(toMarkdown(listed(contentType, content)), 'a.pdf k/7f3a');
      assert.match(exported(contentType, content).html, /<div dir="auto">a\.pdf k\/7f3a<\/div>/);
    }
    assert.equal(toMarkdown(listed('file', { fileKey: 'k/7f3a' })), 'k/7f3a');
    assert.equal(
      toMarkdown(listed('file', { fileKey: 'k', fileName: 'a.pdf', fileUrl: 'https://a.example/a' })),
      '[a.pdf](<https://a.example/a>)',
    );
  });

  it('has the text that comes with media or with the title of a post', () => {
    for (const [kind, content] of [
      ['image', { imageUrl: 'https://x.y/a.png' }],
      ['image', {}],
      ['file', { fileName: 'a.pdf' }],
      ['video', { videoUrl: 'v.mp4' }],
      ['audio', { audioKey: 'k' }],
      ['expression', { stickerId: 5 }],
      ['post', { postTitle: 'Tea' }],
      ['post', { postTitle: 'Tea', postContent: null, postContentType: 1 }],
    ] as const) {
      const { markdown, html } = exported(kind, { ...content, text: 'with *these* words[.OK]' });
      assert.ok(markdown.includes('> with \\*these\\* words👌'), `${kind}: ${markdown}`);
      assert.ok(html.includes('>with *these* words👌<'), `${kind}: ${html}`);
      assert.match(toText(listed(kind, { ...content, text: 'with *these* words[.OK]' })), /with \*these\* words👌$/);
    }
  });

  it('has the note of a system message', () => {
    for (const content of [{ tip: 'Ann has[.OK] joined' }, { text: 'Ann', tip: 'has[.OK] joined' }]) {
      const { markdown, html } = exported('tip', content);
      assert.match(markdown, /Ann.* has👌 joined/);
      assert.match(html, /Ann.* ?has👌 joined/s);
    }
  });

  it("can't affect the entries after it, whatever other texts it has", () => {
    const long = 'a'.repeat(100_001);
    for (const [kind, content] of [
      ['post', { text: long, postContent: '[a]: https://x.y', postContentType: 2 }],
      ['markdown', { text: '[a]: https://x.y', postContent: long }],
      ['markdown', { text: `[a]: https://x.y\n${'b'.repeat(99_981)}@A\u200B` }],
    ] as const) {
      assert.match(exported(kind, content).markdown, /\[a\]\\: https/);
    }
  });

  it('has emoji for their codes, also in notes, buttons and quotations, but not in code', () => {
    const content = {
      text: '**好**[.OK]\u200B `[.OK]`',
      tip: 'a [.OK]',
      parent: 'Ben : b [.OK]',
      buttons: [[{ text: 'c [.OK]', actionType: 2, value: '[.OK]' }]],
    };
    const { markdown, html } = exported('markdown', content);
    for (const part of ['**好**👌 `[.OK]`', 'a 👌', 'b 👌', '`c 👌` Copies \\[.OK\\]'])
      assert.ok(markdown.includes(part), `${part} in ${markdown}`);
    for (const part of ['<strong>好</strong>👌 <code>[.OK]</code>', 'a 👌', 'b 👌', 'c 👌</b>', 'Copies [.OK]'])
      assert.ok(html.includes(part), `${part} in ${html}`);
    assert.equal(toMarkdown(listed('text', { text: '好的[.OK]' })), '好的👌');
    const formJson = [{ label: 'd [.OK]\u200B', value: '@Ben\u200B [.点赞]' }];
    assert.equal(toMarkdown(listed('form', { formJson })), '- d 👌: @Ben 👍');
    assert.equal(toText(listed('form', { formJson })), 'd 👌: @Ben 👍');
    assert.match(exported('form', { formJson }).html, />d 👌<\/span> <span class="text" dir="auto">@Ben 👍</);
    const fenced = '```\n[.OK]\n```\n[.点赞]';
    assert.equal(toMarkdown(listed('markdown', { text: fenced })), '```\n[.OK]\n```\n👍');
  });
});

describe('A message copied as Markdown', () => {
  it('has its quotation, command and note', () => {
    const { raw } = listed('text', { text: 'Berlin', tip: 'Only *you* see this[.OK]', parent: 'Ben : Where?' });
    assert.equal(
      toMarkdown(v.parse(Listed, { ...(raw as object), commandName: 'wea_ther_' })),
      '> Ben : Where?\n\nwea_ther\\_\n\nBerlin\n\nOnly \\*you\\* see this👌',
    );
    assert.equal(toMarkdown(listed('text', { text: null, tip: 'Gone' })), 'Gone');
  });
});

describe('A draft of a message', () => {
  it('keeps the emoji codes of Markdown', () => {
    assert.equal(toDraft(listed('markdown', { text: '好[.OK]\u200B `[.OK]`' })), '好[.OK] `[.OK]`');
    assert.equal(toDraft(listed('text', { text: '好[.OK]' })), '好👌');
  });
});

describe('The text of an interactive card', () => {
  it('is that of its components, with what is around it', () => {
    const line = '{"version":"v0.9","updateComponents":{"components":[{"component":"Text","text":"a"},{"title":"b"}]}}';
    for (const [source, text] of [
      [A2UI, 'Book a table[.OK]\nName\nBook'],
      [line, 'a\nb'],
      [`${line}\n\n${line}\n`, 'a\nb\na\nb'],
      [`\`\`\`json\r\n${line}\r\n\`\`\``, 'a\nb'],
      [`Hi\n\`\`\`\n${line}\n\`\`\`\nBye`, 'Hi\na\nb\nBye'],
      ['{"text":{"literalString":"a"},"label":7,"title":" "}', 'a'],
      ['{"text":"a `code` b"}', 'a `code` b'],
      ['{"text":"Run ```npm i```"}', 'Run ```npm i```'],
      ['```json\n{"text":"Run ```npm i``` now"}\n```\nBye', 'Run ```npm i``` now\nBye'],
      ['Hi\n``` json\n{"text":"a"}```\nBye', 'Hi\na\nBye'],
      ['Hi\n  ```json\n  {"text":"a"}\n  ```\nBye', 'Hi\na\nBye'],
    ] as const) {
      assert.equal(cardText(source), text, source);
    }
  });

  it("isn't known if it has none, can't be read or is too long", () => {
    const deep = `${'['.repeat(40_000)}${']'.repeat(40_000)}`;
    for (const source of ['{"text":"a"}\nHi', '{"text":"a"}\n{"text":'])
      assert.equal(cardText(source), undefined, source);
    for (const source of ['', 'Hi', '{', '[1]', '```json\n{"a":1}\n```', '```json\n{"text":', deep, '`'.repeat(90_000)])
      assert.equal(cardText(source), undefined, source.slice(0, 20));
    assert.equal(cardText(`{"text":"${'a'.repeat(100_000)}"}`), undefined);
  });

  it('is its source if nothing in it can be read', () => {
    assert.equal(contentMarkdown(listed('a2ui', { text: 'Hi' })), '```\nHi\n```');
  });
});
