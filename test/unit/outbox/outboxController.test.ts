import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { env, MarkdownString, ThemeIcon, type TreeItem, Uri, type window } from 'vscode';
import manifest from '../../../package.json' with { type: 'json' };
import type { Recipient } from '../../../src/outbox/batches.ts';
import { DeliveryStore } from '../../../src/outbox/deliveryStore.ts';
import { OutboxController } from '../../../src/outbox/outboxController.ts';
import type { OutboxNode } from '../../../src/outbox/outboxTree.ts';
import type { Delivery } from '../../../src/outbox/record.ts';
import { csvOf, reportOf } from '../../../src/outbox/report.ts';
import type { Connection } from '../../../src/platform/connection.ts';
import { diskFiles } from '../../../src/platform/diskFiles.ts';
import type { Host } from '../../../src/platform/host.ts';
import { DraftSender } from '../../../src/sending/draftSender.ts';
import { temporaryPath } from '../../host/temporary.ts';
import { answer, onMessages, restore } from '../answers.ts';
import { newHost } from '../test-host.ts';
import { configure, newConnection, type TestService, useService } from '../test-service.ts';
import { planBatches } from './testDeliveries.ts';

const BOT = '30481126';
const unescaped = (_: string, code: string) => String.fromCharCode(Number(code));
/** The user takes no messages of bots: the service does not list them. */
const RECIPIENTS: Recipient[] = [
  { type: 'group', id: '518204736', name: 'The shop' },
  { type: 'group', id: 'big', name: '=HYPERLINK("x")' },
  { type: 'user', id: '7850437', name: '[Nora](command:x)' },
];

