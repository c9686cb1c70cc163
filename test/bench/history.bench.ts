// The history page in a real browser: the time until the newest message is painted, with 100 and with 100,000 messages;
// the number of elements; and the longest task while scrolling. The control is a plain list of the same texts in the same
// browser. The order alternates between rounds; the result is the median of each round's ratio.

import type { CDPSession, Page } from 'playwright-core';
import * as v from 'valibot';
import { Listed } from '../../src/service/message.ts';
import { closePages } from '../host/pageBrowser.ts';
import { openHistoryPage } from '../host/pages.ts';
import { median, type Row } from './bench.ts';

const FEW = 100;
const MANY = 100_000;
const ROUNDS = 6;
/** How often the whole history is scrolled through. */
const SCROLLS = 3;
/** Items posted to the page at once, as in `src/chats/history/historyPage.ts`. */
const PORTION = 200;
/** Steps from the newest message to the oldest. */
const STEPS = 600;
/** Shorter tasks (milliseconds) are imperceptible. */
export const LONG = 50;

export async function bench(): Promise<Row[]> {
  try {
    const rounds: { few: number; many: number; bare: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const paint = {
        few: async () => inPage(await openHistoryPage(), (page) => firstPaint(page, FEW)),
        many: async () => inPage(await openHistoryPage(), (page) => firstPaint(page, MANY)),
        bare: async () => inPage(await openHistoryPage(), bareList),
      };
      const order = (['few', 'many', 'bare'] as const).map((_, index, all) => all[(index + round) % 3] ?? 'few');
      const times = { few: 0, many: 0, bare: 0 };
      for (const name of order) times[name] = await paint[name]();
      rounds.push(times);
    }
    const long = await inPage(await openHistoryPage(), (page) => readAll(page, portions(MANY), MANY));
    return [
      row(
        'first paint of 100 messages, compared with a plain list',
        median(rounds.map(({ few, bare }) => few / bare)),
        3,
      ),
      row('first paint of 100,000, compared with 100', median(rounds.map(({ many, few }) => many / few)), 1.5),
      ...(['few', 'many', 'bare'] as const).map(
        (name): Row => ({ what: `  ${NAMES[name]}`, measured: median(rounds.map((times) => times[name])), unit: 'ms' }),
      ),
      { what: 'maximum elements in the page, with 100,000 messages', measured: long.elements, unit: '', bar: 1000 },
      { what: 'longest task while scrolling through all messages', measured: long.task, unit: 'ms', bar: LONG },
      { what: 'longest task while receiving all messages', measured: long.coming, unit: 'ms', bar: LONG },
      { what: 'heap of the page per message', measured: long.bytes / 1000, unit: 'kB' },
    ];
  } finally {
    await closePages();
  }
}

const NAMES = { few: '100 messages', many: '100,000 messages', bare: 'the bare list' };

function row(what: string, measured: number, bar: number): Row {
  return { what, measured, unit: '×', bar };
}

async function inPage<T>(opened: Awaited<ReturnType<typeof openHistoryPage>>, act: (page: Page) => Promise<T>) {
  try {
    return await act(opened.page);
  } finally {
    // Not its `close`, after which the next one would get its browser page, with what that has compiled.
    await opened.page.context().close();
  }
}

/** A message (contract 2.6). Every seventh is Markdown, every eleventh has buttons. */
function makeMessage(number: number) {
  const isMarkdown = number % 7 === 0;
  const button = { text: 'Open the order', actionType: 1, url: 'https://chat.example/orders', value: '' };
  const text = isMarkdown
    ? `# Order ${number}\n\n| Item | Pieces |\n|---|--:|\n| Tea | ${number} |\n\nPacked, **not yet collected**.`
    : `Message number ${number}. ${'It says somewhat more than the others. '.repeat(number % 5)}`;
  return v.parse(Listed, {
    msgId: `m${number}`,
    parentId: '',
    senderId: `${7_000_000 + (Math.floor(number / 3) % 9)}`,
    senderType: 'user',
    senderNickname: `Keeper ${Math.floor(number / 3) % 9}`,
    contentType: isMarkdown ? 'markdown' : 'text',
    content: { text, buttons: number % 11 === 0 ? [[button]] : [] },
    sendTime: 1_600_000_000_000 + number * 60_000,
    commandName: '',
    commandId: 0,
  });
}

