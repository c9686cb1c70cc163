import assert from 'node:assert/strict';
import { DeliveryStatus } from '../../../../src/deliveries/outbox/deliveryStatus.ts';
import { headline } from '../../../../src/deliveries/outbox/deliveryTexts.ts';
import type { Recipient } from '../../../../src/deliveries/plan/deliveryPlan.ts';
import { csvOf, reportOf, summaryOf } from '../../../../src/deliveries/view/report.ts';
import {
  AT,
  deliverBatches,
  deliverTo,
  deliveryOf,
  everyone,
  groups,
  nobody,
  planBatches,
  refused,
  runningEntry,
  storedEntry,
} from '../outbox/testDeliveries.ts';

const rowsOf = async (status: DeliveryStatus) =>
  (await reportOf(storedEntry(status))).split('\n').filter((line) => line.startsWith('|'));

describe('The report of a delivery', () => {
  it('lists unreached recipients first, up to a limit', async () => {
    const ids = Array.from({ length: 1200 }, (_, at) => `${at}`);
    const { status } = await deliverBatches(planBatches(groups('first', ...ids), 1), [everyone, nobody]);
    assert.equal((await rowsOf(status)).length, 2 + 1_000);
    const report = await reportOf(storedEntry(status));
    assert.match(report, /… and 201 more\. Copy the report as CSV to see everyone\./);
    assert.ok(!report.includes('| reached |'));
  });

  it('has names and texts from the service as plain text on one line', async () => {
    const odd: Recipient = { kind: 'user', id: '1', name: '[Nora](command:x)\n| a |' };
    const { status } = await deliverBatches(planBatches([odd], 1), [refused(1004, '<b>\n# [no](https://a.test)')]);
    const report = await reportOf(storedEntry(status));
    assert.doesNotMatch(report, /(?<!\\)\]\(|<b>/);
    const [heading, line, ...rows] = await rowsOf(status);
    assert.equal(heading, '| Recipient | ID | Result | Details |');
    assert.equal(line, '| --- | --- | --- | --- |');
    assert.equal(rows.length, 1);
    const unreadable = async () => ({ reached: [], unreadable: ['<b>'], successCount: 1 });
    const noted = await reportOf(storedEntry((await deliverTo('a', unreadable)).status));
    assert.match(noted, /an entry without a recipient: &lt;b>/);
  });

  it("begins the service's long text in rows, and ends with all of it", async () => {
    const text = `参数错误：${'好'.repeat(50_000)}`;
    const { status } = await deliverTo('ab', refused(1002, text));
    assert.ok(headline(status).length < 500);
    const report = await reportOf(storedEntry(status));
    const rows = report.split('\n').filter((line) => line.startsWith('|'));
    for (const row of rows) assert.ok(row.length < 700, row);
    assert.equal(report.split(text).length, 2);
    assert.match(report, /\n## Whole text\n\n```\nThe service returned error 1002: “参数错误：好+”\. A parameter is/);
    for (const line of (await csvOf(status)).split('\r\n')) assert.ok(line.length < 500, line);
    const longer = [1, 2, 3, 4].map((number) => refused(1002, `${number}${text}`));
    const many = await reportOf(storedEntry((await deliverTo('abcdefgh', ...longer)).status));
    assert.equal(many.split(text).length, 4);
    const short = (await deliverTo('ab', refused(1002, '参数错误'))).status;
    assert.doesNotMatch(await reportOf(storedEntry(short)), /Whole text/);
  });

  it('says first to check who may have the message, until that is done', async () => {
    const { status } = await deliverTo('abc', nobody, refused(-1));
    assert.match(await reportOf(storedEntry(status)), /use Check Delivery: 2 recipients may have/);
    assert.doesNotMatch(await reportOf(runningEntry(status)), /Check Delivery/);
    const found = [{ kind: 'group' as const, id: 'a' }];
    status.apply({ what: 'read', at: AT, found });
    assert.match(await reportOf(storedEntry(status)), /use Check Delivery: 1 recipient may have/);
    status.apply({ what: 'read', at: AT, found: [{ kind: 'group', id: 'b', msgId: 'm' }] });
    assert.doesNotMatch(await reportOf(storedEntry(status)), /Check Delivery/);
  });

  it('says that it was a test', () => {
    const delivery = deliveryOf(planBatches(groups('a'), 1), { isTest: true });
    assert.deepEqual(summaryOf(storedEntry(new DeliveryStatus(delivery, [], []))).notes, [
      'A test in one chat before the message is sent to all its recipients.',
      'Document: announcement.md',
    ]);
  });

  it('has a time only if the message is to be sent yet', async () => {
    const status = new DeliveryStatus(deliveryOf(planBatches(groups('a'), 1)));
    assert.match(await reportOf(storedEntry(status, { due: AT })), /Scheduled for/);
    assert.match(await reportOf(runningEntry(status)), /\n\nSending… 0 of 1 reached/);
    assert.doesNotMatch(await reportOf(runningEntry(status)), /Scheduled for/);
  });
});

describe('The CSV of a delivery', () => {
  it('has a line for each recipient', async () => {
    const recipients: Recipient[] = [
      { kind: 'group', id: '1', name: '=The shop' },
      { kind: 'user', id: '2', name: '[Nora](command:x)' },
    ];
    const { status } = await deliverBatches(planBatches(recipients, 1), [everyone, nobody]);
    assert.deepEqual((await csvOf(status)).split('\r\n'), [
      '"Recipient","Type","ID","Result","Details"',
      `"'=The shop","group","1","reached","Message to 1"`,
      `"[Nora](command:x)","person","2","not confirmed","The service didn't confirm delivery to this recipient, who may have the message."`,
      '',
    ]);
  });
});
