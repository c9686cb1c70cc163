import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import type { Step } from '../host/chatAgent.ts';
import type { Window } from '../host/window.ts';
import { openWindow } from './shared.ts';
import { completedStep, showWalkthrough } from './walkthrough.ts';

const SHOP = '518204736';
const BOT = '30481126';
const MESSAGE = 'The new labels arrived.';

const STEPS: readonly Step[] = [
  { tool: 'botchats_read', input: { chatType: 'group', chatId: SHOP, botId: BOT, count: 5 } },
  {
    markdown: '[阿橙](LINK) likes the green ones. ([Or a command](command:botChats.sendActiveMarkdown).)',
    message: MESSAGE,
  },
];

describe("An agent in VS Code's chat", () => {
  let window: Window;
  const question = () => window.page.locator('.chat-tool-confirmation-carousel');
  const answer = () => window.page.locator('.part.auxiliarybar .interactive-response').last();

  before(async () => {
    window = await openWindow({ settings: { 'chat.disableAIFeatures': false, 'botChats.service.sandbox': true } });
    const plan = { query: 'What do they say about the labels?', steps: STEPS };
    await writeFile(`${window.folder}.plan.json`, JSON.stringify(plan));
    await showWalkthrough(window);
  });
  after(() => window?.close());

  it('reads nothing if the user declines', async () => {
    await window.callTool('botchats_read', { chatType: 'group', chatId: SHOP, botId: BOT, count: 5 });
    await window.dialog.getByText('Let the agent read messages?').waitFor();
    await window.dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await window.toolResult(), 'Canceled: Canceled');
  });

  it('has to ask before it reads, in plain words', async () => {
    await window.command('Test: Ask Agent');
    await question().getByText('Let the agent read messages?').first().waitFor();
    await question()
      .getByText(`Up to 5 messages of the group Fern & Kettle: the shop team (${SHOP}),`)
      .first()
      .waitFor();
    await window.screenshot('agents-1-question');
  });

  it('links to a message, which opens in its history, and cannot link to a command', async () => {
    await question().getByText('Allow in this Session', { exact: true }).last().click();
    await answer().getByText('likes the green ones.').waitFor();
    await window.screenshot('agents-2-answer');
    await answer().getByText('Or a command').waitFor();
    await answer().getByRole('link', { name: 'Or a command' }).waitFor({ state: 'detached' });
    await answer().getByText('阿橙').click();
    const history = await window.webview('Fern & Kettle: the shop team');
    await history.getByText(MESSAGE).waitFor();
  });

  it('completes its step of the walkthrough', async () => {
    await showWalkthrough(window);
    await completedStep(window, 'agents').waitFor();
  });
});
