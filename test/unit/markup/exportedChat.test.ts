import assert from 'node:assert/strict';
import * as v from 'valibot';
import { HTML_ENDING, htmlEntry, htmlHeading } from '../../../src/markup/exportHtml.ts';
import { markdownEntry, markdownHeading } from '../../../src/markup/exportMarkdown.ts';
import { renderMarkdown } from '../../../src/markup/markdownHtml.ts';
import { Listed } from '../../../src/service/message.ts';
import { exportLabels } from './exportLabels.ts';

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

const INVISIBLE = /(?!\n)[\p{Cc}\p{Cf}]/u;
const ALLOWED = 'article blockquote header b time p a br div ul li span pre id class dir href title rel'.split(' ');

/** The names of all elements and attributes. */
function namesIn(html: string): Set<string> {
  const tags = [...html.matchAll(/<[!/]?(\w[^>]*)>/g)].map(([, tag = '']) => tag.replace(/"[^"]*"/g, ''));
  return new Set(tags.flatMap((tag) => tag.match(/[\w-]+/g) ?? []));
}

describe('A chat exported as Markdown', () => {
  it('starts with a heading and facts', () => {
    const facts = [{ label: 'Chat', value: '*big*' }];
    assert.equal(markdownHeading({ title: 'Town\n# x', facts }), '# Town # x\n\n- Chat: \\*big\\*\n');
  });

  it('includes the sender, time, reply, command, content, note and buttons of each message', () => {
    assert.equal(
      markdownEntry(entryOf(), exportLabels),
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

  it('names what is unknown', () => {
    const entry = entryOf({
      senderNickname: '',
      senderId: '',
      senderType: '',
      sendTime: null,
      parentId: '',
      commandName: '',
    });
    assert.match(markdownEntry(entry, exportLabels), /^\n## \? · time unknown\n\nMessage m2\n\n> 1/);
    assert.match(markdownEntry(entryOf({ sendTime: 9e15 }), exportLabels), / · 9000000000000000\n/);
  });

  it('isolates each message from the next, whatever its Markdown opens', () => {
    for (const text of [
      '```\nnever closed',
      '<!-- never closed',
      '> quote',
      '| a |\n| - |',
      '<div>',
      '- list\n\n  more',
    ]) {
      const both =
        markdownEntry(entryOf({ contentType: 'markdown', content: { text } }), exportLabels) +
        markdownEntry(entryOf(), exportLabels);
      assert.equal([...render(both).matchAll(/^<h2>Weather/gm)].length, 2, text);
    }
  });

  it('labels images, files, HTML and unknown kinds', () => {
    const of = (contentType: string, content: object) => markdownEntry(entryOf({ contentType, content }), exportLabels);
    assert.match(of('image', { imageKey: 'k' }), /\n\nImage\n\n> k\n$/);
    assert.match(of('file', { fileName: 'a', fileUrl: 'https://x.y' }), /\n\nFile\n\n> \[a\]\(<https:\/\/x\.y>\)\n$/);
    const sized = of('file', { fileName: 'a', fileUrl: 'a', fileSize: 1_536_000 });
    assert.match(sized, /\n\nFile · 1\.5 MB\n\n> a\n$/);
    assert.match(of('html', { text: '<p>' }), /\n\nHTML source\n\n> ```html\n> <p>\n> ```\n$/);
    assert.match(of('audio', { length: 3 }), /\n\nKind audio\n\n> ```json\n> \{\n> {3}"length": 3\n> \}\n> ```\n$/);
  });

  it('puts the quotation above the content of a reply', () => {
    const entry = entryOf({
      commandName: '',
      content: { text: 'Yes.', parent: 'Ann : *Soup*?', parentImgName: 'a.jpg' },
    });
    assert.match(markdownEntry(entry, exportLabels), /Reply to m1\n\n> > Ann : \\\*Soup\\\*\? · a\.jpg\n\n> Yes\.\n$/);
  });

  it('shows a system message as a single line', () => {
    const entry = entryOf({ contentType: 'tip', content: { text: '# Ann\njoined.' } });
    assert.equal(markdownEntry(entry, exportLabels), '\n2023-11-14T22:13:20.123Z · \\# Ann joined.\n');
  });

  it('shows the duration of a video, and that an address has expired', () => {
    const content = { videoUrl: 'https://x.y/v.mp4?sign=a&t=5f000000', videoDuration: 83 };
    const entry = entryOf({ contentType: 'video', content });
    assert.match(markdownEntry(entry, exportLabels), /\n\nVideo · 1:23 · Expired\.\n\n> v\.mp4\n$/);
    assert.match(markdownEntry(entry, exportLabels, 0x5f000000 * 1000 - 1), /\n\nVideo · 1:23\n\n> \[https:/);
    assert.match(htmlEntry(entry, exportLabels), /Video · 1:23 · Expired\.<\/p>\nv\.mp4\n/);
    assert.match(
      htmlEntry(entry, exportLabels, undefined, 0x5f000000 * 1000 - 1),
      /Video · 1:23<\/p>\n<a href="https:/,
    );
  });

  it('shows an unreadable message as JSON', () => {
    const entry = v.parse(Listed, { broken: '```' });
    assert.equal(
      markdownEntry(entry, exportLabels),
      '\n---\n\nCould not be read:\n\n> ````json\n> {\n>   "broken": "```"\n> }\n> ````\n',
    );
  });

  it('escapes invisible characters', () => {
    const change = {
      senderNickname: 'a\u202Eb',
      content: { text: 'c\u200Bd', buttons: [{ text: '\u2066', value: '\u0007' }] },
    };
    const text = markdownEntry(entryOf({ ...change, contentType: 'markdown' }), exportLabels);
    for (const escaped of ['a⟨U+202E⟩b', 'c⟨U+200B⟩d', '⟨U+2066⟩', '⟨U+0007⟩'])
      assert.ok(text.includes(escaped), escaped);
    assert.doesNotMatch(text, INVISIBLE);
  });
});

describe('A chat exported as HTML', () => {
  it('is a self-contained document that loads nothing', () => {
    const heading = htmlHeading({ title: `Town ${hostile}`, facts: [{ label: 'Chat', value: hostile }] }, exportLabels);
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
      htmlEntry(entryOf(), exportLabels),
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

  it('shows the quotation of a reply together with the link to the parent', () => {
    const content = { text: 'Yes.', parent: 'Ann : <Soup>?' };
    const html = htmlEntry(entryOf({ content }), exportLabels);
    const link = '<a href="#message-m1">Reply to m1</a>';
    assert.ok(html.includes(`<blockquote class="quiet" dir="auto">${link}<br>Ann : &lt;Soup&gt;?</blockquote>`), html);
    const without = htmlEntry(entryOf({ parentId: '', content }), exportLabels);
    assert.ok(without.includes('<blockquote class="quiet" dir="auto">Ann : &lt;Soup&gt;?</blockquote>'), without);
  });

  it('shows a system message without a sender', () => {
    const html = htmlEntry(entryOf({ contentType: 'tip', content: { text: 'Ann <joined>.' } }), exportLabels);
    assert.equal(
      html,
      '<article id="message-m2">\n<p class="quiet tip" dir="auto">Ann &lt;joined&gt;.</p>\n' +
        '<p class="quiet tip"><time>2023-11-14T22:13:20.123Z</time></p>\n</article>\n',
    );
  });

  it('shows posts and forms', () => {
    const of = (contentType: string, content: object) =>
      htmlEntry(entryOf({ contentType, content }), exportLabels, render);
    const post = of('post', { postTitle: 'Tea', postContent: '*hot*', postContentType: 2 });
    assert.match(post, /<p class="quiet" dir="auto">Post<\/p>\n<b dir="auto">Tea<\/b><div dir="auto"><p><em>hot<\/em>/);
    const form = of('form', { formJson: [{ label: 'Size', value: null }] });
    assert.ok(form.includes('<li><span class="quiet" dir="auto">Size</span> <span dir="auto">—</span></li>'), form);
  });

  it('contains no HTML from a message, in any field', () => {
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
        const html = htmlEntry(entryOf({ ...everywhere, contentType, content }), exportLabels, renderer);
        assert.deepEqual(
          [...namesIn(html)].filter((name) => !ALLOWED.includes(name)),
          [],
        );
        assert.doesNotMatch(html, /href="(?!#message|https:\/\/x\.y\/)/);
        assert.doesNotMatch(html, INVISIBLE);
      }
    }
    assert.deepEqual(
      [...namesIn(htmlEntry(v.parse(Listed, { broken: hostile }), exportLabels))],
      ['article', 'p', 'class', 'pre'],
    );
  });

  it('renders Markdown if there is a renderer, and shows the source otherwise', () => {
    const entry = entryOf({ contentType: 'markdown', content: { text: '*a*' } });
    assert.ok(htmlEntry(entry, exportLabels, render).includes('<em>a</em>'));
    assert.ok(htmlEntry(entry, exportLabels).includes('<pre>*a*</pre>'));
  });

  it('links only web addresses', () => {
    const of = (fileUrl: string) =>
      htmlEntry(entryOf({ contentType: 'file', content: { fileName: 'a', fileUrl } }), exportLabels);
    assert.ok(of('https://x.y/?a&b').includes('<a href="https://x.y/?a&amp;b">a</a>'));
    assert.ok(of('https://x.y/\u202Ea').includes('<a href="https://x.y/%E2%80%AEa">a</a>'));
    assert.ok(of('javascript:alert(1)').includes('\na javascript:alert(1)\n'));
  });

  it('links a reply to its parent, whatever characters the ID contains', () => {
    const html = htmlEntry(entryOf({ parentId: 'a"b"%20中' }), exportLabels);
    assert.ok(html.includes('href="#message-a%22b%22%2520%E4%B8%AD"'));
  });
});
