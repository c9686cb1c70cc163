import assert from 'node:assert/strict';
import { commands, QuickPickItemKind, type TextDocument, window, workspace } from 'vscode';
import { type SendingNeeds, sendDocument } from '../../src/sending/send.ts';
import { Connection } from '../../src/workbench/connection.ts';
import { Tokens } from '../../src/workbench/tokens.ts';
import { answer, onLists, onMessages, restore, tick } from './answers.ts';
import { secretStorage } from './memory.ts';
import { keeping, type TestService, useService } from './service.ts';

const BOT = '30481126';
const GROUP = '518204736';
const REFUSING = '7850437';

describe('Sending, with a token in the secret storage', () => {
  let service: TestService;
  let token: string;
  let said: string[];

  beforeEach(async () => {
    service = await useService({ groups: [GROUP, 'big'], bots: [BOT], people: ['7058314', REFUSING] });
    token = service.sandbox.token(BOT) ?? '';
    said = [];
    const say = async (message: string) => void said.push(message);
    answer('showInformationMessage', say as typeof window.showInformationMessage);
    answer('showErrorMessage', say as typeof window.showErrorMessage);
    answer('showQuickPick', (async (items: unknown[]) => (await items)[0]) as unknown as typeof window.showQuickPick);
    answer('showInputBox', (async () => `  ${token}\n`) as typeof window.showInputBox);
    await commands.executeCommand('botChats.setToken');
  });

  afterEach(async () => {
    await commands.executeCommand('botChats.removeToken');
    restore();
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await service.close();
  });

  /** Opens a Markdown document and sends it to those whose description holds one of these IDs. */
  const send = async (content: string, ids: string[], confirm: 'Send' | 'Cancel' = 'Send') => {
    await window.showTextDocument(await workspace.openTextDocument({ language: 'markdown', content }));
    tick(({ description }) => ids.some((id) => description?.includes(id)));
    answer('showWarningMessage', (async (message: string, options: { modal?: boolean }) => {
      said.push(message);
      return options.modal ? confirm : undefined;
    }) as typeof window.showWarningMessage);
    await commands.executeCommand('botChats.sendActiveMarkdown');
  };

  const newestIn = async (chatId: string, chatType: 'group' | 'user') => {
    const query = new URLSearchParams({ token, 'chat-id': chatId, 'chat-type': chatType, before: '1' });
    const response = await fetch(`${service.sandbox.openApiUrl}/open-apis/v1/bot/messages?${query}`);
    const { data } = (await response.json()) as { data: { list: { content: unknown; contentType: string }[] } };
    return data.list[0];
  };

  const sends = () => service.requests.filter(({ pathname }) => pathname.endsWith('/batch_send'));

  it('brings a message to groups and people, with the token as it was pasted but for the blanks', async () => {
    const text = '# Hello\n\nfrom the editor';
    await send(text, [GROUP, '7058314']);
    for (const [id, type] of [
      [GROUP, 'group'],
      ['7058314', 'user'],
    ] as const) {
      const newest = await newestIn(id, type);
      assert.equal(newest?.contentType, 'markdown');
      assert.deepEqual(newest?.content, { text });
    }
    assert.deepEqual(
      sends().map(({ searchParams }) => searchParams.get('token')),
      [token, token],
    );
    assert.equal(said.at(-1), 'Sent: 2 of 2 reached.');
  });

  it('does not call a receiver reached whom the service does not list', async () => {
    await send('For one and not for the other', ['7058314', REFUSING]);
    assert.match(said.at(-1) ?? '', /^Not everybody was reached: 1 of 2\./);
  });

  it('warns of those who may have got the message until they are reached, whatever came between', async () => {
    service.sandbox.setFaults({
      faults: [
        { on: 'batch_send', fault: 'reset', work: 'done', times: 1 },
        { on: 'batch_send', fault: 'code', code: 1002, msg: '[x](command:y)', times: 1 },
      ],
    });
    await window.showTextDocument(await workspace.openTextDocument({ language: 'markdown', content: 'Once' }));
    tick(({ description }) => description?.includes(GROUP) ?? false);
    const confirmations: string[] = [];
    answer('showWarningMessage', (async (message: string, options: { modal?: boolean; detail?: string }) => {
      said.push(message);
      if (!options.modal) return 'Send to the Others…';
      confirmations.push(options.detail ?? '');
      return confirmations.length < 3 ? 'Send' : 'Cancel';
    }) as typeof window.showWarningMessage);
    await commands.executeCommand('botChats.sendActiveMarkdown');
    const warned = confirmations.map((detail) => detail.includes('may have got this message already'));
    assert.deepEqual(warned, [false, true, true]);
    assert.equal(sends().length, 2);
    assert.ok(said.some((message) => message.includes('[x]')));
    assert.ok(!said.some((message) => message.includes('](command:')));
  });

  it('sends nothing without the confirmation', async () => {
    await send('Not to be sent', [GROUP], 'Cancel');
    assert.deepEqual(sends(), []);
  });

  it('sends a document without its front matter, as the type that it says and with its buttons', async () => {
    const block = ['chat:', '  type: html', '  buttons:', '    - text: Come', '      reports: yes-7'];
    await send(['---', 'title: Sale', ...block, '---', '', '<b>Now</b>'].join('\n'), [GROUP]);
    const newest = await newestIn(GROUP, 'group');
    assert.equal(newest?.contentType, 'html');
    const buttons = [[{ text: 'Come', actionType: 3, value: 'yes-7' }]];
    assert.deepEqual(newest?.content, { text: '<b>Now</b>', buttons });
  });

  it('says what stands in the way of sending a document, and sends nothing', async () => {
    await send('---\nchat:\n  tipe: html\n  groups: 1\n---\nHi', [GROUP]);
    assert.match(said.at(-1) ?? '', /cannot be sent: There is no key tipe here\. groups takes a list\.$/);
    assert.deepEqual(sends(), []);
  });

  it('says that an empty document cannot be sent', async () => {
    await send('  \n', [GROUP]);
    assert.match(said.at(-1) ?? '', /is empty/);
    assert.deepEqual(sends(), []);
  });

  it('says that a token is missing after it was removed', async () => {
    await commands.executeCommand('botChats.removeToken');
    await send('No token', [GROUP]);
    assert.match(said.at(-1) ?? '', /^No bot token is saved for http/);
    assert.deepEqual(sends(), []);
  });
});

