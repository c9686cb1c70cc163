import assert from 'node:assert/strict';
import fc from 'fast-check';
import { escapeValue } from '../../../src/markup/escapeMarkdown.ts';
import {
  escapeCode,
  escapeProse,
  markdownVariables,
  unfilledMessage,
  writtenMessage,
} from '../../../src/markup/markdownVariables.ts';
import { MessageTemplate } from '../../../src/markup/messageTemplate.ts';
import { compileTemplate, findVariables, renderTemplate } from '../../../src/markup/template.ts';
import type { TextFormat } from '../../../src/markup/variablePlaces.ts';
import type { OutgoingButton } from '../../../src/service/message.ts';

describe('A text with variables', () => {
  const render = (text: string, values: Record<string, string> = {}, format: TextFormat = 'text') =>
    renderTemplate(compileTemplate(text, format), (name) => values[name] ?? '');

  it('has the values of a recipient', () => {
    assert.equal(render('Dear {{name}}, {{ order }} is here.', { name: 'Ann', order: '17' }), 'Dear Ann, 17 is here.');
    assert.equal(render('{{姓名}}，您好', { 姓名: '张伟' }), '张伟，您好');
    assert.equal(render('{{a}}{{b}}', { a: '{{b}}', b: '2' }), '{{b}}2');
  });

  it('has the default text for an empty value', () => {
    assert.equal(render('Dear {{name|friend}}'), 'Dear friend');
    assert.equal(render('Dear {{ name | dear friend }}', { name: '  ' }), 'Dear dear friend');
    assert.equal(render('Dear {{name|friend}}', { name: 'Ann' }), 'Dear Ann');
    assert.equal(render('Dear {{name|}}!'), 'Dear !');
    for (const name of ['\u200B', '\uFEFF \u2060', '\u00AD', '\u3164', '\u202A\u202C', '\u3000'])
      assert.equal(render('Dear {{name|friend}}', { name }), 'Dear friend', JSON.stringify(name));
    for (const name of ['❤️', '👩‍🚀', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'كتاب\u200F', '\u{20BB7}', '0'])
      assert.equal(render('Dear {{name|friend}}', { name }), `Dear ${name}`);
    const template = new MessageTemplate({ contentType: 'text', content: { text: 'Dear {{name}}' } });
    for (const one of [template.check(() => '\u200B'), template.fill(() => '\u200B')])
      assert.deepEqual(one.empty, ['name']);
  });

  it('keeps braces that are escaped, or aren’t variables', () => {
    assert.equal(render('\\{{name}} {{name}}', { name: 'Ann' }), '{{name}} Ann');
    for (const text of ['{{}}', '{{ }}', '{name}', '{{na\nme}}', '{{a|b|c', '{{a{b}}', '}}{{'])
      assert.equal(render(text, { name: 'Ann' }), text, text);
    assert.equal(render('{{{name}}}', { name: 'Ann' }), '{Ann}');
  });

  it('reports where its variables are', () => {
    assert.deepEqual(findVariables('a {{b|c}} \\{{d}}'), [
      { name: 'b', fallback: 'c', isEscaped: false, start: 2, end: 9 },
      { name: 'd', fallback: undefined, isEscaped: true, start: 10, end: 16 },
    ]);
  });

  it('is one line for each value', () => {
    assert.equal(render('{{a}}', { a: ' x\r\n y\u2028z\t' }), 'x y z');
  });

  it('takes time in proportion to its length', () => {
    const long = '{{'.repeat(100_000) + 'https://a.test/{{x}}'.repeat(10_000);
    assert.equal(render(`{{${' x'.repeat(300_000)}`).length, 600_002);
    assert.equal(render(long, { x: '1' }).length, 200_000 + 'https://a.test/1'.length * 10_000);
  });

  describe('in Markdown', () => {
    const markdown = (text: string, values: Record<string, string>) => render(text, values, 'markdown');
    /** What drafts become with a value of `x`. */
    const expectAll = (cases: [draft: string, x: string, expected: string][]) => {
      for (const [draft, x, expected] of cases) assert.equal(markdown(draft, { x }), expected, `${draft} with ${x}`);
    };

    it('escapes values', () => {
      const plain = 'Ann O’Neil-Smith (42), snake_case, 3.50 €, 10:30';
      expectAll([
        ['{{x}}', '*Ann* [a](https://b.test)', '\\*Ann\\* \\[a\\](https\\:/\\/b.test)'],
        ['{{x}}', '# Ann', '\\# Ann'],
        ['{{x}}', '1. Ann', '1\\. Ann'],
        ['{{x}}', plain, plain],
        ['{{x}}', '<b>', '&lt;b>'],
      ]);
    });

    it('escapes what would mean something together with the text around it', () => {
      expectAll([
        ['Press ` {{x}}', 'a`b', 'Press ` a&#96;b'],
        ['name{{x}}', '@shop.example', 'name\\@shop.example'],
        ['{{x}}b.example', 'a@', 'a\\@b.example'],
        ['&{{x}};', 'lt', '&&#108;t;'],
        ['&#{{x}};', '60', '&#&#54;0;'],
        ['<{{x}}>', 'script', '<&#115;cript>'],
        ['{{x}}lt;', '\\&', '&#92;\\&lt;'],
        ['<a@{{x}}', 'b> c', '<a@b&gt; c'],
        [`<tel:${'1'.repeat(100)}{{x}}`, '>', `<tel:${'1'.repeat(100)}&gt;`],
        ['{{x}}@b.example', 'mailto:0', 'mailto\\:0@b.example'],
        ['{{x}}\n:--', '|', '&#124;\n:--'],
        ['| {{x}}| b |', '\\', '| &#92;| b |'],
        ['www{{x}}', '.b.example', 'www\\.b.example'],
        ['{{x}}.b.example', 'www', 'ww&#119;.b.example'],
        ['{{x}}:a@b.example', 'mailto', 'mailt&#111;:a@b.example'],
        ['{{x}}. a', '1', '&#49;. a'],
        ['a {{x}}. b', '1', 'a 1. b'],
        ['[a](/b {{x}}', ')c', '[a](/b \\)c'],
        [';{{x}}b.example', '//+', ';\\/\\/+b.example'],
        ['; {{x}}/b.example', ';/', '; ;\\//b.example'],
        [';/{{x}}b.example', '/+', ';/\\/+b.example'],
        ['a {{x}} b', 'c/d', 'a c/d b'],
        ['- [{{x}}] a', 'x', '- [&#120;] a'],
        ['1. [{{y}}{{x}}] a', 'X', '1. [&#88;] a'],
        ['[.{{x}}]', 'OK', '[.&#79;K]'],
        ['[{{x}}]', '.OK', '[&#46;OK]'],
        ['[{{x}}] a\n\n[b]: https://b.test', 'b', '[&#98;] a\n\n[b]: https://b.test'],
        ['[{{x}}] {{x}}', 'xx', '[xx] xx'],
        ['# {{x}}', 'a ##', '# a \\##'],
        ['# {{x}}', '#', '# \\#'],
        ['# {{x}}', '#######', '# \\#######'],
        ['&#x{{x}};', '3C', '&#x&#51;C;'],
        ['&a{{x}};', 'mp', '&a&#109;p;'],
        ['&am{{x}};', 'p', '&am&#112;;'],
        ['</{{x}}> <!{{x}}> <?{{x}}>', 'b', '</&#98;> <!&#98;> <?&#98;>'],
        ['< {{x}} & {{x}}', 'b', '< b & b'],
        ['{{x}}:a @b', 'mailto', 'mailto:a @b'],
        ['{{x}}:a@b', '1', '1:a@b'],
        ['- {{x}}2) a', '1', '- &#49;2) a'],
        ['a\n> {{x}}.', '1', 'a\n> &#49;.'],
        ['{{x}}.5', '1', '1.5'],
        ['{{x}}. a', '1a', '1a. a'],
        ['[a][{{x}}', 'x', '[a][x'],
        ['[a] {{x}}]', 'x', '[a] x]'],
        ['[{{x}} [a]', 'x', '[x [a]'],
        ['[a {{x}}]', 'OK', '[a OK]'],
        ['{{x}}: a', 'Ann', 'Ann: a'],
        ['{{x}}. a', 'Matthew', 'Matthew. a'],
      ]);
    });

    it('escapes a value that has nothing around it', () => {
      assert.equal(escapeValue('1. [a](https://b.test)'), '1\\. \\[a\\](https\\:/\\/b.test)');
    });

    it('percent-encodes values in addresses', () => {
      const values = { id: 'a b/ü&)"', link: 'https://shop.test/?a=1&b=(2)' };
      const query = '[x](https://a.test/?q={{id}}) {{id}}';
      assert.equal(markdown(query, values), '[x](https://a.test/?q=a%20b%2F%C3%BC%26%29%22) a b/ü&)&quot;');
      assert.equal(markdown('[x]({{link}})', values), '[x](https://shop.test/?a=1&amp;b=%282%29)');
      const definition = '[a](\n[b]: https://shop.test/?a=1&amp;b=%282%29 a b/ü&)&quot;\na b/ü&)&quot;';
      assert.equal(markdown('[a](\n[b]: {{link}} {{id}}\n{{id}}', values), definition);
      assert.equal(markdown('<https://a.test/{{id}}/{{id}}>', { id: '<' }), '<https://a.test/%3C/%3C>');
      assert.equal(markdown('[x]({{link}})', { link: 'javascript:alert(1)' }), '[x]()');
    });

    it('percent-encodes values anywhere in the target of a link', () => {
      const values = { site: 'https://a.test', name: 'Ann (Smith)', phone: '(555) 1' };
      assert.equal(markdown('[x]({{site}}/u/{{name}})', values), '[x](https://a.test/u/Ann%20%28Smith%29)');
      assert.equal(markdown('[x](https://a.test/用户/{{name}})', values), '[x](https://a.test/用户/Ann%20%28Smith%29)');
      assert.equal(markdown('[x](https://a.test/a(b)/{{name}})', values), '[x](https://a.test/a(b)/Ann%20%28Smith%29)');
      assert.equal(markdown('[x](tel:{{phone}}) {{phone}}', values), '[x](tel:%28555%29%201) \\(555) 1');
      assert.equal(markdown('[x](https://a.test)({{name}}', values), '[x](https://a.test)(Ann (Smith)');
      assert.equal(markdown('[x](https://a.test "{{name}}")', { name: 'a" b' }), '[x](https://a.test "a&quot; b")');
      assert.equal(markdown('{{name}}[x](https://a.test)', { name: 'Bob!' }), 'Bob\\![x](https://a.test)');
      assert.equal(
        render('<a href="{{site}}?n={{name}}">', { ...values, name: 'a&b' }, 'html'),
        '<a href="https://a.test?n=a%26b">',
      );
    });

    it('keeps the titles of links whole', () => {
      expectAll([
        ["[x](https://a.test '{{x}}')", "O'Brien", "[x](https://a.test 'O&#39;Brien')"],
        ["[x](<https://a.test>\n'To {{x}}')", "O'Brien", "[x](<https://a.test>\n'To O&#39;Brien')"],
        ['![x](https://a.test ({{x}}))', '(Ann) Smith', '![x](https://a.test (&#40;Ann&#41; Smith))'],
        ["[x]: https://a.test/{{x}} '{{x}}'", "O'", "[x]: https://a.test/O%27 'O&#39;'"],
        ["[x](https://a.test '{{x}}') {{x}}", "O'", "[x](https://a.test 'O&#39;') O'"],
        ["[x](https://a.test) '{{x}}'", "O'Brien (2)", "[x](https://a.test) 'O'Brien (2)'"],
        ["https://a.test/ '{{x}}'", "O'", "https://a.test/ 'O''"],
        ["[x](https://a.test 'b'{{x}})", "O'", "[x](https://a.test 'b'O')"],
        ["[x](https://a.test '{{x}})", "O'", "[x](https://a.test 'O')"],
        ["[x](https://a.test 'a\\'{{x}}')", "O'", "[x](https://a.test 'a\\'O&#39;')"],
        ['[x](https://a.test (a\\){{x}}))', '(', '[x](https://a.test (a\\)&#40;))'],
        ["[x](https://a.test 'https://b.test/{{x}}')", 'a b', "[x](https://a.test 'https://b.test/a%20b')"],
        ["[a](\n[b]: '{{x}}'", "'", "[a](\n[b]: '%27'"],
      ]);
    });
  });

  describe('in HTML', () => {
    const html = (text: string, x: string) => render(text, { x }, 'html');

    it('escapes values', () => {
      assert.equal(
        html('<b title="{{x}}">{{x}}</b>', '"<i>&'),
        '<b title="&#34;&#60;i&#62;&#38;">&#34;&#60;i&#62;&#38;</b>',
      );
    });

    it('percent-encodes values in addresses, and takes only web addresses for whole ones', () => {
      assert.equal(
        html('<a href="https://a.test/{{x}}">', '" onclick="a'),
        '<a href="https://a.test/%22%20onclick%3D%22a">',
      );
      assert.equal(html('<a href="{{x}}">', 'javascript:alert(1)'), '<a href="">');
      assert.equal(html("<img src='{{x}}'>", 'https://a.test/?b&c'), "<img src='https://a.test/?b&amp;c'>");
      assert.equal(html('<a formaction="{{x}}">', 'javascript:alert(1)'), '<a formaction="">');
    });

    it('takes no values where they could be code', () => {
      assert.equal(html('<p onclick="{{x}}" style="{{x}}">{{x}}', 'a'), '<p onclick="" style="">a');
      assert.equal(html('<script>{{x}}</script>&{{x}};', 'lt'), '<script></script>&&#108;t;');
    });

    it('takes no address that would lead elsewhere once it is encoded', () => {
      assert.equal(html('<a href="{{x}}">', 'https://a.test\\@b.test'), '<a href="">');
      assert.equal(html('<a href="{{x}}">', 'https://a.test/b c'), '<a href="https://a.test/b%20c">');
    });
  });
});

