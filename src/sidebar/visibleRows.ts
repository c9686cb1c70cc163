/**
 * Which rows the person sees. VS Code asks for the items of all rows of a list at once, visible or not, and tells nobody
 * how far it is scrolled. But it asks for the decoration of a file when it paints one: so a row that waits to be looked
 * up carries the address of a make-believe file, and being asked about that is being seen. Nothing is ever decorated.
 */
import * as v from 'valibot';
import { type Disposable, Uri, window } from 'vscode';
import type { ChatRow } from './rows.ts';

const SCHEME = 'bot-chats-row';

/**
 * What a row carries to be noticed in a round; each row is noticed once in each round. An ID may be anything: JSON
 * escapes the halves of characters, which no address can hold.
 */
export function sightOf({ kind, id }: ChatRow, round: number): Uri {
  return Uri.from({
    scheme: SCHEME,
    path: `/${kind}/${JSON.stringify(id).replaceAll('/', '\\u002f')}`,
    query: String(round),
  });
}

/** Anything may be an address of this scheme; those of `sightOf` name a row. */
const Path = v.pipe(
  v.string(),
  v.transform((path) => path.split('/')),
  v.tuple([v.literal(''), v.picklist(['group', 'bot', 'user']), v.pipe(v.string(), v.parseJson(), v.string())]),
  v.transform(([, kind, id]) => ({ kind, id })),
);
type Seen = v.InferOutput<typeof Path>;

/** Calls back for the rows that are painted with their `sightOf`, together for those that are painted together. */
export function onDidSee(listener: (seen: readonly Seen[]) => void): Disposable {
  let seen: Seen[] = [];
  return window.registerFileDecorationProvider({
    provideFileDecoration: ({ scheme, path }) => {
      const row = scheme === SCHEME ? v.safeParse(Path, path) : undefined;
      if (!row?.success) return undefined;
      if (seen.length === 0) {
        setTimeout(() => {
          const together = seen;
          seen = [];
          listener(together);
        });
      }
      seen.push(row.output);
      return undefined;
    },
  });
}
