import assert from 'node:assert/strict';
import { commands, window, workspace } from 'vscode';
import { answer, restore, tick } from './answers.ts';
import { type TestService, useService } from './service.ts';

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
