import assert from 'node:assert/strict';
import { NO_RULES } from '../../../../src/deliveries/draft/leaveOut.ts';
import type { DeliveryPlan, Recipient } from '../../../../src/deliveries/plan/deliveryPlan.ts';
import {
  contentText,
  emptyText,
  notAddressText,
  planText,
  roomBelow,
  senderText,
} from '../../../../src/deliveries/plan/planText.ts';
import { totalText } from '../../../../src/deliveries/plan/recipientItems.ts';
import { SANDBOX_ADDRESS, type Service } from '../../../../src/platform/service.ts';

const first: Recipient = { kind: 'user', id: '7058314', name: 'Ann' };

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
    const text = senderText({ name: 'Order Desk', id: '30481126' }, SANDBOX_ADDRESS);
    assert.equal(text, 'Bot: Order Desk (30481126)\nService: sandbox, only for trying out');
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

describe('The total of selected chats', () => {
  it('has their number, and that of members as far as it is known', () => {
    const members: Record<string, number | undefined> = { one: 1, many: 182_340, unsaid: undefined };
    const peek = (kind: string, id: string) =>
      id in members ? { kind, resource: { headcount: members[id] } } : undefined;
    const service = { directory: { peek } } as unknown as Service;
    const total = (...ids: string[]) =>
      totalText([...ids.map((id) => ({ kind: 'group' as const, id }))], service, NO_RULES);
    assert.equal(totalText([], service, NO_RULES), '');
    assert.equal(totalText([first], service, NO_RULES), '1 recipient');
    assert.equal(total('one'), '1 recipient · 1 member');
    assert.equal(total('many', 'one'), '2 recipients · 182,341 members');
    for (const unknown of ['unsaid', 'nosuch']) assert.equal(total('one', unknown), '2 recipients · 1+ members');
    assert.equal(total('nosuch'), '1 recipient');
  });
});
