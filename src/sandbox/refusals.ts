/** A failure envelope without data, as contract 4.2 shows for an unknown bot. */
export interface Refusal {
  readonly code: number;
  readonly msg: string;
}

/** 4.2, 7: the only documented refusal. */
export const noSuchBot: Refusal = { code: -1, msg: '机器人不存在' };

// The others were recorded verbatim from services with this API, except for some parameters.
const unauthorized = 1003;
const invalid = 1002;

/** 4.1, 4.4: an unknown group. */
export const noSuchGroup = (groupId: string): Refusal => ({ code: -1, msg: `群(ID:${groupId})不存在。` });

/** 4.4, 4.5: a group without the bot. */
export const notInGroup = (groupId: string, botId: string): Refusal => ({
  code: -1,
  msg: `群(ID:${groupId})中未添加当前机器人(ID: ${botId})。`,
});

/** 4.5: a user who isn't a friend of the bot. It shares its code with `badToken`. */
export const notAFriend: Refusal = { code: unauthorized, msg: 'recvId值错误，该用户不是机器人好友' };

/** 4.4: a message-id that isn't in the chat. */
export const noSuchMessage: Refusal = { code: -1, msg: '消息不存在或无权限修改' };

/** 4.4, 4.5: an unknown token. A missing or empty one is an invalid parameter. */
export const badToken: Refusal = { code: unauthorized, msg: '非法token' };

/** 4.1, 4.2, 4.5: a body that can't be read. */
export const badBody: Refusal = { code: invalid, msg: '请求参数应为json格式' };

/** Any operation: a missing or invalid parameter or field. */
export function badParameter(name: string): Refusal {
  const isContent = /^content(?:\.(?!buttons)|$)/.test(name);
  return { code: invalid, msg: isContent ? '消息内容不能为空' : (RECORDED.get(name) ?? `参数错误: ${name}`) };
}

const RECORDED: ReadonlyMap<string, string> = new Map([
  ['token', 'token不存在'],
  ['chat-id', 'chat-id值错误，值不能为空'],
  ['chat-type', 'chat-type取值错误，取值仅支持group、user'],
  ['recvType', 'recvType取值错误，取值仅支持group、user'],
  ['contentType', 'contentType取值错误，请翻看文档'],
]);
