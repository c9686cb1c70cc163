import { messageId } from './messageId.ts';
import type { Bot, Content, Message, User } from './resources.ts';
import { fillIn, type Scene } from './scenes/scene.ts';
import { mix, sendTime } from './seeded.ts';

/** Longer quotes are truncated (UTF-16 units). */
const MAX_QUOTE = 80;

/** The participants and topics of a chat. */
export interface Cast {
  /** The number of the chat in the sandbox. */
  readonly chat: number;
  readonly users: readonly User[];
  readonly bot: Bot | undefined;
  /** Repeated with different people and numbers each time. */
  readonly scenes: readonly Scene[];
  /** The base URL of links in messages. */
  readonly web: string;
}

/**
 * The initial `length` messages of a chat (contract 2.6), as a function of the index, 0 being the oldest. Messages are
 * generated on demand, so that a million cost no more than one.
 */
export function conversation(cast: Cast, length: number): (index: number) => Message {
  const slots = cast.scenes.flatMap((scene, at) =>
    scene.map((line, turn) => ({ line, at, turn, turns: scene.length })),
  );
  const slotOf = (index: number) => {
    const slot = slots[index % slots.length];
    if (!slot) throw new RangeError('A conversation needs a scene with a turn.');
    return { ...slot, scene: Math.floor(index / slots.length) * cast.scenes.length + slot.at };
  };
  const scenes = length === 0 ? 0 : slotOf(length - 1).scene + 1;

  const read = (index: number): Message => {
    const { line, turn, turns, scene } = slotOf(index);
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
  if (!bot) throw new RangeError('The chat has no bot.');
  return { senderId: bot.botId, senderType: 'bot', senderNickname: bot.nickname } as const;
}

/** The sender fields of a user. */
export function fromUser(user: User | undefined) {
  if (!user) throw new RangeError('The chat has too few users for its scenes.');
  return { senderId: user.userId, senderType: 'user', senderNickname: user.nickname } as const;
}

/** The fields of a reply that quote its parent (observed). */
export function quoteOf(message: Pick<Message, 'senderNickname' | 'contentType' | 'content'>) {
  const { contentType, content, senderNickname } = message;
  const parent = `${senderNickname} : ${'text' in content ? quotedText(contentType, content.text) : ''}`;
  if ('imageName' in content) return { parent, parentImgName: content.imageName };
  if ('videoUrl' in content) return { parent, parentVideoUrl: content.videoUrl };
  return 'fileName' in content ? { parent, parentFileName: content.fileName } : { parent };
}

/** The first line with a letter or digit, without Markdown and HTML markup. */
function quotedText(contentType: Message['contentType'], text: string): string {
  if (contentType === 'text') return quoteStart(text);
  const lines = text.replace(/<[^<>]*>/g, ' ').split('\n');
  const line = lines.find((line) => !line.startsWith('```') && /[\p{L}\p{N}]/u.test(line)) ?? '';
  return quoteStart(line.replace(/^[\s#>*-]+|[*`]/g, ''));
}

function quoteStart(text: string): string {
  if (text.length <= MAX_QUOTE) return text;
  const end = text.lastIndexOf(' ', MAX_QUOTE);
  return `${text.slice(0, end > 0 ? end : MAX_QUOTE).trimEnd()}…`;
}
