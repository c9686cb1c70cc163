import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Window } from '../host/window.ts';
import { deferred } from '../unit/deferred.ts';
import { repeatUntil } from './editorMouse.ts';
import { saveToken } from './historyDriver.ts';
import { type InterceptedSandbox, serveIntercepted } from './interceptedSandbox.ts';
import { LONG_TIMEOUT_MS, openWindow } from './shared.ts';

const BOT = '30481126';
const GROUPS = ['518204736', 'big', '524317890'];

const people = Array.from({ length: 3_000 }, (_, at) => `${7_200_000 + at}`);

/** Front matter of a draft with a link button and a report button. */
const chat = {
  ...{ bot: BOT, groups: ['518204736', 'big'], people: ['7058314'] },
  buttons: [[{ text: 'Docs', opens: 'https://docs.example/a' }], [{ text: 'I will come', reports: 'yes-7' }]],
};
const draft = `---\nchat: ${JSON.stringify(chat, null, 1).replaceAll('\n', '\n ')}\n---\n# Maintenance\n\nClosed on **Saturday**.\n\n- one\n- two\n`;
const DRAFT_QUESTION = 'Send “draft.md” as Order Desk to 3 chats (groups: 2, people: 1)?';

describe('Sending', function () {
  this.timeout(LONG_TIMEOUT_MS);
  let window: Window;
  let service: InterceptedSandbox;
  /** The recipients of each `batch_send` request. */
  let requests: string[] = [];
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

  const shot = (name: string) => window.screenshot(`sending-${name}`);
  const input = () => window.page.locator('.quick-input-widget');
  const recipientRow = (text: string) => input().locator('.monaco-list-row', { hasText: text }).first();
  const waitForInputText = (text: string) => input().getByText(text, { exact: true }).first().waitFor();
  const toast = (text: string) => window.page.locator('.notification-toast').filter({ hasText: text });
  const row = (text: string | RegExp) => window.page.getByRole('treeitem', { name: text }).first();
  const dialog = () => window.page.getByRole('dialog');
  const press = (button: string) => dialog().getByRole('button', { name: button, exact: true }).click();
  const codeLens = (name: string) => window.page.locator('.codelens-decoration').getByRole('button', { name });
  const clear = () => window.command('Notifications: Clear All Notifications');
  /** Focuses the first editor group and presses keys there. */
  const pressInEditor = async (...keys: string[]) => {
    // VS Code loses keys while a dialog gives the focus back.
    await repeatUntil(window.page.locator('.monaco-editor.focused').first(), () => window.press('Control+1'));
    for (const key of keys) await window.page.keyboard.press(key);
  };
  /** Starts a line without indentation. */
  const newLine = async () => {
    for (const key of ['End', 'Enter', 'Shift+Home', 'Delete']) await window.page.keyboard.press(key);
  };
  /** Types the start of a suggestion and accepts it. */
  const complete = async (typed: string, label: string) => {
    await window.page.keyboard.type(typed);
    const suggestion = window.page.locator('.suggest-widget .focused').filter({ hasText: label });
    await suggestion.waitFor();
    await window.page.keyboard.press('Enter');
    await suggestion.waitFor({ state: 'hidden' });
  };
  /** Ages the delivery's heartbeat, instead of waiting until it expires. */
  const expireHeartbeat = async () => {
    const running = join(window.profile.userData, 'User/globalStorage/bot-chats.bot-chats/outbox/running');
    const files = await readdir(running);
    assert.equal(files.length, 1);
    await Promise.all(files.map((file) => writeFile(join(running, file), '{"at":0}')));
  };
  /** Clicks a button of an outbox row. */
  const clickRowButton = async (text: string, button: string) => {
    await row(text).hover();
    await row(text).getByRole('button', { name: button }).click();
  };

  before(async () => {
    service = await serveIntercepted();
    service.intercept = async (request) => {
      if (request.url.includes('/batch_send'))
        await waitBeforeResponse(requests.push((await request.json()).recvIds.join()));
      return undefined;
    };
    window = await openWindow({
      settings: {
        ...service.settings,
        'botChats.groups': GROUPS,
        // The second recipient accepts no bot messages, so the service doesn't confirm it.
        'botChats.people': ['7058314', '7850437'],
        'botChats.bots': [BOT],
        'botChats.sending.batchSize': 1,
        'botChats.audiences': {
          customers: { groups: ['518204736', 'big'], people: ['7058314'] },
          thousands: { people },
          odd: 3,
        },
      },
    });
    await window.page.getByRole('tab', { name: 'Bot Chats' }).click();
    await row('Fern & Kettle: the shop team').waitFor();
    const token = service.sandbox.token(BOT) ?? '';
    await saveToken(window, { title: 'Bot Chats: Set Bot Token…', asks: 'Token for bot', bot: 'Order Desk', token });
  });
  after(async () => {
    await window?.close();
    await service?.close();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await shot('failed');
  });

  it('selects recipients individually or by audience; an audience is selected with its last member', async () => {
    await window.openFile('announcement.md');
    await window.command('Bot Chats: Send Active Markdown…');
    await recipientRow('customers').click();
    await waitForInputText('3 of 3 selected');
    await waitForInputText('4 Selected');
    await recipientRow('thousands').click();
    await waitForInputText('3,000 of 3,000 selected');
    await recipientRow('thousands').click();
    await waitForInputText('0 of 3,000 selected');
    await waitForInputText('4 Selected');
    await shot('1-audience');
    await recipientRow('518204736').click();
    await waitForInputText('2 of 3 selected');
    await waitForInputText('2 Selected');
    await recipientRow('518204736').click();
    await waitForInputText('3 of 3 selected');
    await waitForInputText('4 Selected');
    await recipientRow('518204736').click();
    await waitForInputText('2 Selected');
  });

  it('saves a selection as an audience, selects pasted IDs, and lists all recipients in the confirmation', async () => {
    const { page } = window;
    await input().getByRole('button', { name: 'Save as Audience…' }).click();
    await waitForInputText('Save as Audience');
    await page.keyboard.type('friends');
    await page.keyboard.press('Enter');
    await recipientRow('friends').waitFor();
    await waitForInputText('2 of 2 selected');
    await waitForInputText('3 Selected');
    await input().getByRole('button', { name: 'Paste IDs…' }).click();
    await waitForInputText('Paste IDs');
    await page.keyboard.type('531048827，7102649 nosuch');
    await page.keyboard.press('Enter');
    await recipientRow('add as a group').waitFor();
    await shot('2-unclear');
    await page.keyboard.press('Escape');
    await recipientRow('friends').waitFor();
    await waitForInputText('5 Selected');
    await recipientRow('thousands').click();
    await waitForInputText('3,000 of 3,000 selected');
    await input().locator('input:focus').waitFor();
    await page.keyboard.press('Enter');
    const question = dialog().getByText('as Order Desk to 3,004 chats (groups: 2, people: 3,002)?');
    await question.waitFor();
    await dialog().getByText('⚠ Large number of recipients: 3,004.').waitFor();
    await shot('3-very-many');
    await press('Show All');
    await waitForInputText('All Recipients');
    await recipientRow('Board games after work').waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    assert.deepEqual(requests, []);
  });

  it('previews a draft beside the editor as you type, and goes to its problems', async () => {
    const { page } = window;
    await writeFile(join(window.folder, 'draft.md'), draft);
    await window.openFile('draft.md');
    await window.command('Bot Chats: Preview Draft');
    const preview = await window.webview('Preview draft.md');
    await preview.getByRole('heading', { name: 'Maintenance' }).waitFor();
    await preview.getByText('Sent as Order Desk').waitFor();
    await preview.getByRole('list', { name: 'Groups' }).getByText('Fern & Kettle: the shop team').waitFor();
    await pressInEditor('Control+End');
    await page.keyboard.type('## Until four');
    await preview.getByRole('heading', { name: 'Until four' }).waitFor();
    await shot('4-preview');
    await preview.getByRole('button', { name: 'I will come' }).click();
    await preview.getByRole('status').filter({ hasText: 'this button reports “yes-7”' }).waitFor();
    await preview.getByRole('button', { name: 'Docs' }).click();
    const leads = dialog().filter({ hasText: 'https://docs.example/a' });
    await leads.waitFor();
    await page.keyboard.press('Escape');
    await leads.waitFor({ state: 'hidden' });
    await pressInEditor('Control+Home', 'ArrowDown', 'End', 'Backspace');
    const problem = preview.getByRole('list', { name: 'Problems' }).getByRole('button').first();
    await problem.waitFor();
    await preview.getByText('Out of date').waitFor();
    await preview.getByRole('heading', { name: 'Until four' }).waitFor();
    for (const [theme, kind] of [
      ['Default High Contrast Light', '.vscode-high-contrast-light'],
      ['Dark 2026', '.vscode-dark'],
    ]) {
      await window.configure({ 'workbench.colorTheme': theme });
      await preview.locator(`body${kind}`).waitFor();
      await shot(`5-problem${kind}`);
    }
    await problem.click();
    await page.locator('.monaco-editor.focused').first().waitFor();
    await page.keyboard.press('Control+Z');
    await preview.getByText('Out of date').waitFor({ state: 'hidden' });
    await preview.getByRole('button', { name: 'Send…' }).click();
    await dialog().getByText(DRAFT_QUESTION).waitFor();
  });

  it('tries a draft in one chat first: Enter sends nothing, and the same confirmation shows the result', async () => {
    const { page } = window;
    const question = dialog().getByText(DRAFT_QUESTION);
    await press('Send to One Chat First…');
    await waitForInputText('Recipients');
    await shot('5-chats');
    await recipientRow('Alice Fernhollow').click();
    const alone = dialog().getByText('Send “draft.md” as Order Desk to Alice Fernhollow first?');
    await alone.waitFor();
    await shot('5-first');
    await page.keyboard.press('Enter');
    await recipientRow('Alice Fernhollow').click();
    await alone.waitFor();
    assert.deepEqual(requests, []);
    await press('Send to This Chat');
    await dialog().getByText('✓ Tested with Alice Fernhollow (7058314): reached.').waitFor();
    await question.waitFor();
    await shot('5-tested');
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    assert.deepEqual(requests, ['7058314']);
    requests = [];
    await clear();
  });

  it('completes front matter keys, and IDs by their names', async () => {
    const { page } = window;
    await window.command('View: Close All Editors');
    await window.openFile('announcement.md');
    for (const key of ['Control+Home', 'Enter', 'Control+Home']) await page.keyboard.press(key);
    await page.keyboard.type('---');
    for (const line of ['chat:', '  ']) {
      await page.keyboard.press('Enter');
      await page.keyboard.type(line);
    }
    await complete('b', 'bot');
    await complete('', 'Order Desk');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Space');
    await complete('gr', 'groups');
    await page.locator('.suggest-widget').getByText('Riverside Town').waitFor();
    await shot('6-names');
    await complete('Fern', 'Fern & Kettle: the shop team');
    await page.keyboard.press('Enter');
    await page.keyboard.type('- ');
    await complete('Riv', 'Riverside Town');
    await newLine();
    await page.keyboard.type('---');
    await codeLens('Send to 2 groups').waitFor();
  });

  it('underlines a mistake and offers a quick fix', async () => {
    const { page } = window;
    const mistake = page.locator('.squiggly-error');
    await mistake.waitFor({ state: 'hidden' });
    await page.keyboard.press('ArrowUp');
    await newLine();
    // Inserted at once, because half-typed text is a different mistake.
    await page.keyboard.insertText('  peeple: [7058314, 7850437]');
    await mistake.waitFor();
    await page.keyboard.press('F8');
    await page.locator('.marker-widget').getByText('Unknown key peeple.').waitFor();
    await shot('7-mistake');
    await page.keyboard.press('Escape');
    await page.locator('.marker-widget').waitFor({ state: 'hidden' });
    // VS Code drops the shortcut while it is about to look for fixes on its own.
    await page.locator('.lightBulbWidget:visible').click();
    await page.locator('.action-widget').getByText('Rename to people').click();
    await codeLens('Send to 4 chats').waitFor();
  });

  it('completes buttons, and shows them in the preview opened from the CodeLens', async () => {
    const { page } = window;
    await codeLens('Preview').click();
    const preview = await window.webview('Preview announcement.md');
    await preview.getByRole('heading', { name: 'Maintenance on Saturday' }).waitFor();
    await preview.getByRole('list', { name: 'People' }).getByText('Alice Fernhollow').waitFor();
    await pressInEditor('End', 'Enter', 'Control+Space');
    await complete('but', 'buttons');
    await page.keyboard.type('Copy the code');
    await page.keyboard.press('Tab');
    await complete('c', 'copies');
    await page.keyboard.type('SPRING-24');
    await preview.getByRole('button', { name: 'Copy the code' }).waitFor();
  });

  it('confirms bot, recipients, type and buttons, warns about huge groups, and shows progress', async () => {
    const { page } = window;
    await codeLens('Send to 4 chats').click();
    for (const text of [
      'Send “announcement.md” as Order Desk to 4 chats (groups: 2, people: 2)?',
      '⚠ Large number of members: 182,340, in Riverside Town',
      /Markdown, \d+ characters:/,
      ...[BOT, '518204736', '7850437', '[Copy the code]'],
    ]) {
      await dialog().getByText(text).waitFor();
    }
    await shot('8-question');
    const { requested, respond } = holdResponse(2);
    await press('Send');
    const progress = toast('Sending “announcement.md”');
    await progress.getByText('1 of 4').waitFor();
    await page.getByRole('button', { name: 'Outbox Section' }).click();
    await row(/announcement\.md, sending…/).waitFor();
    await shot('9-sending');
    await requested;
    await progress.getByRole('button', { name: 'Cancel' }).click();
    await row(/announcement\.md, canceling/).waitFor();
    respond();
    await toast('2 of 4 recipients reached. Not sent to 2. Canceled. You can resume it.').waitFor();
    await row('announcement.md, 2 of 4 reached').waitFor();
    await shot('10-stopped');
    await clear();
  });

  it('resumes with the rest after a confirmation, whose first button only opens the report', async () => {
    const { page } = window;
    await clickRowButton('announcement.md, 2 of 4 reached', 'Resume…');
    await dialog().getByText('Resume sending “announcement.md” as Order Desk to 2 people?').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Delivery of “announcement.md”', selected: true }).waitFor();
    // VS Code gives a custom editor's webview no title.
    const report = await window.webview('undefined');
    await report.getByRole('cell', { name: 'reached' }).nth(1).waitFor();
    await report.getByRole('cell', { name: 'not sent' }).nth(1).waitFor();
    await shot('11-report');
    assert.deepEqual(requests, ['518204736', 'big']);
    await clickRowButton('announcement.md, 2 of 4 reached', 'Resume…');
    await press('Resume');
    await toast('3 of 4 recipients reached.').waitFor();
    // The open report shows it, too.
    await report.getByRole('cell', { name: 'not confirmed' }).waitFor();
    await report.getByRole('cell', { name: 'not sent' }).first().waitFor({ state: 'hidden' });
    await clear();
  });

  it('appears in the outbox, and resends to the missing only, who may already have the message', async () => {
    for (const text of ['announcement.md, 3 of 4 reached', /^Not confirmed/])
      await row(text).locator('.monaco-tl-twistie').click();
    await row('Nora Quietwood (no bots, please) 7850437').waitFor();
    await shot('12-outbox');
    await clickRowButton('announcement.md, 3 of 4 reached', 'Resend to Missing Only…');
    for (const text of ['to 1 person?', '⚠ 1 recipient may already have this message.'])
      await dialog().getByText(text).waitFor();
    await press('Send');
    // Doesn't wait for a notification: VS Code moves quick ones straight to the bell.
    await row('announcement.md, 0 of 1 reached').waitFor();
    assert.deepEqual(requests, ['518204736', 'big', '7058314', '7850437', '7850437']);
    await clear();
  });

  it('knows after a crash what was sent, unsent or unknown, and resolves the unknown by reading the chat', async () => {
    requests = [];
    const { requested } = holdResponse(2);
    await writeFile(join(window.folder, 'news.md'), '# News\n');
    await window.openFile('news.md');
    await window.command('Bot Chats: Send Active Markdown…');
    await input().locator('input:focus').waitFor();
    for (const id of GROUPS) await recipientRow(id).click();
    await window.page.keyboard.press('Enter');
    await dialog().getByText('to 3 groups?').waitFor();
    await press('Send');
    await toast('Sending “news.md”').getByText('1 of 3').waitFor();
    await requested;
    waitBeforeResponse = () => undefined;
    await window.crash();
    // VS Code gives up restarting an extension host that it can't ask about within two seconds.
    await window.reload();
    await expireHeartbeat();
    const notice = toast('was interrupted. Reached: 1 of 3. Unknown: 1. Not sent: 1.');
    await notice.waitFor();
    await shot('13-interrupted');
    await notice.getByRole('button', { name: 'Check Delivery' }).click();
    const checked = toast('Reached: 0. Not reached: 1. Still unknown: 0.');
    await checked.waitFor();
    await checked.getByRole('button', { name: 'Resume…' }).click();
    await press('Resume');
    await row('news.md, 2 of 3 reached').waitFor();
    await shot('14-resumed');
  });

  it('shows a row for a damaged delivery until it can be read again', async () => {
    const deliveries = join(window.profile.userData, 'User/globalStorage/bot-chats.bot-chats/outbox/deliveries');
    const [first = ''] = (await readdir(deliveries)).toSorted();
    const file = join(deliveries, first, 'delivery.ndjson');
    const whole = await readFile(file);
    await writeFile(file, 'damaged');
    // A delivery that was read before isn't read again.
    await window.reload();
    await row('Unreadable delivery').waitFor();
    await repeatUntil(window.page.getByText("This delivery can't be read: its file is damaged."), async () => {
      await window.page.mouse.move(800, 600);
      await row('Unreadable delivery').hover();
    });
    await shot('15-unreadable');
    await writeFile(file, whole);
    await clickRowButton('Unreadable delivery', 'Try Again');
    await row('Unreadable delivery').waitFor({ state: 'hidden' });
    await row(/^announcement\.md, 3 of 4 reached/).waitFor();
  });

  it('sends selected code as a block, below the name of its file', async () => {
    await writeFile(join(window.folder, 'greet.py'), "def greet():\n    print('Hello!')\n");
    await window.openFile('greet.py');
    await window.page.keyboard.press('Control+A');
    await window.command('Bot Chats: Send Selection as Markdown…');
    await recipientRow('Alice Fernhollow').click();
    await waitForInputText('1 Selected');
    await window.page.keyboard.press('Enter');
    await dialog().getByText('Send “selection of greet.py” as Order Desk to 1 person?').waitFor();
    await dialog().getByText('`greet.py`').waitFor();
    await shot('5-code');
    requests = [];
    await press('Send');
    await toast('1 of 1 recipients reached').waitFor();
    assert.deepEqual(requests, ['7058314']);
  });
});