describe('A message with variables', () => {
  it('lacks the same values whether it is made or only checked', () => {
    const links = ['[x]({{b}})', '[x]({{b|https://a.test}})', 'https://a.test/{{a}}', 'https://a.test{{a}}'];
    const slots = fc.constantFrom('{{a}}', '{{a|x}}', ' ', ...links);
    const values = fc.constantFrom('', ' ', 'x', 'https://a.test', 'ftp://a.test');
    fc.assert(
      fc.property(fc.array(slots), values, values, (parts, a, b) => {
        const template = new MessageTemplate({ contentType: 'markdown', content: { text: parts.join('') } });
        const { empty, notAddress, hosts } = template.fill((name) => (name === 'a' ? a : b));
        const checked = template.check((name) => (name === 'a' ? a : b));
        assert.deepEqual({ ...checked }, { empty, notAddress, hosts });
      }),
    );
  });

  const url = 'https://a.test/{{b}}';
  const buttons: OutgoingButton[][] = [
    [{ text: '{{a}}', actionType: 1, url }],
    [{ text: 'Copy', actionType: 2, value: '{{a}}' }],
  ];
  const values = (name: string) => ({ a: '*x y*', b: 'x y' })[name] ?? '';

  it('has values in all of its texts, each as they are written there', () => {
    const text = new MessageTemplate({ contentType: 'markdown', content: { text: '**{{a}}**', buttons } });
    assert.deepEqual(text.render(values), {
      contentType: 'markdown',
      content: {
        text: '**\\*x y\\***',
        buttons: [
          [{ text: '*x y*', actionType: 1, url: 'https://a.test/x%20y' }],
          [{ text: 'Copy', actionType: 2, value: '*x y*' }],
        ],
      },
    });
    assert.deepEqual([text.variables, [...text.marks], text.forbidden], [['a', 'b'], [['a', '****']], []]);
    const file = new MessageTemplate({ contentType: 'file', content: { fileName: '{{a}}.pdf', fileUrl: url } });
    const filled = { fileName: '*x y*.pdf', fileUrl: 'https://a.test/x%20y' };
    assert.deepEqual(file.render(values), { contentType: 'file', content: filled });
    const image = new MessageTemplate({ contentType: 'image', content: { imageKey: '{{b}}' } });
    assert.deepEqual(image.render(values), { contentType: 'image', content: { imageKey: 'x y' } });
    assert.equal(image.fill(values).length, 0);
  });

  it('is the same for recipients whose values make the same of it', () => {
    const template = new MessageTemplate({ contentType: 'text', content: { text: 'Hi {{a}} {{b|you}}' } });
    const filled = (a: string, b: string) => template.fill((name) => (name === 'a' ? a : b));
    assert.equal(filled('x', '').key, filled(' x', 'you').key);
    assert.notEqual(filled('x', 'y').key, filled('y', 'x').key);
    assert.equal(filled('x', '').length, 'Hi x you'.length);
    const forbidden = new MessageTemplate({ contentType: 'text', content: { text: 'https://{{a}}.test {{a}}' } });
    assert.equal(forbidden.fill(() => 'x').length, 'https://.test x'.length);
  });

  it('lacks the same values as another one with the same variables in places of the same kinds', () => {
    const templateOf = (text: string) => new MessageTemplate({ contentType: 'markdown', content: { text } });
    const template = templateOf('{{a}} [x]({{b}})');
    assert.ok(template.hasSameVariables(templateOf('Dear {{a}}, [y]({{b}})')));
    for (const other of ['{{a}}', '{{a}} {{b}}', '{{a|x}} [x]({{b}})', '{{b}} [x]({{a}})', '{{a}} [x]({{b}}) {{c}}'])
      assert.ok(!template.hasSameVariables(templateOf(other)), other);
  });

  it('takes no values where one could name a host', () => {
    const template = new MessageTemplate({ contentType: 'markdown', content: { text: 'https://{{a}}.test {{a}}' } });
    assert.deepEqual(
      template.forbidden.map(({ name, place }) => [name, place]),
      [['a', 'host']],
    );
  });
});

