import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TreeItem } from 'vscode';
import type { BatchSender } from '../../../../src/deliveries/outbox/deliveryRunner.ts';
import type { OutboxController } from '../../../../src/deliveries/outbox/outboxController.ts';
import { isScheduled, sentTimeOf } from '../../../../src/deliveries/outbox/outboxEntry.ts';
import { type Delivery, newDeliveryId } from '../../../../src/deliveries/outbox/record.ts';
import type { OutboxNode } from '../../../../src/deliveries/view/outboxTree.ts';
import { summaryOf } from '../../../../src/deliveries/view/report.ts';
import { textTooltip } from '../../../../src/presentation/card.ts';
import { formatDateTime, formatShortTime } from '../../../../src/presentation/formats.ts';
import { onMessages, restore } from '../../answers.ts';
import { type TestService, useService } from '../../test-service.ts';
import { AT, deliveryOf, everyone, groups, planBatches } from '../outbox/testDeliveries.ts';
import { iconOf, openOutbox, RECIPIENTS, rowsOf, text, texts } from '../outbox/testOutbox.ts';

describe('The rows of the outbox', () => {
  let service: TestService;
  let open: Awaited<ReturnType<typeof openOutbox>>;
  let controller: OutboxController;

  before(async () => {
    service = await useService();
  });
  after(() => service.close());
  beforeEach(async () => {
    open = await openOutbox(service);
    ({ controller } = open);
  });
  afterEach(() => {
    restore();
    open.close();
  });

  const deliver = (changes?: Partial<Delivery>) => open.deliver(changes);
  const rows = (node?: OutboxNode) => rowsOf(open.tree, node);

  it('cuts long headings off, so that a narrow row shows the time, and has them whole in the tooltip', async () => {
    await deliver(text('What we changed in the town hall this year'));
    const [row = assert.fail()] = await rows();
    assert.equal(row.item.label, 'What we changed in t…');
    const tooltip = open.tree.tooltip(row.node)?.value;
    assert.match(tooltip ?? '', /^What we changed in the town hall this year {2}\n {2}\nannouncement&#46;md/);
    assert.match(`${row.item.accessibilityInformation?.label}`, /^What we changed in the town hall this year, /);
  });

  it('ends right-to-left headings and names, so that the numbers beside them stay there', async () => {
    const [recipient = assert.fail()] = RECIPIENTS;
    await deliver({ ...text('ساعات العمل'), batches: planBatches([{ ...recipient, name: 'المتجر' }], 1) });
    const [row] = await rows();
    assert.match(`${row?.item.description}`, /^\u200E\w/);
    const [state] = await rows(row?.node);
    const [shop] = await rows(state?.node);
    assert.deepEqual([shop?.item.label, shop?.item.description], ['المتجر', `\u200E${recipient.id}`]);
  });

  it('marks tests', async () => {
    await deliver({ ...text('Hello'), isTest: true, batches: planBatches(RECIPIENTS.slice(0, 1), 1) });
    const [row] = await rows();
    assert.match(`${row?.item.description}`, /^test · \d/);
    assert.match(`${row?.item.accessibilityInformation?.label}`, /^Hello, test, 1 of 1 reached/);
    assert.match(open.tree.tooltip(row?.node ?? assert.fail())?.value ?? '', /A test in one chat/);
  });

  it('says of one that was canceled before its time that it was not sent', async () => {
    const due = Date.now() + 60_000;
    const delivery = { ...deliveryOf(planBatches(RECIPIENTS, 9), text('Hello')), id: newDeliveryId(Date.now()), due };
    await open.outbox.schedule(delivery);
    const scheduled = await open.outbox.get(delivery.id);
    assert.ok(scheduled && isScheduled(scheduled) && (await open.outbox.reschedule(scheduled, null)));
    const [row] = await rows();
    assert.match(`${row?.item.description}`, /^not sent · Nov 21, /);
    assert.match(`${row?.item.accessibilityInformation?.label}`, /^Hello, not sent · /);
    const { origin } = summaryOf(await controller.reported(delivery.id));
    const tooltip = open.tree.tooltip(row?.node ?? assert.fail())?.value ?? '';
    assert.ok(tooltip.includes(textTooltip(origin).value), tooltip);
  });

  it('shows when a scheduled one was sent, and in its tooltip when it was planned', async () => {
    const due = AT + 60_000;
    const delivery = { ...deliveryOf(planBatches(RECIPIENTS, 9), text('Hello')), id: newDeliveryId(Date.now()), due };
    await open.outbox.schedule(delivery);
    const send: BatchSender['send'] = async (batch, options) => {
      await options.before();
      return everyone(batch, () => {});
    };
    await open.outbox.resume(delivery.id, { token: 't', never: () => new Map(), send });
    const [row = assert.fail()] = await rows();
    const sent = sentTimeOf(((await open.outbox.get(delivery.id)) ?? assert.fail()).status);
    assert.ok(sent > due);
    assert.equal(row.item.description, `${formatShortTime(sent, Date.now())} · service.test`);
    assert.ok(row.item.accessibilityInformation?.label.endsWith(formatDateTime(sent)));
    const tooltip = open.tree.tooltip(row.node)?.value ?? '';
    const planned = `Confirmed: ${formatDateTime(AT)}. Scheduled for: ${formatDateTime(due)}.`;
    assert.ok(tooltip.includes(textTooltip(planned).value), tooltip);
    assert.ok(summaryOf(await controller.reported(delivery.id)).notes.includes(planned));
  });

  it('shows the day of older deliveries, and the year if it is another one', async () => {
    const [now, day] = [new Date(), 24 * 60 * 60_000];
    const other = new Date(now.getTime() + (now.getMonth() === 0 ? 2 : -2) * day);
    await deliver({ at: new Date(2019, 4, 3, 9).getTime(), batches: [] });
    await deliver({ at: other.getTime(), batches: [] });
    const [recent, old] = (await rows()).map(({ item }) => `${item.description}`);
    assert.match(recent ?? '', /^[A-Z][a-z]{2} \d+, \d+:\d\d.[AP]M$/);
    assert.match(old ?? '', /^May 3, 2019, 9:00.AM$/);
  });

  it('are in the order of the times that they show, the latest first', async () => {
    const inHours = (hours: number) => Date.now() + hours * 3_600_000;
    const planned = deliveryOf(planBatches(RECIPIENTS, 9), { ...text('Tomorrow'), at: inHours(-2) });
    await open.outbox.schedule({ ...planned, due: inHours(24) });
    await deliver({ ...text('Sent'), at: inHours(-1) });
    const labels = (await rows()).map(({ item }) => `${item.label}`.replace(/^.* · /, ''));
    assert.deepEqual(labels, ['Tomorrow', 'Sent']);
  });

  describe('with resends', () => {
    /** Resends the first delivery to some of those that weren't reached. */
    const resend = async (reaches: (id: string) => boolean, ...ids: string[]) => {
      const last = (await open.outbox.all()).at(-1) ?? assert.fail();
      const unreached = await open.outbox.unreached(last.status.delivery.id);
      const recipients = unreached.recipients.filter(({ id }) => ids.length === 0 || ids.includes(id));
      const delivery = {
        ...last.status.delivery,
        ...{ id: newDeliveryId(Date.now()), resends: unreached.lastId, batches: planBatches(recipients, 9) },
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
      return delivery.id;
    };
    const hello = { ...text('Hello'), batches: planBatches(groups('a', 'b', 'c'), 9) };
    const described = ({ item }: { item: TreeItem }) =>
      `${item.label} ${item.description}`.replace(/( ·)? \d+:\d\d.[AP]M$/, '');

    beforeEach(() => {
      service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'missing' }] });
    });

    it('has one row for them, which shows whom they have reached together', async () => {
      await deliver(hello);
      await resend((id) => id === 'a');
      const [row, ...others] = await rows();
      assert.deepEqual([row && described(row), others], ['Hello 1 of 3', []]);
      const below = await rows(row?.node);
      assert.deepEqual(below.map(described), ['Not confirmed 2', 'Reached 1', 'Resend 1 of 3']);
      const [missing] = await Promise.all(below.map(({ node }) => rows(node)));
      assert.deepEqual(texts(missing ?? []), ['group b b', 'group c c']);
    });

    it('reads as complete once everyone was reached, by whichever of them', async () => {
      await deliver(hello);
      await resend((id) => id === 'a');
      await resend((id) => id === 'b', 'b');
      const [incomplete] = await rows();
      assert.deepEqual(incomplete && [described(incomplete), iconOf(incomplete.item)], ['Hello 2 of 3', 'question']);
      await resend(() => true);
      const [row] = await rows();
      assert.deepEqual(row && [described(row), iconOf(row.item)], ['Hello', 'pass']);
      assert.deepEqual((await rows(row?.node)).map(described), ['Reached 3', 'Resend 1 of 3', 'Resend', 'Resend']);
      assert.match(open.tree.tooltip(row?.node ?? assert.fail())?.value ?? '', /Sent&#58; 3 of 3 reached/);
    });

    it('offers on its row what they offer together', async () => {
      const { delivery } = await deliver(hello);
      const resent = (action: 'check' | 'resend' | 'resume') =>
        controller.entryFor(action, delivery.id).then(({ status }) => status.delivery.id);
      await resend((id) => id === 'a', 'a');
      // To b and c, which the resend has left out.
      assert.equal(await resent('resend'), delivery.id);
      await assert.rejects(resent('resume'), /has changed/);
      const stopped = await resend(() => assert.fail('an answer is lost'));
      assert.equal(await resent('check'), delivery.id);
      open.untilListed();
      for (const id of [delivery.id, stopped]) await open.outbox.check(id, async () => [], AbortSignal.timeout(9_000));
      await resend(() => true);
      await assert.rejects(resent('resend'), /has changed/);
      assert.deepEqual(
        (await rows()).map(({ item }) => item.contextValue),
        ['delivery remove replies'],
      );
    });

    it('deletes them together, and one of them alone from its own row', async () => {
      const { delivery } = await deliver(hello);
      await resend(() => false);
      const last = await resend(() => false);
      onMessages(() => 'Delete');
      await controller.remove(last);
      assert.equal((await open.outbox.all()).length, 2);
      await controller.remove(delivery.id);
      assert.deepEqual(await rows(), []);
    });

    it('shows those that an unreadable delivery was resent by', async () => {
      const { delivery } = await deliver(hello);
      await resend(() => true);
      await writeFile(join(open.folder, 'deliveries', delivery.id, 'delivery.ndjson'), 'damaged');
      assert.deepEqual(
        (await rows()).map(({ item }) => item.label),
        ['Hello', 'Unreadable delivery'],
      );
    });
  });
});
