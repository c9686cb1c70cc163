import { messageId } from './messageId.ts';
import { mix } from './mix.ts';
import { quoteOf } from './quote.ts';
import type { Bot, Content, Message, User } from './resources.ts';
import { fillIn } from './scenes/fillIn.ts';
import type { Scene } from './scenes/scene.ts';
import { sendTime } from './schedule.ts';

/** Who talks in a chat, about what. */
export interface Cast {
  /** The number of the chat in the sandbox. */
  readonly chat: number;
  readonly users: readonly User[];
  readonly bot: Bot | undefined;
  /** What is said, again and again, with other people and other figures each time. */
  readonly scenes: readonly Scene[];
  /** The base address of what messages link to. */
  readonly web: string;
}

/**
 * The conversation (contract 2.6) that a chat of `length` messages begins with: a function from an index, 0 the
 * oldest, to its message. Nothing is kept, so that a million messages cost no more than one.
 */
export function conversation(cast: Cast, length: number): (index: number) => Message {
  const spots = cast.scenes.flatMap((scene, at) =>
    scene.map((line, turn) => ({ line, at, turn, turns: scene.length })),
  );
  const spotOf = (index: number) => {
    const spot = spots[index % spots.length];
    if (!spot) throw new RangeError('A conversation needs a scene with a turn.');
    return { ...spot, scene: Math.floor(index / spots.length) * cast.scenes.length + spot.at };
  };
  const scenes = length === 0 ? 0 : spotOf(length - 1).scene + 1;

  const read = (index: number): Message => {
    const { line, turn, turns, scene } = spotOf(index);
    const { from, to, command, ...said } = line;
    const seed = mix(cast.chat, scene);
    const people = [0, 1, 2].flatMap((number) => cast.users[(seed + number) % cast.users.length] ?? []);
    const time = sendTime(cast.chat, { scene, scenes, turn, turns });
    const { contentType, content } = fillIn(said, { seed, web: cast.web, people, sendTime: time });
    const parent = to === undefined ? undefined : read(index - turn + to);
    return {
      msgId: messageId({ chat: cast.chat, index, run: 0 }),
      parentId: parent?.msgId ?? '',
      ...(from === 'bot' ? fromBot(cast.bot) : fromUser(people[from])),
      ...({ contentType, content: { ...content, ...(parent && quoteOf(parent)) } } as Content),
      sendTime: time,
      commandName: command?.[0] ?? '',
      commandId: command?.[1] ?? 0,
    };
  };
  return read;
}

/** The sender fields (contract 2.6) of a bot. */
export function fromBot(bot: Bot | undefined) {
  if (!bot) throw new RangeError('A bot speaks in a chat without one.');
  return { senderId: bot.botId, senderType: 'bot', senderNickname: bot.nickname } as const;
}

function fromUser(user: User | undefined) {
  if (!user) throw new RangeError('A chat has too few users for its scenes.');
  return { senderId: user.userId, senderType: 'user', senderNickname: user.nickname } as const;
}
