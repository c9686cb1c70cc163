import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import {
  EventEmitter,
  env,
  type Uri,
  type WebviewPanel,
  type WebviewPanelSerializer,
  type WindowState,
  workspace,
} from 'vscode';
import { DeliveryStore } from '../../../../src/deliveries/outbox/deliveryStore.ts';
import { registerOutbox } from '../../../../src/deliveries/outbox/index.ts';
import { type Delivery, newDeliveryId } from '../../../../src/deliveries/outbox/record.ts';
import type { Recipient } from '../../../../src/deliveries/plan/deliveryPlan.ts';
import { registerView } from '../../../../src/deliveries/view/index.ts';
import { csvOf, reportOf as reportText } from '../../../../src/deliveries/view/report.ts';
import { ReportPanels } from '../../../../src/deliveries/view/reportPanel.ts';
import { diskFiles } from '../../../../src/platform/diskFiles.ts';
import { type FromReportPage, type ReportQuery, ToReportPage } from '../../../../src/protocol/report.ts';
import { answer, onMessages, restore } from '../../answers.ts';
import { heldClock } from '../../clocks.ts';
import { settled } from '../../deferred.ts';
import { onPanels, PanelPage } from '../../panelPage.ts';
import { newHost } from '../../test-host.ts';
import { useService } from '../../test-service.ts';
import { BOT, deliveryOf, everyone, groups, planBatches } from '../outbox/testDeliveries.ts';
import { openOutbox, RECIPIENTS, text } from '../outbox/testOutbox.ts';

const EVERYONE: ReportQuery = { results: [], text: '' };

const COPYING = ['openMessage', 'copyCsv', 'copyMarkdown'];

