import assert from 'node:assert/strict';
import {
  all,
  assertBare,
  assertHarmless,
  historyPage,
  html,
  links,
  one,
  open,
  openFresh,
  serveImages,
  textIn,
} from './sharedHistory.ts';

describe('An HTML message', () => {
  it('is a page within a border, or its source', async () => {
    await open([html('<h1>Hi</h1><p>There is <b>news</b></p>')]);
    assert.equal(await textIn('.html-page h1'), 'Hi');
    const [page, source] = [
      historyPage.page.getByRole('button', { name: 'Show Page' }),
      historyPage.page.getByRole('button', { name: 'Show Source' }),
    ];
    assert.deepEqual(
      [await page.getAttribute('aria-pressed'), await source.getAttribute('aria-pressed')],
      ['true', 'false'],
    );
    await source.click();
    assert.equal(await textIn('.card pre'), '<h1>Hi</h1><p>There is <b>news</b></p>');
    assert.deepEqual(
      [await page.getAttribute('aria-pressed'), await source.getAttribute('aria-pressed')],
      ['false', 'true'],
    );
    await page.click();
    assert.equal(await textIn('.html-page b'), 'news');
    assert.equal(await one('.card.html').evaluate((card) => getComputedStyle(card).borderTopStyle), 'solid');
  });

  it('is shown as source if it has no body, without affecting the next message', async () => {
    await open([html('<frameset></frameset>'), html('<p>after</p>')]);
    assert.equal(await textIn('.html-page'), '<frameset></frameset>');
    assert.equal(await all('.html-page').last().innerText(), 'after');
    await assertHarmless();
  });

  const RUN = 'window.__ran=1';
  const hostile: Record<string, string> = {
    'a script': `<script>${RUN}</script><script src="https://evil.example/a.js"></script>a`,
    'an event handler': `<img src=x onerror="${RUN}"><b onmouseover="${RUN}">a</b><details open ontoggle="${RUN}">a</details><body onload="${RUN}">`,
    'links that run': `<a href="javascript:${RUN}">a</a><a href="&#106;ava&Tab;script:${RUN}">b</a><a href="command:x">c</a><a href="vscode://x">d</a><a href="file:///x">e</a><a href="data:text/html,<script>${RUN}</script>">f</a><a href="//evil.example">g</a>`,
    SVG: `<svg onload="${RUN}"><script>${RUN}</script><a xlink:href="javascript:${RUN}"><text>a</text></a><image href="https://evil.example/a.png"/></svg>a`,
    MathML: `<math><mtext><mglyph><style><img src=x onerror="${RUN}"></style></mglyph></mtext></math>a`,
    styles:
      '<style>@import "https://evil.example/a.css"; .entry { display: none }</style><p style="background: url(https://evil.example/a.png); position: fixed">a</p><font color=red>a</font>',
    'images of all kinds':
      '<img src="https://evil.example/a.png" srcset="https://evil.example/b.png 2x"><picture><source srcset="https://evil.example/c.png"><img src="https://evil.example/d.png"></picture><input type=image src="https://evil.example/e.png"><table background="https://evil.example/f.png"><tr><td background="https://evil.example/g.png">a</table><video poster="https://evil.example/h.png" src="https://evil.example/i.mp4"></video><audio src="https://evil.example/j.mp3" autoplay></audio>',
    'frames and plugins': `<iframe src="https://evil.example"></iframe><iframe srcdoc="<script>parent.${RUN}</script>"></iframe><object data="https://evil.example/a"></object><embed src="https://evil.example/a"><frameset><frame src="https://evil.example"></frameset><portal src="https://evil.example"></portal>a`,
    'redirects and external resources': `<meta http-equiv="refresh" content="0;url=https://evil.example"><base href="https://evil.example/"><link rel="stylesheet" href="https://evil.example/a.css"><link rel="preconnect" href="https://evil.example"><link rel=prefetch href="https://evil.example/b"><a href="a" ping="https://evil.example/c" target=_top>a</a>`,
    forms: `<form action="https://evil.example" id="labels"><input name="token" autofocus onfocus="${RUN}"><textarea>a</textarea><select><option>b</select><button formaction="javascript:${RUN}">Set token</button></form><keygen><isindex>`,
    'IDs and names of the page':
      '<p id="labels" name="place" class="heading button"><a id="place" name="options">a</a><img name="acquireVsCodeApi" id="body"><b id=message-m1 data-x=1 aria-label="x" role=alert slot=x is=y part=z itemprop=a>b</b>',
    templates: `<template><script>${RUN}</script><img src=x onerror="${RUN}"></template><div><template shadowrootmode=open><slot></slot><script>${RUN}</script></template></div><x-y onclick="${RUN}">a</x-y>`,
    'addresses on other elements': `<details href="ht\ttps\n://evil.example/a" src="ht\ttps://evil.example/b">a</details><q href="mail\tto:x">b</q>`,
    'mutation: noscript': `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
    'mutation: style in math': `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${RUN}>`,
    'mutation: style in svg': `<svg></p><style><a id="</style><img src=1 onerror=${RUN}>">`,
    'mutation: script in svg': `<svg><script>"><img src=x onerror=${RUN}></script>`,
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
      it(`removes ${name}${pictures ? ', even if images are allowed' : ''}`, async () => {
        await open([html(page), html('<p>after</p>')], { pictures });
        await historyPage.page.getByText('after', { exact: true }).waitFor();
        // Let anything run that would run at once.
        await historyPage.page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
        await assertBare('.html-page');
        const loaded =
          pictures && name === 'images of all kinds'
            ? ['https://evil.example/a.png', 'https://evil.example/d.png']
            : [];
        // Their addresses take the place of images that can't be loaded.
        for (const url of loaded) await all('.html-page').filter({ hasText: url }).waitFor();
        await assertHarmless(loaded);
        for (const [, href] of await links()) assert.match(href ?? '', /^https:/);
        await historyPage.page.locator('.choice').nth(1).click();
        assert.equal((await textIn('.card pre')).replaceAll(/\s/g, ''), page.replaceAll(/\s/g, ''));
        await assertBare('.card pre');
      });
    }
  }

  it('is shown as source if the sanitizer cannot be loaded', async () => {
    await openFresh([html('<p>Hello <b>there</b></p>')], { missing: /sanitizer/ });
    await one('.html-page:not([aria-busy="true"])').waitFor();
    assert.equal(await textIn('.html-page'), '<p>Hello <b>there</b></p>');
    await historyPage.close();
  });

  it('shows images as links, or web images only if allowed', async () => {
    const page = html(
      '<img src="https://a.example/cat.png" alt="A cat"><img src="data:image/png;base64,AAAA" alt="Inline"><img src="a.png" alt="Local">',
    );
    await open([page]);
    await one('.html-page a').waitFor();
    assert.deepEqual(await links(), [['A cat', 'https://a.example/cat.png']]);
    await assertHarmless();
    await open([page], { pictures: true, web: serveImages });
    await historyPage.page.waitForFunction(() => [...document.images].some((image) => image.naturalWidth > 0));
    assert.equal(await textIn('.html-page'), 'InlineLocal');
    assert.equal(await all('img').count(), 1);
    await assertHarmless(['https://a.example/cat.png']);
  });

  it('links to web and mail addresses, and shows the actual target', async () => {
    await open([
      html(
        '<a href="https://evil.example/a">bank.example</a> <a href="mailto:a@b.example">mail</a> <a href="page">here</a>',
      ),
    ]);
    await one('.html-page a').waitFor();
    assert.equal(await textIn('.html-page'), 'bank.example (→ evil.example) mail here');
    assert.equal(await one('.html-page a').getAttribute('title'), 'https://evil.example/a');
    assert.equal(await one('.html-page a').getAttribute('rel'), 'noreferrer');
    assert.equal(await all('a').count(), 2);
  });

  it("can't fake other messages", async () => {
    await open([html('<article>One <article id="message-m1">two</article></article>')]);
    await one('.html-page').getByText('One two').waitFor();
    assert.equal(await all('article').count(), 0);
  });

  it('has parts that are apart, and nothing else, for parts of a page and of a form', async () => {
    await open([
      html(
        '<header dir="rtl">one</header><main>two<article>three</article></main><form><fieldset><legend>four</legend>five</fieldset></form><select><option>six<option>seven</select>',
      ),
    ]);
    await one('.html-page').getByText('seven').waitFor();
    const lines = (await one('.html-page').innerText()).split(/\n+/);
    assert.deepEqual(lines, ['one', 'two', 'three', 'four', 'five', 'six', 'seven']);
    const names = await all('.html-page *').evaluateAll((found) => found.map(({ localName }) => localName));
    assert.deepEqual([...new Set(names)], ['div']);
    assert.equal(await one('.html-page > div').first().getAttribute('dir'), 'rtl');
    assert.equal(await all('.html-page').count(), 1);
  });

  it('keeps tables and lists', async () => {
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
