import assert from 'node:assert/strict';
import test from 'node:test';
import { env, QuickPickItemKind, type window } from 'vscode';
import { type Draft, DraftReader } from '../../../../src/deliveries/draft/draftReader.ts';
import { NO_RULES } from '../../../../src/deliveries/draft/leaveOut.ts';
import { messageIdOf } from '../../../../src/deliveries/outbox/deliveryStatus.ts';
import { DeliveryStore } from '../../../../src/deliveries/outbox/deliveryStore.ts';
import { EditedDocuments } from '../../../../src/deliveries/outbox/editedDocuments.ts';
import { Outbox } from '../../../../src/deliveries/outbox/outbox.ts';
import { DraftSender } from '../../../../src/deliveries/send/draftSender.ts';
import type { SentMessages } from '../../../../src/platform/chatEvents.ts';
import { diskFiles } from '../../../../src/platform/diskFiles.ts';
import type { Host } from '../../../../src/platform/host.ts';
import type { Connection } from '../../../../src/platform/service.ts';
import { timers } from '../../../../src/service/clock.ts';
import type { Chat } from '../../../../src/service/model.ts';
import { answer, type Modal, onLists, onMessages, onModals, restore } from '../../answers.ts';
import { deferred } from '../../deferred.ts';
import { newHost } from '../../test-host.ts';
import { configure, keeping, newConnection, useService } from '../../test-service.ts';

const BOT = '30481126';

const GROUP = '518204736';

