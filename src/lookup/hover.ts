/** Hovering an ID shows whose it is. */
import { type CancellationToken, Hover, type HoverProvider, type Position, Range, type TextDocument } from 'vscode';
import { isFailure } from '../service/errors.ts';
import type { Found, Kind } from '../service/model.ts';
import { cardOf, plain } from '../words/card.ts';
import { explain } from '../words/explain.ts';
import { signalOf } from '../workbench/cancellation.ts';
import type { Connection } from '../workbench/connection.ts';
import { listOf } from '../workbench/listSettings.ts';
import type { Service } from '../workbench/service.ts';
import { hoverLookUp } from '../workbench/settings.ts';
import { idAt } from './ids.ts';

/** Lines longer than this are data nobody reads by hovering, and are not searched (UTF-16 units). */
const LINE_BOUND = 20_000;

export class IdHover implements HoverProvider {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async provideHover(document: TextDocument, position: Position, token: CancellationToken): Promise<Hover | undefined> {
    const line = document.lineAt(position).text;
    if (line.length > LINE_BOUND || (await this.#connection.state()) === 'none') return undefined;
    // An address that cannot be used is told of in the sidebar, not over every number.
    const service = await this.#connection.open().catch(() => undefined);
    if (!service || token.isCancellationRequested) return undefined;
    const known = kindsOf(service);
    const at = idAt(line, position.character, (id) => known.has(id));
    if (!at) return undefined;
    const range = new Range(position.line, at.start, position.line, at.end);
    const kind = known.get(at.id);
    try {
      const found = await this.#find(at.id, kind, service, signalOf(token));
      return found && new Hover(cardOf(found), range);
    } catch (error) {
      // Digits that merely looked like an ID are no reason to speak of an error.
      if (!kind || isFailure(error, 'cancelled')) return undefined;
      return new Hover(plain(explain(error)), range);
    }
  }

  async #find(
    id: string,
    kind: Kind | undefined,
    { directory }: Service,
    signal: AbortSignal,
  ): Promise<Found | undefined> {
    const may = hoverLookUp();
    if (kind) return may === 'never' ? directory.peek(kind, id) : directory.get(kind, id, { signal });
    return may === 'any' ? directory.identify(id, signal) : undefined;
  }
}

/** The kinds of the IDs that the person works with. */
function kindsOf(service: Service): Map<string, Kind> {
  const kinds = new Map<string, Kind>();
  for (const kind of ['group', 'bot', 'user'] as const) {
    for (const { id } of listOf(kind, service).entries) kinds.set(id, kind);
  }
  return kinds;
}
