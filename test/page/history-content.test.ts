import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { render } from '../../src/history/webview/markdownHtml.ts';
import type { Listed } from '../../src/service/message.ts';
import { launchBrowser } from '../host/browser.ts';
import { type HistoryPage, type HistoryPageOptions, openHistoryPage } from '../host/historyPage.ts';
import { deferred } from '../unit/deferred.ts';
import { kinds, listed, PICTURE } from './messages.ts';

type Content = Record<string, unknown>;

const text = (words: string) => listed({ contentType: 'text', content: { text: words } });
const markdown = (words: string) => listed({ contentType: 'markdown', content: { text: words } });
const html = (page: string) => listed({ contentType: 'html', content: { text: page } });
const file = (content: Content) => listed({ contentType: 'file', content });
const image = (content: Content) => listed({ contentType: 'image', content });
const withButtons = (...rows: Content[][]) => listed({ contentType: 'text', content: { text: 'Hi', buttons: rows } });

let browser: Browser;
let shown: HistoryPage;

const open = async (entries: readonly Listed[], options: Omit<HistoryPageOptions, 'entries' | 'browser'> = {}) => {
  shown = await openHistoryPage({ browser, entries, ...options });
};
const all = (selector: string) => shown.page.locator(`.entry ${selector}`);
const one = (selector: string) => all(selector).first();
const words = (selector: string) => one(selector).innerText();
/** The links of all messages: what each shows and where it leads. */
const links = () =>
  all('a').evaluateAll((anchors) => anchors.map((anchor) => [anchor.textContent, anchor.getAttribute('href')]));
const asked = async (type: string) => (await shown.posted()).filter((message) => message.type === type);
const web = (url: string) => (url.endsWith('.png') ? { body: PICTURE, contentType: 'image/png' } : undefined);

/** Whatever was shown: nothing ran, nothing was asked for, and the page is still there. */
async function assertHarmless(requests: string[] = []): Promise<void> {
  assert.equal(await shown.page.evaluate(() => '__ran' in window), false, 'a script ran');
  assert.deepEqual(shown.incidents, []);
  assert.deepEqual(shown.requests, requests);
  assert.deepEqual(await shown.refused(), []);
  assert.equal(shown.page.frames().length, 1, 'a frame is in the page');
  assert.deepEqual((await asked('open')).concat(await asked('copy')), []);
}

/** No element or attribute that could do something, but for what the page itself makes. */
async function assertBare(within: string): Promise<void> {
  const found = await all(within).evaluateAll((roots) => {
    const bad =
      'script, style, link, meta, base, iframe, frame, object, embed, form, svg, math, video, audio, template';
    return roots.flatMap((root) =>
      [...root.querySelectorAll('*')].flatMap((element) => [
        ...(element.matches(`${bad}, button, textarea, select, input:not([disabled])`) ? [element.localName] : []),
        ...[...element.attributes]
          .filter(({ name }) =>
            /^on|^(id|name|style|srcset|srcdoc|action|formaction|ping|target|form)$|^(aria|data)-/.test(name),
          )
          .map(({ name, value }) => `${element.localName}[${name}=${value}]`),
        ...(element.classList.length > 0 && !element.matches('.real-place, .table, .task, [class^=code-]')
          ? [`${element.localName}.${element.className}`]
          : []),
      ]),
    );
  });
  assert.deepEqual(found, []);
}

/** The longest time (milliseconds) that the page stood still so far. */
const longestTask = () =>
  shown.page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let longest = 0;
        const observer = new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
        });
        observer.observe({ type: 'longtask', buffered: true });
        requestAnimationFrame(() => setTimeout(() => resolve(longest)));
      }),
  );

before(async () => {
  browser = await launchBrowser();
});
after(() => browser?.close());
afterEach(() => shown?.close());

describe('A text message', () => {
  it('keeps its lines, and has its note below', async () => {
    await open([listed({ contentType: 'text', content: { text: 'One\n  two\n\n<b>three</b>', tip: 'Seen by all' } })]);
    assert.equal(await words('.text'), 'One\n  two\n\n<b>three</b>');
    assert.equal(await words('.tip'), 'Seen by all');
    assert.equal(await one('.text').getAttribute('dir'), 'auto');
    assert.equal(await one('.text').evaluate((element) => getComputedStyle(element).unicodeBidi), 'isolate');
  });

  it('has its addresses of the web as links, and no others', async () => {
    await open([
      text('See https://a.example/b?c=d (or http://例子.example/群). Not ftp://a.example or javascript:alert(1)'),
    ]);
    assert.deepEqual(await links(), [
      ['https://a.example/b?c=d', 'https://a.example/b?c=d'],
      ['http://例子.example/群', 'http://例子.example/群'],
    ]);
    assert.equal(await one('a').getAttribute('rel'), 'noreferrer');
    assert.equal(await all('a').nth(1).getAttribute('title'), 'http://xn--fsqu00a.example/%E7%BE%A4');
  });

  it('names the real host of an address that is disguised', async () => {
    await open([text('https://bank.example@evil.example/login')]);
    assert.equal(await words('.text'), 'https://bank.example@evil.example/login (→ evil.example)');
  });

  it('says so where it is empty', async () => {
    await open([text('')]);
    assert.equal(await words('.tip'), 'This message is empty.');
  });
});

