import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DeliveryStore } from '../../src/deliveries/outbox/deliveryStore.ts';
import { Outbox } from '../../src/deliveries/outbox/outbox.ts';
import { newDeliveryId } from '../../src/deliveries/outbox/record.ts';
import { addChecksum } from '../../src/platform/checkedLines.ts';
import { diskFiles } from '../../src/platform/diskFiles.ts';
import { repeatUntil } from '../host/repeating.ts';
import type { Window } from '../host/window.ts';
import { deferred } from '../unit/deferred.ts';
import { saveToken } from './historyDriver.ts';
import { type InterceptedSandbox, serveIntercepted } from './interceptedSandbox.ts';
import { openWindow } from './shared.ts';
import { clickRowButton, restingScreenshot, selectFromContextMenu } from './workbenchActions.ts';

const BOT = '30481126';

const DRAFT = `---
chat:
  bot: ${BOT}
  groups: [518204736, big]
  people: [7058314]
---
# Maintenance

Closed on **Saturday**.
`;

describe('Sending', () => {
  let window: Window;
  let service: InterceptedSandbox;
  /** The recipients and the text of each `batch_send` request. */
  let requests: [recipients: string, text: string][] = [];
  /** By how much the service's clock is ahead (milliseconds): people take time to answer. */
  let passed = 0;
  /** Called with the number of each request; its response waits for the returned promise. */
  let waitBeforeResponse: (request: number) => Promise<unknown> | undefined = () => undefined;
  /** Holds the response to one request. `requested` resolves when that request arrives. */
  const holdResponse = (held: number) => {
    const [requested, response] = [deferred<void>(), deferred<void>()];
    waitBeforeResponse = (request) => {
      if (request !== held) return undefined;
      requested.resolve();
      return response.promise;
    };
    return { requested: requested.promise, respond: response.resolve };
  };
  const recipients = () => requests.map(([recipients]) => recipients);

  const shot = (name: string) => restingScreenshot(window, `sending-${name}`);
  const recipientRow = (text: string) => window.input.locator('.monaco-list-row', { hasText: text }).first();
  const waitForInputText = (text: string) => window.input.getByText(text, { exact: true }).first().waitFor();
  const press = (button: string) => window.dialog.getByRole('button', { name: button, exact: true }).click();
  const outbox = () => join(window.profile.userData, 'User/globalStorage/bot-chats.bot-chats/outbox');
  /** Focuses the first editor group and presses keys there. */
  const pressInEditor = async (...keys: string[]) => {
    // VS Code loses keys while a dialog gives the focus back.
    await repeatUntil(window.page.locator('.monaco-editor.focused').first(), () => window.press('Control+1'));
    for (const key of keys) await window.page.keyboard.press(key);
  };
  /** Moves the cursor to the start of a line. VS Code may lose keys. */
  const moveTo = (line: number, ...keys: string[]) =>
    repeatUntil(window.page.locator('.statusbar-item').getByText(`Ln ${line}, Col 1`), () => pressInEditor(...keys));
  /** Types the start of a suggestion and accepts it. */
  const complete = async (typed: string, label: string) => {
    await window.page.keyboard.type(typed);
    const suggestion = window.page.locator('.suggest-widget .focused').filter({ hasText: label });
    await suggestion.waitFor();
    await window.page.keyboard.press('Enter');
    await suggestion.waitFor({ state: 'hidden' });
  };

  before(async () => {
    service = await serveIntercepted({ replies: true, now: () => Date.now() + passed });
    service.intercept = async (request) => {
      if (!request.url.includes('/batch_send')) return undefined;
      const { recvIds, content } = await request.json();
      await waitBeforeResponse(requests.push([recvIds.join(), content.text]));
      return undefined;
    };
    window = await openWindow({
      settings: {
        ...service.settings,
        'botChats.groups': ['518204736', 'big'],
        'botChats.people': ['7058314'],
        'botChats.bots': [BOT],
        'botChats.sending.batchSize': 1,
        'botChats.audiences': { customers: { groups: ['518204736', 'big'], people: ['7058314'] } },
      },
    });
    await window.page.getByRole('tab', { name: 'Bot Chats' }).click();
    await window.row('Fern & Kettle: the shop team').waitFor();
    const token = service.sandbox.token(BOT) ?? '';
    await saveToken(window, { title: 'Bot Chats: Set Bot Token…', asks: 'Token for bot', bot: 'Order Desk', token });
  });
  after(async () => {
    await window?.close();
    await service?.close();
  });

  it('begins with the recipients: an audience, without one of its members, and typed IDs', async () => {
    const { page } = window;
    await window.openFile('announcement.md');
    await window.command('Bot Chats: Send Draft…');
    await recipientRow('customers').click();
    await waitForInputText('3 of 3 selected');
    await recipientRow('518204736').click();
    await waitForInputText('2 of 3 selected');
    // No row has this ID.
    await page.keyboard.type('7102649');
    await page.keyboard.press('Enter');
    await waitForInputText('Paste IDs');
    await page.keyboard.press('End');
    await page.keyboard.type(' nosuch');
    await page.keyboard.press('Enter');
    await recipientRow('add as a group').waitFor();
    await page.keyboard.press('Escape');
    await waitForInputText('3 Selected');
    await shot('1-recipients');
    await window.input.locator('input:focus').waitFor();
    await page.keyboard.press('Enter');
    await window.dialog.getByText('as Order Desk to 3 chats (groups: 1, people: 2)?').waitFor();
    await page.keyboard.press('Escape');
    await window.dialog.waitFor({ state: 'hidden' });
    assert.deepEqual(requests, []);
  });

  it('completes the chat block of a document', async () => {
    const { page } = window;
    // It begins as the name of the bot does.
    const snippets = { list: { prefix: 'ordered list', body: '1. ' } };
    await mkdir(join(window.folder, '.vscode'), { recursive: true });
    await writeFile(join(window.folder, '.vscode/test.code-snippets'), JSON.stringify(snippets));
    await writeFile(join(window.folder, 'notes.md'), '---\nchat:\n  people: [7058314]\n\n---\n# Notes\n');
    await window.openFile('notes.md');
    // Below the block, without indentation.
    await moveTo(4, 'Control+Home', 'ArrowDown', 'ArrowDown', 'ArrowDown');
    await complete('gr', 'groups');
    await complete('Fern', 'Fern & Kettle: the shop team');
    await window.codeLens('Send to 2 chats').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Backspace');
    await complete('bo', 'bot');
    await complete('order', 'Order Desk');
    // The new line is indented like the one above. VS Code loses the key while it still applies the suggestion.
    const isBelow = page.locator('.statusbar-item').getByText('Ln 7, Col 3');
    await repeatUntil(isBelow, () => page.keyboard.press('Enter'));
    await complete('butt', 'buttons');
    await page.keyboard.type('Shop');
    await page.keyboard.press('Tab');
    await complete('', 'The URL that the button opens.');
    await page.keyboard.type('https://example.com');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('- text: Code');
    await page.keyboard.press('Enter');
    await complete('cop', 'copies');
    await page.keyboard.type('A1');
    await page.locator('.view-line', { hasText: 'A1' }).waitFor();
    const lines = await page.locator('.monaco-editor.focused .view-line').allInnerTexts();
    const written = new Set(lines.map((line) => line.replaceAll('\u00A0', ' ')));
    for (const line of ['    - - text: Shop', '      - text: Code', '        copies: A1'])
      assert.ok(written.has(line), [...written].join('\n'));
    await window.codeLens('Send to 2 chats').waitFor();
    await window.command('View: Revert and Close Editor');
  });

  it('suggests who receives a new message, at each place that Tab leads to', async () => {
    const { page } = window;
    await window.command('Bot Chats: New Message…');
    const suggested = (label: string) => page.locator('.suggest-widget .focused').filter({ hasText: label });
    const accept = async (label: string) => {
      await suggested(label).waitFor();
      await page.keyboard.press('Enter');
      await suggested(label).waitFor({ state: 'hidden' });
    };
    await accept('Fern & Kettle: the shop team');
    await page.keyboard.press('Tab');
    await accept('Alice Fernhollow');
    await window.codeLens('Send to 2 chats').waitFor();
    await window.command('View: Revert and Close Editor');
  });

  it('previews a draft beside the editor as you type, and goes to its problems', async () => {
    const { page } = window;
    await writeFile(join(window.folder, 'draft.md'), DRAFT);
    await window.openFile('draft.md');
    await window.codeLens('Preview').click();
    const preview = await window.webview('Preview draft.md');
    await preview.getByText('Sent as Order Desk').waitFor();
    await moveTo(10, 'Control+End');
    await page.keyboard.type('## Until four');
    await preview.getByRole('heading', { name: 'Until four' }).waitFor();
    await shot('4-preview');
    await pressInEditor('Control+Home', 'ArrowDown', 'End', 'Backspace');
    const problem = preview.getByRole('list', { name: 'Problems' }).getByRole('button').first();
    await problem.click();
    await page.locator('.monaco-editor.focused').first().waitFor();
    await page.keyboard.press('Control+Z');
    await preview.getByRole('button', { name: 'Send…' }).click();
  });

  it('confirms, shows progress, and can be canceled', async () => {
    const { page } = window;
    for (const text of [
      'Send “draft.md” as Order Desk to 3 chats (groups: 2, people: 1)?',
      '⚠ Large number of members: 182,340, in Riverside Town',
    ])
      await window.dialog.getByText(text).waitFor();
    await shot('5-question');
    const { requested, respond } = holdResponse(2);
    await press('Send');
    const progress = window.toast('Sending “Maintenance”');
    await progress.getByText('1 of 3').waitFor();
    await page.getByRole('button', { name: 'Outbox Section' }).click();
    await window.row(/Maintenance, sending…/).waitFor();
    await requested;
    await progress.getByRole('button', { name: 'Cancel' }).click();
    await window.row(/Maintenance, canceling/).waitFor();
    respond();
    await window.toast('2 of 3 reached. Not sent to 1. Canceled. You can resume it.').waitFor();
    await window.clearNotifications();
  });

  it('resumes with the rest after a confirmation, whose first button only opens the report', async () => {
    const { page } = window;
    await clickRowButton(window.row('Maintenance, 2 of 3 reached'), 'Resume…');
    await window.dialog.getByText('Resume sending “Maintenance” as Order Desk to 1 person?').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Delivery of “Maintenance”', selected: true }).waitFor();
    const report = await window.webview('Delivery Report', 'Delivery of “Maintenance”');
    await report.getByRole('cell', { name: 'not sent' }).first().waitFor();
    assert.deepEqual(recipients(), ['518204736', 'big']);
    await clickRowButton(window.row('Maintenance, 2 of 3 reached'), 'Resume…');
    await press('Resume');
    // The open report shows it, too.
    await report.getByRole('cell', { name: 'reached' }).nth(2).waitFor();
    await shot('7-report');
    assert.deepEqual(recipients(), ['518204736', 'big', '7058314']);
    await window.clearNotifications();
  });

  it('finds who has answered, and begins a message to them', async () => {
    const { page } = window;
    passed = 120_000;
    const report = await window.webview('Delivery Report', 'Delivery of “Maintenance”');
    await report.getByRole('button', { name: 'Find Replies' }).click();
    await page.getByRole('tab', { name: 'Replies to “Maintenance”', selected: true }).waitFor();
    const replies = await window.webview('Replies', 'Replies to “Maintenance”');
    await replies.getByRole('article').nth(1).waitFor();
    await replies.getByText(/^Last checked: /).waitFor();
    await shot('7-replies');
    await replies.getByRole('button', { name: /^New Message to Those Who Answered/ }).click();
    await page.locator('.view-line', { hasText: '# > # Maintenance' }).waitFor();
    await page.locator('.view-line', { hasText: 'follows:' }).first().waitFor();
    // The document isn't saved.
    await window.command('View: Revert and Close Editor');
    await window.command('View: Close All Editors');
  });

  it('can be scheduled for later, and edited: its draft says so, and it is offered to be sent there and on its row', async () => {
    const { page } = window;
    requests = [];
    await window.openFile('order-update.md');
    await window.codeLens('Send to 5 people').click();
    await window.dialog.getByText('5 different messages, in 5 calls').waitFor();
    await press('Later…');
    await window.input.getByRole('option', { name: /^In one hour/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.statusbar-item', { hasText: 'Hello {{name}}' }).click();
    await page.locator('.monaco-list-row.selected[aria-label^="Hello {{name}}, scheduled"]').waitFor();
    await shot('8-scheduled');
    await selectFromContextMenu(page, window.row(/^Hello \{\{name\}\}, scheduled for /), 'Edit Message…');
    await press('Edit');
    await window.codeLens('Edits the message due').waitFor();
    const title = page.locator('.editor-actions').getByRole('button', { name: 'Send Edited Message…' });
    const asksAgain = async () => {
      await window.dialog.getByText('Send “order-update.md” as Order Desk to 5 people?').waitFor();
      await page.keyboard.press('Escape');
      await window.dialog.waitFor({ state: 'hidden' });
    };
    await title.click();
    await asksAgain();
    await clickRowButton(window.row(/^Hello \{\{name\}\}, being edited/), 'Send Edited Message…');
    await asksAgain();
    await window.codeLens('Preview').click();
    const preview = await window.webview('Preview order-update.md');
    await preview.getByText(/^Editing the message scheduled for .+\. Sending it replaces that one\.$/).waitFor();
    await shot('8-edited');
    assert.deepEqual(requests, []);
  });

  it('gives each recipient of a file a message with the values of that recipient', async () => {
    await window.codeLens('Send to 5 people').click();
    await window.dialog.getByText('Alice (7058314) gets:').waitFor();
    await press('Send');
    await window.toast('Sent: 5 of 5 reached.').waitFor();
    // It has replaced the scheduled one.
    await window.codeLens('Edits the message due').waitFor({ state: 'hidden' });
    const text = (name: string, order: string) =>
      `# Hello ${name}\n\nYour order **${order}** is on its way and arrives on Thursday.\n`;
    assert.deepEqual(requests, [
      ['7058314', text('Alice', 'FK-2041')],
      ['7102649', text('闻山禾', 'FK-2042')],
      ['7230581', text('Tom', 'FK-2043')],
      ['7315926', text('阿橙', '')],
      ['7408837', text('Priya', 'FK-2045')],
    ]);
    await window.clearNotifications();
    await window.command('View: Close All Editors');
  });

  it('knows after a crash what was sent, unsent or unknown, and asks about what was due meanwhile', async () => {
    requests = [];
    const { requested } = holdResponse(2);
    await writeFile(join(window.folder, 'news.md'), DRAFT.replace('Maintenance', 'News'));
    await window.openFile('news.md');
    await window.codeLens('Send to 3 chats').click();
    await press('Send');
    await requested;
    waitBeforeResponse = () => undefined;
    await window.crash();
    const running = join(outbox(), 'running');
    const [heartbeat = assert.fail('no delivery is running'), ...others] = await readdir(running);
    assert.deepEqual(others, []);
    // Ages the delivery's heartbeat, instead of waiting until it expires.
    await writeFile(join(running, heartbeat), '{"at":0}');
    const stored = new Outbox(new DeliveryStore(diskFiles(outbox())));
    const { delivery } = (await stored.all())[0]?.status ?? assert.fail('the outbox is empty');
    // And its last call, instead of waiting until a message would be listed.
    const claim = join(outbox(), 'deliveries', delivery.id, 'act-1');
    await writeFile(claim, await addChecksum({ batch: 1, attempt: 0, at: 0 }));
    // As a window stored it that was closed before the time.
    const message = { contentType: 'text' as const, content: { text: 'Missed' } };
    await stored.schedule({
      ...delivery,
      id: newDeliveryId(Date.now()),
      name: 'missed.md',
      message,
      due: Date.now() - 60_000,
    });
    await window.reopen();
    await window.page.getByRole('tab', { name: 'Bot Chats' }).click();
    const missed = window.toast('Not sent: “Missed”.');
    await missed.waitFor();
    const interrupted = window.toast(/Interrupted, 1 of 3 reached: “.+”. Unknown: 1. Not sent: 1./);
    await interrupted.waitFor();
    await shot('10-interrupted');
    await missed.getByRole('button', { name: 'Cancel Sending' }).click();
    await window.row(/^Missed, not sent/).waitFor();
    await interrupted.getByRole('button', { name: 'Check Delivery' }).click();
    const checked = window.toast('Still unknown: 0.');
    await checked.waitFor();
    await checked.getByRole('button', { name: 'Resume…' }).click();
    await press('Resume');
    await window.row('News, 2 of 3 reached').waitFor();
    await shot('11-resumed');
    assert.deepEqual(recipients(), ['518204736', 'big', '7058314']);
  });
});
