import assert from 'node:assert/strict';
import type { FrameLocator, Locator } from 'playwright-core';
import type { Window } from '../host/window.ts';
import type { InterceptedSandbox } from './interceptedSandbox.ts';

/** A message as the service lists it. */
export interface ListedMessage {
  readonly msgId: string;
  readonly parentId: string;
  /** Unix ms. */
  readonly sendTime: number;
  readonly contentType: string;
  readonly content: { readonly text?: string; readonly parentImgName?: string };
}

/** Drives a chat's history panel. */
export interface HistoryDriver {
  readonly page: FrameLocator;
  article(message: ListedMessage | undefined): Locator;
  button(name: string): Locator;
}

/** Finds the open history panel of the chat with this name. Call it again after the panel was hidden. */
export async function findHistory(window: Window, chat: string): Promise<HistoryDriver> {
  const page = await window.webview(chat);
  return {
    page,
    article: (message) => page.locator(`[id="message-${message?.msgId}"]`),
    button: (name) => page.getByRole('button', { name }),
  };
}

/** Reads all messages of a group as a bot, oldest first. */
export async function messagesOf(
  { sandbox }: InterceptedSandbox,
  chatId: string,
  botId: string,
): Promise<ListedMessage[]> {
  const query = `chat-id=${chatId}&chat-type=group&before=1000&token=${sandbox.token(botId)}`;
  const response = await fetch(`${sandbox.openApiUrl}/open-apis/v1/bot/messages?${query}`);
  const { data } = (await response.json()) as { data: { list: ListedMessage[] } };
  return data.list.reverse();
}

/** Sends a text to a group as a bot. Resolves to the message. */
export async function send(
  { sandbox }: InterceptedSandbox,
  chatId: string,
  botId: string,
  text: string,
): Promise<ListedMessage> {
  const response = await fetch(`${sandbox.openApiUrl}/open-apis/v1/bot/batch_send?token=${sandbox.token(botId)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ recvIds: [chatId], recvType: 'group', contentType: 'text', content: { text } }),
  });
  const { data } = (await response.json()) as { data: { successList: { msgId: string }[] } };
  const [sent] = data.successList;
  assert.ok(sent);
  return { msgId: sent.msgId, parentId: '', sendTime: Date.now(), contentType: 'text', content: { text } };
}

/** Makes a message of a group that the service lists a reply to another one: no bot can send one. */
export function listAsReply(service: InterceptedSandbox, reply: ListedMessage, to: ListedMessage): void {
  service.intercept = async (request) => {
    if (!request.url.includes('/bot/messages')) return undefined;
    const response = await service.sandbox.fetch(request);
    const body = (await response.json()) as { data: { list: ListedMessage[] } };
    const list = body.data.list.map((one) => (one.msgId === reply.msgId ? { ...one, parentId: to.msgId } : one));
    return Response.json({ ...body, data: { ...body.data, list } });
  };
}

/** Sets the token of a listed bot. `title` is the command's title, `asks` the prompt of the input box. */
export async function saveToken(
  window: Window,
  { title, asks, bot, token }: Record<'title' | 'asks' | 'bot' | 'token', string>,
) {
  await window.command(title);
  await window.input.getByRole('option', { name: bot }).click();
  await answerPrompt(window, asks, token);
  // It would cover what is at the bottom of a history.
  await window.toast('Saved the token').waitFor();
  await window.clearNotifications();
}

/** Answers the VS Code input box with this prompt. */
export async function answerPrompt(window: Window, words: string, text: string): Promise<void> {
  await enter(window, words, text);
  await window.input.waitFor({ state: 'hidden' });
}

/** Types a text into the VS Code input box with this prompt, and presses Enter. */
export async function enter({ page, input }: Window, words: string, text: string): Promise<void> {
  await input.getByText(words).waitFor();
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}
