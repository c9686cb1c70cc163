import assert from 'node:assert/strict';
import * as v from 'valibot';
import {
  HTML_ENDING,
  htmlEntry,
  htmlHeading,
  htmlJsonBlock,
  type MarkdownRenderer,
} from '../../../src/markup/rendered/exportHtml.ts';
import { markdownEntry, markdownHeading, markdownJsonBlock } from '../../../src/markup/rendered/exportMarkdown.ts';
import { renderMarkdown } from '../../../src/markup/rendered/markdownHtml.ts';
import { Listed } from '../../../src/service/message.ts';
import { exportLabels, newConversation } from './exportLabels.ts';

const render = (markdown: string) => renderMarkdown(markdown, { loadImages: false })?.html ?? '';

const raw = {
  msgId: 'm2',
  parentId: 'm1',
  senderId: '30481126',
  senderType: 'bot',
  senderNickname: 'Weather',
  contentType: 'text',
  sendTime: 1_700_000_000_123,
  commandName: '/weather',
  content: {
    text: '1. rain\n# sun',
    tip: 'Every morning',
    buttons: [[{ text: 'More', actionType: 1, url: 'https://x.y' }]],
  },
};
/** Tuesday, March 3, 2026, 23:58 in Shanghai. */
const EVENING = Date.UTC(2026, 2, 3, 15, 58);

const entryOf = (change: object = {}) => v.parse(Listed, { ...raw, ...change });

/** Documents of these entries, without headings. */
function toMarkdown(entries: Listed[], now?: number): string {
  const conversation = newConversation();
  return entries.map((entry) => markdownEntry(entry, conversation.next(entry), exportLabels, now)).join('');
}
function toHtml(entries: Listed[], render?: MarkdownRenderer, now?: number): string {
  const conversation = newConversation();
  const options = { labels: exportLabels, ...(render && { render }), ...(now !== undefined && { now }) };
  return entries.map((entry) => htmlEntry(entry, conversation.next(entry), options)).join('');
}

const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>\u202E\u0007';

const INVISIBLE = /(?!\n)[\p{Cc}\p{Cf}]/u;
const ALLOWED =
  'article blockquote header b time p a br div ul li span pre id class dir href title rel datetime h2'.split(' ');

