/** The card of a group, bot or user, shown as the tooltip of a row and as a hover, and the actions next to it. */
import { escapeAllInvisible } from '../markup/escapeInvisible.ts';
import { type CardMarkdown, cardMarkdown, joinCard } from '../markup/safeText.ts';
import type { IdActionName } from '../protocol/history.ts';
import { type Found, idOf, type Kind, type PossibleReference, type Reference } from '../service/model.ts';
import { KIND_ICONS, type KnownNames, knownLabel, ownName, summaryOf } from './describe.ts';
import { joinPhrases } from './factParts.ts';
import { cardFactsOf, withNames } from './facts.ts';
import { Card, icon, l10n, MAX_CARD, plainMarkdown, type ShownText } from './shown.ts';

export interface CardOptions {
  /** The avatar as a `data:` URI. It's left out if the card would become too long. */
  avatar?: string | undefined;
  /** Sentences at the end of the card. */
  notes?: readonly ShownText[];
  /** The names of what the card is about, and of the groups, bots and users that it refers to. */
  known: KnownNames;
}

/** The card. Names and introductions are untrusted: no part of them becomes markup, a link or an image. */
export const cardOf = (found: Found, options: CardOptions) => new Card(joinCard(cardParts(found, options), '\n\n'));

/** The card in two parts, so that a caller can insert something: the name with the avatar, and the rest. */
export function cardParts(
  found: Found,
  { avatar, notes = [], known }: CardOptions,
): [head: CardMarkdown, rest: CardMarkdown] {
  const { resource } = found;
  const title = joinCard(
    [titleOf(found.kind, knownLabel(known, found.kind, idOf(found)), ownName(found)), plainMarkdown(summaryOf(found))],
    ' ',
  );
  const facts = withNames(cardFactsOf(found), known).map((fact) =>
    l10n.markdown('**{0}:** {1}', fact.label, fact.value.trim()),
  );
  const rest = joinCard(
    [
      'introduction' in resource && plainMarkdown(resource.introduction.trim()),
      joinCard(facts, '  \n'),
      joinCard(
        notes.map((note) => plainMarkdown(note.trim())),
        '  \n',
      ),
    ],
    '\n\n',
  );
  const head = avatar?.startsWith('data:image/') ? joinCard([title, image(avatar)], '\n\n') : title;
  const fits = head.length + rest.length + 2 <= MAX_CARD;
  return [fits ? head : title, rest];
}

/** The card of an ID of which nothing is known but a note. */
export const noteCard = ({ kind, id }: PossibleReference, known: KnownNames, note: ShownText) =>
  new Card(
    joinCard([titleOf(kind, kind && knownLabel(known, kind, id), escapeAllInvisible(id)), plainMarkdown(note)], '  \n'),
  );

function titleOf(kind: Kind | undefined, label: ShownText | undefined, name: ShownText): CardMarkdown {
  const names = joinPhrases(...new Set([label, name]));
  const bold = cardMarkdown`**${plainMarkdown(names.replace(/\s+/g, ' '))}**`;
  return kind ? joinCard([icon(KIND_ICONS[kind]), bold], ' ') : bold;
}

/** A small image. Characters that could end the address or change the size are percent-encoded. */
function image(address: string): CardMarkdown {
  const encoded = address.replace(/[^\w.~:/;,=+%-]/gu, (character) => {
    const bytes = new TextEncoder().encode(character);
    return Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
  });
  return `![](${encoded}|width=48,height=48)` as CardMarkdown;
}

/** An action for a group, bot or user, wherever its name or ID appears. */
export interface IdAction {
  /** The name of the command, without `botChats.`. */
  readonly name: IdActionName;
  readonly icon: string;
  readonly label: ShownText;
}

/** The actions, most likely first. A bot has no history of its own and receives no messages. */
export function actionsFor({ kind }: Pick<Reference, 'kind'>, isListed: boolean): IdAction[] {
  const chat: IdAction[] = [
    { name: 'openHistory', icon: 'comment-discussion', label: l10n.t('Open History') },
    { name: 'newMessage', icon: 'edit', label: l10n.t('New Message…') },
    { name: 'send', icon: 'send', label: l10n.t('Send Existing Draft…') },
    { name: 'showDeliveries', icon: 'inbox', label: l10n.t('Show Deliveries…') },
  ];
  return [
    ...(kind === 'bot' ? [] : chat),
    { name: 'copyId', icon: 'copy', label: l10n.t('Copy ID') },
    ...(isListed ? [] : [{ name: 'addToSidebar', icon: 'add', label: l10n.t('Add to Sidebar') } as const]),
  ];
}
