/** The card of a group, bot or user: what a row's tooltip and a hover in a document both show. */
import { MarkdownString } from 'vscode';
import type { Found } from '../service/model.ts';
import { factsOf, KIND_ICONS, nameOf, summaryOf } from './describe.ts';

/** A card of untrusted text: nothing in a name or an introduction becomes markup, a link or a picture. */
export function cardOf(found: Found): MarkdownString {
  const title = `$(${KIND_ICONS[found.kind]}) **${plain(nameOf(found))}** ${plain(summaryOf(found))}`;
  const facts = factsOf(found).map(({ label, value }) => `**${plain(label)}:** ${plain(value)}`);
  return new MarkdownString([title, facts.join('  \n')].join('\n\n'), true);
}

/** Text as Markdown that shows just this text: every ASCII character that could be syntax is written as an entity. */
export function plain(text: string): string {
  return text
    .replace(/[!-/:-@[-`{-~]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/\r?\n[ \t]*/g, '  \n');
}