describe('A Markdown message', () => {
  it('has headings, tables with aligned columns, quotes and code', async () => {
    await open([markdown('# Title\n\n| a | b |\n|:-:|--:|\n| 1 | 2 |\n\n> said\n\n`code` and **bold**')]);
    assert.equal(await words('.markdown h1'), 'Title');
    assert.deepEqual(await all('.markdown td').evaluateAll((cells) => cells.map((cell) => cell.className)), [
      'center',
      'right',
    ]);
    assert.equal(await words('.markdown blockquote'), 'said');
    assert.equal(await words('.markdown strong'), 'bold');
  });

  it('has tasks as boxes that nobody can tick, called by their words', async () => {
    await open([markdown('- [ ] Buy **bread**\n- [x] Sleep\n- [y] No task')]);
    const boxes = shown.page.getByRole('checkbox');
    await boxes.first().waitFor();
    assert.equal(await boxes.count(), 2);
    assert.equal(
      await shown.page.getByRole('checkbox', { name: 'Buy bread', checked: false, disabled: true }).count(),
      1,
    );
    assert.equal(await shown.page.getByRole('checkbox', { name: 'Sleep', checked: true, disabled: true }).count(), 1);
    assert.equal(await all('li').nth(2).innerText(), '[y] No task');
  });

  it('has the words of its code marked where it says the language', async () => {
    const source = {
      ts: 'const a = 1;',
      python: 'def a(): pass',
      sql: 'SELECT 1',
      css: '@import "a";',
      c: 'return 1;',
    };
    const fences = Object.entries(source).map(([language, code]) => `\`\`\`${language}\n${code}\n\`\`\``);
    await open([markdown(`${fences.join('\n')}\n\`\`\`klingon\nx < y\n\`\`\``)]);
    await one('.code-kwd').waitFor();
    assert.deepEqual(await all('.code-kwd').allInnerTexts(), ['const', 'def', 'pass', 'SELECT', '@import', 'return']);
    assert.equal((await all('pre').last().innerText()).trim(), 'x < y');
  });

  it('has code as it is in a language that has the name of something else', async () => {
    await open([markdown('```constructor\nlet a;\n```\n\n```toString\nlet a;\n```')]);
    await one('pre').waitFor();
    assert.deepEqual(await all('pre').allTextContents(), ['let a;\n', 'let a;\n']);
  });

  it('knows all names of characters that HTML has', async () => {
    await open([
      markdown(
        '&rarr; &CounterClockwiseContourIntegral; &nothing; &semi; [a](https://x.example/?a=1&amp;b=2) `&rarr;`',
      ),
    ]);
    await one('a').waitFor();
    assert.equal(await one('.markdown').innerText(), '→ ∳ &nothing; ; a &rarr;');
    assert.equal(await one('a').getAttribute('href'), 'https://x.example/?a=1&b=2');
  });

  it('leaves code unmarked where there is very much of it', async () => {
    await open([markdown(`\`\`\`js\nlet a;\n\`\`\`\n\n\`\`\`js\n${'let b;\n'.repeat(3000)}\`\`\``)]);
    await shown.page.getByRole('button', { name: /Show all/ }).click();
    await one('.code-kwd').waitFor();
    assert.equal(await all('.code-kwd').count(), 1);
  });

  it('loads what marks code only when there is code', async () => {
    await open([markdown('```\nplain\n```')]);
    await one('pre').waitFor();
    const parts = () => shown.page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    const before = await parts();
    await shown.show([markdown('```js\nlet a;\n```')]);
    await one('.code-kwd').waitFor();
    const after = await parts();
    assert.ok(after.length > before.length, after.join('\n'));
  });

  it('leads to the web and to mail, and nowhere else', async () => {
    const bad = [
      'javascript:alert(1)',
      'command:a.b',
      'vscode://a/b',
      'file:///etc/passwd',
      'data:text/html,x',
      '//a.example',
      '/a',
      '#a',
    ];
    bad.push(
      'JaVaScRiPt:alert(1)',
      'java&#x0A;script:alert(1)',
      '&#106;avascript:alert(1)',
      'vbscript:x',
      '\\x01javascript:a',
      'blob:a',
    );
    const source = [...bad.map((address) => `[bad](${address}) <${address}>\n\n[bad][ref]\n\n[ref]: ${address}\n\n`)];
    await open([markdown(`${source.join('')}[web](HTTPS://a.example) [mail](mailto:a@b.example) https://c.example.`)]);
    await one('.markdown').waitFor();
    assert.deepEqual(await links(), [
      ['web', 'HTTPS://a.example'],
      ['mail', 'mailto:a@b.example'],
      ['https://c.example', 'https://c.example'],
    ]);
    await assertHarmless();
  });

  it('names the real place of a link whose words name another', async () => {
    const lines = [
      '[https://bank.example](https://evil.example/a)',
      '[www.bank.example/login](https://evil.example)',
      '[**https://bank**.example](https://evil.example)',
      '[https://bank.\u200Bexample](https://evil.example)',
      '[me@bank.example](mailto:evil@evil.example)',
      '[pay](https://bank.example:x@evil.example)',
      '[www.good.example](https://good.example/a)',
      '[Read the news, v. 1.2](https://good.example)',
      '![https://bank.example](https://evil.example/a.png)',
    ];
    await open([markdown(lines.join('\n\n'))]);
    await one('.markdown').waitFor();
    assert.deepEqual(await all('.markdown p').allInnerTexts(), [
      'https://bank.example (→ evil.example)',
      'www.bank.example/login (→ evil.example)',
      'https://bank.example (→ evil.example)',
      'https://bank.⟨U+200B⟩example (→ evil.example)',
      'me@bank.example (→ evil@evil.example)',
      'pay (→ evil.example)',
      'www.good.example',
      'Read the news, v. 1.2',
      'https://bank.example (→ evil.example)',
    ]);
  });

  it('has pictures as links, and asks for none', async () => {
    await open([
      markdown(
        '![A cat](https://a.example/cat.png "Cat") ![](https://a.example/b.png) [![in](https://a.example/c.png)](https://b.example)',
      ),
    ]);
    await one('.markdown').waitFor();
    assert.deepEqual(await links(), [
      ['A cat', 'https://a.example/cat.png'],
      ['https://a.example/b.png', 'https://a.example/b.png'],
      ['in', 'https://b.example'],
    ]);
    await assertHarmless();
  });

  it('has pictures where they are allowed, and their words where they do not come', async () => {
    await open(
      [markdown('![A cat](https://a.example/cat.png) ![Gone](https://a.example/gone) ![x](data:image/png,x)')],
      { pictures: true, web },
    );
    await shown.page.waitForFunction(() => [...document.images].some((image) => image.naturalWidth > 0));
    await shown.page.getByRole('link', { name: 'Gone' }).filter({ hasText: 'Gone' }).waitFor();
    assert.deepEqual(await all('img').evaluateAll((images) => images.map((picture) => picture.getAttribute('alt'))), [
      'A cat',
    ]);
    await assertHarmless(['https://a.example/cat.png', 'https://a.example/gone']);
  });

  it('has raw HTML as text', async () => {
    const source =
      '<script>window.__ran = 1</script>\n\n<img src=x onerror="window.__ran=1">\n\na <b onclick="x">b</b> &lt;i&gt; &#60;u>';
    await open([markdown(source)]);
    await one('.markdown').waitFor();
    assert.deepEqual(await all('.markdown p').allInnerTexts(), [
      '<script>window.__ran = 1</script>',
      '<img src=x onerror="window.__ran=1">',
      'a <b onclick="x">b</b> <i> <u>',
    ]);
    await assertBare('.markdown');
    await assertHarmless();
  });

  it('cannot leave the attributes and classes that it is written into', async () => {
    const quote = '"><img src=x onerror=window.__ran=1>';
    await open([
      markdown(
        `\`\`\`${quote}\nx\n\`\`\`\n\n[a](https://a.example/${quote.replaceAll(' ', '%20')} '${quote}') ![${quote}](https://a.example "${quote.slice(1)}")`,
      ),
      markdown('```js"onload="x\nlet a\n```\n\n| a |\n|:"><b>-|\n| 1 |'),
    ]);
    await one('.markdown').waitFor();
    await assertBare('.markdown');
    await assertHarmless();
  });
});

