import assert from 'node:assert/strict';
import { type PageParts, webviewHtml } from '../../../src/platform/webviewHtml.ts';

describe('The HTML of a page', () => {
  const htmlOf = (different: Partial<PageParts> = {}) =>
    webviewHtml({
      language: 'zh-cn',
      nonce: 'random',
      page: 'report',
      translations: undefined,
      data: {},
      modules: [],
      allowsImages: false,
      asset: (name) => `assets/${name}`,
      ...different,
    });

  it('has the display language, for screen readers', () => {
    assert.match(htmlOf(), /<html lang="zh-cn">/);
  });

  it('loads the styles of all pages and its own, and all modules at once', () => {
    const links = htmlOf({ modules: ['one.js', 'two.js'] }).matchAll(
      /<link rel="(\w+)" nonce="random" href="([^"]*)">/g,
    );
    assert.deepEqual(
      Array.from(links, ([, rel, href]) => `${rel} ${href}`),
      [
        'stylesheet assets/page.css',
        'stylesheet assets/report.css',
        'modulepreload assets/one.js',
        'modulepreload assets/two.js',
      ],
    );
  });

  it('says which page it is, and whether it may show remote images', () => {
    for (const [allowsImages, sources] of [
      [true, 'https: http: data:'],
      [false, 'data:'],
    ] as const) {
      const html = htmlOf({ allowsImages });
      assert.ok(html.includes(`; img-src ${sources}; `), sources);
      assert.ok(html.includes(`id="options">{"page":"report","pictures":${allowsImages}}</script>`), sources);
    }
  });

  it("has its data, which can't end its element, and addresses, which can't end their attribute", () => {
    const html = htmlOf({ data: { state: { text: '</script>' } }, asset: (name) => `${name}?"&` });
    assert.ok(html.includes(String.raw`<script type="application/json" id="state">{"text":"\u003c/script>"}</script>`));
    assert.ok(html.includes('src="page.js?&quot;&amp;"'));
  });
});
