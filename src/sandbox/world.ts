import { type Answering, type Chat, createChat } from './chat.ts';
import { choices } from './choices.ts';
import { createBots, tokenOf } from './data/bots.ts';
import { createGroups } from './data/groups.ts';
import { users } from './data/users.ts';
import { repliesTo } from './replies.ts';
import type { Bot, Group, User } from './resources.ts';
import { botScenes } from './scenes/botChats.ts';
import { groupScripts } from './scenes/groups.ts';
import { between, mix } from './seeded.ts';

/** All data of a sandbox. */
export interface World {
  readonly groups: ReadonlyMap<string, Group>;
  readonly bots: ReadonlyMap<string, Bot>;
  readonly users: ReadonlyMap<string, User>;
  /** The bot that a token belongs to. */
  botOf(token: string): Bot | undefined;
  /** A group's chat, or the bot's own chat with a user. */
  chatOf(bot: Bot, chatType: 'user' | 'group', chatId: string): Chat | undefined;
}

/** Creates the initial data. `messages` overrides the initial length of the first group's chat; `now` is set if people answer. */
export function createWorld(
  web: string,
  openApi: string,
  messages: number | undefined,
  now?: (() => number) | undefined,
): World {
  const answering = (isGroup: boolean) =>
    now && { now, repliesTo: (...sent: SentMessage) => repliesTo(...sent, isGroup) };
  const bots = createBots(web, openApi);
  const groups = createGroups(bots, openApi);
  const tokens = byId(bots, (bot) => tokenOf(bot.botId));
  // Chats are numbered: groups first, then each bot's chats with users.
  const groupChats = new Map(
    groups.map(({ groupId, groupBotRel }, chat) => {
      const { scenes, people, length } = scriptOf(chat, chat === 0 ? messages : undefined);
      const bot = bots.find(({ botId }) => botId === groupBotRel.botId);
      return [groupId, createChat({ chat, users: people, bot, scenes, web }, length, answering(true))];
    }),
  );
  const userChats = new Map(
    bots.flatMap((bot, at) =>
      users.map((user, number) => {
        const chat = groups.length + at * users.length + number;
        const length = choices.refusesBots(user.userId) ? 0 : between(mix(chat), 4, 60);
        const cast = { chat, users: [user], bot, scenes: botScenes[at] ?? [], web };
        return [pairKey(bot.botId, user.userId), createChat(cast, length, answering(false))];
      }),
    ),
  );

  return {
    groups: byId(groups, (group) => group.groupId),
    bots: byId(bots, (bot) => bot.botId),
    users: byId(users, (user) => user.userId),
    botOf: (token) => tokens.get(token),
    chatOf: ({ botId }, kind, id) => (kind === 'group' ? groupChats.get(id) : userChats.get(pairKey(botId, id))),
  };
}

type SentMessage = Parameters<Answering['repliesTo']>;

const pairKey = (botId: string, userId: string) => `${botId} ${userId}`;

function scriptOf(group: number, messages: number | undefined) {
  const { scenes, people, length } = groupScripts[group] ?? { scenes: [], people: [], length: 0 };
  return { scenes, people: people.flatMap((number) => users[number] ?? []), length: messages ?? length };
}

function byId<T>(items: readonly T[], idOf: (item: T) => string): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [idOf(item), item]));
}
