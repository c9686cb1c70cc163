/**
 * A page about a delivery: a summary, and a list of rows, which it gets in portions. Both are read again when they may have
 * changed, but only while the page is seen. Its counterpart in the page is `pages/common/listSession.ts`.
 */
import * as v from 'valibot';
import { env } from 'vscode';
import type { ShownText } from '../markup/safeText.ts';
import { DeliveryId } from '../platform/commandArguments.ts';
import { type Handlers, openPage, type PageHost, type PageOwner, type ShownPanel } from '../platform/webviewPage.ts';
import { errorText } from '../presentation/errorText.ts';
import { showError } from '../presentation/showError.ts';
import { type Clock, Timer } from '../service/clock.ts';
import { SerialQueue } from '../service/taskQueue.ts';
import { TimeSlices } from '../service/timeSlices.ts';

/** Deliveries and replies change many times a second; the page is filled at most this often (milliseconds). */
const UPDATE_INTERVAL = 1_000;

const PageState = v.fallback(v.object({ delivery: v.optional(DeliveryId) }), {});

/** The ID of the delivery that a restored page is about, if it's known. */
export const deliveryIn = (state: unknown) => v.parse(PageState, state).delivery;

/** What the page is told. `list` is the number by which it knows a list. */
type ToPage<Row> =
  | { type: 'summary' }
  | { type: 'list'; list: number; total: number; rows: Row[] }
  | { type: 'more'; list: number; rows: Row[] }
  | { type: 'changed'; list: number; rows: { at: number; row: Row }[] }
  | { type: 'failed'; text: string; list?: number }
  | { type: 'copied' };

/** Handles the messages that all these pages post. */
interface ListHandlers<Query> {
  retry(): unknown;
  list(wanted: { list: number; query: Query }): unknown;
  more(wanted: { list: number }): unknown;
}

/** What a page shows. `Shown` is what was read last, and an `Item` is what a row is made of. */
interface Content<From extends { type: string }, Shown, Query, Item, Row>
  extends Pick<PageOwner<From>, 'page' | 'schema' | 'emptied' | 'closed'> {
  /** The data that is embedded in the page. */
  readonly data: Readonly<Record<string, unknown>>;
  /** How many rows the page gets at a time. */
  readonly portion: number;
  handlers(ofList: ListHandlers<Query>): Handlers<From>;
  read(): Promise<Shown>;
  /** The title of the panel. */
  title(shown: Shown): ShownText;
  summary(shown: Shown): { type: 'summary' };
  /** The items of a new list. Undefined if the list isn't wanted any more before all items are found. */
  find(shown: Shown, query: Query, isWanted: () => boolean): Promise<readonly Item[] | undefined>;
  rowsOf(items: readonly Item[], shown: Shown): Promise<Row[]>;
  /** A row that the page has, as it is now. */
  rowNow(row: Row, shown: Shown): Row;
}

/** Shows a page in a panel, which is new or was restored. */
export function openListedPage<From extends { type: string }, Shown, Query, Item, Row>(
  panel: ShownPanel,
  host: PageHost,
  clock: Pick<Clock, 'after'>,
  content: Content<From, Shown, Query, Item, Row>,
) {
  /** The page gets answers in the order in which it asked, so that rows follow their list. */
  const work = new SerialQueue();
  const updating = new Timer(() => void update(), clock);
  let isClosed = false;
  let shown: Shown | undefined;
  /** The number of the list that the page asked for last. */
  let asked = 0;
  /** The list that the page has, and its first rows. */
  let listed: { readonly list: number; readonly items: readonly Item[]; readonly rows: Row[] } | undefined;

  const post = (message: ToPage<Row>) => void page.post(message);
  const fail = (error: unknown, list?: number) =>
    post({ type: 'failed', text: errorText(error), ...(list !== undefined && { list }) });

  /** Reads everything again, and shows what has changed. Calls share an update that hasn't begun. */
  async function update(): Promise<void> {
    // A hidden panel has no page. It's filled when it's shown.
    if (!isClosed && panel.visible) await work.share('update', 'begun', () => show().catch(fail));
  }

  async function show(): Promise<void> {
    const now = await content.read();
    if (isClosed) return;
    shown = now;
    panel.title = content.title(now);
    post(content.summary(now));
    if (!listed) return;
    const { list, rows } = listed;
    const changed: { at: number; row: Row }[] = [];
    await new TimeSlices().each(rows.entries(), ([at, before]) => {
      const row = content.rowNow(before, now);
      if (JSON.stringify(row) !== JSON.stringify(before)) changed.push({ at, row });
    });
    for (const { at, row } of changed) rows[at] = row;
    if (changed.length > 0) post({ type: 'changed', list, rows: changed });
  }

  async function find(list: number, query: Query): Promise<void> {
    const isWanted = () => list === asked;
    const items = shown !== undefined && isWanted() && (await content.find(shown, query, isWanted));
    if (!items) return;
    listed = { list, items, rows: [] };
    post({ type: 'list', list, total: items.length, rows: await more() });
  }

  /** The rows after those that the page has. */
  async function more(): Promise<Row[]> {
    if (!listed || shown === undefined) return [];
    const { items, rows } = listed;
    const next = await content.rowsOf(items.slice(rows.length, rows.length + content.portion), shown);
    rows.push(...next);
    return next;
  }

  const page = openPage<From, ToPage<Row>>(panel, host, {
    page: content.page,
    schema: content.schema,
    contents: () => ({ data: content.data }),
    fill: update,
    handlers: content.handlers({
      retry: update,
      list({ list, query }) {
        asked = list;
        return work.run(() => find(list, query)).catch((error) => fail(error, list));
      },
      more: ({ list }) =>
        work.run(async () => {
          if (listed?.list === list) post({ type: 'more', list, rows: await more() });
        }),
    }),
    fail: showError,
    emptied() {
      // The next page asks for its own list.
      listed = undefined;
      content.emptied?.();
    },
    closed() {
      isClosed = true;
      updating.stop();
      content.closed?.();
    },
  });

  return {
    update,
    updateSoon(): void {
      if (!isClosed) updating.start(UPDATE_INTERVAL);
    },
    /** Says why something that the page asked for can't be shown. */
    fail,
    /** Copies a text, and says so. */
    async copy(text: string): Promise<void> {
      await env.clipboard.writeText(text);
      post({ type: 'copied' });
    },
    reveal: () => panel.reveal(),
    get isClosed() {
      return isClosed;
    },
  };
}
