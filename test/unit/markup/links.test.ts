import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseWebAddress, safeLink, splitLinks } from '../../../src/markup/links.ts';

describe('An address of the web', () => {
  it('is http or https, and absolute', () => {
    for (const good of ['http://a.example', 'HTTPS://a.example/b c', ' https://例子.example '])
      assert.equal(parseWebAddress(good), good.trim());
    const bad = [
      '',
      'a.example',
      '//a.example',
      'https:',
      'https://',
      'https:a.example',
      'ftp://a',
      'javascript://https://a',
    ];
    for (const address of [...bad, 'ht\ntps://a.example', 'https://a\nb.example', 'https://a b.example']) {
      assert.equal(parseWebAddress(address), undefined, address);
    }
  });
});

describe('A link', () => {
  const real = (address: string, text: string) => safeLink(address, text)?.realTarget;

  it('says where it leads as a browser understands it', () => {
    assert.deepEqual(safeLink('https://аррӏе.example', 'Shop'), {
      href: 'https://аррӏе.example',
      title: 'https://xn--80ak6aa92e.example/',
      realTarget: undefined,
    });
  });

  it('leads to the web or to mail', () => {
    assert.equal(safeLink('mailto:a@b.example', '')?.href, 'mailto:a@b.example');
    for (const address of ['mailto:', 'mail:a', 'command:x', 'vscode://a', 'file:///a', 'data:,a', 'javascript:a'])
      assert.equal(safeLink(address, ''), undefined);
  });

  it('names its real place where its words name another', () => {
    const cases = [
      ['https://evil.example', 'https://bank.example'],
      ['https://evil.example', 'go to http://bank.example/a now'],
      ['https://evil.example', 'bank.example'],
      ['https://evil.example', 'https:\\\\bank.example'],
      ['https://evil.example', 'pay@bank.example'],
      ['https://bank.example@evil.example', 'Pay'],
      ['https://evil.example', 'https://evil.example@bank.example'],
    ] as const;
    for (const [address, text] of cases) assert.equal(real(address, text), 'evil.example', text);
    assert.equal(real('mailto:evil@evil.example', 'me@bank.example'), 'evil@evil.example');
    assert.equal(real('https://bank.example:8443/', 'https://bank.example/'), 'bank.example:8443');
  });

  it('names no other place where its words name none, or the same', () => {
    for (const text of [
      'Shop',
      'v. 1.2',
      '',
      'HTTPS://A.example/b',
      'www.a.example',
      'a.example',
      'a.example/b?c',
      'https://a.example:443',
    ])
      assert.equal(real('https://a.example/x', text), undefined, text);
    assert.equal(real('https://例子.example', 'https://例子.example/群'), undefined);
    assert.equal(real('mailto:me@a.example?subject=x', 'me@a.example'), undefined);
  });
});

describe('A text in pieces', () => {
  const addresses = (text: string) => splitLinks(text).flatMap((piece) => (piece.isAddress ? [piece.text] : []));

  it('has addresses without the punctuation around them', () => {
    assert.deepEqual(
      addresses('(https://a.example/b), "http://c.example"! https://d.example/(e) 见https://f.example。好'),
      [...['https://a.example/b', 'http://c.example', 'https://d.example/(e)', 'https://f.example']],
    );
    assert.deepEqual(addresses('https:// http://. xhttps'), []);
    assert.deepEqual(addresses('https://a.example\u202E/b'), ['https://a.example']);
  });

  it('has all brackets in an address but those at its end that it does not open', () => {
    /** As it is said: each end is looked at on its own. */
    const withoutEnd = (address: string): string => {
      const count = (character: string) => address.split(character).length - 1;
      const isEnd =
        /[.,;:!?'*_~]$/.test(address) ||
        (address.endsWith(')') && count(')') > count('(')) ||
        (address.endsWith(']') && count(']') > count('['));
      return isEnd ? withoutEnd(address.slice(0, -1)) : address;
    };
    const characters = fc.constantFrom('(', ')', '[', ']', '.', '!', '/', 'a');
    fc.assert(
      fc.property(fc.array(characters, { maxLength: 20 }), (rest) => {
        const address = `https://a/${rest.join('')}`;
        assert.equal(addresses(address)[0], withoutEnd(address));
      }),
      { numRuns: 2000 },
    );
  });

  it('is the text when put together', () => {
    for (const text of ['', 'a', 'https://a.example', 'x https://a.example. https://b.example\ny']) {
      assert.equal(
        splitLinks(text)
          .map((piece) => piece.text)
          .join(''),
        text,
      );
    }
  });
});
