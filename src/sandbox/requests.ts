/** The operations, and what their requests may contain. */
import * as v from 'valibot';

/** The paths of the operations (contract 4): lookups under /web, bot operations under /open. */
const paths = {
  'group-info': '/web/v1/group/group-info',
  'bot-info': '/web/v1/bot/bot-info',
  homepage: '/web/v1/user/homepage',
  messages: '/open/open-apis/v1/bot/messages',
  batch_send: '/open/open-apis/v1/bot/batch_send',
} as const;

/** An operation, named by the last segment of its path. */
export type Operation = keyof typeof paths;

export const operations = Object.keys(paths) as readonly Operation[];

/** The operation at the path of a request, whatever its method. */
export function operationOf({ url }: Request): Operation | undefined {
  const { pathname } = new URL(url);
  return operations.find((operation) => paths[operation] === pathname);
}

// Empty content is refused (observed). Empty IDs in lookups are merely unknown.
const nonEmpty = v.pipe(v.string(), v.nonEmpty());
// Empty counts as missing (observed).
const count = v.optional(v.pipe(v.string(), v.regex(/^\d*$/), v.transform(Number)), '');
const chatType = v.picklist(['user', 'group']);

/** A button, contract 2.8. Clients that send null for no buttons do so for no URL and no value, too. */
const button = v.object({
  text: v.string(),
  actionType: v.picklist([1, 2, 3]),
  url: v.nullish(v.string()),
  value: v.nullish(v.string()),
});
const flatList = v.array(button);
const rows = v.array(flatList);
/** Official clients also send null, and a flat list (observed). */
const buttons = v.nullish(
  v.lazy((list) => (Array.isArray(list) && list.length > 0 && !Array.isArray(list[0]) ? flatList : rows)),
);
const recipients = { recvIds: v.array(v.string()), recvType: chatType };
const textContent = v.object({ text: nonEmpty, buttons });

/** The body of a group lookup, contract 4.1. */
export const groupLookup = v.object({ groupId: v.string() });

/** The body of a bot lookup, contract 4.2. */
export const botLookup = v.object({ botId: v.string() });

/** The query of a user lookup, contract 4.3. */
export const userLookup = v.object({ userId: v.string() });

/** The query of a message list, except its token, contract 4.4. */
export const messageList = v.object({
  'chat-id': nonEmpty,
  'chat-type': chatType,
  'message-id': v.optional(v.string(), ''),
  before: count,
  after: count,
});

/** The body of a batch send, contract 4.5, with the content of each content type, 2.7. */
export const batchSend = v.variant('contentType', [
  v.object({ ...recipients, contentType: v.literal('text'), content: textContent }),
  v.object({ ...recipients, contentType: v.literal('markdown'), content: textContent }),
  v.object({ ...recipients, contentType: v.literal('html'), content: textContent }),
  v.object({ ...recipients, contentType: v.literal('image'), content: v.object({ imageKey: nonEmpty, buttons }) }),
  v.object({
    ...recipients,
    contentType: v.literal('file'),
    content: v.object({ fileName: nonEmpty, fileUrl: nonEmpty, buttons }),
  }),
]);
