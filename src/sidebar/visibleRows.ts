/**
 * Detects which rows are visible. VS Code requests the items of all rows at once and doesn't report the scroll position.
 * But it requests the decoration of a file when it paints one, so a row that waits to be looked up has the URI of a
 * virtual file, and a request for its decoration means that the row is visible. Nothing is decorated.
 */
import * as v from 'valibot';
import { type Disposable, Uri, window } from 'vscode';
import { systemClock } from '../service/clock.ts';
import type { ChatRow } from './rows.ts';

const SCHEME = 'bot-chats-row';

/**
 * The URI of a row that waits to be looked up. VS Code reports each URI once, so it changes with the generation. JSON
 * escapes lone surrogates in IDs, which URIs can't hold.
 */
export function visibilityUri({ kind, id }: ChatRow, generation: number): Uri {
  return Uri.from({
    scheme: SCHEME,
    path: `/${kind}/${JSON.stringify(id).replaceAll('/', '\\u002f')}`,
    query: String(generation),
  });
}

/** The path of a {@link visibilityUri}. Other extensions may use the scheme for anything. */
const Path = v.pipe(
  v.string(),
  v.transform((path) => path.split('/')),
  v.tuple([v.literal(''), v.picklist(['group', 'bot', 'user']), v.pipe(v.string(), v.parseJson(), v.string())]),
  v.transform(([, kind, id]) => ({ kind, id })),
);
type ShownRow = v.InferOutput<typeof Path>;

/** Calls back for rows with a {@link visibilityUri} that became visible, once for those that are painted together. */
export function onDidShowRows(listener: (shown: readonly ShownRow[]) => void): Disposable {
  let shown: ShownRow[] = [];
  return window.registerFileDecorationProvider({
    provideFileDecoration: ({ scheme, path }) => {
      const row = scheme === SCHEME ? v.safeParse(Path, path) : undefined;
      if (!row?.success) return undefined;
      if (shown.length === 0) {
        systemClock.after(0, () => {
          const together = shown;
          shown = [];
          listener(together);
        });
      }
      shown.push(row.output);
      return undefined;
    },
  });
}
