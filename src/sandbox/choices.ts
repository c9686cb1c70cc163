import type { Refusal } from './refusals.ts';
import type { Bot, Group } from './resources.ts';

/**
 * THE SANDBOX'S OWN CHOICES: its behavior where the contract says "not shown" or nothing. It isn't documented behavior
 * of the service, and clients must not rely on it. Where behavior was observed, the sandbox follows it: refusals
 * (`refusals.ts`), kinds of content, replies, mentions, groups without a bot.
 *
 * | where | choice |
 * |---|---|
 * | 4 | Refusals use HTTP 200, unknown paths and methods 404. Refusals have no data. |
 * | 4 | The order of checks is token, parameters, chat, anchor. Unknown parameters and fields are ignored. |
 * | 4 | The first of duplicate parameters counts. |
 * | 4 | Faults occur only according to a plan: see `FaultPlan`. |
 * | 4.5 | A body must be application/json. A GET needs no such header. |
 * | 4.1, 4.2 | A body may be a form of either kind, or JSON as plain text, as a form or without a content type. |
 * | 4.1–4.3 | An empty ID is an unknown ID. A missing ID is an invalid parameter. |
 * | 4.4 | Rule 5 applies to every message-id, even one that doesn't exist. Empty counts as missing. |
 * | 4.4 | Without message-id, `after` has no effect, and the list is empty if `before` is 0. |
 * | 4.4 | If fewer messages exist than requested, all are returned. `before` and `after` have no limit. |
 * | 4.4, 4.5 | A public bot is in every group and a friend of every user. A private bot has its own group and its creator. |
 * | 4.4 | Every bot has its own chat with each user, and may read it. |
 * | 4.5 | A receiver that the bot may not write to refuses the whole call: nobody gets the message. |
 * | 4.5 | On demand, people answer what a bot sends, within about a minute: see `replies.ts`. |
 * | 4.5 | A duplicate receiver gets one message. No receivers is a success with count 0. |
 * | 4.5 | The content of html is { text, buttons? }. Texts, keys, names and URLs must not be empty. |
 * | 4.5 | Buttons may be null, rows or a flat list, but not both. Only their text and actionType are required; null is nothing. |
 * | 2.2 | A group without a bot has a relation and bot of empty strings and zeros. |
 * | 2.1, 2.3 | uri is the URL of batch_send, with or without a bot. |
 * | 2.6 | The senderType of users is user. Sent messages are listed as they were sent (2.7). |
 * | 2.7 | A reply quotes the first 80 characters of text, and the first line of Markdown and HTML without markup. |
 * | 2.7, 2.8 | URLs in content point to the sandbox itself, which doesn't have these pages. |
 */
export const choices = {
  /** 4.4: a chat-id that isn't a user. */
  noSuchUserChat: (userId: string): Refusal => ({ code: -1, msg: `会话不存在: ${userId}` }),
  /** 4: an unknown path or method. */
  noSuchPath: { code: -1, msg: '接口不存在' },
  /** 4.5: a user who refuses messages from bots, and so is missing from successList. */
  refusesBots: (userId: string): boolean => userId === '7850437',
  /** 4.4, 4.5: whether a bot is in a group. */
  isInGroup: (bot: Bot, group: Group): boolean => bot.private === 0 || group.groupBotRel.botId === bot.botId,
  /** 4.5: whether a user is a friend of a bot. */
  isFriend: (bot: Bot, userId: string): boolean => bot.private === 0 || userId === bot.createBy,
} as const;
