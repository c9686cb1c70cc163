import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseWebAddress, safeLink, splitLinks } from '../../../src/markup/links.ts';

describe('A web address', () => {
  it('is an absolute http or https address', () => {
    for (const good of ['http://a.example', 'HTTPS://a.example/b c', ' https://例子.example '])
      assert.equal(parseWebAddress(good), good.trim(), good);
    const bad = ['', 'a.example', '//a.example', 'https:', 'https://', 'https:a.example', 'javascript://https://a'];
    for (const address of [...bad, 'ftp://a', 'ht\ntps://a.example', 'https://a\nb.example', 'https://a b.example']) {
      assert.equal(parseWebAddress(address), undefined, address);
    }
  });

  it('stays one, however often that is asked', () => {
    // The Node of VS Code 1.105 compiles `URL.canParse` to something else.
    for (let times = 0; times < 50_000; times++)
      if (!parseWebAddress('https://bücher.example/')) assert.fail(`${times}`);
  });

  it('has only encoded names that are those of some name, in every engine', () => {
    for (const host of ['xn--fsqu00a.example', 'XN--BCHER-KVA.example:8080', 'a.xn--80ak6aa92e', 'axn--a.example'])
      assert.equal(parseWebAddress(`https://${host}/`), `https://${host}/`);
    for (const host of ['xn--bank-y76a.example', 'xn--a.example', 'a.XN--ZZ.example', 'xn--.example', 'xn--a-.example'])
      assert.equal(parseWebAddress(`https://${host}/`), undefined, host);
  });
});

describe('A link', () => {
  const realTarget = (address: string, text: string) => safeLink(address, text)?.realTarget;

  it('has the address as the browser understands it in its title', () => {
    assert.deepEqual(safeLink('https://аррӏе.example', 'Shop'), {
      href: 'https://аррӏе.example',
      title: 'https://xn--80ak6aa92e.example/',
      realTarget: undefined,
    });
  });

  it('accepts only web and mail addresses', () => {
    assert.equal(safeLink('mailto:a@b.example', '')?.href, 'mailto:a@b.example');
    for (const address of ['mailto:', 'mail:a', 'command:x', 'vscode://a', 'file:///a', 'data:,a', 'javascript:a'])
      assert.equal(safeLink(address, ''), undefined, address);
  });

  it('shows its actual target if its text names another', () => {
    const assertShown = (...texts: string[]) => {
      for (const text of texts) assert.equal(realTarget('https://evil.example', text), 'evil.example', text);
    };
    assertShown('https://bank.example', 'go to http://bank.example/a now', 'https:\\\\bank.example', '//bank.example');
    assertShown('bank.example/abc', 'bank.example:8080', 'bank.example?abc', 'bank.example#abc');
    assertShown('bank.example', 'bank.example.', '(bank.example)', '“bank.example”', '👉 bank.example/a!');
    assertShown('pay@bank.example', 'https://evil.example@bank.example');
    // Encoded in a way that some engines refuse.
    assertShown('https://xn--bank-y76a.example', 'xn--bank-y76a.example');
    assert.equal(realTarget('https://bank.example@evil.example', 'Pay'), 'evil.example');
    assert.equal(realTarget('mailto:evil@evil.example', 'me@bank.example'), 'evil@evil.example');
    assert.equal(realTarget('https://bank.example:8443/', 'https://bank.example/'), 'bank.example:8443');
  });

  it('shows no target if its text names none, or the same', () => {
    const words = ['', 'Shop', 'v. 1.2', '@pat.doe', '“Shop.”'];
    const same = ['HTTPS://A.example/b', 'www.a.example', 'a.example', '(a.example).', 'a.example/b?c'];
    for (const text of [...words, ...same, 'https://a.example:443'])
      assert.equal(realTarget('https://a.example/x', text), undefined, text);
    assert.equal(realTarget('https://例子.example', 'https://例子.example/群'), undefined);
    for (const text of ['me@a.example', 'mailto:me@a.example', 'Write to me@a.example.'])
      assert.equal(realTarget('mailto:me@a.example?subject=x', text), undefined, text);
  });
});

describe('Splitting text at links', () => {
  const addresses = (text: string) => splitLinks(text).flatMap((piece) => (piece.isAddress ? [piece.text] : []));

  it('excludes the punctuation around addresses', () => {
    const text = '(https://a.example/b), "http://c.example"! https://d.example/(e) 见https://f.example。好';
    const found = ['https://a.example/b', 'http://c.example', 'https://d.example/(e)', 'https://f.example'];
    assert.deepEqual(addresses(text), found);
    assert.deepEqual(addresses('https:// http://. xhttps'), []);
    assert.deepEqual(addresses('https://a.example\u202E/b'), ['https://a.example']);
  });

  it('keeps brackets in pairs, and ends at a closing one without the other', () => {
    const pairs = ['https://a.example/b(c)d', 'https://a.example/[1](2)'];
    assert.deepEqual(addresses(`(见${pairs[0]})后 ${pairs[1]}]`), pairs);
    const ends = ['https://a.example/b', 'https://a.example/'];
    assert.deepEqual(addresses('https://a.example/b( https://a.example/)c'), ends);
  });

  it('finds the next address right after a closing bracket', () => {
    for (const text of ['(https://a.example/b)(https://c.example)', '[A](https://a.example/b)|[C](https://c.example)'])
      assert.deepEqual(addresses(text), ['https://a.example/b', 'https://c.example'], text);
  });

  it('yields pieces that join to the original text', () => {
    const words = fc.constantFrom('https://a.example', 'https://', '/b', '中文', ...'。().* \n@');
    fc.assert(
      fc.property(fc.array(words), (all) => {
        const pieces = splitLinks(all.join(''));
        assert.equal(pieces.map(({ text }) => text).join(''), all.join(''));
        assert.ok(pieces.every(({ text }) => text !== ''));
      }),
    );
  });
});
