import assert from 'node:assert/strict';
import test from 'node:test';
import {
  commands,
  type Disposable,
  type QuickPickItem,
  Range,
  Selection,
  Uri,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import { type Draft, DraftReader } from '../../../../src/deliveries/draft/draftReader.ts';
import { registerOutbox } from '../../../../src/deliveries/outbox/index.ts';
import { isScheduled } from '../../../../src/deliveries/outbox/outboxEntry.ts';
import { type Delivery, newDeliveryId } from '../../../../src/deliveries/outbox/record.ts';
import { DraftSender } from '../../../../src/deliveries/send/draftSender.ts';
import { registerSending } from '../../../../src/deliveries/send/index.ts';
import type { Connection } from '../../../../src/platform/service.ts';
import { formatShortTime } from '../../../../src/presentation/formats.ts';
import { temporaryPath } from '../../../host/temporary.ts';
import { answer, onMessages, restore } from '../../answers.ts';
import { useWallClock } from '../../clocks.ts';
import { settled } from '../../deferred.ts';
import { newHost } from '../../test-host.ts';
import { newConnection, useService } from '../../test-service.ts';
import { closeDocuments } from '../../vscode-editors.ts';
import { AT, atRest, BOT, deliveryOf, planBatches } from '../outbox/testDeliveries.ts';

const RECIPIENTS = [{ kind: 'group' as const, id: '518204736', name: 'The shop' }];

const DUE = AT + 3_600_000;

/** The button that sends at that time. */
const SEND_AS_PLANNED = `Send at ${formatShortTime(DUE, AT)}`;

const HTML = '<b>Hello {{name}}</b>';

describe('A scheduled message that is edited in a document', () => {
  const service = useService({ 'service.callsPerSecond': 1000 });
  const clock = useWallClock(AT);
  let connection: Connection;
  let host: ReturnType<typeof newHost>;
  let outbox: ReturnType<typeof registerOutbox>;
  let sending: ReturnType<typeof registerSending>;
  let disposables: Disposable[];
  /** The documents for which VS Code offers to send what they edit. */
  let offered: unknown;

  beforeEach(async () => {
    connection = newConnection();
    host = newHost({ connection, access: { chooseBot: () => assert.fail('asked for a bot') } });
    await host.tokens.set(await connection.open(), BOT, service.sandbox.token(BOT) ?? '');
    outbox = registerOutbox(host);
    const reader = async () => new DraftReader(host);
    sending = registerSending(host, outbox, reader, {
      chosen: (clicked = '') => [clicked],
      seen: (act) => async (id) => void (await act(id)),
    });
    offered = undefined;
    disposables = [
      ...outbox.disposables,
      ...sending.disposables,
      commands.registerCommand('setContext', (key, value) => {
        if (key === 'botChats.editedDocuments') offered = value;
      }),
    ];
    answer('showQuickPick', () => assert.fail('asked for a type or recipients'));
  });
  afterEach(async () => {
    await outbox.close();
    for (const one of disposables) one.dispose();
    closeDocuments();
    restore();
    connection.dispose();
  });

  /** Begins to edit a message, by default one of HTML without a file. Resolves to its document. */
  async function edit(changes: Partial<Omit<Delivery, 'due'>> = {}) {
    const controller = await outbox.controller();
    // No two of them are made at the same time.
    const id = newDeliveryId(clock.now++);
    const { address } = await connection.open();
    const delivery = {
      ...deliveryOf(planBatches(RECIPIENTS, 9), { id, service: address, document: HTML, ...html(HTML), ...changes }),
      due: DUE,
    };
    await controller.outbox.schedule(delivery);
    const entry = await controller.outbox.get(delivery.id);
    assert.ok(entry && isScheduled(entry) && (await controller.outbox.beginEdit(entry)));
    const uri = await controller.openToEdit(entry);
    return { id, uri, document: await workspace.openTextDocument(uri) };
  }
  const html = (text: string) => ({ message: { contentType: 'html' as const, content: { text } } });

  /** Sends it as planned. Resolves to all messages of the outbox, with the recipients and times. */
  async function send(what: string | Uri) {
    onMessages();
    answer('showWarningMessage', (async () => SEND_AS_PLANNED) as never);
    await host.commands.run('sendEditedDelivery', what);
    const all = await (await outbox.controller()).outbox.all();
    return all.map((one) => ({
      due: atRest(one).due,
      message: one.status.delivery.message,
      to: one.status.recipients().length,
    }));
  }

  async function write(uri: Uri, text: string) {
    const change = new WorkspaceEdit();
    change.replace(uri, new Range(0, 0, 99, 0), text);
    await workspace.applyEdit(change);
  }

  it('is sent from its row and from its editor, as the type that it was, to the same recipients at its time', async () => {
    const first = await edit();
    await write(first.uri, '<i>Hi</i>');
    assert.deepEqual(await send(first.id), [{ due: DUE, ...html('<i>Hi</i>'), to: 1 }]);
    closeDocuments();
    const second = await edit();
    await write(second.uri, '<i>Hello</i>');
    const [sent] = await send(second.uri);
    assert.deepEqual(sent, { due: DUE, ...html('<i>Hello</i>'), to: 1 });
  });

  it('opens in the language that it had, in which braces are no variables', async () => {
    const edited = await edit();
    assert.equal(edited.document.languageId, 'html');
    assert.deepEqual(await send(edited.id), [{ due: DUE, ...html(HTML), to: 1 }]);
  });

  it('gets the type that its document names meanwhile', async () => {
    const edited = await edit();
    await write(edited.uri, '---\nchat:\n  type: image\n---\nHi');
    await assert.rejects(send(edited.id), /can't be sent\./);
    await write(edited.uri, '---\nchat:\n  type: text\n---\nHi');
    const message = { contentType: 'text', content: { text: 'Hi' } };
    assert.deepEqual(await send(edited.id), [{ due: DUE, message, to: 1 }]);
  });

  it('is the one whose row is clicked, of several that are edited in the same document', async () => {
    const uri = Uri.joinPath(Uri.file(temporaryPath('edited')), 'weekly.md');
    await workspace.fs.writeFile(uri, new TextEncoder().encode('Weekly'));
    const message = { contentType: 'markdown' as const, content: { text: 'Weekly' } };
    const to = (id: string) => planBatches([{ kind: 'group', id, name: id }], 9);
    const all: Awaited<ReturnType<typeof edit>>[] = [];
    for (const id of ['518204736', 'big', '563311478'])
      all.push(await edit({ source: `${uri}`, document: 'Weekly', message, batches: to(id) }));
    const [, second = assert.fail(), third = assert.fail()] = all;
    const asked: string[] = [];
    onMessages();
    answer('showWarningMessage', (async (_: string, { detail = '' } = {}) => {
      asked.push(/• .*?\(?(\w+)\)?$/m.exec(detail)?.[1] ?? detail);
      return SEND_AS_PLANNED;
    }) as never);
    await host.commands.run('sendEditedDelivery', third.id);
    await host.commands.run('sendEditedDelivery', second.id);
    const edited = (await (await outbox.controller()).outbox.edited()).map(({ status }) => status.delivery.id);
    assert.deepEqual([asked, edited], [['563311478', 'big'], [all[0]?.id]]);
  });

  it('has a button in the title of its editor until it is sent', async () => {
    const edited = await edit();
    assert.deepEqual(offered, [edited.uri.path]);
    await send(edited.id);
    await (await outbox.controller()).compareEdits();
    assert.deepEqual(offered, []);
  });

  it('is sent like any other document once it edits nothing', async () => {
    const document = await workspace.openTextDocument({ content: 'Hi', language: 'html' });
    const titles: unknown[] = [];
    answer('showQuickPick', (async (_: unknown, { title }: { title: string }) => void titles.push(title)) as never);
    await host.commands.run('sendEditedDelivery', document.uri);
    await settled();
    assert.deepEqual(titles, [`Send “${document.uri.path}” As`]);
  });

  it('is no matter of other commands, which send what they are for', async () => {
    const sent: unknown[] = [];
    const [first, second] = [newDeliveryId(1), newDeliveryId(2)];
    const sendDraft = async ({ message: { content } }: Draft, ...to: unknown[]) => void sent.push([content, ...to]);
    const mocked = [
      test.mock.method(DraftSender.prototype, 'sendDraft', sendDraft),
      test.mock.method(DraftSender.prototype, 'resend', async (...what: unknown[]) => void sent.push(what)),
    ];
    host.commands.run = async (...command) => void sent.push(command);
    const document = await workspace.openTextDocument({ content: 'Hi, all', language: 'markdown' });
    (await window.showTextDocument(document)).selection = new Selection(0, 0, 0, 2);
    answer('showQuickPick', (async (items: QuickPickItem[]) =>
      items.find(({ label }) => /Markdown$|New/.test(label))) as never);
    const all = [
      [{ text: 'Hi, all' }, [], undefined],
      [{ text: 'Hi' }],
      [{ text: 'Hi, all' }],
      [first],
      [second, { looksUp: true }],
    ];
    await commands.executeCommand('botChats.sendActiveMarkdown', document.uri);
    await commands.executeCommand('botChats.sendSelection');
    await commands.executeCommand('botChats.sendAs', document.uri);
    await commands.executeCommand('botChats.resendDelivery', first);
    await commands.executeCommand('botChats.lookUpMissing', second);
    assert.deepEqual(sent.splice(0), all);
    await sending.send(RECIPIENTS, document.uri);
    await sending.send(RECIPIENTS);
    assert.deepEqual(sent, [
      [{ text: 'Hi, all' }, RECIPIENTS, undefined],
      ['newMessage', undefined, RECIPIENTS],
    ]);
    for (const { mock } of mocked) mock.restore();
  });
});
