import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { DeliveryMoves } from '../../../../src/deliveries/outbox/deliveryMoves.ts';
import { DeliveryStore } from '../../../../src/deliveries/outbox/deliveryStore.ts';
import { HEARTBEAT_TIMEOUT } from '../../../../src/deliveries/outbox/heartbeats.ts';
import { Outbox } from '../../../../src/deliveries/outbox/outbox.ts';
import type { OutboxController } from '../../../../src/deliveries/outbox/outboxController.ts';
import type { ScheduledEntry, StoredEntry } from '../../../../src/deliveries/outbox/outboxEntry.ts';
import { type Delivery, newDeliveryId } from '../../../../src/deliveries/outbox/record.ts';
import { diskFiles } from '../../../../src/platform/diskFiles.ts';
import { formatDateTime } from '../../../../src/presentation/formats.ts';
import { timers } from '../../../../src/service/clock.ts';
import { onMessages, onModals, restore } from '../../answers.ts';
import { holdTimers, useWallClock } from '../../clocks.ts';
import { useService } from '../../test-service.ts';
import { closeDocuments } from '../../vscode-editors.ts';
import { withoutDelays } from '../../withoutDelays.ts';
import {
  type Answers,
  AT,
  atRest,
  BOT,
  deliveryOf,
  dieSending,
  everyone,
  idOf,
  nobody,
  planBatches,
  refused,
  senderOf,
} from './testDeliveries.ts';
import { onProgress, openOutbox, RECIPIENTS } from './testOutbox.ts';

const HOUR = 3_600_000;

