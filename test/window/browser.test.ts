import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Window } from '../host/window.ts';
import { PICTURE } from '../page/messages.ts';
import { deferred } from '../unit/deferred.ts';
import { hoverUntil } from './editorMouse.ts';
import { enter, findHistory, send } from './historyDriver.ts';
import { type InterceptedSandbox, serveIntercepted } from './interceptedSandbox.ts';
import { LONG_TIMEOUT_MS, openWindow } from './shared.ts';
import { selectFromContextMenu } from './workbenchActions.ts';

const SHOP = 'Fern & Kettle: the shop team';
const BOT = '30481126';
const GROUPS = ['518204736', 'big', '524317890'];
const DRAFT = `---\nchat:\n  bot: ${BOT}\n  groups: [518204736, big, 524317890]\n---\n`;
/** How late a response can be, with a margin, before the client gives a call up after 20 seconds. */
const LONGEST_RESPONSE_MS = 15_000;
const IMAGE = {
  imageUrl: 'https://pictures.invalid/dusk.png',
  imageName: 'dusk.png',
  imageWidth: 240,
  imageHeight: 120,
};
const NO_ANSWER = /The browser got no answer from the service \(Failed to fetch\)/;

/** A page of messages that are all images. */
async function withImages(page: Response): Promise<Response> {
  const answer = await page.json();
  for (const message of answer.data.list) Object.assign(message, { contentType: 'image', content: IMAGE });
  return Response.json(answer);
}

