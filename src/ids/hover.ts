/** Hovering an ID shows what it belongs to. */
import { type CancellationToken, type HoverProvider, type Position, Range, type TextDocument } from 'vscode';
import { AvatarCache } from '../directory/avatarCache.ts';
import type { Settings } from '../platform/settings.ts';
import { notFoundText, problemText } from '../presentation/candidates.ts';
import { cardParts, noteCard } from '../presentation/card.ts';
import { signalOf } from '../presentation/dialogs.ts';
import { rememberedInstead } from '../presentation/lookups.ts';
import { Card, CardHover, l10n, textCard } from '../presentation/shown.ts';
import { isFailure } from '../service/errors.ts';
import { actionLinks, lookUpLink } from './commandLinks.ts';
import { idAt } from './findIds.ts';
import type { IdPattern } from './idPattern.ts';
import type { KnownIds } from './knownIds.ts';

export class IdHover implements HoverProvider {
  readonly #known: KnownIds;
  readonly #pattern: IdPattern;
  readonly #settings: Pick<Settings, 'hoverLookUp'>;
  readonly #avatars = new AvatarCache();

  constructor(known: KnownIds, pattern: IdPattern, settings: Pick<Settings, 'hoverLookUp'>) {
    this.#settings = settings;
    this.#known = known;
    this.#pattern = pattern;
  }

  async provideHover(
    document: TextDocument,
    position: Position,
    token: CancellationToken,
  ): Promise<CardHover | undefined> {
    // The line is read before the first await, because it may not exist afterwards.
    const { text } = document.lineAt(position);
    const known = await this.#known.read();
    if (!known || token.isCancellationRequested) return undefined;
    const at = idAt(text, position.character, await this.#pattern.matcher(known, document));
    if (!at || token.isCancellationRequested) return undefined;
    const { service, listed, kindOf } = known;
    const range = new Range(position.line, at.start, position.line, at.end);
    const kind = kindOf(at.id);
    const setting = this.#settings.hoverLookUp;
    const mayLookUp = kind ? setting !== 'never' : setting === 'any';
    const signal = signalOf(token);
    const reference = { kind, id: at.id };
    const unknown = () => {
      const note = kind ? l10n.t('Not looked up yet.') : l10n.t('Not in your lists.');
      return new CardHover([noteCard(reference, service.directory, note), lookUpLink(reference)], range);
    };
    try {
      const found = mayLookUp
        ? await (kind ? service.directory.get(kind, at.id, { signal }) : service.directory.identify(at.id, signal))
        : kind && service.directory.peek(kind, at.id);
      if (token.isCancellationRequested) return undefined;
      if (!found) return mayLookUp ? new CardHover(textCard(notFoundText(at.id)), range) : unknown();
      const avatar =
        setting === 'never' ? undefined : await this.#avatars.getSoon(found.resource.avatarUrl, { signal });
      const [head, rest] = cardParts(found, { avatar, known: service.directory });
      // Actions go before the details: VS Code shows only the first 250 pixels of a hover without scrolling.
      return new CardHover(
        [new Card(head), actionLinks({ kind: found.kind, id: at.id }, listed.has(at.id)), new Card(rest)],
        range,
      );
    } catch (error) {
      if (isFailure(error, 'cancelled')) return undefined;
      // A word that only looks like an ID gets no error.
      if (!kind) return unknown();
      const instead = rememberedInstead(error, at.id, kind, service.directory);
      return new CardHover(textCard(problemText({ id: at.id, error, instead })), range);
    }
  }
}
