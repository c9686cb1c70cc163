import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ThemeColor, ThemeIcon } from 'vscode';
import manifest from '../../../../package.json' with { type: 'json' };
import { DeliveryStatus } from '../../../../src/deliveries/outbox/deliveryStatus.ts';
import { isScheduled, type OutboxEntry } from '../../../../src/deliveries/outbox/outboxEntry.ts';
import type { Delivery, JournalLine } from '../../../../src/deliveries/outbox/record.ts';
import type { Recipient } from '../../../../src/deliveries/plan/deliveryPlan.ts';
import { type OutboxNode, OutboxTree } from '../../../../src/deliveries/view/outboxTree.ts';
import { relatedTo, summaryOf } from '../../../../src/deliveries/view/report.ts';
import { shownText } from '../../../../src/markup/safeText.ts';
import { formatDateTime, formatShortTime } from '../../../../src/presentation/formats.ts';
import { textCard } from '../../../../src/presentation/shown.ts';
import { onMessages, restore } from '../../answers.ts';
import { useWallClock } from '../../clocks.ts';
import { configure, useService } from '../../test-service.ts';
import { TestTree, type TreeRow } from '../../treeRows.ts';
import {
  type Answers,
  AT,
  answered,
  deliveryOf,
  everyone,
  groups,
  idOf,
  planBatches,
  runningEntry,
  senderOf,
  storedEntry,
} from '../outbox/testDeliveries.ts';
import { openOutbox, RECIPIENTS, text } from '../outbox/testOutbox.ts';

const HOUR = 3_600_000;

const NOW = AT + HOUR;

/** The time of what is sent now, as a row shows it. */
const TIME = formatShortTime(NOW, NOW);

