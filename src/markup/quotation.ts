/** The quotation in a reply. Pure. */
import type { Message } from '../service/message.ts';
import { fileNameIn } from './media.ts';
import { readableText } from './messageContent.ts';

/** How much of a quotation is shown (UTF-16 units): one or two lines. */
export const MAX_QUOTATION = 300;

type Content = Message['content'];

/** Missing parts are empty. */
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
  if (!parent.trim() && media.length === 0) return undefined;
  const [, name = '', text = ''] = /^([^\n]*?) :(?: (.*))?$/s.exec(parent) ?? ['', '', parent];
  return { name: name.trim(), text: readableText(text.trim()), media };
}

/** The quoted text and the names of the quoted media. Media without a text is labeled. */
export function quotedText({ text, media }: Quotation, labels: Record<'image' | 'video' | 'file', string>): string {
  const names = media.flatMap(({ kind, name }) => (text ? name : [labels[kind], name]));
  return [text, ...names].filter(Boolean).join(' · ');
}

/** The quotation as one untranslated text; empty if there is none. */
export function quotationText(content: Content): string {
  const { name = '', text = '', media = [] } = quotationOf(content) ?? {};
  const parts = [text, ...media.map((one) => one.name)].filter(Boolean).join(' · ');
  return [name, parts].filter(Boolean).join(' : ');
}