describe('Bot Chats in a browser’s extension host', function () {
  this.timeout(LONG_TIMEOUT_MS);
  let window: Window;
  let service: InterceptedSandbox;
  /** The recipients of each `batch_send`. */
  let sent: string[] = [];
  /** What the response to a `batch_send` waits for. */
  let waitBeforeResponse: (call: number) => Promise<unknown> | undefined = () => undefined;

  /** Whether all messages are images. */
  let hasImages = false;

  const shot = (name: string) => window.screenshot(`browser-${name}`);
  const row = (name: string | RegExp, { page } = window) => page.getByRole('treeitem', { name }).first();
  const toast = (text: string | RegExp, { page } = window) =>
    page.locator('.notification-toast').filter({ hasText: text });
  const clear = () => window.command('Notifications: Clear All Notifications');
  const dialog = () => window.page.getByRole('dialog');
  const press = (button: string) => dialog().getByRole('button', { name: button, exact: true }).click();
  const input = () => window.page.locator('.quick-input-widget');
  const writeDraft = async (name: string, body: string) => {
    await writeFile(join(window.folder, name), DRAFT + body);
    await window.openFile(name);
  };
  const sendDraft = async () => {
    await window.command('Bot Chats: Send Active Markdown…');
    await dialog().getByText('as Order Desk to 3 groups?').waitFor();
    await dialog().getByText('⚠ If a connection breaks, the browser may repeat a call by itself').waitFor();
    await press('Send');
  };
  /** Clicks a button of an outbox row. */
  const clickRowButton = async (text: string | RegExp, button: string) => {
    await row(text).hover();
    await row(text).getByRole('button', { name: button }).click();
  };
  /** Hides and shows the outbox: then it lists what other windows have done. */
  const showOutboxAgain = async ({ page }: Window) => {
    const heading = page.getByRole('button', { name: 'Outbox Section' });
    for (let click = 0; click < 2; click++) await heading.click();
  };

  before(async () => {
    service = await serveIntercepted();
    service.cors = true;
    service.intercept = async (request) => {
      if (hasImages && request.url.includes('/bot/messages')) return withImages(await service.sandbox.fetch(request));
      if (request.method !== 'POST' || !request.url.includes('/batch_send')) return undefined;
      const call = sent.push((await request.clone().json()).recvIds.join());
      const response = await service.sandbox.fetch(request);
      await waitBeforeResponse(call);
      return response;
    };
    window = await openWindow({
      extensionHost: 'web',
      settings: {
        ...service.settings,
        'botChats.groups': GROUPS,
        'botChats.bots': [BOT],
        'botChats.people': ['7058314'],
        'botChats.sending.batchSize': 1,
        'editor.hover.delay': 0,
      },
    });
    await window.page.getByRole('tab', { name: 'Bot Chats' }).click();
  });
  after(async () => {
    await window?.close();
    await service?.close();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await shot('failed');
  });

  it('lists what was looked up, without the archive', async () => {
    await row(SHOP).waitFor();
    await row('Alice Fernhollow').waitFor();
    await window.page.getByRole('button', { name: 'Outbox Section' }).click();
    assert.equal(await window.page.getByRole('button', { name: 'Archive Section' }).count(), 0);
  });

  it('says that a token may not be kept when it is saved', async () => {
    await window.command('Bot Chats: Set Bot Token…');
    await input().getByRole('option', { name: 'Order Desk' }).click();
    await enter(window, 'Token for bot', service.sandbox.token(BOT) ?? '');
    await toast('VS Code may keep the token only until this window is closed or reloaded').waitFor();
    await shot('1-token');
    await clear();
  });

  it('reads a history and finds words in it', async () => {
    const { page } = window;
    await row(SHOP).click();
    const history = await findHistory(window, SHOP);
    await history.page.getByRole('heading', { name: 'Order FK-84758' }).waitFor();
    await page.keyboard.press('Control+F');
    await history.page.getByRole('textbox').fill('order');
    await history.page.getByText(/^1 of \d+$/).waitFor();
    await shot('2-history');
    await page.keyboard.press('Escape');
  });

  it('downloads an export', async () => {
    const { page } = window;
    await window.command('Bot Chats: Export History…');
    await input().getByRole('option', { name: 'Entire History' }).click();
    const downloading = page.waitForEvent('download');
    await input().getByRole('option', { name: 'NDJSON' }).click();
    const download = await downloading;
    assert.match(download.suggestedFilename(), /^Fern & Kettle .* \d{4}-\d\d-\d\d\.ndjson$/);
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n');
    assert.equal(lines.length, 480);
    await page.getByText(`Exported 480 messages from ${SHOP} to`).first().waitFor();
    await shot('3-export');
    await clear();
    await window.command('View: Close All Editors');
  });

  it('counts new messages of a watched chat', async () => {
    const { page } = window;
    const looked = service.answered('/bot/messages');
    await selectFromContextMenu(page, row(SHOP), 'Watch for New Messages');
    await looked;
    await send(service, '518204736', '30527740', 'The kettle is on.');
    await selectFromContextMenu(page, row(SHOP), 'Refresh');
    await row(`${SHOP}, group, 1 new · 342 members`).waitFor();
    await shot('4-watched');
    await selectFromContextMenu(page, row(SHOP), 'Stop Watching');
    await row(`${SHOP}, group, 342 members`).waitFor();
  });

  it('opens an image, or says that the browser may not read it', async () => {
    const { page } = window;
    let isReadable = false;
    await page.context().route(IMAGE.imageUrl, (route) => {
      const isShown = route.request().resourceType() === 'image';
      return isShown || isReadable ? route.fulfill({ body: PICTURE, contentType: 'image/png' }) : route.abort();
    });
    hasImages = true;
    await row(SHOP).click();
    await findHistory(window, SHOP);
    await window.command('Bot Chats: Toggle Remote Images');
    await press('Load Images');
    const open = (await findHistory(window, SHOP)).button('Open dusk.png in VS Code').last();
    await open.click();
    await toast("doesn't let other sites' pages read its images").waitFor();
    await shot('5-image');
    await clear();
    isReadable = true;
    await open.click();
    await page.getByRole('tab', { name: /^dusk-\w+\.png/ }).waitFor();
    // Its size is in the status bar once it's shown.
    await page.getByText('240x120').waitFor();
    hasImages = false;
    // While anything is routed, Playwright itself permits calls.
    await page.context().unrouteAll();
    await window.command('View: Close All Editors');
  });

  it('shows whose an ID is, and previews a draft', async () => {
    const { page } = window;
    await window.openFile('announcement.md');
    await hoverUntil(page, '7058314', page.locator('.monaco-hover:visible').filter({ hasText: 'Alice Fernhollow' }));
    await shot('6-hover');
    await page.mouse.move(0, 0);
    await writeDraft('draft.md', '# Closed on Saturday\n');
    await window.command('Bot Chats: Preview Draft');
    const preview = await window.webview('Preview draft.md');
    await preview.getByRole('heading', { name: 'Closed on Saturday' }).waitFor();
    await preview.getByText('Sent as Order Desk').waitFor();
  });

  it('sends a draft and reports on it', async () => {
    sent = [];
    await sendDraft();
    await row('draft.md, 3 of 3 reached').waitFor();
    assert.deepEqual(sent, GROUPS);
    await clickRowButton('draft.md, 3 of 3 reached', 'Open Report');
    const report = await window.webview('undefined');
    await report.getByRole('cell', { name: 'reached' }).nth(2).waitFor();
    await clear();
    await shot('7-report');
    await window.command('View: Close All Editors');
  });

  it('knows after a reload during a delivery what was sent, unsent or unknown', async () => {
    const requested = deferred<void>();
    const respond = deferred<void>();
    sent = [];
    waitBeforeResponse = (call) => {
      if (call !== 2) return undefined;
      requested.resolve();
      return respond.promise;
    };
    await writeDraft('news.md', '# News\n');
    await sendDraft();
    await requested.promise;
    await window.reload();
    respond.resolve();
    waitBeforeResponse = () => undefined;
    // When the window has been silent for long enough.
    const notice = toast('was interrupted. Reached: 1 of 3. Unknown: 1. Not sent: 1.');
    await notice.waitFor();
    await shot('8-interrupted');
    await notice.getByRole('button', { name: 'Check Delivery' }).click();
    const checked = toast('Reached: 1. Not reached: 0. Still unknown: 0.');
    await checked.waitFor();
    await checked.getByRole('button', { name: 'Resume…' }).click();
    await press('Resume');
    await row('news.md, 3 of 3 reached').waitFor();
    assert.deepEqual(sent, GROUPS);
    await clear();
  });

  it('shares the outbox with a second tab, which can’t interfere with a delivery', async () => {
    const requested = deferred<void>();
    const respond = deferred<void>();
    sent = [];
    waitBeforeResponse = () => {
      requested.resolve();
      return Promise.race([respond.promise, delay(LONGEST_RESPONSE_MS)]);
    };
    // First, because a delivery of three calls doesn't take long.
    const other = await window.another();
    await other.page.getByRole('tab', { name: 'Bot Chats' }).click();
    await row('news.md, 3 of 3 reached', other).waitFor();
    await writeDraft('tabs.md', '# Two tabs\n');
    await sendDraft();
    await requested.promise;
    await showOutboxAgain(other);
    await row(/tabs\.md, sending…/, other).hover();
    await row(/tabs\.md, sending…/, other)
      .getByRole('button', { name: 'Cancel' })
      .click();
    await toast('Another window is sending this. Cancel it there.', other).waitFor();
    await other.screenshot('browser-9-tabs');
    respond.resolve();
    waitBeforeResponse = () => undefined;
    await row('tabs.md, 3 of 3 reached').waitFor();
    assert.deepEqual(sent, GROUPS);
    await showOutboxAgain(other);
    await row('tabs.md, 3 of 3 reached', other).waitFor();
    await other.close();
    await clear();
  });

  it('explains what a service that doesn’t answer browsers looks like, and takes a send as unknown', async () => {
    service.cors = false;
    sent = [];
    await window.command('Bot Chats: Refresh');
    await row(NO_ANSWER).waitFor();
    await row('Learn More').waitFor();
    await shot('10-no-cors');
    await writeDraft('blocked.md', '# Blocked\n');
    await sendDraft();
    await row(/^blocked\.md, 0 of 3 reached/).waitFor();
    await toast(/0 of 3 recipients reached\..* The message may have been delivered anyway\./).waitFor();
    await shot('11-unknown');
    // The browser has asked for permission, and got none.
    assert.deepEqual(sent, []);
    service.cors = true;
    await clear();
    await window.command('Bot Chats: Refresh');
    await row(`${SHOP}, group`).waitFor();
  });
});
