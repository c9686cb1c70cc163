/** A document as it was when it was sent. */
import { writtenMessage } from '../../markup/markdownVariables.ts';
import { composeDraft } from '../../markup/messageDraft.ts';
import type { Delivery } from './record.ts';

/** A delivery of a document that may be open or opened again. */
export type DocumentDelivery = Delivery & { source: string };

/** Whether a delivery sent the text of a document. A file or an image that was sent by its address has none. */
export const hasDocument = (delivery: Delivery): delivery is DocumentDelivery =>
  delivery.source !== undefined && (delivery.document !== undefined || 'text' in delivery.message.content);

/** The document of a delivery. If it wasn't stored, a document that would send the same message. */
export function sentDocument({
  document,
  message,
  variables,
}: Pick<Delivery, 'document' | 'message' | 'variables'>): string {
  if (document !== undefined) return document;
  const { contentType, content } = writtenMessage(message, variables !== undefined);
  const body = 'text' in content ? content.text : '';
  const type = contentType === 'text' || contentType === 'html' ? contentType : undefined;
  const buttons = (content.buttons ?? []).map((row) => row.map((button) => ({ url: '', value: '', ...button })));
  // Otherwise a leading rule would start front matter.
  const needsBlock = type !== undefined || buttons.length > 0 || /^\uFEFF?---/.test(body);
  // Without the bot: every delivery has one, but a document seldom names it, and would seem to have lost it.
  return needsBlock ? composeDraft({ body, type, audiences: [], buttons }, { chats: [] }) : body;
}
