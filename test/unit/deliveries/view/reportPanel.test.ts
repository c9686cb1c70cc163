import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import {
  EventEmitter,
  env,
  type TextDocument,
  type Uri,
  type WebviewPanelSerializer,
  type WindowState,
  type window,
  workspace,
} from 'vscode';
import { DeliveryStore } from '../../../../src/deliveries/outbox/deliveryStore.ts';
import { registerOutbox } from '../../../../src/deliveries/outbox/index.ts';
import type { Delivery } from '../../../../src/deliveries/outbox/record.ts';
import type { Recipient } from '../../../../src/deliveries/plan/deliveryPlan.ts';
import { registerView } from '../../../../src/deliveries/view/index.ts';
import { csvOf, reportOf as reportText } from '../../../../src/deliveries/view/report.ts';
import { ReportPanels } from '../../../../src/deliveries/view/reportPanel.ts';
import { diskFiles } from '../../../../src/platform/diskFiles.ts';
import { type FromReportPage, type ReportQuery, ToReportPage } from '../../../../src/protocol/report.ts';
import { answer, onMessages } from '../../answers.ts';
import { heldClock, useWallClock } from '../../clocks.ts';
import { settled } from '../../deferred.ts';
import { ListedPage, usePages } from '../../panelPage.ts';
import { newHost } from '../../test-host.ts';
import { useService } from '../../test-service.ts';
import { AT, BOT, deliveryOf, everyone, groups, planBatches, senderOf } from '../outbox/testDeliveries.ts';
import { openOutbox, RECIPIENTS, text } from '../outbox/testOutbox.ts';

const newPage = (title: string) =>
  new ListedPage<ToReportPage, FromReportPage, ReportQuery>(ToReportPage, { results: [], text: '' }, title);

const COPYING = ['openMessage', 'copyCsv', 'copyMarkdown'];

