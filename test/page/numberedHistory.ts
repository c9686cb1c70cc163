/** A history page with numbered messages, new for each test. */
import type { FromPage } from '../../src/protocol/history.ts';
import type { PageRequest } from '../../src/protocol/page.ts';
import type { Listed } from '../../src/service/message.ts';
import { closeEach } from '../host/pages.ts';
import { inView } from '../window/seeing.ts';
import { listed } from './messages.ts';
import { historyPage, openFresh } from './sharedHistory.ts';

const FIRST = Date.UTC(2026, 2, 9, 8);

/** Message number `n`, one hour after the previous one. */
export const message = (n: number, more: object = {}): Listed =>
  listed({
    contentType: 'text',
    msgId: `m${n}`,
    sendTime: FIRST + n * 3_600_000,
    content: { text: `Message ${n}` },
    ...more,
  });

export const messages = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => message(from + index));

/** Their form in the page protocol. */
export const itemsOf = (from: number, to: number) =>
  messages(from, to).map((one) => ({ type: 'message', key: one.readable ? one.message.msgId : '', ...one }));

/** Closes the page after each test of a suite, which must not have done anything that it may not do. */
export const closeEachPage = () => closeEach(() => historyPage);

export const open = openFresh;

/** Opens a history of these messages, once its newest one is on the screen. */
export async function openAtNewest(from: number, to: number): Promise<void> {
  await openFresh(messages(from, to));
  await inView(article(to));
}

/** Goes to a message, as commands do. */
export async function goTo(n: number): Promise<void> {
  await historyPage.post({ type: 'show', key: `m${n}` });
  await waitForFocus(n);
}

export const article = (n: number) => historyPage.page.locator(`#message-m${n}`);
export const button = (name: string) => historyPage.page.getByRole('button', { name });

/** Waits until this message has the focus. */
export const waitForFocus = (n: number) =>
  historyPage.page.waitForFunction((id) => document.activeElement?.id === id, `message-m${n}`);
/** The ID of the element that has the focus. */
export const focusedId = () => historyPage.page.evaluate(() => document.activeElement?.id);

/** Waits until this is the latest message of its type to the host. */
export const waitForPosted = async (expected: FromPage | PageRequest) => {
  await historyPage.page.waitForFunction(
    (sought) => JSON.stringify(window.__host.posted.findLast(({ type }) => type === sought.type)) === sought.json,
    { type: expected.type, json: JSON.stringify(expected) },
  );
};

export const frames = (count: number) => historyPage.frames(count);
