/**
 * Groups, bots and users as the lookups return them (contract 2.1–2.5). Times are Unix seconds, flags 0 or 1, unless
 * told. A field that is absent, null or of another type reads as empty text or as `undefined`.
 */
import * as v from 'valibot';
import { code, fieldsOf, identifierOrNone, maybe, namedIdentifier, number, readableOf, text } from './fields.ts';

/** Review record (contract 2.4). */
const Review = fieldsOf({
  id: number,
  /** Identifier of the chat that the record belongs to. */
  chatId: namedIdentifier,
  /** 2 group chat, 3 bot; other values are not documented. */
  chatType: code,
  /** Review method; may be empty. */
  checkWay: text,
  /** Review reason; may be empty. */
  reason: text,
  /** Only 0 is documented, and not its meaning. */
  status: code,
  createTime: number,
  /** 0 when never updated. */
  updateTime: number,
  /** 0 means not deleted. */
  delFlag: number,
});

/** Bot (contract 2.3). An empty `botId` stands for "no bot" where a bot is nested in a group. */
export const Bot = v.object({
  /** Internal identifier; `botId` is the one that operations take. */
  id: number,
  botId: identifierOrNone,
  nickname: text,
  nicknameId: number,
  avatarId: number,
  avatarUrl: text,
  /** Empty as the lookup returns it, and hidden where a service filled it: never the token that a person saved. */
  token: text,
  link: text,
  introduction: text,
  /** Identifier of the creator. */
  createBy: namedIdentifier,
  createTime: number,
  /** Number of users of the bot. */
  headcount: number,
  /** 0 means public. */
  private: number,
  /** Bot send address. It ends in an empty `token`, hidden where a service filled it. */
  uri: text,
  checkChatInfoRecord: maybe(Review),
});

/** Relation between a group and its bot (contract 2.2). */
const GroupBotRelation = fieldsOf({
  id: number,
  groupId: namedIdentifier,
  botId: namedIdentifier,
  /** 0 means not deleted. */
  delFlag: number,
  createTime: number,
  /** Spelled so by the service. */
  updateTsime: number,
  bot: maybe(Bot),
});

/** Group (contract 2.1). An empty `groupId` stands for "no such group". */
export const Group = v.object({
  /** Internal sequence number; `groupId` is the identifier that operations take. */
  id: number,
  groupId: identifierOrNone,
  name: text,
  /** May contain line breaks. */
  introduction: text,
  /** Identifier of the creator. */
  createBy: namedIdentifier,
  /** 0 when unknown. */
  createTime: number,
  avatarId: number,
  avatarUrl: text,
  /** Number of members. */
  headcount: number,
  /** 1 means new members may read earlier history. */
  readHistory: number,
  /** May be empty. */
  category: text,
  /** Bot send address registered for the group; as to its token, see the bot's. */
  uri: text,
  groupBotRel: maybe(GroupBotRelation),
  checkChatInfoRecord: maybe(Review),
});

/** A medal of a user: its fields were observed, the contract does not show them. */
const Medal = fieldsOf({ id: number, name: text, desc: text, imageUrl: text, sort: number });

/** User (contract 2.5). An empty `userId` is the default user of 4.3: "no such user". */
export const User = v.object({
  userId: identifierOrNone,
  nickname: text,
  avatarUrl: text,
  registerTime: number,
  /** `YYYY-MM-DD HH:MM:SS`, in the service's own time zone. */
  registerTimeText: text,
  /** Total days online. */
  onLineDay: number,
  /** Consecutive days online. */
  continuousOnLineDay: number,
  medals: readableOf(Medal),
  /** 0 means not VIP. */
  isVip: number,
});

export type Bot = v.InferOutput<typeof Bot>;
export type Group = v.InferOutput<typeof Group>;
export type User = v.InferOutput<typeof User>;

interface Resources {
  group: Group;
  bot: Bot;
  user: User;
}

/** The three things that have an identifier of their own. */
export type Kind = keyof Resources;

/** What a lookup found: its kind, the resource as it was read, and `raw`, the JSON as it came (tokens hidden). */
export type Found<K extends Kind = Kind> = { [P in K]: { kind: P; resource: Resources[P]; raw: unknown } }[K];

/** A group, bot or user by its ID. */
export interface Reference {
  readonly kind: Kind;
  readonly id: string;
}

/** What a history can be read of: a group, or a bot's conversation with a user (contract 4.4). */
export interface Chat {
  type: 'group' | 'user';
  id: string;
}

/** The bot attached to a group, if any: it has a non-empty ID, and the relation is not deleted (contract 2.2). */
export function attachedBot({ groupBotRel }: Group): Bot | undefined {
  const { bot, delFlag } = groupBotRel ?? {};
  return bot?.botId && !delFlag ? bot : undefined;
}

/** Identifies a chat among groups and users, which may have the same ID. */
export const chatKey = ({ type, id }: Chat) => `${type} ${id}`;
