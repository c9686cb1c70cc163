/** The card of a group, bot or user: what a row's tooltip and a hover in a document both show. */
import { MarkdownString } from 'vscode';
import type { Found } from '../service/model.ts';
import { displayName, KIND_ICONS, summaryOf } from './describe.ts';
import { cardFactsOf } from './facts.ts';

export interface CardOptions {
  /** The person's own name for it, shown before the service's. */
  label?: string;
  /** Its avatar as a `data:` URI. It is left out where the card would be too long with it. */
  avatar?: string | undefined;
  /** Plain sentences at the end of the card. */
  notes?: readonly string[];
}

/** VS Code shows no more of a Markdown text than this (UTF-16 units). */
const BOUND = 100_000;

/** A card of untrusted text: nothing in a name or an introduction becomes markup, a link or a picture. */
export function cardOf(found: Found, options?: CardOptions): MarkdownString {
  const [head, rest] = cardParts(found, options);
  return head.appendMarkdown(`\n\n${rest.value}`);
}

/** The same in two parts, for something to stand between them: the name with the picture, and all that is below. */
export function cardParts(
  found: Found,
  { label, avatar: picture, notes = [] }: CardOptions = {},
): [head: MarkdownString, rest: MarkdownString] {
  const { resource } = found;
  const names = [...new Set([label?.trim(), displayName(found)])].filter(Boolean).join(' · ');
  const name = `**${plainMarkdown(names.replace(/\s+/g, ' '))}**`;
  const title = [`$(${KIND_ICONS[found.kind]})`, name, plainMarkdown(summaryOf(found))].filter(Boolean).join(' ');
  const facts = cardFactsOf(found).map(
    (fact) => `**${plainMarkdown(fact.label)}:** ${plainMarkdown(fact.value.trim())}`,
  );
  const rest = [
    'introduction' in resource ? plainMarkdown(resource.introduction.trim()) : '',
    facts.join('  \n'),
    notes.map((note) => plainMarkdown(note.trim())).join('  \n'),
  ]
    .filter(Boolean)
    .join('\n\n');
  const head = picture?.startsWith('data:image/') ? `${title}\n\n${image(picture)}` : title;
  const fits = head.length + rest.length + 2 <= BOUND;
  return [new MarkdownString(fits ? head : title, true), new MarkdownString(rest, true)];
}

/** A tooltip of text in lines. */
export const textTooltip = (text: string) => new MarkdownString(plainMarkdown(text));

/** Every character may become several, of which VS Code shows no more than {@link BOUND}. */
const SHOWN = BOUND / 5;

/** Text as Markdown that shows just this text, or its beginning where it is very long: every ASCII character that could be syntax is written as an entity. */
export function plainMarkdown(text: string): string {
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  return (
    shown
      // Indented, it would be code, in which entities stand as they are.
      .replace(/^[ \t]+/, '')
      .replace(/[!-/:-@[-`{-~]/g, (character) => `&#${character.charCodeAt(0)};`)
      .replace(/(?:\r\n?|\n)[ \t]*/g, '  \n')
  );
}

/** An address as a small picture; what could end it in Markdown, or name another size, is encoded as a URI does. */
function image(address: string): string {
  const encoded = address.replace(/[^\w.~:/;,=+%-]/gu, (character) => {
    const bytes = new TextEncoder().encode(character);
    return Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
  });
  return `![](${encoded}|width=48,height=48)`;
}