describe('The report of a delivery', () => {
  const service = useService();
  const clock = useWallClock(AT);
  const pages = usePages(newPage);
  let open: Awaited<ReturnType<typeof openOutbox>>;
  let held: ReturnType<typeof heldClock>;
  let panels: ReportPanels;

  beforeEach(async () => {
    open = await openOutbox(service, clock);
    held = heldClock();
    panels = new ReportPanels('botChats.report', open.host, open.controller, held.clock);
  });
  afterEach(() => open.close());

  /** Opens the report of a delivery, and lists everyone. */
  async function report(id: string) {
    await panels.show(id);
    const page = pages.last;
    await page.load();
    if (page.last('summary')) await page.list();
    return page;
  }
  const reportOf = async (changes?: Partial<Delivery>) => report((await open.deliver(changes)).delivery.id);
  /** Has the service lose the answer to the next batch. */
  const loseAnswer = () =>
    service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'reset', work: 'done', times: 1 }] });
  /** Another window sends a delivery; the result ends that. */
  const sendElsewhere = (id: string) => new DeliveryStore(diskFiles(open.folder)).heartbeats.start(id);
  /** Has the outbox tell of a change, which is shown later. */
  async function change(id: string): Promise<void> {
    panels.changed(id);
    await held.pass(1_000);
  }

  it('begins with the recipients that it is opened for', async () => {
    const { delivery } = await open.deliver();
    const query = { results: [], text: '7850437' };
    await panels.show(delivery.id, query);
    assert.ok(pages.last.html.includes(JSON.stringify(query)));
  });

  it('says what was sent and how it ended, and lists first who needs the most attention', async () => {
    const page = await reportOf();
    const { title, isPersonal, counts, actions, related } = page.last('summary') ?? assert.fail();
    assert.equal(title, 'Delivery of “Hello”');
    assert.equal(page.title, title);
    assert.equal(isPersonal, false);
    assert.deepEqual(
      counts.map(({ result, count }) => [result, count]),
      [
        ['unknown', 0],
        ['rejected', 0],
        ['unconfirmed', 1],
        ['absent', 0],
        ['notSent', 0],
        ['leftOut', 0],
        ['reached', 2],
      ],
    );
    assert.deepEqual(actions, ['check', 'resend', 'findReplies', ...COPYING]);
    assert.deepEqual(related, []);
    const { total, rows } = page.last('list') ?? assert.fail();
    assert.equal(total, 3);
    assert.deepEqual(
      rows.map(({ id, name, state }) => [id, name, state]),
      [
        ['7850437', '[Nora](command:x)', 'unconfirmed'],
        ['518204736', 'The shop', 'reached'],
        ['big', '=HYPERLINK("x")', 'reached'],
      ],
    );
  });

  it('links a delivery to the one that it reminds of, and back', async () => {
    const { delivery } = await open.deliver();
    const reminder = await open.deliver({ follows: delivery.id, name: 'please.md' });
    await open.deliver({ follows: delivery.id, name: 'please.md', isTest: true });
    const relatedTo = async (id: string) => {
      const page = await report(id);
      return page.last('summary')?.related.map(({ delivery, text }) => [delivery, text.replace(/, .*/, '')]);
    };
    assert.deepEqual(await relatedTo(reminder.delivery.id), [[delivery.id, 'Reminds of “Hello”']]);
    assert.deepEqual(await relatedTo(delivery.id), [[reminder.delivery.id, 'Reminder: “Hello”']]);
    pages.last.send({ type: 'openDelivery', delivery: reminder.delivery.id });
    await settled();
    assert.deepEqual(open.ran.at(-1), ['openReport', reminder.delivery.id]);
  });

  it('lists recipients with some results, or with a text in their name, ID or details', async () => {
    const page = await reportOf();
    const found = async (query: Partial<ReportQuery>) => {
      const rows = await page.list(query);
      return rows.map(({ id }) => id);
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
    assert.equal(page.last('list')?.total, 450);
    assert.deepEqual(sizes, [200, 200, 50, 0]);
    await page.list();
    page.received = [];
    page.send({ type: 'more', list: 1 });
    await page.ask({ type: 'more', list: 2 }, 'more');
    assert.deepEqual(
      page.messagesOf('more').map(({ list }) => list),
      [1, 1, 1, 2],
    );
  });

  it('skips a list if the page asks for another one before it’s begun', async () => {
    const page = await reportOf();
    page.received = [];
    for (const text of ['', 'no', 'nor']) page.send(page.listing({ text }));
    while (page.last('list')?.list !== page.lists) await settled();
    assert.deepEqual(page.types, ['list']);
    assert.equal(page.last('list')?.total, 1);
  });

  it('updates the results of listed recipients', async () => {
    loseAnswer();
    const page = await reportOf();
    assert.deepEqual(page.last('summary')?.actions, ['check', 'resend', 'findReplies', ...COPYING]);
    const [{ status } = assert.fail()] = await open.outbox.all();
    const { id } = status.delivery;
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
    const { list, rows } = page.last('changed') ?? assert.fail();
    assert.equal(list, 1);
    assert.deepEqual(
      rows.map(({ at, row }) => [at, row.id, row.state]),
      [
        [0, '518204736', 'reached'],
        [1, '7850437', 'absent'],
      ],
    );
  });

  it('shows the results of resends with those of the delivery', async () => {
    const page = await reportOf();
    const [{ status } = assert.fail()] = await open.outbox.all();
    const unreached = await open.outbox.unreached(status.delivery.id);
    const id = open.newId();
    const resend = { ...status.delivery, id, resends: unreached.lastId, batches: planBatches(unreached.recipients, 9) };
    await open.outbox.resend(resend, unreached, senderOf([everyone]));
    // The outbox tells of the resend alone.
    await change(id);
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
    const send = async (changes: Partial<Delivery> = {}) => {
      const { delivery } = await open.deliver(changes);
      page.received = [];
      await change(delivery.id);
      await page.receivedOne('summary');
      return delivery.id;
    };
    const related = () => page.last('summary')?.related.map(({ delivery }) => delivery);
    const reminder = await send({ follows: status.delivery.id });
    assert.deepEqual(related(), [reminder]);
    const other = await send();
    page.received = [];
    await change(other);
    await settled();
    assert.deepEqual(page.received, []);
    await open.outbox.remove(reminder);
    await change(reminder);
    await page.receivedOne('summary');
    assert.deepEqual(related(), []);
  });

  it('follows a delivery that another window sends, until it ends', async () => {
    const { delivery } = await open.deliver();
    const end = await sendElsewhere(delivery.id);
    const page = await report(delivery.id);
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
    const end = await sendElsewhere(delivery.id);
    const page = await report(delivery.id);
    page.setVisible(false);
    assert.equal(held.sleeping(), 0);
    panels.update();
    await settled();
    await panels.show(delivery.id);
    await page.load();
    assert.deepEqual(page.types, ['summary']);
    assert.equal(pages.opened.length, 1);
    assert.equal(held.sleeping(), 1);
    page.close();
    assert.equal(held.sleeping(), 0);
    await end();
  });

  it('reads nothing more once its panel is closed, even while it’s being read', async () => {
    const { delivery } = await open.deliver();
    const end = await sendElsewhere(delivery.id);
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
    const { delivery } = await open.deliver();
    const page = await report(delivery.id);
    for (const [action, command] of [
      ['check', 'checkDelivery'],
      ['resume', 'resumeDelivery'],
      ['resend', 'resendDelivery'],
      ['lookUp', 'lookUpMissing'],
      ['cancel', 'cancelDelivery'],
      ['sendNow', 'sendDeliveryNow'],
      ['reschedule', 'rescheduleDelivery'],
      ['unschedule', 'unscheduleDelivery'],
      ['sendEdited', 'sendEditedDelivery'],
      ['edit', 'editDelivery'],
      ['findReplies', 'findReplies'],
    ] as const) {
      page.send({ type: 'act', action });
      assert.deepEqual(open.ran.pop(), [command, delivery.id]);
    }
  });

  it('copies itself and says nothing: its page says so once that is done', async () => {
    const shown = onMessages();
    const page = await reportOf();
    const [entry = assert.fail()] = await open.outbox.all();
    const report = await reportText(entry);
    for (const [action, text] of [
      ['copyMarkdown', report],
      ['copyCsv', await csvOf(entry.status)],
    ] as const) {
      await page.ask({ type: 'act', action }, 'copied');
      assert.equal(await env.clipboard.readText(), text);
    }
    assert.deepEqual(shown, []);
    assert.deepEqual(open.ran, []);
    await open.outbox.remove(entry.status.delivery.id);
    page.received = [];
    page.send({ type: 'act', action: 'copyCsv' });
    while (shown.length === 0) await settled();
    assert.deepEqual(page.received, []);
  });

  it('offers what the row of a scheduled delivery does, and to edit its message instead of opening it', async () => {
    const id = open.newId();
    await open.outbox.schedule({ ...deliveryOf(planBatches(RECIPIENTS, 9), { id }), due: AT + 60_000 });
    const page = await report(id);
    const actions = ['sendNow', 'reschedule', 'unschedule', 'edit', 'copyCsv', 'copyMarkdown'];
    assert.deepEqual(page.last('summary')?.actions, actions);
  });

  it('opens the message that was sent', async () => {
    const shown: string[] = [];
    const show = async (document: TextDocument) => void shown.push(document.getText());
    answer('showTextDocument', show as unknown as typeof window.showTextDocument);
    const page = await reportOf({ message: { contentType: 'text', content: { text: 'Closed on Saturday' } } });
    page.send({ type: 'act', action: 'openMessage' });
    while (shown.length === 0) await settled();
    assert.match(shown[0] ?? '', /Closed on Saturday/);
  });

  it('opens the history of a recipient, at the message if it was reached', async () => {
    const page = await reportOf();
    const openChat = async (kind: 'group' | 'user', id: string) => {
      page.send({ type: 'openChat', chat: { kind, id } });
      while (open.ran.length === 0) await settled();
      return open.ran.pop();
    };
    const msgId = page.last('list')?.rows[1]?.details.replace('Message ', '');
    const { address } = await open.connection.open();
    const ofBot = { service: address, botId: BOT };
    assert.deepEqual(await openChat('group', '518204736'), [
      'openMessage',
      { ...ofBot, kind: 'group', id: '518204736', msgId },
    ]);
    assert.deepEqual(await openChat('user', '7850437'), [
      'openMessage',
      { ...ofBot, kind: 'user', id: '7850437', msgId: undefined },
    ]);
  });

  it('opens a text of the service that is too long to quote', async () => {
    const msg = `参数错误：${'好'.repeat(500)}`;
    service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'code', code: 1002, msg }] });
    const page = await reportOf({ batches: planBatches(RECIPIENTS.slice(0, 1), 1) });
    const [row] = page.last('list')?.rows ?? [];
    assert.match(row?.details ?? '', /1002: “参数错误：好+…”/);
    assert.ok(row?.isCut);
    const texts: unknown[] = [];
    const { registerTextDocumentContentProvider: original } = workspace;
    workspace.registerTextDocumentContentProvider = (_, provider) => {
      const show = async (uri: Uri) => void texts.push(provider.provideTextDocumentContent(uri, {} as never));
      answer('showTextDocument', show as unknown as typeof window.showTextDocument);
      return { dispose() {} };
    };
    page.send({ type: 'showWhole', chat: { kind: 'group', id: '518204736' } });
    while (texts.length === 0) await settled();
    workspace.registerTextDocumentContentProvider = original;
    assert.ok(String(texts[0]).includes(msg));
  });

  it('has the text that each recipient got', async () => {
    const people: Recipient[] = [
      { kind: 'user', id: '7058314', name: 'Ann' },
      { kind: 'user', id: '7102649', name: 'Bo' },
    ];
    const page = await reportOf({
      ...text('Dear {{name}}'),
      variables: ['name'],
      batches: people.map((one) => ({ recvType: 'user', recipients: [one], values: [one.name] })),
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
    const reopened = await openOutbox(service, clock, open.folder);
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
    const [{ delivery: first }, { delivery: second }] = [await open.deliver(), await open.deliver(text('Second'))];
    await report(first.id);
    const page = await report(first.id);
    assert.equal(pages.opened.length, 1);
    assert.equal(page.reveals, 1);
    const restore = (delivery: string) => {
      const restored = pages.restored();
      panels.restore(restored.panel, { delivery });
      return restored;
    };
    assert.equal(restore('not an ID').isOpen, false);
    assert.equal(restore(first.id).isOpen, false);
    const restored = restore(second.id);
    await restored.load();
    assert.equal(restored.title, 'Delivery of “Second”');
    page.close();
    await report(first.id);
    assert.equal(pages.opened.length, 2);
  });
});

describe('Open reports', () => {
  const pages = usePages(newPage);

  it('are read again when the window gets the focus, and when the outbox is refreshed', async () => {
    const id = '000000000000001-deliver0';
    const focus = new EventEmitter<WindowState>();
    let serializer: WebviewPanelSerializer | undefined;
    answer('onDidChangeWindowState', focus.event);
    answer('registerWebviewPanelSerializer', (_, given) => {
      serializer = given;
      return { dispose() {} };
    });
    const done: unknown[] = [];
    const { mock } = test;
    mock.method(ReportPanels.prototype, 'show', async (shown: string) => void done.push(['show', shown]));
    mock.method(ReportPanels.prototype, 'update', () => void done.push('update'));
    mock.method(ReportPanels.prototype, 'restore', (_: unknown, state: unknown) => void done.push(['restore', state]));
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
    await serializer?.deserializeWebviewPanel(pages.restored().panel, { delivery: id });
    assert.deepEqual(done, [['show', id], 'update', 'update', ['restore', { delivery: id }]]);
    await outbox.close();
    for (const one of [...outbox.disposables, ...view.disposables]) one.dispose();
    mock.restoreAll();
  });
});