/** The host's posts for these messages: the newest portion first, then the older ones. */
function* portions(count: number) {
  for (let end = count; end > 0; end -= PORTION) {
    const from = Math.max(0, end - PORTION);
    const items = Array.from({ length: end - from }, (_, index) => {
      const entry = makeMessage(from + index);
      return { type: 'message', key: `m${from + index}`, message: entry.readable && entry.message };
    });
    yield { type: 'splice', at: 0, removed: 0, items };
  }
}

/** Returns the milliseconds from the host's first post until the newest message is painted. */
function firstPaint(page: Page, count: number): Promise<number> {
  const [portion] = portions(count);
  return page.evaluate(
    ([told, newest]) =>
      new Promise<number>((resolve) => {
        const begin = performance.now();
        const look = () => {
          if (!document.getElementById(newest)) return requestAnimationFrame(look);
          // Its frame is painted once the next one starts.
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begin)));
        };
        window.postMessage(told, '*');
        requestAnimationFrame(look);
      }),
    [portion, `message-m${count - 1}`] as const,
  );
}

/** The same for a list of plain texts. */
function bareList(page: Page): Promise<number> {
  const texts = Array.from({ length: FEW }, (_, number) => makeMessage(number)).map((entry) =>
    entry.readable ? (entry.message.content.text ?? '') : '',
  );
  return page.evaluate(
    (told) =>
      new Promise<number>((resolve) => {
        const begin = performance.now();
        const show = ({ data }: MessageEvent<string[]>) => {
          const list = document.createElement('ul');
          for (const text of data) list.append(Object.assign(document.createElement('li'), { textContent: text }));
          document.body.replaceChildren(list);
          requestAnimationFrame(() =>
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begin))),
          );
        };
        const channel = new MessageChannel();
        channel.port1.onmessage = show;
        channel.port2.postMessage(told);
      }),
    texts,
  );
}

/** Loads all rows and scrolls through them, up to the first. Returns the longest tasks in milliseconds of CPU time. */
export async function readAll(page: Page, messages: Iterable<object>, count: number) {
  const session = await page.context().newCDPSession(page);
  const before = await heapOf(session);
  const watch = await page.evaluateHandle(() => {
    const durations: number[] = [];
    const observer = new PerformanceObserver((list) => durations.push(...list.getEntries().map((one) => one.duration)));
    observer.observe({ type: 'longtask' });
    return { longest: () => Math.max(0, ...durations.splice(0)) };
  });
  for (const portion of messages) await page.evaluate((told) => window.postMessage(told, '*'), portion);
  // No row is lower.
  await page.waitForFunction((height) => (document.querySelector('.rows')?.clientHeight ?? 0) > height, count * 20);
  const coming = await watch.evaluate(({ longest }) => longest());
  const bytes = ((await heapOf(session)) - before) / count;
  const tasks: number[] = [];
  let elements = 0;
  for (let times = 0; times < SCROLLS; times++) {
    elements = Math.max(elements, await page.evaluate(scrollThrough, STEPS));
    tasks.push(await watch.evaluate(({ longest }) => longest()));
  }
  return { coming, task: median(tasks), elements, bytes };
}

/** Scrolls from the newest message to the oldest. Resolves to the maximum number of elements in the page. */
async function scrollThrough(steps: number): Promise<number> {
  const main = document.querySelector('main');
  if (!main) return 0;
  main.scrollTop = main.scrollHeight;
  let most = 0;
  for (let step = 0; step < steps; step++) {
    main.scrollTop -= main.scrollHeight / steps;
    await new Promise(requestAnimationFrame);
    most = Math.max(most, document.getElementsByTagName('*').length);
  }
  return most;
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}
