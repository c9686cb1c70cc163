import assert from 'node:assert/strict';
import { NameLookups } from '../../../../../src/deliveries/draft/preview/nameLookups.ts';
import type { Service } from '../../../../../src/platform/service.ts';
import { settled } from '../../../deferred.ts';
import { broken, held } from '../../../directory/held-directory.ts';

describe('The names in a preview', () => {
  const serviceOf = ({ directory }: ReturnType<typeof held>) => ({ directory }) as Service;

  it('are looked up once', async () => {
    const names = new NameLookups(() => {});
    const one = held();
    assert.deepEqual(names.of(serviceOf(one), 'user', '7'), { name: '7' });
    assert.deepEqual(names.of(serviceOf(one), 'user', '7'), { name: '7' });
    await one.answer('Ana');
    assert.deepEqual(names.of(serviceOf(one), 'user', '7'), { name: 'Ana' });
    assert.deepEqual(one.requests(), ['user 7']);
  });

  it('are looked up once, even if that fails', async () => {
    let failures = 0;
    const names = new NameLookups(() => failures++);
    const one = held();
    names.of(serviceOf(one), 'user', '7');
    await one.answer(broken());
    for (let times = 0; times < 2; times++)
      assert.match(names.of(serviceOf(one), 'user', '7').problem ?? '', /^Not looked up\. The connection/);
    assert.deepEqual(one.requests(), ['user 7']);
    assert.equal(failures, 1);
  });

  it('are those of the service in use, even if the one before was asked after the change', async () => {
    const names = new NameLookups(() => {});
    const before = held();
    const now = held();
    names.of(serviceOf(before), 'user', '7');
    names.cancel();
    names.of(serviceOf(before), 'user', '7');
    await settled();
    assert.deepEqual(names.of(serviceOf(now), 'user', '7'), { name: '7' });
    await now.answer('Ben');
    assert.deepEqual(names.of(serviceOf(now), 'user', '7'), { name: 'Ben' });
    assert.equal(before.asked.at(-1)?.signal.aborted, true);
  });
});
