/** What a reply quotes of the message that it replies to. Pure. */
import type { Message } from '../service/message.ts';
import { fileNameIn } from './media.ts';
import { stripMentionMarks } from './messageContent.ts';

/** So much of a quoted text is shown (UTF-16 units): it stands on one or two lines. */
export const MAX_QUOTATION = 300;

type Content = Message['content'];

/** Each is empty where none came. */
export interface Quotation {
  /** Who is quoted. */
  readonly name: string;
  readonly text: string;
  /** What the quoted message brought beside words: its kind and name. */
  readonly media: readonly { readonly kind: 'image' | 'video' | 'file'; readonly name: string }[];
}

/** Undefined where nothing is quoted. */
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
  // It does not say how many it mentions.
  return { name: name.trim(), text: stripMentionMarks(text.trim(), Infinity), media };
}

/** All that is quoted as one text, in no language; empty where nothing is. */
export function quotationText(content: Content): string {
  const { name = '', text = '', media = [] } = quotationOf(content) ?? {};
  const said = [text, ...media.map((one) => one.name)].filter(Boolean).join(' · ');
  return [name, said].filter(Boolean).join(' : ');
}
