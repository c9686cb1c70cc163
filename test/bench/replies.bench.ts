// The page of 20,000 replies in a real browser: the number of elements, and the longest tasks while they come and while
// somebody scrolls through them, as of a history.
import { closePages } from '../host/pageBrowser.ts';
import { openRepliesPage } from '../host/pages.ts';
import { repliesOf, replyRow } from '../page/replySamples.ts';
import type { Row } from './bench.ts';
import { LONG, readAll } from './history.bench.ts';

const MANY = 20_000;
/** Rows posted to the page at once, as in `src/deliveries/replies/replyList.ts`. */
const PORTION = 100;

export async function bench(): Promise<Row[]> {
  try {
    const opened = await openRepliesPage([repliesOf({ total: MANY })]);
    const posted = (await opened.posted()) as { type: string; list?: number }[];
    const list = posted.find(({ type }) => type === 'list')?.list;
    const { elements, task, coming, bytes } = await readAll(opened.page, messages(list), MANY);
    return [
      { what: `maximum elements in the page, with ${MANY} replies`, measured: elements, unit: '', bar: 1000 },
      { what: 'longest task while scrolling through all replies', measured: task, unit: 'ms', bar: LONG },
      { what: 'longest task while receiving all replies', measured: coming, unit: 'ms', bar: LONG },
      { what: 'heap of the page per reply', measured: bytes / 1000, unit: 'kB' },
    ];
  } finally {
    await closePages();
  }
}

/** A list, and what follows, portion by portion. */
function* messages(list: number | undefined): Generator<object> {
  for (let from = 0; from < MANY; from += PORTION) {
    const rows = Array.from({ length: PORTION }, (_, at) => replyRow('g', `m${from + at}`));
    yield from === 0 ? { type: 'list', list, total: MANY, rows } : { type: 'more', list, rows };
  }
}
