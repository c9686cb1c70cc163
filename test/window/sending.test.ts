import assert from 'node:assert/strict';
import { openWindow, type Window } from '../host/window.ts';
import { deferred } from '../unit/deferred.ts';
import { type Gated, serveGated } from './gated.ts';
import { saveToken } from './reading.ts';
import { languages } from './sendingWords.ts';

const BOT = '30481126';

for (const locale of ['en', 'zh-cn'] as const) {
  const words = languages[locale];

  describe(`Sending for the first time, in ${locale} and a ${words.theme} theme`, () => {
    let window: Window;
    let service: Gated;
    /** The calls of `batch_send`, by their receivers. */
    const calls: string[] = [];
    /** Called with the number of each; holds its answer as long as that is not settled. */
    let hold: (call: number) => Promise<unknown> | undefined = () => undefined;

    const shot = (name: string) => window.screenshot(`sending-${locale}-${name}`);
    const toast = (text: string) => window.page.locator('.notification-toast').filter({ hasText: text });
    const row = (text: string | RegExp) => window.page.getByRole('treeitem', { name: text }).first();
    const dialog = () => window.page.getByRole('dialog');
    const press = (button: string) => dialog().getByRole('button', { name: button, exact: true }).click();
    const lens = (name: string) => window.page.locator('.codelens-decoration').getByRole('button', { name });
    const clear = () => window.command('Notifications: Clear All Notifications');
    const enter = async (...lines: string[]) => {
      for (const line of lines) {
        await window.page.keyboard.press('Enter');
        await window.page.keyboard.type(line);
      }
    };
    /** Begins a line without indentation. */
    const newLine = async () => {
      for (const key of ['End', 'Enter', 'Shift+Home', 'Delete']) await window.page.keyboard.press(key);
    };
    /** Types the beginning of what is suggested, and takes it. */
    const complete = async (typed: string, label: string) => {
      await window.page.keyboard.type(typed);
      const suggestion = window.page.locator('.suggest-widget .focused').filter({ hasText: label });
      await suggestion.waitFor();
      await window.page.keyboard.press('Enter');
      await suggestion.waitFor({ state: 'hidden' });
    };
    /** Presses a button of a row of the outbox. */
    const pressOn = async (text: string, button: string) => {
      await row(text).hover();
      await row(text).getByRole('button', { name: button }).click();
    };

    before(async () => {
      service = await serveGated();
      service.answer = async (request) => {
        if (request.url.includes('/batch_send')) await hold(calls.push((await request.json()).recvIds.join()));
        return undefined;
      };
      window = await openWindow({
        settings: {
          ...service.settings,
          'botChats.groups': ['518204736', 'big'],
          // The second one takes no messages of bots: the service does not list it.
          'botChats.people': ['7058314', '7850437'],
          'botChats.bots': [BOT],
          'botChats.sending.batchSize': 1,
        },
        locale,
        theme: words.theme,
      });
      const { page } = window;
      await page.getByRole('tab', { name: 'Bot Chats' }).click();
      await row('Fern & Kettle: the shop team').waitFor();
      await saveToken(window, { ...words.token, bot: 'Order Desk', token: service.sandbox.token(BOT) ?? '' });
      await window.openFile('announcement.md');
      await page.keyboard.press('Control+Home');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Control+Home');
    });
    after(async () => {
      await window?.close();
      await service?.close();
    });
    afterEach(async function () {
      if (this.currentTest?.state === 'failed') await shot('failed');
    });

    it('begins with front matter, which is completed with its keys and with IDs by their names', async () => {
      const { page } = window;
      await page.keyboard.type('---');
      await enter('chat:', '  ');
      await shot('1-keys');
      await complete('b', 'bot');
      await complete('', 'Order Desk');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Control+Space');
      await complete('gr', 'groups');
      await page.locator('.suggest-widget').getByText('Riverside Town').waitFor();
      await shot('2-names');
      await complete('Fern', 'Fern & Kettle: the shop team');
      await enter('- ');
      await complete('Riv', 'Riverside Town');
      await newLine();
      await page.keyboard.type('---');
      await lens(words.two).waitFor();
    });

    it('has a mistake underlined, and mended by its quick fix', async () => {
      const { page } = window;
      const mistake = page.locator('.squiggly-error');
      await mistake.waitFor({ state: 'hidden' });
      await page.keyboard.press('ArrowUp');
      await newLine();
      // At once: what is half written is another mistake.
      await page.keyboard.insertText('  peeple: [7058314, 7850437]');
      await mistake.waitFor();
      await page.keyboard.press('F8');
      await page.locator('.marker-widget').getByText(words.mistake).waitFor();
      await shot('3-mistake');
      await page.keyboard.press('Escape');
      await page.locator('.marker-widget').waitFor({ state: 'hidden' });
      await page.keyboard.press('Control+.');
      await page.locator('.action-widget').getByText(words.fix).waitFor();
      await page.keyboard.press('Enter');
      await lens(words.lens).waitFor();
    });

    it('is previewed beside the editor, which the preview follows, buttons included', async () => {
      const { page } = window;
      await lens(words.preview).click();
      const preview = await window.webview(words.previewTitle);
      await preview.getByRole('heading', { name: 'Maintenance on Saturday' }).waitFor();
      await preview.getByRole('list', { name: words.people }).getByText('Alice Fernhollow').waitFor();
      await page.keyboard.press('Control+1');
      await page.locator('.monaco-editor.focused').first().waitFor();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Control+Space');
      await complete('but', 'buttons');
      await page.keyboard.type('Copy the code');
      await page.keyboard.press('Tab');
      await complete('c', 'copies');
      await page.keyboard.type('SPRING-24');
      await preview.getByRole('button', { name: 'Copy the code' }).waitFor();
      await shot('4-preview');
    });

    it('goes out after a question that names bot, recipients, kind and buttons, and warns of huge groups', async () => {
      await lens(words.lens).click();
      for (const text of words.question) await dialog().getByText(text).waitFor();
      for (const name of [BOT, '518204736', '7850437', '[Copy the code]']) {
        await dialog().getByText(name).waitFor();
      }
      await shot('5-question');
    });

    it('shows how far it is, and ends after the call under way when that is cancelled', async () => {
      const { page } = window;
      const answer = deferred<void>();
      hold = (call) => (call === 2 ? answer.promise : undefined);
      await press(words.send);
      const progress = toast(words.sending);
      await progress.getByText(words.done).waitFor();
      await page.getByRole('button', { name: words.outbox }).click();
      await row(words.running).waitFor();
      await shot('6-sending');
      await progress.getByRole('button', { name: 'Cancel' }).click();
      answer.resolve();
      await toast(words.stopped).waitFor();
      await row(words.row(2, 4)).waitFor();
      await shot('7-stopped');
      await clear();
    });

    it('is resumed with the rest, after a question whose first answer sends nothing but shows the report', async () => {
      const { page } = window;
      await pressOn(words.row(2, 4), words.resume);
      await dialog().getByText(words.goOn).waitFor();
      await shot('8-resume');
      await page.keyboard.press('Enter');
      await page.getByRole('tab', { name: words.report, selected: true }).waitFor();
      // VS Code gives the page of a custom editor no title.
      const report = await window.webview('undefined');
      await report.getByRole('cell', { name: words.reached }).nth(1).waitFor();
      await report.getByRole('cell', { name: words.notSent }).nth(1).waitFor();
      await shot('9-report');
      assert.deepEqual(calls, ['518204736', 'big']);
      await pressOn(words.row(2, 4), words.resume);
      await press(words.yes);
      await toast(words.partly).waitFor();
      await clear();
    });

    it('is told of in the outbox, for each of its recipients', async () => {
      for (const text of [words.row(3, 4), words.missing]) await row(text).locator('.monaco-tl-twistie').click();
      await row('Nora Quietwood (no bots, please) 7850437').waitFor();
      await shot('10-outbox');
    });

    it('is sent again to the missing only, who may have got it, and to nobody else a second time', async () => {
      await pressOn(words.row(3, 4), words.again);
      for (const text of words.onlyOne) await dialog().getByText(text).waitFor();
      await shot('11-resend');
      await press(words.send);
      await toast(words.none).waitFor();
      await row(words.row(0, 1)).waitFor();
      await shot('12-resent');
      assert.deepEqual(calls, ['518204736', 'big', '7058314', '7850437', '7850437']);
    });
  });
}