describe('The outbox', () => {
  const service = useService();
  const clock = useWallClock(AT);
  let open: Awaited<ReturnType<typeof openOutbox>>;
  let controller: OutboxController;
  withoutDelays();

  beforeEach(async () => {
    open = await openOutbox(service, clock);
    ({ controller } = open);
  });
  afterEach(() => {
    restore();
    open.close();
  });

  /** Resends a delivery, by default to those whom it and its resends haven't reached. Resolves to the ID. */
  const resend = async (delivery: Delivery, answers: Answers, changes: Partial<Delivery> = {}) => {
    const unreached = await open.outbox.unreached(delivery.id);
    const again = {
      ...delivery,
      id: open.newId(),
      resends: unreached.lastId,
      batches: planBatches(unreached.recipients, 9),
      ...changes,
    };
    await open.outbox.resend(again, unreached, senderOf([answers]));
    return again.id;
  };

  it('asks what becomes of scheduled messages that a move canceled whose window has died, and says if that can’t be read', async () => {
    const due = AT + HOUR;
    const { delivery } = await open.deliver();
    const schedule = async (word: string) => {
      const id = idOf(word);
      await open.outbox.schedule({ ...delivery, id, due });
      return id;
    };
    const [moved, other] = [await schedule('moved'), await schedule('other')];
    const files = diskFiles(open.folder);
    // Its window dies: it says neither that the move has ended nor, from then on, that it goes on.
    const dying = new DeliveryStore(files, { wall: () => AT - HEARTBEAT_TIMEOUT, after: () => () => {} });
    await new DeliveryMoves(files, dying, new Outbox(dying), () => {}).take(moved, AT, true);
    const scheduled = async () => (await open.outbox.scheduled()).map(({ status }) => status.delivery.id).toSorted();
    assert.deepEqual(await scheduled(), [other]);
    const shown = onMessages((_, buttons) => buttons.find((button) => button.startsWith('Schedule')));
    await controller.reportInterrupted();
    while (shown.length < 3) await setImmediate();
    assert.deepEqual(await scheduled(), [moved, other].toSorted());
    mock.method(open.outbox, 'interrupted', () => Promise.reject(new Error('EIO')));
    await controller.reportInterrupted();
    while (shown.length < 4) await setImmediate();
    assert.match(shown[3] ?? '', /EIO/);
  });

  it('reports a delivery whose window has died, once that window has been silent for long enough', async () => {
    const looks: (() => void)[] = [];
    const later = timers.after;
    // Not a mock: a later file that restores all mocks would bring back the clock without delays.
    timers.after = (ms, run) => {
      if (ms !== HEARTBEAT_TIMEOUT) return later(ms, run);
      looks.push(run);
      return () => {};
    };
    open.close();
    open = await openOutbox(service, clock);
    const { delivery } = await open.deliver();
    await dieSending(delivery.id, diskFiles(open.folder), clock.now);
    const shown = onMessages();
    await open.controller.reportInterrupted();
    timers.after = later;
    assert.deepEqual([shown, looks.length], [[], 1]);
    clock.now += HEARTBEAT_TIMEOUT;
    looks[0]?.();
    while (shown.length === 0) await setImmediate();
    assert.deepEqual(shown, ['Interrupted, 2 of 3 reached: “Hello”. Not confirmed: 1.']);
  });

  it('neither compares nor reports anything once its window closes', async () => {
    using held = holdTimers();
    open.close();
    open = await openOutbox(service, clock);
    const { delivery } = await open.deliver();
    await dieSending(delivery.id, diskFiles(open.folder), clock.now);
    await open.controller.reportInterrupted();
    assert.equal(held.waiting.size, 2);
    await open.close();
    assert.equal(held.waiting.size, 0);
  });

  it('adds all recipients of a delivery and its resends to an audience, unless they are too many for one', async () => {
    const { delivery } = await open.deliver();
    const added = { kind: 'user', id: 'added', name: 'Added to a resend' } as const;
    await resend(delivery, nobody, { batches: planBatches([...RECIPIENTS, added], 1) });
    await controller.saveRecipients(delivery.id);
    assert.deepEqual(open.ran, [['addToAudience', undefined, [...RECIPIENTS, added]]]);
    const many = Array.from({ length: 10_001 }, (_, at) => ({ kind: 'group' as const, id: `${at}`, name: `${at}` }));
    const saved = async (count: number) => {
      const large = { ...delivery, id: newDeliveryId(AT), due: AT, batches: planBatches(many.slice(0, count), 10_001) };
      await open.outbox.schedule(large);
      await controller.saveRecipients(large.id);
    };
    await saved(10_000);
    assert.equal(open.ran.length, 2);
    await assert.rejects(saved(10_001), { message: 'An audience can have up to 10,000 recipients.' });
  });

  it("finds out that a person doesn't exist, and says so", async () => {
    const { delivery } = await open.deliver({
      batches: planBatches([{ kind: 'user', id: 'nobody', name: 'Nobody' }], 1),
    });
    const shown = onMessages();
    await controller.check(delivery.id);
    const entry = await controller.entry(delivery.id);
    assert.deepEqual([entry.status.counts.absent, entry.status.unchecked], [1, 0]);
    assert.match(shown.at(-1) ?? '', /^Checked 1 of 1 recipient, .* 1 not reached\. .* Person nobody doesn't exist\./);
    assert.equal(service.requests.filter(({ search }) => search === '?userId=nobody').length, 1);
    // Another lookup may find them.
    assert.deepEqual((await controller.entryFor('resend', delivery.id)).status.delivery.id, delivery.id);
    await assert.rejects(controller.entryFor('check', delivery.id), /has changed/);
  });

  it('checks the chats of recipients who are unknown or not confirmed, stores what it finds, and says which delivery has changed', async () => {
    service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'reset', work: 'done', times: 1 }] });
    const { delivery, counts } = await open.deliver();
    assert.equal(counts.unknown, 1);
    const shown = onMessages();
    open.untilListed();
    open.changed.length = 0;
    const found: unknown[] = [];
    open.host.chatEvents.onDidSend(({ messages }) => found.push(...messages.map(({ kind, id }) => [kind, id])));
    await controller.check(delivery.id);
    assert.deepEqual(found, [['group', '518204736']]);
    assert.deepEqual([...new Set(open.changed)], [delivery.id]);
    assert.match(shown.at(-1) ?? '', /^Checked 2 of 3 recipients, and found 1 reached, 1 not reached\./);
    assert.equal((await open.outbox.get(delivery.id))?.status.counts.reached, 2);
  });

  it('checks a delivery together with its resends, and offers then what its row does', async () => {
    const { delivery } = await open.deliver();
    const resent = await resend(delivery, () => assert.fail('an answer is lost'));
    const toCheck = async () => (await open.outbox.unreached(delivery.id)).toCheck;
    assert.deepEqual(await toCheck(), [delivery.id, resent]);
    let offers: readonly string[] = [];
    const shown = onMessages((_, offered) => {
      offers = offered;
      return undefined;
    });
    open.untilListed();
    await controller.check(delivery.id);
    assert.equal(shown.at(-1), 'Checked 1 of 3 recipients, and found 0 reached, 1 not reached. Still unknown: 0.');
    assert.deepEqual([await toCheck(), offers], [[], ['Open Report', 'Resend to Missing Only…']]);
  });

  it('counts as checked only those whose chats it has looked at, also if it is canceled', async () => {
    service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'missing' }] });
    const { delivery } = await open.deliver();
    open.untilListed();
    const reports: unknown[] = [];
    onProgress(({ message, increment = 0 }, cancel) => {
      reports.push([message, Math.round(increment)]);
      cancel();
    });
    const shown = onMessages();
    await controller.check(delivery.id);
    assert.match(shown.at(-1) ?? '', /^Checked 1 of 3 .* found 1 reached, 0 not reached\. Still unknown: 2\./);
    assert.deepEqual(reports, [['1 of 3', 33]]);
  });

  it('checks nobody who has the message by a resend', async () => {
    const refusal = { on: 'batch_send', fault: 'code', code: 1002, times: 1 } as const;
    service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'missing', times: 1 }, refusal] });
    const { delivery } = await open.deliver({ batches: planBatches(RECIPIENTS.slice(0, 2), 1) });
    const refusing: Answers = (batch, abort) =>
      (batch.recipients[0]?.id === 'big' ? refused(1002) : everyone)(batch, abort);
    await resend(delivery, refusing, { batches: delivery.batches });
    open.untilListed();
    const shown = onMessages();
    service.requests.splice(0);
    await open.host.tokens.remove(await open.connection.open(), BOT);
    open.host.access.setToken = () => assert.fail('asked for a token');
    await controller.check(delivery.id);
    assert.deepEqual([shown, service.requests], [["There's nothing left to check."], []]);
  });

  it('cancels a delivery that it sends, after the call under way', async () => {
    service.instead = async (request) => {
      if (!new URL(request.url).pathname.endsWith('/batch_send')) return undefined;
      const [id = ''] = await readdir(join(open.folder, 'deliveries'));
      await controller.cancel(id);
      return undefined;
    };
    const { counts } = await open.deliver();
    service.instead = () => undefined;
    assert.deepEqual([counts.reached, counts.notSent], [1, 2]);
  });

  it('says where to cancel a delivery that another window sends', async () => {
    const { delivery } = await open.deliver();
    const end = await new DeliveryStore(diskFiles(open.folder)).heartbeats.start(delivery.id);
    await assert.rejects(controller.cancel(delivery.id), /Another window is sending this\. Cancel it there\./);
    await end();
  });

  it('says that a delivery was deleted before its check began, or before it ended', async () => {
    const { outbox } = open;
    const { check } = outbox;
    for (const isBegun of [true, false]) {
      const { delivery } = await open.deliver();
      open.untilListed();
      outbox.check = async (id, list, ...rest) => {
        if (!isBegun) await outbox.remove(id);
        const listing: typeof list = async (...page) => {
          await outbox.remove(id);
          return list(...page);
        };
        return check.call(outbox, id, listing, ...rest);
      };
      await assert.rejects(controller.check(delivery.id), /no longer in the outbox/);
    }
  });

  it('deletes a delivery, even one that can’t be read, only after confirmation', async () => {
    const [{ delivery: sent }, { delivery: damaged }] = [await open.deliver(), await open.deliver()];
    await writeFile(join(open.folder, 'deliveries', damaged.id, 'delivery.ndjson'), 'damaged');
    const shown = onModals((_, at) => (at > 0 ? 'Delete' : undefined));
    await controller.remove(sent.id);
    assert.equal((await open.outbox.entries()).length, 2);
    for (const { id } of [sent, damaged]) await controller.remove(id);
    assert.deepEqual(await open.outbox.entries(), []);
    assert.deepEqual(
      shown.slice(1).map(({ message }) => message.replace(/“\w+ \d.*”/, '“a time”')),
      ['Hello', 'a time'].map((name) => `Delete the delivery of “${name}” from the outbox?`),
    );
    assert.equal(shown[1]?.detail, "The delivery results are deleted. Messages already sent aren't recalled.");
    await assert.rejects(controller.reported(sent.id), /no longer in the outbox/);
  });

  it('deletes a delivery together with its resends, and one of them alone from its own row', async () => {
    const { delivery } = await open.deliver();
    const resends = [await resend(delivery, nobody), await resend(delivery, nobody), await resend(delivery, nobody)];
    onModals(() => 'Delete');
    await controller.remove(resends.pop() ?? '');
    const { resends: left } = await controller.reported(delivery.id);
    assert.deepEqual([left, (await controller.reported(resends[1] ?? '')).resends], [resends, []]);
    await controller.remove(delivery.id);
    assert.deepEqual(await open.outbox.all(), []);
  });

  it('finds the delivery or the resend that offers an action, and none once they don’t offer it together', async () => {
    service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'missing' }] });
    const { delivery } = await open.deliver();
    const idFor = async (action: 'check' | 'resend' | 'resume') =>
      (await controller.entryFor(action, delivery.id)).status.delivery.id;
    await resend(delivery, everyone, { batches: planBatches(RECIPIENTS.slice(0, 1), 1) });
    // To the others, whom the resend has left out.
    assert.equal(await idFor('resend'), delivery.id);
    await assert.rejects(idFor('resume'), /has changed/);
    await resend(delivery, () => assert.fail('an answer is lost'));
    assert.equal(await idFor('check'), delivery.id);
    const stopped = await resend(delivery, refused(1003));
    assert.equal(await idFor('resume'), stopped);
    await resend(delivery, everyone);
    for (const action of ['resend', 'resume'] as const) await assert.rejects(idFor(action), /has changed/);
  });

  it('says, before it deletes a delivery, that this was not sent, or that another computer may send it', async () => {
    const { outbox, moves } = controller;
    const shown = onModals(() => 'Delete');
    const id = idOf('later');
    const due = AT + HOUR;
    const details: (string | undefined)[] = [];
    for (const change of [
      async () => {},
      (entry: ScheduledEntry) => outbox.reschedule(entry, null),
      (entry: ScheduledEntry) => outbox.beginEdit(entry),
      async () => {
        await moves.take(id, AT, true);
        await moves.leave([id], AT);
      },
    ]) {
      await outbox.schedule({ ...deliveryOf(planBatches(RECIPIENTS, 9), { id }), due });
      await change((await controller.entry(id)) as ScheduledEntry);
      await controller.remove(id);
      details.push(shown.at(-1)?.detail);
    }
    const unsent = "The message is deleted and won't be sent.";
    const elsewhere = `It was copied to a file on ${formatDateTime(AT)}, so another computer may still send it.`;
    const copied = `The message is deleted and won't be sent from here. ${elsewhere}`;
    assert.deepEqual(details, [unsent, unsent, unsent, copied]);
  });

  it('finds what is edited in a document or was scheduled from it, through the same service, and says what is edited', async () => {
    // Another window's.
    const outbox = new Outbox(new DeliveryStore(diskFiles(open.folder)));
    const { address } = await open.connection.open();
    const document = { source: 'file:///a.md', uri: 'file:///a.md' };
    const there = { address: 'https://service.test' };
    const schedule = async (word: string, service: string, source = document.source) => {
      const delivery = deliveryOf(planBatches(RECIPIENTS, 9), { id: idOf(word), service, source, document: 'Hello' });
      await outbox.schedule({ ...delivery, due: AT + HOUR });
      return atRest(await outbox.get(delivery.id));
    };
    const all = [
      await schedule('other', address, 'file:///b.md'),
      await schedule('far', there.address),
      await schedule('one', address),
      await schedule('two', address),
    ];
    const wordOf = (entry?: StoredEntry) => entry?.status.delivery.id.slice(16).replace(/0+$/, '');
    const scheduled = async (at = { address }) => wordOf(await controller.scheduledFrom(document, at));
    assert.deepEqual([await scheduled(), await scheduled(there)], ['one', 'far']);
    for (const entry of all.slice(1)) await outbox.beginEdit(entry);
    assert.equal(await scheduled(), undefined);
    const edited = async (id?: string) => wordOf(await controller.editedIn(document, { address }, id));
    assert.deepEqual([await edited(), await edited(idOf('two')), await edited(idOf('far'))], ['one', 'two', undefined]);
    for (let time = 0; time < 2; time++) await controller.compareEdits();
    const sources = all.slice(1).map(() => document.uri);
    assert.deepEqual(open.edits, [sources]);
    // The file isn't there.
    const uri = `${await controller.openToEdit(all[2] ?? assert.fail())}`;
    assert.match(uri, /^untitled:/);
    assert.deepEqual(open.edits[1], [...sources.slice(0, 2), uri, ...sources.slice(2)]);
    assert.equal(wordOf(await controller.editedIn({ uri }, { address })), 'one');
    closeDocuments();
  });

  it('deletes no delivery that was sent while the user was asked', async () => {
    service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'code', code: 1003, msg: 'unauthorised' }] });
    const { delivery } = await open.deliver();
    service.sandbox.setFaults(undefined);
    onModals(async () => {
      await open.outbox.resume(delivery.id, senderOf([everyone]));
      return 'Delete';
    });
    await assert.rejects(controller.remove(delivery.id), /has changed/);
    assert.equal((await open.outbox.get(delivery.id))?.status.counts.reached, 3);
  });
});
