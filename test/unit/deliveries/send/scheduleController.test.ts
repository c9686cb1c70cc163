import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import test from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type MarkdownString, StatusBarAlignment, Uri, type window } from 'vscode';
import { MissingTokenError } from '../../../../src/deliveries/outbox/deliveryAccess.ts';
import type { SendDue } from '../../../../src/deliveries/outbox/deliveryScheduler.ts';
import { scheduledText } from '../../../../src/deliveries/outbox/deliveryTexts.ts';
import { EditedDocuments } from '../../../../src/deliveries/outbox/editedDocuments.ts';
import { OutboxController } from '../../../../src/deliveries/outbox/outboxController.ts';
import { isScheduled, type ScheduledEntry } from '../../../../src/deliveries/outbox/outboxEntry.ts';
import { newDeliveryId } from '../../../../src/deliveries/outbox/record.ts';
import { ScheduleController, statusBarOf } from '../../../../src/deliveries/send/scheduleController.ts';
import { formatDateTime, formatShortTime, formatTime } from '../../../../src/presentation/formats.ts';
import { NeverListError } from '../../../../src/presentation/neverSend.ts';
import { systemClock } from '../../../../src/service/clock.ts';
import { temporaryPath } from '../../../host/temporary.ts';
import { answer, onLists, onMessages, onModals, onPicker, restore, type } from '../../answers.ts';
import { holdTimers, useWallClock } from '../../clocks.ts';
import { newHost } from '../../test-host.ts';
import { BOT, deliveryOf, groups, planBatches } from '../outbox/testDeliveries.ts';

const MINUTE = 60_000;

const HOUR = 60 * MINUTE;

const NOW = new Date(2026, 10, 21, 12).getTime();

/** Tomorrow morning, as it's offered. */
const TOMORROW = new Date(2026, 10, 22, 9).getTime();

