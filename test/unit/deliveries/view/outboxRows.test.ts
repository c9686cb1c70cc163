import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MarkdownString, ThemeColor, ThemeIcon } from 'vscode';
import manifest from '../../../../package.json' with { type: 'json' };
import type { BatchSender } from '../../../../src/deliveries/outbox/deliveryRunner.ts';
import { DeliveryStatus } from '../../../../src/deliveries/outbox/deliveryStatus.ts';
import { isScheduled, sentTimeOf } from '../../../../src/deliveries/outbox/outboxEntry.ts';
import { type Delivery, type JournalLine, newDeliveryId } from '../../../../src/deliveries/outbox/record.ts';
import type { Recipient } from '../../../../src/deliveries/plan/deliveryPlan.ts';
import { type OutboxNode, OutboxTree } from '../../../../src/deliveries/view/outboxTree.ts';
import { relatedTo, summaryOf } from '../../../../src/deliveries/view/report.ts';
import { shownText } from '../../../../src/markup/safeText.ts';
import { formatDateTime, formatShortTime } from '../../../../src/presentation/formats.ts';
import { Row, textCard } from '../../../../src/presentation/shown.ts';
import { onMessages, restore } from '../../answers.ts';
import { configure, useService } from '../../test-service.ts';
import {
  AT,
  answered,
  deliveryOf,
  everyone,
  groups,
  idOf,
  planBatches,
  runningEntry,
  storedEntry,
} from '../outbox/testDeliveries.ts';
import { openOutbox, RECIPIENTS, text } from '../outbox/testOutbox.ts';

const HOUR = 3_600_000;

