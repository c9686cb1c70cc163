import assert from 'node:assert/strict';
import * as v from 'valibot';
import { HTML_ENDING, htmlEntry, htmlHeading } from '../../../src/markup/exportHtml.ts';
import { markdownEntry, markdownHeading } from '../../../src/markup/exportMarkdown.ts';
import { renderMarkdown } from '../../../src/markup/markdownHtml.ts';
import { Listed } from '../../../src/service/message.ts';
import { words } from './exportLabels.ts';

const render = (markdown: string) => renderMarkdown(markdown, { loadImages: false })?.html ?? '';

const raw = {
  ...{ msgId: 'm2', parentId: 'm1', senderId: '30481126', senderType: 'bot', senderNickname: 'Weather' },
  ...{ contentType: 'text', sendTime: 1_700_000_000_123, commandName: '/weather', commandId: 21 },
  content: {
    text: '1. rain\n# sun',
    tip: 'Every morning',
    buttons: [[{ text: 'More', actionType: 1, url: 'https://x.y' }]],
  },
};
const entryOf = (change: object = {}) => v.parse(Listed, { ...raw, ...change });
const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>\u202E\u0007';

const UNSEEN = /(?!\n)[\p{Cc}\p{Cf}]/u;
const ALLOWED = 'article blockquote header b time p a br div ul li span pre id class dir href title rel'.split(' ');

