import assert from 'node:assert/strict';
import type { Delivery } from '../../../../src/deliveries/outbox/record.ts';
import type { Batch } from '../../../../src/deliveries/plan/deliveryPlan.ts';
import { Poll } from '../../../../src/deliveries/replies/poll.ts';
import { countReplies, findRows, repliesCsv, uncountedText } from '../../../../src/deliveries/replies/replyList.ts';
import { ReplyRecord } from '../../../../src/deliveries/replies/replyStore.ts';
import type { Failure } from '../../../../src/service/errors.ts';
import type { OutgoingButton } from '../../../../src/service/message.ts';
import { deliveryOf, groups } from '../outbox/testDeliveries.ts';

interface Answer {
  readonly text: string;
  readonly by?: string;
}

/** Groups that were read, with what was answered in each by senders, who are people unless their names begin with `bot`. */
function readGroups(answers: Record<string, Answer[]>) {
  const record = new ReplyRecord();
  for (const [id, said] of Object.entries(answers)) {
    record.apply({
      what: 'read',
      kind: 'group',
      id,
      at: 1,
      answers: said.map(({ text, by = `${id}-U` }, at) => ({
        msgId: `${id}-${at}`,
        senderId: by,
        senderNickname: by,
        senderType: by.startsWith('bot') ? 'bot' : 'user',
        contentType: 'text',
        content: { text },
      })),
      links: [],
      anchors: [],
      unreadable: [],
      isComplete: true,
      isEnded: false,
    });
  }
  const reached = groups(...Object.keys(answers)).map((recipient) => ({
    recipient,
    msgId: 'sent',
    others: new Set<string>(),
  }));
  return { reached, run: { record, errorOf: () => undefined } };
}

describe('Answers', () => {
  const { reached, run } = readGroups({
    people: [{ text: 'yes' }, { text: 'Thanks for asking!', by: 'bot-1' }],
    bots: [
      { text: 'yes', by: 'bot-1' },
      { text: 'yes', by: 'bot-2' },
    ],
    none: [],
  });

  it('of bots are listed, but nobody has answered by them', async () => {
    const { states, answers, poll } = await countReplies(reached, run, deliveryOf([]));
    assert.deepEqual([states.answered, states.unanswered, answers], [1, 2, 1]);
    assert.deepEqual(
      poll.answers().map(({ label, count }) => [label, count]),
      [['yes', 1]],
    );
    const rows = await findRows({ reached, run, poll: new Poll([]) }, { states: [], text: '' }, () => true);
    assert.deepEqual(
      rows
        ?.map((make) => make())
        .map((row) => (row.type === 'chat' ? [row.id, row.state, row.count] : row.message.senderId)),
      [
        ['people', 'answered', 1],
        'bot-1',
        'people-U',
        ['bots', 'unanswered', 0],
        'bot-2',
        'bot-1',
        ['none', 'unanswered', 0],
      ],
    );
  });

  it('to a message that isn’t in the chat any more are counted as others, and their chat says so', async () => {
    const { reached, run } = readGroups({ a: [{ text: 'yes' }], b: [] });
    const failure: Failure = { kind: 'rejected', status: 200, code: -1, text: '消息不存在或无权限修改' };
    for (const { recipient } of reached) run.record.of(recipient).lost = { failure };
    const rows = await findRows({ reached, run, poll: new Poll([]) }, { states: [], text: '' }, () => true);
    const [first, , second] = rows?.map((make) => make()) ?? [];
    const words =
      "The message isn't in this chat any more, so replies were looked for since it was sent. The service returned error -1: “消息不存在或无权限修改”. The message doesn't exist, or the bot has no access to it.";
    assert.deepEqual(
      [first, second].map((row) => row?.type === 'chat' && [row.id, row.state, row.error]),
      [
        ['a', 'answered', words],
        ['b', 'unanswered', words],
      ],
    );
  });

  it('of bots are marked in CSV, where their chat has a line of its own as long as nobody else has answered', async () => {
    const lines = (await repliesCsv(reached, run)).trim().split('\r\n').slice(1);
    assert.deepEqual(
      lines.map((line) =>
        line
          .split(',')
          .slice(2, 5)
          .map((cell) => cell.slice(1, -1)),
      ),
      [
        ['people', 'answered', 'people-U'],
        ['people', 'from a bot', 'bot-1'],
        ['bots', 'no answer yet', ''],
        ['bots', 'from a bot', 'bot-1'],
        ['bots', 'from a bot', 'bot-2'],
        ['none', 'no answer yet', ''],
      ],
    );
  });

  it('that no bar of the poll counts are said by kind, so that the figures add up', async () => {
    const long = 'I would like to come, but my cat is ill.'.repeat(2);
    const counted = readGroups({
      a: [{ text: 'yes' }, { text: 'Yes!' }, { text: long }],
      b: [{ text: 'yes' }, { text: long }, { text: '\u200B' }, { text: long, by: 'bot-1' }],
    });
    const { answers, poll } = await countReplies(counted.reached, counted.run, deliveryOf([]));
    assert.deepEqual([answers, poll.answers().map(({ count }) => count)], [6, [2]]);
    assert.equal(uncountedText(poll), 'Not counted: 2 too long, 1 without text, 1 repeated by the sender');
    assert.equal(uncountedText(new Poll([])), '');
  });

  it('to a personal message are counted by the buttons that are the same for all', async () => {
    const button = (text: string, value: string): OutgoingButton => ({ text, actionType: 3, value });
    const answered = readGroups({
      a: [{ text: 'yes' }],
      b: [{ text: 'on saturday!' }],
      c: [{ text: 'seat 2' }, { text: 'go:1' }],
    });
    const batches: Batch[] = groups('a', 'b', 'c').map((one, at) => ({
      recvType: 'group',
      recipients: [one],
      values: [`name ${at}`, 'Saturday', `${at}`],
    }));
    const delivery: Partial<Delivery> = {
      variables: ['name', 'day', 'seat'],
      message: {
        contentType: 'text',
        content: {
          text: 'Hello {{name}}',
          buttons: [
            [button('Yes', 'yes:1'), button('No', 'no')],
            [button('On {{day}}', 'day'), button('Seat {{seat}}', 'seat'), button('Go', 'go:{{seat}}')],
          ],
        },
      },
    };
    const { poll } = await countReplies(answered.reached, answered.run, deliveryOf(batches, delivery));
    assert.deepEqual(
      poll.answers().map(({ label, count, isButton }) => [label, count, isButton]),
      [
        ['Yes', 1, true],
        ['No', 0, true],
        ['On Saturday', 1, true],
        ['seat 2', 1, false],
        ['go:1', 1, false],
      ],
    );
  });
});
