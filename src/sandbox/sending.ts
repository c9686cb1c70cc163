import { choices } from './choices.ts';
import { refuse } from './input.ts';
import { notAFriend, notInGroup } from './refusals.ts';
import type { Asked } from './requests.ts';
import type { Bot } from './resources.ts';
import type { World } from './world.ts';

/** A receiver who got the message, contract 4.5. */
export interface Receipt {
  readonly msgId: string;
  readonly recvId: string;
  readonly recvType: 'user' | 'group';
}

/** @throws {Refused} if the group exists and doesn't have the bot */
export function assertInGroup(world: World, bot: Bot, groupId: string): void {
  const group = world.groups.get(groupId);
  if (group && !choices.isInGroup(bot, group)) refuse(notInGroup(groupId, bot.botId));
}

/**
 * Adds a bot's message to the chats of its receivers. The result excludes those that don't exist or refuse it.
 *
 * @throws {Refused} before it adds any, if the bot may not write to one of them
 */
export function sendToAll(world: World, bot: Bot, batch: Asked<'batch_send'>, now: () => number): Receipt[] {
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
