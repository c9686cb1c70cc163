import assert from 'node:assert/strict';
import { DeliveryStatus } from '../../../../src/deliveries/outbox/deliveryStatus.ts';
import { headline } from '../../../../src/deliveries/outbox/deliveryTexts.ts';
import type { OutboxEntry } from '../../../../src/deliveries/outbox/outboxEntry.ts';
import type { Delivery, JournalLine } from '../../../../src/deliveries/outbox/record.ts';
import type { Recipient } from '../../../../src/deliveries/plan/deliveryPlan.ts';
import { csvOf, reportOf, summaryOf } from '../../../../src/deliveries/view/report.ts';
import { deliveryTooltip } from '../../../../src/deliveries/view/treeItems.ts';
import {
  type Answers,
  AT,
  deliverBatches,
  deliverTo,
  deliveryOf,
  everyone,
  groups,
  planBatches,
  refused,
  runningEntry,
  storedEntry,
  unreachable,
} from '../outbox/testDeliveries.ts';

const nobody: Answers = async () => ({ reached: [], unreadable: [], successCount: 0 });

const rowsOf = async (status: DeliveryStatus) =>
  (await reportOf(storedEntry(status))).split('\n').filter((line) => line.startsWith('|'));

describe('The headline of a delivery', () => {
  it('has how many were reached, why it stopped, and what went wrong', async () => {
    const headlineOf = async (ids: string, ...answers: Answers[]) => {
      const { status, stopped } = await deliverTo(ids, ...answers);
      return headline(status, stopped);
    };
    assert.equal(await headlineOf('ab', everyone), 'Sent: 2 of 2 reached.');
    const missing = "0 of 2 reached. Where the service didn't confirm delivery, the message may have arrived anyway.";
    assert.equal(await headlineOf('ab', nobody), missing);
    assert.match(
      await headlineOf('abcd', refused(1003, '非法token')),
      /^0 of 4 reached\. Not sent to 2\. The service refused the token, so sending stopped\. .*非法token/,
    );
    assert.match(
      await headlineOf('abcd', everyone, unreachable('ECONNRESET')),
      /^2 of 4 reached\. .*The message may have been delivered anyway\.$/,
    );
  });

  it("doesn't say any more why a delivery stopped before that is sent now, or later", async () => {
    const stopped: JournalLine = { what: 'stopped', at: AT, why: 'canceled' };
    const status = new DeliveryStatus(deliveryOf(planBatches(groups('a'), 1), { due: AT }), [], [stopped]);
    const saysWhy = (entry: OutboxEntry) =>
      [summaryOf(entry).headline, deliveryTooltip(entry).value].map((text) => text.includes('Canceled'));
    assert.deepEqual(saysWhy(storedEntry(status, { canceledDue: AT })), [true, true]);
    assert.deepEqual(saysWhy(storedEntry(status, { due: AT })), [false, false]);
    assert.deepEqual(saysWhy(storedEntry(status, { editedDue: AT })), [false, false]);
    assert.deepEqual(saysWhy(runningEntry(status)), [false, false]);
  });

  it('has how many recipients each of several causes is about', async () => {
    const batches = planBatches(groups('a', 'b', 'c', 'd', 'e', 'f', 'g'), 1);
    const answers = [everyone, nobody, refused(1005, 'x'), nobody, refused(1005, 'x'), unreachable('ECONNRESET')];
    const { status } = await deliverBatches(batches, [...answers, everyone]);
    const parts = (status: DeliveryStatus) => headline(status).split(/ (?=\d+ recipients?:)/);
    const [first, ...causes] = parts(status);
    assert.equal(first, '2 of 7 reached.');
    assert.equal(
      causes[0],
      "2 recipients: The service didn't confirm delivery, so the message may have arrived anyway.",
    );
    assert.match(causes[1] ?? '', /^2 recipients: The service returned error 1005: “x”\./);
    assert.match(causes[2] ?? '', /^1 recipient: .*The message may have been delivered anyway\.$/);
    assert.equal(causes.length, 3);
    status.apply({ what: 'read', at: AT, found: ['b', 'd', 'f'].map((id) => ({ kind: 'group', id })) });
    const [, ...later] = parts(status);
    assert.equal(later[0], "3 recipients: The message isn't in the chat.");
    assert.equal(later.length, 2);
    // Each is read by itself.
    const many = new DeliveryStatus(
      deliveryOf(planBatches(groups(...Array.from({ length: 250 }, (_, at) => `${at}`)), 1)),
    );
    for (let batch = 0; batch < 250; batch++) {
      const state = batch % 2 ? 'rejected' : 'unknown';
      many.apply({
        what: 'failed',
        batch,
        attempt: 0,
        at: AT + batch,
        state,
        failure: { kind: 'timedOut', after: 1000 },
      });
    }
    assert.equal(headline(many).match(/125 recipients: /g)?.length, 2);
  });

  it('says why a delivery stopped that had no problem with the service', () => {
    const status = new DeliveryStatus(deliveryOf(planBatches(groups('a'), 1)));
    const reasons = {
      canceled: 'Canceled. You can resume it.',
      failed: 'The service had a problem, so sending stopped.',
      disk: "The outbox couldn't be saved (full), so sending stopped.",
      changed: /can't be made again exactly as you confirmed it, so sending stopped/,
      taken: 'Another window is sending this message or has changed the delivery, so sending stopped here.',
      deleted: 'This delivery was deleted from the outbox, so sending stopped.',
    } as const;
    for (const [why, reason] of Object.entries(reasons)) {
      const text = headline(status, { why: why as keyof typeof reasons, error: new Error('full') });
      if (typeof reason === 'string') assert.equal(text, `0 of 1 reached. Not sent to 1. ${reason}`);
      else assert.match(text, reason);
    }
  });

  it('says that the outbox doesn’t show a result that couldn’t be saved, even if everyone was reached', () => {
    const line = { batch: 0, attempt: 0, at: AT, unreadable: [] };
    const lines = [{ what: 'answered' as const, ...line, reached: [{ recvId: 'a', msgId: 'm' }] }];
    const status = new DeliveryStatus(deliveryOf(planBatches(groups('a'), 1)), [], lines);
    assert.equal(
      headline(status, { why: 'disk', error: new Error('full') }),
      "Sent: 1 of 1 reached. The outbox couldn't be saved (full), so it doesn't show this result.",
    );
  });

  it('speaks of resuming only if a delivery offers that', () => {
    const line = { batch: 0, attempt: 0, at: AT };
    const canceled = (changes: Partial<Delivery>, ...lines: JournalLine[]) => {
      const status = new DeliveryStatus(deliveryOf(planBatches(groups('a', 'b'), 1), changes), [], lines);
      return headline(status, { why: 'canceled' }).replace(/^.*?(?=Canceled)/, '');
    };
    const refused = { what: 'failed', state: 'rejected', ...line } as const;
    assert.equal(canceled({}), 'Canceled. You can resume it.');
    assert.equal(canceled({}, refused), 'Canceled. You can resume it.');
    assert.equal(canceled({}, refused, { ...refused, batch: 1 }), 'Canceled.');
    assert.equal(canceled({ due: AT }), 'Canceled.');
    assert.equal(canceled({ due: AT }, refused), 'Canceled. You can resume it.');
  });

  it('says if the response does not match the request, even if everyone was reached', async () => {
    const { status } = await deliverTo('a', async () => ({
      reached: ['a', 'a', 'z'].map((recvId) => ({ recvId, msgId: 'm' })),
      unreadable: [{ at: 1 }, 'odd'],
      successCount: 7,
    }));
    const note = "The service's response doesn't match the request. See the report.";
    assert.equal(headline(status), `Sent: 1 of 1 reached. ${note}`);
    const report = await reportOf(storedEntry(status));
    for (const part of [
      /counted by the service&#58; 7&#46; Listed&#58; 5&#46;/,
      /recipients you didn&#39;t send to&#58; z/,
      /recipients more than once&#58; a/,
      /an entry without a recipient&#58; &#123;&#34;at&#34;&#58;1&#125;/,
      /an entry without a recipient&#58; odd/,
    ])
      assert.match(report, part);
  });
});

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
    assert.doesNotMatch(report, /\]\(command:|<b>|\]\(https/);
    assert.equal((await rowsOf(status)).length, 3);
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
    assert.match(await reportOf(storedEntry(status)), /use Check Delivery&#58; 2 recipients may have/);
    assert.doesNotMatch(await reportOf(runningEntry(status)), /Check Delivery/);
    const found = [{ kind: 'group' as const, id: 'a' }];
    status.apply({ what: 'read', at: AT, found });
    assert.match(await reportOf(storedEntry(status)), /use Check Delivery&#58; 1 recipient may have/);
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
      { kind: 'group', id: '1', name: 'The shop' },
      { kind: 'user', id: '2', name: '[Nora](command:x)' },
    ];
    const { status } = await deliverBatches(planBatches(recipients, 1), [everyone, nobody]);
    assert.deepEqual((await csvOf(status)).split('\r\n'), [
      '"Recipient","Type","ID","Result","Details"',
      '"The shop","group","1","reached","Message to 1"',
      `"[Nora](command:x)","person","2","not confirmed","The service didn't confirm delivery to this recipient, who may have the message."`,
      '',
    ]);
  });

  it('has no formula, whatever its width, and each recipient on one line', async () => {
    const names = ['=1+1', '+1', '-1', '@a', '＝1', '＋1', '－1', '＠a', '\t=1', ' \n=1', 'a\r\n=1\tb\u2028c'];
    const recipients = names.map((name, at): Recipient => ({ kind: 'user', id: `${at}`, name }));
    const { status } = await deliverBatches(planBatches(recipients, 20), [nobody]);
    const rows = (await csvOf(status)).split('\r\n').slice(1, -1);
    const cells = rows.map((row) => /^"(.*?)","person","\d+","not confirmed","[^"]*"$/.exec(row)?.[1]);
    const formulas = ['=1+1', '+1', '-1', '@a', '＝1', '＋1', '－1', '＠a', '=1', '=1'];
    assert.deepEqual(cells, [...formulas.map((formula) => `'${formula}`), 'a =1 b c']);
  });
});