describe('A picture', () => {
  const content = {
    imageKey: 'k/1',
    imageUrl: 'https://a.example/cat.png',
    imageName: 'cat.png',
    imageWidth: 1200,
    imageHeight: 900,
  };

  it('is a card with its key and its address', async () => {
    await open([image(content)]);
    assert.equal(await words('.card'), 'Image · cat.png\nhttps://a.example/cat.png\nKey: k/1\nCopy');
    assert.deepEqual(await links(), [['https://a.example/cat.png', 'https://a.example/cat.png']]);
    await assertHarmless();
    await shown.page.getByRole('button', { name: 'Copy' }).click();
    assert.deepEqual(await asked('copy'), [{ type: 'copy', text: 'k/1' }]);
    assert.equal(await words('.key [role=status]'), 'Copied');
  });

  it('is shown where that is allowed, its room being kept before it comes', async () => {
    const { promise: come, resolve: letCome } = deferred<void>();
    await open([image(content)], { pictures: true, web: (url) => come.then(() => web(url)) });
    const before = await one('img').boundingBox();
    assert.deepEqual([Math.round(before?.width ?? 0), Math.round(before?.height ?? 0)], [427, 320]);
    letCome();
    await shown.page.waitForFunction(() => [...document.images].some((picture) => picture.naturalWidth > 0));
    assert.equal(await one('img').getAttribute('alt'), 'cat.png');
    assert.equal(await one('img').getAttribute('loading'), 'lazy');
    assert.deepEqual(await one('img').boundingBox(), before);
    assert.deepEqual(
      [await one('img').getAttribute('width'), await one('img').getAttribute('height')],
      ['1200', '900'],
    );
    await assertHarmless(['https://a.example/cat.png']);
  });

  it('is a card after all where it does not come', async () => {
    await open([image(content)], { pictures: true });
    await one('.card').waitFor();
    assert.equal(await words('.card-title'), 'Image · cat.png');
  });

  it('is never loaded from anywhere but the web', async () => {
    const addresses = [
      'javascript:window.__ran=1',
      'data:image/svg+xml,<svg onload="window.__ran=1"/>',
      'file:///a.png',
      '/a.png',
      '//a.example/a.png',
      'vscode-resource:/a',
    ];
    await open(
      addresses.map((imageUrl) => image({ imageUrl })),
      { pictures: true },
    );
    assert.equal(await all('img').count(), 0);
    assert.deepEqual(await links(), []);
    assert.deepEqual(await all('.card bdi:not(.card-title)').allInnerTexts(), addresses);
    await assertHarmless();
  });

  it('keeps no room for sizes that make no sense', async () => {
    await open(
      [{ imageWidth: -1, imageHeight: 5 }, { imageWidth: 1e12, imageHeight: 3 }, { imageWidth: 5 }].map((size) =>
        image({ ...content, ...size, ...('imageHeight' in size ? {} : { imageHeight: undefined }) }),
      ),
      { pictures: true, web },
    );
    await all('img').nth(2).waitFor({ state: 'attached' });
    assert.deepEqual(await all('img').evaluateAll((images) => images.map((picture) => picture.getAttribute('width'))), [
      null,
      null,
      null,
    ]);
  });
});

