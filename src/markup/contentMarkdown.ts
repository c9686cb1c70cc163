/** One message taken along: as text to paste, as Markdown, as JSON. Pure; nothing here is in a language of its own. */
import type { Listed, Message } from '../service/message.ts';
import { codeBlock, escapeLabel, escapeText, markdownLink } from './escapeMarkdown.ts';
import { mediaOf } from './media.ts';
import { displayText, knownKind } from './messageContent.ts';
import { quotationText } from './quotation.ts';
import { sanitizeMarkdown } from './sanitizeMarkdown.ts';

/** UTF-16 units. */
const LONG = 100_000;

/**
 * What a person would paste: what the message quotes, then the text, source as it stands; of an image, a file and the
 * like what it is called and where it lies, unless nothing is there any more; of anything else the JSON of its content.
 * `now` is Unix ms.
 */
export function toText(entry: Listed, now = Date.now()): string {
  if (!entry.readable) return json(entry.raw);
  const { content } = entry.message;
  return paragraphs(blockquote(quotationText(content)), saidIn(entry, entry.message, now));
}

function saidIn(entry: Listed, message: Message, now: number): string {
  const { content } = message;
  switch (knownKind(message)) {
    case 'text':
    case 'markdown':
    case 'html':
    case 'tip':
      return displayText(content);
    case 'image': {
      const { name, place } = mediaReference(message, now);
      return place || name || contentJson(entry);
    }
    case 'file':
    case 'video':
    case 'audio':
    case 'expression': {
      const { name, place } = mediaReference(message, now);
      return [name, place].filter(Boolean).join(' ') || contentJson(entry);
    }
    case 'post':
      return paragraphs(content.postTitle, content.postContent);
    case 'form':
      return (content.formJson ?? []).map(({ label, value }) => `${label}: ${value}`.trim()).join('\n');
    default:
      return contentJson(entry);
  }
}

/** The same as a Markdown document, without the buttons. `now` is Unix ms. */
export function toMarkdown(entry: Listed, now = Date.now()): string {
  const quotation = entry.readable ? escapeText(quotationText(entry.message.content)) : '';
  return paragraphs(blockquote(quotation), contentMarkdown(entry, now));
}

/**
 * The content as a Markdown document, without the buttons and what it quotes: text reads the same, Markdown stands as it
 * is but for what is {@link sanitizeMarkdown harmful}, either is code where it is {@link isLong long}, an image or a file is a
 * link where it has an address of the web that has not expired. HTML is shown as source, anything else as JSON. `now` is
 * Unix ms.
 */
export function contentMarkdown(entry: Listed, now = Date.now()): string {
  if (!entry.readable) return codeBlock('json', json(entry.raw));
  const { message } = entry;
  const { content } = message;
  switch (knownKind(message)) {
    case 'text':
    case 'tip':
      return asLines(displayText(content), escapeText, '');
    case 'markdown':
      return asLines(displayText(content), sanitizeMarkdown, 'markdown');
    case 'html':
      return codeBlock('html', content.text ?? '');
    case 'image':
    case 'file':
    case 'video':
    case 'audio':
    case 'expression': {
      const { name, place } = mediaReference(message, now);
      return markdownLink(name || place, place) || codeBlock('json', contentJson(entry));
    }
    case 'post': {
      const { postTitle = '', postContent = '', postContentType } = content;
      const body =
        postContentType === 2
          ? asLines(postContent, sanitizeMarkdown, 'markdown')
          : asLines(postContent, escapeText, '');
      return paragraphs(postTitle.trim() && `**${escapeLabel(postTitle)}**`, body);
    }
    case 'form':
      return (content.formJson ?? [])
        .map(({ label, value }) => `- ${escapeLabel(label)}: ${escapeLabel(value)}`.trimEnd())
        .join('\n');
    default:
      return codeBlock('json', contentJson(entry));
  }
}

/**
 * What an image, a file and the like is called, and where it lies: an address of the web, or another name; empty where
 * there is none, or none any more. `now` is Unix ms.
 */
export function mediaReference(message: Message, now: number): { name: string; place: string } {
  const { name = '', localName: bareName = '', address = '', isExpired } = mediaOf(message, now) ?? {};
  const { imageKey, expressionId, stickerId } = message.content;
  return {
    name: name || imageKey || expressionId || stickerId || '',
    place: isExpired ? '' : address || bareName,
  };
}

/** A text is so long that to go through its lines would hold up all else: as Markdown it is a block of code. */
export const isLong = (text: string) => text.length > LONG;

const asLines = (text: string, written: (text: string) => string, language: string) =>
  isLong(text) ? codeBlock(language, text) : written(text);

/** The JSON as it came, indented. */
export function toJson(entry: Listed): string {
  return json(entry.raw);
}

/** The JSON as it came, on one line. */
export function toNdjson(entry: Listed): string {
  return `${JSON.stringify(entry.raw)}\n`;
}

/** The content of a message just as it came, indented. */
export function contentJson({ raw }: Listed): string {
  return json(typeof raw === 'object' && raw !== null && 'content' in raw ? raw.content : raw);
}

/** Lines as a quotation; empty where they say nothing. */
export function blockquote(text: string): string {
  if (!text.trim()) return '';
  return text
    .split(/\r\n?|\n/)
    .map((line) => (line ? `> ${line}` : '>'))
    .join('\n');
}

const paragraphs = (...parts: (string | undefined)[]) => parts.filter(Boolean).join('\n\n');
const json = (value: unknown) => JSON.stringify(value, null, 2) ?? '';
