import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { MarkdownString, type window } from 'vscode';
import manifest from '../../../../package.json' with { type: 'json' };
import { DeliveryMoves } from '../../../../src/deliveries/outbox/deliveryMoves.ts';
import { DeliveryStore } from '../../../../src/deliveries/outbox/deliveryStore.ts';
import { readerOf } from '../../../../src/deliveries/outbox/deliverySummary.ts';
import { HEARTBEAT_TIMEOUT } from '../../../../src/deliveries/outbox/heartbeats.ts';
import { Outbox } from '../../../../src/deliveries/outbox/outbox.ts';
import type { OutboxController } from '../../../../src/deliveries/outbox/outboxController.ts';
import { type Delivery, newDeliveryId } from '../../../../src/deliveries/outbox/record.ts';
import type { OutboxNode } from '../../../../src/deliveries/view/outboxTree.ts';
import { diskFiles } from '../../../../src/platform/diskFiles.ts';
import { systemClock } from '../../../../src/service/clock.ts';
import { chatKey } from '../../../../src/service/model.ts';
import { answer, onMessages, restore } from '../../answers.ts';
import { clockAt } from '../../clocks.ts';
import { configure, type TestService, useService } from '../../test-service.ts';
import { withoutDelays } from '../../withoutDelays.ts';
import { type Answers, BOT, dieSending, everyone, idOf, planBatches, refused } from './testDeliveries.ts';
import { iconOf, openOutbox, RECIPIENTS, rowsOf, text, texts } from './testOutbox.ts';

