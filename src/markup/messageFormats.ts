/** Converts a message to Markdown and JSON. Pure; the output contains no translated text. */
import { systemClock } from '../service/clock.ts';
import type { Listed, Message } from '../service/message.ts';
import { showEmojiCodesInMarkdown } from './emojiCodes.ts';
import { codeBlock, escapeLabel, escapeText, markdownLink } from './escapeMarkdown.ts';
import { cardText } from './interactiveCard.ts';
import { mediaIds, mediaOf } from './media.ts';
import {
  displayText,
  formFields,
  knownType,
  markdownSource,
  mentionsText,
  postOf,
  readableText,
} from './messageContent.ts';
import { quotationText } from './quotation.ts';
import { sanitizeMarkdown } from './sanitizeMarkdown.ts';
import { realTarget } from './textWriter.ts';

/** In UTF-16 units. Escaping a longer text line by line would block the extension host. */
const MAX_LENGTH = 100_000;

/** The message as a Markdown document, with its quotation, command, mentions and note, without its buttons. */
export function toMarkdown(entry: Listed): string {
  const content = showEmojiCodesInMarkdown(contentMarkdown(entry));
  if (!entry.readable) return content;
  const { content: own, commandName } = entry.message;
  const note = escapeText(readableText(own.tip ?? ''));
  const mentions = escapeText(mentionsText(own));
  return paragraphs(blockquote(escapeText(quotationText(own))), escapeText(commandName), content, mentions, note);
}

/**
 * The content as a Markdown document, without buttons and quotation. Text is escaped, Markdown is
 * {@link sanitizeMarkdown sanitized}, and either is a code block if {@link isLong long}. Media is a link if it has a web
 * address that hasn't expired. HTML is shown as source, anything without a text as JSON. Emoji codes in Markdown stay, so
 * that a draft has what was sent. `now` is Unix ms.
 */
export function contentMarkdown(entry: Listed, now = systemClock.wall()): string {
  if (!entry.readable) return codeBlock('json', json(entry.raw));
  const { content } = entry.message;
  const body = bodyMarkdown(entry, entry.message, now);
  // Any message may have a form. JSON includes it.
  return knownType(entry.message) ? paragraphs(body, formMarkdown(content)) : body;
}

function bodyMarkdown(entry: Listed, message: Message, now: number): string {
  const { content } = message;
  switch (knownType(message)) {
    case 'text':
    case 'tip':
    case 'form':
    case 'other':
      return escapeOrCode(displayText(content), escapeText, '');
    case 'markdown':
      return escapeOrCode(markdownSource(content), sanitizeMarkdown, 'markdown');
    case 'html':
      return codeBlock('html', content.text ?? '');
    case 'a2ui': {
      const text = cardText(content.text ?? '');
      return text === undefined ? codeBlock('', content.text ?? '') : escapeText(readableText(text));
    }
    case 'image':
    case 'file':
    case 'video':
    case 'audio':
    case 'expression': {
      const { name, location } = mediaReference(message, now);
      const text = escapeOrCode(displayText(content), escapeText, '');
      return paragraphs(mediaLink(name || location, location), text) || codeBlock('json', contentJson(entry));
    }
    case 'post': {
      const { title, text, isMarkdown } = postOf(content);
      const body = isMarkdown
        ? escapeOrCode(markdownSource({ text }), sanitizeMarkdown, 'markdown')
        : escapeOrCode(readableText(text), escapeText, '');
      return paragraphs(title.trim() && `**${escapeLabel(readableText(title))}**`, body);
    }
    case undefined:
      return codeBlock('json', contentJson(entry));
  }
}

/** Where media leads if its name is another address. Without a scheme it's a file's, which only looks like a host. */
export const otherTarget = (name: string, address: string) =>
  /https?:[/\\]/i.test(name) ? realTarget(address, name).trim() : '';

const mediaLink = (name: string, address: string) =>
  [markdownLink(name, address), escapeLabel(otherTarget(name, address))].filter(Boolean).join(' ');

/** The fields of a form as a list. A field without a label is its value. */
function formMarkdown(content: Message['content']): string {
  return formFields(content)
    .map(({ label, value }) => `- ${label && `${escapeLabel(label)}: `}${linesOfItem(value)}`.trimEnd())
    .join('\n');
}

/** A text in a list item, with its lines, which are indented so that they stay in it. */
function linesOfItem(text: string): string {
  const lines = text.trim();
  return isLong(lines) ? escapeLabel(lines) : escapeText(lines).replace(/\n(?=.)/g, '\n  ');
}

/**
 * The name of an image, file or other media, and its location: a web address, a bare name or a key. Each is empty if missing;
 * an expired address counts as missing. `now` is Unix ms.
 */
export function mediaReference(message: Message, now: number): { name: string; location: string } {
  const { name = '', localName = '', address = '', isExpired, key = '' } = mediaOf(message, now) ?? {};
  const keyBesideName = message.contentType !== 'image' && name ? key : '';
  return {
    name: name || mediaIds(message)[0] || '',
    location: isExpired ? '' : address || localName || keyBesideName,
  };
}

/** Whether a text is too long to escape, or to parse as Markdown, which can't pause: it becomes a code block. */
export const isLong = (text: string) => text.length > MAX_LENGTH;

const escapeOrCode = (text: string, convert: (text: string) => string, language: string) =>
  isLong(text) ? codeBlock(language, text) : convert(text);

/** The JSON as received, indented. */
export function toJson(entry: Listed): string {
  return json(entry.raw);
}

/** The JSON as received, on one line. */
export function toNdjson(entry: Listed): string {
  return `${JSON.stringify(entry.raw)}\n`;
}

/** The JSON of the content as received, indented. */
export function contentJson({ raw }: Listed): string {
  return json(typeof raw === 'object' && raw !== null && 'content' in raw ? raw.content : raw);
}

/** The lines as a Markdown blockquote; empty if they're blank. */
export function blockquote(text: string): string {
  if (!text.trim()) return '';
  return text
    .split(/\r\n?|\n/)
    .map((line) => (line ? `> ${line}` : '>'))
    .join('\n');
}

const paragraphs = (...parts: (string | undefined)[]) => parts.filter(Boolean).join('\n\n');
const json = (value: unknown) => JSON.stringify(value, null, 2) ?? '';
