import assert from 'node:assert/strict';
import fc from 'fast-check';
import { escapeCode } from '../../../src/markup/markdownVariables.ts';
import { renderMarkdown } from '../../../src/markup/rendered/markdownHtml.ts';
import { compileTemplate, renderTemplate } from '../../../src/markup/template.ts';
import { isForbidden } from '../../../src/markup/variablePlaces.ts';

/** A word, punctuation, and nothing: emphasis and addresses depend on what is beside them. */
const NEUTRAL = ['Ж', '·', ''];

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
  const templates = fc
    .tuple(
      fc.constantFrom(...beginnings),
      fc.oneof(slot, fc.array(fc.oneof(text, slot, text), { maxLength: 9 })),
      fc.constantFrom(...ends),
    )
    .map(([beginning, parts, end]) => [beginning, ...parts, end].join(''));
  const values = fc.oneof(
    fc.constantFrom('x', '[x] a', '[ ] a', 'OK', '.OK', '1', '- a', '# a', '---', '| - |', '[x]: https://b.example'),
    fc.array(fc.oneof(marks, fc.string({ maxLength: 3 })), { maxLength: 4 }).map((parts) => parts.join('')),
  );

  /** The elements, with the hosts of links. Emphasis that the draft has asked for may fail beside punctuation. */
  const skeletonOf = (html: string) =>
    html
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

  it('is only ever text, whatever the draft has around it', () => {
    fc.assert(
      fc.property(templates, values, values, (draft, a, b) => {
        // Indented code isn't recognized as code.
        fc.pre(!/^[\s>*+\-\d.)]*(?: {4}|\t)/m.test(draft));
        // Where one address ends and another begins depends on every character between them.
        fc.pre(!/mailto:\S*http/i.test(draft));
        const template = compileTemplate(escapeCode(draft), 'markdown');
        const slots = template.filter((piece) => typeof piece !== 'string');
        fc.pre(slots.length > 0 && slots.every(({ place }) => place !== 'address' && !isForbidden(place)));
        const markdown = (one: string, other: string) =>
          renderTemplate(template, (name) => (name === 'a' ? one : other));
        const html = (one: string, other: string) =>
          renderMarkdown(markdown(one, other), { loadImages: true })?.html ?? '';
        const actual = html(a, b);
        const neutral = NEUTRAL.flatMap((one) => NEUTRAL.map((other) => html(one, other)));
        const isSame = neutral.some((one) => skeletonOf(one) === skeletonOf(actual));
        assert.ok(isSame, `${JSON.stringify(markdown(a, b))}\n${actual}\n${neutral[0]}`);
      }),
    );
  });

  it('says in the end what it says in the file', () => {
    fc.assert(
      fc.property(templates, values, (draft, value) => {
        fc.pre(!/^[\s>*+\-\d.)]*(?: {4}|\t)/m.test(draft));
        const template = compileTemplate(escapeCode(draft), 'markdown');
        const slots = template.filter((piece) => typeof piece !== 'string');
        const line = value.replace(/\s+/g, ' ').trim();
        fc.pre(slots.length > 0 && slots.every(({ place }) => place === 'text') && line !== '');
        const html = (one: string) =>
          renderMarkdown(
            renderTemplate(template, () => one),
            { loadImages: true },
          )?.html ?? '';
        const [neutral, actual] = [html('Ж'), html(value)];
        fc.pre(neutral.replace(/>[^<]*/g, '>') === actual.replace(/>[^<]*/g, '>'));
        const expected = textOf(neutral).replaceAll('Ж', () => line);
        assert.equal(withoutEmphasis(textOf(actual)), withoutEmphasis(expected), draft);
      }),
    );
  });
});
