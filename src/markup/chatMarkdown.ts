/** A whole chat as one Markdown document: its heading, and each entry on its own. */
import type { Listed, Message } from '../service/message.ts';
import { confine } from './confine.ts';
import { asText, contentMarkdown, isLong, quoted } from './contentMarkdown.ts';
import { codeBlock, codeSpan, escapeLabel, escapeText } from './escapeMarkdown.ts';
import type { Heading, Words } from './exportLabels.ts';
import { visible } from './invisibles.ts';
import { captionOf, effectOf, headOf } from './messageParts.ts';
import { quotedText } from './quote.ts';

/** The beginning of the document. */
export function markdownHeading({ title, facts }: Heading): string {
  const list = facts.map(({ label, value }) => `- ${label}: ${escapeLabel(visible(value))}\n`).join('');
  return `# ${escapeLabel(visible(title))}\n\n${list}`;
}

/**
 * One entry. Its content is quoted, so that no mark within it reaches the messages after it, nor does a definition. What
 * the system says is a line of its own. `now` is Unix ms.
 */
export function markdownOf(entry: Listed, words: Words, now = Date.now()): string {
  if (!entry.readable) return `\n---\n\n${words.unreadable}\n\n${quoted(codeBlock('json', visible(rawJson(entry))))}\n`;
  const { message } = entry;
  const { sender, time, details } = headOf(message, words);
  if (message.contentType === 'tip') {
    const line = [time, escapeLabel(visible(asText(entry, now)))].filter(Boolean).join(' · ');
    return `\n${[line, buttonsOf(message, words)].filter(Boolean).join('\n\n')}\n`;
  }
  const ids = [details, words.message(message.msgId), message.parentId && words.replyTo(message.parentId)];
  const told = [
    `## ${escapeLabel(visible(sender))} · ${time}`,
    escapeLabel(visible(ids.filter(Boolean).join(' · '))),
    message.commandName && escapeLabel(visible(words.command(message.commandName))),
    escapeLabel(visible(captionOf(message, words, now))),
    quoted(quoted(escapeText(visible(quotedText(message.content))))),
    quoted(contentOf(entry, message, now)),
    quoted(escapeText(visible(message.content.tip ?? ''))),
    buttonsOf(message, words),
  ];
  return `\n${told.filter(Boolean).join('\n\n')}\n`;
}

/** What stands around the JSON of an entry, and how its pieces are written; it has no line break. */
export function markdownSource(json: string, { long }: Words) {
  const [opening = ''] = codeBlock('json', json).split('\n', 1);
  const fence = opening.slice(0, -'json'.length);
  return { begin: `\n---\n\n${long}\n\n> ${opening}\n> `, piece: visible, end: `\n> ${fence}\n` };
}

/** Only what is Markdown by itself could change what others wrote. */
function contentOf(entry: Listed, { contentType, content }: Message, now: number): string {
  const markdown = visible(contentMarkdown(entry, now));
  const isMarkdown = contentType === 'markdown' || contentType === 'post';
  const { text = '', postContent = '' } = content;
  return isMarkdown && !isLong(text) && !isLong(postContent) ? confine(markdown) : markdown;
}

function buttonsOf({ content: { buttons = [] } }: Message, words: Words): string {
  return buttons
    .flat()
    .map((button) => `- ${codeSpan(visible(button.text)) || '…'} ${escapeLabel(visible(effectOf(button, words)))}`)
    .join('\n');
}

const rawJson = ({ raw }: Listed) => JSON.stringify(raw, null, 2);