describe('The report of a delivery', () => {
  const service = useService();
  let open: Awaited<ReturnType<typeof openOutbox>>;
  let held: ReturnType<typeof heldClock>;
  let panels: ReportPanels;
  /** The pages of all panels, the newest last. */
  let pages: TestPage[];

  beforeEach(async () => {
    open = await openOutbox(service);
    held = heldClock();
    pages = onPanels((title) => new TestPage(title));
    panels = new ReportPanels('botChats.report', open.host, open.controller, held.clock);
  });
  afterEach(() => {
    restore();
    open.close();
  });

  it('begins with the recipients that it is opened for', async () => {
    const { delivery } = await open.deliver();
    const query = { results: [], text: '7850437' };
    await panels.show(delivery.id, query);
    assert.ok(pages[0]?.panel.webview.html.includes(JSON.stringify(query)));
  });

  /** Opens the report of a delivery, and lists everyone. */
  async function report(id: string): Promise<TestPage> {
    await panels.show(id);
    const page = pages.at(-1) ?? assert.fail();
    await page.load();
    if (page.last('summary')) await page.list(1);
    return page;
  }
  const reportOf = async (changes?: Partial<Delivery>) => report((await open.deliver(changes)).delivery.id);
  const loseAnswer = () =>
    service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'reset', work: 'done', times: 1 }] });

  it('says what was sent and how it ended, and lists first who needs the most attention', async () => {
    const page = await reportOf({ at: Date.UTC(2026, 10, 21, 12) });
    const { origin, ...summary } = page.last('summary') ?? assert.fail();
    assert.match(origin, /^Nov 21, 2026, .+, sent by Order Desk through /);
    assert.deepEqual(summary, {
      type: 'summary',
      title: 'Delivery of “Hello”',
      titles: { name: 'Recipient', id: 'ID', result: 'Result', details: 'Details', ownText: 'Text' },
      isPersonal: false,
      notes: ['Before you resend, use Check Delivery: 1 recipient may have the message.', 'Document: announcement.md'],
      headline: "2 of 3 reached. Where the service didn't confirm delivery, the message may have arrived anyway.",
      counts: [
        { result: 'unknown', label: 'unknown', count: 0 },
        { result: 'rejected', label: 'refused', count: 0 },
        { result: 'unconfirmed', label: 'not confirmed', count: 1 },
        { result: 'absent', label: 'not reached', count: 0 },
        { result: 'notSent', label: 'not sent', count: 0 },
        { result: 'leftOut', label: 'left out', count: 0 },
        { result: 'reached', label: 'reached', count: 2 },
      ],
      actions: ['check', 'resend', 'findReplies', ...COPYING],
      related: [],
    });
    assert.equal(page.panel.title, 'Delivery of “Hello”');
    const { total, rows = [] } = page.last('list') ?? assert.fail();
    assert.equal(total, 3);
    assert.deepEqual(rows[0], {
      ...{ kind: 'user', id: '7850437', name: '[Nora](command:x)', state: 'unconfirmed', isCut: false },
      ...{ result: 'not confirmed', ownText: '' },
      details: "The service didn't confirm delivery to this recipient, who may have the message.",
    });
    assert.deepEqual(
      rows.slice(1).map(({ name, result, details }) => [name, result, details.replace(/ \S+$/, '')]),
      [
        ['The shop', 'reached', 'Message'],
        ['=HYPERLINK("x")', 'reached', 'Message'],
      ],
    );
  });

  it('links a delivery to the one that it reminds of, and back', async () => {
    const { delivery } = await open.deliver();
    const reminder = await open.deliver({ follows: delivery.id, name: 'please.md' });
    await open.deliver({ follows: delivery.id, name: 'please.md', isTest: true });
    const relatedTo = async (id: string) => {
      await panels.show(id);
      await pages.at(-1)?.load();
      return pages
        .at(-1)
        ?.last('summary')
        ?.related.map(({ delivery, text }) => [delivery, text.replace(/, .*/, '')]);
    };
    assert.deepEqual(await relatedTo(reminder.delivery.id), [[delivery.id, 'Reminds of “Hello”']]);
    assert.deepEqual(await relatedTo(delivery.id), [[reminder.delivery.id, 'Reminder: “Hello”']]);
    pages.at(-1)?.send({ type: 'openDelivery', delivery: reminder.delivery.id });
    await settled();
    assert.deepEqual(open.ran.at(-1), ['openReport', reminder.delivery.id]);
  });

  it('lists recipients with some results, or with a text in their name, ID or details', async () => {
    const page = await reportOf();
    const found = async (query: Partial<ReportQuery>) => {
      await page.list(page.received.length, { ...EVERYONE, ...query });
      return page.last('list')?.rows.map(({ id }) => id);
    };
    assert.deepEqual(await found({ results: ['reached', 'unknown'] }), ['518204736', 'big']);
    assert.deepEqual(await found({ text: ' nora' }), ['7850437']);
    assert.deepEqual(await found({ text: '82047' }), ['518204736']);
    assert.deepEqual(await found({ text: "DIDN'T CONFIRM" }), ['7850437']);
    assert.deepEqual(await found({ text: 'shop', results: ['unconfirmed'] }), []);
    // As in searches, accents and the form of quotation marks make no difference.
    assert.deepEqual(await found({ text: 'dídn’t confirm' }), ['7850437']);
  });

  it('has 200 recipients at a time', async () => {
    const names = Array.from({ length: 450 }, (_, at) => `${at}`);
    const page = await reportOf({ batches: planBatches(groups(...names), 500) });
    const sizes = [page.last('list')?.rows.length];
    for (let more = 0; more < 3; more++) {
      await page.ask({ type: 'more', list: 1 }, 'more');
      sizes.push(page.last('more')?.rows.length);
    }
    assert.deepEqual([page.last('list')?.total, sizes], [450, [200, 200, 50, 0]]);
  });

  it('skips a list if the page asks for another one before it’s begun', async () => {
    const page = await reportOf();
    page.received = [];
    for (const [at, text] of ['', 'no', 'nor'].entries())
      page.send({ type: 'list', list: at + 2, query: { ...EVERYONE, text } });
    while (page.last('list')?.list !== 4) await settled();
    assert.deepEqual([page.last('list')?.total, page.types.filter((one) => one === 'list').length], [1, 1]);
  });

  it('updates the results of listed recipients', async () => {
    loseAnswer();
    const page = await reportOf();
    assert.deepEqual(page.last('summary')?.actions, ['check', 'resend', 'findReplies', ...COPYING]);
    const [id = ''] = (await open.outbox.all()).map(({ status }) => status.delivery.id);
    onMessages();
    open.untilListed();
    await open.controller.check(id);
    page.received = [];
    for (const one of ['another', id, id]) panels.changed(one);
    await held.pass(999);
    assert.deepEqual(page.received, []);
    await held.pass(1);
    await page.receivedOne('changed');
    assert.equal(page.received.filter(({ type }) => type === 'summary').length, 1);
    assert.equal(page.last('summary')?.counts[0]?.count, 0);
    const { list, rows = [] } = page.last('changed') ?? assert.fail();
    const changes = rows.map(({ at, row }) => [at, row.id, row.state]);
    assert.deepEqual([list, ...changes], [1, [0, '518204736', 'reached'], [1, '7850437', 'absent']]);
  });

  it('shows the results of resends with those of the delivery', async () => {
    const page = await reportOf();
    const [{ status } = assert.fail()] = await open.outbox.all();
    const unreached = await open.outbox.unreached(status.delivery.id);
    const ids = { id: newDeliveryId(Date.now()), resends: unreached.lastId };
    await open.outbox.resend({ ...status.delivery, ...ids, batches: planBatches(unreached.recipients, 9) }, unreached, {
      token: 't',
      never: () => new Map(),
      send: async (batch, options) => {
        await options.before();
        return everyone(batch, () => {});
      },
    });
    // The outbox tells of the resend alone.
    panels.changed(ids.id);
    await held.pass(1_000);
    await page.receivedOne('changed');
    assert.deepEqual(page.last('summary')?.counts.at(-1), { result: 'reached', label: 'reached', count: 3 });
    assert.deepEqual(page.last('summary')?.actions, ['findReplies', ...COPYING]);
    assert.deepEqual(
      page.last('changed')?.rows.map(({ row }) => [row.id, row.state]),
      [['7850437', 'reached']],
    );
  });

  it('shows a reminder that is sent or deleted while it’s open, and isn’t read again for other deliveries', async () => {
    const page = await reportOf();
    const [{ status } = assert.fail()] = await open.outbox.all();
    const changed = async (changes: Partial<Delivery>) => {
      const { delivery } = await open.deliver({ id: newDeliveryId(Date.now()), ...changes });
      page.received = [];
      panels.changed(delivery.id);
      await held.pass(1_000);
      return delivery.id;
    };
    const reminder = await changed({ follows: status.delivery.id });
    await page.receivedOne('summary');
    assert.deepEqual(
      page.last('summary')?.related.map(({ delivery }) => delivery),
      [reminder],
    );
    const other = await changed({});
    await page.receivedOne('summary');
    page.received = [];
    panels.changed(other);
    await held.pass(1_000);
    await settled();
    assert.deepEqual(page.received, []);
    await open.outbox.remove(reminder);
    panels.changed(reminder);
    await held.pass(1_000);
    await page.receivedOne('summary');
    assert.deepEqual(page.last('summary')?.related, []);
  });

  it('follows a delivery that another window sends, until it ends', async () => {
    const { delivery } = await open.deliver();
    const end = await new DeliveryStore(diskFiles(open.folder)).heartbeats.start(delivery.id);
    const page = await report(delivery.id);
    assert.match(page.last('summary')?.headline ?? '', /^Sending… 2 of 3/);
    assert.deepEqual(page.last('summary')?.actions, ['cancel', ...COPYING]);
    await end();
    page.received = [];
    await held.pass(2_000);
    await page.receivedOne('summary');
    assert.deepEqual(page.last('summary')?.actions, ['check', 'resend', 'findReplies', ...COPYING]);
    assert.equal(held.sleeping(), 0);
  });

  it('reads nothing while its panel is hidden, and is filled again when it’s shown', async () => {
    const { delivery } = await open.deliver();
    const end = await new DeliveryStore(diskFiles(open.folder)).heartbeats.start(delivery.id);
    const page = await report(delivery.id);
    page.setVisible(false);
    assert.equal(held.sleeping(), 0);
    panels.update();
    await settled();
    await panels.show(delivery.id);
    await page.load();
    assert.deepEqual([page.types, pages.length, held.sleeping()], [['summary'], 1, 1]);
    await end();
  });

  it('reads nothing more once its panel is closed, even while it’s being read', async () => {
    const { delivery } = await open.deliver();
    const end = await new DeliveryStore(diskFiles(open.folder)).heartbeats.start(delivery.id);
    const page = await report(delivery.id);
    // After its panel was found open.
    page.panel.webview.postMessage = async () => page.close() ?? true;
    page.send({ type: 'retry' });
    while (page.isOpen) await settled();
    await settled();
    await held.pass(2_000);
    assert.equal(held.sleeping(), 0);
    await end();
  });

  it('runs what is chosen in it', async () => {
    const page = await reportOf();
    const [id] = (await open.outbox.all()).map(({ status }) => status.delivery.id);
    const commands = {
      ...{ check: 'checkDelivery', resume: 'resumeDelivery', resend: 'resendDelivery', cancel: 'cancelDelivery' },
      ...{ sendNow: 'sendDeliveryNow', reschedule: 'rescheduleDelivery', unschedule: 'unscheduleDelivery' },
      ...{ sendEdited: 'sendEditedDelivery', edit: 'editDelivery' },
      lookUp: 'lookUpMissing',
    } as const;
    for (const action of Object.keys(commands) as (keyof typeof commands)[]) page.send({ type: 'act', action });
    await settled();
    assert.deepEqual(
      open.ran,
      Object.values(commands).map((command) => [command, id]),
    );
  });

  it('copies itself and says nothing: its page says so once that is done', async () => {
    const shown = onMessages();
    const page = await reportOf();
    const [entry = assert.fail()] = await open.outbox.all();
    const report = await reportText(entry);
    for (const [action, text] of [['copyMarkdown', report] as const, ['copyCsv', await csvOf(entry.status)] as const]) {
      await page.ask({ type: 'act', action }, 'copied');
      assert.equal(await env.clipboard.readText(), text);
    }
    assert.deepEqual([shown, open.ran], [[], []]);
    await open.outbox.remove(entry.status.delivery.id);
    page.received = [];
    page.send({ type: 'act', action: 'copyCsv' });
    while (shown.length === 0) await settled();
    assert.deepEqual(page.received, []);
  });

  it('offers what the row of a scheduled delivery does, and to edit its message instead of opening it', async () => {
    const delivery = {
      ...deliveryOf(planBatches(RECIPIENTS, 9)),
      id: newDeliveryId(Date.now()),
      due: Date.now() + 60_000,
    };
    await open.outbox.schedule(delivery);
    const page = await report(delivery.id);
    const copying = ['copyCsv', 'copyMarkdown'];
    assert.deepEqual(page.last('summary')?.actions, ['sendNow', 'reschedule', 'unschedule', 'edit', ...copying]);
  });

  it('opens the message that was sent', async () => {
    const shown: string[] = [];
    answer(
      'showTextDocument',
      (async (document: { getText(): string }) => void shown.push(document.getText())) as never,
    );
    const page = await reportOf({ message: { contentType: 'text', content: { text: 'Closed on Saturday' } } });
    page.send({ type: 'act', action: 'openMessage' });
    while (shown.length === 0) await settled();
    assert.match(shown[0] ?? '', /Closed on Saturday/);
  });

  it('opens the history of a recipient, at the message if it was reached', async () => {
    const page = await reportOf();
    const [, reached] = page.last('list')?.rows ?? [];
    for (const [at, id] of ['518204736', '7850437'].entries()) {
      page.send({ type: 'openChat', chat: { kind: at === 0 ? 'group' : 'user', id } });
      while (open.ran.length === at) await settled();
    }
    const { address } = await open.connection.open();
    assert.deepEqual(open.ran, [
      ...[['openMessage', { service: address, kind: 'group', id: '518204736', botId: BOT, ...messageOf(reached) }]],
      ...[['openMessage', { service: address, kind: 'user', id: '7850437', botId: BOT, msgId: undefined }]],
    ]);
  });

  it('quotes the code and the text of the service, and opens a text that is too long to quote', async () => {
    const msg = `参数错误：${'好'.repeat(500)}`;
    service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'code', code: 1002, msg }] });
    const page = await reportOf({ batches: planBatches(RECIPIENTS.slice(0, 1), 1) });
    const [row] = page.last('list')?.rows ?? [];
    assert.match(row?.details ?? '', /^The service returned error 1002: “参数错误：好+…”\. A parameter is missing/);
    assert.ok(row?.isCut);
    const texts: unknown[] = [];
    const { registerTextDocumentContentProvider: original } = workspace;
    workspace.registerTextDocumentContentProvider = (_, provider) => {
      answer(
        'showTextDocument',
        (async (uri: Uri) => void texts.push(provider.provideTextDocumentContent(uri, {} as never))) as never,
      );
      return { dispose() {} };
    };
    page.send({ type: 'showWhole', chat: { kind: 'group', id: '518204736' } });
    while (texts.length === 0) await settled();
    workspace.registerTextDocumentContentProvider = original;
    assert.ok(String(texts[0]).includes(msg));
  });

  it('has the text that each recipient got', async () => {
    const person = (id: string, name: string): Recipient => ({ kind: 'user', id, name });
    const batchOf = (recipient: Recipient) => ({ ...planBatches([recipient], 1)[0], values: [recipient.name] });
    const page = await reportOf({
      message: { contentType: 'text', content: { text: 'Dear {{name}}' } },
      variables: ['name'],
      batches: [person('7058314', 'Ann'), person('7102649', 'Bo')].map(batchOf) as Delivery['batches'],
    });
    assert.equal(page.last('summary')?.isPersonal, true);
    assert.deepEqual(
      page.last('list')?.rows.map(({ ownText }) => ownText),
      ['Dear Ann', 'Dear Bo'],
    );
  });

  it('says why a delivery can’t be read, and reads it again on request', async () => {
    const { delivery } = await open.deliver();
    const file = join(open.folder, 'deliveries', delivery.id, 'delivery.ndjson');
    const written = await readFile(file);
    await writeFile(file, 'damaged');
    open.close();
    const reopened = await openOutbox(service, open.folder);
    panels = new ReportPanels('botChats.report', reopened.host, reopened.controller, held.clock);
    const page = await report(delivery.id);
    assert.match(page.last('failed')?.text ?? '', /its file is damaged/);
    await writeFile(file, written);
    await page.ask({ type: 'retry' }, 'summary');
    assert.equal(page.last('summary')?.title, 'Delivery of “Hello”');
    await reopened.outbox.remove(delivery.id);
    await page.ask({ type: 'retry' }, 'failed');
    assert.match(page.last('failed')?.text ?? '', /no longer in the outbox/);
    reopened.close();
  });

  it('has one panel for each delivery, also after VS Code was reloaded', async () => {
    const [first, second] = [await open.deliver(text('First')), await open.deliver(text('Second'))];
    await report(first.delivery.id);
    await report(first.delivery.id);
    assert.equal(pages.length, 1);
    const restored = ['third', first.delivery.id, second.delivery.id].map((delivery) => {
      const page = new TestPage();
      panels.restore(page.panel, { delivery });
      return page;
    });
    assert.deepEqual(
      restored.map(({ isOpen }) => isOpen),
      [false, false, true],
    );
    await restored[2]?.load();
    assert.equal(restored[2]?.panel.title, 'Delivery of “Second”');
    pages[0]?.close();
    await report(first.delivery.id);
    assert.equal(pages.length, 2);
  });
});

