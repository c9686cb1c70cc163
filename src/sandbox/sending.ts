import type * as v from 'valibot';
import { choices } from './choices.ts';
import type { batchSend } from './requests.ts';
import type { Bot } from './resources.ts';
import type { World } from './world.ts';

/** A receiver who got the message, contract 4.5. */
export interface Receipt {
  readonly msgId: string;
  readonly recvId: string;
  readonly recvType: 'user' | 'group';
}

/** Adds a bot's message to the chats of its receivers. The result excludes those that don't exist or refuse it. */
export function sendToAll(
  world: World,
  bot: Bot,
  batch: v.InferOutput<typeof batchSend>,
  now: () => number,
): Receipt[] {
  const { recvIds, recvType, ...content } = batch;
  const receipts: Receipt[] = [];
  for (const recvId of new Set(recvIds)) {
    const chat = world.chatOf(bot, recvType, recvId);
    if (!chat || choices.refusesBots(recvId)) continue;
    receipts.push({ msgId: chat.add(bot, content, now()).msgId, recvId, recvType });
  }
  return receipts;
}
