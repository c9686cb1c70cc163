import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { MarkdownString, StatusBarAlignment, ThemeColor, ThemeIcon, Uri, type window } from 'vscode';
import manifest from '../../../../package.json' with { type: 'json' };
import type { SendDue } from '../../../../src/deliveries/outbox/deliveryScheduler.ts';
import { EditedDocuments } from '../../../../src/deliveries/outbox/editedDocuments.ts';
import { OutboxController } from '../../../../src/deliveries/outbox/outboxController.ts';
import { actionsOn, isScheduled, type ScheduledEntry } from '../../../../src/deliveries/outbox/outboxEntry.ts';
import { newDeliveryId } from '../../../../src/deliveries/outbox/record.ts';
import { ScheduleController, statusBarOf } from '../../../../src/deliveries/send/scheduleController.ts';
import { OutboxTree } from '../../../../src/deliveries/view/outboxTree.ts';
import { formatDateTime, formatShortTime, formatTime } from '../../../../src/presentation/formats.ts';
import { textCard } from '../../../../src/presentation/shown.ts';
import { temporaryPath } from '../../../host/temporary.ts';
import { answer, onMessages, onPicker, restore, type } from '../../answers.ts';
import { newHost } from '../../test-host.ts';
import { deliveryOf, groups, planBatches } from '../outbox/testDeliveries.ts';

const HOUR = 60 * 60_000;

