/**
 * Detects which rows are visible, and counts new messages at their right end. VS Code requests the items of all rows at
 * once and doesn't report the scroll position. But it requests the decoration of a file when it paints the file's row, so a
 * row that waits to be looked up has the URI of a virtual file, and a request for its decoration means that the row is
 * visible. What decorates a row is in its URI. No other row has one, because VS Code opens it when a row is dragged into an
 * editor.
 */
import * as v from 'valibot';
import { type Disposable, Uri, window } from 'vscode';
import { formatCount } from '../presentation/formats.ts';
import { type ShownText, shownText } from '../presentation/shown.ts';
import { Timer } from '../service/clock.ts';
import { KINDS } from '../service/model.ts';
import type { ChatRow } from './rows.ts';
import { newMessagesText } from './sidebarView.ts';
import type { UnreadCount } from './watch/unread.ts';

const SCHEME = 'bot-chats-row';

/** The longest badge that VS Code accepts (characters). */
const MAX_BADGE = 2;

/**
 * The URI of a row that waits to be looked up, or has new messages. VS Code reports each URI once, so it changes with the
 * generation. JSON escapes lone surrogates in IDs, which URIs can't hold.
 */
export function rowUri({ kind, id }: ChatRow, generation: number, count: UnreadCount | undefined): Uri {
  return Uri.from({
    scheme: SCHEME,
    path: `/${kind}/${JSON.stringify(id).replaceAll('/', '\\u002f')}`,
    query: [generation, count?.unread ?? 0, count?.more ? 'more' : ''].join(),
  });
}

/** The path of a {@link rowUri}. Other extensions may use the scheme for anything. */
const Path = v.pipe(
  v.string(),
  v.transform((path) => path.split('/')),
  v.tuple([v.literal(''), v.picklist(KINDS), v.pipe(v.string(), v.parseJson(), v.string())]),
  v.transform(([, kind, id]) => ({ kind, id })),
);
type ShownRow = v.InferOutput<typeof Path>;

/** The query of a {@link rowUri}. */
const Query = v.pipe(
  v.string(),
  v.regex(/^\d+,\d+,(more)?$/),
  v.transform((query) => query.split(',')),
  v.transform(([, unread, more]): UnreadCount => ({ unread: Number(unread), more: more === 'more' })),
);

/** Calls back for rows with a {@link rowUri} that became visible, once for those that are painted together. */
export function onDidShowRows(listener: (shown: readonly ShownRow[]) => void): Disposable {
  let shown: ShownRow[] = [];
  const timer = new Timer(() => {
    const together = shown;
    shown = [];
    listener(together);
  });
  return window.registerFileDecorationProvider({
    provideFileDecoration: ({ scheme, path, query }) => {
      const row = scheme === SCHEME ? v.safeParse(Path, path) : undefined;
      if (!row?.success) return undefined;
      shown.push(row.output);
      timer.start(0);
      const count = v.safeParse(Query, query);
      return count.success ? decorationOf(count.output) : undefined;
    },
  });
}

function decorationOf(count: UnreadCount): { badge: ShownText; tooltip: ShownText } | undefined {
  if (count.unread === 0) return undefined;
  const badge = shownText`${formatCount(count.unread)}${count.more ? shownText`+` : ''}`;
  return { badge: badge.length > MAX_BADGE ? shownText`${formatCount(9)}+` : badge, tooltip: newMessagesText(count) };
}
