import assert from 'node:assert/strict';
import type { Service } from '../../../src/platform/service.ts';
import { lookUpValues } from '../../../src/sending/recipientNames.ts';
import { MINUTE, missing, withGroup } from '../directory/held-directory.ts';

describe('The values of recipients that only the directory has', () => {
  const draft = { variables: ['name'] };
  const recipients = [{ type: 'group' as const, id: '1', name: '1' }];

  it('are looked up again for one who didn’t exist a while ago', async () => {
    const { directory, clock, answer, requests } = await withGroup(missing('group', '1'));
    clock.now = MINUTE;
    const looking = lookUpValues(draft, recipients, { directory } as Service);
    await answer('The shop');
    await looking;
    assert.deepEqual(requests(), ['group 1', 'group 1']);
    assert.deepEqual(directory.peek('group', '1')?.raw, { groupId: '1', name: 'The shop' });
  });

  it('are not looked up again for one who didn’t exist just now', async () => {
    const { directory, clock, requests } = await withGroup(missing('group', '1'));
    clock.now = MINUTE - 1;
    await lookUpValues(draft, recipients, { directory } as Service);
    assert.deepEqual(requests(), ['group 1']);
  });
});
