/** The card of a group, bot or user, shown as the tooltip of a row and as a hover, and the actions next to it. */
import { l10n, MarkdownString } from 'vscode';
import { escapeAllInvisible, visibleText } from '../markup/escapeInvisible.ts';
import type { IdActionName } from '../protocol/history.ts';
import { type Found, idOf, type Kind, type PossibleReference, type Reference } from '../service/model.ts';
import { KIND_ICONS, type KnownNames, knownLabel, ownName, summaryOf } from './describe.ts';
import { cardFactsOf, withNames } from './facts.ts';

export interface CardOptions {
  /** The avatar as a `data:` URI. It's left out if the card would become too long. */
  avatar?: string | undefined;
  /** Plain sentences at the end of the card. */
  notes?: readonly string[];
  /** Names it, and the groups, bots and users that it refers to. */
  known: KnownNames;
}

/** VS Code cuts longer Markdown off (UTF-16 units). */
const MAX_LENGTH = 100_000;

/** The card. Names and introductions are untrusted: no part of them becomes markup, a link or an image. */
export function cardOf(found: Found, options: CardOptions): MarkdownString {
  const [head, rest] = cardParts(found, options);
  return head.appendMarkdown(`\n\n${rest.value}`);
}

/** The card in two parts, so that a caller can insert something: the name with the avatar, and the rest. */
export function cardParts(
  found: Found,
  { avatar, notes = [], known }: CardOptions,
): [head: MarkdownString, rest: MarkdownString] {
  const { resource } = found;
  const title = [
    titleOf(found.kind, knownLabel(known, found.kind, idOf(found)), ownName(found)),
    plainMarkdown(summaryOf(found)),
  ]
    .filter(Boolean)
    .join(' ');
  const facts = withNames(cardFactsOf(found), known).map((fact) =>
    l10n.t('**{0}:** {1}', plainMarkdown(fact.label), plainMarkdown(fact.value.trim())),
  );
  const rest = [
    'introduction' in resource ? plainMarkdown(resource.introduction.trim()) : '',
    facts.join('  \n'),
    notes.map((note) => plainMarkdown(note.trim())).join('  \n'),
  ]
    .filter(Boolean)
    .join('\n\n');
  const head = avatar?.startsWith('data:image/') ? `${title}\n\n${image(avatar)}` : title;
  const fits = head.length + rest.length + 2 <= MAX_LENGTH;
  return [new MarkdownString(fits ? head : title, true), new MarkdownString(rest, true)];
}

/** The card of an ID of which only a plain note can be said. */
export const noteCard = ({ kind, id }: PossibleReference, known: KnownNames, note: string) =>
  new MarkdownString(`${titleOf(kind, kind && knownLabel(known, kind, id), id)}  \n${plainMarkdown(note)}`, true);

function titleOf(kind: Kind | undefined, label: string | undefined, name: string): string {
  const names = [...new Set([label, name])].filter(Boolean).join(' · ');
  return [kind && `$(${KIND_ICONS[kind]})`, `**${plainMarkdown(names.replace(/\s+/g, ' '))}**`]
    .filter(Boolean)
    .join(' ');
}

/** A tooltip of plain text. */
export const textTooltip = (text: string) => new MarkdownString(plainMarkdown(text));

/**
 * A text on one line, for what VS Code shows as Markdown in some places and as plain text in others, where it knows
 * escaped characters but no entities. In the chat, it turns `$(name)` into an icon in spite of escapes: a zero-width space
 * prevents that.
 */
export const escapedText = (text: string) =>
  new MarkdownString(
    escapeAllInvisible(text)
      .replace(/\s+/g, ' ')
      .replace(/[!-/:-@[-`{-~]/g, '\\$&')
      .replaceAll('\\$\\(', '\\$\u200b\\('),
  );

/** Escaping makes a character up to five times as long. */
const MAX_TEXT = MAX_LENGTH / 5;

/** Escapes text as Markdown, cutting off very long text. ASCII punctuation becomes entities. */
export function plainMarkdown(text: string): string {
  return (
    visibleText(text, MAX_TEXT)
      // Indented text would be code, where entities aren't decoded.
      .replace(/^[ \t]+/, '')
      .replace(/[!-/:-@[-`{-~]/g, (character) => `&#${character.charCodeAt(0)};`)
      .replace(/(?:\r\n?|\n)[ \t]*/g, '  \n')
  );
}

/** A small image. Characters that could end the address or change the size are percent-encoded. */
function image(address: string): string {
  const encoded = address.replace(/[^\w.~:/;,=+%-]/gu, (character) => {
    const bytes = new TextEncoder().encode(character);
    return Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
  });
  return `![](${encoded}|width=48,height=48)`;
}

/** An action for a group, bot or user, wherever its name or ID appears. */
export interface IdAction {
  /** The command, without `botChats.`. */
  readonly name: IdActionName;
  readonly icon: string;
  readonly label: string;
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
