import assert from 'node:assert/strict';
import { lazy, methodsOf } from '../../../src/platform/defer.ts';

describe('What is loaded on first use', () => {
  it('is created on first use, and shared', async () => {
    let created = 0;
    const get = lazy(async () => ++created);
    assert.equal(get.loaded, undefined);
    assert.deepEqual(await Promise.all([get(), get()]), [1, 1]);
    assert.equal(await get.loaded, 1);
    assert.equal(await get(), 1);
  });

  it('is created again after a failure, which each caller of the first one gets', async () => {
    let created = 0;
    const get = lazy(async () => {
      if (++created === 1) throw new Error('not now');
      return created;
    });
    const first = [get(), get()];
    for (const one of first) await assert.rejects(one, /not now/);
    assert.equal(get.loaded, undefined);
    assert.equal(await get(), 2);
  });

  it('is disposed of if it was created, and can be', async () => {
    const disposed: string[] = [];
    const dispose = () => void disposed.push('used');
    const [used, unused, plain] = [
      lazy(async () => ({ dispose })),
      lazy(async () => ({ dispose })),
      lazy(async () => 1),
    ];
    await Promise.all([used(), plain()]);
    for (const one of [used, unused, plain]) one.dispose();
    await used();
    assert.deepEqual(disposed, ['used']);
  });

  it('has methods that can be called before it is loaded', async () => {
    let created = 0;
    class Counter {
      readonly #step = ++created;
      add(one: number, other: number) {
        return this.#step + one + other;
      }
      fail() {
        throw new Error('no');
      }
    }
    const counter = lazy(async () => new Counter());
    const { add, fail } = methodsOf(counter, 'add', 'fail');
    assert.equal(created, 0);
    assert.deepEqual(await Promise.all([add(2, 3), add(4, 5)]), [6, 10]);
    await assert.rejects(fail(), /no/);
  });
});
