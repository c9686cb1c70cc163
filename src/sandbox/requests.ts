/** The operations, and what their requests may contain. */
import * as v from 'valibot';
import { bodyOf, lookupOf, queryOf } from './input.ts';

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

// The lookups of contract 4.1 to 4.3.
const groupLookup = v.object({ groupId: v.string() });
const botLookup = v.object({ botId: v.string() });
const userLookup = v.object({ userId: v.string() });

// The list of contract 4.4.
const messageList = v.object({
  'chat-id': nonEmpty,
  'chat-type': chatType,
  'message-id': v.optional(v.string(), ''),
  before: count,
  after: count,
});

// The batch of contract 4.5, with the content of each content type (2.7).
const batch = v.variant('contentType', [
  v.object({
    ...recipients,
    contentType: v.picklist(['text', 'markdown', 'html']),
    content: v.object({ text: nonEmpty, buttons }),
  }),
  v.object({ ...recipients, contentType: v.literal('image'), content: v.object({ imageKey: nonEmpty, buttons }) }),
  v.object({
    ...recipients,
    contentType: v.literal('file'),
    content: v.object({ fileName: nonEmpty, fileUrl: nonEmpty, buttons }),
  }),
]);

/**
 * The operations of contract 4, named by the last segment of their paths: lookups under /web, those of bots under /open.
 * `read` reads the fields of a request, besides a token (contract 5), and `schema` says which these are.
 */
export const operations = {
  'group-info': { method: 'POST', path: '/web/v1/group/group-info', token: false, read: lookupOf, schema: groupLookup },
  'bot-info': { method: 'POST', path: '/web/v1/bot/bot-info', token: false, read: lookupOf, schema: botLookup },
  homepage: { method: 'GET', path: '/web/v1/user/homepage', token: false, read: queryOf, schema: userLookup },
  messages: { method: 'GET', path: '/open/open-apis/v1/bot/messages', token: true, read: queryOf, schema: messageList },
  batch_send: { method: 'POST', path: '/open/open-apis/v1/bot/batch_send', token: true, read: bodyOf, schema: batch },
} as const;

export type Operation = keyof typeof operations;

/** The validated request of an operation. */
export type Asked<O extends Operation> = v.InferOutput<(typeof operations)[O]['schema']>;

export const operationNames = Object.keys(operations) as readonly Operation[];

/** The operation at the path of a request, whatever its method. */
export function operationOf({ url }: Request): Operation | undefined {
  const { pathname } = new URL(url);
  return operationNames.find((name) => operations[name].path === pathname);
}
