/** What the host posts to the search page. */
import type { FoundText, FoundView, ToSearchPage } from '../../src/protocol/search.ts';

export const scope: Extract<ToSearchPage, { type: 'scope' }> = {
  type: 'scope',
  summary: '3 of 7 chats, until yesterday',
  unarchived: '',
  chats: [
    { number: 1, kind: 'group', name: 'Riverside Town' },
    { number: 2, kind: 'group', name: 'Fern & Kettle: the shop team' },
    { number: 3, kind: 'user', name: 'Alice' },
  ],
  senders: [
    { sender: 'user 7', name: 'Ann' },
    { sender: 'user 8', name: 'Joanne' },
    { sender: 'bot 9', name: 'Ann' },
    { sender: 'bot 30481126', name: 'Order Desk' },
  ],
  kinds: ['image', 'file'],
};

/** An excerpt with these matches. */
export const foundText = (text: string, ranges: FoundText['ranges'] = [], cut: Partial<FoundText> = {}): FoundText => ({
  text,
  ranges,
  isCutBefore: false,
  isCutAfter: false,
  ...cut,
});

/** The parts of a message that says this. */
export const saying = (said: FoundText, more: Partial<FoundView['parts']> = {}): FoundView['parts'] => ({
  said,
  author: foundText(''),
  quoted: foundText(''),
  buttons: [],
  hasMoreButtons: false,
  ...more,
});

/** A result with this key and these fields. */
export function foundView(key: string, fields: Partial<FoundView> = {}): FoundView {
  return {
    key,
    chat: 1,
    msgId: `m${key}`,
    senderName: 'Order Desk',
    kind: '',
    time: Date.UTC(2026, 1, 3, 10),
    parts: saying(foundText(`Soup of day ${key}`)),
    ...fields,
  };
}

/** Results with the keys from one number on. */
export const foundViews = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => foundView(String(from + index)));