describe('The outbox', () => {
  let service: TestService;
  let open: Awaited<ReturnType<typeof openOutbox>>;
  let controller: OutboxController;
  let restoreClock: () => void;

  before(async () => {
    service = await useService();
  });
  after(() => service.close());
  beforeEach(async () => {
    restoreClock = withoutDelays();
    open = await openOutbox(service);
    ({ controller } = open);
  });
  afterEach(() => {
    restore();
    open.close();
    restoreClock();
  });

  const deliver = (changes?: Partial<Delivery>) => open.deliver(changes);

  /** Resends a delivery, by default to those whom it and its resends haven't reached. Resolves to the ID. */
  const resend = async (
    delivery: Delivery,
    answers: Answers,
    changes: Partial<Delivery> = {},
    never = () => new Map(),
  ) => {
    const unreached = await open.outbox.unreached(delivery.id);
    const ids = { id: newDeliveryId(Date.now()), resends: unreached.lastId };
    const again = { ...delivery, ...ids, batches: planBatches(unreached.recipients, 9), ...changes };
    await open.outbox.resend(again, unreached, {
      ...{ token: 't', never },
      send: async (batch, options) => {
        await options.before();
        return answers(batch, () => {});
      },
    });
    return again.id;
  };
  /** Only these have got it. */
  const reaching =
    (...ids: string[]): Answers =>
    (batch, abort) =>
      everyone({ ...batch, recipients: batch.recipients.filter(({ id }) => ids.includes(id)) }, abort);

  const rows = (node?: OutboxNode) => rowsOf(open.tree, node);

  it('lists deliveries, the newest first, their outcomes, and who is in each', async () => {
    await deliver(text('First'));
    await deliver({ ...text('Second'), batches: planBatches(RECIPIENTS.slice(0, 1), 1) });
    const [second, first] = await rows();
    // The icon says that everyone was reached.
    assert.match(`${second?.item.label} ${second?.item.description}`, /^Second \d+:\d\d.[AP]M$/);
    assert.match(`${first?.item.label} ${first?.item.description}`, /^First 2 of 3 · \d+:\d\d.[AP]M$/);
    assert.deepEqual(
      [second, first].map((row) => row && iconOf(row.item)),
      ['pass', 'question'],
    );
    assert.deepEqual(
      [second, first].map((row) => row?.item.contextValue),
      ['delivery remove replies', 'delivery check resend remove replies'],
    );
    const states = await rows(first?.node);
    assert.deepEqual(texts(states), ['Not confirmed 1', 'Reached 2']);
    const [missing, reached] = await Promise.all(states.map(({ node }) => rows(node)));
    assert.deepEqual(texts(reached ?? []), ['The shop 518204736', '=HYPERLINK("x") big']);
    assert.deepEqual(texts(missing ?? []), ['[Nora](command:x) 7850437']);
  });

  it('offers to compare what was sent with its document, if there is one', async () => {
    await deliver();
    await deliver({ source: 'file:///a.md' });
    assert.deepEqual(
      (await rows()).map(({ item }) => item.contextValue),
      ['delivery check resend remove compare replies', 'delivery check resend remove replies'],
    );
  });

  it('tells other features about its deliveries, in plain values', async () => {
    const reader = readerOf(open.outbox);
    await deliver({ name: 'first.md' });
    const { deliveries, unreadable } = await reader.list();
    assert.deepEqual(
      deliveries.map(({ name, botId, state, total, counts }) => ({ name, botId, state, total, counts })),
      [
        {
          ...{ name: 'first.md', botId: BOT, state: 'unreached', total: 3 },
          counts: { reached: 2, unconfirmed: 1, absent: 0, rejected: 0, unknown: 0, notSent: 0, leftOut: 0 },
        },
      ],
    );
    assert.equal(unreadable, 0);
    const id = deliveries[0]?.id ?? assert.fail();
    const details = "The service didn't confirm delivery to this recipient, who may have the message.";
    const nora = { chat: { kind: 'user', id: '7850437' }, name: '[Nora](command:x)', result: 'unconfirmed', details };
    assert.deepEqual((await reader.get(id, () => true, 5))?.unreached, [nora]);
    assert.deepEqual((await reader.get(id, () => false, 5))?.unreached, []);
    assert.deepEqual((await reader.get(id, () => true, 0))?.unreached, []);
    assert.equal(await reader.get(id.replace(/^\d/, '9'), () => true, 5), undefined);
  });

  it('tells other features of a delivery and its resends as one, as the row does', async () => {
    const reader = readerOf(open.outbox);
    service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'code', code: 1002 }] });
    const { delivery } = await deliver({ batches: planBatches(RECIPIENTS.slice(0, 2), 1) });
    const told = async () => {
      const { deliveries } = await reader.list();
      const { delivery: one, unreached } = (await reader.get(delivery.id, () => true, 5)) ?? assert.fail();
      assert.deepEqual(deliveries, [one]);
      return [one.state, one.counts.reached, one.total, unreached.map(({ chat, result }) => `${chat.id} ${result}`)];
    };
    assert.deepEqual(await told(), ['unreached', 0, 2, ['518204736 rejected', 'big rejected']]);
    await resend(delivery, reaching('big'));
    assert.deepEqual(await told(), ['unreached', 1, 2, ['518204736 unconfirmed']]);
    await resend(delivery, reaching('518204736'));
    assert.deepEqual(await told(), ['delivered', 2, 2, []]);
  });

  it('says on the row where a delivery was sent if that is not the connected service', async () => {
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
    const many = Array.from({ length: 1200 }, (_, index) => ({
      kind: 'group' as const,
      id: `${index}`,
      name: `${index}`,
    }));
    await deliver({ batches: planBatches(many, 2000) });
    const [delivery] = await rows();
    const [missing] = await rows(delivery?.node);
    assert.match(`${delivery?.item.description}`, /^0 of 1,200 · /);
    assert.deepEqual([missing?.item.label, missing?.item.description], ['Not confirmed', '1,200']);
    const listed = await rows(missing?.node);
    assert.equal(listed.length, 501);
    assert.deepEqual([listed[0]?.item.label, listed[0]?.item.description], ['0', ''], 'an ID is its name');
    const more = listed.at(-1)?.item;
    assert.equal(more?.label, '… and 700 more in the report');
    assert.equal(more?.command?.command, 'botChats.openReport');
  });

  it('trusts no name or text from the service in a tooltip', async () => {
    await deliver();
    const [row] = await rows();
    const tooltip = open.tree.tooltip(row?.node ?? assert.fail());
    assert.ok(tooltip instanceof MarkdownString && !tooltip.isTrusted);
  });

  it('hides nothing in names of recipients', async () => {
    await deliver({ batches: planBatches([{ kind: 'group', id: 'nosuch', name: 'a\u202Eb\u200Fc' }], 1) });
    const [row] = await rows();
    const [state] = await rows(row?.node);
    assert.deepEqual(texts(await rows(state?.node)), ['abc nosuch']);
  });

  it('asks what becomes of scheduled messages that a move canceled whose window has died', async () => {
    const due = Date.now() + 60 * 60_000;
    const { delivery } = await deliver();
    const schedule = async (word: string) => {
      const id = idOf(word);
      await open.outbox.schedule({ ...delivery, id, due });
      return id;
    };
    const [moved, other] = [await schedule('moved'), await schedule('other')];
    // Its window dies: it never says that the move has ended.
    const files = diskFiles(open.folder);
    const dying = new DeliveryStore(
      files,
      clockAt(() => Date.now() - 2 * HEARTBEAT_TIMEOUT),
    );
    await new DeliveryMoves(files, dying, new Outbox(dying), () => {}).take(moved, Date.now(), true);
    const scheduled = async () => (await open.outbox.scheduled()).map(({ status }) => status.delivery.id).toSorted();
    assert.deepEqual(await scheduled(), [other]);
    const shown = onMessages((_, buttons) => buttons.find((button) => button.startsWith('Schedule')));
    await controller.reportInterrupted();
    while (shown.length < 3) await setImmediate();
    assert.deepEqual(shown, [
      '1 scheduled message is canceled: VS Code closed while it was being moved to a file.',
      'Schedule 1 message again?',
      'Scheduled messages: 1.',
    ]);
    assert.deepEqual(await scheduled(), [moved, other].toSorted());
  });

  it('reports a delivery whose window has died, once that window has been silent for long enough', async () => {
    const looks: (() => void)[] = [];
    const later = systemClock.after;
    const replaced = mock.method(systemClock, 'after', (ms: number, run: () => void) => {
      if (ms !== HEARTBEAT_TIMEOUT) return later(ms, run);
      looks.push(run);
      return () => {};
    });
    open.close();
    open = await openOutbox(service);
    const { delivery } = await deliver();
    const end = await new DeliveryStore(diskFiles(open.folder)).heartbeats.start(delivery.id);
    await end(true);
    const shown = onMessages();
    await open.controller.reportInterrupted();
    replaced.mock.restore();
    assert.deepEqual([shown, looks.length], [[], 1]);
    const wall = mock.method(systemClock, 'wall', () => Date.now() + HEARTBEAT_TIMEOUT);
    looks[0]?.();
    while (shown.length === 0) await setImmediate();
    wall.mock.restore();
    assert.deepEqual(shown, ['Interrupted, 2 of 3 reached: “Hello”. Not confirmed: 1.']);
  });

  it('counts everyone when it reports an interrupted delivery, by their results', async () => {
    const refusal = { on: 'batch_send', fault: 'code', code: 1002, times: 1 } as const;
    service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'reset', times: 1 }, refusal] });
    const leftOut = { people: [{ ...RECIPIENTS[0], id: 'x', by: 'never', note: '' }], rows: 0 } as Delivery['leftOut'];
    const { delivery } = await deliver({ leftOut });
    await dieSending(delivery.id, diskFiles(open.folder));
    const shown = onMessages();
    await controller.reportInterrupted();
    assert.deepEqual(shown, [
      'Interrupted, 0 of 3 reached: “Hello”. Unknown: 1. Refused: 1. Not confirmed: 1. Left out: 1.',
    ]);
  });

  it('remembers what needs somebody until it’s seen, across restarts, and forgets what is settled', async () => {
    const { outbox } = open;
    const [lost, other, gone] = [await deliver(), await deliver(), await deliver()];
    for (const { delivery } of [lost, other, gone]) await dieSending(delivery.id, diskFiles(open.folder));
    onMessages();
    await controller.reportInterrupted();
    assert.equal((await open.tree.badge())?.value, 3);
    await outbox.remove(gone.delivery.id);
    const again = await openOutbox(service, open.folder);
    assert.deepEqual(await again.tree.badge(), { value: 2, tooltip: '2 deliveries need you' });
    await again.outbox.markSeen(lost.delivery.id);
    assert.deepEqual(await open.tree.badge(), { value: 1, tooltip: '1 delivery needs you' });
    await again.outbox.markSeen();
    again.close();
    assert.equal(await open.tree.badge(), undefined);
  });

  it('remembers that a delivery needs somebody while its file can’t be read', async () => {
    const { delivery } = await deliver();
    await open.outbox.markUnseen(delivery.id);
    await writeFile(join(open.folder, 'deliveries', delivery.id, 'delivery.ndjson'), 'damaged');
    assert.equal((await open.tree.badge())?.value, 1);
    await open.outbox.markSeen();
    assert.equal(await open.tree.badge(), undefined);
  });

  it('takes as seen only what was counted', async () => {
    const [counted, later] = [await deliver(), await deliver()];
    for (const { delivery } of [counted, later]) await dieSending(delivery.id, diskFiles(open.folder));
    await open.outbox.markUnseen(counted.delivery.id);
    assert.equal((await open.tree.badge())?.value, 1);
    await open.outbox.markUnseen(later.delivery.id);
    await open.outbox.markSeen();
    assert.equal((await open.tree.badge())?.value, 1);
  });

  it('adds all recipients of a delivery to an audience, unless they are too many for one', async () => {
    const { delivery } = await deliver();
    await controller.saveRecipients(delivery.id);
    assert.deepEqual(open.ran, [['addToAudience', undefined, RECIPIENTS]]);
    const many = Array.from({ length: 10_001 }, (_, at) => ({ kind: 'group' as const, id: `${at}`, name: `${at}` }));
    const { delivery: large } = await deliver({ batches: planBatches(many, 10_001) });
    await assert.rejects(controller.saveRecipients(large.id), {
      message: 'An audience can have up to 10,000 recipients.',
    });
  });

  it("finds out that a person doesn't exist, and says so on the row", async () => {
    const { delivery } = await deliver({ batches: planBatches([{ kind: 'user', id: 'nobody', name: 'Nobody' }], 1) });
    const shown = onMessages();
    await controller.check(delivery.id);
    const entry = await controller.entry(delivery.id);
    assert.deepEqual([entry.status.counts.absent, entry.status.unchecked], [1, 0]);
    assert.match(
      shown.at(-1) ?? '',
      /^Checked 1 of 1 recipient, and found 0 reached, 1 not reached\. Still unknown: 0\. Person nobody doesn't exist\./,
    );
    const [row] = await rows();
    const [state] = await rows(row?.node);
    assert.deepEqual(texts(await rows(state?.node)), ["Nobody nobody · Person nobody doesn't exist."]);
    assert.equal(service.requests.filter(({ search }) => search === '?userId=nobody').length, 1);
  });

  it('checks the chats of recipients who are unknown or not confirmed, stores what it finds, and says which delivery has changed', async () => {
    service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'reset', work: 'done', times: 1 }] });
    const { delivery, counts } = await deliver();
    assert.equal(counts.unknown, 1);
    const shown = onMessages();
    open.untilListed();
    open.changed.length = 0;
    await controller.check(delivery.id);
    assert.deepEqual([...new Set(open.changed)], [delivery.id]);
    assert.match(
      shown.at(-1) ?? '',
      /^Checked 2 of 3 recipients, and found 1 reached, 1 not reached\. Still unknown: 0\./,
    );
    assert.equal((await open.outbox.get(delivery.id))?.status.counts.reached, 2);
  });

  it("doesn't take for missing what may only not be listed yet, and says to check again", async () => {
    const { delivery } = await deliver();
    const shown = onMessages();
    await controller.check(delivery.id);
    const words = "Messages that aren't listed yet: 1. Check again in a minute.";
    assert.equal(
      shown.at(-1),
      `Checked 1 of 3 recipients, and found 0 reached, 0 not reached. Still unknown: 1. ${words}`,
    );
    const outcome = (await open.outbox.get(delivery.id))?.status.outcomeOf({ kind: 'user', id: '7850437' });
    assert.ok(outcome?.state === 'unconfirmed' && outcome.wasEarly);
  });

  it('checks a delivery together with its resends, and offers then what its row does', async () => {
    const { delivery } = await deliver();
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

  it('checks, and saves as an audience, those whom the user has added to a resend, too', async () => {
    const [shop = assert.fail(), big = assert.fail()] = RECIPIENTS;
    service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'code', code: 1002 }] });
    const { delivery } = await deliver({ batches: planBatches([shop], 1) });
    const losing: Answers = (batch, abort) =>
      batch.recipients[0]?.id === shop.id ? everyone(batch, abort) : assert.fail('an answer is lost');
    await resend(delivery, losing, { batches: planBatches([shop, big], 1) });
    await controller.saveRecipients(delivery.id);
    assert.deepEqual(open.ran, [['addToAudience', undefined, [shop, big]]]);
    open.untilListed();
    const shown = onMessages();
    await controller.check(delivery.id);
    assert.match(
      shown.at(-1) ?? '',
      /^Checked 1 of 2 recipients, and found 0 reached, 1 not reached\. Still unknown: 0\./,
    );
  });

  it("doesn't count those as reached whom a resend leaves out, and whose chats don't have the message", async () => {
    const { delivery } = await deliver();
    const { recipients } = await open.outbox.unreached(delivery.id);
    const never = () => new Map(recipients.map((one) => [chatKey(one), '']));
    await resend(delivery, () => assert.fail('sent'), {}, never);
    const shown = onMessages();
    open.untilListed();
    await controller.check(delivery.id);
    assert.equal(shown.at(-1), 'Checked 1 of 3 recipients, and found 0 reached, 1 not reached. Still unknown: 0.');
  });

  it('counts as checked only those whose chats it has looked at, also if it is canceled', async () => {
    service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'missing' }] });
    const { delivery } = await deliver();
    open.untilListed();
    let cancel = () => {};
    answer('withProgress', (async (_, task) =>
      task(
        // After the first chat.
        { report: () => cancel() },
        {
          isCancellationRequested: false,
          onCancellationRequested: (run: () => void) => {
            cancel = run;
            return { dispose: () => {} };
          },
        } as never,
      )) as typeof window.withProgress);
    const shown = onMessages();
    await controller.check(delivery.id);
    assert.match(
      shown.at(-1) ?? '',
      /^Checked 1 of 3 recipients, and found 1 reached, 0 not reached\. Still unknown: 2\./,
    );
  });

  it('checks nobody who has the message by a resend', async () => {
    const refusal = { on: 'batch_send', fault: 'code', code: 1002, times: 1 } as const;
    service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'missing', times: 1 }, refusal] });
    const { delivery } = await deliver({ batches: planBatches(RECIPIENTS.slice(0, 2), 1) });
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

  it('offers beside a row what helps, and first in its menu to check a delivery before it is resent', () => {
    const offered = (contextValue: string, group: RegExp) =>
      manifest.contributes.menus['view/item/context']
        .filter(
          ({ when, group: one = '' }) =>
            group.test(one) && new RegExp(/=~ \/(.*)\//.exec(when)?.[1] ?? '^$').test(contextValue),
        )
        .toSorted((one, other) => Number(one.group?.split('@')[1]) - Number(other.group?.split('@')[1]))
        .map(({ command = '' }) => command.replace('botChats.', ''));
    assert.deepEqual(offered('delivery check resend remove replies', /^inline/), ['checkDelivery', 'openReport']);
    assert.deepEqual(offered('delivery resend remove', /^inline/), ['resendDelivery', 'openReport']);
    assert.deepEqual(offered('delivery lookUp remove', /^inline/), ['openReport']);
    assert.deepEqual(offered('delivery lookUp remove', /^1_send/), ['lookUpMissing']);
    assert.deepEqual(offered('delivery check resume remove', /^inline/), [
      'checkDelivery',
      'resumeDelivery',
      'openReport',
    ]);
    assert.deepEqual(offered('delivery check resend remove replies', /^1_send/), ['checkDelivery', 'resendDelivery']);
    assert.deepEqual(offered('delivery check resume remove', /^1_send/), ['checkDelivery', 'resumeDelivery']);
  });

  it('cancels a delivery that it sends, after the call under way', async () => {
    service.instead = async (request) => {
      if (!new URL(request.url).pathname.endsWith('/batch_send')) return undefined;
      const [id = ''] = await readdir(join(open.folder, 'deliveries'));
      await controller.cancel(id);
      const [row] = await rows();
      assert.equal(row?.item.contextValue, 'delivery');
      return undefined;
    };
    const { counts } = await deliver();
    service.instead = () => undefined;
    assert.deepEqual([counts.reached, counts.notSent], [1, 2]);
  });

  it('says where to cancel a delivery that another window sends', async () => {
    const { delivery } = await deliver();
    const end = await new DeliveryStore(diskFiles(open.folder)).heartbeats.start(delivery.id);
    const [row] = await rows();
    assert.equal(row?.item.contextValue, 'delivery cancel');
    await assert.rejects(controller.cancel(delivery.id), /Another window is sending this\. Cancel it there\./);
    await end();
  });

  it('has a row for a delivery that was damaged, which can be deleted', async () => {
    await deliver(text('Fine'));
    const { delivery } = await deliver();
    await writeFile(join(open.folder, 'deliveries', delivery.id, 'delivery.ndjson'), 'damaged');
    const [damaged, fine] = await rows();
    assert.deepEqual([damaged?.item.label, damaged?.item.contextValue], ['Unreadable delivery', 'unreadable remove']);
    assert.equal(fine?.item.label, 'Fine');
    const { tooltip } = damaged?.item ?? assert.fail();
    assert.match(tooltip instanceof MarkdownString ? tooltip.value : '', /its file is damaged/);
    assert.deepEqual(await rows(damaged?.node), []);
    const questions = onMessages((_, offered) => offered.find((button) => button === 'Delete'));
    await controller.remove(delivery.id);
    assert.match(questions[0] ?? '', /^Delete the delivery of “.+” from the outbox\?$/);
    assert.equal((await rows()).length, 1);
  });

  it('says that a delivery was deleted before its check began', async () => {
    service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'reset', work: 'done', times: 1 }] });
    const { delivery } = await deliver();
    answer('withProgress', (async (_, task) => {
      await open.outbox.remove(delivery.id);
      return task({ report: () => {} }, { isCancellationRequested: false, onCancellationRequested: () => {} } as never);
    }) as typeof window.withProgress);
    await assert.rejects(controller.check(delivery.id), /no longer in the outbox/);
  });

  it('keeps a row that is requested after its delivery was deleted', async () => {
    const { delivery } = await deliver();
    const [row] = await open.tree.children();
    await open.outbox.remove(delivery.id);
    assert.deepEqual(await open.tree.children(), []);
    assert.equal(open.tree.item(row ?? assert.fail()).id, delivery.id);
  });

  it('deletes a delivery only after confirmation', async () => {
    const { delivery } = await deliver();
    const answers: (string | undefined)[] = [undefined, 'Delete'];
    onMessages(() => answers.shift());
    await controller.remove(delivery.id);
    assert.equal((await open.outbox.all()).length, 1);
    await controller.remove(delivery.id);
    assert.deepEqual(await open.outbox.all(), []);
    await assert.rejects(controller.reported(delivery.id), /no longer in the outbox/);
  });

  it('deletes no delivery that was sent while the user was asked', async () => {
    service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'code', code: 1003, msg: 'unauthorised' }] });
    const { delivery } = await deliver();
    service.sandbox.setFaults(undefined);
    answer('showWarningMessage', (async () => {
      await open.outbox.resume(delivery.id, {
        token: 't',
        never: () => new Map(),
        async send(batch, options) {
          await options.before();
          return everyone(batch, () => {});
        },
      });
      return 'Delete';
    }) as never);
    await assert.rejects(controller.remove(delivery.id), /“Hello” has changed\. Check the outbox/);
    assert.equal((await open.outbox.get(delivery.id))?.status.counts.reached, 3);
  });
});