describe('A file', () => {
  it('has a name, a size and an address', async () => {
    await open([file({ fileName: 'notes.pdf', fileUrl: 'https://a.example/notes.pdf', fileSize: 1_536_000 })]);
    assert.equal(await words('.card'), 'File · 1.5 MB\nnotes.pdf\nhttps://a.example/notes.pdf');
    assert.deepEqual(await links(), [['https://a.example/notes.pdf', 'https://a.example/notes.pdf']]);
  });

  it('has a size in the largest unit that it fills', async () => {
    const sizes = [0, 1, 999, 1000, 999_949, 999_950, 12_345_678, 5e15, -1];
    await open(sizes.map((fileSize) => file({ fileName: 'a', fileSize })));
    await all('.card-title')
      .nth(sizes.length - 1)
      .waitFor();
    assert.deepEqual(await all('.card-title').allInnerTexts(), [
      ...['File · 0 bytes', 'File · 1 byte', 'File · 999 bytes', 'File · 1 kB', 'File · 999.9 kB', 'File · 1 MB'],
      ...['File · 12.3 MB', 'File · 5 PB', 'File'],
    ]);
  });

  it('has an address that is not of the web as text', async () => {
    await open(
      ['javascript:alert(1)', 'file:///etc/passwd', 'vscode://a/b', 'command:x'].map((fileUrl) =>
        file({ fileName: 'a', fileUrl }),
      ),
    );
    assert.deepEqual(await links(), []);
    assert.equal(await words('.card'), 'File\na\njavascript:alert(1)');
  });

  it('cannot write its name backwards', async () => {
    await open([file({ fileName: 'holiday\u202Egpj.exe' })]);
    assert.equal(await words('.file-name'), 'holiday⟨U+202E⟩gpj.exe');
  });
});

