import { choices } from './choices.ts';
import { defaultUser } from './data/users.ts';
import { bodyOf, lookupOf, queryOf, Refused } from './input.ts';
import { badParameter, badToken, noSuchBot, noSuchGroup, noSuchMessage } from './refusals.ts';
import { batchSend, botLookup, groupLookup, messageList, operationOf, userLookup } from './requests.ts';
import type { Bot } from './resources.ts';
import { assertInGroup, sendToAll } from './sending.ts';
import type { World } from './world.ts';

/** Returns the data of a success. @throws {Refused} to answer with a refusal */
type Operation = (request: Request) => object | Promise<object>;

/** The operations of contract 4, and a refusal for any other path. */
export function createApp(world: World, now: () => number): (request: Request) => Promise<Response> {
  const operations: Readonly<Record<string, Operation>> = {
    // 4.1
    'POST group-info': async (request) => {
      const { groupId } = await lookupOf(request, groupLookup);
      const group = world.groups.get(groupId);
      if (!group) throw new Refused(noSuchGroup(groupId));
      return { group };
    },

    // 4.2
    'POST bot-info': async (request) => {
      const { botId } = await lookupOf(request, botLookup);
      const bot = world.bots.get(botId);
      if (!bot) throw new Refused(noSuchBot);
      return { bot };
    },

    // 4.3
    'GET homepage': (request) => {
      const { userId } = queryOf(request, userLookup);
      return { user: world.users.get(userId) ?? defaultUser };
    },

    // 4.4
    'GET messages': (request) => {
      const bot = botOf(world, request);
      const {
        'chat-id': chatId,
        'chat-type': chatType,
        'message-id': msgId,
        before,
        after,
      } = queryOf(request, messageList);
      if (chatType === 'group') assertInGroup(world, bot, chatId);
      const chat = world.chatOf(bot, chatType, chatId);
      if (!chat) throw new Refused(chatType === 'group' ? noSuchGroup(chatId) : choices.noSuchUserChat(chatId));
      // Rule 5 applies even if the anchor doesn't exist.
      if (msgId !== '' && before === 0 && after === 0) return { list: [], total: 0 };
      const anchor = msgId === '' ? undefined : chat.find(msgId);
      if (msgId !== '' && anchor === undefined) throw new Refused(noSuchMessage);
      const list = chat.list({ anchor, before, after });
      return { list, total: list.length };
    },

    // 4.5
    'POST batch_send': async (request) => {
      const bot = botOf(world, request);
      const successList = sendToAll(world, bot, await bodyOf(request, batchSend), now);
      return { successCount: successList.length, successList };
    },
  };

  return async (request) => {
    const operation = operations[`${request.method} ${operationOf(request)}`];
    return operation ? answer(operation, request) : Response.json(choices.noSuchPath, { status: 404 });
  };
}

/** The envelope of contract 1. */
async function answer(run: Operation, request: Request): Promise<Response> {
  try {
    return Response.json({ code: 1, msg: 'success', data: await run(request) });
  } catch (error) {
    if (error instanceof Refused) return Response.json(error.refusal);
    throw error;
  }
}

/** The bot whose token is in the query, contract 5. */
function botOf(world: World, { url }: Request): Bot {
  const token = new URL(url).searchParams.get('token');
  if (!token) throw new Refused(badParameter('token'));
  const bot = world.botOf(token);
  if (!bot) throw new Refused(badToken);
  return bot;
}
