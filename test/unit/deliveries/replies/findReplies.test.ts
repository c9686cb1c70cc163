import assert from 'node:assert/strict';
import { DeliveryStatus } from '../../../../src/deliveries/outbox/deliveryStatus.ts';
import type { Delivery } from '../../../../src/deliveries/outbox/record.ts';
import { type Delivered, ReplyFinder } from '../../../../src/deliveries/replies/findReplies.ts';
import { reachedRecipients } from '../../../../src/deliveries/replies/reachedRecipients.ts';
import type { Listed } from '../../../../src/service/message.ts';
import { deliveryOf, planBatches } from '../outbox/testDeliveries.ts';
import { BOT, idOf, listed } from './randomChat.ts';

const delivered = (kind: 'group' | 'user', ...others: string[]): Delivered => ({
  chat: { kind, id: 'C' },
  botId: BOT,
  msgId: 'sent',
  others: new Set(others),
});

const answersTo = (of: Delivered, ...entries: readonly Listed[]) => new ReplyFinder(of).next(entries).answers.map(idOf);

/** What one delivery sent to the person U and the group G. */
function sentBy(id: string, changes: Partial<Delivery> = {}) {
  const recipients = (['user', 'group'] as const).map((kind) => ({ kind, id: kind === 'user' ? 'U' : 'G', name: '' }));
  const status = new DeliveryStatus(deliveryOf(planBatches(recipients, 2), { id, ...changes }));
  for (const one of recipients) status.learn(one, { state: 'reached', msgId: `${id} to ${one.id}` });
  return { status };
}

describe('What else was sent to a recipient', () => {
  it('is another message, or a reminder: also one of a resend, resent itself, by another bot, or of a reminder', async () => {
    const first = sentBy('first');
    const all = [
      sentBy('elsewhere', { follows: 'first', service: 'https://other.test' }),
      sentBy('again', { follows: 'reminder' }),
      sentBy('by-another', { bot: { id: '7', name: '' }, follows: 'first' }),
      sentBy('another-bot', { bot: { id: '7', name: '' } }),
      sentBy('reminder-resent', { resends: 'reminder' }),
      sentBy('reminder', { follows: 'resent' }),
      sentBy('other'),
      sentBy('resent', { resends: 'first' }),
      first,
    ];
    const reached = await reachedRecipients(first.status, ['first', 'resent'], all);
    const reminders = ['again', 'by-another', 'reminder-resent', 'reminder'];
    assert.deepEqual(
      reached.map((one) => [one.msgId, [...one.others], [...(one.reminders ?? [])]]),
      [
        ['first to G', [], reminders.map((id) => `${id} to G`)],
        ['first to U', ['other to U'], reminders.map((id) => `${id} to U`)],
      ],
    );
  });
});

describe('Finding replies', () => {
  it('counts replies in a group, and replies to these', () => {
    const answers = answersTo(
      delivered('group'),
      listed({ msgId: 'yes', parentId: 'sent' }),
      listed({ msgId: 'me-too', parentId: 'yes', senderId: 'U2' }),
      listed({ msgId: 'to-another', parentId: 'before' }),
      listed({ msgId: 'to-nothing' }),
    );
    assert.deepEqual(answers, ['yes', 'me-too']);
  });

  it('follows what the bot writes in between, which is no answer', () => {
    const answers = answersTo(
      delivered('group'),
      listed({ msgId: 'question', parentId: 'sent' }),
      listed({ msgId: 'explains', parentId: 'question', senderId: BOT, senderType: 'bot' }),
      listed({ msgId: 'thanks', parentId: 'explains' }),
    );
    assert.deepEqual(answers, ['question', 'thanks']);
  });

  it('counts what a person writes until the next delivery, whatever else the bot wrote', () => {
    const finder = new ReplyFinder(delivered('user', 'next'));
    const { answers, links } = finder.next([
      listed({ msgId: 'yes' }),
      listed({ msgId: 'bot', senderId: BOT, senderType: 'bot' }),
      listed({ msgId: 'bot-untyped', senderId: BOT, senderType: '' }),
      listed({ msgId: 'joined', contentType: 'tip' }),
      listed({ msgId: 'no', parentId: 'long-ago' }),
      listed({ msgId: 'next', senderId: BOT, senderType: 'bot' }),
      listed({ msgId: 'late' }),
    ]);
    assert.deepEqual([answers.map(idOf), links], [['yes', 'no'], ['next']]);
    assert.ok(finder.isEnded);
  });

  it('finds what answers a reminder in a group, or of a person after another message, also if that was read before', () => {
    const of = { ...delivered('user', 'next', 'last'), reminders: new Set(['reminder']) };
    const bot = (msgId: string) => listed({ msgId, senderId: BOT, senderType: 'bot' });
    const inGroup = { ...of, ...delivered('group') };
    assert.deepEqual(answersTo(inGroup, bot('reminder'), listed({ msgId: 'me-too', parentId: 'reminder' })), [
      'me-too',
    ]);
    const said = (msgId: string) => listed({ msgId });
    const before = [said('yes'), bot('next'), said('to-next')];
    const after = [bot('reminder'), said('me-too'), bot('last'), said('late')];
    assert.deepEqual(answersTo(of, ...before, ...after), ['yes', 'me-too']);
    const earlier = new ReplyFinder({ ...of, reminders: new Set() });
    const { answers, links } = earlier.next(before);
    assert.deepEqual([answers.map(idOf), earlier.isEnded], [['yes'], true]);
    const later = new ReplyFinder(of, ['yes', ...links]);
    assert.deepEqual(
      [later.next([said('to-next-too'), ...after]).answers.map(idOf), later.isEnded],
      [['me-too'], true],
    );
  });
});
