import assert from 'node:assert/strict';
import fc from 'fast-check';
import { escapeCode } from '../../../src/markup/markdownVariables.ts';
import { renderMarkdown } from '../../../src/markup/rendered/markdownHtml.ts';
import { compileTemplate, renderTemplate, type Template, type Values } from '../../../src/markup/template.ts';
import { isForbidden } from '../../../src/markup/variablePlaces.ts';

/** A word, punctuation, and nothing: emphasis and addresses depend on what is beside them. */
const NEUTRAL = ['Ж', '·', ''];

/** Places in which no value may become anything but text. */
const IN_LINES = ['{{x}}', 'a {{x}} b', 'a{{x}}b', '{{x}}{{x}}', '{{x}}/{{x}}', '{{x}}: a', '1{{x}} b', '-{{x}}'];
const IN_MARKS = ['**{{x}}** a', '~~{{x}}~~', '*{{x}} *', '!{{x}}', '&{{x}};', '<{{x}}>', 'https{{x}}'];
const IN_BLOCKS = ['# {{x}}', '# {{x}} #', '- {{x}}', '> {{x}}', '> - {{x}} a', '1. [{{x}}] a'];
const IN_LINKS = ['[{{x}}](https://a.test)', '![{{x}}](https://a.test)', '[a]{{x}}', '[{{x}}]\n\n[1]: https://a.test'];
const ON_LINES = ['a\n{{x}}', '{{x}}\na', 'a  \n{{x}}  \nb', '| a | b |\n| - | - |\n| {{x}} | {{x}} |'];

