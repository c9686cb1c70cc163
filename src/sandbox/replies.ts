/** What people answer to a message that a bot sends: some at once, some later, some never. A choice of the sandbox. */
import { type Cast, fromUser, quoteOf } from './conversation.ts';
import type { Message } from './resources.ts';
import { between, mix } from './seeded.ts';

/** A message that comes later. In a group, it replies to the bot's message, or to the answer with a number from 0. */
export interface Reply {
  readonly to: 'sent' | number | undefined;
  readonly message: Omit<Message, 'msgId' | 'parentId'>;
}

const WORDS = [
  'Got it, thanks!',
  '收到，谢谢。',
  'Yes',
  'I will be there.',
  'Not this time, sorry.',
  '可以。',
  'Could you say that again next week? I am away until Monday.',
];

const MORE = ['Same here.', '我也是。', 'Good point!'];

/** When the first answer comes, and how far others are apart at most (milliseconds). */
const FIRST = 1_500;
const APART = 20_000;

/** The answers to the message with this index in its chat, in the order of their times. */
export function repliesTo(cast: Cast, sent: Message, index: number, isGroup: boolean): Reply[] {
  const seed = mix(cast.chat, index, 0x7e91);
  // Not everyone answers.
  const count = isGroup ? between(seed, 1, Math.min(4, cast.users.length)) : between(seed, 0, 3) > 0 ? 1 : 0;
  const offered = offeredBy(sent);
  const replies: Reply[] = [];
  let sendTime = sent.sendTime + FIRST;
  for (let number = 0; number < count; number++) {
    const own = mix(seed, number);
    const user = cast.users[(seed + number) % cast.users.length];
    if (!user) break;
    // The fourth one agrees with the third.
    const isFurther = number === 3;
    const to = !isGroup ? undefined : isFurther ? number - 1 : 'sent';
    const words = choose(isFurther ? MORE : [...offered, ...offered, ...WORDS], own);
    const parent = isFurther ? replies[number - 1]?.message : sent;
    const quote = isGroup && parent ? quoteOf(parent) : {};
    const command = words.startsWith('/') ? { commandName: words, commandId: 40 } : { commandName: '', commandId: 0 };
    const content = { contentType: 'text' as const, content: { text: words, ...quote } };
    replies.push({ to, message: { ...fromUser(user), ...content, sendTime, ...command } });
    sendTime += between(mix(own, 1), 1_000, APART);
  }
  return replies;
}

/** What a message offers as an answer: the labels of its buttons, and commands that it mentions. */
function offeredBy({ content }: Message): string[] {
  const buttons = 'buttons' in content ? (content.buttons ?? []) : [];
  const labels = buttons.flat().flatMap((one) => (one.actionType === 1 ? [] : [one.text]));
  const commands = 'text' in content ? (content.text.match(/(?<![\w/:.])\/[a-z]{1,12}\b/g) ?? []) : [];
  return [...labels, ...commands];
}

const choose = (words: readonly string[], seed: number) => words[seed % words.length] ?? '';
