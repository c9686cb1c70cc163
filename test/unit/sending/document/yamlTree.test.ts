import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Node, readYaml } from '../../../../src/sending/document/yamlTree.ts';

/** A tree as plain values; what is not plain data is named. */
function plain(node: Node | undefined): unknown {
  switch (node?.kind) {
    case 'scalar':
      return node.isTagged ? { tagged: node.text } : node.text;
    case 'alias':
      return { alias: true };
    case 'list':
      return node.items.map(plain);
    case 'map':
      return node.entries.map(({ key, value }) => [plain(key), plain(value)]);
    default:
      return undefined;
  }
}

const tree = (text: string, offset = 0) => {
  const read = readYaml(text, offset);
  assert.ok('root' in read);
  return read.root;
};

describe('A YAML tree', () => {
  it('has every scalar as its text, whatever else YAML would make of it', () => {
    const text = 'a: 007\nb: 0x1F\nc: true\nd: 2001-02-03\ne: 1e3\nf: 123456789012345678901234567890';
    const texts = ['007', '0x1F', 'true', '2001-02-03', '1e3', '123456789012345678901234567890'];
    assert.deepEqual(
      plain(tree(text)),
      ['a', 'b', 'c', 'd', 'e', 'f'].map((key, index) => [key, texts[index]]),
    );
  });

  it('decodes what is quoted or folded', () => {
    assert.deepEqual(plain(tree(`["a\\n\\u202e", 'it''s', "x\n  y"]`)), ['a\n\u202e', "it's", 'x y']);
    assert.deepEqual(plain(tree('a: |\n  x\n  y\nb: >-\n  x\n  y')), [
      ['a', 'x\ny\n'],
      ['b', 'x y'],
    ]);
  });

  it('says where everything stands, quotes included', () => {
    const text = 'groups: [12, "big"]\nbot: 3';
    const root = tree(text, 100);
    assert.equal(root?.kind, 'map');
    const [groups, bot] = root?.kind === 'map' ? root.entries : [];
    const at = (node: Node | undefined) => node && text.slice(node.start - 100, node.end - 100);
    assert.deepEqual([at(groups?.key), at(bot?.key), at(bot?.value)], ['groups', 'bot', '3']);
    const items = groups?.value.kind === 'list' ? groups.value.items : [];
    assert.deepEqual(items.map(at), ['12', '"big"']);
  });

  it('tells nothing from an empty text', () => {
    const empty = (text: string) => {
      const node = tree(text);
      return node?.kind === 'scalar' && node.isEmpty;
    };
    assert.deepEqual(['~', 'null', 'NULL', '""', "'null'", 'nil', '0'].map(empty), [
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    assert.equal(tree(''), undefined);
  });

  it('names aliases and tags', () => {
    assert.deepEqual(plain(tree('a: &x 1\nb: *x\nc: !!str 2')), [
      ['a', '1'],
      ['b', { alias: true }],
      ['c', { tagged: '2' }],
    ]);
  });

  it('says what cannot be read, and where', () => {
    assert.deepEqual(readYaml('a: b: c', 10), { reason: 'bad indentation of a mapping entry', at: 14 });
    assert.deepEqual(readYaml('a: "\\z"', 0), { reason: 'unknown escape sequence', at: 5 });
    assert.deepEqual(readYaml('a: 1\n--- \nb: 2', 0), { reason: 'a second document begins', at: 4 });
    assert.ok('reason' in readYaml('[', 0));
    assert.ok('reason' in readYaml('- '.repeat(5000), 0));
  });

  it('never throws, and no place is outside of the text', () => {
    const token = fc.constantFrom(
      'a',
      ': ',
      ':',
      '- ',
      '\n',
      '  ',
      '[',
      ']',
      '{',
      '}',
      ', ',
      '"',
      "'",
      '|',
      '>',
      '#',
      '&',
      '*',
      '!',
      '!!str ',
      '%',
      '? ',
      '\\',
      '\t',
      '\r\n',
      '\0',
      '\uFEFF',
      '\uD800',
      '---',
      '~',
    );
    const check = (node: Node | undefined, length: number): void => {
      if (!node) return;
      assert.ok(0 <= node.start && node.start <= node.end && node.end <= length, JSON.stringify(node));
      if (node.kind === 'list') for (const item of node.items) check(item, length);
      if (node.kind === 'map')
        for (const { key, value } of node.entries) for (const one of [key, value]) check(one, length);
    };
    const texts = fc.oneof(
      fc.array(token, { maxLength: 40 }).map((tokens) => tokens.join('')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const read = readYaml(text, 0);
        if ('root' in read) check(read.root, text.length);
        else assert.ok(read.reason && read.at >= 0 && read.at <= text.length);
      }),
      { numRuns: 2000 },
    );
  });
});
