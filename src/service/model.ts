/** Groups, bots and users as the lookups return them (contract 2.1–2.5). Unknown fields are kept. */
import * as v from 'valibot';
import { maybe, number, text } from './fields.ts';

/** Review record (contract 2.4). Times are Unix seconds; `updateTime` 0 means never updated. */
const Review = v.looseObject({
  id: number,
  chatId: text,
  /** 2 group chat, 3 bot; other values are not documented. */
  chatType: number,
  checkWay: text,
  reason: text,
  /** Only 0 is documented. */
  status: number,
  createTime: number,
  updateTime: number,
  /** 0 means not deleted. */
  delFlag: number,
});

/** Bot (contract 2.3). An empty `botId` stands for "no bot" where a bot is nested in a group. */
export const Bot = v.looseObject({
  id: number,
  botId: v.string(),
  nickname: text,
  nicknameId: number,
  avatarId: number,
  avatarUrl: text,
  /** Returned empty by the lookup; never the token that a person saved. */
  token: text,
  link: text,
  introduction: text,
  createBy: text,
  /** Unix seconds. */
  createTime: number,
  /** Number of users of the bot. */
  headcount: number,
  /** 0 means public. */
  private: number,
  uri: text,
  checkChatInfoRecord: maybe(Review),
});

/** Relation between a group and its bot (contract 2.2). */
const GroupBotRelation = v.looseObject({
  id: number,
  groupId: text,
  botId: text,
  delFlag: number,
  createTime: number,
  /** Spelled so by the service. */
  updateTsime: number,
  bot: maybe(Bot),
});

/** Group (contract 2.1). An empty `groupId` stands for "no such group". */
export const Group = v.looseObject({
  id: number,
  groupId: v.string(),
  name: text,
  /** May contain line breaks. */
  introduction: text,
  createBy: text,
  /** Unix seconds; 0 when unknown. */
  createTime: number,
  avatarId: number,
  avatarUrl: text,
  headcount: number,
  /** 1 means new members may read earlier history. */
  readHistory: number,
  category: text,
  uri: text,
  groupBotRel: maybe(GroupBotRelation),
  checkChatInfoRecord: maybe(Review),
});

/** User (contract 2.5). An empty `userId` is the default user of 4.3: "no such user". */
export const User = v.looseObject({
  userId: v.string(),
  nickname: text,
  avatarUrl: text,
  /** Unix seconds. */
  registerTime: number,
  /** `YYYY-MM-DD HH:MM:SS`, in the service's own time zone. */
  registerTimeText: text,
  onLineDay: number,
  continuousOnLineDay: number,
  /** The fields of a medal are not documented. */
  medals: v.fallback(v.array(v.unknown()), []),
  /** 0 means not VIP. */
  isVip: number,
});

export type Bot = v.InferOutput<typeof Bot>;
export type Group = v.InferOutput<typeof Group>;
export type User = v.InferOutput<typeof User>;

/** The three things that have an identifier of their own. */
export type Kind = 'group' | 'bot' | 'user';

/** What a lookup found, told apart by its kind. */
export type Found =
  | { kind: 'group'; resource: Group }
  | { kind: 'bot'; resource: Bot }
  | { kind: 'user'; resource: User };

/** What a history can be read of: a group, or a bot's conversation with a user (contract 4.4). */
export interface Chat {
  type: 'group' | 'user';
  id: string;
}

/** The bot attached to a group, if any: an attached bot has a non-empty ID (contract 2.2). */
export function attachedBot(group: Group): Bot | undefined {
  const bot = group.groupBotRel?.bot;
  return bot?.botId ? bot : undefined;
}
