import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MarkdownString, ThemeIcon } from 'vscode';
import manifest from '../../../../package.json' with { type: 'json' };
import type { BatchSender } from '../../../../src/deliveries/outbox/deliveryRunner.ts';
import { DeliveryStatus } from '../../../../src/deliveries/outbox/deliveryStatus.ts';
import type { OutboxController } from '../../../../src/deliveries/outbox/outboxController.ts';
import { isScheduled, sentTimeOf } from '../../../../src/deliveries/outbox/outboxEntry.ts';
import { type Delivery, newDeliveryId } from '../../../../src/deliveries/outbox/record.ts';
import { type OutboxNode, OutboxTree } from '../../../../src/deliveries/view/outboxTree.ts';
import { relatedTo, summaryOf } from '../../../../src/deliveries/view/report.ts';
import { shownText } from '../../../../src/markup/safeText.ts';
import { formatDateTime, formatShortTime } from '../../../../src/presentation/formats.ts';
import { Row, textCard } from '../../../../src/presentation/shown.ts';
import { onMessages, restore } from '../../answers.ts';
import { configure, useService } from '../../test-service.ts';
import { AT, deliveryOf, everyone, groups, planBatches } from '../outbox/testDeliveries.ts';
import { openOutbox, RECIPIENTS, text } from '../outbox/testOutbox.ts';

