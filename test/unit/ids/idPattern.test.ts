import assert from 'node:assert/strict';
import { candidatePattern } from '../../../src/ids/findIds.ts';
import { IdPattern } from '../../../src/ids/idPattern.ts';
import type { KnownSnapshot } from '../../../src/ids/knownIds.ts';

const KNOWN = { candidates: candidatePattern([]), kindOf: () => undefined } as unknown as KnownSnapshot;

describe('The pattern of IDs', () => {
  it('is compiled once for each setting', async () => {
    const compiled: string[] = [];
    const settings = { idPattern: '\\d+' };
    const pattern = new IdPattern(settings, async () => ({
      compilePattern: (source: string) => {
        compiled.push(source);
        return new RegExp(`^${source}$`);
      },
    }));
    const isLikely = async (word: string) => (await pattern.matcher(KNOWN)).likely?.test(word);
    assert.deepEqual([await isLikely('123'), await isLikely('abc')], [true, false]);
    settings.idPattern = '[a-z]+';
    assert.deepEqual([await isLikely('123'), await isLikely('abc')], [false, true]);
    assert.deepEqual(compiled, ['\\d+', '[a-z]+']);
  });

  it('is compiled again if that couldn’t be loaded', async () => {
    let loads = 0;
    const pattern = new IdPattern({ idPattern: '\\d+' }, async () => {
      if (++loads === 1) throw new Error('not now');
      return import('../../../src/ids/compilePattern.ts');
    });
    await assert.rejects(pattern.matcher(KNOWN), /not now/);
    assert.equal((await pattern.matcher(KNOWN)).likely?.test('123'), true);
  });
});