describe('Scheduled deliveries', () => {
  const clock = useWallClock(NOW);
  let host: ReturnType<typeof newHost>;
  let controller: OutboxController;
  let schedule: ScheduleController;
  let ran: unknown[];
  let opened: string[];

  beforeEach(() => {
    host = newHost();
    [ran, opened] = [[], []];
    host.commands.run = async (...command) => void ran.push(command);
    const folder = Uri.file(temporaryPath('outbox'));
    const events = { changed: () => {}, editsChanged: () => {} };
    controller = new OutboxController(host, folder, events, new EditedDocuments(host.workspaceMemento));
    schedule = new ScheduleController(host, controller, () => assert.fail('sent'));
    answer('showTextDocument', (async (document: { getText(): string }) => {
      opened.push(document.getText());
    }) as unknown as typeof window.showTextDocument);
  });
  afterEach(async () => {
    test.mock.restoreAll();
    restore();
    schedule.dispose();
    await controller.close();
  });

  /** Schedules a message, an hour from now by default. */
  const later = async (changes: Partial<ScheduledEntry['status']['delivery']> = {}) => {
    const id = newDeliveryId(clock.now);
    const delivery = deliveryOf(planBatches(groups('a', 'b'), 1), { id, ...changes });
    await controller.outbox.schedule({ ...delivery, due: changes.due ?? NOW + HOUR });
    return id;
  };
  const dueOf = async (id: string) => {
    const entry = await controller.entry(id);
    return isScheduled(entry) ? entry.due : undefined;
  };
  const beginEdit = async (id: string) => {
    const entry = await controller.entry(id);
    assert.ok(isScheduled(entry) && (await controller.outbox.beginEdit(entry)));
  };
  const pick = (start: string) => onPicker(async (items) => items.find(({ label }) => label.startsWith(start)));

  it('get another time', async () => {
    const id = await later();
    const shown = onMessages();
    pick('Tomorrow');
    await schedule.rescheduleDelivery(id);
    assert.equal(await dueOf(id), TOMORROW);
    assert.deepEqual(shown, [scheduledText((await controller.entry(id)).status.delivery, TOMORROW)]);
  });

  it('are named in the question for another time, as edited ones, too', async () => {
    const id = await later();
    const lists = onLists('escape');
    await schedule.rescheduleDelivery(id);
    await beginEdit(id);
    await schedule.rescheduleDelivery(id);
    assert.deepEqual(
      lists.map(({ title }) => title),
      ['Change when to send “Hello”', 'Change when to send “Hello” as it was before you edited it'],
    );
  });

  it('begin at the time that they have when it is changed', async () => {
    const id = await later({ due: new Date(2027, 0, 2, 9, 5).getTime() });
    onPicker(async ([first]) => first);
    const boxes = type(undefined);
    await schedule.rescheduleDelivery(id);
    assert.deepEqual(
      boxes.map((box) => box?.value),
      ['2027-01-02 09:05'],
    );
  });

  it('keep their time if the new one passes meanwhile, or the user cancels', async () => {
    const id = await later();
    const due = await dueOf(id);
    onPicker(async () => Object.assign({ label: '' }, { time: NOW }));
    await assert.rejects(schedule.rescheduleDelivery(id), { message: 'This time has passed.' });
    pick('nothing');
    await schedule.rescheduleDelivery(id);
    assert.equal(await dueOf(id), due);
  });

  it('say if another window changed them meanwhile', async () => {
    const id = await later();
    const entry = await controller.entry(id);
    onPicker(async (items) => {
      assert.ok(isScheduled(entry) && (await controller.outbox.reschedule(entry, entry.due + HOUR)));
      return items[1];
    });
    await assert.rejects(schedule.rescheduleDelivery(id), /“Hello” has changed/);
  });

  it('are canceled without a question, once', async () => {
    const id = await later();
    const shown = onMessages();
    await schedule.unscheduleDelivery(id);
    assert.equal(await dueOf(id), undefined);
    await assert.rejects(schedule.unscheduleDelivery(id), /has changed/);
    assert.deepEqual(shown, []);
  });

  it('can be scheduled again once they were canceled, beginning at the time that they had unless it has passed', async () => {
    onMessages();
    for (const [had, first] of [
      [NOW + HOUR, `scheduled for ${formatDateTime(NOW + HOUR)}`],
      [NOW, undefined],
    ] as const) {
      const id = await later({ due: had });
      await schedule.unscheduleDelivery(id);
      let offered: string | undefined;
      onPicker(async (items) => {
        offered = items[0]?.description;
        return items.find(({ label }) => label.startsWith('Tomorrow'));
      });
      await schedule.rescheduleDelivery(id);
      assert.equal(await dueOf(id), TOMORROW);
      assert.equal(offered?.startsWith('scheduled') ? offered : undefined, first);
    }
  });

  it('are only scheduled again after a warning if they were moved: the other computer may send them, too', async () => {
    const id = await later();
    await controller.moves.take(id, NOW, true);
    await controller.moves.leave([id], NOW);
    pick('Tomorrow');
    const answers = ['Not Now', 'Schedule'];
    const asked = onModals((_, at) => answers[at]);
    await schedule.rescheduleDelivery(id);
    assert.equal(await dueOf(id), undefined);
    await schedule.rescheduleDelivery(id);
    assert.equal(await dueOf(id), TOMORROW);
    const [{ message, detail, buttons } = assert.fail()] = asked;
    assert.equal(message, 'Schedule “Hello” on this computer?');
    assert.ok(detail.includes(`copied to a file on ${formatDateTime(NOW)}`), detail);
    assert.deepEqual(buttons, answers);
    // From then on, only its time changes.
    await schedule.rescheduleDelivery(id);
    assert.equal(asked.length, 2);
  });

  it("aren't sent any more from the moment when they are edited, at no click either", async () => {
    const source = Uri.file(`${temporaryPath('document')}.md`);
    await writeFile(source.fsPath, 'The document');
    const id = await later({ source: source.toString() });
    const questions = onModals(() => 'Edit');
    await schedule.editDelivery(id);
    assert.equal(questions[0]?.message, 'Edit “Hello”?');
    assert.ok(questions[0].detail.startsWith(`It won't be sent on ${formatDateTime(NOW + HOUR)} unless`));
    assert.deepEqual([opened, await dueOf(id)], [['The document'], undefined]);
    // There is nothing left to ask.
    await schedule.editDelivery(id);
    assert.deepEqual([opened.length, questions.length], [2, 1]);
  });

  it('are not opened to edit if another window changed them while the user was asked', async () => {
    const id = await later();
    onModals(async () => {
      const entry = await controller.entry(id);
      assert.ok(isScheduled(entry) && (await controller.outbox.reschedule(entry, NOW + 2 * HOUR)));
      return 'Edit';
    });
    await assert.rejects(schedule.editDelivery(id), /“Hello” has changed/);
    assert.equal(await dueOf(id), NOW + 2 * HOUR);
    assert.deepEqual(opened, []);
  });

  it('stay scheduled if the user only looked', async () => {
    const id = await later();
    onMessages();
    await schedule.editDelivery(id);
    assert.ok(await dueOf(id));
    assert.deepEqual(opened, []);
  });

  it('get another time as they were before they were edited, or are canceled', async () => {
    const id = await later();
    await beginEdit(id);
    onMessages();
    pick('Tomorrow');
    await schedule.rescheduleDelivery(id);
    const due = await dueOf(id);
    await beginEdit(id);
    await schedule.unscheduleDelivery(id);
    const [entry] = await controller.outbox.all();
    assert.equal(entry?.isRunning === false && entry.canceledDue, due);
    assert.equal(await controller.outbox.unseen(), 0);
  });

  describe('that were not sent at their time', () => {
    const failing = (error: Error) => () => Promise.reject(error);
    const usual = ['Send Now…', 'Change Time…', 'Cancel Sending'];

    const rows: { how: string; send?: SendDue; isJump?: boolean; why: string; helps?: [string, ...unknown[]] }[] = [
      { how: 'the clock was set', isJump: true, why: 'but the clock changed or the computer slept' },
      { how: 'another window took them', send: async () => {}, why: 'but the window that took it has closed' },
      { how: 'they fail', send: failing(new Error('full')), why: 'full' },
      {
        how: 'a token is missing',
        send: failing(new MissingTokenError('No token.')),
        why: 'No token.',
        helps: ['Set Bot Token…', 'setToken', { id: BOT }],
      },
      {
        how: 'the list can’t be read',
        send: failing(new NeverListError('No list.')),
        why: 'No list.',
        helps: ['Open List', 'editNeverList'],
      },
    ];
    for (const { how, send = () => assert.fail('sent'), isJump, why, helps } of rows)
      it(`are asked about once if ${how}, with what helps`, async () => {
        let steady = 0;
        test.mock.method(systemClock, 'now', () => steady);
        host.log.error = () => {};
        const due = NOW + MINUTE;
        const id = await later({ due });
        const window = new ScheduleController(host, controller, send);
        await window.check();
        let offered: readonly string[] = [];
        const shown = onMessages((_, buttons) => {
          offered = buttons;
          return buttons[0];
        });
        for (const pass of [MINUTE + 1, MINUTE + 1, MINUTE]) {
          clock.now += pass;
          steady += isJump ? 0 : pass;
          await window.check();
          await window.check();
        }
        window.dispose();
        assert.equal(shown.length, 1);
        assert.ok(shown[0]?.startsWith(`Not sent: “Hello”. It was due on ${formatDateTime(due)}`), shown[0]);
        assert.ok(shown[0]?.includes(why), shown[0]);
        const [button, ...command] = helps ?? ['Send Now…', 'sendDeliveryNow', id];
        assert.deepEqual([offered, ran], [[...new Set([button, ...usual])], [command]]);
      });

    for (const [button, command] of [
      ['Send Now…', 'sendDeliveryNow'],
      ['Change Time…', 'rescheduleDelivery'],
      ['Cancel Sending', 'unscheduleDelivery'],
    ] as const)
      it(`are asked about by the next window: ${button}`, async () => {
        const id = await later({ due: NOW - HOUR });
        const shown = onMessages((_, buttons) => buttons.find((one) => one === button));
        await schedule.check();
        await schedule.check();
        assert.match(shown.join(), /^Not sent: “Hello”\. .*, but no VS Code window could send it then\.$/);
        assert.deepEqual(ran, [[command, id]]);
        // What is to be seen is stored beside the question.
        while ((await controller.outbox.unseen()) === 0) await setImmediate();
      });

    for (const [button, command] of [
      ['As Edited…', 'sendEditedDelivery'],
      ['As It Was…', 'sendDeliveryNow'],
      ['As It Was, Later…', 'rescheduleDelivery'],
      ["Don't Send", 'unscheduleDelivery'],
    ] as const)
      it(`are asked about if they are being edited: ${button}`, async () => {
        const due = NOW - HOUR;
        const id = await later({ due });
        await beginEdit(id);
        const shown = onMessages((_, buttons) => buttons.find((one) => one === button));
        await schedule.check();
        await schedule.check();
        const text = `Not sent: “Hello”. It was due on ${formatDateTime(due)}, but is being edited. Send it now?`;
        assert.deepEqual([shown, ran], [[text], [[command, id]]]);
      });
  });

  it('leave a note in the log if they can’t be read', async () => {
    const logged: unknown[] = [];
    host.log.error = (error) => void logged.push(error);
    const error = new Error('EIO');
    controller.outbox.waiting = () => Promise.reject(error);
    await schedule.check();
    assert.deepEqual(logged, [error]);
  });

  it('wait for their time until their window closes', async () => {
    using held = holdTimers();
    await later();
    await schedule.check();
    assert.equal(held.waiting.size, 1);
    schedule.dispose();
    assert.equal(held.waiting.size, 0);
  });

  it('stand in the status bar, the next one with its time', async () => {
    const items: Record<string, unknown>[] = [];
    answer('createStatusBarItem', ((id: string, alignment: number) => {
      const item: Record<string, unknown> = { id, alignment, dispose: () => (item.isDisposed = true) };
      item.show = () => (item.isShown = true);
      items.push(item);
      return item;
    }) as never);
    await schedule.check();
    assert.equal(items.length, 0);
    const message = { contentType: 'text', content: { text: 'a $(bug) long heading of this message' } } as const;
    const id = await later({ message });
    await schedule.check();
    await schedule.check();
    assert.equal(items.length, 1);
    const [item = assert.fail()] = items;
    assert.match(`${item.text}`, /^\$\(clock\) .+ a \\\$\(bug\) long headin…$/);
    assert.equal(item.id, 'botChats.scheduled');
    assert.equal(item.name, 'Next Scheduled Message');
    assert.equal(item.alignment, StatusBarAlignment.Left);
    assert.equal(item.command, 'botChats.showNextScheduled');
    assert.equal(item.isShown, true);
    await schedule.unscheduleDelivery(id);
    assert.equal(item.isDisposed, true);
    const next = await later();
    await schedule.check();
    onModals(() => 'Edit');
    await schedule.editDelivery(next);
    assert.equal(items[1]?.isDisposed, true);
    await later();
    await schedule.check();
    schedule.dispose();
    assert.equal(items[2]?.isDisposed, true);
  });

  it('stand there with the date unless it is today, and with what else is scheduled', async () => {
    const now = new Date(2026, 10, 24, 10).getTime();
    for (const [due, to, others, time, tooltip] of [
      [now + HOUR, 'ab', 0, formatTime(now + HOUR), /will be sent by Order Desk on .* 2 recipients&#46;$/],
      [
        now + 24 * HOUR,
        'a',
        2,
        formatShortTime(now + 24 * HOUR, now),
        / 1 recipient&#46;\s+Also scheduled&#58; 2&#46;$/,
      ],
      [now, 'a', 0, formatTime(now), /was due on .*wasn&#39;t sent/],
    ] as const) {
      const entry = await controller.entry(await later({ batches: planBatches(groups(...to), 1) }));
      assert.ok(isScheduled(entry));
      const shown = statusBarOf({ ...entry, due }, others, now);
      assert.equal(shown.text, `$(clock) ${time} Hello`);
      assert.match((shown.tooltip as MarkdownString).value, tooltip);
    }
  });
});
