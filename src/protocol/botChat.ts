/** A chat as one bot reads it, in a file of its own, because activation doesn't need the schemas of the protocol. */
import * as v from 'valibot';
import { givenIdentifier } from '../service/fields.ts';
import { isSame } from '../service/model.ts';

/** The chat that a panel shows. The page stores it so that VS Code can restore the panel. Never contains a token. */
export const BotChat = v.object({
  /** URL of the service. */
  service: v.string(),
  kind: v.picklist(['group', 'user']),
  id: givenIdentifier,
  /** The bot whose token is used. */
  botId: givenIdentifier,
});
export type BotChat = v.InferOutput<typeof BotChat>;

/** Identifies a chat as one bot reads it. */
export const botChatKey = ({ service, kind, id, botId }: BotChat) => JSON.stringify([service, kind, id, botId]);

const Key = v.pipe(
  v.string(),
  v.parseJson(),
  v.tuple([BotChat.entries.service, BotChat.entries.kind, BotChat.entries.id, BotChat.entries.botId]),
);

/** The chats that keys identify. Anything else among the keys is left out. */
export const botChatsOf = (keys: readonly string[]): BotChat[] =>
  keys.flatMap((key) => {
    const { success, output } = v.safeParse(Key, key);
    if (!success) return [];
    const [service, kind, id, botId] = output;
    return [{ service, kind, id, botId }];
  });

/** Whether two chats have the same messages: a group is the same for all bots, but not a user's conversation. */
export const hasSameMessages = (one: BotChat, other: BotChat) =>
  one.service === other.service && isSame(one, other) && (one.kind === 'group' || one.botId === other.botId);
