/** A failure envelope without data: the form that contract 4.2 shows for an unknown bot. */
export interface Refusal {
  readonly code: number;
  readonly msg: string;
}

/** The one refusal that the contract documents, 4.2 and 7. */
export const noSuchBot: Refusal = { code: -1, msg: '机器人不存在' };

const unauthorised = 1003;
const invalid = 1002;

/**
 * THE SANDBOX'S OWN CHOICES: all it does where the contract says "not shown" or nothing. None of it is documented
 * behaviour of the service, and no client may rely on it. The codes are ones that were observed in the wild.
 *
 * | where | choice |
 * |---|---|
 * | 4 | Refusals come over HTTP 200, unknown addresses and methods over 404; no refusal carries data. |
 * | 4 | Checked in this order: token, parameters, chat, anchor. Unknown parameters and fields are ignored. |
 * | 4 | Of a parameter that is named twice the first counts. A HEAD is answered like a GET, without the body. |
 * | 4 | Faults show only where a plan asks for them; what they answer is told there, see `FaultPlan`. |
 * | 4 | A body must be sent as application/json, as 4.1, 4.2 and 4.5 ask; a GET needs no such header. |
 * | 4.1–4.3 | An empty ID is an unknown one; an absent ID is a bad parameter. |
 * | 4.4 | Rule 5 holds for every message-id, even one that does not exist. An empty message-id is an absent one. |
 * | 4.4 | Without message-id, `after` does nothing, and with `before` 0 the list is empty. |
 * | 4.4 | Where fewer messages exist than asked for, those that exist are returned; `before`, `after` have no limit. |
 * | 4.4, 4.5 | Every bot may read and send to every group; with each user it has a chat of its own. |
 * | 4.5 | A receiver named twice gets one message; no receivers at all is a success with count 0. |
 * | 4.5 | Content of html is { text, buttons? }. Texts, keys, names and URLs of content may not be empty. |
 * | 4.5 | Buttons must come in rows. What a button needs beside text and actionType is not checked. |
 * | 2.2 | A group without a bot shows a relation and bot of empty strings and zeros, but for its groupId. |
 * | 2.3 | uri is the address of batch_send; a group's uri is its bot's, empty without one. |
 * | 2.6 | senderType of people is user; image, file, markdown and html are listed as they are sent, 2.7. |
 * | 2.7, 2.8 | Addresses in content lead to the sandbox itself, which has no such pages. |
 */
export const choices = {
  /** 4.1: a group that does not exist. */
  noSuchGroup: (groupId: string): Refusal => ({ code: -1, msg: `群组不存在: ${groupId}` }),
  /** 4.4, 4.5: a token that is no bot's; one that is missing or empty is a bad parameter. */
  badToken: { code: unauthorised, msg: '未授权: token 无效' },
  /** Any operation: a parameter or field that is missing, of another type or of no allowed value. */
  badParameter: (name: string): Refusal => ({ code: invalid, msg: `参数错误: ${name}` }),
  /** 4.1, 4.2, 4.5: a body that is no JSON object. */
  badBody: { code: invalid, msg: '参数错误: 请求体不是 JSON 对象 (Content-Type: application/json)' },
  /** 4.4: a chat-id that names no chat of the given chat-type. */
  noSuchChat: (chatId: string): Refusal => ({ code: -1, msg: `会话不存在: ${chatId}` }),
  /** 4.4: a message-id that is no message of the chat. */
  noSuchMessage: (messageId: string): Refusal => ({ code: -1, msg: `消息不存在: ${messageId}` }),
  /** 4: an address or method that the contract does not know. */
  noSuchPath: { code: -1, msg: '接口不存在' },
  /** 4.5: a user who takes no message from any bot, and so is absent from successList. */
  refusesBots: (userId: string): boolean => userId === '7850437',
} as const;
