import assert from 'node:assert/strict';
import { hasExpired } from '../../../src/markup/media.ts';
import { quotationOf, quotationText } from '../../../src/markup/quotation.ts';

describe('A quotation', () => {
  it("has a name and a text, as far as they're known", () => {
    for (const [parent, name, text] of [
      ['Ann : Soup?', 'Ann', 'Soup?'],
      ['Ann : a : b', 'Ann', 'a : b'],
      ['Ann :', 'Ann', ''],
      ['Fern & Kettle: x : Soup\nBread', 'Fern & Kettle: x', 'Soup\nBread'],
      ['just text', '', 'just text'],
      ['two\nlines : here', '', 'two\nlines : here'],
      ['3:1', '', '3:1'],
      [' : Soup', '', 'Soup'],
      ['Ann : @Ben\u200B, a\u200Bb', 'Ann', '@Ben, a\u200Bb'],
    ] as const) {
      assert.deepEqual(quotationOf({ parent }), { name, text, media: [] }, parent);
    }
  });

  it('includes the media of the quoted message', () => {
    assert.deepEqual(
      quotationOf({ parentImgName: 'a.jpg', parentVideoUrl: 'https://x.y/b%20c.mp4?t=1', parentFileName: 'd.pdf' }),
      {
        name: '',
        text: '',
        media: [
          { kind: 'image', name: 'a.jpg' },
          { kind: 'video', name: 'b c.mp4' },
          { kind: 'file', name: 'd.pdf' },
        ],
      },
    );
    assert.equal(quotationText({ parent: 'Ann : ', parentVideoUrl: 'v.mp4' }), 'Ann : v.mp4');
  });

  it("doesn't seem to be the name of its sender if it has no words", () => {
    assert.equal(quotationText({ parent: 'Ann : ' }), 'Ann : …');
  });

  it('is missing if nothing was quoted', () => {
    for (const content of [{}, { parent: '' }, { parent: ' \n' }, { parent: ' : ' }, { parentImgName: '' }]) {
      assert.equal(quotationOf(content), undefined, JSON.stringify(content));
      assert.equal(quotationText(content), '', JSON.stringify(content));
    }
  });
});

describe('A signed address', () => {
  const at = Date.UTC(2026, 6, 17, 8);
  const t = (at / 1000).toString(16);

  it('expires at the second in its query', () => {
    for (const address of [`https://x.y/a?t=${t}`, `https://x.y/a?sign=b&t=${t.toUpperCase()}&c=d#e`]) {
      assert.equal(hasExpired(address, at - 1), false, address);
      for (const time of [at, at + 1e12]) assert.equal(hasExpired(address, time), true, address);
    }
  });

  it("doesn't expire if `t` isn't a timestamp, but a video position or a date", () => {
    const others = ['', '?t=', '?t=120', '?t=20240115', '?t=1h20m', `?at=${t}`, `#t=${t}`, `?t=${t}0`, '?t=zzzzzzzz'];
    for (const query of others) {
      assert.equal(hasExpired(`https://x.y/a${query}`, Infinity), false, query);
    }
    assert.equal(hasExpired('', Infinity), false);
  });
});
