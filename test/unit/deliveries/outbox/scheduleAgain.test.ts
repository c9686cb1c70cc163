import assert from 'node:assert/strict';
import { DeliveryStatus } from '../../../../src/deliveries/outbox/deliveryStatus.ts';
import type { Outbox } from '../../../../src/deliveries/outbox/outbox.ts';
import type { OutboxEntry } from '../../../../src/deliveries/outbox/outboxEntry.ts';
import { askToSchedule, reportCanceled } from '../../../../src/deliveries/outbox/scheduleAgain.ts';
import { formatDateTime } from '../../../../src/presentation/formats.ts';
import { onDialogs, restore } from '../../answers.ts';
import { useWallClock } from '../../clocks.ts';
import { AT, deliveryOf, runningEntry, storedEntry } from './testDeliveries.ts';

const NOW = AT;
const HOUR = 3_600_000;

const canceled = (name: string, hours: number) => ({ id: name, name, due: NOW + hours * HOUR });

describe('Messages that a move has canceled', () => {
  useWallClock(NOW);

  let shown: ReturnType<typeof onDialogs>;
  let press: string[];
  let rescheduled: [id: string, due: number | null][];
  /** What the outbox has, by ID. Anything else was canceled. */
  let entries: Record<string, OutboxEntry | undefined>;
  const status = new DeliveryStatus(deliveryOf([]));
  let reschedule: () => Promise<boolean>;
  const outbox = {
    get: async (id: string) => (id in entries ? entries[id] : storedEntry(status, { canceledDue: NOW, resentBy: id })),
    reschedule: async (entry: { resentBy: string }, due: number | null) => {
      const isDone = await reschedule();
      if (isDone) rescheduled.push([entry.resentBy, due]);
      return isDone;
    },
  } as unknown as Outbox;

  beforeEach(() => {
    shown = onDialogs((buttons) => press.find((button) => buttons.includes(button)));
    press = [];
    rescheduled = [];
    entries = {};
    reschedule = async () => true;
  });
  afterEach(restore);

  const last = () => [shown.at(-1)?.how, shown.at(-1)?.text];

  it('are named in the question with their times, the next one first, and scheduled only if that is chosen', async () => {
    const all = [canceled('Later', 2), canceled('Soon', 1), canceled('Missed', -1)];
    await askToSchedule(all, outbox, 'import');
    assert.deepEqual(shown, [
      {
        how: 'Warning',
        text: 'Send 2 messages from this computer that were scheduled on the other one?',
        detail: [
          `• Soon: ${formatDateTime(NOW + HOUR)}\n• Later: ${formatDateTime(NOW + 2 * HOUR)}`,
          'Schedule them on one computer only: each one sends what is scheduled there.',
          'Messages whose time has passed: 1. You find them in the outbox.',
        ].join('\n\n'),
        buttons: ['Not Now', 'Schedule'],
      },
    ]);
    assert.deepEqual(rescheduled, []);
    press = ['Schedule'];
    await askToSchedule(all, outbox, 'import');
    const dues = [
      ['Soon', NOW + HOUR],
      ['Later', NOW + 2 * HOUR],
    ];
    assert.deepEqual([rescheduled, last()], [dues, ['Information', 'Scheduled messages: 2.']]);
  });

  it('are asked about by how many they are, and after what', async () => {
    const all = Array.from({ length: 11 }, (_, at) => canceled(`m${at}`, 1 + at));
    const asked = async (count: number, after: 'import' | 'crash') => {
      await askToSchedule(all.slice(0, count), outbox, after);
      return shown.at(-1)?.text;
    };
    assert.equal(await asked(1, 'import'), 'Send 1 message from this computer that was scheduled on the other one?');
    assert.equal(await asked(1, 'crash'), 'Schedule 1 message again?');
    assert.equal(await asked(10, 'crash'), 'Schedule 10 messages again?');
    assert.match(shown.at(-1)?.detail ?? '', /• m9: [^\n]*\n\nSchedule them on one computer only: [^\n]*$/);
    await asked(11, 'crash');
    assert.match(shown.at(-1)?.detail ?? '', /• m9: .*\n…\n\n/);
    await askToSchedule([], outbox, 'crash');
    assert.equal(shown.length, 4);
  });

  it('are only said to be in the outbox if the time of all has passed', async () => {
    await askToSchedule([canceled('Missed', -1)], outbox, 'crash');
    assert.deepEqual(shown, [
      {
        how: 'Information',
        text: 'Messages whose time has passed: 1. You find them in the outbox.',
        detail: '',
        buttons: [],
      },
    ]);
  });

  it('are not scheduled if they were sent, deleted or changed meanwhile, or that fails, and it says so', async () => {
    press = ['Schedule'];
    const other = canceled('Other', 2);
    for (const entry of [undefined, runningEntry(status), storedEntry(status)]) {
      entries = { Soon: entry };
      await askToSchedule([canceled('Soon', 1), other], outbox, 'crash');
      assert.deepEqual(last(), ['Warning', 'Scheduled messages: 1. Not scheduled: 1.']);
    }
    entries = {};
    reschedule = async () => false;
    await askToSchedule([other], outbox, 'crash');
    assert.deepEqual(last(), ['Warning', 'Scheduled messages: 0. Not scheduled: 1.']);
    let failures = 0;
    reschedule = async () => failures++ > 0 || Promise.reject(new Error('the disk failed'));
    await askToSchedule([canceled('Soon', 1), other], outbox, 'crash');
    const failed = 'Scheduled messages: 1. Not scheduled: 1. Something went wrong: the disk failed';
    assert.deepEqual([last(), rescheduled.at(-1)?.[0]], [['Warning', failed], 'Other']);
  });

  it('are reported after a crash, and asked about if that is chosen', async () => {
    const all = [canceled('One', 1), canceled('Two', 2)];
    await reportCanceled(all.slice(0, 1), outbox);
    await reportCanceled(all, outbox);
    press = ['Schedule Again…'];
    await reportCanceled(all, outbox);
    const two = '2 scheduled messages are canceled: VS Code closed while they were being moved to a file.';
    assert.deepEqual(
      shown.map(({ text }) => text),
      [
        '1 scheduled message is canceled: VS Code closed while it was being moved to a file.',
        two,
        two,
        'Schedule 2 messages again?',
      ],
    );
    assert.deepEqual([shown[0]?.how, shown[0]?.buttons], ['Warning', ['Schedule Again…', 'Leave Canceled']]);
  });
});
