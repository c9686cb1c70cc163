// From a click on a chat in the sidebar of a real window until its newest message can be read, against the bare request
// that this needs, made by `fetch` just before or after. What VS Code takes to open any panel with a page is part of it.
import { openWindow, type Window } from '../host/window.ts';
import { serveGated } from '../window/gated.ts';
import { messagesOf, reading, saveToken } from '../window/reading.ts';
import { inView } from '../window/seeing.ts';
import { median, type Row } from './bench.ts';

const ROUNDS = 8;
const NAME = 'Fern & Kettle: the shop team';
const GROUP = '518204736';
const BOT = '30481126';

export async function bench(): Promise<Row[]> {
  const service = await serveGated();
  const lists = { 'botChats.groups': [GROUP], 'botChats.bots': [BOT], 'botChats.people': [] };
  const window = await openWindow({ settings: { ...service.settings, ...lists } });
  try {
    const { openApiUrl, token } = service.sandbox;
    await window.page.getByRole('tab', { name: 'Bot Chats' }).click();
    await window.page.getByRole('treeitem', { name: `${NAME}, group, 342 members` }).waitFor();
    const words = { title: 'Bot Chats: Set Bot Token…', asks: `Token of the bot ${BOT}`, bot: 'Order Desk' };
    await saveToken(window, { ...words, token: token(BOT) ?? '' });
    const newest = (await messagesOf(service, GROUP, BOT)).at(-1);
    const open = () => opened(window, newest?.msgId ?? '');
    const path = `/open-apis/v1/bot/messages?chat-id=${GROUP}&chat-type=group&before=50&token=${token(BOT)}`;
    const ask = () => timed(async () => (await fetch(openApiUrl + path)).json());
    // The first panel of a window loads what all others use.
    await open();
    const rounds: { opening: number; bare: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const before = round % 2 === 0 ? await ask() : undefined;
      const opening = await open();
      rounds.push({ opening, bare: before ?? (await ask()) });
    }
    const ratio = median(rounds.map(({ opening, bare }) => opening / bare));
    return [
      { what: 'a click until the newest message can be read, against its request', measured: ratio, unit: '×' },
      { what: '  from the click to the message', measured: median(rounds.map(({ opening }) => opening)), unit: 'ms' },
      { what: '  the bare request', measured: median(rounds.map(({ bare }) => bare)), unit: 'ms' },
    ];
  } finally {
    await window.close();
    await service.close();
  }
}

/** Opens the chat, and closes it again: milliseconds until the message could be read. */
async function opened(window: Window, msgId: string): Promise<number> {
  const row = window.page.getByRole('treeitem', { name: `${NAME}, group` });
  const time = await timed(async () => {
    await row.click();
    const { article } = await reading(window, NAME);
    await inView(article({ msgId, parentId: '', contentType: '', content: {} }));
  });
  await window.command('View: Close Editor');
  await window.page.getByRole('tab', { name: NAME }).waitFor({ state: 'hidden' });
  return time;
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}
