import assert from 'node:assert/strict';
import * as v from 'valibot';
import { fold } from '../../../src/markup/caseFolding.ts';
import { firstLineOf, searchableText, toText } from '../../../src/markup/rendered/shownText.ts';
import { Listed } from '../../../src/service/message.ts';

const listed = (contentType: string, content: unknown) => v.parse(Listed, { msgId: 'm1', contentType, content });
const broken = v.parse(Listed, { broken: true });

/** What messages are as text. */
const expectAll = (cases: readonly (readonly [kind: string, content: object, expected: string])[]) => {
  for (const [kind, content, expected] of cases)
    assert.equal(toText(listed(kind, content)), expected, JSON.stringify(content));
};

/** Whether a search for some words finds a message. */
const finds = (contentType: string, text: string, words: string) =>
  fold(searchableText(listed(contentType, { text }))).includes(fold(words));

describe('A message as text', () => {
  it('is the text that people see, in any format', () => {
    for (const [kind, text, expected] of [
      ['text', '**a** <b>', '**a** <b>'],
      ['markdown', '**a** <b> &amp; `c`', 'a <b> & c'],
      ['html', '<b>a</b>&nbsp;&lt;<i>b</i>&gt;', 'a\u00A0<b>'],
    ] as const) {
      assert.equal(toText(listed(kind, { text })), expected, text);
    }
  });

  it('keeps the lines, lists and cells of Markdown and HTML, and the addresses behind links', () => {
    const markdown = [
      '# Menu',
      'Soup\nBread',
      '- [x] Tea\n- Cake\n  1. Plum\n  2. Lemon',
      '| Day | Time |\n|---|---|\n| Mon | 8:00 |',
      '```js\nlet a = 1;\n  b();\n```',
      '> [The shop](https://x.y/shop), <https://x.y/> and ![a cat](https://x.y/cat.png)',
    ].join('\n\n');
    const html =
      '<h1>Menu</h1><p>Soup<br>Bread</p><ul><li>Tea<li>Cake<ol><li>Plum</li><li>Lemon</li></ol></ul>' +
      '<table><tr><th>Day</th><th>Time</th></tr><tr><td>Mon</td><td>8:00</td></tr></table>' +
      '<pre>let a = 1;\n  b();</pre><blockquote><a href="https://x.y/shop">The <b>shop</b></a>, ' +
      '<a href="https://x.y/">https://x.y/</a> and <img src="https://x.y/cat.png" alt="a cat"></blockquote>';
    const expected = (tea: string) =>
      [
        'Menu',
        'Soup\nBread',
        `• ${tea}\n• Cake\n  1. Plum\n  2. Lemon`,
        'Day\tTime\nMon\t8:00',
        'let a = 1;\n  b();',
        'The shop (https://x.y/shop), https://x.y/ and a cat (https://x.y/cat.png)',
      ].join('\n\n');
    assert.equal(toText(listed('markdown', { text: markdown })), expected('☑ Tea'));
    assert.equal(toText(listed('html', { text: html })), expected('Tea'));
  });

  it('shows whether a switch of a form is on as pages do', () => {
    const formJson = [true, false].map((value) => ({ type: 'switch', label: 'Fast', value }));
    const form = listed('form', { formJson });
    for (const text of [toText(form), searchableText(form).trim()]) assert.equal(text, 'Fast: ☑\nFast: ☐');
  });

  it('includes the note and the command', () => {
    const content = { text: 'Berlin', tip: 'Only you see this.' };
    const message = { msgId: 'm1', contentType: 'text', content, commandName: 'weather' };
    assert.equal(toText(v.parse(Listed, message)), 'weather\n\nBerlin\n\nOnly you see this.');
  });

  it('is the name and address of an image or file', () => {
    assert.equal(toText(listed('image', { imageKey: 'k.jpg' })), 'k.jpg');
    assert.equal(toText(listed('image', { imageKey: 'k.jpg', imageUrl: 'https://x.y/k' })), 'https://x.y/k');
    assert.equal(toText(listed('file', { fileName: 'a.pdf', fileUrl: 'https://x.y/a' })), 'a.pdf https://x.y/a');
    assert.equal(toText(listed('file', { fileName: 'a.pdf', fileUrl: '' })), 'a.pdf');
  });

  it('is the name of media without an address or with an expired one', () => {
    const expired = 'https://x.y/files/k.png?sign=s&t=5f000000';
    expectAll([
      ['image', { imageName: 'k.jpg' }, 'k.jpg'],
      ['image', { imageUrl: 'k.jpg' }, 'k.jpg'],
      ['image', { imageName: 'a.jpg', imageUrl: expired }, 'a.jpg'],
      ['image', { imageUrl: expired }, 'k.png'],
      ['file', { fileName: 'a.pdf', fileUrl: 'a.pdf' }, 'a.pdf'],
      ['file', { fileName: 'a.pdf', fileUrl: expired }, 'a.pdf'],
      ['video', { videoUrl: 'v.mp4', videoDuration: 3 }, 'v.mp4'],
      ['video', { videoUrl: 'https://x.y/v' }, 'https://x.y/v'],
      ['audio', { audioUrl: 'a.m4a' }, 'a.m4a'],
      ['expression', { imageName: 'wave.webp', expressionId: '7' }, 'wave.webp'],
      ['expression', { expressionId: 7 }, '7'],
      ['file', { fileUrl: 'https://x.y?t=5f000000', fileKey: 'k' }, 'k'],
    ]);
    assert.equal(toText(listed('image', { imageUrl: expired }), 0x5f000000 * 1000 - 1), expired);
  });

  it('is the text of a post, form or system message', () => {
    const size = { label: 'Size', value: 'L' };
    expectAll([
      ['post', { postTitle: 'Tea', postContent: '*hot*' }, 'Tea\n\n*hot*'],
      ['form', { formJson: [size, { label: 'Note', value: null }] }, 'Size: L\nNote'],
      ['tip', { text: 'Ann joined.' }, 'Ann joined.'],
    ]);
  });

  it('starts with the quotation', () => {
    const media = { parentImgName: 'cat.jpg', parentVideoUrl: 'https://x.y/v/cat.mp4?t=1' };
    expectAll([
      ['text', { text: 'Yes.', parent: 'Ann : Soup?\nBread?' }, '> Ann : Soup?\n> Bread?\n\nYes.'],
      ['text', { text: 'Nice.', ...media }, '> cat.jpg · cat.mp4\n\nNice.'],
    ]);
  });

  it('includes mentions without the zero-width space after the name', () => {
    assert.equal(toText(listed('text', { text: '@Ann B\u200B and @C\u200B', at: ['1'] })), '@Ann B and @C');
    assert.equal(toText(listed('text', { text: 'a\u200Bb' })), 'a\u200Bb');
  });

  it('is the JSON of the content for unknown kinds and unreadable messages', () => {
    assert.equal(toText(listed('audio', { length: 3 })), '{\n  "length": 3\n}');
    assert.equal(toText(listed('file', { odd: 1 })), '{\n  "odd": 1\n}');
    assert.equal(toText(broken), '{\n  "broken": true\n}');
  });
});

