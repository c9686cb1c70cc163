import assert from 'node:assert/strict';
import { compileTemplate } from '../../../src/markup/template.ts';
import { htmlRegions, type TextFormat } from '../../../src/markup/variablePlaces.ts';

describe('What a variable stands in', () => {
  const placesIn = (text: string, format: TextFormat) =>
    compileTemplate(text, format)
      .flatMap((piece) => (typeof piece === 'string' ? [] : piece.place))
      .join(' ');

  const expectAll = (format: TextFormat, cases: Record<string, string>) => {
    for (const [text, expected] of Object.entries(cases)) assert.equal(placesIn(text, format), expected, text);
  };

  /** The same, for an address with something around it, in the place of `@`. */
  const expectWithin = (around: string, format: TextFormat, address: string, expected: string) => {
    const text = `{{t}} ${around.replace('@', () => address)} {{t}}`;
    assert.equal(placesIn(text, format), `text ${expected} text`, text);
  };

  /** Addresses, and what their variables are. */
  const addresses: Record<string, string> = {
    '{{url}}': 'address',
    '{{url}}/a/{{x}}?b={{y}}#{{z}}': 'address part part part',
    '{{url}}?a': 'address',
    '{{url}}#a': 'address',
    'https://shop.example/{{x}}': 'part',
    'HTTP://shop.example?{{x}}': 'part',
    'https://shop.example#{{x}}': 'part',
    'https://ann@shop.example:8080/{{x}}': 'part',
    'https://shop.example\\a{{x}}': 'part',
    'https://shop.example\\{{y}}{{x}}': 'host',
    'https://shop.example{{x}}': 'afterHost',
    'https://shop.example{{x}}{{y}}/{{z}}': 'afterHost afterHost part',
    'https://{{x}}/a/{{y}}': 'host part',
    'https://{{x}}.example/': 'host',
    'https://shop{{x}}.example/': 'host',
    'https://ann{{x}}@shop.example/': 'host',
    'https://{{x}}@shop.example/': 'host',
    'https://shop.example:{{x}}/': 'host',
    'https://shop.example:80{{x}}/': 'host',
    'http{{s}}://shop.example/{{x}}': 'host part',
    '{{x}}://shop.example/{{y}}': 'host part',
    'https:/{{x}}': 'host',
  };
  /** Those of links, which may be relative, or of another kind. */
  const targets: Record<string, string> = {
    ...addresses,
    '{{url}}{{x}}': 'address afterHost',
    '{{url}}{{x}}/{{y}}': 'address afterHost part',
    '{{url}}.shop.example': 'continued',
    '{{url}}@shop.example': 'continued',
    '{{url}}:8080/{{x}}': 'continued part',
    '{{url}}&lt;': 'continued',
    '{{url}}&gt;': 'continued',
    '{{url}}&quot;': 'continued',
    'mailto:{{x}}?cc=ann@shop.example': 'part',
    'https:shop.example{{x}}': 'afterHost',
    'https:\\\\shop.example{{x}}': 'afterHost',
    '//shop.example{{x}}': 'afterHost',
    '//{{x}}/{{y}}': 'host part',
    '/{{x}}/a': 'host',
    '/a/{{x}}': 'part',
    'a{{x}}': 'part',
    '#{{x}}': 'part',
    'java{{x}}:a({{y}})': 'host host',
    'javascript:a({{x}})': 'scheme',
    'data:text/html,{{x}}': 'scheme',
    'app:{{x}}': 'scheme',
    'app://a/{{x}}': 'part',
    'app://a{{x}}': 'afterHost',
    'tel:{{x}}': 'part',
    'mailto:{{x}}': 'part',
    'xmailto:{{x}}': 'scheme',
    'mailto:{{x}}@shop.example?subject={{y}}': 'part part',
    'mailto:ann@{{x}}': 'host',
    'https:&#47;&#x2f;shop.example{{x}}': 'afterHost',
    '&sol;/shop.example{{x}}': 'scheme',
    'https://shop.example/?a&amp;b={{x}}': 'part',
    'page?a=1&copy;={{x}}': 'part',
  };

  it('is a whole address or a part of one, but never of its host', () => {
    expectAll('address', targets);
  });

  it('is found in Markdown', () => {
    for (const [address, expected] of Object.entries(targets)) {
      // A backslash before punctuation is none.
      if (address.includes('\\')) continue;
      for (const around of ['[a](@)', '![a]( @ "b")', '[a](<@>)', '\n> [a]: @\n', '\n[a]: <@>'])
        if (around !== '[a](@)' || !address.includes('(')) expectWithin(around, 'markdown', address, expected);
    }
    for (const [address, expected] of Object.entries(addresses)) {
      if (address.includes('\\') || address.startsWith('{{url')) continue;
      for (const around of ['@', '(@)', '[@]', '“@”', '**@ **', '| @ |'])
        expectWithin(around, 'markdown', address, expected);
    }
    expectAll('markdown', {
      '`https://shop.example`{{t}}': 'text',
      'https://`{{x}}': 'host',
      '<https://shop.example/{{x}}>{{t}}': 'part text',
      '<https://shop.example{{x}}>': 'afterHost',
      '<tel:{{x}}>': 'part',
      '<javascript:{{x}}>': 'scheme',
      '<{{x}}@shop.example>': 'part',
      '<ann@{{x}}>': 'host',
      '<{{x}}>': 'text',
      'mailto:{{x}}@shop.example {{t}}': 'part text',
      'mailto:ann@shop{{x}}': 'host',
      '[a](b(c){{x}}){{t}}': 'part text',
      '[a](b\\){{x}}){{t}}': 'part text',
      '[a](b\\\n{{x}}){{t}}': 'part text',
      '[a](https://shop.example\\.{{x}})': 'host',
      '[a\nb]: {{x}}': 'address',
      'a [b]: {{t}}': 'text',
      '- [a]: {{x}}\n1) [b]: {{x}}\n\t*+ [c]:{{x}}': 'address address address',
      '[a]:\n{{x}} {{t}}': 'address text',
      '[a\n\nb]: {{t}}': 'text',
      '[a\n \t\r\nb]: {{t}}': 'text',
      '[a[b]: {{t}} [a]b]: {{t}} [a](b)]: {{t}} \\[a]: {{t}}': 'text text text text',
      '[a](\n{{x}}) {{t}}': 'address text',
      '[a](b(c(d)){{x}}){{t}}': 'part text',
      '[a](b\\({{x}}){{t}}': 'part text',
      '[a](<b {{x}}> {{t}}': 'part text',
      '[a](b {{t}} {{t}}': 'text text',
      '[a](b(c {{t}}) {{t}}': 'text text',
      '<https://shop.example/{{x}} {{t}}>': 'part text',
      '<tel:{{t}} {{t}}> <tel:{{t}} \\<tel:{{t}}>': 'text text text text',
      '<ann@shop.example{{x}}> <ann@{{t}} b>': 'host text',
      'https://shop.example/(a){{x}}){{t}} https://shop.example/a]{{t}}': 'part text text',
      'https://shop.example/`{{t}}': 'text',
      '[a]\\({{t}}': 'text',
      'shop.example{{t}} //shop.example{{t}} {{t}}@shop.example {{t}}: {{t}}/{{t}}': 'text text text text text text',
    });
  });

  it('is found in plain text', () => {
    for (const [address, expected] of Object.entries(addresses)) {
      if (address.startsWith('{{url')) continue;
      assert.equal(placesIn(`{{t}} ${address} {{t}}。`, 'text'), `text ${expected} text`, address);
    }
    expectAll('text', {
      '{{t}}, https://shop.example，{{t}}': 'text text',
      'https://shop.example){{x}}': 'host',
      '[a]({{t}})': 'text',
    });
  });

  it('is found in HTML', () => {
    const links = ['<a href="@">', "<a title=x HREF = '@'/>", '<a xlink:href="@">', '<button formaction="@">'];
    const media = ['<img\nsrc=@ alt=a>', '<object data="@">', '<video poster="@">', '<table background="@">'];
    for (const [address, expected] of Object.entries(targets)) {
      // The backslash before the braces is none.
      if (address.includes('\\{{')) continue;
      for (const around of [...links, ...media, '<q cite="@">']) expectWithin(around, 'html', address, expected);
    }
    expectAll('html', {
      '<p title="{{t}}" alt=\'{{t}}\' data-x="{{t}}" aria-label="{{t}}" class="a {{t}}">{{t}}</p>{{t}}':
        'text text text text text text text',
      '<img srcset="{{x}} 2x" ping="{{x}}" srcdoc="{{x}}" style="background: url({{x}})" onclick="a({{x}})">':
        'attribute attribute attribute attribute attribute',
      '<meta http-equiv=refresh content="0; url={{x}}"><base href="{{x}}"><script src="https://a.example/{{x}}">':
        'attribute attribute attribute',
      '<a title={{x}} {{x}}="a" {{x}}><{{x}}></{{x}}>': 'unquoted tag tag tag tag',
      '<!-- {{x}} > {{x}} -->{{t}}<!doctype {{x}}>{{t}}<?{{x}}>': 'code code text code text code',
      '<script>"</p>{{x}}"</script>{{t}}<STYLE>{{x}}</style >{{t}}<title>{{t}}</title>': 'code text code text text',
      '<iframe>{{x}}': 'code',
      '<svg><title>{{t}}</title><title><a href="{{x}}">{{x}}</title>{{t}}</svg>': 'text code code text',
      '<textarea>{{t}} < {{t}}</textarea>': 'text text',
      '<p title="a > {{t}}">{{t}}': 'text text',
      '1 < {{t}} <3 {{t}}': 'text text',
      '<p title="{{t}}': 'text',
      '<p>https://shop.example{{x}}</p>{{t}} https://shop.example/{{x}}<br>{{t}}': 'afterHost text part text',
      '<a\nhref="{{x}}"\ntitle="{{t}}"><a href="java\nscript:{{x}}">': 'address text scheme',
      '<a/href="{{x}}"/title = \'{{t}}\' b/ src= {{x}} title="{{t}}">{{t}}': 'address text address text text',
      '<a href=a{{x}}>{{t}}<p class=a title="{{t}}" class>{{t}}': 'part text text text',
      '</a {{x}}>{{t}}</script>{{t}}</title><b>{{t}}': 'tag text text text',
      '<script>{{x}}</scripts>{{x}}</script/>{{t}}<title>{{t}}': 'code code text text',
      '<!-->{{t}}<!--->{{t}}<!-- {{x}} -- {{x}} --!>{{t}}<!a {{x}}>{{t}}</ {{x}}>{{t}}':
        'text text code code text code text code text',
      '<a hrefs="{{x}}" xhref="{{x}}" titles="{{x}}" xtitle="{{x}}" data-="{{x}}">':
        'attribute attribute attribute attribute attribute',
      '<scripts src="{{x}}">{{t}}<my-script src="{{x}}">{{t}}<titles>{{t}}<b>{{t}}':
        'address text address text text text',
    });
  });

  it('is code in elements that contain no tags, and text in those that contain text', () => {
    for (const name of 'script style xmp iframe noembed noframes noscript plaintext'.split(' '))
      assert.equal(placesIn(`<${name}>{{x}}<b>{{x}}</${name}>{{t}}`, 'html'), 'code code text', name);
    for (const name of ['textarea', 'title'])
      assert.equal(placesIn(`<${name}>{{t}} < {{t}}</${name}>{{t}}`, 'html'), 'text text text', name);
  });

  it('is found in linear time', () => {
    const many = (text: string) => text.repeat(Math.ceil(200_000 / text.length));
    const links = ['[x]((', '[x]( ', "[x](a '", '[x](a (', '[x\n', '[x]:', '[', '[a]({{x}} '];
    const tags = ['<a', '<a@', '<a:', '<a b="', '<a b=c ', '<!--', '<script>', '<a href="{{x}}'];
    const others = ['https://', 'a', '- ', '\n', ' ', '&', '1.', '{{x}}', '{{x}}:', 'https://{{x}}'];
    const nested = `[x](${'(aa'.repeat(18)} {{name}}`;
    const titles = [`[x](a '${many('b')}`, `[x](a '${many('\\b')}`];
    const hostile = [...[...links, ...tags, ...others].map(many), ...titles, nested];
    for (const format of ['markdown', 'html', 'text', 'address'] as const)
      for (const text of hostile) assert.ok(compileTemplate(`${text}{{x}}`, format).length > 0);
  });

  it('belongs to an attribute up to its quote, or to the end of the text if that is missing', () => {
    const places = (html: string) =>
      Array.from(htmlRegions(html), ({ start, end, in: place }) => `${html.slice(start, end)} ${place}`);
    for (const html of ['<a title="xy">', '<a title="xy', "<a title='xy"])
      assert.ok(places(html).includes('xy text'), html);
  });
});
