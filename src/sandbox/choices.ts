import type { Refusal } from './refusals.ts';

/**
 * THE SANDBOX'S OWN CHOICES: all it does where the contract says "not shown" or nothing. None of it is documented
 * behaviour of the service, and no client may rely on it. What was observed in the wild is done the way that was seen:
 * refusals (`refusals.ts`), kinds of content, replies, mentions, groups without a bot.
 *
 * | where | choice |
 * |---|---|
 * | 4 | Refusals come over HTTP 200, unknown addresses and methods over 404; no refusal carries data. |
 * | 4 | Checked in this order: token, parameters, chat, anchor. Unknown parameters and fields are ignored. |
 * | 4 | Of a parameter that is named twice the first counts. A HEAD is answered like a GET, without the body. |
 * | 4 | Faults show only where a plan asks for them; what they answer is told there, see `FaultPlan`. |
 * | 4 | A body must be sent as application/json, as 4.1, 4.2 and 4.5 ask; a GET needs no such header. |
 * | 4.1–4.3 | An empty ID is an unknown one; an absent ID is a bad parameter. |
 * | 4.4 | Rule 5 holds for every message-id, even one that does not exist. What is empty counts as absent. |
 * | 4.4 | Without message-id, `after` does nothing, and with `before` 0 the list is empty. |
 * | 4.4 | Where fewer messages exist than asked for, those that exist are returned; `before`, `after` have no limit. |
 * | 4.4, 4.5 | Every bot may read and send to every group; with each user it has a chat of its own. |
 * | 4.5 | A receiver named twice gets one message; no receivers at all is a success with count 0. |
 * | 4.5 | Content of html is { text, buttons? }. Texts, keys, names and URLs of content may not be empty. |
 * | 4.5 | Buttons must come in rows. What a button needs beside text and actionType is not checked. |
 * | 2.2 | A group without a bot shows a relation and bot of empty strings and zeros. |
 * | 2.1, 2.3 | uri is the address of batch_send, with or without a bot. |
 * | 2.6 | senderType of people is user; what is sent is listed as it was sent, 2.7. |
 * | 2.7 | A reply quotes the first 80 characters of a text, and the first line of Markdown and HTML without its marks. |
 * | 2.7, 2.8 | Addresses in content lead to the sandbox itself, which has no such pages. |
 */
export const choices = {
  /** 4.4: a chat-id that names no chat of a user. */
  noSuchUserChat: (userId: string): Refusal => ({ code: -1, msg: `会话不存在: ${userId}` }),
  /** 4: an address or method that the contract does not know. */
  noSuchPath: { code: -1, msg: '接口不存在' },
  /** 4.5: a user who takes no message from any bot, and so is absent from successList. */
  refusesBots: (userId: string): boolean => userId === '7850437',
} as const;
