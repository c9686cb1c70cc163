/** One message taken along: as text to paste, as Markdown, as JSON. Pure; nothing here is in a language of its own. */
import type { Listed, Message } from '../../service/message.ts';
import { codeBlock, escapeText, link } from '../../words/escape.ts';
import { harmless } from './confine.ts';

/**
 * What a person would paste: the text, source as it stands; of an image or a file what it is and where it lies; of
 * anything else the JSON of its content.
 */
export function asText(entry: Listed): string {
  if (!entry.readable) return json(entry.raw);
  const { contentType, content } = entry.message;
  switch (contentType) {
    case 'text':
    case 'markdown':
    case 'html':
      return content.text ?? '';
    case 'image':
      return content.imageUrl || content.imageKey || contentJson(entry);
    case 'file':
      return [content.fileName, content.fileUrl].filter(Boolean).join(' ') || contentJson(entry);
    default:
      return contentJson(entry);
  }
}

/**
 * The content as a Markdown document, without the buttons: text reads the same, Markdown stands as it is but for what is
 * {@link harmless harmful}, an image or a file is a link where it has an address of the web. HTML is shown as source, anything else as JSON.
 */
export function asMarkdown(entry: Listed): string {
  if (!entry.readable) return codeBlock('json', json(entry.raw));
  const { contentType, content } = entry.message;
  switch (contentType) {
    case 'text':
      return escapeText(content.text ?? '');
    case 'markdown':
      return harmless(content.text ?? '');
    case 'html':
      return codeBlock('html', content.text ?? '');
    case 'image':
      return linked(content.imageName || content.imageKey, content.imageUrl) || codeBlock('json', contentJson(entry));
    case 'file':
      return linked(content.fileName, content.fileUrl) || codeBlock('json', contentJson(entry));
    default:
      return codeBlock('json', contentJson(entry));
  }
}

/** The JSON as it came, indented. */
export function asJson(entry: Listed): string {
  return json(entry.raw);
}

/** The JSON as it came, on one line. */
export function ndjsonOf(entry: Listed): string {
  return `${JSON.stringify(entry.raw)}\n`;
}

/** The content of a message just as it came, indented. */
export function contentJson({ raw }: Listed): string {
  return json(typeof raw === 'object' && raw !== null && 'content' in raw ? raw.content : raw);
}

/** The address that a button opens: some senders put it into `value`. */
export const opensOf = ({ url, value }: NonNullable<Message['content']['buttons']>[number][number]) => url || value;

const linked = (name = '', address = '') => link(name || address, address);
const json = (value: unknown) => JSON.stringify(value, null, 2) ?? '';