describe('The rows of the outbox', () => {
  const service = useService();
  let open: Awaited<ReturnType<typeof openOutbox>>;
  let tree: OutboxTree;

  beforeEach(async () => {
    open = await openOutbox(service);
    tree = new OutboxTree(open.outbox, open.connection);
  });
  afterEach(() => {
    restore();
    open.close();
  });

  /** Stores a message that is sent at a time. Resolves to its ID. */
  const schedule = async (due: number, changes: Partial<Delivery> = {}) => {
    const id = newDeliveryId(Date.now());
    await open.outbox.schedule({ ...deliveryOf(planBatches(RECIPIENTS, 9), { id, ...changes }), due });
    return id;
  };
  /** The rows of the outbox, or those below one. */
  const rows = async (node?: OutboxNode) =>
    (await tree.getChildren(node)).map((child) => ({ node: child, item: tree.getTreeItem(child) }));
  const firstRow = async () => (await rows())[0] ?? assert.fail();
  const tooltipOf = (node: OutboxNode) => (tree.resolveTreeItem(new Row(''), node).tooltip as MarkdownString).value;
  const spokenOf = ({ accessibilityInformation }: Row) => accessibilityInformation?.label ?? '';
  const texts = (shown: { item: Row }[]) => shown.map(({ item }) => `${item.label} ${item.description ?? ''}`.trim());
  const iconOf = ({ iconPath }: Row) => {
    const { id, color } = iconPath as ThemeIcon;
    return color ? `${id} ${(color as ThemeColor & { id: string }).id}` : id;
  };

  describe('show what became of a delivery:', () => {
    const statusOf = (lines: readonly JournalLine[] = [], changes: Partial<Delivery> = {}) =>
      new DeliveryStatus(deliveryOf(planBatches(groups('a', 'b'), 1), changes), [], lines);
    const half = [answered(0, 'a'), answered(1)];
    const all = [answered(0, 'a'), answered(1, 'b')];
    const leftOut = ['a', 'b'].map(
      (id, batch): JournalLine => ({ what: 'leftOut', batch, attempt: 0, at: AT, leftOut: [{ id, note: '' }] }),
    );
    const soon = Date.now() + HOUR;
    const [spin, pass, unclear] = ['sync~spin', 'pass testing.iconPassed', 'question list.warningForeground'];

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
        storedEntry(statusOf(), { editedDue: AT }),
        'late, being edited',
        'edit list.warningForeground',
        'late, being edited, not sent',
      ],
    ] as const)
      it(spoken, () => {
        const time = entry.isRunning ? AT : (entry.editedDue ?? AT);
        const row = tree.getTreeItem({ type: 'delivery', id: idOf('a'), entry, family: [entry] });
        const described = [begin, formatShortTime(time, Date.now()), 'service.test'].filter(Boolean).join(' · ');
        assert.deepEqual([row.label, row.description, iconOf(row)], ['Hello', described, icon]);
        assert.equal(spokenOf(row), `Hello, ${spoken} · service.test · ${formatDateTime(time)}`);
      });

    for (const [due, description, icon, spoken] of [
      [soon, 'service.test', 'clock', `scheduled for ${formatDateTime(soon)}`],
      [AT, 'not sent · service.test', 'clock list.warningForeground', `was due on ${formatDateTime(AT)}`],
    ] as const)
      it(spoken, () => {
        const entry = storedEntry(statusOf(), { due });
        const row = tree.getTreeItem({ type: 'delivery', id: idOf('a'), entry, family: [entry] });
        assert.equal(row.label, `${formatShortTime(due, Date.now())} · Hello`);
        assert.deepEqual([row.description, iconOf(row)], [description, icon]);
        assert.equal(spokenOf(row), `Hello, ${spoken} · service.test`);
      });
  });

  it('have tooltips that say for when a message was planned, and what can’t be read', () => {
    const tooltip = (changes: Parameters<typeof storedEntry>[1]) => {
      const entry = storedEntry(new DeliveryStatus(deliveryOf(planBatches(groups('a'), 1))), changes);
      return tooltipOf({ type: 'resend', id: idOf('a'), entry });
    };
    const time = formatDateTime(AT);
    for (const [changes, line] of [
      [{ editedDue: AT }, shownText`It was scheduled for ${time}. To schedule it again, send the edited message.`],
      [{ due: AT }, shownText`Scheduled for ${time}, to be sent by Order Desk through service.test`],
      [{ unreadableCount: 1 }, shownText`1 line of the stored delivery can't be read.`],
      [{ unreadableCount: 2 }, shownText`2 lines of the stored delivery can't be read.`],
    ] as const)
      assert.ok(tooltip(changes).includes(textCard(line).value), tooltip(changes));
    assert.doesNotMatch(tooltip({}), /of the stored delivery/);
    assert.match(tooltip({}), /0 of 1 reached/);
    assert.doesNotMatch(tooltip({ due: AT }), /0 of 1 reached/);
  });

  it('cut long headings off, so that a narrow row shows the time, and have them whole in the tooltip', async () => {
    await open.deliver(text('What we changed in the town hall this year'));
    const { item, node } = await firstRow();
    assert.equal(item.label, 'What we changed in t…');
    assert.match(tooltipOf(node), /^What we changed in the town hall this year {2}\n {2}\nannouncement&#46;md/);
    assert.match(spokenOf(item), /^What we changed in the town hall this year, /);
  });

  it('end right-to-left headings and names, so that the numbers beside them stay there', async () => {
    const [recipient = assert.fail()] = RECIPIENTS;
    await open.deliver({ ...text('ساعات العمل'), batches: planBatches([{ ...recipient, name: 'المتجر' }], 1) });
    const { item, node } = await firstRow();
    assert.match(`${item.description}`, /^\u200E\w/);
    const [state] = await rows(node);
    const [shop] = await rows(state?.node);
    assert.deepEqual([shop?.item.label, shop?.item.description], ['المتجر', `\u200E${recipient.id}`]);
  });

  it('say in the tooltip that it was a test', async () => {
    await open.deliver({ isTest: true });
    assert.match(tooltipOf((await firstRow()).node), /A test in one chat/);
  });

  it('say of one that was canceled before its time that it was not sent', async () => {
    const id = await schedule(Date.now() + HOUR);
    const scheduled = await open.outbox.get(id);
    assert.ok(scheduled && isScheduled(scheduled) && (await open.outbox.reschedule(scheduled, null)));
    const { item, node } = await firstRow();
    assert.match(spokenOf(item), /^Hello, not sent · /);
    const { origin } = summaryOf(await open.controller.reported(id));
    assert.ok(tooltipOf(node).includes(textCard(origin).value), tooltipOf(node));
  });

  it('show when a scheduled one was sent, and in its tooltip when it was planned', async () => {
    const due = AT + 60_000;
    const id = await schedule(due);
    const send: BatchSender['send'] = async (batch, options) => {
      await options.before();
      return everyone(batch, () => {});
    };
    await open.outbox.resume(id, { token: 't', never: () => new Map(), send });
    const { item, node } = await firstRow();
    const sent = sentTimeOf(((await open.outbox.get(id)) ?? assert.fail()).status);
    assert.ok(sent > due);
    assert.equal(item.description, `${formatShortTime(sent, Date.now())} · service.test`);
    assert.ok(spokenOf(item).endsWith(formatDateTime(sent)));
    const planned = shownText`Confirmed: ${formatDateTime(AT)}. Scheduled for: ${formatDateTime(due)}.`;
    assert.ok(tooltipOf(node).includes(textCard(planned).value), tooltipOf(node));
    const reported = await open.controller.reported(id);
    assert.ok(summaryOf(reported).notes.includes(planned));
    const reminder = { status: new DeliveryStatus(deliveryOf([], { follows: id })), resends: [] };
    assert.equal(relatedTo(reminder, [reported])[0]?.text, `Reminds of “Hello”, ${formatDateTime(sent)}`);
  });

  it('show the day of older deliveries, and the year if it is another one', async () => {
    const [now, day] = [new Date(), 24 * HOUR];
    const other = new Date(now.getTime() + (now.getMonth() === 0 ? 2 : -2) * day);
    await open.deliver({ at: new Date(2019, 4, 3, 9).getTime(), batches: [] });
    await open.deliver({ at: other.getTime(), batches: [] });
    const [recent, old] = (await rows()).map(({ item }) => `${item.description}`);
    assert.match(recent ?? '', /^[A-Z][a-z]{2} \d+, \d+:\d\d.[AP]M$/);
    assert.match(old ?? '', /^May 3, 2019, 9:00.AM$/);
  });

  it('are in the order of the times that they show, the latest first, of which the next one can be found', async () => {
    const inHours = (hours: number) => Date.now() + hours * HOUR;
    await open.deliver({ ...text('Sent'), at: inHours(-1) });
    assert.equal(await tree.nextScheduled(), undefined);
    await schedule(inHours(24), { ...text('Tomorrow'), at: inHours(-2) });
    const next = await schedule(inHours(12), { ...text('Soon'), at: inHours(-2) });
    const labels = (await rows()).map(({ item }) => `${item.label}`.replace(/^.* · /, ''));
    assert.deepEqual(labels, ['Tomorrow', 'Soon', 'Sent']);
    assert.equal((await tree.nextScheduled())?.id, next);
  });

  it('offer to compare what was sent with its document, if there is one', async () => {
    await open.deliver();
    await open.deliver({ source: 'file:///a.md' });
    await schedule(Date.now() + HOUR, { source: 'file:///a.md' });
    assert.deepEqual(
      (await rows()).map(({ item }) => item.contextValue),
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
    const described = async () =>
      (await rows()).map(({ item }) => `${item.description}`.replace(/\d+:\d\d.[AP]M/, 'T'));
    assert.deepEqual(await described(), ['2 of 3 · T · the sandbox', '2 of 3 · T · chat.example/api', '2 of 3 · T']);
    await configure({ 'service.webUrl': undefined, 'service.openApiUrl': undefined });
    assert.equal((await described())[2], `2 of 3 · T · ${service.sandbox.openApiUrl.replace('http://', '')}`);
    const { webUrl, openApiUrl } = service.sandbox;
    await configure({ 'service.webUrl': webUrl, 'service.openApiUrl': openApiUrl });
  });

  it('list a limited number of recipients, and link to the report for the rest', async () => {
    const many = groups(...Array.from({ length: 1200 }, (_, at) => `${at}`));
    const { delivery } = await open.deliver({
      batches: planBatches([{ kind: 'group', id: 'x', name: 'x' }, ...many.slice(1)], 2000),
    });
    const [missing = assert.fail()] = await rows((await firstRow()).node);
    assert.deepEqual(texts([missing]), ['Not confirmed 1,200']);
    const listed = await rows(missing.node);
    assert.deepEqual([listed.length, listed[0]?.item.label, listed[0]?.item.description], [501, 'x', '']);
    const { label, command } = listed.at(-1)?.item ?? assert.fail();
    assert.equal(label, '… and 700 more in the report');
    assert.deepEqual([command?.command, command?.arguments], ['botChats.openReport', [delivery.id]]);
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
    const [state] = await rows((await firstRow()).node);
    const [row = assert.fail()] = await rows(state?.node);
    assert.deepEqual(texts([row]), ["abc nobody · Person nobody doesn't exist."]);
    assert.deepEqual([iconOf(row.item), row.item.contextValue], ['account', 'recipient']);
    const { value } = row.item.tooltip as MarkdownString;
    assert.match(value, /nobody\W+not reached\W+Person nobody doesn&#39;t exist&#46;\W+Dear Ann$/);
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
        id: newDeliveryId(Date.now()),
        resends: unreached.lastId,
        batches: planBatches(recipients, 9),
      };
      await open.outbox.resend(delivery, unreached, {
        token: 't',
        never: () => new Map(),
        send: async (batch, { before }) => {
          await before();
          const reached = batch.recipients.filter(({ id }) => reaches(id));
          return everyone({ ...batch, recipients: reached }, () => {});
        },
      });
    };
    const hello = { ...text('Hello'), batches: planBatches(groups('a', 'b', 'c'), 9) };
    const described = ({ item }: { item: Row }) =>
      `${item.label} ${item.description}`.replace(/( ·)? \d+:\d\d.[AP]M$/, '');

    beforeEach(() => {
      service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'missing' }] });
    });

    it('have one row for them, which shows whom they have reached together', async () => {
      await open.deliver(hello);
      await resend((id) => id === 'a');
      const [row, ...others] = await rows();
      assert.deepEqual([row && described(row), others], ['Hello 1 of 3', []]);
      const below = await rows(row?.node);
      assert.deepEqual(below.map(described), ['Not confirmed 2', 'Reached 1', 'Resend 1 of 3']);
      assert.deepEqual(
        below.map(({ item }) => iconOf(item)),
        ['question list.warningForeground', 'pass testing.iconPassed', 'question list.warningForeground'],
      );
      assert.deepEqual(texts(await rows(below[0]?.node)), ['group b b', 'group c c']);
      assert.deepEqual(texts(await rows(below[2]?.node)), ['Not confirmed 2', 'Reached 1']);
    });

    it('read as complete once everyone was reached, by whichever of them', async () => {
      await open.deliver(hello);
      await resend((id) => id === 'a');
      await resend((id) => id === 'b', 'b');
      assert.equal(described(await firstRow()), 'Hello 2 of 3');
      await resend(() => true);
      const row = await firstRow();
      assert.deepEqual([described(row), iconOf(row.item)], ['Hello', 'pass testing.iconPassed']);
      assert.deepEqual((await rows(row.node)).map(described), ['Reached 3', 'Resend 1 of 3', 'Resend', 'Resend']);
      assert.match(tooltipOf(row.node), /Sent&#58; 3 of 3 reached/);
    });

    it('show those that an unreadable delivery was resent by', async () => {
      const { delivery } = await open.deliver(hello);
      await resend(() => true);
      await writeFile(join(open.folder, 'deliveries', delivery.id, 'delivery.ndjson'), 'damaged');
      const [resent, { item, node } = assert.fail()] = await rows();
      assert.deepEqual(
        [resent?.item.label, item.label, item.id, item.contextValue, iconOf(item)],
        ['Hello', 'Unreadable delivery', delivery.id, 'unreadable remove', 'error list.errorForeground'],
      );
      assert.match((item.tooltip as MarkdownString).value, /its file is damaged/);
      assert.deepEqual(await rows(node), []);
    });
  });
});