describe('Scheduled deliveries in the outbox', () => {
  let controller: OutboxController;
  let schedule: ScheduleController;
  let tree: OutboxTree;
  let ran: unknown[];
  let opened: string[];

  const send: SendDue = () => assert.fail('sent');

  beforeEach(() => {
    const host = newHost();
    [ran, opened] = [[], []];
    host.commands.run = async (...command) => void ran.push(command);
    const events = { changed: () => {}, editsChanged: () => {} };
    controller = new OutboxController(
      host,
      Uri.file(temporaryPath('outbox')),
      events,
      new EditedDocuments(host.workspaceMemento),
    );
    schedule = new ScheduleController(host, controller, send);
    tree = new OutboxTree(controller.outbox, host.connection);
    answer('showTextDocument', (async (document: { getText(): string }) => {
      opened.push(document.getText());
    }) as unknown as typeof window.showTextDocument);
  });
  afterEach(async () => {
    restore();
    schedule.dispose();
    await controller.close();
  });

  /** Schedules a message, an hour from now by default. */
  const later = async (changes: Partial<ScheduledEntry['status']['delivery']> = {}) => {
    const id = newDeliveryId(Date.now());
    const due = Date.now() + HOUR;
    await controller.outbox.schedule({
      ...deliveryOf(planBatches(groups('a', 'b'), 1), { id }),
      due,
      ...changes,
    } as never);
    return id;
  };
  const entryOf = async (id: string) => {
    const entry = await controller.entry(id);
    return isScheduled(entry) ? entry : undefined;
  };
  const pick = (start: string) => onPicker(async (items) => items.find(({ label }) => label.startsWith(start)));

  it('have a clock, their time, and what can be done', async () => {
    const id = await later();
    const [node] = await tree.getChildren();
    const item = tree.getTreeItem(node ?? assert.fail());
    const due = (await entryOf(id))?.due ?? 0;
    assert.equal(item.label, `${formatShortTime(due, Date.now())} · Hello`);
    assert.equal(item.description, 'service.test');
    assert.equal(item.accessibilityInformation?.label, `Hello, scheduled for ${formatDateTime(due)} · service.test`);
    assert.equal(item.iconPath instanceof ThemeIcon && item.iconPath.id, 'clock');
    assert.equal(item.contextValue, 'delivery sendNow reschedule unschedule edit remove');
  });

  it('say if they are overdue', async () => {
    await later({ due: Date.now() - 1 });
    const [node] = await tree.getChildren();
    const { accessibilityInformation, description } = tree.getTreeItem(node ?? assert.fail());
    assert.equal(description, 'not sent · service.test');
    assert.match(`${accessibilityInformation?.label}`, /^Hello, was due on /);
  });

  it('have commands in their menu and beside them, for each action that they offer', async () => {
    const entry = await entryOf(await later());
    let context = ['delivery', ...actionsOn(entry ?? assert.fail())].join(' ');
    const holds = (when: string) => {
      const [, pattern = ''] = /^view == botChats\.outbox && viewItem =~ \/(.*?)\/$/.exec(when) ?? [];
      return pattern !== '' && new RegExp(pattern).test(context);
    };
    const names = (isInline: boolean) =>
      manifest.contributes.menus['view/item/context']
        .filter(({ when }) => holds(when))
        .filter(({ group }) => group.startsWith('inline') === isInline)
        .map(({ command, submenu = '' }) => (command ?? submenu).replace('botChats.', ''))
        .join(' ');
    assert.equal(names(true), 'rescheduleDelivery unscheduleDelivery openReport');
    assert.equal(
      names(false),
      'openReport sendDeliveryNow rescheduleDelivery editDelivery unscheduleDelivery saveRecipients deleteDelivery ' +
        'menu.copy',
    );
    context = ['delivery', ...actionsOn({ ...(entry ?? assert.fail()), due: undefined, editedDue: entry?.due })].join(
      ' ',
    );
    assert.equal(names(true), 'sendEditedDelivery openReport');
    assert.match(
      names(false),
      /^openReport sendDeliveryNow rescheduleDelivery sendEditedDelivery editDelivery unscheduleDelivery saveRecipients /,
    );
  });

  it('get another time', async () => {
    const id = await later();
    const shown = onMessages();
    pick('Tomorrow');
    await schedule.rescheduleDelivery(id);
    const now = new Date();
    const due = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 9).getTime();
    assert.equal((await entryOf(id))?.due, due);
    assert.deepEqual(shown, [`Scheduled for ${formatDateTime(due)}: “Hello”. A VS Code window must be open then.`]);
  });

  it('begin at the time that they have when it is changed', async () => {
    const due = new Date(new Date().getFullYear() + 1, 0, 2, 9, 5).getTime();
    const id = await later({ due });
    onPicker(async ([first]) => {
      assert.equal(first?.description, `scheduled for ${formatDateTime(due)}`);
      return first;
    });
    const boxes = type(undefined);
    await schedule.rescheduleDelivery(id);
    assert.deepEqual(
      boxes.map((box) => box?.value),
      [`${new Date(due).getFullYear()}-01-02 09:05`],
    );
  });

  it('keep their time if the new one passes meanwhile, or the user cancels', async () => {
    const id = await later();
    const { due } = (await entryOf(id)) ?? assert.fail();
    onPicker(async () => Object.assign({ label: '' }, { time: Date.now() }));
    await assert.rejects(schedule.rescheduleDelivery(id), { message: 'This time has passed.' });
    pick('nothing');
    await schedule.rescheduleDelivery(id);
    assert.equal((await entryOf(id))?.due, due);
  });

  it('say if another window changed them meanwhile', async () => {
    const id = await later();
    const entry = (await entryOf(id)) ?? assert.fail();
    onPicker(async (items) => {
      assert.equal(await controller.outbox.reschedule(entry, Date.now() + 2 * HOUR), true);
      return items[1];
    });
    await assert.rejects(schedule.rescheduleDelivery(id), /“Hello” has changed/);
  });

  it('are canceled without a question, once', async () => {
    const id = await later();
    const shown = onMessages();
    await schedule.unscheduleDelivery(id);
    assert.equal(await entryOf(id), undefined);
    await assert.rejects(schedule.unscheduleDelivery(id), /has changed/);
    assert.deepEqual(shown, []);
  });

  it('can be scheduled again once they were canceled, beginning at the time that they had', async () => {
    const id = await later();
    const { due } = (await entryOf(id)) ?? assert.fail();
    await schedule.unscheduleDelivery(id);
    await schedule.check();
    onPicker(async ([first, , ...others]) => {
      assert.equal(first?.description, `scheduled for ${formatDateTime(due)}`);
      return others.find(({ label }) => label.startsWith('Tomorrow'));
    });
    onMessages();
    await schedule.rescheduleDelivery(id);
    assert.ok(((await controller.outbox.scheduled())[0]?.due ?? 0) > due);
  });

  it('are only scheduled again after a warning if they were moved: the other computer may send them, too', async () => {
    const id = await later();
    await controller.moves.take(id, Date.now(), true);
    await controller.moves.leave([id], Date.now());
    pick('Tomorrow');
    const asked = onMessages((_, buttons) => buttons.find((button) => button === 'Not Now'));
    await schedule.rescheduleDelivery(id);
    assert.equal(await entryOf(id), undefined);
    assert.deepEqual(asked, ['Schedule “Hello” on this computer?']);
    onMessages((_, buttons) => buttons.find((button) => button === 'Schedule'));
    await schedule.rescheduleDelivery(id);
    assert.ok(await entryOf(id));
  });

  it("aren't sent any more from the moment when they are edited, at no click either", async () => {
    const source = Uri.file(`${temporaryPath('document')}.md`);
    await writeFile(source.fsPath, 'The document');
    const due = Date.now() + HOUR;
    const id = await later({ source: source.toString(), due });
    const questions = onMessages((_, buttons) => buttons.find((button) => button === 'Edit'));
    await schedule.editDelivery(id);
    assert.deepEqual(questions, ['Edit “Hello”?']);
    assert.deepEqual([opened, await entryOf(id)], [['The document'], undefined]);
    const [node] = await tree.getChildren();
    const item = tree.getTreeItem(node ?? assert.fail());
    assert.equal(item.description, `being edited · ${formatShortTime(due, Date.now())} · service.test`);
    const { tooltip } = tree.resolveTreeItem(item, node ?? assert.fail());
    const shown = (tooltip as MarkdownString).value;
    assert.ok(shown.includes(textCard(formatDateTime(due)).value), shown);
    // There is nothing left to ask.
    await schedule.editDelivery(id);
    assert.deepEqual([opened.length, questions.length], [2, 1]);
  });

  it('stay scheduled if the user only looked', async () => {
    const id = await later();
    onMessages();
    await schedule.editDelivery(id);
    assert.ok(await entryOf(id));
    assert.deepEqual(opened, []);
  });

  it('are asked about once if they were due before the window opened', async () => {
    const id = await later({ due: Date.now() - HOUR });
    for (const [button, command] of [
      ['Send Now…', 'sendDeliveryNow'],
      ['Change Time…', 'rescheduleDelivery'],
      ['Cancel Sending', 'unscheduleDelivery'],
    ] as const) {
      ran = [];
      const shown = onMessages((_, buttons) => buttons.find((one) => one === button));
      const other = new ScheduleController(
        { commands: { run: async (...one: unknown[]) => void ran.push(one) } } as never,
        controller,
        send,
      );
      await other.check();
      await other.check();
      other.dispose();
      assert.equal(shown.length, 1);
      assert.match(
        shown[0] ?? '',
        /^Not sent: “Hello”\. It was due on .+, but no VS Code window could send it then\.$/,
      );
      assert.deepEqual(ran, [[command, id]]);
    }
  });

  it('are asked about if they are still being edited at their time, and say that they are late', async () => {
    const due = Date.now() - HOUR;
    const id = await later({ due });
    const entry = (await entryOf(id)) ?? assert.fail();
    await controller.outbox.beginEdit(entry);
    let choices: string[] = [];
    const shown = onMessages((_, buttons) => {
      choices = [...buttons];
      return 'As It Was…';
    });
    await schedule.check();
    await schedule.check();
    assert.deepEqual(shown, [
      `Not sent: “Hello”. It was due on ${formatDateTime(due)}, but is being edited. Send it now?`,
    ]);
    assert.deepEqual(choices, ['As Edited…', 'As It Was…', 'As It Was, Later…', "Don't Send"]);
    assert.deepEqual(ran, [['sendDeliveryNow', id]]);
    // What is to be seen is stored beside the question.
    while (!(await tree.heading()).badge) await setImmediate();
    const item = tree.getTreeItem((await tree.getChildren())[0] ?? assert.fail());
    assert.equal(item.description, `late, being edited · ${formatShortTime(due, Date.now())} · service.test`);
    assert.deepEqual(item.iconPath, new ThemeIcon('edit', new ThemeColor('list.warningForeground')));
  });

  it('get another time as they were before they were edited, or are canceled', async () => {
    const id = await later();
    await controller.outbox.beginEdit((await entryOf(id)) ?? assert.fail());
    onMessages();
    pick('Tomorrow');
    await schedule.rescheduleDelivery(id);
    const { due } = (await entryOf(id)) ?? assert.fail();
    await controller.outbox.beginEdit((await entryOf(id)) ?? assert.fail());
    await schedule.unscheduleDelivery(id);
    const [entry] = await controller.outbox.all();
    assert.equal(entry?.isRunning === false && entry.canceledDue, due);
    assert.equal((await tree.heading()).badge, undefined);
  });

  it('stand in the status bar, the next one with its time', async () => {
    const items: Record<string, unknown>[] = [];
    answer('createStatusBarItem', ((_id: string, alignment: number) => {
      const item: Record<string, unknown> = { alignment, shows: 0, dispose: () => (item.isDisposed = true) };
      item.show = () => (item.isShown = true);
      items.push(item);
      return item;
    }) as never);
    await schedule.check();
    assert.equal(items.length, 0);
    const id = await later({
      message: { contentType: 'text', content: { text: 'a $(bug) long heading of this message' } },
    });
    await schedule.check();
    const [item] = items;
    assert.match(`${item?.text}`, /^\$\(clock\) .+ a \\\$\(bug\) long headin…$/);
    assert.deepEqual(
      [item?.alignment, item?.command, item?.isShown, items.length],
      [StatusBarAlignment.Left, 'botChats.showNextScheduled', true, 1],
    );
    await schedule.unscheduleDelivery(id);
    assert.equal(item?.isDisposed, true);
  });

  it('are found from there, the next one first', async () => {
    assert.equal(await tree.nextScheduled(), undefined);
    await later();
    const next = await later({ due: Date.now() + HOUR / 2 });
    const sent = await later();
    await schedule.unscheduleDelivery(sent);
    assert.equal((await tree.nextScheduled())?.id, next);
  });

  it('stand there with the date unless it is today, and with what else is scheduled', async () => {
    const entry = (await entryOf(await later())) ?? assert.fail();
    const now = new Date(2026, 10, 24, 10).getTime();
    const today = statusBarOf({ ...entry, due: now + HOUR }, 0, now);
    assert.equal(today.text, `$(clock) ${formatTime(now + HOUR)} Hello`);
    const next = statusBarOf({ ...entry, due: now + 24 * HOUR }, 2, now);
    assert.equal(next.text, `$(clock) ${formatShortTime(now + 24 * HOUR, now)} Hello`);
    const missed = statusBarOf({ ...entry, due: now - HOUR }, 0, now);
    const texts = [today, next, missed].map(({ tooltip }) => (tooltip instanceof MarkdownString ? tooltip.value : ''));
    assert.match(texts[0] ?? '', /will be sent by Order Desk on .*2 recipients/);
    assert.match(texts[1] ?? '', /Also scheduled&#58; 2&#46;/);
    assert.match(texts[2] ?? '', /was due on .*wasn&#39;t sent/);
  });
});
