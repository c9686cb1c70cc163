import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import { choices, noSuchBot } from './choices.ts';
import { defaultUser } from './data/users.ts';
import { bodyOf, queryOf, Refused } from './input.ts';
import { operationOf } from './operations.ts';
import { batchSend, botLookup, groupLookup, messageList, userLookup } from './requests.ts';
import type { Bot } from './resources.ts';
import { sendToAll } from './sending.ts';
import type { World } from './world.ts';

/** The operations of contract 4. */
export function createApp(world: World, now: () => number): Hono {
  // Left to itself, this router would take an address with a slash at its end as well.
  const app = new Hono({ getPath: (request) => `/${operationOf(request) ?? ''}` });

  // 4.1
  app.post('/group-info', async (context) => {
    const { groupId } = await bodyOf(context, groupLookup);
    const group = world.groups.get(groupId);
    if (!group) throw new Refused(choices.noSuchGroup(groupId));
    return succeed(context, { group });
  });

  // 4.2
  app.post('/bot-info', async (context) => {
    const { botId } = await bodyOf(context, botLookup);
    const bot = world.bots.get(botId);
    if (!bot) throw new Refused(noSuchBot);
    return succeed(context, { bot });
  });

  // 4.3
  app.get('/homepage', (context) => {
    const { userId } = queryOf(context, userLookup);
    return succeed(context, { user: world.users.get(userId) ?? defaultUser });
  });

  // 4.4
  app.get('/messages', (context) => {
    const bot = botOf(world, context);
    const {
      'chat-id': chatId,
      'chat-type': chatType,
      'message-id': msgId,
      before,
      after,
    } = queryOf(context, messageList);
    const chat = world.chatOf(bot, chatType, chatId);
    if (!chat) throw new Refused(choices.noSuchChat(chatId));
    // Rule 5 asks nothing of the anchor, not even that it exists.
    if (msgId !== '' && before === 0 && after === 0) return succeed(context, { list: [], total: 0 });
    const anchor = msgId === '' ? undefined : chat.find(msgId);
    if (msgId !== '' && anchor === undefined) throw new Refused(choices.noSuchMessage(msgId));
    const list = chat.list({ anchor, before, after });
    return succeed(context, { list, total: list.length });
  });

  // 4.5
  app.post('/batch_send', async (context) => {
    const bot = botOf(world, context);
    const successList = sendToAll(world, bot, await bodyOf(context, batchSend), now);
    return succeed(context, { successCount: successList.length, successList });
  });

  app.notFound((context) => context.json(choices.noSuchPath, 404));
  app.onError((error, context) => {
    if (error instanceof Refused) return context.json(error.refusal);
    throw error;
  });
  return app;
}

/** The success envelope, contract 1. */
function succeed(context: Context, data: object): Response {
  return context.json({ code: 1, msg: 'success', data });
}

/** The bot whose token the query carries, contract 5. */
function botOf(world: World, context: Context): Bot {
  const token = context.req.query('token');
  if (!token) throw new Refused(choices.badParameter('token'));
  const bot = world.botOf(token);
  if (!bot) throw new Refused(choices.badToken);
  return bot;
}
