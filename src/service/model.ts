/**
 * Groups, bots and users as lookups return them (contract 2.1–2.5). Unless stated otherwise, times are Unix seconds and
 * flags are 0 or 1. A field that is missing, null or of the wrong type becomes empty text or `undefined`.
 */
import * as v from 'valibot';
import {
  code,
  identifierOrEmpty,
  lenientIdentifier,
  lenientList,
  lenientOptional,
  number,
  numericIdentifier,
  plainObject,
  text,
} from './fields.ts';

/** Review record (contract 2.4). */
const Review = plainObject({
  id: numericIdentifier,
  /** Identifier of the reviewed chat. */
  chatId: lenientIdentifier,
  /** 2 group chat, 3 bot. Others are undocumented. */
  chatType: code,
  /** Review method; may be empty. */
  checkWay: text,
  /** Review reason; may be empty. */
  reason: text,
  /** Only 0 is documented, without its meaning. */
  status: code,
  createTime: number,
  /** 0 if never updated. */
  updateTime: number,
  /** 0 means not deleted. */
  delFlag: number,
});

/** Bot (contract 2.3). In a group, an empty `botId` means "no bot". */
export const Bot = v.object({
  /** Internal identifier. Operations take `botId`. */
  id: numericIdentifier,
  botId: identifierOrEmpty,
  nickname: text,
  nicknameId: numericIdentifier,
  avatarId: numericIdentifier,
  avatarUrl: text,
  /** Empty by contract, and redacted if the service fills it. Never a saved token. */
  token: text,
  link: text,
  introduction: text,
  /** Identifier of the creator. */
  createBy: lenientIdentifier,
  createTime: number,
  /** Number of users of the bot. */
  headcount: number,
  /** 0 means public. */
  private: number,
  /** Send URL of the bot. It ends in an empty `token`, which is redacted if the service fills it. */
  uri: text,
  checkChatInfoRecord: lenientOptional(Review),
});

/** Relation between a group and its bot (contract 2.2). */
const GroupBotRelation = plainObject({
  id: numericIdentifier,
  groupId: lenientIdentifier,
  botId: lenientIdentifier,
  /** 0 means not deleted. */
  delFlag: number,
  createTime: number,
  /** The service's spelling. */
  updateTsime: number,
  bot: lenientOptional(Bot),
});

/** Group (contract 2.1). An empty `groupId` means "not found". */
export const Group = v.object({
  /** Internal sequence number. Operations take `groupId`. */
  id: numericIdentifier,
  groupId: identifierOrEmpty,
  name: text,
  /** May contain line breaks. */
  introduction: text,
  /** Identifier of the creator. */
  createBy: lenientIdentifier,
  /** 0 if unknown. */
  createTime: number,
  avatarId: numericIdentifier,
  avatarUrl: text,
  /** Number of members. */
  headcount: number,
  /** 1 means that new members may read earlier messages. */
  readHistory: number,
  /** May be empty. */
  category: text,
  /** Send URL registered for the group. For its token, see the bot's. */
  uri: text,
  groupBotRel: lenientOptional(GroupBotRelation),
  checkChatInfoRecord: lenientOptional(Review),
});

/** A medal of a user. Its fields are undocumented and were observed. */
const Medal = plainObject({ id: numericIdentifier, name: text, desc: text, imageUrl: text, sort: number });

/** User (contract 2.5). An empty `userId`, as in the default user of 4.3, means "not found". */
export const User = v.object({
  userId: identifierOrEmpty,
  nickname: text,
  avatarUrl: text,
  registerTime: number,
  /** `YYYY-MM-DD HH:MM:SS` in the service's time zone. */
  registerTimeText: text,
  /** Total days online. */
  onLineDay: number,
  /** Consecutive days online. */
  continuousOnLineDay: number,
  medals: lenientList(Medal),
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

/** The kinds of resources that can be looked up. */
export type Kind = keyof Resources;

/** The result of a lookup. `raw` is the JSON as received, with tokens redacted. */
export type Found<K extends Kind = Kind> = { [P in K]: { kind: P; resource: Resources[P]; raw: unknown } }[K];

/** The ID of a resource. */
export function idOf(found: Found): string {
  switch (found.kind) {
    case 'group':
      return found.resource.groupId;
    case 'bot':
      return found.resource.botId;
    case 'user':
      return found.resource.userId;
  }
}

/** The ID of a group, bot or user. */
export interface Reference {
  readonly kind: Kind;
  readonly id: string;
}

/** An ID, and what it belongs to if that's known. */
export type PossibleReference = Pick<Reference, 'id'> & Partial<Record<'kind', Kind | undefined>>;

/** A group, or a bot's conversation with a user (contract 4.4). */
export interface Chat extends Reference {
  readonly kind: 'group' | 'user';
}

/** All kinds, in the order in which people see them listed. */
export const KINDS = ['group', 'bot', 'user'] as const satisfies Kind[];

export const CHAT_KINDS = ['group', 'user'] as const satisfies Chat['kind'][];

export const isChat = (one: Reference): one is Chat => one.kind !== 'bot';

/** The bot of a group, if its ID isn't empty and the relation isn't deleted (contract 2.2). */
export function attachedBot({ groupBotRel }: Group): Bot | undefined {
  const { bot, delFlag } = groupBotRel ?? {};
  return bot?.botId && !delFlag ? bot : undefined;
}

/** Identifies a resource among those of all kinds, which may have the same ID. */
export const resourceKey = (kind: Kind, id: string) => `${kind} ${id}`;

/** Identifies a chat, like {@link resourceKey}. */
export const chatKey = ({ kind, id }: Chat) => resourceKey(kind, id);

/** Whether both are the same group, bot or user. */
export const isSame = (one: Reference, other: Reference) => one.kind === other.kind && one.id === other.id;

export const includesChat = (chats: readonly Chat[], chat: Chat) => chats.some((one) => isSame(one, chat));

/** The groups and users among resources, without duplicates. */
export function chatsAmong(resources: readonly Reference[]): Chat[] {
  const chats = resources.map(({ kind, id }) => ({ kind, id })).filter(isChat);
  return [...new Map(chats.map((chat) => [chatKey(chat), chat])).values()];
}