describe('A value in Markdown', () => {
  /** What means something in Markdown, on its own or together. */
  const characters = '*_`#>-+=|[]()<>&;\\.!:/@"\'{}$^%?,sw1x ';
  const blocks = ['**', '__', '~~', '``', '```', '~~~', '##', '---', '===', ':--', '1.', '1)', '42', 'a b', '  '];
  const tags = ['![', '](', ']:', '</', '<!--', '&#', '#x', '&amp', 'amp;', 'lt;', '[x]', '[ ]', '[.OK]', '[.'];
  const schemes = ['http', 'https', 'https:', '://', '//', 'www', 'www.', 'mailto', 'mailto:', 'mail', 'to'];
  const addresses = ['b.example', '@b.example', 'x@b.example', '<https://b.example>', 'https://b.example/'];
  const links = ['[a](https://b.example)', '\n\n[x]: https://b.example'];
  const marks = fc.constantFrom(...characters, ...blocks, ...tags, ...schemes, ...addresses, ...links);
  const text = fc.oneof(
    marks,
    fc.constantFrom('\n', '\n\n', '  \n', '\\\n', '| a | b |\n| - | - |\n'),
    fc.string({ maxLength: 3 }),
  );
  const slot = fc.constantFrom('{{a}}', '{{b}}', '{{a}}{{b}}');
  /** The beginning and the end of a block, between which a value may make something else of it. */
  const beginnings = ['', '', '# ', '- ', '- [', '1. ', '1) [', '> - ', '- - [', '[', '[.', '| a | b |\n| - | - |\n| '];
  const ends = ['', '', ' a', '] a', ']{{b}}', ']\n\n[x]: https://b.example', ': a', '. a', '\n---', '\n| - |'];
  const drafts = fc
    .tuple(
      fc.constantFrom(...beginnings),
      fc.oneof(slot, fc.array(fc.oneof(text, slot, text), { maxLength: 9 })),
      fc.constantFrom(...ends),
    )
    .map(([beginning, parts, end]) => [beginning, ...parts, end].join(''));
  const whole = ['x', '[x] a', '[ ] a', 'OK', '.OK', '1', '- a', '# a', '| - |', '![a](https://b.test/c.png)', '{{x}}'];
  const values = fc.oneof(
    fc.constantFrom(...whole),
    fc.array(fc.oneof(marks, text, fc.constantFrom(...whole)), { maxLength: 6 }).map((parts) => parts.join('')),
  );

  const htmlOf = (template: Template, values: Values) =>
    renderMarkdown(renderTemplate(template, values), { loadImages: true })?.html ?? '';
  /** The elements, with the hosts of links. Emphasis that the draft has asked for may fail beside punctuation. */
  const skeletonOf = (html: string) =>
    html
      // What the renderer adds if a link's text names another host.
      .replace(/ <bdi class="real-place">[^<]*<\/bdi>/g, '')
      .replace(/>[^<]*/g, '>')
      .replace(/ (?:title|alt|rel|loading|referrerpolicy)="[^"]*"/g, '')
      .replace(/ (href|src)="(\w+:[/]*[^/?#"]*)[^"]*"/g, ' $1="$2"')
      .replace(/ href="mailto:[^"@]*/g, ' href="mailto:')
      .replace(/<\/?(?:strong|em|s)>/g, '');
  const textOf = (html: string) =>
    html
      .replace(/<[^>]*>/g, '')
      .replace(/&(lt|gt|amp|quot);/g, (_, name) => ({ lt: '<', gt: '>', amp: '&', quot: '"' })[name as string] ?? '');
  /** Emphasis that begins elsewhere leaves other marks in the text. */
  const withoutEmphasis = (one: string) => one.replace(/[*_~]/g, '').replaceAll('\uFFFD', '\0');

  for (const place of [...IN_LINES, ...IN_MARKS, ...IN_BLOCKS, ...IN_LINKS, ...ON_LINES]) {
    it(`is only ever text in “${place.replaceAll('\n', '⏎')}”`, () => {
      const template = compileTemplate(place, 'markdown');
      const filledWith = (value: string) => skeletonOf(htmlOf(template, () => value));
      const expected = ['x', ''].map(filledWith);
      fc.assert(
        fc.property(values, (value) =>
          assert.ok(
            expected.includes(filledWith(value)),
            renderTemplate(template, () => value),
          ),
        ),
      );
    });
  }

  it('says in the end what the value says', () => {
    const template = compileTemplate('x{{x}}x', 'markdown');
    fc.assert(
      fc.property(values, (value) => {
        const line = value.replace(/\s+/g, ' ').trim().replaceAll('\0', '\uFFFD');
        assert.equal(textOf(htmlOf(template, () => value)).trim(), `x${line}x`);
      }),
    );
  });

  it('is only ever text, whatever the draft has around it', () => {
    fc.assert(
      fc.property(drafts, values, values, (draft, a, b) => {
        // Indented code isn't recognized as code.
        fc.pre(!/^[\s>*+\-\d.)]*(?: {4}|\t)/m.test(draft));
        // Where one address ends and another begins depends on every character between them.
        fc.pre(!/mailto:\S*http/i.test(draft));
        const template = compileTemplate(escapeCode(draft), 'markdown');
        const slots = template.filter((piece) => typeof piece !== 'string');
        fc.pre(slots.length > 0 && slots.every(({ place }) => place !== 'address' && !isForbidden(place)));
        const filledWith = (one: string, other: string) => htmlOf(template, (name) => (name === 'a' ? one : other));
        const neutral = NEUTRAL.flatMap((one) => NEUTRAL.map((other) => skeletonOf(filledWith(one, other))));
        const actual = filledWith(a, b);
        assert.ok(neutral.includes(skeletonOf(actual)), `${JSON.stringify(draft)}\n${actual}\n${neutral[0]}`);
      }),
    );
  });

  it('says in the end what it says in the file', () => {
    fc.assert(
      fc.property(drafts, values, (draft, value) => {
        fc.pre(!/^[\s>*+\-\d.)]*(?: {4}|\t)/m.test(draft));
        const template = compileTemplate(escapeCode(draft), 'markdown');
        const slots = template.filter((piece) => typeof piece !== 'string');
        const line = value.replace(/\s+/g, ' ').trim();
        fc.pre(slots.length > 0 && slots.every(({ place }) => place === 'text') && line !== '');
        const [neutral, actual] = ['Ж', value].map((one) => htmlOf(template, () => one)) as [string, string];
        fc.pre(neutral.replace(/>[^<]*/g, '>') === actual.replace(/>[^<]*/g, '>'));
        const expected = textOf(neutral).replaceAll('Ж', () => line);
        assert.equal(withoutEmphasis(textOf(actual)), withoutEmphasis(expected), draft);
      }),
    );
  });
});
