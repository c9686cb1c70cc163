/** The messages between the preview panel and its page. Both sides validate what they receive. */
import * as v from 'valibot';
import { Message } from '../service/message.ts';

/** An offset in the document, in UTF-16 units. */
const offset = v.pipe(v.number(), v.integer(), v.minValue(0));

export const ToPreview = v.object({
  type: v.literal('draft'),
  /** As the history would list it. Missing if the document has never been valid. */
  message: v.optional(Message),
  /** The visible recipients, in document order. */
  recipients: v.array(
    v.object({
      kind: v.picklist(['group', 'user']),
      id: v.string(),
      name: v.string(),
      /** Why the name is unknown. */
      problem: v.optional(v.string()),
    }),
  ),
  /** The number of all recipients. */
  total: offset,
  /** Whether the message is up to date, not the last valid one. */
  isCurrent: v.boolean(),
  canSend: v.boolean(),
  /** Errors first, then in document order. */
  problems: v.array(
    v.object({ text: v.string(), severity: v.picklist(['error', 'warning']), start: offset, end: offset }),
  ),
});
export type ToPreview = v.InferOutput<typeof ToPreview>;

export const FromPreview = v.variant('type', [
  /** `all` requests all recipients. */
  v.object({ type: v.picklist(['ready', 'all', 'send']) }),
  /** Reveals a range of the document. */
  v.object({ type: v.literal('place'), start: offset, end: offset }),
  v.object({ type: v.literal('copy'), text: v.string() }),
  v.object({ type: v.literal('open'), url: v.pipe(v.string(), v.url(), v.regex(/^https?:/i)) }),
]);
export type FromPreview = v.InferOutput<typeof FromPreview>;

/** The texts of this page only, translated in the extension host. `{0}` is a placeholder. */
export interface PreviewWords {
  readonly sendAs: string;
  readonly noBot: string;
  readonly groups: string;
  readonly people: string;
  readonly noRecipients: string;
  readonly more: string;
  readonly send: string;
  readonly problems: string;
  readonly error: string;
  readonly warning: string;
  readonly outdated: string;
}