describe('A variable in the code of Markdown', () => {
  const source = '{{a}} `{{b}}` \\{{c}}\n\n```\n{{d}}\n```\n';

  it('is none', () => {
    assert.deepEqual(
      markdownVariables(source).map(({ name, isCode }) => [name, isCode]),
      [
        ['a', false],
        ['b', true],
        ['c', false],
        ['d', true],
      ],
    );
  });

  it('is kept from being one in a template, and written as it was in a draft', () => {
    const template = '{{a}} `\\{{b}}` \\{{c}}\n\n```\n\\{{d}}\n```\n';
    assert.equal(escapeCode(source), template);
    assert.equal(escapeProse('{{a}} `{{b}}`'), '\\{{a}} `{{b}}`');
    const message = (contentType: 'markdown' | 'text', text: string) => ({ contentType, content: { text } }) as const;
    assert.deepEqual(writtenMessage(message('markdown', template), true), message('markdown', source));
    assert.deepEqual(
      writtenMessage(message('markdown', '{{a}} `{{b}}`'), false),
      message('markdown', '\\{{a}} `{{b}}`'),
    );
    assert.deepEqual(writtenMessage(message('text', '`\\{{a}}`'), true), message('text', '`\\{{a}}`'));
    assert.deepEqual(writtenMessage(message('text', '`{{a}}`'), false), message('text', '`\\{{a}}`'));
    assert.deepEqual(unfilledMessage(message('text', '{{a}} \\{{b}} c')), message('text', '{{a}} {{b}} c'));
  });
});
