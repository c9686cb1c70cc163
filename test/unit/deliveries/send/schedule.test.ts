import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { EventEmitter } from 'vscode';
import { registerSchedule } from '../../../../src/deliveries/send/index.ts';
import { Commands } from '../../../../src/platform/commands.ts';
import { lazy } from '../../../../src/platform/defer.ts';
import { deferred } from '../../deferred.ts';
import { newHost } from '../../test-host.ts';
import { withoutDelays } from '../../withoutDelays.ts';

describe('What looks for scheduled deliveries', () => {
  const host = newHost();
  withoutDelays();

  it('looks once there is one, and whenever a delivery changes', async () => {
    const done: string[] = [];
    let looked = deferred<void>();
    class ScheduleController {
      async check() {
        done.push('look');
        looked.resolve();
      }
      dispose() {
        done.push('dispose');
      }
    }
    let isScheduled = false;
    const changed = new EventEmitter<string>();
    const schedule = registerSchedule(
      host,
      { mayHave: async () => isScheduled, onDidChange: changed.event },
      () => [],
      lazy(async () => new ScheduleController() as never),
    );
    changed.fire('one');
    await setImmediate();
    assert.deepEqual(done, []);
    isScheduled = true;
    changed.fire('one');
    await looked.promise;
    looked = deferred();
    changed.fire('two');
    await looked.promise;
    for (const one of schedule) one.dispose();
    await setImmediate();
    assert.deepEqual(done, ['look', 'look', 'dispose']);
  });

  it("acts on all chosen deliveries, and says of each that doesn't offer it why", async () => {
    const [done, shown]: [string[], string[]] = [[], []];
    const commands = new Commands((error) => void shown.push(String(error)));
    class ScheduleController {
      async unscheduleDelivery(id: string) {
        if (id.startsWith('sent')) throw new Error(`“${id}” has changed`);
        done.push(id);
      }
      dispose() {}
    }
    const schedule = registerSchedule(
      { ...host, commands },
      { mayHave: async () => false, onDidChange: new EventEmitter<string>().event },
      () => ['one', 'sent1', 'other', 'sent2'],
      lazy(async () => new ScheduleController() as never),
    );
    await commands.run('unscheduleDelivery', 'one');
    for (const one of schedule) one.dispose();
    assert.deepEqual(done, ['one', 'other']);
    assert.deepEqual(shown, ['Error: “sent1” has changed', 'Error: “sent2” has changed']);
  });
});
