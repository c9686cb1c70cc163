import assert from 'node:assert/strict';
import type { Window } from '../host/window.ts';
import { LONG_TIMEOUT_MS, openWindow } from './shared.ts';

const SHOP = '518204736';
const BOT = '30481126';
const READ = { chatType: 'group', chatId: SHOP, botId: BOT, count: 5 };

describe('Tools for agents in a window', function () {
  this.timeout(LONG_TIMEOUT_MS);
  let window: Window;
  const question = () => window.page.locator('.monaco-dialog-box');
  const press = (name: string) => question().getByRole('button', { name, exact: true }).click();

  before(async () => {
    window = await openWindow({ settings: { 'botChats.service.sandbox': true } });
  });
  after(() => window?.close());
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.screenshot('agent-failed');
  });

  it('read nothing if the user declines', async () => {
    await window.callTool('botchats_read', READ);
    await question().getByText('Let the agent read messages?').waitFor();
    await question()
      .getByText(
        `Up to 5 messages of the group Fern & Kettle: the shop team (${SHOP}), with their senders, times, and buttons, will be sent to the language model. Allowing this for longer than once allows it for all chats.`,
      )
      .waitFor();
    await window.screenshot('agent-1-question');
    await press('Cancel');
    assert.equal(await window.toolResult(), 'Canceled: Canceled');
  });

  it('read messages if the user accepts', async () => {
    await window.callTool('botchats_read', READ);
    await press('Yes');
    assert.match(await window.toolResult(), /"text":"Green\. Blue disappears on the shelf\."/);
  });

  it('open a draft that only the user can send', async () => {
    await window.callTool('botchats_draft', {
      body: '# Labels\n\nWe take the **green** ones.\n',
      botId: BOT,
      groups: [SHOP],
      buttons: [[{ text: 'See the labels', opens: 'https://example.com/labels' }]],
    });
    await question().getByText('Let the agent open a draft?').waitFor();
    await window.screenshot('agent-2-draft-question');
    await press('Yes');
    assert.match(await window.toolResult(), /It is not sent\. Recipients: 1\. Its checks find no problems\./);
    const preview = await window.webview('Preview Untitled-1');
    await preview.getByRole('heading', { name: 'Labels' }).waitFor();
    await preview.getByRole('button', { name: 'See the labels' }).first().waitFor();
    await window.screenshot('agent-3-draft');
    await window.command('Bot Chats: Focus on Outbox View');
    await window.page.getByText('Messages you send appear here').first().waitFor();
  });

  it('ask nothing for chats that the user has allowed, and see none that the user has not', async () => {
    await window.configure({ 'botChats.agents.access': 'chosen', 'botChats.agents.chats': { groups: [SHOP] } });
    await window.callTool('botchats_read', READ);
    assert.match(await window.toolResult(), /^Messages of group/);
    await window.callTool('botchats_read', { ...READ, chatId: '546790213' });
    assert.match(await window.toolResult(), /The user doesn't let agents see group 546790213\./);
  });

  it('are off if the user turns them off', async () => {
    await window.configure({ 'botChats.agents.enabled': false });
    await window.callTool('botchats_list', {});
    assert.match(await window.toolResult(), /The user has turned off the tools of Bot Chats/);
  });
});