describe('An HTML message', () => {
  it('is a page within a border, or its source', async () => {
    await open([html('<h1>Hi</h1><p>There is <b>news</b></p>')]);
    assert.equal(await words('.html-page h1'), 'Hi');
    const [page, source] = [
      shown.page.getByRole('button', { name: 'Show page' }),
      shown.page.getByRole('button', { name: 'Show source' }),
    ];
    assert.deepEqual(
      [await page.getAttribute('aria-pressed'), await source.getAttribute('aria-pressed')],
      ['true', 'false'],
    );
    await source.click();
    assert.equal(await words('.card pre'), '<h1>Hi</h1><p>There is <b>news</b></p>');
    assert.deepEqual(
      [await page.getAttribute('aria-pressed'), await source.getAttribute('aria-pressed')],
      ['false', 'true'],
    );
    await page.click();
    assert.equal(await words('.html-page b'), 'news');
    assert.equal(await one('.card.html').evaluate((card) => getComputedStyle(card).borderTopStyle), 'solid');
  });

  const RUN = 'window.__ran=1';
  const hostile: Record<string, string> = {
    'a script': `<script>${RUN}</script><script src="https://evil.example/a.js"></script>a`,
    'an event handler': `<img src=x onerror="${RUN}"><b onmouseover="${RUN}">a</b><details open ontoggle="${RUN}">a</details><body onload="${RUN}">`,
    'links that run': `<a href="javascript:${RUN}">a</a><a href="&#106;ava&Tab;script:${RUN}">b</a><a href="command:x">c</a><a href="vscode://x">d</a><a href="file:///x">e</a><a href="data:text/html,<script>${RUN}</script>">f</a><a href="//evil.example">g</a>`,
    'a drawing': `<svg onload="${RUN}"><script>${RUN}</script><a xlink:href="javascript:${RUN}"><text>a</text></a><image href="https://evil.example/a.png"/></svg>a`,
    formulas: `<math><mtext><mglyph><style><img src=x onerror="${RUN}"></style></mglyph></mtext></math>a`,
    styles:
      '<style>@import "https://evil.example/a.css"; .entry { display: none }</style><p style="background: url(https://evil.example/a.png); position: fixed">a</p><font color=red>a</font>',
    'pictures of all kinds':
      '<img src="https://evil.example/a.png" srcset="https://evil.example/b.png 2x"><picture><source srcset="https://evil.example/c.png"><img src="https://evil.example/d.png"></picture><input type=image src="https://evil.example/e.png"><table background="https://evil.example/f.png"><tr><td background="https://evil.example/g.png">a</table><video poster="https://evil.example/h.png" src="https://evil.example/i.mp4"></video><audio src="https://evil.example/j.mp3" autoplay></audio>',
    'frames and plugins': `<iframe src="https://evil.example"></iframe><iframe srcdoc="<script>parent.${RUN}</script>"></iframe><object data="https://evil.example/a"></object><embed src="https://evil.example/a"><frameset><frame src="https://evil.example"></frameset><portal src="https://evil.example"></portal>a`,
    'what would lead away': `<meta http-equiv="refresh" content="0;url=https://evil.example"><base href="https://evil.example/"><link rel="stylesheet" href="https://evil.example/a.css"><link rel="preconnect" href="https://evil.example"><link rel=prefetch href="https://evil.example/b"><a href="a" ping="https://evil.example/c" target=_top>a</a>`,
    forms: `<form action="https://evil.example" id="labels"><input name="token" autofocus onfocus="${RUN}"><textarea>a</textarea><select><option>b</select><button formaction="javascript:${RUN}">Set token</button></form><keygen><isindex>`,
    'names of the page':
      '<p id="labels" name="place" class="heading button"><a id="place" name="options">a</a><img name="acquireVsCodeApi" id="body"><b id=message-m1 data-x=1 aria-label="x" role=alert slot=x is=y part=z itemprop=a>b</b>',
    templates: `<template><script>${RUN}</script><img src=x onerror="${RUN}"></template><div><template shadowrootmode=open><slot></slot><script>${RUN}</script></template></div><x-y onclick="${RUN}">a</x-y>`,
    'mutation: noscript': `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
    'mutation: style in math': `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${RUN}>`,
    'mutation: style in svg': `<svg></p><style><a id="</style><img src=1 onerror=${RUN}>">`,
    'mutation: annotation': `<math><annotation-xml encoding="text/html"><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUN}&gt;"></annotation-xml></math>`,
    'mutation: foreign object': `<svg><foreignObject><p><style><!--</style><img src=x onerror=${RUN}>--></style></p></foreignObject></svg>`,
    'mutation: comment': `<!--><img src=x onerror=${RUN}>--><![CDATA[><img src=x onerror=${RUN}>]]><?xml ><img src=x onerror=${RUN}>?>`,
    'mutation: textarea': `<textarea></textarea><title></textarea><img src=x onerror=${RUN}></title><xmp><img src=x onerror=${RUN}></xmp><plaintext><img src=x onerror=${RUN}>`,
    'mutation: select': `<select><iframe></select><img src=x onerror=${RUN}>`,
    'mutation: table': `<table><td><math><mi><table><tr><td><style></math><img src=x onerror=${RUN}>`,
    'mutation: title': `<p title="&lt;/p&gt;&lt;img src=x onerror=${RUN}&gt;">a</p><a title='"><img src=x onerror=${RUN}>' href="https://a.example/&quot;&gt;&lt;img src=x onerror=${RUN}&gt;">b</a>`,
  };

  for (const [name, page] of Object.entries(hostile)) {
    for (const pictures of [false, true]) {
      it(`loses ${name}${pictures ? ', where pictures are allowed as well' : ''}`, async () => {
        await open([html(page), html('<p>after</p>')], { pictures });
        await shown.page.getByText('after', { exact: true }).waitFor();
        // What would have run at once has had its turn.
        await shown.page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
        await assertBare('.html-page');
        const isPicture = (url: string) => pictures && name === 'pictures of all kinds' && /\/[ad]\.png$/.test(url);
        await assertHarmless(shown.requests.filter(isPicture));
        for (const [, href] of await links()) assert.match(href ?? '', /^https:/);
        await shown.page.locator('.choice').nth(1).click();
        assert.equal((await words('.card pre')).replaceAll(/\s/g, ''), page.replaceAll(/\s/g, ''));
        await assertBare('.card pre');
      });
    }
  }

  it('has pictures as links unless they are allowed, and those of the web if they are', async () => {
    const page = html(
      '<img src="https://a.example/cat.png" alt="A cat"><img src="data:image/png;base64,AAAA" alt="Inline"><img src="a.png" alt="Local">',
    );
    await open([page]);
    await one('.html-page a').waitFor();
    assert.deepEqual(await links(), [['A cat', 'https://a.example/cat.png']]);
    await assertHarmless();
    await shown.close();
    await open([page], { pictures: true, web });
    await one('.html-page img').waitFor();
    assert.equal(await words('.html-page'), 'InlineLocal');
    assert.equal(await all('img').count(), 1);
    await assertHarmless(['https://a.example/cat.png']);
  });

  it('leads to the web and to mail, and says where', async () => {
    await open([
      html(
        '<a href="https://evil.example/a">bank.example</a> <a href="mailto:a@b.example">mail</a> <a href="page">here</a>',
      ),
    ]);
    await one('.html-page a').waitFor();
    assert.equal(await words('.html-page'), 'bank.example (→ evil.example) mail here');
    assert.equal(await one('.html-page a').getAttribute('title'), 'https://evil.example/a');
    assert.equal(await one('.html-page a').getAttribute('rel'), 'noreferrer');
    assert.equal(await all('a').count(), 2);
  });

  it('cannot be taken for messages of their own', async () => {
    await open([html('<article>One <article id="message-m1">two</article></article>')]);
    await one('.html-page').getByText('One two').waitFor();
    assert.equal(await all('article').count(), 0);
  });

  it('keeps its tables', async () => {
    await open([
      html(
        '<table><thead><tr><th colspan="2">a</th></tr></thead><tr><td rowspan=2>b<td>c</table><ol start="3"><li>d</ol>',
      ),
    ]);
    await one('.html-page td').waitFor();
    assert.equal(await one('th').getAttribute('colspan'), '2');
    assert.equal(await one('.html-page ol').getAttribute('start'), '3');
  });
});

describe('A message of another kind', () => {
  it('is shown as the JSON of its content', async () => {
    await open([listed({ contentType: 'video', content: { videoUrl: 'https://a.example/v.mp4', more: [1] } })]);
    assert.equal(await words('.card-title'), 'A message of the kind “video”, shown as it came');
    assert.deepEqual(JSON.parse(await words('.card pre')), { videoUrl: 'https://a.example/v.mp4', more: [1] });
  });

  it('is shown as it was read where the JSON did not come along', async () => {
    const entry = { ...listed({ contentType: 'audio', content: { text: 'la la' } }), raw: undefined };
    await open([entry]);
    assert.deepEqual(JSON.parse(await words('.card pre')), { text: 'la la' });
  });
});

