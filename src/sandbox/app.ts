import { choices } from './choices.ts';
import { defaultUser } from './data/users.ts';
import { Refused, refuse } from './input.ts';
import { badParameter, badToken, noSuchBot, noSuchGroup, noSuchMessage, notAFriend, notInGroup } from './refusals.ts';
import { type Asked, type Operation, operationOf, operations } from './requests.ts';
import type { Bot } from './resources.ts';
import type { World } from './world.ts';

/** For each operation, the data of a success. `bot` has the token of the request. @throws {Refused} to refuse it */
type Handlers = {
  readonly [O in Operation]: (
    asked: Asked<O>,
    bot: (typeof operations)[O]['token'] extends true ? Bot : undefined,
  ) => object;
};

/** The operations of contract 4 in the envelope of contract 1, and a refusal for any other path. */
export function createApp(world: World, now: () => number): (request: Request) => Promise<Response> {
  const handlers: Handlers = {
    'group-info': ({ groupId }) => ({ group: world.groups.get(groupId) ?? refuse(noSuchGroup(groupId)) }),

    'bot-info': ({ botId }) => ({ bot: world.bots.get(botId) ?? refuse(noSuchBot) }),

    homepage: ({ userId }) => ({ user: world.users.get(userId) ?? defaultUser }),

    messages: ({ 'chat-id': chatId, 'chat-type': chatType, 'message-id': msgId, before, after }, bot) => {
      if (chatType === 'group') assertInGroup(world, bot, chatId);
      const missing = chatType === 'group' ? noSuchGroup : choices.noSuchUserChat;
      const chat = world.chatOf(bot, chatType, chatId) ?? refuse(missing(chatId));
      // Rule 5 applies even if the anchor doesn't exist.
      if (msgId !== '' && before === 0 && after === 0) return { list: [], total: 0 };
      const anchor = msgId === '' ? undefined : (chat.find(msgId) ?? refuse(noSuchMessage));
      const list = chat.list({ anchor, before, after });
      return { list, total: list.length };
    },

    batch_send: (batch, bot) => {
      const successList = sendToAll(world, bot, batch, now);
      return { successCount: successList.length, successList };
    },
  };

  return async (request) => {
    const name = operationOf(request);
    if (!name || operations[name].method !== request.method) {
      return Response.json(choices.noSuchPath, { status: 404 });
    }
    const { token, read, schema } = operations[name];
    // The compiler doesn't see that the schema is that of the same operation.
    const handle = handlers[name] as (asked: unknown, bot: Bot | undefined) => object;
    try {
      const bot = token ? botOf(world, request) : undefined;
      const data = handle(await read(request, schema), bot);
      return Response.json({ code: 1, msg: 'success', data });
    } catch (error) {
      if (error instanceof Refused) return Response.json(error.refusal);
      throw error;
    }
  };
}

/** A receiver who got the message, contract 4.5. */
export interface Receipt {
  readonly msgId: string;
  readonly recvId: string;
  readonly recvType: 'user' | 'group';
}

/** @throws {Refused} if the group exists and doesn't have the bot */
function assertInGroup(world: World, bot: Bot, groupId: string): void {
  const group = world.groups.get(groupId);
  if (group && !choices.isInGroup(bot, group)) refuse(notInGroup(groupId, bot.botId));
}

/**
 * Adds a bot's message to the chats of its receivers. The result excludes those that don't exist or refuse it.
 *
 * @throws {Refused} before it adds any, if the bot may not write to one of them
 */
function sendToAll(world: World, bot: Bot, batch: Asked<'batch_send'>, now: () => number): Receipt[] {
  const { recvIds, recvType, ...content } = batch;
  for (const recvId of recvIds) {
    if (recvType === 'group') assertInGroup(world, bot, recvId);
    else if (world.users.has(recvId) && !choices.isFriend(bot, recvId)) refuse(notAFriend);
  }
  const receipts: Receipt[] = [];
  for (const recvId of new Set(recvIds)) {
    const chat = world.chatOf(bot, recvType, recvId);
    if (!chat || choices.refusesBots(recvId)) continue;
    receipts.push({ msgId: chat.add(bot, content, now()).msgId, recvId, recvType });
  }
  return receipts;
}

/** The bot whose token is in the query, contract 5. */
function botOf(world: World, { url }: Request): Bot {
  const token = new URL(url).searchParams.get('token') || refuse(badParameter('token'));
  return world.botOf(token) ?? refuse(badToken);
}