describe('A search for what is shown', () => {
  it('finds words that markup runs through', () => {
    for (const [kind, text, words] of [
      ['markdown', '明天的**重要**会议', '重要会议'],
      ['html', '<div>明天的<b>重要</b>会议</div>', '重要会议'],
      ['markdown', 'an **un**important note', 'unimportant'],
      ['markdown', 'One **giant** step', 'giant step'],
      ['markdown', 'snake\\_case and [a link](https://x.y)s', 'snake_case and a links'],
      ['markdown', '~~Mon~~*day* `code` here', 'monday code here'],
      ['markdown', '![one\ntwo](https://x.y/a.png)', 'one two'],
      ['html', 'H<sub>2</sub>O is <span\nclass="x">wa</span>ter', 'h2o is water'],
      ['html', '<font color=red>W</font>ord', 'word'],
    ] as const) {
      assert.ok(finds(kind, text, words), text);
    }
  });

  it('finds what pages show although their HTML is broken', () => {
    for (const [html, words] of [
      ['<head><meta charset="utf-8"><style>p { margin: 0 }</style><p>hello</p>', 'hello'],
      ['<html><head><title>Page</title><body>hello</body></html>', 'hello'],
      ['<p>a</p><head>hello', 'hello'],
      ['<table><colgroup><col width="80"><tr><td>hello', 'hello'],
      ['<![if !mso]><b>hel<i>lo</b></i><![endif]></div>', 'hello'],
      ['<o:p>hel</o:p>lo', 'hello'],
      ['Fish &amp chips &lt3', 'fish & chips <3'],
    ] as const) {
      assert.ok(finds('html', html, words), html);
    }
  });

  it('finds decoded entities', () => {
    assert.ok(finds('html', '<p>AT&amp;T and R&amp;D</p>', 'AT&T'));
    assert.ok(finds('html', '<p>caf&eacute; &#21608;&#x672B; a&shy;b</p>', 'cafe 周末 ab'));
    assert.ok(finds('markdown', 'AT&amp;T &copy; &#20320;', 'at&t © 你'));
    assert.ok(finds('text', 'AT&amp;T', 'at&amp;t'));
  });

  it('separates blocks, cells and line breaks', () => {
    assert.equal(finds('html', '<p>one</p><p>two</p>', 'onetwo'), false);
    for (const html of ['<p>one</p><p>two</p>', 'one<br>two', '<ul><li>one<li>two</ul>', '<td>one</td><td>two</td>']) {
      assert.ok(finds('html', html, 'one two'), html);
      assert.equal(finds('html', html, 'onetwo'), false, html);
    }
    for (const markdown of ['one\n\ntwo', 'one\ntwo', '- one\n- two', '|one|two|\n|-|-|', '# one\ntwo']) {
      assert.ok(finds('markdown', markdown, 'one two'), markdown);
      assert.equal(finds('markdown', markdown, 'onetwo'), false, markdown);
    }
  });

  it('finds emoji, and not the codes that apps draw as emoji', () => {
    for (const kind of ['text', 'markdown', 'html', 'tip', 'location']) {
      assert.ok(finds(kind, '好的[.OK]\u200B!', '好的👌!'), kind);
      assert.equal(finds(kind, '好的[.OK]\u200B!', '[.OK]'), false, kind);
    }
    assert.ok(finds('html', '<code>[.OK]</code>', '[.OK]'));
  });

  it("doesn't find what isn't shown", () => {
    for (const [kind, text, words] of [
      ['html', '<div class="card"><p>hello</p></div>', 'div'],
      ['html', '<div class="card"><p>hello</p></div>', 'card'],
      ['html', '<p style="color: red">hello</p><!-- secret -->', 'red'],
      ['html', '<p>hello</p><!-- secret -->', 'secret'],
      ['html', '<!--[if mso]><p>secret</p><![endif]--><p>hello</p>', 'secret'],
      ['html', '<a href="https://x.y/"><img src="https://x.y/secret.png" alt=""></a>', 'secret'],
      ['html', '<style>.a { margin: 0 }</style><script>alert(1)</script>hello', 'margin'],
      ['html', '<head><title>Page</title></head>hello<svg><text>drawn</text></svg>', 'drawn'],
      ['markdown', '[The shop](https://x.y/shop "hours")', 'x.y'],
      ['markdown', '```js\nlet a;\n```', 'js'],
      ['markdown', '**bold**', '**'],
    ] as const) {
      assert.equal(finds(kind, text, words), false, `${text} › ${words}`);
    }
  });

  it('finds the actual host of a link that names another, as it is shown', () => {
    assert.ok(finds('markdown', '[bank.example](https://evil.example/)', 'bank.example (→ evil.example)'));
    assert.ok(finds('html', '<a href="https://evil.example/">bank.example</a>', '(→ evil.example)'));
    assert.ok(finds('text', 'https://bank.example@evil.example/', '(→ evil.example)'));
  });

  it('finds what cannot be read by its JSON', () => {
    assert.equal(searchableText(broken), '{"broken":true}');
  });

  it('finds buttons, notes, commands, quotes, and the fields of forms and media', () => {
    const buttons = [[{ text: 'Order', actionType: 1 }]];
    const content = { fileName: 'a.pdf', tip: 'a note', parent: 'Ben : Soup?', buttons };
    const sender = { senderNickname: 'Ann', senderId: '7058314' };
    const entry = v.parse(Listed, { msgId: 'm1', contentType: 'file', commandName: 'weather', ...sender, content });
    assert.equal(searchableText(entry), 'a.pdf\na note\nweather\nOrder\nBen\nSoup?\nAnn\n7058314');
    for (const [kind, content, words] of [
      ['file', { fileName: 'a.pdf', fileUrl: 'https://x.y/a.pdf', fileKey: 'k7f3a' }, 'k7f3a'],
      ['video', { videoUrl: 'v.mp4', videoKey: 'k7f3a' }, 'k7f3a'],
      ['expression', { imageName: 'sticker/a.webp', stickerId: 4171 }, '4171'],
      ['expression', { imageName: 'sticker/a.webp', stickerPackId: 4171 }, '4171'],
      ['image', { imageKey: 'k', text: 'with words' }, 'with words'],
    ] as const) {
      assert.ok(searchableText(listed(kind, content)).includes(words), `${kind} › ${words}`);
    }
    const mentioning = listed('text', { text: '@Ann\u200B hi', at: ['7102649', '30481126', '7102649'] });
    assert.equal(searchableText(mentioning), '@Ann hi\n7102649, 30481126');
    const { raw } = listed('expression', { imageName: 'a.webp', expressionId: 0 });
    assert.equal(searchableText(v.parse(Listed, { ...(raw as object), senderId: '' })).includes('0'), false);
  });
});