describe('The rows of the outbox', () => {
  const service = useService();
  const clock = useWallClock(NOW);
  let open: Awaited<ReturnType<typeof openOutbox>>;
  let tree: OutboxTree;
  const view = new TestTree<OutboxNode>(() => tree);

  beforeEach(async () => {
    open = await openOutbox(service, clock);
    tree = new OutboxTree(open.outbox, open.connection);
  });
  afterEach(() => {
    restore();
    open.close();
  });

  /** Stores a message that is sent at a time. Resolves to its ID. */
  const schedule = async (due: number, changes: Partial<Delivery> = {}) => {
    const id = open.newId();
    await open.outbox.schedule({ ...deliveryOf(planBatches(RECIPIENTS, 9), { id, ...changes }), due });
    return id;
  };
  const firstRow = async () => (await view.rows())[0] ?? assert.fail();
  /** The icon of a row, and its color, if any. */
  const iconOf = ({ item: { iconPath } }: TreeRow<OutboxNode>) => {
    const { id, color } = iconPath as ThemeIcon & { color?: ThemeColor & { id: string } };
    return color ? `${id} ${color.id}` : id;
  };

  describe('show what became of a delivery:', () => {
    const statusOf = (lines: readonly JournalLine[] = [], changes: Partial<Delivery> = {}) =>
      new DeliveryStatus(deliveryOf(planBatches(groups('a', 'b'), 1), changes), [], lines);
    const half = [answered(0, 'a'), answered(1)];
    const all = [answered(0, 'a'), answered(1, 'b')];
    const leftOut = ['a', 'b'].map(
      (id, batch): JournalLine => ({ what: 'leftOut', batch, attempt: 0, at: AT, leftOut: [{ id, note: '' }] }),
    );
    const soon = NOW + HOUR;
    const spin = 'sync~spin';
    const pass = 'pass testing.iconPassed';
    const unclear = 'question list.warningForeground';
    const rowOf = async (entry: OutboxEntry) => {
      const [row = assert.fail()] = await view.rowsOf([{ type: 'delivery', id: idOf('a'), entry, family: [entry] }]);
      return row;
    };

    for (const [entry, begin, icon, spoken] of [
      [runningEntry(statusOf(half)), '1 of 2', spin, 'sending…, 1 of 2 reached'],
      [runningEntry(statusOf(half), true), 'canceling… · 1 of 2', spin, 'canceling…, 1 of 2 reached'],
      [storedEntry(statusOf(all)), '', pass, '2 of 2 reached'],
      [storedEntry(statusOf(half)), '1 of 2', unclear, '1 of 2 reached'],
      [storedEntry(statusOf(half, { isTest: true })), 'test · 1 of 2', unclear, 'test, 1 of 2 reached'],
      [storedEntry(statusOf()), 'not sent', 'circle-slash list.warningForeground', 'not sent'],
      [storedEntry(statusOf([...leftOut.slice(0, 1), answered(1, 'b')])), '', pass, '1 of 1 reached'],
      [storedEntry(statusOf(leftOut)), 'not sent', 'circle-slash disabledForeground', 'not sent'],
      [storedEntry(statusOf(), { editedDue: soon }), 'being edited', 'edit', 'being edited, not sent'],
      [
        storedEntry(statusOf(), { editedDue: NOW }),
        'late, being edited',
        'edit list.warningForeground',
        'late, being edited, not sent',
      ],
    ] as const)
      it(spoken, async () => {
        const row = await rowOf(entry);
        const time = entry.isRunning ? AT : (entry.editedDue ?? AT);
        const described = [begin, formatShortTime(time, NOW), 'service.test'].filter(Boolean).join(' · ');
        assert.equal(row.text, `Hello | ${described}`);
        assert.equal(iconOf(row), icon);
        assert.equal(row.spoken, `Hello, ${spoken} · service.test · ${formatDateTime(time)}`);
      });

    for (const [due, description, icon, spoken] of [
      [soon, 'service.test', 'clock', `scheduled for ${formatDateTime(soon)}`],
      [NOW, 'not sent · service.test', 'clock list.warningForeground', `was due on ${formatDateTime(NOW)}`],
    ] as const)
      it(spoken, async () => {
        const row = await rowOf(storedEntry(statusOf(), { due }));
        assert.equal(row.text, `${formatShortTime(due, NOW)} · Hello | ${description}`);
        assert.equal(iconOf(row), icon);
        assert.equal(row.spoken, `Hello, ${spoken} · service.test`);
      });
  });

  it('have tooltips that say for when a message was planned, and what can’t be read', async () => {
    const tooltip = async (changes: Parameters<typeof storedEntry>[1]) => {
      const entry = storedEntry(new DeliveryStatus(deliveryOf(planBatches(groups('a'), 1))), changes);
      const [row = assert.fail()] = await view.rowsOf([{ type: 'resend', id: idOf('a'), entry }]);
      return view.tooltip(row);
    };
    const time = formatDateTime(AT);
    for (const [changes, line] of [
      [{ editedDue: AT }, shownText`It was scheduled for ${time}. To schedule it again, send the edited message.`],
      [{ due: AT }, shownText`Scheduled for ${time}, to be sent by Order Desk through service.test`],
      [{ unreadableCount: 1 }, shownText`1 line of the stored delivery can't be read.`],
      [{ unreadableCount: 2 }, shownText`2 lines of the stored delivery can't be read.`],
    ] as const) {
      const shown = await tooltip(changes);
      assert.ok(shown.includes(textCard(line).value), shown);
    }
    assert.doesNotMatch(await tooltip({}), /of the stored delivery/);
    assert.match(await tooltip({}), /0 of 1 reached/);
    assert.doesNotMatch(await tooltip({ due: AT }), /0 of 1 reached/);
  });

  it('cut long headings off, so that a narrow row shows the time, and have them whole in the tooltip', async () => {
    await open.deliver(text('What we changed in the town hall this year'));
    const row = await firstRow();
    assert.equal(row.label, 'What we changed in t…');
    assert.match(await view.tooltip(row), /^What we changed in the town hall this year {2}\n {2}\nannouncement&#46;md/);
    assert.match(row.spoken, /^What we changed in the town hall this year, /);
  });

  it('end right-to-left headings and names, so that the numbers beside them stay there', async () => {
    const [recipient = assert.fail()] = RECIPIENTS;
    await open.deliver({ ...text('ساعات العمل'), batches: planBatches([{ ...recipient, name: 'المتجر' }], 1) });
    const { label, item } = await firstRow();
    assert.match(`${item.description}`, /^\u200E\w/);
    assert.deepEqual(await view.texts(label, 'Reached'), [`المتجر | \u200E${recipient.id}`]);
  });

  it('say in the tooltip that it was a test', async () => {
    await open.deliver({ isTest: true });
    assert.match(await view.tooltip(await firstRow()), /A test in one chat/);
  });

  it('say of one that was canceled before its time that it was not sent', async () => {
    const id = await schedule(NOW + HOUR);
    const scheduled = await open.outbox.get(id);
    assert.ok(scheduled && isScheduled(scheduled) && (await open.outbox.reschedule(scheduled, null)));
    const row = await view.row(id);
    assert.match(row.spoken, /^Hello, not sent · /);
    const { origin } = summaryOf(await open.controller.reported(id));
    const tooltip = await view.tooltip(row);
    assert.ok(tooltip.includes(textCard(origin).value), tooltip);
  });

  it('show when a scheduled one was sent, and in its tooltip when it was planned', async () => {
    const due = AT + 60_000;
    const id = await schedule(due);
    await open.outbox.resume(id, senderOf([everyone]));
    const row = await view.row(id);
    assert.equal(row.text, `Hello | ${TIME} · service.test`);
    assert.ok(row.spoken.endsWith(formatDateTime(NOW)));
    const planned = shownText`Confirmed: ${formatDateTime(AT)}. Scheduled for: ${formatDateTime(due)}.`;
    const tooltip = await view.tooltip(row);
    assert.ok(tooltip.includes(textCard(planned).value), tooltip);
    const reported = await open.controller.reported(id);
    assert.ok(summaryOf(reported).notes.includes(planned));
    const reminder = { status: new DeliveryStatus(deliveryOf([], { follows: id })), resends: [] };
    assert.equal(relatedTo(reminder, [reported])[0]?.text, `Reminds of “Hello”, ${formatDateTime(NOW)}`);
  });

  for (const [when, at, time] of [
    ['today', new Date(2026, 10, 21, 9), '9:00 AM'],
    ['this year', new Date(2026, 10, 20, 9), 'Nov 20, 9:00 AM'],
    ['another year', new Date(2025, 10, 21, 9), 'Nov 21, 2025, 9:00 AM'],
  ] as const)
    it(`show when a delivery was sent: ${when}`, async () => {
      clock.now = new Date(2026, 10, 21, 17).getTime();
      await open.deliver({ at: at.getTime(), batches: [] });
      const { item } = await firstRow();
      assert.equal(`${item.description}`.replace('\u202f', ' '), time);
    });

  it('are in the order of the times that they show, the latest first, of which the next one can be found', async () => {
    await open.deliver({ ...text('Sent'), at: NOW - HOUR });
    assert.equal(await tree.nextScheduled(), undefined);
    const earlier = NOW - 2 * HOUR;
    await schedule(NOW + 24 * HOUR, { ...text('Tomorrow'), at: earlier });
    const next = await schedule(NOW + 12 * HOUR, { ...text('Soon'), at: earlier });
    const labels = (await view.rows()).map(({ label }) => label.replace(/^.* · /, ''));
    assert.deepEqual(labels, ['Tomorrow', 'Soon', 'Sent']);
    assert.equal((await tree.nextScheduled())?.id, next);
  });

  it('offer to compare what was sent with its document, if there is one', async () => {
    await open.deliver();
    await open.deliver({ source: 'file:///a.md' });
    await schedule(NOW + HOUR, { source: 'file:///a.md' });
    assert.deepEqual(
      (await view.rows()).map(({ item }) => item.contextValue),
      [
        'delivery sendNow reschedule unschedule edit remove',
        'delivery check resend remove compare replies',
        'delivery check resend remove replies',
      ],
    );
  });

  it('say where a delivery was sent if that is not the connected service', async () => {
    await open.deliver({ name: 'here.md' });
    await open.deliver({ name: 'elsewhere.md', service: 'https://chat.example/api' });
    await open.deliver({ name: 'sandbox.md', service: 'sandbox:' });
    assert.deepEqual(await view.texts(), [
      `Hello | 2 of 3 · ${TIME} · the sandbox`,
      `Hello | 2 of 3 · ${TIME} · chat.example/api`,
      `Hello | 2 of 3 · ${TIME}`,
    ]);
    const { webUrl, openApiUrl } = service.sandbox;
    await configure({ 'service.webUrl': undefined, 'service.openApiUrl': undefined });
    assert.equal((await view.texts())[2], `Hello | 2 of 3 · ${TIME} · ${openApiUrl.replace('http://', '')}`);
    await configure({ 'service.webUrl': webUrl, 'service.openApiUrl': openApiUrl });
  });

  it('list a limited number of recipients, and link to the report for the rest', async () => {
    const many = groups(...Array.from({ length: 1200 }, (_, at) => `${at}`));
    const { delivery } = await open.deliver({
      batches: planBatches([{ kind: 'group', id: 'x', name: 'x' }, ...many.slice(1)], 2000),
    });
    assert.deepEqual(await view.texts(delivery.id), ['Not confirmed | 1,200']);
    const listed = await view.rows(delivery.id, 'Not confirmed');
    assert.deepEqual([listed.length, listed[0]?.text], [501, 'x']);
    const last = listed.at(-1) ?? assert.fail();
    assert.equal(last.text, '… and 700 more in the report');
    assert.equal(last.item.command?.command, 'botChats.openReport');
    assert.deepEqual(last.item.command.arguments, [delivery.id]);
  });

  it('say of each recipient, whose name hides nothing, why they were not reached, and what they got', async () => {
    const recipient: Recipient = { kind: 'user', id: 'nobody', name: 'a\u202Eb\u200Fc' };
    const { delivery } = await open.deliver({
      ...text('Dear {{name}}'),
      variables: ['name'],
      batches: planBatches([recipient], 1).map((batch) => ({ ...batch, values: ['Ann'] })),
    });
    onMessages();
    await open.controller.check(delivery.id);
    const row = await view.row(delivery.id, 'Not reached', 'abc');
    assert.equal(row.text, "abc | nobody · Person nobody doesn't exist.");
    assert.equal(row.icon, 'account');
    assert.equal(row.item.contextValue, 'recipient');
    const tooltip = await view.tooltip(row);
    assert.match(tooltip, /nobody\W+not reached\W+Person nobody doesn&#39;t exist&#46;\W+Dear Ann$/);
  });

  it('stay as they are once their delivery was deleted, until they are listed again', async () => {
    const { delivery } = await open.deliver();
    const { node } = await firstRow();
    await open.outbox.remove(delivery.id);
    assert.deepEqual(await tree.getChildren(), []);
    assert.equal(tree.getTreeItem(node).id, delivery.id);
  });

  for (const [actions, beside, menu] of [
    ['check resend remove replies', 'checkDelivery openReport', 'checkDelivery resendDelivery'],
    ['check resume remove', 'checkDelivery resumeDelivery openReport', 'checkDelivery resumeDelivery'],
    ['resend remove', 'resendDelivery openReport', 'resendDelivery'],
    ['lookUp remove', 'openReport', 'lookUpMissing'],
    [
      'sendNow reschedule unschedule edit remove',
      'rescheduleDelivery unscheduleDelivery openReport',
      'sendDeliveryNow rescheduleDelivery editDelivery unscheduleDelivery',
    ],
    [
      'sendEdited sendNow reschedule unschedule edit remove',
      'sendEditedDelivery openReport',
      'sendDeliveryNow sendEditedDelivery rescheduleDelivery editDelivery unscheduleDelivery',
    ],
  ] as const)
    it(`offer beside them what helps, and in their menu all that can be done, a check first: ${actions}`, () => {
      const offered = (group: string) =>
        manifest.contributes.menus['view/item/context']
          .filter((one) => one.group.startsWith(group))
          .filter(({ when }) => new RegExp(/=~ \/(.*)\//.exec(when)?.[1] ?? '^$').test(`delivery ${actions}`))
          .toSorted((one, other) => Number(one.group.split('@')[1]) - Number(other.group.split('@')[1]))
          .map(({ command = '' }) => command.replace('botChats.', ''))
          .join(' ');
      assert.deepEqual([offered('inline'), offered('1_send')], [beside, menu]);
    });

  describe('with resends', () => {
    /** Resends the first delivery to some of those that weren't reached. */
    const resend = async (reaches: (id: string) => boolean, ...ids: string[]) => {
      const last = (await open.outbox.all()).at(-1) ?? assert.fail();
      const unreached = await open.outbox.unreached(last.status.delivery.id);
      const recipients = unreached.recipients.filter(({ id }) => ids.length === 0 || ids.includes(id));
      const delivery = {
        ...last.status.delivery,
        id: open.newId(),
        resends: unreached.lastId,
        batches: planBatches(recipients, 9),
      };
      const reaching: Answers = ({ recipients, ...batch }, abort) =>
        everyone({ ...batch, recipients: recipients.filter(({ id }) => reaches(id)) }, abort);
      await open.outbox.resend(delivery, unreached, senderOf([reaching]));
    };
    const hello = { ...text('Hello'), batches: planBatches(groups('a', 'b', 'c'), 9) };

    beforeEach(() => {
      service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'missing' }] });
    });

    it('have one row for them, which shows whom they have reached together', async () => {
      const { delivery } = await open.deliver(hello);
      await resend((id) => id === 'a');
      assert.deepEqual(await view.texts(), [`Hello | 1 of 3 · ${TIME}`]);
      const below = await view.rows('Hello');
      assert.deepEqual(
        below.map((row) => [row.text, iconOf(row)]),
        [
          ['Not confirmed | 2', 'question list.warningForeground'],
          ['Reached | 1', 'pass testing.iconPassed'],
          [`Resend | 1 of 3 · ${TIME}`, 'question list.warningForeground'],
        ],
      );
      assert.deepEqual(await view.texts(delivery.id, 'Not confirmed'), ['group b | b', 'group c | c']);
      assert.deepEqual(await view.texts(delivery.id, 'Resend'), ['Not confirmed | 2', 'Reached | 1']);
    });

    it('read as complete once everyone was reached, by whichever of them', async () => {
      await open.deliver(hello);
      await resend((id) => id === 'a');
      await resend((id) => id === 'b', 'b');
      assert.deepEqual(await view.texts(), [`Hello | 2 of 3 · ${TIME}`]);
      await resend(() => true);
      const row = await firstRow();
      assert.deepEqual([row.text, iconOf(row)], [`Hello | ${TIME}`, 'pass testing.iconPassed']);
      assert.deepEqual(await view.texts('Hello'), [
        'Reached | 3',
        `Resend | 1 of 3 · ${TIME}`,
        `Resend | ${TIME}`,
        `Resend | ${TIME}`,
      ]);
      assert.match(await view.tooltip(row), /Sent&#58; 3 of 3 reached/);
    });

    it('show those that an unreadable delivery was resent by', async () => {
      const { delivery } = await open.deliver(hello);
      await resend(() => true);
      await writeFile(join(open.folder, 'deliveries', delivery.id, 'delivery.ndjson'), 'damaged');
      const [resent, unreadable = assert.fail()] = await view.rows();
      assert.equal(resent?.label, 'Hello');
      assert.equal(unreadable.label, 'Unreadable delivery');
      assert.equal(unreadable.item.id, delivery.id);
      assert.equal(unreadable.item.contextValue, 'unreadable remove');
      assert.equal(iconOf(unreadable), 'error list.errorForeground');
      assert.match(await view.tooltip(unreadable), /its file is damaged/);
      assert.deepEqual(await view.below(unreadable), []);
    });
  });
});
