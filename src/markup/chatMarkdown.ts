/** A whole chat as one Markdown document: its heading, and each entry on its own. */
import type { Listed, Message } from '../service/message.ts';
import { blockquote, contentMarkdown, isLong, toText } from './contentMarkdown.ts';
import { escapeInvisible } from './escapeInvisible.ts';
import { codeBlock, codeSpan, escapeLabel, escapeText } from './escapeMarkdown.ts';
import type { ExportHeading, ExportLabels } from './exportLabels.ts';
import { captionOf, effectOf, headerOf } from './messageParts.ts';
import { quotationText } from './quotation.ts';
import { isolateMarkdown } from './sanitizeMarkdown.ts';

/** The beginning of the document. */
export function markdownHeading({ title, facts }: ExportHeading): string {
  const list = facts.map(({ label, value }) => `- ${label}: ${escapeLabel(escapeInvisible(value))}\n`).join('');
  return `# ${escapeLabel(escapeInvisible(title))}\n\n${list}`;
}

/**
 * One entry. Its content is quoted, so that no mark within it reaches the messages after it, nor does a definition. What
 * the system says is a line of its own. `now` is Unix ms.
 */
export function markdownEntry(entry: Listed, words: ExportLabels, now = Date.now()): string {
  if (!entry.readable)
    return `\n---\n\n${words.unreadable}\n\n${blockquote(codeBlock('json', escapeInvisible(rawJson(entry))))}\n`;
  const { message } = entry;
  const { sender, time, details } = headerOf(message, words);
  if (message.contentType === 'tip') {
    const line = [time, escapeLabel(escapeInvisible(toText(entry, now)))].filter(Boolean).join(' · ');
    return `\n${[line, buttonsOf(message, words)].filter(Boolean).join('\n\n')}\n`;
  }
  const ids = [details, words.message(message.msgId), message.parentId && words.replyTo(message.parentId)];
  const told = [
    `## ${escapeLabel(escapeInvisible(sender))} · ${time}`,
    escapeLabel(escapeInvisible(ids.filter(Boolean).join(' · '))),
    message.commandName && escapeLabel(escapeInvisible(words.command(message.commandName))),
    escapeLabel(escapeInvisible(captionOf(message, words, now))),
    blockquote(blockquote(escapeText(escapeInvisible(quotationText(message.content))))),
    blockquote(contentOf(entry, message, now)),
    blockquote(escapeText(escapeInvisible(message.content.tip ?? ''))),
    buttonsOf(message, words),
  ];
  return `\n${told.filter(Boolean).join('\n\n')}\n`;
}

/** What stands around the JSON of an entry, and how its pieces are written; it has no line break. */
export function markdownJsonBlock(json: string, { long }: ExportLabels) {
  const [opening = ''] = codeBlock('json', json).split('\n', 1);
  const fence = opening.slice(0, -'json'.length);
  return { begin: `\n---\n\n${long}\n\n> ${opening}\n> `, piece: escapeInvisible, end: `\n> ${fence}\n` };
}

/** Only what is Markdown by itself could change what others wrote. */
function contentOf(entry: Listed, { contentType, content }: Message, now: number): string {
  const markdown = escapeInvisible(contentMarkdown(entry, now));
  const isMarkdown = contentType === 'markdown' || contentType === 'post';
  const { text = '', postContent = '' } = content;
  return isMarkdown && !isLong(text) && !isLong(postContent) ? isolateMarkdown(markdown) : markdown;
}

function buttonsOf({ content: { buttons = [] } }: Message, words: ExportLabels): string {
  return buttons
    .flat()
    .map(
      (button) =>
        `- ${codeSpan(escapeInvisible(button.text)) || '…'} ${escapeLabel(escapeInvisible(effectOf(button, words)))}`,
    )
    .join('\n');
}

const rawJson = ({ raw }: Listed) => JSON.stringify(raw, null, 2);