describe('Buttons', () => {
  const button = (name: string) => shown.page.getByRole('button', { name, exact: true });

  it('open addresses of the web, from where the contract has them and from where they were seen', async () => {
    await open([
      withButtons([
        { text: 'Shop', actionType: 1, url: 'https://a.example/shop' },
        { text: 'Seen', actionType: 1, value: 'http://b.example' },
      ]),
    ]);
    await button('Shop').click();
    await button('Seen').click();
    assert.deepEqual(await asked('open'), [
      { type: 'open', url: 'https://a.example/shop' },
      { type: 'open', url: 'http://b.example' },
    ]);
    assert.equal(await button('Shop').getAttribute('title'), 'Opens https://a.example/shop');
  });

  it('open nothing else', async () => {
    const bad = [
      'javascript:window.__ran=1',
      'command:x',
      'vscode://a/b',
      'file:///a',
      'data:text/html,a',
      'a.example',
      '',
    ];
    await open([withButtons(bad.map((url, index) => ({ text: `b${index}`, actionType: 1, url })))]);
    for (const index of bad.keys()) await button(`b${index}`).click();
    assert.equal(await words('.button-note'), 'This button has no web address to open.');
    await assertHarmless();
  });

  it('copy what they hold, exactly', async () => {
    await open([withButtons([{ text: 'Copy it', actionType: 2, value: 'a\u202Eb\n"c"' }])]);
    await button('Copy it').click();
    assert.deepEqual(await asked('copy'), [{ type: 'copy', text: 'a\u202Eb\n"c"' }]);
    assert.equal(await words('.button-note'), 'Copied');
    assert.equal(await button('Copy it').getAttribute('title'), 'Copies “a⟨U+202E⟩b "c"”');
  });

  it('preview what they would report, and report nothing', async () => {
    await open([
      withButtons(
        [{ text: 'Order', actionType: 3, value: 'order:7' }],
        [{ text: 'Odd', actionType: 9 }, { text: 'None' }],
      ),
    ]);
    await button('Order').click();
    assert.equal(
      await words('.button-note'),
      'In the chat, a click would report “order:7”. This is a preview: nothing was reported.',
    );
    await button('Odd').click();
    assert.equal(await words('.button-note'), 'Action type 9 (meaning not documented)');
    await button('None').click();
    assert.equal(await words('.button-note'), 'Action type ? (meaning not documented)');
    await assertHarmless();
  });

  it('stay in their rows, within the width of the page', async () => {
    const eight = Array.from({ length: 8 }, (_, index) => ({ text: `Button ${index}`, actionType: 2, value: '' }));
    const long = [
      { text: 'word '.repeat(60), actionType: 2, value: '' },
      { text: 'x'.repeat(500), actionType: 2, value: '' },
    ];
    await open([withButtons(eight, long)]);
    assert.deepEqual(await all('.button-row').evaluateAll((rows) => rows.map((row) => row.childElementCount)), [8, 2]);
    const sizes = await all('.preview-button').evaluateAll((buttons) =>
      buttons.map((element) => [
        element.scrollWidth <= element.clientWidth,
        element.getBoundingClientRect().width <= 640,
      ]),
    );
    assert.deepEqual(
      sizes,
      sizes.map(() => [true, true]),
    );
  });
});

describe('The find bar', () => {
  const bar = () => shown.page.getByRole('search');
  const find = async (words: string) => {
    await shown.post({ type: 'find' });
    await bar().getByRole('textbox').fill(words);
  };
  const count = () => bar().getByRole('status');
  /** Waits until this is marked in the page, in any order: the current match, and the others. */
  const areMarked = (here: string[], others: string[]) =>
    shown.page.waitForFunction(
      (expected) => {
        const marked = (name: string) => Array.from(CSS.highlights.get(name) ?? [], (range) => `${range}`).sort();
        return JSON.stringify([marked('found-here'), marked('found')]) === expected;
      },
      JSON.stringify([here, others]),
    );
  const from = (senderNickname: string, senderId: string) =>
    listed({ contentType: 'text', content: { text: 'Hi' }, senderNickname, senderId });
  const withId = (msgId: string, words: string) => listed({ msgId, contentType: 'text', content: { text: words } });

  it('marks words behind letters that are longer when they are small', async () => {
    await open([text('İabc'), text('an abc')]);
    await find('abc');
    await count().getByText('1 of 2').waitFor();
    await areMarked(['abc'], ['abc']);
    await assertHarmless();
  });

  it('marks what it counts, in all forms of its characters', async () => {
    await open([text('ＦＵＬＬ width'), text('cafe\u0301 full')]);
    await find('Full');
    await count().getByText('1 of 2').waitFor();
    await areMarked(['full'], ['ＦＵＬＬ']);
    await find('café');
    await count().getByText('1 of 1').waitFor();
    await areMarked(['cafe\u0301'], []);
  });

  it('marks nothing any more when it is closed, whatever comes', async () => {
    await open([text('a word')]);
    await find('word');
    await count().getByText('1 of 1').waitFor();
    await bar().getByRole('textbox').press('Escape');
    await bar().waitFor({ state: 'detached' });
    await shown.show([text('a word'), text('a word more')]);
    await shown.page.getByText('a word more').waitFor();
    // What watches the page has had its turn.
    await shown.page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    assert.equal(await shown.page.evaluate(() => CSS.highlights.size), 0);
  });

  it('stays at its match when newer ones come', async () => {
    const first = [withId('a', 'one word'), withId('b', 'two words')];
    await open(first);
    await find('word');
    await count().getByText('1 of 2').waitFor();
    await shown.page.getByRole('button', { name: 'Next older match' }).click();
    await count().getByText('2 of 2').waitFor();
    await shown.show([...first, withId('c', 'three words')]);
    await count().getByText('3 of 3').waitFor();
    await shown.page.waitForFunction(() => {
      const [range] = CSS.highlights.get('found-here') ?? [];
      return range?.startContainer.textContent === 'one word';
    });
  });

  it('shows what cannot be seen in names and kinds, and leaves numbers beside names of any direction', async () => {
    const kind = listed({ contentType: 'a\u202Eb', content: {}, senderId: '9', senderNickname: 'Ann' });
    await open([from('a\u202Eb', '7'), from('a\u202Eb', '7'), from('שלום', '8'), kind]);
    await find('');
    const [senders, kinds] = await bar()
      .locator('select')
      .evaluateAll((lists) =>
        (lists as HTMLSelectElement[]).map((list) => [...list.options].map((option) => option.text)),
      );
    assert.deepEqual(senders?.slice(1), [
      ...['\u2068a⟨U+202E⟩b\u2069 (2)', '\u2068שלום\u2069 (1)', '\u2068Ann\u2069 (1)'],
    ]);
    assert.deepEqual(kinds?.slice(1), ['a⟨U+202E⟩b', 'text']);
  });
});