describe('Sending to chats that are chosen already', () => {
  let service: TestService;
  let connection: Connection;
  let needs: SendingNeeds;
  let document: TextDocument;
  let confirmations: { message: string; detail: string }[];
  let delivered: string[];

  before(async () => {
    service = await useService({ groups: [GROUP], people: ['7058314'] });
  });

  after(() => service.close());

  beforeEach(async () => {
    connection = new Connection(keeping());
    const tokens = new Tokens(secretStorage());
    await tokens.set(await connection.open(), BOT, service.sandbox.token(BOT) ?? '');
    delivered = [];
    needs = {
      tokens,
      openService: () => connection.open(),
      chooseBot: async () => BOT,
      setToken: async () => undefined,
      delivered: async (_, chats) => void delivered.push(...chats.map(({ id }) => id)),
      openHistory: async () => {},
      showReport: async () => {},
    };
    document = await workspace.openTextDocument({ language: 'markdown', content: '# Hello' });
    service.requests.splice(0);
  });

  afterEach(() => {
    restore();
    connection.dispose();
  });

  /** Answers the confirmations, each in turn. */
  const confirm = (...answers: string[]) => {
    onMessages();
    confirmations = [];
    answer('showWarningMessage', (async (message: string, { detail }: { detail: string }) => {
      confirmations.push({ message, detail });
      return answers[confirmations.length - 1];
    }) as unknown as typeof window.showWarningMessage);
  };
  const sends = () => service.requests.filter(({ pathname }) => pathname.endsWith('/batch_send'));

  it('asks for nothing but the confirmation, which names them', async () => {
    const lists = onLists('escape');
    confirm('Send');
    await sendDocument(document, needs, [
      { type: 'group', id: GROUP },
      { type: 'user', id: '7102649' },
    ]);
    assert.equal(lists.length, 0);
    assert.match(confirmations[0]?.message ?? '', /as Order Desk to 2 chats \(groups: 1, people: 1\)\?$/);
    assert.match(confirmations[0]?.detail ?? '', /• Fern & Kettle: the shop team \(518204736\)\n• 闻山禾 \(7102649\)/);
    assert.equal(sends().length, 2);
    assert.deepEqual(delivered, [GROUP, '7102649']);
  });

  it('sends nothing without the confirmation', async () => {
    confirm();
    await sendDocument(document, needs, [{ type: 'group', id: GROUP }]);
    assert.equal(confirmations.length, 1);
    assert.deepEqual(sends(), []);
  });

  it('keeps those that no list has when the person changes the recipients', async () => {
    confirm('Change Recipients', 'Send');
    const lists = onLists('enter');
    await sendDocument(document, needs, [{ type: 'group', id: 'big' }]);
    const [list] = lists;
    assert.deepEqual(
      list?.ticked.map(({ label }) => label),
      ['$(organization) Riverside Town 河畔小镇'],
    );
    assert.equal(list?.items.filter(({ kind }) => kind !== QuickPickItemKind.Separator).length, 3);
    assert.deepEqual(delivered, ['big']);
  });

  it('refuses a document that is no Markdown, before anything is asked', async () => {
    confirm('Send');
    const plain = await workspace.openTextDocument({ language: 'plaintext', content: 'Hello' });
    await assert.rejects(sendDocument(plain, needs, [{ type: 'group', id: GROUP }]), /is not a Markdown file\.$/);
    assert.deepEqual([confirmations, service.requests], [[], []]);
  });
});
