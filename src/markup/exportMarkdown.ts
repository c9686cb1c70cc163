/** Exports a chat as one Markdown document: heading, then one entry at a time. */
import type { Listed, Message } from '../service/message.ts';
import { escapeInvisible } from './escapeInvisible.ts';
import { codeBlock, codeSpan, escapeLabel, escapeText } from './escapeMarkdown.ts';
import type { ExportHeading, ExportLabels } from './exportLabels.ts';
import { captionOf, effectOf, headerOf } from './exportParts.ts';
import { blockquote, contentMarkdown, isLong, toText } from './messageFormats.ts';
import { quotationText } from './quotation.ts';
import { isolateMarkdown } from './sanitizeMarkdown.ts';

/** The start of the document, up to the first entry. */
export function markdownHeading({ title, facts }: ExportHeading): string {
  const list = facts.map(({ label, value }) => `- ${label}: ${escapeLabel(escapeInvisible(value))}\n`).join('');
  return `# ${escapeLabel(escapeInvisible(title))}\n\n${list}`;
}

/**
 * One entry. The content is a blockquote, so that its Markdown can't affect the entries after it. A system message is a
 * single line. `now` is Unix ms.
 */
export function markdownEntry(entry: Listed, labels: ExportLabels, now = Date.now()): string {
  if (!entry.readable)
    return `\n---\n\n${labels.unreadable}\n\n${blockquote(codeBlock('json', escapeInvisible(rawJson(entry))))}\n`;
  const { message } = entry;
  const { sender, time, details } = headerOf(message, labels);
  if (message.contentType === 'tip') {
    const line = [time, escapeLabel(escapeInvisible(toText(entry, now)))].filter(Boolean).join(' · ');
    return `\n${[line, buttonsOf(message, labels)].filter(Boolean).join('\n\n')}\n`;
  }
  const ids = [details, labels.message(message.msgId), message.parentId && labels.replyTo(message.parentId)];
  const parts = [
    `## ${escapeLabel(escapeInvisible(sender))} · ${time}`,
    escapeLabel(escapeInvisible(ids.filter(Boolean).join(' · '))),
    message.commandName && escapeLabel(escapeInvisible(labels.command(message.commandName))),
    escapeLabel(escapeInvisible(captionOf(message, labels, now))),
    blockquote(blockquote(escapeText(escapeInvisible(quotationText(message.content))))),
    blockquote(contentOf(entry, message, now)),
    blockquote(escapeText(escapeInvisible(message.content.tip ?? ''))),
    buttonsOf(message, labels),
  ];
  return `\n${parts.filter(Boolean).join('\n\n')}\n`;
}

/** What surrounds the JSON of an entry, which is on one line, and how each piece of the JSON is escaped. */
export function markdownJsonBlock(json: string, { long }: ExportLabels) {
  const [opening = ''] = codeBlock('json', json).split('\n', 1);
  const fence = opening.slice(0, -'json'.length);
  return { begin: `\n---\n\n${long}\n\n> ${opening}\n> `, piece: escapeInvisible, end: `\n> ${fence}\n` };
}

/** Only Markdown that is copied verbatim needs isolating. */
function contentOf(entry: Listed, { contentType, content }: Message, now: number): string {
  const markdown = escapeInvisible(contentMarkdown(entry, now));
  const isMarkdown = contentType === 'markdown' || contentType === 'post';
  const { text = '', postContent = '' } = content;
  return isMarkdown && !isLong(text) && !isLong(postContent) ? isolateMarkdown(markdown) : markdown;
}

function buttonsOf({ content: { buttons = [] } }: Message, labels: ExportLabels): string {
  return buttons
    .flat()
    .map(
      (button) =>
        `- ${codeSpan(escapeInvisible(button.text)) || '…'} ${escapeLabel(escapeInvisible(effectOf(button, labels)))}`,
    )
    .join('\n');
}

const rawJson = ({ raw }: Listed) => JSON.stringify(raw, null, 2);