describe('Markdown that is rendered for an exported page', () => {
  it('is what the history shows', async () => {
    const source = [
      '&eacute;&rarr;&copy;&nbsp;&notin; &unheardOf; &zwnj; \\&eacute; `&eacute;`',
      '# &Auml;\n\n- [x] &auml;\n\n> &ouml;\n\n| &uuml; |\n| - |\n| &szlig; |\n\n    &euro;',
      'https://x.example/?a&copy;b <https://x.example/?a&notin;b> [https://a.example](https://b.example)',
    ].join('\n\n');
    await open([markdown(source)]);
    await one('.markdown').waitFor();
    // Here is no document, as in the extension host.
    const exported = render(source, { pictures: false })?.html ?? '';
    const read = (html: string) => new DOMParser().parseFromString(html, 'text/html').body.innerHTML;
    assert.equal(await one('.markdown').innerHTML(), await shown.page.evaluate(read, exported));
  });
});

describe('What cannot be seen', () => {
  it('is made visible wherever a message says something', async () => {
    const hidden = 'a\u202Eb\u200Bc\u0007d';
    const seen = 'a⟨U+202E⟩b⟨U+200B⟩c⟨U+0007⟩d';
    await open([
      text(hidden),
      markdown(
        `${hidden} a&#x202E;b\u200Bc&#7;d\n\n\`${hidden}\`\n\n\`\`\`js\n${hidden}\n\`\`\`\n\n    ${hidden}\n\n[${hidden}](https://a.example)`,
      ),
      file({ fileName: hidden, fileUrl: hidden }),
      image({ imageName: hidden, imageKey: hidden, imageUrl: hidden }),
      html(`<p>${hidden}</p><b>a&#x202E;b&#x200B;cd</b>`),
      listed({ contentType: hidden, content: { any: 'a\u202Eb\u200Bc' } }),
      withButtons([{ text: hidden, actionType: hidden, value: hidden }]),
    ]);
    await one('.html-page p').waitFor();
    await one('.markdown pre').first().waitFor();
    const everything = await shown.page.locator('main').evaluate((list) => list.outerHTML);
    assert.doesNotMatch(everything, /\u202E|\u200B/);
    assert.equal(await all('.text').first().innerText(), seen);
    assert.equal(await words('.file-name'), seen);
    assert.equal(await words('.html-page p'), seen);
    assert.equal(await words('.preview-button'), seen);
    const said = await all('.markdown').innerText();
    assert.equal(said.split(seen).length - 1, 5, said);
    // HTML has no character of the number 7.
    assert.ok(said.includes('a⟨U+202E⟩b⟨U+200B⟩c\uFFFDd'), said);
  });
});