describe('The rows of the outbox', () => {
  const service = useService();
  let open: Awaited<ReturnType<typeof openOutbox>>;
  let controller: OutboxController;
  let tree: OutboxTree;

  beforeEach(async () => {
    open = await openOutbox(service);
    ({ controller } = open);
    tree = new OutboxTree(open.outbox, open.connection);
  });
  afterEach(() => {
    restore();
    open.close();
  });

  const deliver = (changes?: Partial<Delivery>) => open.deliver(changes);
  /** The rows of the outbox, or those below one. */
  const rows = async (node?: OutboxNode) =>
    (await tree.getChildren(node)).map((child) => ({ node: child, item: tree.getTreeItem(child) }));
  const tooltipOf = (node: OutboxNode) => tree.resolveTreeItem(new Row(''), node).tooltip as MarkdownString | undefined;
  const texts = (shown: { item: Row }[]) => shown.map(({ item }) => `${item.label} ${item.description ?? ''}`.trim());
  const iconOf = ({ iconPath }: Row) => (iconPath instanceof ThemeIcon ? iconPath.id : undefined);

  it('cuts long headings off, so that a narrow row shows the time, and has them whole in the tooltip', async () => {
    await deliver(text('What we changed in the town hall this year'));
    const [row = assert.fail()] = await rows();
    assert.equal(row.item.label, 'What we changed in t…');
    const tooltip = tooltipOf(row.node) ?? assert.fail();
    assert.ok(!tooltip.isTrusted);
    assert.match(tooltip.value, /^What we changed in the town hall this year {2}\n {2}\nannouncement&#46;md/);
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
    assert.match(tooltipOf(row?.node ?? assert.fail())?.value ?? '', /A test in one chat/);
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
    const tooltip = tooltipOf(row?.node ?? assert.fail())?.value ?? '';
    assert.ok(tooltip.includes(textCard(origin).value), tooltip);
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
    const tooltip = tooltipOf(row.node)?.value ?? '';
    const planned = shownText`Confirmed: ${formatDateTime(AT)}. Scheduled for: ${formatDateTime(due)}.`;
    assert.ok(tooltip.includes(textCard(planned).value), tooltip);
    const reported = await controller.reported(delivery.id);
    assert.ok(summaryOf(reported).notes.includes(planned));
    const reminder = { status: new DeliveryStatus(deliveryOf([], { follows: delivery.id })), resends: [] };
    assert.equal(relatedTo(reminder, [reported])[0]?.text, `Reminds of “Hello”, ${formatDateTime(sent)}`);
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

  it('offer to compare what was sent with its document, if there is one', async () => {
    await deliver();
    await deliver({ source: 'file:///a.md' });
    assert.deepEqual(
      (await rows()).map(({ item }) => item.contextValue),
      ['delivery check resend remove compare replies', 'delivery check resend remove replies'],
    );
  });

  it('say where a delivery was sent if that is not the connected service', async () => {
    await deliver({ name: 'here.md' });
    await deliver({ name: 'elsewhere.md', service: 'https://chat.example/api' });
    await deliver({ name: 'sandbox.md', service: 'sandbox:' });
    const described = async () =>
      (await rows()).map(({ item }) => `${item.description}`.replace(/\d+:\d\d.[AP]M/, 'T'));
    assert.deepEqual(await described(), ['2 of 3 · T · the sandbox', '2 of 3 · T · chat.example/api', '2 of 3 · T']);
    await configure({ 'service.webUrl': undefined, 'service.openApiUrl': undefined });
    assert.equal((await described())[2], `2 of 3 · T · ${service.sandbox.openApiUrl.replace('http://', '')}`);
    const { webUrl, openApiUrl } = service.sandbox;
    await configure({ 'service.webUrl': webUrl, 'service.openApiUrl': openApiUrl });
  });

  it('lists a limited number of recipients, and links to the report for the rest', async () => {
    const many = groups(...Array.from({ length: 1200 }, (_, at) => `${at}`));
    await deliver({ batches: planBatches([{ kind: 'group', id: 'x', name: 'x' }, ...many.slice(1)], 2000) });
    const [row] = await rows();
    assert.match(`${row?.item.description}`, /^0 of 1,200 · /);
    const [missing = assert.fail()] = await rows(row?.node);
    assert.deepEqual(texts([missing]), ['Not confirmed 1,200']);
    const listed = await rows(missing.node);
    assert.deepEqual([listed.length, listed[0]?.item.label, listed[0]?.item.description], [501, 'x', '']);
    const { label, command } = listed.at(-1)?.item ?? assert.fail();
    assert.deepEqual([label, command?.command], ['… and 700 more in the report', 'botChats.openReport']);
  });

  it('say of each recipient, whose name hides nothing, why they were not reached', async () => {
    const { delivery } = await deliver({
      batches: planBatches([{ kind: 'user', id: 'nobody', name: 'a\u202Eb\u200Fc' }], 1),
    });
    onMessages();
    await controller.check(delivery.id);
    const [row] = await rows();
    const [state] = await rows(row?.node);
    assert.deepEqual(texts(await rows(state?.node)), ["abc nobody · Person nobody doesn't exist."]);
  });

  it('stay as they are once their delivery was deleted, until they are listed again', async () => {
    const { delivery } = await deliver();
    const [row] = await tree.getChildren();
    await open.outbox.remove(delivery.id);
    assert.deepEqual(await tree.getChildren(), []);
    assert.equal(tree.getTreeItem(row ?? assert.fail()).id, delivery.id);
  });

  it('offer beside them what helps, and first in their menu to check a delivery before it is resent', () => {
    const offered = (contextValue: string, group: string) =>
      manifest.contributes.menus['view/item/context']
        .filter(
          (one) =>
            one.group.startsWith(group) && new RegExp(/=~ \/(.*)\//.exec(one.when)?.[1] ?? '^$').test(contextValue),
        )
        .toSorted((one, other) => Number(one.group.split('@')[1]) - Number(other.group.split('@')[1]))
        .map(({ command = '' }) => command.replace('botChats.', ''))
        .join(' ');
    for (const [actions, beside, menu] of [
      ['check resend remove replies', 'checkDelivery openReport', 'checkDelivery resendDelivery'],
      ['check resume remove', 'checkDelivery resumeDelivery openReport', 'checkDelivery resumeDelivery'],
      ['resend remove', 'resendDelivery openReport', 'resendDelivery'],
      ['lookUp remove', 'openReport', 'lookUpMissing'],
    ] as const)
      assert.deepEqual(
        ['inline', '1_send'].map((group) => offered(`delivery ${actions}`, group)),
        [beside, menu],
      );
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
    const described = ({ item }: { item: Row }) =>
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
      assert.match(tooltipOf(row?.node ?? assert.fail())?.value ?? '', /Sent&#58; 3 of 3 reached/);
    });

    it('shows those that an unreadable delivery was resent by', async () => {
      const { delivery } = await deliver(hello);
      await resend(() => true);
      await writeFile(join(open.folder, 'deliveries', delivery.id, 'delivery.ndjson'), 'damaged');
      const [resent, damaged = assert.fail()] = await rows();
      const { label, contextValue, tooltip } = damaged.item;
      assert.deepEqual(
        [resent?.item.label, label, contextValue],
        ['Hello', 'Unreadable delivery', 'unreadable remove'],
      );
      assert.match(tooltip instanceof MarkdownString ? tooltip.value : '', /its file is damaged/);
      assert.deepEqual(await rows(damaged.node), []);
    });
  });
});
