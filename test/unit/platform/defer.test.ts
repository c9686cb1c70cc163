import assert from 'node:assert/strict';
import { once } from '../../../src/platform/defer.ts';

describe('A promise that is created once', () => {
  it('is created on first use, and shared', async () => {
    let created = 0;
    const get = once(async () => ++created);
    assert.equal(get.loaded, undefined);
    assert.deepEqual(await Promise.all([get(), get()]), [1, 1]);
    assert.equal(await get.loaded, 1);
    assert.equal(await get(), 1);
  });

  it('is created again after a failure, which each caller of the first one gets', async () => {
    let created = 0;
    const get = once(async () => {
      if (++created === 1) throw new Error('not now');
      return created;
    });
    const first = [get(), get()];
    for (const one of first) await assert.rejects(one, /not now/);
    assert.equal(get.loaded, undefined);
    assert.equal(await get(), 2);
  });
});
