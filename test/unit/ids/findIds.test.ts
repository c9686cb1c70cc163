import assert from 'node:assert/strict';
import { candidatePattern, idAt } from '../../../src/ids/findIds.ts';
import { matcherFor, onlyKnown, UNKNOWN } from './marked.ts';

// That each offset gives the ID that is found there is tried on every line of the other files (`marked.ts`).
describe('A line', () => {
  it('has no ID beyond its ends', () => {
    const one = onlyKnown('7230581', '');
    for (const offset of [-1, 8, 100]) assert.equal(idAt('7230581', offset, one), undefined);
    assert.equal(idAt('', 0, one), undefined);
  });

  it('is read only around the pointer, however long it is', () => {
    const lengths: number[] = [];
    const candidates = Object.assign(candidatePattern([]), {
      [Symbol.matchAll](text: string) {
        lengths.push(text.length);
        return RegExp.prototype[Symbol.matchAll].call(this, text);
      },
    });
    for (const far of [' x'.repeat(2_000_000), 'x'.repeat(4_000_000), '7'.repeat(4_000_000)]) {
      const line = `${far} 7230581 ${far}`;
      const expected = { id: '7230581', start: 4_000_001, end: 4_000_008 };
      assert.deepEqual(idAt(line, 4_000_003, { ...UNKNOWN, candidates }), expected);
      assert.equal(idAt(line, 2_000_000, { ...UNKNOWN, candidates }), undefined);
    }
    assert.ok(lengths.length === 6 && Math.max(...lengths) <= 512, String(lengths));
  });

  it('has no ID longer than 128 UTF-16 units', () => {
    const [longest, longer] = ['7'.repeat(128), '7'.repeat(129)];
    const longName = `u:${'7'.repeat(127)}`;
    const matcher = onlyKnown(longest, longer, longName);
    assert.equal(idAt(`x ${longest} x`, 2, matcher)?.id, longest);
    assert.equal(idAt(`x ${longest} x`, 130, matcher)?.id, longest);
    for (const id of [longer, longName]) assert.equal(idAt(`x ${id} x`, 9, matcher), undefined);
  });

  it('is read far enough from both ends of the longest ID', () => {
    const id = '7'.repeat(128);
    const matcher = matcherFor([], '[0-9]+');
    for (const line of [`#${id}`, `${id}.5`, `${id} 元`, `€ ${id}`])
      for (const within of [0, 128]) assert.equal(idAt(line, line.indexOf(id) + within, matcher), undefined, line);
  });
});