describe('Open reports', () => {
  it('are read again when the window gets the focus, and when the outbox is refreshed', async () => {
    const id = '000000000000001-deliver0';
    const focus = new EventEmitter<WindowState>();
    const done: unknown[] = [];
    let serializer: WebviewPanelSerializer | undefined;
    answer('onDidChangeWindowState', focus.event);
    answer('registerWebviewPanelSerializer', (_, given) => {
      serializer = given;
      return { dispose() {} };
    });
    const mocked = [
      test.mock.method(ReportPanels.prototype, 'show', async (shown: string) => void done.push(['show', shown])),
      test.mock.method(ReportPanels.prototype, 'update', () => void done.push('update')),
      test.mock.method(
        ReportPanels.prototype,
        'restore',
        (_: unknown, state: unknown) => void done.push(['restore', state]),
      ),
    ];
    const host = newHost();
    const outbox = registerOutbox(host);
    const view = registerView(host, outbox);
    focus.fire({ focused: true, active: true });
    await host.commands.run('openReport', id);
    focus.fire({ focused: false, active: false });
    focus.fire({ focused: true, active: true });
    await settled();
    await host.commands.run('refreshOutbox');
    await settled();
    await serializer?.deserializeWebviewPanel({} as WebviewPanel, { delivery: id });
    assert.deepEqual(done, [['show', id], 'update', 'update', ['restore', { delivery: id }]]);
    await outbox.close();
    for (const one of [...outbox.disposables, ...view.disposables]) one.dispose();
    for (const { mock } of mocked) mock.restore();
    restore();
  });
});

const messageOf = (row: { details: string } | undefined) => ({ msgId: row?.details.replace('Message ', '') });

class TestPage extends PanelPage<ToReportPage, FromReportPage> {
  constructor(title?: string) {
    super(ToReportPage, title);
  }

  list(list: number, query = EVERYONE): Promise<void> {
    return this.ask({ type: 'list', list, query }, 'list');
  }
}