describe('Sending a draft to chosen chats', () => {
  const service = useService({ groups: [GROUP], people: ['7058314'], 'service.callsPerSecond': 1000 });
  let connection: Connection;
  let host: Host;
  let outbox: Outbox;
  let sender: DraftSender;
  let confirmations: Modal[];
  let delivered: string[];

  const draft = (text: string, source?: string): Draft => ({
    name: 'hello.md',
    source,
    message: { contentType: 'markdown', content: { text } },
    chats: [],
    rules: NO_RULES,
  });
  const group = (id: string): Chat => ({ kind: 'group', id });

  beforeEach(async () => {
    const kept = keeping();
    connection = newConnection(kept);
    host = newHost({ connection, access: { chooseBot: async () => BOT } });
    await host.tokens.set(await connection.open(), BOT, service.sandbox.token(BOT) ?? '');
    delivered = [];
    host.chatEvents.onDidArrive(async (_, chats) => void delivered.push(...chats.map(({ id }) => id)));
    outbox = new Outbox(new DeliveryStore(diskFiles(kept.folder.fsPath)));
    sender = senderWith(host);
    service.requests.splice(0);
  });

  afterEach(() => {
    restore();
    service.instead = () => undefined;
    connection.dispose();
  });

  function senderWith(host: Host): DraftSender {
    const entryFor = () => assert.fail('nothing is resent');
    const documents = new EditedDocuments(host.workspaceMemento);
    return new DraftSender(
      host,
      { outbox, entryFor, documents, editedIn: async () => undefined },
      new DraftReader(host),
    );
  }

  /** Answers the confirmations in order. */
  const confirm = (...answers: string[]) => {
    onMessages();
    confirmations = onModals((_, at) => answers[at]);
  };
  const flags = () => confirmations.map(({ detail }) => detail.match(/^⚠ .*/gm) ?? []);
  const sends = () => service.requests.filter(({ pathname }) => pathname.endsWith('/batch_send'));

  it('asks only for confirmation, which shows all, and tells what watches chats which messages it has sent', async () => {
    const lists = onLists('escape');
    const sent: SentMessages[] = [];
    host.chatEvents.onDidSend((messages) => sent.push(messages));
    confirm('Send');
    const chats: Chat[] = [group(GROUP), { kind: 'user', id: '7102649' }];
    await sender.sendDraft(draft('# Hello'), chats);
    assert.equal(lists.length, 0);
    const [confirmation] = confirmations;
    assert.equal(confirmation?.message, 'Send “hello.md” as Order Desk to 2 chats (groups: 1, people: 1)?');
    assert.equal(
      confirmation?.detail,
      `Bot: Order Desk (${BOT})\nService: ${service.sandbox.openApiUrl}\n\nTo:\n• Fern & Kettle: the shop team (${GROUP})\n• 闻山禾 (7102649)\n\n` +
        'Markdown, 7 characters:\n│ # Hello',
    );
    assert.equal(sends().length, 2);
    assert.deepEqual(delivered, [GROUP, '7102649']);
    const [entry = assert.fail()] = await outbox.all();
    const msgIds = chats.map((chat) => messageIdOf(entry.status.outcomeOf(chat)));
    const messages = chats.map((chat, at) => ({ ...chat, msgId: msgIds[at] }));
    assert.deepEqual(
      sent,
      messages.map((one) => ({ service: service.sandbox.openApiUrl, messages: [one] })),
    );
  });

  it('says where the outbox is kept if that isn’t this computer, until the first message is sent from there', async () => {
    Object.assign(env, { remoteName: 'dev-container' });
    onLists('escape');
    const notes: boolean[] = [];
    for (const [at, button] of ['Change Recipients…', 'Send', 'Send'].entries()) {
      confirm(button);
      await sender.sendDraft(draft(`# ${at}`), [group(GROUP)]);
      notes.push(...confirmations.map(({ detail }) => detail.includes('in this container, and is deleted with it')));
    }
    Object.assign(env, { remoteName: undefined });
    assert.deepEqual(notes, [true, true, false]);
  });

  it('asks for the bot by the chats that are known by then', async () => {
    const asked: unknown[] = [];
    const access = {
      ...host.access,
      chooseBot: async (...[, , preferred, chats]: Parameters<Host['access']['chooseBot']>) =>
        void asked.push([preferred, chats]),
    };
    await senderWith({ ...host, access }).sendDraft(draft('# Hello'), [group(GROUP)]);
    await senderWith({ ...host, access }).sendDraft({ ...draft('# Hello'), chats: [group('big')] });
    await senderWith({ ...host, access }).sendDraft(draft('# Hello'));
    assert.deepEqual(asked, [
      [undefined, [group(GROUP)]],
      [undefined, [group('big')]],
      [undefined, []],
    ]);
  });

  it('sends nothing if the service or the token has changed since the user was asked', async () => {
    const changes = {
      'The service has changed': () => configure({ 'service.callsPerSecond': 999 }),
      "The bot's token has changed": async () => host.tokens.set(await connection.open(), BOT, 'another'),
    };
    for (const [problem, change] of Object.entries(changes)) {
      confirm();
      answer('showWarningMessage', (async () => {
        await change();
        return 'Send';
      }) as unknown as typeof window.showWarningMessage);
      await assert.rejects(sender.sendDraft(draft('Hello'), [group(GROUP)]), { message: new RegExp(`^${problem}`) });
    }
    assert.deepEqual(sends(), []);
    await configure({ 'service.callsPerSecond': 1000 });
  });

  it('keeps recipients that are in no list when the user changes the recipients', async () => {
    confirm('Change Recipients…', 'Send');
    const lists = onLists('enter');
    await sender.sendDraft(draft('# Hello'), [group('big')]);
    const [list] = lists;
    assert.deepEqual(
      list?.ticked.map(({ label }) => label),
      ['$(organization) Riverside Town 河畔小镇'],
    );
    assert.equal(list?.items.filter(({ kind }) => kind !== QuickPickItemKind.Separator).length, 3);
    assert.deepEqual(delivered, ['big']);
  });

  it('remembers the recipients of a document', async () => {
    confirm('Send', 'Send');
    const lists = onLists(({ description }) => description?.includes('7058314') ?? false, 'enter');
    await sender.sendDraft(draft('One', 'file:///a.md'));
    await sender.sendDraft(draft('Two', 'file:///a.md'));
    assert.match(lists[1]?.ticked.map(({ description }) => description).join() ?? '', /^7058314[^,]*$/);
    assert.deepEqual(delivered, ['7058314', '7058314']);
  });

  it('takes a text with other line ends for the same message, and sends it as it was written', async () => {
    confirm('Send', 'Send');
    for (const text of ['One\nTwo', 'One\r\nTwo\r\n']) await sender.sendDraft(draft(text), [group(GROUP)]);
    assert.match(flags()[1]?.join() ?? '', /already sent/);
    assert.deepEqual((await outbox.all())[0]?.status.delivery.message.content, { text: 'One\r\nTwo\r\n' });
  });

  it('leaves out those who have the message if the user says so, and asks again', async () => {
    confirm('Send', 'Leave Out (1)', 'Send');
    await sender.sendDraft(draft('One'), [group(GROUP)]);
    await sender.sendDraft(draft('One'), [group(GROUP), group('big')]);
    assert.deepEqual(delivered, [GROUP, 'big']);
    const leftOut = `⊘ Left out, because they had this message or didn't exist (1): Fern & Kettle: the shop team (${GROUP})`;
    assert.equal(confirmations[2]?.detail.split('\n')[0], leftOut);
    const { delivery } = (await outbox.all())[0]?.status ?? assert.fail();
    assert.deepEqual(delivery.leftOut, {
      people: [{ kind: 'group', id: GROUP, name: 'Fern & Kettle: the shop team', by: 'needless', note: '' }],
      rows: 0,
    });
  });

  it('stores the document with the delivery, except one that contains the token', async () => {
    confirm('Send', 'Send', 'Send');
    const token = service.sandbox.token(BOT) ?? assert.fail();
    const document = '---\nchat:\n  groups: [big] # everyone\n---\nHi';
    for (const text of [document, `---\n# ${encodeURIComponent(token)}\n---\nHi`, undefined]) {
      await sender.sendDraft({ ...draft('Hi', 'file:///a.md'), document: text }, [group(GROUP)]);
    }
    const stored = (await outbox.all()).map(({ status }) => status.delivery);
    assert.equal(sends().length, 3);
    assert.ok(!JSON.stringify(stored).includes(token));
    assert.deepEqual(
      stored.map((delivery) => delivery.document),
      [undefined, undefined, document],
    );
  });

  it('compares a changed document instead of sending it, and offers its recipients again', async () => {
    const compare = 'Compare';
    const ran: unknown[] = [];
    host.commands.run = async (...command) => void ran.push(command);
    confirm('Send', compare, 'Send');
    const lists = onLists('enter');
    const source = 'file:///a.md';
    await sender.sendDraft(draft('One', source), [group(GROUP)]);
    await sender.sendDraft(draft('Two', source), [group('big'), { kind: 'user', id: '7058314' }]);
    assert.deepEqual([sends().length, lists.length], [1, 0]);
    const [sent] = await outbox.all();
    assert.deepEqual(ran, [['compareWithSent', sent?.status.delivery.id]]);
    await sender.sendDraft(draft('Two', source));
    assert.match(lists[0]?.ticked.map(({ description }) => description).join() ?? '', /^big .*7058314/);
    assert.deepEqual(delivered, [GROUP, 'big', '7058314']);
  });

  it('asks again if the same message was sent during the confirmation', async () => {
    const details: string[] = [];
    answer('showWarningMessage', (async (_: string, { modal, detail }: { modal?: boolean; detail?: string }) => {
      if (!modal) return undefined;
      details.push(detail ?? '');
      if (details.length === 1) await sender.sendDraft(draft('At once'), [group(GROUP)]);
      return details.length < 3 ? 'Send' : undefined;
    }) as never);
    await sender.sendDraft(draft('At once'), [group(GROUP)]);
    assert.deepEqual(
      details.map((detail) => /was already sent to Fern & Kettle/.test(detail)),
      [false, false, true],
    );
  });

  it('says of them after sending that they don’t exist, not that they may have the message', async () => {
    const shown = onMessages((_, buttons) => buttons.find((one) => one === 'Send'));
    await sender.sendDraft(draft('# Hello'), [group(GROUP), group('99999999')]);
    await sender.sendDraft(draft('# Hi'), [group(GROUP), { kind: 'user', id: '9999999' }]);
    const entries = await outbox.all();
    assert.deepEqual(
      shown.filter((text) => !text.startsWith('Send')),
      [
        "1 of 2 reached. Group 99999999 doesn't exist. The service returned error -1: “群(ID:99999999)不存在。”",
        "1 of 2 reached. Person 9999999 doesn't exist.",
      ],
    );
    assert.deepEqual(
      entries.map(({ status }) => [status.counts.absent, status.isOnlyNobodyLeft]),
      [
        [1, true],
        [1, true],
      ],
    );
  });

  it('doesn’t wait long for names', async () => {
    confirm('Send');
    const response = deferred<Response>();
    const ends: (() => void)[] = [];
    const start = timers.after;
    const { mock } = test.mock.method(timers, 'after', (ms: number, run: () => void) => {
      if (ms !== 10_000) return start(ms, run);
      ends.push(run);
      return () => {};
    });
    service.instead = ({ url }) => {
      if (!url.includes('group-info')) return undefined;
      for (const end of ends) end();
      return response.promise;
    };
    try {
      await sender.sendDraft(draft('# Hello'), [group('big')]);
    } finally {
      mock.restore();
      response.resolve(Response.json({ code: 1002, msg: 'No' }));
    }
    // For the recipient, and for the bot.
    assert.equal(ends.length, 2);
    assert.deepEqual(flags(), [["⚠ 1 recipient wasn't looked up and might not exist."]]);
    assert.deepEqual(delivered, ['big']);
  });

  it('looks up nothing that it knows', async () => {
    const known = [group(GROUP), { kind: 'user', id: '7058314' } as const];
    confirm();
    await sender.sendDraft(draft('# Hello'), known);
    const { mock } = test.mock.method((await connection.open()).directory, 'get');
    await sender.sendDraft(draft('# Hello'), known);
    assert.equal(mock.callCount(), 0);
  });
});
