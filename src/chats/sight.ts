/**
 * Which rows the person sees. VS Code asks for the items of all rows of a list at once, visible or not, and tells nobody
 * how far it is scrolled. But it asks for the decoration of a file when it paints one: so a row that waits to be looked
 * up carries the address of a make-believe file, and being asked about that is being seen. Nothing is ever decorated.
 */
import { type Disposable, Uri, window } from 'vscode';
import type { Kind } from '../service/model.ts';
import type { ChatRow } from './rows.ts';

const SCHEME = 'bot-chats-row';

/**
 * What a row carries to be noticed in a round; each row is noticed once in each round. An ID may be anything: JSON
 * escapes the halves of characters, which no address can hold.
 */
export function sightOf({ kind, id }: ChatRow, round: number): Uri {
  return Uri.from({ scheme: SCHEME, path: `/${kind}/${encodeURIComponent(JSON.stringify(id))}`, query: String(round) });
}

/** A row that was seen. */
export interface Seen {
  readonly kind: Kind;
  readonly id: string;
}

/** Calls back for the rows that are painted with their `sightOf`, together for those that are painted together. */
export function onDidSee(listener: (seen: readonly Seen[]) => void): Disposable {
  let seen: Seen[] = [];
  return window.registerFileDecorationProvider({
    provideFileDecoration: ({ scheme, path }) => {
      const [, kind, id] = path.split('/');
      if (scheme !== SCHEME || !kind || !id) return undefined;
      if (seen.length === 0) {
        setTimeout(() => {
          listener(seen);
          seen = [];
        });
      }
      seen.push({ kind: kind as Kind, id: JSON.parse(decodeURIComponent(id)) });
      return undefined;
    },
  });
}
