/** Replies to show in pages. */
import * as v from 'valibot';
import type { RepliesRow, RepliesSummary } from '../../src/protocol/replies.ts';
import { Message } from '../../src/service/message.ts';

const TIME = Date.UTC(2026, 10, 26, 12);

/** A delivery to six chats, of which four have answered. */
export const repliesOf = (changes: Partial<RepliesSummary> = {}): RepliesSummary => ({
  type: 'summary',
  title: 'Replies to “Will you come on Saturday?”',
  origin: 'Saturday, November 21, 2026 at 12:00:00 PM, sent by Order Desk through the sandbox',
  counts: [
    { state: 'answered', count: 4 },
    { state: 'failed', count: 1 },
    { state: 'unanswered', count: 1 },
    { state: 'unread', count: 0 },
  ],
  total: 10,
  poll: [
    { key: 'yes', label: 'I will come', count: 7, isButton: true },
    { key: 'no', label: 'Not this time', count: 0, isButton: true },
    { key: 'perhaps', label: 'Perhaps', count: 2, isButton: false },
    { key: 'why', label: '为什么是星期六？', count: 1, isButton: false },
  ],
  uncounted: '',
  run: { is: 'idle', done: 0, total: 0 },
  error: '',
  doneAt: TIME,
  isWatched: false,
  ...changes,
});

export const chatRow = (id: string, changes: Partial<Extract<RepliesRow, { type: 'chat' }>> = {}): RepliesRow => ({
  type: 'chat',
  key: `group ${id}`,
  kind: 'group',
  id,
  name: `Chat ${id}`,
  state: 'answered',
  count: 2,
  error: '',
  unreadable: 0,
  ...changes,
});

export const replyRow = (id: string, msgId: string, message: object = {}): RepliesRow => ({
  type: 'reply',
  key: `group ${id} ${msgId}`,
  kind: 'group',
  id,
  message: v.parse(Message, {
    msgId,
    parentId: 'sent',
    senderId: '7',
    senderType: 'user',
    senderNickname: 'Nora',
    contentType: 'text',
    content: { text: 'I will come', parent: 'Order Desk : Will you come on Saturday?' },
    sendTime: TIME,
    ...message,
  }),
});

/** Chats in each state, with answers of several kinds. */
export const someRows = (): RepliesRow[] => [
  chatRow('518204736', { name: 'The shop', unreadable: 2 }),
  replyRow('518204736', 'a'),
  replyRow('518204736', 'b', {
    senderId: '8',
    senderNickname: 'Ida',
    commandName: '/perhaps',
    content: {
      text: '/perhaps, if the weather is fine',
      buttons: [[{ text: 'Forecast', actionType: 1, url: 'https://example.com/w' }]],
    },
  }),
  replyRow('518204736', 'c', {
    senderId: '9',
    senderType: 'bot',
    senderNickname: '',
    contentType: 'markdown',
    content: { text: '**Yes**, with\n\n- cake\n- tea' },
  }),
  chatRow('7850437', { kind: 'user', key: 'user 7850437', name: '林小雨', count: 1 }),
  replyRow('7850437', 'd', { parentId: '', senderNickname: '林小雨', content: { text: '好的，星期六见！' } }),
  chatRow('big', {
    name: 'Left group',
    state: 'failed',
    count: 0,
    error: 'The service returned error -1: “群(ID:big)中未添加当前机器人(ID: 30481126)。”.',
  }),
  chatRow('quiet', { name: 'Quiet', state: 'unanswered', count: 0 }),
];
