import assert from 'node:assert/strict';
import { env, QuickPickItemKind } from 'vscode';
import { messageIdOf } from '../../../../src/deliveries/outbox/deliveryStatus.ts';
import type { SentMessages } from '../../../../src/platform/chatEvents.ts';
import type { Host } from '../../../../src/platform/host.ts';
import type { Chat } from '../../../../src/service/model.ts';
import { onLists } from '../../answers.ts';
import { configure } from '../../test-service.ts';
import { BOT, TOKEN } from '../outbox/testDeliveries.ts';
import { draftOf } from './testJourney.ts';
import { useSending } from './testSending.ts';

const SHOP: Chat = { kind: 'group', id: '518204736' };

const TOWN: Chat = { kind: 'group', id: 'big' };

const ALICE: Chat = { kind: 'user', id: '7058314' };

const source = 'file:///a.md';

describe('Sending a draft to chosen chats', () => {
  const sending = useSending({ groups: [SHOP.id], people: [ALICE.id] });

  it('asks only for confirmation, which shows all, and tells what watches chats which messages it has sent', async () => {
    const { chatEvents } = sending.open.host;
    const arrived: string[] = [];
    chatEvents.onDidArrive(async (_, chats) => void arrived.push(...chats.map(({ id }) => id)));
    const sent: SentMessages[] = [];
    chatEvents.onDidSend((messages) => sent.push(messages));
    const lists = onLists('escape');
    const asked = sending.press('Send');
    await sending.sender.sendDraft(draftOf('# Hello'), [SHOP, ALICE]);
    assert.deepEqual([lists.length, asked.length], [0, 1]);
    assert.deepEqual(asked[0]?.detail.match(/^[•│] .*/gm), [
      '• Fern & Kettle: the shop team (518204736)',
      '• Alice Fernhollow (7058314)',
      '│ # Hello',
    ]);
    assert.deepEqual(arrived, [SHOP.id, ALICE.id]);
    const { status } = await sending.last();
    const service = sending.service.sandbox.openApiUrl;
    assert.deepEqual(
      sent,
      [SHOP, ALICE].map((chat) => ({ service, messages: [{ ...chat, msgId: messageIdOf(status.outcomeOf(chat)) }] })),
    );
  });

  it('says where the outbox is kept if that isn’t this computer, until the first message is sent from there', async () => {
    Object.assign(env, { remoteName: 'dev-container' });
    onLists('escape');
    const notes: boolean[] = [];
    for (const [at, button] of ['Change Recipients…', 'Send', 'Send'].entries()) {
      const asked = sending.press(button);
      await sending.sender.sendDraft(draftOf(`# ${at}`), [SHOP]);
      notes.push(...asked.map(({ detail }) => detail.includes('in this container, and is deleted with it')));
    }
    Object.assign(env, { remoteName: undefined });
    assert.deepEqual(notes, [true, true, false]);
  });

  it('asks for the bot by the chats that are known by then, unless the draft names it', async () => {
    const asked: unknown[] = [];
    sending.open.host.access.chooseBot = async (...[, , preferred, chats]: Parameters<Host['access']['chooseBot']>) =>
      void asked.push([preferred, chats]);
    const questions = sending.press();
    await sending.sender.sendDraft(draftOf('# Hello'), [SHOP]);
    await sending.sender.sendDraft(draftOf('# Hello', { chats: [TOWN] }));
    await sending.sender.sendDraft(draftOf('# Hello'));
    assert.deepEqual(asked, [
      [undefined, [SHOP]],
      [undefined, [TOWN]],
      [undefined, []],
    ]);
    assert.equal(questions.length, 0);
    await sending.sender.sendDraft(draftOf('# Hello', { botId: BOT }), [SHOP]);
    assert.deepEqual([asked.length, questions.length], [3, 1]);
  });

  it('asks for nothing if the user connects to no service', async () => {
    sending.open.host.access.openService = async () => undefined;
    const questions = sending.press('Send');
    await sending.sender.sendDraft(draftOf('# Hello'), [SHOP]);
    assert.deepEqual([questions, sending.calls], [[], []]);
  });

  it('sends nothing if the service or the token has changed since the user was asked', async () => {
    const { host, connection } = sending.open;
    const changes = {
      'The service has changed': () => configure({ 'service.callsPerSecond': 999 }),
      "The bot's token has changed": async () => host.tokens.set(await connection.open(), BOT, 'another'),
    };
    for (const [problem, change] of Object.entries(changes)) {
      sending.press(async () => {
        await change();
        return 'Send';
      });
      await assert.rejects(sending.sender.sendDraft(draftOf('Hello'), [SHOP]), { message: new RegExp(`^${problem}`) });
    }
    assert.deepEqual(sending.calls, []);
    await configure({ 'service.callsPerSecond': 1000 });
  });

  it('keeps recipients that are in no list when the user changes the recipients', async () => {
    sending.press('Change Recipients…', 'Send');
    const lists = onLists('enter');
    await sending.sender.sendDraft(draftOf('# Hello'), [TOWN]);
    const { ticked, items } = lists[0] ?? assert.fail();
    assert.deepEqual(
      ticked.map(({ label }) => label),
      ['$(organization) Riverside Town 河畔小镇'],
    );
    assert.equal(items.filter(({ kind }) => kind !== QuickPickItemKind.Separator).length, 3);
    assert.deepEqual(sending.sentTo, [TOWN.id]);
  });

  it('remembers the recipients of a document', async () => {
    sending.press('Send', 'Send');
    const lists = onLists(({ description }) => description?.includes(ALICE.id) ?? false, 'enter');
    for (const text of ['One', 'Two']) await sending.sender.sendDraft(draftOf(text, { source }));
    assert.equal(lists[1]?.ticked.length, 1);
    assert.deepEqual(sending.sentTo, [ALICE.id, ALICE.id]);
  });

  it('takes a text with other line ends for the same message, and sends it as it was written', async () => {
    const asked = sending.press('Send', 'Send');
    for (const text of ['One\nTwo', 'One\r\nTwo\r\n']) await sending.sender.sendDraft(draftOf(text), [SHOP]);
    assert.match(asked[1]?.detail ?? '', /already sent/);
    assert.equal(sending.calls[1]?.content.text, 'One\r\nTwo\r\n');
  });

  it('stores the document with the delivery, except one that contains the token', async () => {
    sending.press('Send', 'Send', 'Send');
    const document = '---\nchat:\n  groups: [big] # everyone\n---\nHi';
    for (const text of [document, `---\n# ${encodeURIComponent(TOKEN)}\n---\nHi`, undefined])
      await sending.sender.sendDraft(draftOf('Hi', { source, document: text }), [SHOP]);
    const stored = (await sending.open.outbox.all()).map(({ status }) => status.delivery);
    assert.ok(!JSON.stringify(stored).includes(TOKEN));
    assert.deepEqual(
      stored.map((delivery) => delivery.document),
      [undefined, undefined, document],
    );
  });

  it('compares a changed document instead of sending it, and offers its recipients again', async () => {
    sending.press('Send', 'Compare', 'Send');
    const lists = onLists('enter');
    await sending.sender.sendDraft(draftOf('One', { source }), [SHOP]);
    await sending.sender.sendDraft(draftOf('Two', { source }), [TOWN, ALICE]);
    assert.deepEqual([sending.sentTo, lists.length], [[SHOP.id], 0]);
    const { id } = (await sending.last()).status.delivery;
    assert.deepEqual(sending.open.ran, [['compareWithSent', id]]);
    await sending.sender.sendDraft(draftOf('Two', { source }));
    assert.equal(lists[0]?.ticked.length, 2);
    assert.deepEqual(sending.sentTo, [SHOP.id, TOWN.id, ALICE.id]);
  });

  it('asks again if the same message was sent during the confirmation', async () => {
    const send = () => sending.sender.sendDraft(draftOf('At once'), [SHOP]);
    const asked = sending.press(async () => {
      await send();
      return 'Send';
    }, 'Send');
    await send();
    assert.deepEqual(
      asked.map(({ detail }) => /was already sent to Fern & Kettle/.test(detail)),
      [false, false, true],
    );
    assert.deepEqual(sending.sentTo, [SHOP.id]);
  });
});