describe('The outbox', () => {
  let service: TestService;
  let connection: Connection;
  let host: Host;
  let controller: OutboxController;
  let sender: DraftSender;
  let folder: string;
  let reports: string[];
  let repainted: string[];
  /** The commands that were run, with their arguments. */
  let ran: unknown[];

  const sends = () => service.requests.filter(({ pathname }) => pathname.endsWith('/batch_send'));
  const outbox = () => controller.outbox;

  before(async () => {
    service = await useService();
  });
  after(() => service.close());
  beforeEach(async () => {
    connection = newConnection();
    host = newHost({ connection, access: { chooseBot: async () => BOT } });
    await host.tokens.set(await connection.open(), BOT, service.sandbox.token(BOT) ?? '');
    [reports, ran, repainted] = [[], [], []];
    host.commands.run = async (...command) => void ran.push(command);
    folder = temporaryPath('outbox');
    controller = new OutboxController(host, Uri.file(folder), {
      repaint: () => {},
      repaintReports: (ids) => repainted.push(...ids),
      showReport: async (_, id) => void reports.push(id),
    });
    sender = new DraftSender(host, controller);
    service.requests.splice(0);
    service.sandbox.setFaults(undefined);
  });
  afterEach(() => {
    restore();
    void controller.close();
    connection.dispose();
  });

  /** Sends to all recipients, one in a batch, without a word on the screen. */
  const deliver = async (changes: Partial<Delivery> = {}) => {
    const { client, address } = await connection.open();
    const token = service.sandbox.token(BOT) ?? '';
    const delivery: Delivery = {
      id: outbox().newId(),
      at: Date.now(),
      service: address,
      bot: { id: BOT, name: 'Order Desk' },
      name: 'announcement.md',
      message: { contentType: 'text', content: { text: `Hello ${randomUUID()}` } },
      digest: 'd',
      batches: planBatches(RECIPIENTS, 1),
      ...changes,
    };
    const send = ({ recvType, recipients }: { recvType: 'group' | 'user'; recipients: Recipient[] }, options: object) =>
      client.batchSend(
        token,
        recvType,
        recipients.map(({ id }) => id),
        delivery.message,
        options,
      );
    const { status } = await outbox().start(delivery, { token, send });
    return status;
  };

  const rows = async (node?: OutboxNode) =>
    (await controller.tree.children(node)).map((child) => ({ node: child, item: controller.tree.item(child) }));
  const texts = (items: { item: TreeItem }[]) =>
    items.map(({ item }) => `${item.label} ${item.description ?? ''}`.trim());
  const iconOf = ({ iconPath }: TreeItem) => (iconPath instanceof ThemeIcon ? iconPath.id : undefined);

  it('lists deliveries, the newest first, their outcomes, and who is in each', async () => {
    await deliver({ name: 'first.md' });
    await deliver({ name: 'second.md', batches: planBatches(RECIPIENTS.slice(0, 1), 1) });
    const [second, first] = await rows();
    assert.match(`${second?.item.label} ${second?.item.description}`, /^second\.md 1 of 1 reached · /);
    assert.match(`${first?.item.label} ${first?.item.description}`, /^first\.md 2 of 3 reached · /);
    assert.deepEqual(
      [second, first].map((row) => row && iconOf(row.item)),
      ['pass', 'warning'],
    );
    assert.deepEqual(
      [second, first].map((row) => row?.item.contextValue),
      ['delivery remove', 'delivery resend remove'],
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
      ['delivery resend remove compare', 'delivery resend remove'],
    );
  });

  it('tells other features about its deliveries, in plain values', async () => {
    await deliver({ name: 'first.md' });
    const { deliveries, unreadable } = await controller.list();
    assert.deepEqual(
      deliveries.map(({ name, botId, state, total, counts }) => ({ name, botId, state, total, counts })),
      [
        {
          ...{ name: 'first.md', botId: BOT, state: 'unreached', total: 3 },
          counts: { reached: 2, missing: 1, rejected: 0, unknown: 0, notSent: 0 },
        },
      ],
    );
    assert.equal(unreadable, 0);
    const id = deliveries[0]?.id ?? assert.fail();
    const details = "The service didn't confirm delivery to this recipient.";
    const nora = { chat: { type: 'user', id: '7850437' }, name: '[Nora](command:x)', result: 'missing', details };
    assert.deepEqual((await controller.get(id, () => true, 5))?.unreached, [nora]);
    assert.deepEqual((await controller.get(id, () => false, 5))?.unreached, []);
    assert.deepEqual((await controller.get(id, () => true, 0))?.unreached, []);
    assert.equal(await controller.get(id.replace(/^\d/, '9'), () => true, 5), undefined);
  });

  it('shortens long names in their middle, so that a narrow row shows the outcome', async () => {
    const name = 'What we changed in the town hall this year 🎉 (final).md';
    await deliver({ name });
    const [row] = await rows();
    assert.equal(row?.item.label, 'What we changed in the…(final).md');
    assert.match(String(row?.item.accessibilityInformation?.label), /^What we changed in the town hall this year 🎉/);
  });

  it('says of each delivery what can be done with it', async () => {
    service.sandbox.setFaults({
      faults: [{ on: 'batch_send', fault: 'reset', work: 'done', skip: 1 }],
    });
    await deliver();
    const [row] = await rows();
    assert.deepEqual([row?.item.contextValue, row && iconOf(row.item)], ['delivery check resend remove', 'question']);
  });

  it('says where a delivery was sent, also on the row if that is not the connected service', async () => {
    await deliver({ name: 'here.md' });
    await deliver({ name: 'elsewhere.md', service: 'https://chat.example/api' });
    const { delivery } = await deliver({ name: 'sandbox.md', service: 'sandbox:' });
    const described = async () => (await rows()).map(({ item }) => `${item.description}`.replace(/ · [^·]*$/, ''));
    assert.deepEqual(await described(), [
      '2 of 3 reached · the sandbox',
      '2 of 3 reached · chat.example/api',
      '2 of 3 reached',
    ]);
    const here = service.sandbox.openApiUrl.replace('http://', '');
    const tooltips = (await rows()).map(({ node }) =>
      controller.tree.tooltip(node)?.value.replace(/&#(\d+);/g, unescaped),
    );
    for (const [at, name] of ['the sandbox', 'chat.example/api', here].entries()) {
      assert.ok(tooltips[at]?.includes(`, sent by Order Desk through ${name}`), tooltips[at]);
    }
    assert.match(await controller.report(delivery.id), /sent by Order Desk through the sandbox\n/);
    await configure({ 'service.webUrl': undefined, 'service.openApiUrl': undefined });
    assert.equal((await described())[2], `2 of 3 reached · ${here}`);
    const { webUrl, openApiUrl } = service.sandbox;
    await configure({ 'service.webUrl': webUrl, 'service.openApiUrl': openApiUrl });
  });

  it('lists a limited number of recipients, and links to the report for the rest', async () => {
    const many = Array.from({ length: 1200 }, (_, index) => ({
      type: 'group' as const,
      id: `${index}`,
      name: `${index}`,
    }));
    await deliver({ batches: planBatches(many, 2000) });
    const [delivery] = await rows();
    const [missing] = await rows(delivery?.node);
    const listed = await rows(missing?.node);
    assert.equal(listed.length, 501);
    const more = listed.at(-1)?.item;
    assert.equal(more?.label, '… and 700 more in the report');
    assert.equal(more?.command?.command, 'botChats.openReport');
  });

  it('shows names and texts from the service as plain text in tooltips and reports', async () => {
    const status = await deliver();
    const [row] = await rows();
    const tooltip = controller.tree.tooltip(row?.node ?? assert.fail());
    assert.ok(tooltip instanceof MarkdownString && !tooltip.isTrusted);
    const report = await reportOf({ status, isRunning: false });
    assert.ok(!report.includes('](command:'), report);
    assert.match(report, /\| reached \| Message&#32;|Message /);
  });

  it('hides nothing in names of documents and recipients', async () => {
    const hidden = 'a\u202Eb\u200Fc';
    await deliver({ name: `${hidden}.md`, batches: planBatches([{ type: 'group', id: 'nosuch', name: hidden }], 1) });
    const [row] = await rows();
    assert.equal(row?.item.label, 'abc.md');
    const [state] = await rows(row?.node);
    assert.deepEqual(texts(await rows(state?.node)), ['abc nosuch']);
  });

  it('shows large numbers as in the language of VS Code', async () => {
    const many = Array.from({ length: 1200 }, (_, at): Recipient => ({ type: 'user', id: `9${at}`, name: `${at}` }));
    const { delivery } = await deliver({ batches: planBatches(many, 2000) });
    const [row] = await rows();
    assert.match(`${row?.item.description}`, /^0 of 1,200 reached · /);
    assert.deepEqual(texts(await rows(row?.node)), ['Not confirmed 1,200']);
    const shown = onMessages();
    await writeFile(join(folder, 'running', delivery.id), JSON.stringify({ at: 0 }));
    await controller.reportInterrupted();
    const counts = 'Reached: 0 of 1,200. Unknown: 0. Not sent: 0.';
    assert.deepEqual(shown, [`The delivery of “announcement.md” was interrupted. ${counts}`]);
  });

  it('copies a report as Markdown and as CSV, in which no name is a formula', async () => {
    const status = await deliver();
    await controller.act('copyReport', status.delivery.id);
    assert.equal(await env.clipboard.readText(), await reportOf({ status, isRunning: false }));
    await controller.act('copyReportCsv', status.delivery.id);
    const copied = await env.clipboard.readText();
    const csv = await csvOf(status);
    assert.equal(copied.replace(/\r?\n/g, '\r\n'), csv);
    const [head, first, second, third] = csv.split('\r\n');
    assert.equal(head, '"Recipient","Type","ID","Result","Details"');
    assert.match(first ?? '', /^"The shop","group","518204736","reached","Message [0-9a-f]{32}"$/);
    assert.match(second ?? '', /^"'=HYPERLINK\(""x""\)","group","big",/);
    assert.equal(
      third,
      '"[Nora](command:x)","person","7850437","not confirmed","The service didn\'t confirm delivery to this recipient."',
    );
  });

  it('takes nothing in a CSV for a formula, whatever its width, and has each recipient on one line', async () => {
    const names = ['=1+1', '+1', '-1', '@a', '＝1', '＋1', '－1', '＠a', '\t=1', ' \n=1', 'a\r\n=1\tb\u2028c'];
    const recipients = names.map((name, at) => ({ type: 'user' as const, id: `${at}`, name }));
    const status = await deliver({ batches: planBatches(recipients, 20) });
    const rows = (await csvOf(status)).split('\r\n').slice(1, -1);
    const cells = rows.map((row) => /^"(.*?)","person","\d+","not confirmed","[^"]*"$/.exec(row)?.[1]);
    const formulas = ['=1+1', '+1', '-1', '@a', '＝1', '＋1', '－1', '＠a', '=1', '=1'];
    assert.deepEqual(cells, [...formulas.map((formula) => `'${formula}`), 'a =1 b c']);
  });

  it('adds all recipients of a delivery to an audience, unless they are too many for one', async () => {
    const { delivery } = await deliver();
    await controller.act('saveRecipients', delivery.id);
    const chats = RECIPIENTS.map(({ type, id }) => ({ kind: type, id }));
    assert.deepEqual(ran, [['addToAudience', undefined, chats]]);
    const many = Array.from({ length: 10_001 }, (_, at) => ({ type: 'group' as const, id: `${at}`, name: `${at}` }));
    const { delivery: large } = await deliver({ batches: planBatches(many, 10_001) });
    await assert.rejects(controller.act('saveRecipients', large.id), {
      message: 'An audience can have up to 10,000 recipients.',
    });
  });

  it('resends to unreached recipients only, after a confirmation that warns of duplicates', async () => {
    const { delivery } = await deliver();
    const questions: { message: string; detail: string }[] = [];
    onMessages();
    answer('showWarningMessage', (async (message: string, options: { modal?: boolean; detail?: string }) => {
      if (!options.modal) return undefined;
      questions.push({ message, detail: options.detail ?? '' });
      return 'Send';
    }) as never);
    service.requests.splice(0);
    await sender.resend(delivery.id);
    assert.match(questions[0]?.message ?? '', /to 1 person\?$/);
    assert.match(questions[0]?.detail ?? '', /1 recipient may already have this message\./);
    assert.equal(sends().length, 1);
    const [again] = await outbox().all();
    assert.equal(again?.status.delivery.resends, delivery.id);
    assert.deepEqual(
      again?.status.recipients().map(({ id }) => id),
      ['7850437'],
    );
  });

  it('resends with the document of the delivery, and compares none: the message is not from the document now', async () => {
    const message = { contentType: 'text' as const, content: { text: 'Hello' } };
    const first = await deliver({ source: 'file:///a.md', document: 'Hello (1)', message });
    await deliver({ source: 'file:///a.md', document: 'Hello (2)', message, digest: 'e' });
    const asked: string[] = [];
    answer('showWarningMessage', (async (
      _: string,
      { modal, detail }: { modal?: boolean; detail?: string },
      ...buttons: string[]
    ) => {
      if (!modal) return undefined;
      asked.push(`${detail}`, ...buttons);
      return 'Send';
    }) as never);
    await sender.resend(first.delivery.id);
    assert.match(asked[0] ?? '', /has changed since this document was last sent/);
    assert.deepEqual(asked.slice(1), ['Change Recipients', 'Send']);
    const [{ status: again } = assert.fail()] = await outbox().all();
    assert.deepEqual([again.delivery.resends, again.delivery.document], [first.delivery.id, 'Hello (1)']);
  });

  it('resends nothing if everyone was reached', async () => {
    const { delivery } = await deliver({ batches: planBatches(RECIPIENTS.slice(0, 2), 2) });
    service.requests.splice(0);
    await assert.rejects(sender.resend(delivery.id), /has changed\. Check the outbox/);
    assert.deepEqual(sends(), []);
  });

  it('resumes after a confirmation whose first button opens the report', async () => {
    service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'code', code: 1003, msg: 'unauthorised' }] });
    const status = await deliver();
    assert.equal(status.stopped, 'token');
    service.sandbox.setFaults(undefined);
    service.requests.splice(0);
    const buttons: string[][] = [];
    const answers = ['Open Report', 'Resume'];
    onMessages((_, offered) => {
      if (!offered.includes('Resume')) return undefined;
      buttons.push([...offered]);
      return answers.shift();
    });
    await sender.resume(status.delivery.id);
    assert.deepEqual([sends(), ran], [[], [['openReport', status.delivery.id]]]);
    await sender.resume(status.delivery.id);
    assert.deepEqual(buttons, [
      ['Open Report', 'Resume'],
      ['Open Report', 'Resume'],
    ]);
    assert.equal(sends().length, 3);
    assert.equal((await outbox().get(status.delivery.id))?.status.counts.reached, 2);
  });

  it('checks the chats of recipients with an unknown result, and stores what it finds', async () => {
    service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'reset', work: 'done', times: 1 }] });
    const { delivery, counts } = await deliver();
    assert.equal(counts.unknown, 1);
    const shown = onMessages();
    await controller.act('check', delivery.id);
    assert.match(shown.at(-1) ?? '', /^Reached: 1\. Not reached: 0\. Still unknown: 0\./);
    assert.equal((await outbox().get(delivery.id))?.status.counts.reached, 2);
  });

  it('offers no second resend after the check of a delivery that was resent', async () => {
    service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'reset', work: 'done', times: 1 }] });
    const { delivery } = await deliver();
    onMessages((_, offered) => offered.find((button) => button === 'Send'));
    await sender.resend(delivery.id);
    let offers: string[] = [];
    onMessages((_, offered) => {
      offers = [...offered];
      return undefined;
    });
    await controller.act('check', delivery.id);
    assert.deepEqual(offers, ['Open Report']);
  });

  it('reports the result once', async () => {
    const { delivery } = await deliver();
    const shown = onMessages((_, offered) => offered.find((button) => button === 'Send'));
    await sender.resend(delivery.id);
    while (!repainted.includes((await outbox().all())[0]?.status.delivery.id ?? '')) await setImmediate();
    assert.equal(shown.filter((text) => text.startsWith('0 of 1 recipients reached.')).length, 1);
    assert.equal(shown.length, 2);
  });

  it('reports the result even if an open history fails', async () => {
    const { delivery } = await deliver();
    const shown = onMessages((_, offered) => offered.find((button) => button === 'Send'));
    host.chatEvents.onDidArrive(() => Promise.reject(new Error('no history')));
    await assert.rejects(sender.resend(delivery.id), /no history/);
    assert.match(shown.at(-1) ?? '', /^0 of 1 recipients reached\./);
  });

  it('copies one report at a time: of several, only the last would be kept', () => {
    const entries: { command: string; when: string }[] = manifest.contributes.menus['view/item/context'];
    const copying = entries.filter(({ command }) => command.includes('copyReport'));
    assert.deepEqual(
      copying.map(({ when }) => when.endsWith(' && !listMultiSelection')),
      [true, true],
    );
  });

  it('does not resume a delivery that was resent', async () => {
    service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'code', code: 1003, msg: 'unauthorised' }] });
    const { delivery } = await deliver();
    service.sandbox.setFaults(undefined);
    const unreached = await outbox().unreached(delivery.id);
    const again = { ...delivery, id: outbox().newId(), resends: unreached.lastId, batches: [] };
    await outbox().resend(again, unreached, { token: 't', send: () => assert.fail('nothing is left to send') });
    service.requests.splice(0);
    await assert.rejects(sender.resume(delivery.id), /has changed/);
    assert.deepEqual(sends(), []);
    const all = await rows();
    assert.equal(all.at(-1)?.item.contextValue, 'delivery remove');
  });

  it('says where to cancel a delivery that another window sends', async () => {
    const { delivery } = await deliver();
    const end = await new DeliveryStore(diskFiles(folder)).startHeartbeat(delivery.id);
    const [row] = await rows();
    assert.equal(row?.item.contextValue, 'delivery cancel');
    await assert.rejects(controller.act('cancel', delivery.id), /Another window is sending this\. Cancel it there\./);
    await end();
  });

  it('says if the response does not match the request, even if everyone was reached', async () => {
    service.instead = (request) => {
      if (!new URL(request.url).pathname.endsWith('/batch_send')) return undefined;
      const successList = ['518204736', '999'].map((recvId) => ({ msgId: 'm', recvId, recvType: 'group' }));
      return Promise.resolve(Response.json({ code: 1, msg: 'success', data: { successCount: 2, successList } }));
    };
    const status = await deliver({ batches: planBatches(RECIPIENTS.slice(0, 1), 1) });
    service.instead = () => undefined;
    assert.match(await reportOf({ status, isRunning: false }), /response doesn&#39;t match the request/);
    assert.match(await reportOf({ status, isRunning: false }), /recipients you didn&#39;t send to&#58; 999/);
  });

  it('has a row for a delivery that was damaged, which can be deleted', async () => {
    await deliver({ name: 'fine.md' });
    const { delivery } = await deliver({ name: 'damaged.md' });
    await writeFile(join(folder, 'deliveries', delivery.id, 'delivery.ndjson'), 'damaged');
    const [damaged, fine] = await rows();
    assert.deepEqual([damaged?.item.label, damaged?.item.contextValue], ['Unreadable delivery', 'unreadable remove']);
    assert.equal(fine?.item.label, 'fine.md');
    const { tooltip } = damaged?.item ?? assert.fail();
    assert.match(tooltip instanceof MarkdownString ? tooltip.value : '', /its file is damaged/);
    assert.deepEqual(await rows(damaged?.node), []);
    await assert.rejects(controller.act('openReport', delivery.id), /its file is damaged/);
    assert.match(await controller.report(delivery.id), /its file is damaged/);
    const questions = onMessages((_, offered) => offered.find((button) => button === 'Delete'));
    await controller.act('remove', delivery.id);
    assert.match(questions[0] ?? '', /^Delete the delivery of “.+” from the outbox\?$/);
    assert.equal((await rows()).length, 1);
  });

  it('updates open reports when a delivery changes', async () => {
    service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'reset', work: 'done', times: 1 }] });
    const { delivery } = await deliver();
    assert.match(await controller.report(delivery.id), /\| unknown \|/);
    repainted = [];
    onMessages();
    await controller.act('check', delivery.id);
    while (!repainted.includes(delivery.id)) await setImmediate();
    assert.doesNotMatch(await controller.report(delivery.id), /\| unknown \|/);
  });

  it('has a report that says so while the delivery is being sent', async () => {
    let report = '';
    service.instead = async (request) => {
      if (!new URL(request.url).pathname.endsWith('/batch_send')) return undefined;
      const [id] = (await readdir(join(folder, 'deliveries'))).toSorted().toReversed();
      report = await controller.report(id ?? '');
      return undefined;
    };
    const { delivery } = await deliver();
    service.instead = () => undefined;
    assert.match(report, /\n\nSending… 2 of 3 recipients reached/);
    assert.match(await controller.report(delivery.id), /\n\n2 of 3 recipients reached/);
  });

  it('lists unreached recipients first in a report, up to a limit', async () => {
    const many = Array.from({ length: 1200 }, (_, index) => ({
      type: 'user' as const,
      id: `${index}`,
      name: `${index}`,
    }));
    const status = await deliver({ batches: [...planBatches(RECIPIENTS.slice(0, 1), 1), ...planBatches(many, 2000)] });
    const report = await reportOf({ status, isRunning: false });
    assert.match(report, /… and 201 more\. Copy the report as CSV to see everyone\./);
    assert.ok(!report.includes('| reached |'));
  });

  it('keeps a row that is requested after its delivery was deleted', async () => {
    const { delivery } = await deliver();
    const [row] = await controller.tree.children();
    await outbox().remove(delivery.id);
    assert.deepEqual(await controller.tree.children(), []);
    assert.equal(controller.tree.item(row ?? assert.fail()).id, delivery.id);
  });

  it('refuses to act on a delivery of another service, and says so', async () => {
    onMessages((_, offered) => (offered.includes('Resume') ? 'Resume' : undefined));
    const cases = [
      [{ fault: 'missing' }, (id: string) => sender.resend(id)],
      [{ fault: 'reset', work: 'done' }, (id: string) => controller.act('check', id)],
      [{ fault: 'code', code: 1003 }, (id: string) => sender.resume(id)],
    ] as const;
    for (const [fault, act] of cases) {
      service.sandbox.setFaults({ faults: [{ on: 'batch_send', times: 1, ...fault }] });
      const { delivery } = await deliver({ service: 'https://other.test' });
      service.requests.splice(0);
      await assert.rejects(act(delivery.id), /belongs to https:\/\/other\.test/);
      assert.deepEqual(service.requests, []);
    }
  });

  it('deletes a delivery only after confirmation', async () => {
    const { delivery } = await deliver();
    const answers: (string | undefined)[] = [undefined, 'Delete'];
    onMessages(() => answers.shift());
    await controller.act('remove', delivery.id);
    assert.equal((await outbox().all()).length, 1);
    await controller.act('remove', delivery.id);
    assert.deepEqual(await outbox().all(), []);
    await assert.rejects(controller.act('openReport', delivery.id), /no longer in the outbox/);
  });

  it('deletes no delivery that was sent while the user was asked', async () => {
    service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'code', code: 1003, msg: 'unauthorised' }] });
    const { delivery } = await deliver();
    service.sandbox.setFaults(undefined);
    answer('showWarningMessage', (async (...shown: unknown[]) => {
      if (!shown.includes('Delete')) return 'Resume';
      await sender.resume(delivery.id);
      return 'Delete';
    }) as unknown as typeof window.showWarningMessage);
    await assert.rejects(controller.act('remove', delivery.id), /“announcement\.md” has changed\. Check the outbox/);
    assert.equal((await outbox().get(delivery.id))?.status.counts.reached, 2);
  });

  it('says before it resumes a resend who may have the message', async () => {
    service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'reset', work: 'done', times: 1 }] });
    const { delivery } = await deliver({ batches: planBatches(RECIPIENTS.slice(0, 2), 1) });
    await outbox().resume(delivery.id, { token: 't', send: () => Promise.reject(new Error('not sent')) });
    const unreached = await outbox().unreached(delivery.id);
    const resend = {
      ...delivery,
      id: outbox().newId(),
      resends: delivery.id,
      batches: planBatches(RECIPIENTS.slice(0, 2), 1),
    };
    await outbox().resend(resend, unreached, { token: 't', send: () => Promise.reject(new Error('killed')) });
    let detail = '';
    answer('showWarningMessage', (async (_: string, options: { detail?: string }) => {
      detail = options.detail ?? '';
    }) as unknown as typeof window.showWarningMessage);
    await sender.resume(resend.id);
    assert.equal(
      detail,
      [
        '⚠ 1 recipient may already have this message.\n• The shop (518204736)',
        'No one below has received it yet.\n• =HYPERLINK("x") (big)',
      ].join('\n\n'),
    );
  });

  it('never stores a token', async () => {
    service.instead = (request) =>
      new URL(request.url).pathname.endsWith('/batch_send')
        ? Promise.resolve(Response.json({ code: 1002, msg: `bad ${request.url}` }))
        : undefined;
    const status = await deliver();
    service.instead = () => undefined;
    const token = service.sandbox.token(BOT) ?? '';
    for (const text of [
      await reportOf({ status, isRunning: false }),
      await csvOf(status),
      JSON.stringify((await outbox().all())[0]?.status.delivery),
    ]) {
      assert.ok(!text.includes(token), text);
    }
  });
});