describe('The first line of a message', () => {
  const firstLine = (kind: string, content: object) => {
    const entry = listed(kind, content);
    return entry.readable ? firstLineOf(entry.message) : assert.fail();
  };

  it('is what is shown first', () => {
    for (const [kind, content, expected] of [
      ['markdown', { text: '---\n# **Menu**\nSoup' }, 'Menu'],
      ['markdown', { text: '```\nlet a;\n```' }, 'let a;'],
      ['html', { text: '<style>p { margin: 0 }</style><p>Soup &amp; <b>bread</b></p>' }, 'Soup & bread'],
      ['text', { text: '\n…\n*Soup*' }, '*Soup*'],
      ['image', { imageKey: 'k.jpg' }, 'k.jpg'],
      ['post', { postTitle: 'Tea' }, 'Tea'],
      ['text', { text: '---\n👍' }, '👍'],
      ['text', { text: '—\n🇨🇳' }, '🇨🇳'],
      ['text', { text: '[.点赞]\u200B' }, '👍'],
      ['markdown', { text: '[.点赞]' }, '👍'],
      ['text', { text: '\n ？？？ \n!!!' }, '？？？'],
      ['expression', { imageName: '…' }, '…'],
      ['location', { latitude: 1 }, 'location'],
      ['audio', { audioDuration: 4 }, 'audio'],
      ['image', {}, 'image'],
      ['post', { postId: '7' }, 'post'],
      ['video', { videoUrl: 'https://a.example/v/a%20cat.mp4?sign=s&t=ffffffff' }, 'a cat.mp4'],
      ['text', { text: '' }, 'text'],
      ['text', { text: ' \n\u200E\u3000' }, 'text'],
    ] as const) {
      assert.equal(firstLine(kind, content), expected, JSON.stringify(content));
    }
  });

  it('is cut between characters', () => {
    const line = firstLine('text', { text: `a${'😀'.repeat(200)}` });
    assert.equal(line, `a${'😀'.repeat(59)}…`);
  });
});
