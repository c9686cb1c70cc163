/** The quotation in a reply. Pure. */
import type { Message } from '../service/message.ts';
import { fileNameIn } from './media.ts';
import { readableText } from './messageContent.ts';

/** How much of a quotation is shown (UTF-16 units): one or two lines. */
export const MAX_QUOTATION = 300;

/** Stands for the words of somebody of whom only the name is known. */
const UNKNOWN = '…';

type Content = Message['content'];

/** A quotation. Missing parts are empty. */
export interface Quotation {
  /** Name of the quoted sender. */
  readonly name: string;
  readonly text: string;
  /** The media of the quoted message. */
  readonly media: readonly { readonly kind: 'image' | 'video' | 'file'; readonly name: string }[];
}

/** The quotation of a reply; undefined if there is none. */
export function quotationOf({
  parent = '',
  parentImgName,
  parentVideoUrl,
  parentFileName,
}: Content): Quotation | undefined {
  const media = [
    { kind: 'image' as const, name: parentImgName },
    { kind: 'video' as const, name: parentVideoUrl && (fileNameIn(parentVideoUrl) || parentVideoUrl) },
    { kind: 'file' as const, name: parentFileName },
  ].flatMap(({ kind, name }) => (name ? [{ kind, name }] : []));
  const [, name, text] = (/^([^\n]*?) :(?: (.*))?$/s.exec(parent) ?? ['', '', parent]).map((part = '') => part.trim());
  return name || text || media.length > 0 ? { name: name ?? '', text: readableText(text ?? ''), media } : undefined;
}

/**
 * The quoted text and the names of the quoted media. Media without a text is labeled. If the reply has nothing but the
 * sender's name, or nothing, the text of `parent`, the quoted message, is used, if that's known.
 */
export function quotedText(
  quotation: Quotation | undefined,
  labels: Record<'image' | 'video' | 'file', string>,
  parent: () => string | undefined,
): string | undefined {
  const { text = '', media = [] } = quotation ?? {};
  const names = media.flatMap(({ kind, name }) => (text ? name : [labels[kind], name]));
  return [text, ...names].filter(Boolean).join(' · ') || (parent() ?? (quotation && UNKNOWN));
}

/** The quotation as one untranslated text; empty if there is none. */
export function quotationText(content: Content): string {
  const quotation = quotationOf(content);
  if (!quotation) return '';
  const { name, text, media } = quotation;
  const parts = [text, ...media.map((one) => one.name)].filter(Boolean).join(' · ');
  return [name, parts || UNKNOWN].filter(Boolean).join(' : ');
}
