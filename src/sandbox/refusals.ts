/** A failure envelope without data: the form that contract 4.2 shows for an unknown bot. */
export interface Refusal {
  readonly code: number;
  readonly msg: string;
}

/** The one refusal that the contract documents, 4.2 and 7. */
export const noSuchBot: Refusal = { code: -1, msg: '机器人不存在' };

// The others are verbatim what was recorded of services with this API, but for parameters without a recorded text.
const unauthorised = 1003;
const invalid = 1002;

/** 4.1, 4.4: a group that does not exist. */
export const noSuchGroup = (groupId: string): Refusal => ({ code: -1, msg: `群(ID:${groupId})不存在。` });

/** 4.4: a message-id that is no message of the chat. */
export const noSuchMessage: Refusal = { code: -1, msg: '消息不存在或无权限修改' };

/** 4.4, 4.5: a token that is no bot's; one that is missing or empty is a bad parameter. */
export const badToken: Refusal = { code: unauthorised, msg: '非法token' };

/** 4.1, 4.2, 4.5: a body that is no JSON object, or is not sent as one. */
export const badBody: Refusal = { code: invalid, msg: '请求参数应为json格式' };

/** Any operation: a parameter or field that is missing, of another type or of no allowed value. */
export function badParameter(name: string): Refusal {
  const isContent = /^content(?:\.(?!buttons)|$)/.test(name);
  return { code: invalid, msg: isContent ? '消息内容不能为空' : (RECORDED.get(name) ?? `参数错误: ${name}`) };
}

const RECORDED: ReadonlyMap<string, string> = new Map([
  ['token', 'token不存在'],
  ['chat-id', 'chat-id值错误，值不能为空'],
  ['chat-type', 'chat-type取值错误，取值仅支持group、user'],
  ['contentType', 'contentType取值错误，请翻看文档'],
]);