/** The names of all elements and attributes. */
function namesIn(html: string): Set<string> {
  const tags = [...html.matchAll(/<[!/]?(\w[^>]*)>/g)].map(([, tag = '']) => tag.replace(/"[^"]*"/g, ''));
  return new Set(tags.flatMap((tag) => tag.match(/[\w-]+/g) ?? []));
}

describe('A chat exported as Markdown', () => {
  it('starts with a heading and facts', () => {
    const facts = ['Chat: *big*', 'Today'];
    assert.equal(markdownHeading({ title: 'Town\n# x', facts }), '# Town # x\n\n- Chat: \\*big\\*\n- Today\n');
    const html = htmlHeading({ title: 'Town', facts: ['Chat: <big>', 'Today'] }, exportLabels);
    assert.ok(html.endsWith('<body>\n<h1>Town</h1>\n<p class="quiet">Chat: &lt;big&gt;<br>\nToday</p>\n'), html);
  });

  it('includes the sender, time, reply, command, content, note and buttons of each message', () => {
    assert.equal(
      toMarkdown([entryOf()]),
      `
Times are UTC+08:00 (Asia/Shanghai).

## Wednesday, November 15, 2023

**Weather** (Bot 30481126) · 6:13 AM · Command /weather

> > Reply to an earlier message
>
> 1\\. rain  
> \\# sun

> Every morning

- \`More\` Opens https://x.y
`,
    );
  });

  it('reads like a conversation: a heading a day, a name above the messages of a sender, the quotation in a reply', () => {
    const ann = { senderId: '7', senderType: 'user', senderNickname: 'Ann', contentType: 'text', commandName: '' };
    const say = (msgId: string, text: string, minutes: number, change: object = {}) =>
      entryOf({ ...ann, msgId, content: { text }, parentId: '', sendTime: EVENING + minutes * 60_000, ...change });
    const ben = { senderId: '8', senderNickname: 'Ben' };
    assert.equal(
      toMarkdown([
        say('a', 'Soup?', 0),
        say('b', 'Or *bread*?', 1),
        say('c', 'Soup.', 1, { ...ben, parentId: 'a' }),
        say('d', 'Ann joined.', 2, { ...ben, contentType: 'tip' }),
        say('e', 'Good.', 2, ben),
        say('f', 'Both!', 9, { ...ben, parentId: 'b', content: { text: 'Both!', parent: 'Ann : Or bread?' } }),
      ]),
      `
Times are UTC+08:00 (Asia/Shanghai).

## Tuesday, March 3, 2026

**Ann** (7) · 11:58 PM

> Soup?

11:59 PM

> Or \\*bread\\*?

**Ben** (8) · 11:59 PM

> > Ann: Soup?
>
> Soup.

## Wednesday, March 4, 2026

12:00 AM · Ann joined.

**Ben** (8) · 12:00 AM

> Good.

12:07 AM

> > Ann: Or bread?
>
> Both!
`,
    );
  });

  it('names what is unknown', () => {
    const unknown = { senderNickname: '', senderId: '', senderType: '', parentId: '', commandName: '' };
    const expected = /^\n\*\*\?\*\* · time unknown\n\n> 1/;
    for (const sendTime of [null, 9e15]) assert.match(toMarkdown([entryOf({ ...unknown, sendTime })]), expected);
  });

  it('isolates each message from the next, whatever its Markdown opens', () => {
    const opening = ['```\nnever closed', '<!-- never closed', '> quote', '| a |\n| - |', '<div>', '- list\n\n  more'];
    for (const text of opening) {
      const other = entryOf({ contentType: 'markdown', senderId: '7', content: { text } });
      const rendered = render(toMarkdown([other, entryOf()]));
      assert.equal([...rendered.matchAll(/^<p><strong>Weather/gm)].length, 2, text);
    }
  });

  it('says where links lead whose text names another target', () => {
    const of = (text: string, content: object = { text }) =>
      toMarkdown([entryOf({ contentType: 'postContent' in content ? 'post' : 'markdown', content, parentId: '' })]);
    const link = '[https://bank.example](https://evil.example/x)';
    const note = '\n\n> - https://bank.example → evil.example\n';
    for (const [text, expected] of [
      [link, note],
      [
        `${link} [a](https://a.example)\n\n- ![https://b.example](https://c.example)`,
        `${note}> - https://b.example → c.example\n`,
      ],
      ['[**https&#58;//bank.example**\nx](https://evil.example)', '\n\n> - https://bank.example x → evil.example\n'],
      ['<https://bank.example@evil.example>', '\n\n> - https://bank.example@evil.example → evil.example\n'],
    ] as const) {
      assert.ok(of(text).endsWith(expected), of(text));
    }
    assert.ok(of('', { postContent: link, postContentType: 2 }).endsWith(note));
    const plain = toMarkdown([entryOf({ content: { text: 'https://bank.example@evil.example' }, parentId: '' })]);
    assert.ok(plain.endsWith('\n\n> - https://bank.example@evil.example → evil.example\n'), plain);
    for (const text of ['[bank.example](https://bank.example)', `\`${link}\``, `\`\`\`\n${link}`])
      assert.ok(!of(text).includes('→'), of(text));
    // Too many to look at, or too deep.
    for (const text of [link.repeat(2_100), `${'>'.repeat(40)}${link}`])
      assert.ok(of(text).includes(`\n\n> \`\`\`markdown\n> ${text}\n`), text);
  });

  it('labels images, files, HTML and unknown kinds', () => {
    const of = (contentType: string, content: object) =>
      toMarkdown([entryOf({ contentType, content, parentId: '', commandName: '' })]);
    assert.match(of('image', { imageKey: 'k' }), / · 6:13 AM · Image\n\n> k\n$/);
    assert.match(of('file', { fileName: 'a', fileUrl: 'https://x.y' }), / · File\n\n> \[a\]\(<https:\/\/x\.y>\)\n$/);
    const sized = of('file', { fileName: 'a', fileUrl: 'a', fileSize: 1_536_000 });
    assert.match(sized, / · File · 1\.5 MB\n\n> a\n$/);
    assert.match(of('html', { text: '<p>' }), / · HTML source\n\n> ```html\n> <p>\n> ```\n$/);
    assert.match(of('audio', { length: 3 }), / · Kind audio\n\n> ```json\n> \{\n> {3}"length": 3\n> \}\n> ```\n$/);
  });

  it('shows all of a quotation, with its media', () => {
    const text = (content: object) => toMarkdown([entryOf({ commandName: '', content: { text: 'Yes.', ...content } })]);
    assert.match(
      text({ parent: 'Ann : *Soup*?\nOr', parentImgName: 'a.jpg' }),
      /\n\n> > Ann: \\\*Soup\\\*\? {2}\n> > Or · a\.jpg\n>\n> Yes\.\n$/,
    );
    assert.match(text({ parentVideoUrl: 'v.mp4' }), /\n\n> > Video · v\.mp4\n>\n> Yes\.\n$/);
  });

  it('shows a system message as a single line', () => {
    const text = toMarkdown([entryOf({ contentType: 'tip', content: { text: '# Ann\njoined.' } })]);
    assert.match(text, /2023\n\n6:13 AM · # Ann joined\.\n$/);
  });

  it('shows a duration in minutes or hours, if it is one', () => {
    const captionOf = (videoDuration: number) =>
      /· (Video.*)/.exec(
        toMarkdown([entryOf({ contentType: 'video', content: { videoUrl: 'v.mp4', videoDuration } })]),
      )?.[1];
    for (const [seconds, caption] of [
      [0, 'Video'],
      [-5, 'Video'],
      [1e9, 'Video'],
      [9, 'Video · 0:09'],
      [59.6, 'Video · 1:00'],
      [3_599, 'Video · 59:59'],
      [3_723, 'Video · 1:02:03'],
    ] as const)
      assert.equal(captionOf(seconds), caption, `${seconds}`);
  });

  it('shows the duration of a video, and that an address has expired', () => {
    const content = { videoUrl: 'https://x.y/v.mp4?sign=a&t=5f000000', videoDuration: 83 };
    const entry = entryOf({ contentType: 'video', commandName: '', parentId: '', content });
    const before = 0x5f000000 * 1000 - 1;
    assert.match(toMarkdown([entry]), / · Video · 1:23 · Expired\.\n\n> v\.mp4\n$/);
    assert.match(toMarkdown([entry], before), / · Video · 1:23\n\n> \[https:/);
    assert.match(toHtml([entry]), /Video · 1:23 · Expired\.<\/span><\/header>\n<div dir="auto">v\.mp4<\/div>/);
    assert.match(toHtml([entry], undefined, before), /Video · 1:23<\/span><\/header>\n<div dir="auto"><a href="https:/);
  });

  it('says what each button does', () => {
    const buttons = [
      { text: 'Open', actionType: 1, value: 'https://x.y' },
      { text: 'Copy', actionType: 2, value: '#7' },
      { text: 'Tell', actionType: 3, value: 'yes' },
      { text: '', actionType: 9, url: 'u', value: 'v' },
      { text: 'a`b', actionType: 9 },
      { text: '`c`' },
    ].map((button) => [button]);
    const lines = [
      '`Open` Opens https://x.y',
      '`Copy` Copies #7',
      '`Tell` Reports yes',
      '… Action 9 · u · v',
      '``a`b`` Action 9',
      '`` `c` `` Action ?',
    ];
    const text = toMarkdown([entryOf({ content: { text: 'a', buttons } })]);
    assert.ok(text.endsWith(`\n\n${lines.map((line) => `- ${line}\n`).join('')}`), text);
  });

  it('has what is too long as JSON in a block that nothing in it ends, with its sender and time', () => {
    const entry = entryOf({ content: { text: '```\u202E' } });
    const setting = newConversation().next(entry);
    const json = JSON.stringify(entry.raw);
    const markdown = markdownJsonBlock(json, setting, exportLabels);
    const text = [markdown.begin, markdown.piece(json), markdown.end].join('');
    assert.match(text, /\n\*\*Weather\*\* \(Bot 30481126\) · 6:13 AM\n\nToo long:\n\n> ````json\n> \{.*\}\n> ````\n$/);
    assert.ok(text.includes('```⟨U+202E⟩'));
    const html = htmlJsonBlock(entry, setting, exportLabels);
    const page = [html.begin, html.piece(json), html.end].join('');
    assert.match(
      page,
      /Weather<\/b>.*<p class="quiet">Too long:<\/p><pre dir="auto">\{&quot;.*⟨U\+202E⟩.*\}<\/pre><\/article>\n$/s,
    );
  });

  it('shows an unreadable message as JSON', () => {
    assert.equal(
      toMarkdown([v.parse(Listed, { broken: '```' })]),
      '\nCould not be read:\n\n> ````json\n> {\n>   "broken": "```"\n> }\n> ````\n',
    );
  });

  it('escapes invisible characters', () => {
    const content = { text: 'c\u200Bd', buttons: [{ text: '\u2066', value: '\u0007' }] };
    const text = toMarkdown([entryOf({ senderNickname: 'a\u202Eb', contentType: 'markdown', content })]);
    for (const escaped of ['a⟨U+202E⟩b', 'c⟨U+200B⟩d', '⟨U+2066⟩', '⟨U+0007⟩'])
      assert.ok(text.includes(escaped), escaped);
    assert.doesNotMatch(text, INVISIBLE);
  });

  it('keeps marks that ordinary texts need, but not in the name of a file', () => {
    assert.ok(toMarkdown([entryOf({ content: { text: 'Donau\u00ADdampfer' } })]).includes('Donau\u00ADdampfer'));
    const file = entryOf({ contentType: 'file', content: { fileName: 'Donau\u00ADdampfer' } });
    assert.ok(toMarkdown([file]).includes('Donau⟨U+00AD⟩dampfer'));
  });

  it('has nothing below the heading of a blank message', () => {
    const blank = { contentType: 'markdown', parentId: '', commandName: '', content: { text: ' \n ' } };
    assert.ok(toMarkdown([entryOf(blank)]).endsWith(' · 6:13 AM\n'));
  });
});

describe('A chat exported as HTML', () => {
  it('is a self-contained document that loads nothing', () => {
    const heading = htmlHeading({ title: `Town ${hostile}`, facts: [`Chat: ${hostile}`] }, exportLabels);
    const html = heading + HTML_ENDING;
    assert.match(html, /^<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n/);
    assert.ok(html.includes(`content="default-src 'none'; style-src 'unsafe-inline'"`));
    assert.ok(html.includes('prefers-color-scheme: dark'));
    assert.match(html, /<\/body>\n<\/html>\n$/);
    assert.doesNotMatch(html, /url\(/);
    assert.doesNotMatch(html, INVISIBLE);
    assert.deepEqual(
      [...namesIn(html)].filter((name) => /^(?:script|img|link|iframe|src|on.*)$/.test(name)),
      [],
    );
  });

  it('includes the sender, time, reply, command, content, note and buttons of each message', () => {
    assert.equal(
      toHtml([entryOf()]),
      `<p class="quiet">Times are UTC+08:00 (Asia/Shanghai).</p>
<h2>Wednesday, November 15, 2023</h2>
<article id="message-m2" class="first">
<header><b dir="auto">Weather</b> Bot 30481126 · <time datetime="2023-11-14T22:13:20.123Z">6:13 AM</time> · <span dir="auto">Command /weather</span></header>
<blockquote class="quiet" dir="auto">Reply to an earlier message</blockquote>
<div class="text" dir="auto">1. rain\n# sun</div>
<p class="quiet" dir="auto">Every morning</p>
<ul>
<li><b dir="auto">More</b> <span class="quiet">Opens https://x.y</span></li>
</ul>
</article>
`,
    );
  });

  it('shows a day once, and a sender once above consecutive messages', () => {
    const html = toHtml([entryOf(), entryOf({ msgId: 'm3' }), entryOf({ msgId: 'm4', senderId: '7' })]);
    assert.equal([...html.matchAll(/<h2>/g)].length, 1);
    assert.deepEqual(
      [...html.matchAll(/<article id="([^"]*)"( class="first")?>\n<header>(<b)?/g)].map(([, ...all]) => all),
      [
        ['message-m2', ' class="first"', '<b'],
        ['message-m3', undefined, undefined],
        ['message-m4', ' class="first"', '<b'],
      ],
    );
  });

  it('links a reply to its parent if that is in the document', () => {
    const soup = { parentId: '', senderNickname: 'Ann', content: { text: 'Soup <b>?' } };
    const parent = entryOf({ msgId: 'a"b"%20中', ...soup });
    const replies = [{}, { text: 'Yes.', parent: 'Anna : <Soup>?' }].map((content) =>
      entryOf({ parentId: 'a"b"%20中', content }),
    );
    const html = toHtml([parent, ...replies]);
    const found = html.matchAll(/<blockquote class="quiet" dir="auto">(.*)<\/blockquote>/g);
    const quotations = Array.from(found, ([, quotation]) => quotation);
    assert.deepEqual(quotations, [
      '<a href="#message-a%22b%22%2520%E4%B8%AD">Reply to Ann</a><br>Soup &lt;b&gt;?',
      '<a href="#message-a%22b%22%2520%E4%B8%AD">Reply to Anna</a><br>&lt;Soup&gt;?',
    ]);
    const without = toHtml([entryOf({ parentId: '', content: { text: 'Yes.', parent: 'Ann : <Soup>?' } })]);
    const quotation = '<blockquote class="quiet" dir="auto">Reply to Ann<br>&lt;Soup&gt;?</blockquote>';
    assert.ok(without.includes(quotation), without);
  });

  it('shows a system message without a sender', () => {
    const html = toHtml([entryOf({ contentType: 'tip', content: { text: 'Ann <joined>.' } })]);
    const time = '<time datetime="2023-11-14T22:13:20.123Z">6:13 AM</time>';
    const header = `<header>${time} · <span dir="auto">Ann &lt;joined&gt;.</span></header>`;
    assert.ok(html.endsWith(`<article id="message-m2">\n${header}\n</article>\n`), html);
  });

  it('has no exact time of a message without one', () => {
    for (const sendTime of [null, 9e15])
      assert.match(toHtml([entryOf({ sendTime })]), /<\/b> Bot 30481126 · <time>time unknown<\/time> · /);
    const tip = toHtml([entryOf({ contentType: 'tip', sendTime: null, content: { text: 'Ann joined.' } })]);
    assert.match(tip, /^<article id="message-m2">\n<header><time>time unknown<\/time> · .*Ann joined/);
  });

  it('has only the time of a message whose sender is above it', () => {
    const [, second] = toHtml([entryOf(), entryOf({ msgId: 'm3', commandName: '' })]).split(
      '<article id="message-m3">',
    );
    assert.ok(
      second?.startsWith('\n<header><time datetime="2023-11-14T22:13:20.123Z">6:13 AM</time></header>\n'),
      second,
    );
  });

  it('has the notes and buttons of a system message', () => {
    const buttons = [
      [
        { text: 'Undo', actionType: 3, value: 'u' },
        { text: '', actionType: 2, value: 'v' },
      ],
    ];
    const content = { text: 'Ann joined.', tip: 'Say hi', at: ['8'], buttons };
    const html = toHtml([entryOf({ contentType: 'tip', content })]);
    const texts = ['Ann joined.', 'Mentions 8', 'Say hi'].map((text) => `<span dir="auto">${text}</span>`);
    assert.ok(html.includes(` · ${texts.join(' · ')}</header>\n<ul>\n<li><b dir="auto">Undo</b>`), html);
    assert.ok(
      html.includes('<li><b dir="auto">…</b> <span class="quiet">Copies v</span></li>\n</ul>\n</article>\n'),
      html,
    );
    const notice = '6:13 AM · Ann joined. · Mentions 8 · Say hi';
    const markdown = toMarkdown([entryOf({ contentType: 'tip', content })]);
    assert.ok(markdown.endsWith(`\n\n${notice}\n\n- \`Undo\` Reports u\n- … Copies v\n`), markdown);
  });

  it('shows a message that cannot be read as JSON', () => {
    assert.equal(
      toHtml([v.parse(Listed, { broken: '<' })]),
      '<article><p class="quiet">Could not be read:</p><pre>{\n  &quot;broken&quot;: &quot;&lt;&quot;\n}</pre></article>\n',
    );
    const entry = v.parse(Listed, { broken: true });
    const setting = newConversation().next(entry);
    const { begin, end } = htmlJsonBlock(entry, setting, exportLabels);
    assert.equal(begin + end, '<article><p class="quiet">Too long:</p><pre dir="auto"></pre></article>\n');
    const { begin: fence } = markdownJsonBlock('{}', setting, exportLabels);
    assert.equal(fence, '\nToo long:\n\n> ```json\n> ');
  });

  it('quotes what a reply answers even if nobody knows who said it', () => {
    const nobody = { senderNickname: '', senderId: '', parentId: '' };
    const own = toHtml([entryOf({ ...nobody, content: { text: 'Yes.', parent: 'Soup?' } })]);
    assert.ok(own.includes('<blockquote class="quiet" dir="auto">Soup?</blockquote>'), own);
    const parent = entryOf({ ...nobody, msgId: 'a', content: { text: 'Soup?' } });
    const linked = toHtml([parent, entryOf({ parentId: 'a' })]);
    assert.ok(linked.includes('<a href="#message-a">Reply to ?</a><br>Soup?</blockquote>'), linked);
  });

  it('shows posts and forms', () => {
    const of = (contentType: string, content: object) =>
      toHtml([entryOf({ contentType, content, parentId: '' })], render);
    const post = of('post', { postTitle: 'Tea', postContent: '*hot*', postContentType: 2 });
    const title = '<div dir="auto"><b>Tea</b></div>';
    assert.ok(post.includes(` · <span dir="auto">Post</span></header>\n${title}<div dir="auto"><p><em>hot</em>`), post);
    const form = of('form', { formJson: [{ label: 'Size', value: null }] });
    assert.ok(
      form.includes('<li><span class="quiet" dir="auto">Size</span> <span class="text" dir="auto">—</span></li>'),
      form,
    );
  });

  it('keeps the lines of notes and of what was entered in forms', () => {
    const content = { text: 'a', tip: 'b\nc', formJson: [{ label: 'Why', value: 'd\ne' }] };
    const html = htmlHeading({ title: '', facts: [] }, exportLabels) + toHtml([entryOf({ content })]);
    assert.match(html, /^\.text, article > \.quiet, pre \{ white-space: pre-wrap; \}$/m);
    assert.ok(html.includes('<span class="text" dir="auto">d\ne</span>'), html);
    assert.ok(html.includes('\n<p class="quiet" dir="auto">b\nc</p>\n'), html);
  });

  it('contains no HTML from a message, in any field', () => {
    const buttons = [1, 2, 3, 9].map((actionType) => ({ text: hostile, actionType, url: hostile, value: hostile }));
    const who = { senderId: hostile, senderType: hostile, senderNickname: hostile };
    const everywhere = { msgId: hostile, parentId: hostile, ...who, sendTime: hostile, commandName: hostile };
    const text = `${hostile}\n[a](javascript:alert(1)) ![b](https://x.y/p.png) <b onclick=x>`;
    const file = { fileName: hostile, fileUrl: `https://x.y/${hostile}` };
    const image = { imageKey: hostile, imageName: hostile, imageUrl: `https://x.y/${hostile}` };
    const media = { videoUrl: hostile, audioUrl: hostile, expressionId: hostile };
    const post = { postTitle: hostile, postContent: text, postContentType: 2 };
    const form = { formJson: [{ label: hostile, value: hostile }] };
    const quoted = { parent: hostile, parentImgName: hostile, parentVideoUrl: hostile, parentFileName: hostile };
    const content = { text, tip: hostile, buttons, ...file, ...image, ...media, ...post, ...form, ...quoted };
    const others = ['audio', 'video', 'expression', 'post', 'form', 'tip', hostile];
    for (const contentType of ['text', 'markdown', 'html', 'image', 'file', ...others]) {
      for (const renderer of [undefined, render]) {
        const html = toHtml([entryOf({ ...everywhere, contentType, content })], renderer);
        assert.deepEqual(
          [...namesIn(html)].filter((name) => !ALLOWED.includes(name)),
          [],
        );
        assert.doesNotMatch(html, /href="(?!#message|https:\/\/x\.y\/)/);
        assert.doesNotMatch(html, INVISIBLE);
      }
    }
    assert.deepEqual([...namesIn(toHtml([v.parse(Listed, { broken: hostile })]))], ['article', 'p', 'class', 'pre']);
  });

  it('renders Markdown if there is a renderer, and shows the source otherwise', () => {
    const entry = entryOf({ contentType: 'markdown', content: { text: '*a*' } });
    assert.ok(toHtml([entry], render).includes('<em>a</em>'));
    assert.ok(toHtml([entry]).includes('<pre>*a*</pre>'));
  });

  it('says where a file leads whose name is another address, as Markdown does', () => {
    const content = { fileName: 'https://bank.example', fileUrl: 'https://evil.example/x' };
    for (const contentType of ['file', 'image', 'video', 'audio', 'expression']) {
      const { fileName: imageName, fileUrl: address } = content;
      const urls = { imageUrl: address, videoUrl: address, audioUrl: address };
      const entry = entryOf({ contentType, content: { ...content, imageName, ...urls } });
      assert.match(toHtml([entry]), />https:\/\/bank\.example<\/a> \(→ evil\.example\)<\/div>/);
      const inMarkdown = '[https://bank.example](<https://evil.example/x>) (→ evil.example)';
      assert.ok(toMarkdown([entry]).includes(inMarkdown), contentType);
    }
    const own = { fileName: 'bank.pdf', fileUrl: content.fileUrl };
    assert.doesNotMatch(toHtml([entryOf({ contentType: 'file', content: own })]), /→/);
  });

  it('links only web addresses', () => {
    const of = (fileUrl: string) => toHtml([entryOf({ contentType: 'file', content: { fileName: 'a', fileUrl } })]);
    assert.ok(of('https://x.y/?a&b').includes('<a href="https://x.y/?a&amp;b">a</a>'));
    assert.ok(of('https://x.y/\u202Ea').includes('<a href="https://x.y/%E2%80%AEa">a</a>'));
    assert.ok(of('javascript:alert(1)').includes('>a javascript:alert(1)<'));
  });
});
