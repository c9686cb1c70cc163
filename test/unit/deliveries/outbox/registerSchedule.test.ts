import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EventEmitter, Uri } from 'vscode';
import type { OutboxController } from '../../../../src/deliveries/outbox/outboxController.ts';
import { hasFiles } from '../../../../src/deliveries/outbox/outboxFolder.ts';
import { registerSchedule } from '../../../../src/deliveries/outbox/registerSchedule.ts';
import { once } from '../../../../src/platform/once.ts';
import { temporaryPath } from '../../../host/temporary.ts';
import { deferred } from '../../deferred.ts';
import { newHost } from '../../test-host.ts';

describe('What looks for scheduled deliveries', () => {
  let folder: string;
  let changed: EventEmitter<undefined>;
  let schedule: ReturnType<typeof registerSchedule>;
  let looked: ReturnType<typeof deferred<void>>;
  let done: string[];

  beforeEach(() => {
    folder = temporaryPath('outbox');
    changed = new EventEmitter();
    looked = deferred();
    done = [];
    class ScheduleController {
      async look() {
        done.push('look');
        looked.resolve();
      }
      async act(...args: unknown[]) {
        done.push(args.join(' '));
      }
      dispose() {
        done.push('dispose');
      }
    }
    const controller = once(async () => ({}) as OutboxController);
    schedule = registerSchedule(
      newHost(),
      {
        controller,
        folder: Uri.file(folder),
        onDidChange: changed.event,
        chosen: (clicked) => (clicked ? [clicked] : []),
      },
      async () => ({ ScheduleController, stored: {} }) as never,
    );
  });
  afterEach(() => {
    for (const one of schedule.disposables) one.dispose();
  });

  const addHint = async (name: string) => {
    await mkdir(join(folder, 'scheduled'), { recursive: true });
    await writeFile(join(folder, 'scheduled', name), '');
  };

  it('finds nothing if there is only what a killed window left', async () => {
    assert.equal(await hasFiles(Uri.file(folder), 'scheduled'), false);
    await addHint('000000000000001-later000.tmp');
    assert.equal(await hasFiles(Uri.file(folder), 'scheduled'), false);
    await addHint('000000000000001-later000');
    assert.equal(await hasFiles(Uri.file(folder), 'scheduled'), true);
  });

  it('looks once there is one, and whenever the outbox changes', async () => {
    await addHint('000000000000001-later000');
    schedule.look();
    await looked.promise;
    looked = deferred();
    changed.fire(undefined);
    await looked.promise;
    await schedule.close();
    assert.deepEqual(done, ['look', 'look', 'dispose']);
  });
});
