/** Converts a message to Markdown and JSON. Pure; the output contains no translated text. */
import { systemClock } from '../service/clock.ts';
import type { Listed } from '../service/message.ts';
import { embedMarkdown } from './embedMarkdown.ts';
import { showEmojiCodesInMarkdown } from './emojiCodes.ts';
import { codeBlock, escapeLabel, escapeText, markdownLink } from './escapeMarkdown.ts';
import { mediaReference } from './media.ts';
import { mentionsText, type Part, partsOf, readableText } from './messageContent.ts';
import { quotationText } from './quotation.ts';
import { type DocumentMarkdown, documentMarkdown, type Json, joinDocument } from './safeText.ts';
import { realTarget } from './textWriter.ts';

/** The longest text that is escaped (UTF-16 units): escaping a longer one line by line would block the extension host. */
const MAX_LENGTH = 100_000;

/** The message as a Markdown document, with its quotation, command, mentions and note, without its buttons. */
export function toMarkdown(entry: Listed): DocumentMarkdown {
  const content = showEmojiCodesInMarkdown(contentMarkdown(entry)) as DocumentMarkdown;
  if (!entry.readable) return content;
  const { content: own, commandName } = entry.message;
  const note = escapeText(readableText(own.tip ?? ''));
  const mentions = escapeText(mentionsText(own));
  return paragraphs(blockquote(escapeText(quotationText(own))), escapeText(commandName), content, mentions, note);
}

/**
 * The content as a Markdown document, without buttons and quotation. Text is escaped, Markdown is
 * made safe by {@link embedMarkdown}, and either is a code block if {@link isLong long}. Media is a link if it has a web
 * address that hasn't expired. HTML is shown as source, anything without a text as JSON. Emoji codes in Markdown stay, so
 * that a draft has what was sent. `now` is Unix ms.
 */
export function contentMarkdown(entry: Listed, now = systemClock.wall()): DocumentMarkdown {
  if (!entry.readable) return codeBlock('json', json(entry.raw));
  return paragraphs(...partsOf(entry.message, now).map((part) => partMarkdown(part, entry)));
}

function partMarkdown(part: Part, entry: Listed): DocumentMarkdown {
  switch (part.kind) {
    case 'plain':
      return escapeOrCode(part.text, escapeText, '');
    case 'markdown':
      return escapeOrCode(part.text, embedMarkdown, 'markdown');
    case 'html':
      return codeBlock('html', part.text);
    case 'source':
      return codeBlock('', part.text);
    case 'card':
      return paragraphs(
        part.title.trim() !== '' && documentMarkdown`**${escapeLabel(part.title)}**`,
        partMarkdown(part.body, entry),
      );
    case 'media': {
      const { name, location } = mediaReference(part.media);
      const text = escapeOrCode(part.text, escapeText, '');
      return paragraphs(mediaLink(name || location, location), text) || codeBlock('json', contentJson(entry));
    }
    case 'fields': {
      // A field without a label is shown as its value.
      const items = part.fields.map(({ label, value }) => {
        const name = label && documentMarkdown`${escapeLabel(label)}: `;
        return `- ${name}${linesOfItem(value)}`.trimEnd() as DocumentMarkdown;
      });
      return joinDocument(items, '\n');
    }
    case 'json':
      return codeBlock('json', contentJson(entry));
  }
}

/** The address to which media leads, if its name looks like another one. A name without a scheme is that of a file. */
export const otherTarget = (name: string, address: string) =>
  /https?:[/\\]/i.test(name) ? realTarget(address, name).trim() : '';

const mediaLink = (name: string, address: string) =>
  joinDocument([markdownLink(name, address), escapeLabel(otherTarget(name, address))], ' ');

/** A text in a list item, with its lines, which are indented so that they stay in it. */
function linesOfItem(text: string): DocumentMarkdown {
  const lines = text.trim();
  return isLong(lines) ? escapeLabel(lines) : (escapeText(lines).replace(/\n(?=.)/g, '\n  ') as DocumentMarkdown);
}

/** Whether a text is too long to escape, or to parse as Markdown, which can't pause: it becomes a code block. */
export const isLong = (text: string) => text.length > MAX_LENGTH;

const escapeOrCode = (text: string, convert: (text: string) => DocumentMarkdown, language: string) =>
  isLong(text) ? codeBlock(language, text) : convert(text);

/** The JSON as received, indented. */
export function toJson(entry: Listed): string {
  return json(entry.raw);
}

/** The JSON as received, on one line. */
export const toNdjson = (entry: Listed) => `${JSON.stringify(entry.raw)}\n` as Json;

/** {@link toNdjson} in several pieces, for JSON that is on one line already. */
export const NDJSON_SOURCE = { begin: '', piece: (json: string) => json as Json, end: '\n' as Json } as const;

/** The JSON of the content as received, indented. */
export const contentJson = ({ raw }: Listed) => json(receivedContent(raw));

/** The content in a message as received. */
export const receivedContent = (raw: unknown) =>
  typeof raw === 'object' && raw !== null && 'content' in raw ? raw.content : raw;

/** The lines as a Markdown blockquote; empty if they're blank. */
export function blockquote<T extends string>(text: T): T | '' {
  if (!text.trim()) return '';
  return text
    .split(/\r\n?|\n/)
    .map((line) => (line ? `> ${line}` : '>'))
    .join('\n') as T;
}

const paragraphs = (...parts: (DocumentMarkdown | false)[]) => joinDocument(parts, '\n\n');
const json = (value: unknown) => JSON.stringify(value, null, 2) ?? '';