describe('A message that is very much', () => {
  const sizes: Record<string, string> = {
    'a word': 'x'.repeat(1_000_000),
    lines: 'A line of words that goes on.\n'.repeat(33_000),
    marks: '\u202E'.repeat(300_000),
    brackets: '[('.repeat(300_000),
    stars: '*a **b '.repeat(100_000),
    ticks: '`a ``b '.repeat(100_000),
    quotes: `${'> '.repeat(1000)}deep\n`.repeat(20),
    lists: Array.from({ length: 1000 }, (_, depth) => `${' '.repeat(2 * depth)}- ${depth}`).join('\n'),
    rows: `|a|b|\n|-|-|\n${'|1|2|\n'.repeat(50_000)}`,
    addresses: 'https://a.example/b '.repeat(20_000),
    'ends of addresses': `http://a${')'.repeat(1985)} `.repeat(100),
    tags: '<b><i>a'.repeat(50_000),
    divisions: `${'<div><blockquote>'.repeat(20_000)}deep`,
    images: '![a](https://a.example/b)'.repeat(20_000),
    entities: '&amp;'.repeat(100_000),
    code: `\`\`\`cpp\n${'a<b<c<(((('.repeat(1900)}\n\`\`\``,
    xml: `\`\`\`xml\n${'<a '.repeat(6000)}\n\`\`\``,
  };
  for (const kind of ['text', 'markdown', 'html', 'strange']) {
    for (const [name, words] of Object.entries(sizes)) {
      it(`does not make the page stand still: ${name} as ${kind}`, async () => {
        await open([listed({ contentType: kind, content: { text: words, fileName: words } }), text('after')]);
        await shown.page.getByText('after', { exact: true }).waitFor();
        await one('.text, .markdown, .html-page[aria-busy=false], pre').waitFor();
        const first = await longestTask();
        const more = shown.page.getByRole('button', { name: /^Show all [\d,]+ characters$/ });
        let rest = 0;
        if ((await more.count()) > 0) {
          await more.click();
          await more.waitFor({ state: 'detached' });
          rest = await longestTask();
        }
        if (process.env.MEASURE) console.log(kind, name, Math.round(first), Math.round(rest));
        assert.ok(first < 1000, `${first} ms`);
        assert.ok(rest < 4000, `${rest} ms`);
        await assertHarmless();
      });
    }
  }

  it('is all there when asked, and stays so', async () => {
    const end = 'THE END';
    const entries = [text('a long text\n'.repeat(5000) + end), text('short')];
    await open(entries);
    const everything = shown.page.getByRole('button', { name: 'Show all 60,007 characters' });
    assert.equal((await words('.text')).includes(end), false);
    await everything.click();
    assert.ok((await words('.text')).endsWith(end));
    assert.equal(await everything.count(), 0);
  });

  it('is shown as its source where quotes are nested too deeply to be told apart', async () => {
    const source = `${'> '.repeat(1000)}deep`;
    await open([markdown(source), markdown(`${'> '.repeat(8)}fine`)]);
    await one('.markdown').waitFor();
    assert.equal(await words('.text'), source);
    assert.equal(await all('.markdown blockquote').count(), 8);
  });

  it('never makes the page wider than it is', async () => {
    const long = 'x'.repeat(3000);
    const table = `|${long.slice(0, 300)}|${'b|'.repeat(40)}\n|${'-|'.repeat(41)}\n|${'1|'.repeat(41)}`;
    await open(
      [
        text(long),
        markdown(`${long}\n\n\`${long}\`\n\n${table}`),
        html(`<p>${long}</p><table><tr>${'<td>cell</td>'.repeat(60)}</tr></table><pre>${long}</pre>`),
        file({ fileName: long, fileUrl: `https://a.example/${long}` }),
      ],
      { height: 4000 },
    );
    await one('.html-page p').waitFor();
    await one('.markdown').waitFor();
    assert.ok(await shown.page.locator('main').evaluate((main) => main.scrollWidth <= main.clientWidth));
  });
});

describe('The page', () => {
  it('says whom a message mentions', async () => {
    await open([listed({ contentType: 'text', content: { text: 'Hi', at: ['7058314', 'a\u202Eb'] } }), text('a')]);
    await shown.page.getByText('Mentions 7058314, a⟨U+202E⟩b').waitFor();
    assert.equal(await shown.page.getByText('Mentions').count(), 1);
  });

  it('asks for older messages while there is room for them, and not while it waits for them', async () => {
    const edges = (at: string) => shown.post({ type: 'edges', older: { at }, newer: { at: 'open' } });
    await open([text('a'), text('b')]);
    await edges('open');
    await shown.page.waitForFunction(() => window.__host.posted.some(({ type }) => type === 'older'));
    await edges('loading');
    await shown.page.getByText('Loading…').waitFor();
    const before = (await asked('older')).length;
    await shown.show([text('a'), text('b'), text('c')]);
    await shown.page.getByText('c', { exact: true }).waitFor();
    await edges('end');
    await shown.page.getByText('This is the beginning of the history.').waitFor();
    assert.equal((await asked('older')).length, before);
  });

  it('keeps its place for VS Code, and holds no token', async () => {
    await open([text('a')]);
    const place = { service: 'https://chat.example', type: 'group', id: 'big', botId: '30481126' };
    const state = await shown.state();
    assert.deepEqual(state?.place, place);
    assert.doesNotMatch(JSON.stringify(state), /token/i);
  });

  it('lets nothing be loaded that slips through', async () => {
    await open([text('a')]);
    await shown.page.evaluate(() => {
      document.body.insertAdjacentHTML('beforeend', '<img src="https://a.example/a.png"><p style="color: red">a</p>');
    });
    await shown.page.waitForFunction(() => window.__host.refused.length >= 2);
    assert.deepEqual((await shown.refused()).sort(), ['img-src https://a.example/a.png', 'style-src-attr inline']);
    assert.deepEqual(shown.requests, []);
  });

  it('speaks Chinese', async () => {
    await open([file({ fileName: '合同.pdf', fileSize: 2500 }), html('<p>a</p>')], { language: 'zh-cn' });
    assert.equal(await words('.card-title'), '文件 · 2.5 kB');
    assert.equal(await shown.page.getByRole('button', { name: '显示源代码' }).count(), 1);
  });

  for (const theme of ['dark', 'light', 'hc'] as const) {
    it(`shows all kinds in the ${theme} theme`, async () => {
      await open(kinds(), { theme, pictures: true, height: 2300, web });
      await one('.code-kwd').waitFor();
      await one('.html-page table').waitFor();
      await shown.page.getByRole('button', { name: 'Order one' }).click();
      await shown.page.waitForFunction(() => [...document.images].every((picture) => picture.complete));
      await shown.screenshot(`history-content-${theme}`);
      await assertHarmless(shown.requests);
    });
  }
});
