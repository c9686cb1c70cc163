import assert from 'node:assert/strict';
import type { FrameLocator, Locator } from 'playwright-core';
import type { Window } from '../host/window.ts';
import type { Gated } from './gated.ts';
import { isInView } from './seeing.ts';

/** More turns of the wheel than any way takes. */
const TURNS = 300;

/** A message as the service lists it. */
export interface Sent {
  readonly msgId: string;
  readonly parentId: string;
  readonly contentType: string;
  readonly content: { readonly text?: string; readonly parentImgName?: string };
}

/** The history of a chat in its panel, for a test to read and to move in. */
export interface Reading {
  readonly page: FrameLocator;
  article(message: Sent | undefined): Locator;
  button(name: string): Locator;
  /** Turns the wheel over the messages until something can be seen. */
  wheelTo(locator: Locator, by: number): Promise<void>;
  /** Listens from now on; what it returns resolves when the page was told something of this type and has painted it. */
  listen(type: string): Promise<() => Promise<void>>;
}

/** The panel that was opened for the chat of this name, once it is there; it is another one after it was hidden. */
export async function reading(window: Window, chat: string): Promise<Reading> {
  const page = await window.webview(chat);
  const main = page.locator('main');
  return {
    page,
    article: (message) => page.locator(`[id="message-${message?.msgId}"]`),
    button: (name) => page.getByRole('button', { name }),
    async wheelTo(locator, by) {
      await main.hover();
      for (let turns = 0; !(await isInView(locator)); turns++) {
        assert.ok(turns < TURNS, 'It is not where the wheel leads to.');
        await main.page().mouse.wheel(0, by);
        await painted(main);
      }
    },
    async listen(type) {
      const listening = await main.evaluateHandle((_, wanted) => {
        const told = new Promise<void>((resolve) => {
          const hear = ({ data }: MessageEvent<{ type: string }>) => {
            if (data.type !== wanted) return;
            removeEventListener('message', hear);
            resolve();
          };
          addEventListener('message', hear);
        });
        return { told };
      }, type);
      return async () => {
        await listening.evaluate(({ told }) => told);
        await painted(main);
      };
    },
  };
}

/** Resolves when the page has painted what it was told and what followed from that. */
export async function painted(locator: Locator): Promise<void> {
  await locator.evaluate(async () => {
    for (let frames = 0; frames < 6; frames++) await new Promise(requestAnimationFrame);
  });
}

/** All messages of a group, oldest first, as the bot with this ID reads them. */
export async function messagesOf({ sandbox }: Gated, chatId: string, botId: string): Promise<Sent[]> {
  const query = `chat-id=${chatId}&chat-type=group&before=1000&token=${sandbox.token(botId)}`;
  const response = await fetch(`${sandbox.openApiUrl}/open-apis/v1/bot/messages?${query}`);
  const { data } = (await response.json()) as { data: { list: Sent[] } };
  return data.list.reverse();
}

/** A bot sends a text to a group; resolves to the message. */
export async function send({ sandbox }: Gated, chatId: string, botId: string, text: string): Promise<Sent> {
  const response = await fetch(`${sandbox.openApiUrl}/open-apis/v1/bot/batch_send?token=${sandbox.token(botId)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ recvIds: [chatId], recvType: 'group', contentType: 'text', content: { text } }),
  });
  const { data } = (await response.json()) as { data: { successList: { msgId: string }[] } };
  const [sent] = data.successList;
  assert.ok(sent);
  return { msgId: sent.msgId, parentId: '', contentType: 'text', content: { text } };
}

/** Saves the token of a bot of the list, by the title of the command and the words that ask for the token. */
export async function saveToken(
  window: Window,
  { title, asks, bot, token }: Record<'title' | 'asks' | 'bot' | 'token', string>,
) {
  await window.command(title);
  await window.page.locator('.quick-input-widget').getByRole('option', { name: bot }).click();
  await answer(window, asks, token);
  await window.command('Notifications: Clear All Notifications');
}

/** Types into the input box of VS Code that asks with these words, and enters it. */
export async function answer({ page }: Window, words: string, text: string): Promise<void> {
  const input = page.locator('.quick-input-widget');
  await input.getByText(words).waitFor();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  await input.getByText(words).waitFor({ state: 'hidden' });
}
