import assert from 'node:assert/strict';
import * as v from 'valibot';
import type { Delivery } from '../../../../src/deliveries/outbox/record.ts';
import type { Batch } from '../../../../src/deliveries/plan/deliveryPlan.ts';
import { Poll } from '../../../../src/deliveries/replies/poll.ts';
import { countReplies, findRows, repliesCsv, uncountedText } from '../../../../src/deliveries/replies/replyList.ts';
import { ReplyRecord } from '../../../../src/deliveries/replies/replyStore.ts';
import { errorText } from '../../../../src/presentation/errorText.ts';
import type { RepliesQuery } from '../../../../src/protocol/replies.ts';
import type { Failure } from '../../../../src/service/errors.ts';
import type { OutgoingButton } from '../../../../src/service/message.ts';
import { LostAnchorError } from '../../../../src/service/messagePages.ts';
import { AT, deliveryOf, groups } from '../outbox/testDeliveries.ts';

interface Answer {
  readonly text: string;
  readonly by?: string;
  readonly contentType?: string;
  /** Unix milliseconds. */
  readonly sendTime?: number;
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
      answers: said.map(({ text, by = `${id}-U`, contentType = 'text', sendTime }, at) => ({
        msgId: `${id}-${at}`,
        senderId: by,
        senderNickname: by,
        senderType: by.startsWith('bot') ? 'bot' : 'user',
        contentType,
        content: { text },
        sendTime,
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

  it('are lines of CSV with who said it when, and why there may be none', async () => {
    const answered = readGroups({ a: [{ text: 'yes', by: '7', sendTime: AT }], failed: [], lost: [], none: [] });
    const [unread] = groups('unread').map((recipient) => ({ recipient, msgId: 'sent', others: new Set<string>() }));
    const errors: Record<string, Error> = { failed: new Error('EIO'), lost: new LostAnchorError('sent') };
    const csv = await repliesCsv([...answered.reached, unread ?? assert.fail()], {
      record: answered.run.record,
      errorOf: ({ id }) => errors[id],
    });
    assert.deepEqual(csv.trim().split('\r\n'), [
      '"Recipient","Type","ID","Answer","Sender","Sender ID","Time","Text","Message ID","Details"',
      '"group a","group","a","answered","7","7","2026-11-21T12:00:00.000Z","yes","a-0",""',
      `"group failed","group","failed","couldn't be read","","","","","","${errorText(errors.failed)}"`,
      `"group lost","group","lost","couldn't be read","","","","","","The message isn't in this chat any more, so what follows it can't be found."`,
      '"group none","group","none","no answer yet","","","","","",""',
      '"group unread","group","unread","not read yet","","","","","",""',
    ]);
  });

  const queries: [title: string, query: Partial<RepliesQuery>, found: string[]][] = [
    ['all, the chat with the latest one first', {}, ['late', 'late-1', 'late-0', 'early', 'early-0', 'none']],
    ['those with a text, however it is written', { text: ' YES ' }, ['late', 'late-0', 'early', 'early-0']],
    ['all in a chat with a name', { text: 'Group LATE' }, ['late', 'late-1', 'late-0']],
    ['none in chats of another state', { states: ['unanswered'] }, ['none']],
    ['those that count as one of the poll', { answer: 'perhaps' }, ['late', 'late-1']],
    ['those of them in a chat with a name', { answer: 'yes', text: 'early' }, ['early', 'early-0']],
  ];
  for (const [title, query, found] of queries)
    it(`that are found: ${title}`, async () => {
      const { reached, run } = readGroups({
        early: [{ text: 'Yes!', by: '7', sendTime: AT }],
        none: [],
        late: [
          { text: 'yes', by: '8', sendTime: AT + 1 },
          { text: 'perhaps', by: '9', sendTime: AT + 2 },
        ],
      });
      const rows = await findRows({ reached, run, poll: new Poll([]) }, { states: [], text: '', ...query }, () => true);
      const all = rows?.map((make) => make()).map((row) => (row.type === 'chat' ? row.id : row.message.msgId));
      assert.deepEqual(all, found);
    });

  it('that are found: all in a chat with an ID, and by its name or the user’s own name for it', async () => {
    const { reached, run } = readGroups({ '524317890': [{ text: 'yes', by: 'Ann' }], '518204736': [] });
    const named = reached.map((one) => ({ ...one, recipient: { ...one.recipient, name: 'The shop', label: 'Cakes' } }));
    for (const [text, count] of [
      ['4317', 2],
      ['the shop', 3],
      ['cakes', 3],
    ] as const) {
      const rows = await findRows({ reached: named, run, poll: new Poll([]) }, { states: [], text }, () => true);
      assert.equal(rows?.length, count, text);
    }
  });

  it('of an unknown kind, without a text, are listed with what was received', async () => {
    const { reached, run } = readGroups({ a: [{ text: 'yes' }, { text: '', contentType: 'weather' }] });
    const rows = await findRows({ reached, run, poll: new Poll([]) }, { states: [], text: '' }, () => true);
    const [, weather, yes] = rows?.map((make) => make()) ?? [];
    assert.ok(weather?.type === 'reply' && yes?.type === 'reply');
    assert.deepEqual(
      [yes.raw, v.is(v.looseObject({ contentType: v.literal('weather') }), weather.raw)],
      [undefined, true],
    );
  });

  it('are listed no further once something else is wanted', async () => {
    const { reached, run } = readGroups({ a: [{ text: 'yes' }] });
    assert.equal(
      await findRows({ reached, run, poll: new Poll([]) }, { states: [], text: '' }, () => false),
      undefined,
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