/** The names of all elements and attributes. */
function namesIn(html: string): Set<string> {
  const tags = [...html.matchAll(/<[!/]?(\w[^>]*)>/g)].map(([, tag = '']) => tag.replace(/"[^"]*"/g, ''));
  return new Set(tags.flatMap((tag) => tag.match(/[\w-]+/g) ?? []));
}

describe('A chat as Markdown', () => {
  it('has a heading with its facts', () => {
    const facts = [{ label: 'Chat', value: '*big*' }];
    assert.equal(markdownHeading({ title: 'Town\n# x', facts }), '# Town # x\n\n- Chat: \\*big\\*\n');
  });

  it('has sender, time, reply, command, content, note and buttons of each message', () => {
    assert.equal(
      markdownEntry(entryOf(), words),
      `
## Weather · 2023-11-14T22:13:20.123Z

30481126 · Bot · Message m2 · Reply to m1

Command /weather

> 1\\. rain  
> \\# sun

> Every morning

- \`More\` Opens https://x.y
`,
    );
  });

  it('says what is not known', () => {
    const entry = entryOf({
      senderNickname: '',
      senderId: '',
      senderType: '',
      sendTime: null,
      parentId: '',
      commandName: '',
    });
    assert.match(markdownEntry(entry, words), /^\n## \? · time unknown\n\nMessage m2\n\n> 1/);
    assert.match(markdownEntry(entryOf({ sendTime: 9e15 }), words), / · 9000000000000000\n/);
  });

  it('keeps every message apart from the next, whatever its Markdown begins', () => {
    for (const text of [
      '```\nnever closed',
      '<!-- never closed',
      '> quote',
      '| a |\n| - |',
      '<div>',
      '- list\n\n  more',
    ]) {
      const both =
        markdownEntry(entryOf({ contentType: 'markdown', content: { text } }), words) + markdownEntry(entryOf(), words);
      assert.equal([...render(both).matchAll(/^<h2>Weather/gm)].length, 2, text);
    }
  });

  it('has images, files, HTML and other kinds with what they are', () => {
    const of = (contentType: string, content: object) => markdownEntry(entryOf({ contentType, content }), words);
    assert.match(of('image', { imageKey: 'k' }), /\n\nImage\n\n> k\n$/);
    assert.match(of('file', { fileName: 'a', fileUrl: 'https://x.y' }), /\n\nFile\n\n> \[a\]\(<https:\/\/x\.y>\)\n$/);
    const sized = of('file', { fileName: 'a', fileUrl: 'a', fileSize: 1_536_000 });
    assert.match(sized, /\n\nFile · 1\.5 MB\n\n> a\n$/);
    assert.match(of('html', { text: '<p>' }), /\n\nHTML source\n\n> ```html\n> <p>\n> ```\n$/);
    assert.match(of('audio', { length: 3 }), /\n\nKind audio\n\n> ```json\n> \{\n> {3}"length": 3\n> \}\n> ```\n$/);
  });

  it('has what a reply quotes above what it says', () => {
    const entry = entryOf({
      commandName: '',
      content: { text: 'Yes.', parent: 'Ann : *Soup*?', parentImgName: 'a.jpg' },
    });
    assert.match(markdownEntry(entry, words), /Reply to m1\n\n> > Ann : \\\*Soup\\\*\? · a\.jpg\n\n> Yes\.\n$/);
  });

  it('has what the system says as a line of its own', () => {
    const entry = entryOf({ contentType: 'tip', content: { text: '# Ann\njoined.' } });
    assert.equal(markdownEntry(entry, words), '\n2023-11-14T22:13:20.123Z · \\# Ann joined.\n');
  });

  it('says how long a video is, and that an address has expired', () => {
    const content = { videoUrl: 'https://x.y/v.mp4?sign=a&t=5f000000', videoDuration: 83 };
    const entry = entryOf({ contentType: 'video', content });
    assert.match(markdownEntry(entry, words), /\n\nVideo · 1:23 · Expired\.\n\n> v\.mp4\n$/);
    assert.match(markdownEntry(entry, words, 0x5f000000 * 1000 - 1), /\n\nVideo · 1:23\n\n> \[https:/);
    assert.match(htmlEntry(entry, words), /Video · 1:23 · Expired\.<\/p>\nv\.mp4\n/);
    assert.match(htmlEntry(entry, words, undefined, 0x5f000000 * 1000 - 1), /Video · 1:23<\/p>\n<a href="https:/);
  });

  it('keeps what could not be read as it came', () => {
    const entry = v.parse(Listed, { broken: '```' });
    assert.equal(
      markdownEntry(entry, words),
      '\n---\n\nCould not be read:\n\n> ````json\n> {\n>   "broken": "```"\n> }\n> ````\n',
    );
  });

  it('shows what nobody would see', () => {
    const change = {
      senderNickname: 'a\u202Eb',
      content: { text: 'c\u200Bd', buttons: [{ text: '\u2066', value: '\u0007' }] },
    };
    const text = markdownEntry(entryOf({ ...change, contentType: 'markdown' }), words);
    for (const shown of ['a⟨U+202E⟩b', 'c⟨U+200B⟩d', '⟨U+2066⟩', '⟨U+0007⟩']) assert.ok(text.includes(shown), shown);
    assert.doesNotMatch(text, UNSEEN);
  });
});

describe('A chat as HTML', () => {
  it('is a document of its own that may load nothing', () => {
    const heading = htmlHeading({ title: `Town ${hostile}`, facts: [{ label: 'Chat', value: hostile }] }, words);
    const html = heading + HTML_ENDING;
    assert.match(html, /^<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n/);
    assert.ok(html.includes(`content="default-src 'none'; style-src 'unsafe-inline'"`));
    assert.ok(html.includes('prefers-color-scheme: dark'));
    assert.match(html, /<\/body>\n<\/html>\n$/);
    assert.doesNotMatch(html, /url\(/);
    assert.doesNotMatch(html, UNSEEN);
    assert.deepEqual(
      [...namesIn(html)].filter((name) => /^(?:script|img|link|iframe|src|on.*)$/.test(name)),
      [],
    );
  });

  it('has sender, time, reply, command, content, note and buttons of each message', () => {
    assert.equal(
      htmlEntry(entryOf(), words),
      `<article id="message-m2">
<header><b dir="auto">Weather</b> 30481126 · Bot · <time>2023-11-14T22:13:20.123Z</time></header>
<p class="quiet"><a href="#message-m1">Reply to m1</a></p>
<p class="quiet" dir="auto">Command /weather</p>
<div class="text" dir="auto">1. rain\n# sun</div>
<p class="quiet" dir="auto">Every morning</p>
<ul>
<li><b dir="auto">More</b> <span class="quiet">Opens https://x.y</span></li>
</ul>
</article>
`,
    );
  });

  it('has what a reply quotes in one piece with the way there', () => {
    const content = { text: 'Yes.', parent: 'Ann : <Soup>?' };
    const html = htmlEntry(entryOf({ content }), words);
    const way = '<a href="#message-m1">Reply to m1</a>';
    assert.ok(html.includes(`<blockquote class="quiet" dir="auto">${way}<br>Ann : &lt;Soup&gt;?</blockquote>`), html);
    const without = htmlEntry(entryOf({ parentId: '', content }), words);
    assert.ok(without.includes('<blockquote class="quiet" dir="auto">Ann : &lt;Soup&gt;?</blockquote>'), without);
  });

  it('has what the system says without a sender', () => {
    const html = htmlEntry(entryOf({ contentType: 'tip', content: { text: 'Ann <joined>.' } }), words);
    assert.equal(
      html,
      '<article id="message-m2">\n<p class="quiet tip" dir="auto">Ann &lt;joined&gt;.</p>\n' +
        '<p class="quiet tip"><time>2023-11-14T22:13:20.123Z</time></p>\n</article>\n',
    );
  });

  it('has posts and forms as what they are', () => {
    const of = (contentType: string, content: object) => htmlEntry(entryOf({ contentType, content }), words, render);
    const post = of('post', { postTitle: 'Tea', postContent: '*hot*', postContentType: 2 });
    assert.match(post, /<p class="quiet" dir="auto">Post<\/p>\n<b dir="auto">Tea<\/b><div dir="auto"><p><em>hot<\/em>/);
    const form = of('form', { formJson: [{ label: 'Size', value: null }] });
    assert.ok(form.includes('<li><span class="quiet" dir="auto">Size</span> <span dir="auto">—</span></li>'), form);
  });

  it('holds no mark of a message’s own, wherever it stands', () => {
    const buttons = [1, 2, 3, 9].map((actionType) => ({ text: hostile, actionType, url: hostile, value: hostile }));
    const everywhere = {
      ...{ msgId: hostile, parentId: hostile, senderId: hostile, senderType: hostile, senderNickname: hostile },
      ...{ sendTime: hostile, commandName: hostile },
    };
    const text = `${hostile}\n[a](javascript:alert(1)) ![b](https://x.y/p.png) <b onclick=x>`;
    const file = { fileName: hostile, fileUrl: `https://x.y/${hostile}` };
    const image = { imageKey: hostile, imageName: hostile, imageUrl: `https://x.y/${hostile}` };
    const more = {
      ...{ videoUrl: hostile, audioUrl: hostile, expressionId: hostile, postTitle: hostile, postContent: text },
      ...{ formJson: [{ label: hostile, value: hostile }], postContentType: 2 },
      ...{ parent: hostile, parentImgName: hostile, parentVideoUrl: hostile, parentFileName: hostile },
    };
    const others = ['audio', 'video', 'expression', 'post', 'form', 'tip', hostile];
    for (const contentType of ['text', 'markdown', 'html', 'image', 'file', ...others]) {
      for (const renderer of [undefined, render]) {
        const content = { text, tip: hostile, buttons, ...file, ...image, ...more };
        const html = htmlEntry(entryOf({ ...everywhere, contentType, content }), words, renderer);
        assert.deepEqual(
          [...namesIn(html)].filter((name) => !ALLOWED.includes(name)),
          [],
        );
        assert.doesNotMatch(html, /href="(?!#message|https:\/\/x\.y\/)/);
        assert.doesNotMatch(html, UNSEEN);
      }
    }
    assert.deepEqual(
      [...namesIn(htmlEntry(v.parse(Listed, { broken: hostile }), words))],
      ['article', 'p', 'class', 'pre'],
    );
  });

  it('renders Markdown where there is a renderer, and shows its source where there is none', () => {
    const entry = entryOf({ contentType: 'markdown', content: { text: '*a*' } });
    assert.ok(htmlEntry(entry, words, render).includes('<em>a</em>'));
    assert.ok(htmlEntry(entry, words).includes('<pre>*a*</pre>'));
  });

  it('links addresses of the web alone', () => {
    const of = (fileUrl: string) =>
      htmlEntry(entryOf({ contentType: 'file', content: { fileName: 'a', fileUrl } }), words);
    assert.ok(of('https://x.y/?a&b').includes('<a href="https://x.y/?a&amp;b">a</a>'));
    assert.ok(of('https://x.y/\u202Ea').includes('<a href="https://x.y/%E2%80%AEa">a</a>'));
    assert.ok(of('javascript:alert(1)').includes('\na javascript:alert(1)\n'));
  });

  it('leads from a reply to its message by an ID of any kind', () => {
    const html = htmlEntry(entryOf({ parentId: 'a"b"%20中' }), words);
    assert.ok(html.includes('href="#message-a%22b%22%2520%E4%B8%AD"'));
  });
});
