import fc from 'fast-check';
import * as v from 'valibot';
import type { Delivered } from '../../../../src/deliveries/replies/findReplies.ts';
import type { Page } from '../../../../src/service/client.ts';
import { ServiceError } from '../../../../src/service/errors.ts';
import { Listed } from '../../../../src/service/message.ts';
import type { Chat } from '../../../../src/service/model.ts';

export const BOT = '30481126';

export interface Said {
  readonly msgId: string;
  readonly parentId?: string;
  readonly senderId?: string;
  readonly senderType?: string;
  readonly contentType?: string;
  readonly text?: string;
  readonly sendTime?: number;
}

/** An entry as a service lists it. */
export const listed = ({ text = '', senderId = 'U1', senderType = 'user', ...said }: Said): Listed =>
  v.parse(Listed, { contentType: 'text', senderId, senderType, content: { text }, ...said });

export const unreadable = (number: number): Listed => v.parse(Listed, { broken: number });

export const idOf = (entry: Listed) => (entry.readable ? entry.message.msgId : '');

/** A chat as a service with a limit for pages lists it. It can be changed while it's read. */
export class ListedChat {
  readonly entries: Listed[];
  readonly #limit: number;
  /** Whether what can't be read looks different each time: a signed address, a server time. */
  isChanging = false;
  calls = 0;

  constructor(entries: readonly Listed[], limit = 1_000) {
    this.entries = [...entries];
    this.#limit = limit;
  }

  /** Contract 4.4, newest first. */
  list = async (page: Page): Promise<Listed[]> => {
    this.calls++;
    if ('latest' in page) return this.entries.slice(-Math.min(page.latest, this.#limit)).toReversed();
    const at = this.entries.findIndex((entry) => idOf(entry) === page.anchor);
    if (at < 0) throw new ServiceError({ kind: 'rejected', status: 200, code: -1, text: '消息不存在' });
    const [before, after] = [page.before ?? 0, page.after ?? 0].map((count) => Math.min(count, this.#limit)) as [
      number,
      number,
    ];
    const around = this.entries.slice(Math.max(0, at - before), at + 1 + after).toReversed();
    return this.isChanging
      ? around.map((entry, place) => (entry.readable ? entry : unreadable(1_000 * this.calls + place)))
      : around;
  };
}

const delivered = 'm0';

/** A chat of a delivered message, after which everyone writes, and what else this outbox sent there. */
export const randomChat = fc
  .record({
    kind: fc.constantFrom<Chat['kind']>('group', 'user'),
    others: fc.uniqueArray(fc.integer({ min: -3, max: 60 }), { maxLength: 3 }),
    reminders: fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 3 }),
    turns: fc.array(
      fc.record({
        by: fc.constantFrom('U1', 'U2', BOT),
        type: fc.constantFrom('user', 'bot', ''),
        /** How many messages before it is what it replies to. */
        to: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
        isTip: fc.integer({ max: 9, min: 0 }),
        isUnreadable: fc.integer({ max: 9, min: 0 }),
      }),
      { maxLength: 60 },
    ),
  })
  .map(({ kind, others, reminders, turns }): { of: Delivered; entries: Listed[] } => {
    const before = [-3, -2, -1].map((at) => listed({ msgId: `m${at}` }));
    const first = listed({ msgId: delivered, senderId: BOT, senderType: 'bot' });
    const after = turns.map(({ by, type, to, isTip, isUnreadable }, index) => {
      // A page of one must lead beyond it.
      if (isUnreadable === 0 && turns[index - 1]?.isUnreadable !== 0) return unreadable(index);
      const parent = to === undefined ? {} : { parentId: `m${index + 1 - to}` };
      const sender = { senderId: by, senderType: by === BOT ? 'bot' : type === 'bot' ? 'user' : type };
      return listed({ msgId: `m${index + 1}`, ...parent, ...sender, ...(isTip === 0 && { contentType: 'tip' }) });
    });
    const isReadable = (at: number) => after[at - 1]?.readable && turns[at - 1]?.by === BOT;
    const of: Delivered = {
      chat: { kind, id: kind === 'group' ? 'G' : 'U1' },
      botId: BOT,
      msgId: delivered,
      others: new Set(others.map((at) => `m${at}`)),
      reminders: new Set(reminders.filter(isReadable).map((at) => `m${at}`)),
    };
    return {
      of: { ...of, others: new Set([...of.others].filter((id) => id !== delivered && !of.reminders?.has(id))) },
      entries: [...before, first, ...after],
    };
  });

/** The IDs of all answers, by the rules as a person would apply them to the whole chat. */
export function answersIn(entries: readonly Listed[], { chat, botId, msgId, others, reminders }: Delivered): string[] {
  const at = entries.findIndex((entry) => idOf(entry) === msgId);
  const messages = entries.slice(at + 1).flatMap((entry) => (entry.readable ? [entry.message] : []));
  if (chat.kind === 'user') {
    let isOpen = true;
    return messages.flatMap(({ msgId: id, contentType, senderType }) => {
      isOpen = reminders?.has(id) || (isOpen && !others.has(id));
      return isOpen && contentType !== 'tip' && senderType !== 'bot' ? id : [];
    });
  }
  const byId = new Map(messages.map((message) => [message.msgId, message]));
  const leadsTo = (id: string): boolean => {
    const message = byId.get(id);
    if (!message || message.contentType === 'tip') return false;
    return message.parentId === msgId || reminders?.has(message.parentId) || leadsTo(message.parentId);
  };
  return messages.filter((one) => one.senderId !== botId && leadsTo(one.msgId)).map((one) => one.msgId);
}
