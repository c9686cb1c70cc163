/** Exports a chat as one Markdown document: heading, then one entry at a time. */
import { systemClock } from '../../service/clock.ts';
import type { Listed, Message } from '../../service/message.ts';
import { embedIsolated } from '../embedMarkdown.ts';
import { showEmojiCodesInMarkdown } from '../emojiCodes.ts';
import { escapeAllInvisible, escapeInvisible } from '../escapeInvisible.ts';
import { codeBlock, codeSpan, escapeLabel, escapeText, fenceFor } from '../escapeMarkdown.ts';
import { captionOf, type ExportHeading, type ExportLabels, effectOf, isFastToRender, notesOf } from '../exportParts.ts';
import { mediaOf, partsOf, readableText } from '../messageContent.ts';
import { blockquote, contentMarkdown, isLong } from '../messageFormats.ts';
import { type DocumentMarkdown, documentMarkdown, joinDocument } from '../safeText.ts';
import type { Setting } from './conversation.ts';
import { disguisedLinks } from './plainText.ts';
import { contentText } from './shownText.ts';

/** The start of the document, up to the first entry. */
export function markdownHeading({ title, facts }: ExportHeading): DocumentMarkdown {
  const list = facts.map((fact) => documentMarkdown`- ${line(fact)}\n`);
  return documentMarkdown`# ${line(title)}\n\n${joinDocument(list, '')}`;
}

/**
 * One entry. The content is a blockquote, so that its Markdown can't affect the entries after it. A system message is a
 * single line. `now` is Unix ms.
 */
export function markdownEntry(
  entry: Listed,
  setting: Setting,
  labels: ExportLabels,
  now = systemClock.wall(),
): DocumentMarkdown {
  if (!entry.readable) {
    const json = JSON.stringify(entry.raw, null, 2);
    return documentMarkdown`\n${line(labels.unreadable)}\n\n${blockquote(codeBlock('json', escapeAllInvisible(json)))}\n`;
  }
  const { message } = entry;
  if (message.contentType === 'tip') {
    const notice = [contentText(entry, 'copied', now), ...notesOf(message, labels)];
    return entryOf(setting, line(setting.time, ...notice), buttonsOf(message, labels));
  }
  const { markdown, links } = contentOf(entry, message, now);
  const content = paragraphs(quotationOf(setting, labels), markdown);
  return entryOf(
    setting,
    headerOf(setting, message.commandName && labels.command(message.commandName), captionOf(message, labels, now)),
    blockquote(content),
    blockquote(links),
    ...notesOf(message, labels).map((note) => blockquote(escapeText(escapeInvisible(note)))),
    buttonsOf(message, labels),
  );
}

/** The text around the JSON of an entry, which is on one line, and the escape for each piece of it. */
export function markdownJsonBlock(json: string, setting: Setting, { long }: ExportLabels) {
  const fence = fenceFor(json);
  const opening = documentMarkdown`> ${fence}json\n> `;
  const begin = entryOf(setting, setting.time !== '' && headerOf(setting), line(long), opening);
  const piece = (text: string) => escapeAllInvisible(text) as string as DocumentMarkdown;
  return { begin: begin.slice(0, -'\n'.length) as DocumentMarkdown, piece, end: documentMarkdown`\n> ${fence}\n` };
}

/** The paragraphs of an entry, after a new day or time zone. */
function entryOf({ zone, day }: Setting, ...parts: (DocumentMarkdown | false)[]): DocumentMarkdown {
  const changes = [zone && line(zone), day && documentMarkdown`## ${line(day)}`] as const;
  return documentMarkdown`\n${paragraphs(...changes, ...parts)}\n`;
}

/** The sender, unless it's the one above, and the time. */
function headerOf({ sender, time }: Setting, ...more: string[]): DocumentMarkdown {
  const details = sender?.details && documentMarkdown`(${line(sender.details)})`;
  const name = sender && joinDocument([documentMarkdown`**${line(sender.name)}**`, details], ' ');
  return joinDocument([name, line(time, ...more)], ' · ');
}

function quotationOf({ answered }: Setting, labels: ExportLabels): DocumentMarkdown {
  if (!answered) return '';
  const { name, text } = answered;
  return blockquote(escapeText(escapeInvisible(name ? labels.says(name, text) : text)));
}

/** The content, and where the links lead whose text names another target: those of media say it themselves. */
function contentOf(entry: Listed, message: Message, now: number) {
  const { contentType } = message;
  const parts = partsOf(message, now).map((part) => (part.kind === 'card' ? part.body : part));
  const texts = parts.filter((part) => 'text' in part);
  // A post is treated as Markdown, even if its text is none.
  const isMarkdown = contentType === 'post' || texts.some(({ kind }) => kind === 'markdown');
  const visible = isMarkdown || contentType === 'text' ? escapeInvisible : escapeAllInvisible;
  const markdown = visible(showEmojiCodesInMarkdown(contentMarkdown(entry, now))) as string as DocumentMarkdown;
  if (texts.some(({ text }) => isLong(text)) || mediaOf(message, now)) return { markdown, links: '' as const };
  // Only Markdown that is copied verbatim needs isolating.
  const isolated = isMarkdown ? embedIsolated(markdown) : markdown;
  const mayLink = (isMarkdown ? /\]\(|@/ : /:\/\/[^\s/]*@/).test(isolated);
  const disguised = mayLink ? texts.every(({ text }) => isFastToRender(text)) && disguisedLinks(isolated) : [];
  // Text whose meaning can't be told is source, as in HTML.
  if (!disguised) return { markdown: codeBlock('markdown', markdown), links: '' as const };
  const links = disguised.map(({ text, target }) => documentMarkdown`- ${line(`${text} → ${target}`)}`);
  return { markdown: isolated, links: joinDocument(links, '\n') };
}

function buttonsOf({ content: { buttons = [] } }: Message, labels: ExportLabels): DocumentMarkdown {
  const items = buttons.flat().map((button) => {
    const label = codeSpan(escapeInvisible(readableText(button.text))) || documentMarkdown`…`;
    return documentMarkdown`- ${label} ${line(effectOf(button, labels))}`;
  });
  return joinDocument(items, '\n');
}

/** The texts as one line. */
const line = (...texts: string[]) => escapeLabel(escapeInvisible(texts.filter(Boolean).join(' · ')));
const paragraphs = (...parts: (DocumentMarkdown | false)[]) => joinDocument(parts, '\n\n');
