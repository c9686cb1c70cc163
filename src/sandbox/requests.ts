import * as v from 'valibot';

// Empty content was observed to be refused; empty IDs in lookups are merely unknown ones.
const filled = v.pipe(v.string(), v.nonEmpty());
// An empty one counts as absent (observed).
const count = v.optional(v.pipe(v.string(), v.regex(/^\d*$/), v.transform(Number)), '');
const chatType = v.picklist(['user', 'group']);

/** A button, contract 2.8. */
const button = v.object({
  text: v.string(),
  actionType: v.picklist([1, 2, 3]),
  url: v.optional(v.string()),
  value: v.optional(v.string()),
});
const buttons = v.optional(v.array(v.array(button)));
const recipients = { recvIds: v.array(v.string()), recvType: chatType };
const words = v.object({ text: filled, buttons });

/** The body of a group lookup, contract 4.1. */
export const groupLookup = v.object({ groupId: v.string() });

/** The body of a bot lookup, contract 4.2. */
export const botLookup = v.object({ botId: v.string() });

/** The query of a user lookup, contract 4.3. */
export const userLookup = v.object({ userId: v.string() });

/** The query of a message list without its token, contract 4.4. */
export const messageList = v.object({
  'chat-id': filled,
  'chat-type': chatType,
  'message-id': v.optional(v.string(), ''),
  before: count,
  after: count,
});

/** The body of a batch send, contract 4.5, with the content that belongs to each content type, 2.7. */
export const batchSend = v.variant('contentType', [
  v.object({ ...recipients, contentType: v.literal('text'), content: words }),
  v.object({ ...recipients, contentType: v.literal('markdown'), content: words }),
  v.object({ ...recipients, contentType: v.literal('html'), content: words }),
  v.object({ ...recipients, contentType: v.literal('image'), content: v.object({ imageKey: filled, buttons }) }),
  v.object({
    ...recipients,
    contentType: v.literal('file'),
    content: v.object({ fileName: filled, fileUrl: filled, buttons }),
  }),
]);
