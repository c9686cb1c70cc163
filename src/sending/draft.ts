/** A draft: a document about to be sent. */
import type { Outgoing } from '../service/message.ts';

export interface Draft {
  /** What the person knows the document by. */
  name: string;
  message: Outgoing & { contentType: 'markdown' };
}

/** The draft in a document; undefined where there is nothing to send. The text goes out as it stands. */
export function readDraft(name: string, text: string): Draft | undefined {
  return text.trim() ? { name, message: { contentType: 'markdown', content: { text } } } : undefined;
}
