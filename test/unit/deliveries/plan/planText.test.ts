import assert from 'node:assert/strict';
import type { LeftOut, Rule } from '../../../../src/deliveries/draft/leaveOut.ts';
import type { DeliveryPlan, Recipient } from '../../../../src/deliveries/plan/deliveryPlan.ts';
import {
  contentText,
  emptyText,
  leftOutLines,
  notAddressText,
  planText,
  recipientCount,
  recipientsText,
  recipientText,
  roomBelow,
  samplesText,
  senderText,
  uncertainText,
} from '../../../../src/deliveries/plan/planText.ts';
import { shownText } from '../../../../src/markup/safeText.ts';
import { SANDBOX_ADDRESS } from '../../../../src/platform/service.ts';
import type { Button } from '../../../../src/service/message.ts';

const first: Recipient = { kind: 'user', id: '7058314', name: 'Ann' };

/** The people with the IDs from 1 on. */
const people = (count: number): Recipient[] =>
  Array.from({ length: count }, (_, at) => ({ kind: 'user', id: `${at + 1}`, name: `No. ${at + 1}` }));

describe('The texts of a plan', () => {
  it('say how many messages and calls there are, and how long they take if that is long', () => {
    const text = (messages: number, calls: number, callsPerSecond: number) => {
      const batches = Array.from({ length: calls }, () => ({ recvType: 'user', recipients: [first] }));
      return planText({ batches, messages } as unknown as DeliveryPlan, callsPerSecond);
    };
    assert.equal(text(1, 1, 5), '1 message, in 1 call');
    assert.equal(text(2, 49, 5), '2 different messages, in 49 calls');
    assert.match(text(2, 50, 5), /^2 different messages, in 50 calls, which take about 10 /);
  });

  it('say who sends, and that the sandbox is only for trying out', () => {
    const bot = { name: 'Order Desk', id: '30481126' };
    assert.equal(senderText(bot, SANDBOX_ADDRESS), 'Bot: Order Desk (30481126)\nService: sandbox, only for trying out');
    assert.equal(
      senderText({ ...bot, label: 'Desk' }, 'https://chat.example'),
      'Bot: Desk (30481126)\nService: https://chat.example',
    );
  });

  it('name a recipient with the ID, or by the ID alone if nothing else is known', () => {
    assert.equal(recipientText(first), 'Ann (7058314)');
    assert.equal(recipientText({ ...first, label: 'Annie' }), 'Annie (7058314)');
    assert.equal(recipientText({ ...first, name: '7058314' }), '7058314');
  });

  it('count groups and people, and those who may have the message already', () => {
    assert.equal(recipientCount([...people(2), { ...first, kind: 'group' }]), '3 chats (groups: 1, people: 2)');
    assert.equal(uncertainText(1), '1 recipient may already have this message. At worst, they get it twice.');
    assert.equal(uncertainText(1200), '1,200 recipients may already have this message. At worst, they get it twice.');
  });

  it('name the first recipients, and say how many more there are', () => {
    const three = { names: 3, lines: 5 };
    assert.equal(recipientsText(people(1), three), 'To:\n• No. 1 (1)');
    const four = ['To them:', ...['1', '2', '3', '4'].map((id) => `• No. ${id} (${id})`)];
    assert.equal(recipientsText(people(4), three, shownText`To them:`), four.join('\n'));
    assert.equal(
      recipientsText(people(5), three),
      ['To:', '• No. 1 (1)', '• No. 2 (2)', '• No. 3 (3)', '… and 2 more'].join('\n'),
    );
  });

  it('leave a dialog with many notes less room for names and lines', () => {
    assert.deepEqual(
      [0, 3, 4, 8, 9].map((notes) => roomBelow(notes)),
      [
        { names: 8, lines: 10 },
        { names: 8, lines: 10 },
        { names: 7, lines: 9 },
        { names: 3, lines: 5 },
        { names: 3, lines: 5 },
      ],
    );
  });

  it('name those whom each rule leaves out, the strongest rule first, and three of many', () => {
    const out = (count: number, by: Rule, note = ''): LeftOut<Recipient>[] =>
      people(count).map((one) => ({ ...one, by, note }));
    assert.deepEqual(leftOutLines([]), []);
    assert.deepEqual(leftOutLines([...out(1, 'except', 'past.csv'), ...out(2, 'never')]), [
      '⊘ Left out, on your Do Not Send list (2): No. 1 (1), No. 2 (2)',
      '⊘ Left out by except (1): No. 1 (1) (past.csv)',
    ]);
    assert.deepEqual(leftOutLines(out(4, 'never')), [
      '⊘ Left out, on your Do Not Send list (4): No. 1 (1), No. 2 (2), No. 3 (3), No. 4 (4)',
    ]);
    assert.deepEqual(leftOutLines(out(5, 'never')), [
      '⊘ Left out, on your Do Not Send list (5): No. 1 (1), No. 2 (2), No. 3 (3), … and 2 more',
    ]);
    const rows = { count: 1_200, first: out(3, 'where') };
    assert.deepEqual(leftOutLines(out(1, 'where'), rows), [
      '⊘ Left out by where (1,201): No. 1 (1), No. 1 (1), No. 2 (2), … and 1,198 more',
    ]);
  });

  it('show what some recipients get, with the buttons', () => {
    const message = (text: string) => ({ contentType: 'text', content: { text } }) as const;
    const buttons = [[{ text: 'Docs' }, { text: 'Yes\nNo' }], [{ text: 'More' }]] as Button[][];
    const samples = [
      { recipient: first, message: message('Hi Ann') },
      {
        recipient: { ...first, name: 'Bo', id: '2' },
        message: { contentType: 'text', content: { text: 'Hi', buttons } },
      },
    ] as const;
    assert.equal(
      samplesText({ samples } as unknown as DeliveryPlan, roomBelow(0)),
      'Ann (7058314) gets:\n│ Hi Ann\n\nBo (2) gets:\n│ Hi\n│ [Docs] [Yes No] [More]',
    );
    assert.equal(contentText(message('x'), roomBelow(0)), 'Text, 1 character:\n│ x');
    assert.equal(contentText(message(' x '), roomBelow(0)), 'Text, 3 characters:\n│ x');
  });

  it('show the whole message, or that it is truncated, a file by its name and address, and an image by its key', () => {
    const shown = (text: string) =>
      contentText({ contentType: 'markdown', content: { text } }, roomBelow(0)).split(' characters:\n')[1];
    assert.equal(shown('x'.repeat(300)), `│ ${'x'.repeat(300)}`);
    assert.equal(shown('a:\n  b\n\tc'), '│ a:\n│ \u00A0\u00A0b\n│ \u00A0\u00A0\u00A0\u00A0c');
    assert.equal(shown('x'.repeat(301)), `│ ${'x'.repeat(300)}…`);
    const ten = [...'abcdefghij'];
    const quoted = ten.map((line) => `│ ${line}`).join('\n');
    assert.equal(shown(ten.join('\n\n')), quoted);
    assert.equal(shown([...ten, 'k'].join('\n\n')), `${quoted}\n│ …`);
    const file = { contentType: 'file', content: { fileName: 'a.pdf', fileUrl: 'https://files.test/a' } } as const;
    assert.equal(contentText(file, roomBelow(0)), 'File:\n│ a.pdf\n│ https://files.test/a');
    const image = { contentType: 'image', content: { imageKey: 'img-123.jpg' } } as const;
    assert.equal(contentText(image, roomBelow(0)), 'Image:\n│ img-123.jpg');
  });

  it('say who lacks a value, or has one that is no address', () => {
    const link = (count: number) => ({ name: 'link', first, count });
    for (const [text, expected] of [
      [emptyText(link(1)), '{{link}} is empty for Ann (7058314).'],
      [emptyText(link(1200)), '{{link}} is empty for 1,200 recipients, such as Ann (7058314).'],
      [
        emptyText({ ...link(1), marks: '****' }),
        '{{link}} is empty for Ann (7058314). The marks around it are sent: ****',
      ],
      [notAddressText(link(1)), "{{link}} isn't a web address for Ann (7058314)."],
      [notAddressText(link(2)), "{{link}} isn't a web address for 2 recipients, such as Ann (7058314)."],
    ] as const)
      assert.equal(text, expected);
  });
});
