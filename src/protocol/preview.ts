/** What the preview of a draft and its page say to each other; both sides validate what they hear. */
import * as v from 'valibot';
import { Message } from '../service/message.ts';

/** An offset in the document, in UTF-16 units. */
const offset = v.pipe(v.number(), v.integer(), v.minValue(0));

export const ToPreview = v.object({
  type: v.literal('draft'),
  /** As the history would list it; absent where the document never held one that could be sent. */
  message: v.optional(Message),
  /** Those that are shown, in the order of the document. */
  recipients: v.array(v.object({ kind: v.picklist(['group', 'user']), id: v.string(), name: v.string() })),
  /** How many recipients there are. */
  total: offset,
  /** Whether this is what the document says now, and not what it said when it last could be sent. */
  isCurrent: v.boolean(),
  canSend: v.boolean(),
  problems: v.array(
    v.object({ text: v.string(), severity: v.picklist(['error', 'warning']), start: offset, end: offset }),
  ),
});
export type ToPreview = v.InferOutput<typeof ToPreview>;

export const FromPreview = v.variant('type', [
  /** `all` recipients are to be shown. */
  v.object({ type: v.picklist(['ready', 'all', 'send']) }),
  /** A place of the document is to be shown. */
  v.object({ type: v.literal('place'), start: offset, end: offset }),
  v.object({ type: v.literal('copy'), text: v.string() }),
  v.object({ type: v.literal('open'), url: v.pipe(v.string(), v.url(), v.regex(/^https?:/i)) }),
]);
export type FromPreview = v.InferOutput<typeof FromPreview>;

/** The words that only this page has, translated in the host. `{0}` stands for a value. */
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
