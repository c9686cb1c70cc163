import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { ProgressOptions, window } from 'vscode';
import type { Service } from '../../../src/platform/service.ts';
import { lookUpValues, nameOfBot } from '../../../src/sending/recipientNames.ts';
import { answer, restore } from '../answers.ts';
import { deferred, settled } from '../deferred.ts';
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

describe('Lookups before a message is sent', () => {
  let shown: { title: string | undefined; messages: (string | undefined)[] }[];
  let cancel: () => void;
  beforeEach(() => {
    shown = [];
    mock.timers.enable({ apis: ['setTimeout'] });
    answer('withProgress', ((options: ProgressOptions, task: (...given: unknown[]) => unknown) => {
      const messages: (string | undefined)[] = [];
      shown.push({ title: options.title, messages });
      const token = { onCancellationRequested: (listener: () => void) => (cancel = listener) };
      return task({ report: ({ message }: { message?: string }) => messages.push(message) }, token as never);
    }) as unknown as typeof window.withProgress);
  });
  afterEach(() => {
    mock.timers.reset();
    restore();
  });

  /** A service whose lookups end as the test says. */
  function slowService() {
    const asked = ['1', '2'].map(() => deferred<void>());
    let next = 0;
    const get = (_kind: string, _id: string, { signal }: { signal: AbortSignal }) => {
      const { promise } = asked[next++] ?? assert.fail();
      const canceled = new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      return Promise.race([promise, canceled]);
    };
    return { asked, service: { directory: { peek: () => undefined, get } } as unknown as Service };
  }
  const passAfter = async (ms: number) => {
    await settled();
    mock.timers.tick(ms);
    await settled();
  };
  const recipients = ['1', '2'].map((id) => ({ type: 'user' as const, id, name: id }));

  it('show their progress only if they take long, and how to go on without them', async () => {
    const { asked, service } = slowService();
    const looking = lookUpValues({ variables: ['name'] }, recipients, service);
    await passAfter(299);
    assert.deepEqual(shown, []);
    await passAfter(1);
    asked[0]?.resolve();
    await settled();
    const title = 'Looking up recipients (cancel to continue without)';
    assert.deepEqual(shown, [{ title, messages: ['1 of 2'] }]);
    asked[1]?.resolve();
    await looking;
  });

  it('end when the user cancels, with IDs instead of names', async () => {
    const { service } = slowService();
    const named = nameOfBot(service, '30481126');
    await passAfter(300);
    assert.equal(shown[0]?.title, 'Looking up names (cancel to continue with IDs)');
    cancel();
    assert.equal(await named, '30481126');
  });
});
