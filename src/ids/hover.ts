/** Hovering an ID shows whose it is. */
import { type CancellationToken, Hover, type HoverProvider, type Position, Range, type TextDocument } from 'vscode';
import { AvatarCache } from '../directory/avatarCache.ts';
import { signalOf } from '../platform/cancellation.ts';
import type { Settings } from '../platform/settings.ts';
import { cardParts, plainMarkdown } from '../presentation/card.ts';
import { errorText } from '../presentation/errorText.ts';
import { isFailure } from '../service/errors.ts';
import { find } from './find.ts';
import { idAt } from './findIds.ts';
import { actionLinks } from './idCommands.ts';
import type { Pattern } from './idPattern.ts';
import type { KnownIds } from './knownIds.ts';

export class IdHover implements HoverProvider {
  readonly #known: KnownIds;
  readonly #pattern: Pattern;
  readonly #settings: Pick<Settings, 'hoverLookUp'>;
  readonly #avatars = new AvatarCache();

  constructor(known: KnownIds, pattern: Pattern, settings: Pick<Settings, 'hoverLookUp'>) {
    this.#settings = settings;
    this.#known = known;
    this.#pattern = pattern;
  }

  async provideHover(document: TextDocument, position: Position, token: CancellationToken): Promise<Hover | undefined> {
    // Before anything is waited for: the line may be gone then.
    const { text } = document.lineAt(position);
    const known = await this.#known.read();
    if (!known || token.isCancellationRequested) return undefined;
    const at = idAt(text, position.character, await this.#pattern.shapes(known, document));
    if (!at || token.isCancellationRequested) return undefined;
    const { service, listed, kindOf } = known;
    const range = new Range(position.line, at.start, position.line, at.end);
    const kind = kindOf(at.id);
    const may = this.#settings.hoverLookUp;
    const signal = signalOf(token);
    try {
      const found = await find(at.id, kind, service, kind ? may !== 'never' : may === 'any', signal);
      if (!found || token.isCancellationRequested) return undefined;
      const picture = may === 'never' ? undefined : await this.#avatars.getSoon(found.resource.avatarUrl, { signal });
      const { label } = listed.get(at.id) ?? {};
      const [head, rest] = cardParts(found, { avatar: picture, ...(label && { label }) });
      // Above what may be long: VS Code shows the first 250 pixels of a hover, and the rest when it is scrolled.
      return new Hover([head, actionLinks({ kind: found.kind, id: at.id }, listed.has(at.id)), rest], range);
    } catch (error) {
      // Digits that merely looked like an ID are no reason to speak of an error.
      if (!kind || isFailure(error, 'cancelled')) return undefined;
      return new Hover(plainMarkdown(errorText(error)), range);
    }
  }
}
