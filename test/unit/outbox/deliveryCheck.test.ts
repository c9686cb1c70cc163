import assert from 'node:assert/strict';
import * as v from 'valibot';
import { planBatches } from '../../../src/outbox/batches.ts';
import { type CheckOptions, checkDelivery } from '../../../src/outbox/deliveryCheck.ts';
import { DeliveryStatus } from '../../../src/outbox/deliveryStatus.ts';
import type { Delivery } from '../../../src/outbox/record.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { Listed } from '../../../src/service/message.ts';
import { AT, BOT, deliveryOf, groups } from './testDeliveries.ts';

const MINUTE = 60_000;

/** A message as a list shows it (contract 2.6), the delivery's own unless told. */
function listed(msgId: string, changes: Record<string, unknown> = {}) {
  const message = {
    msgId,
    parentId: '',
    senderId: BOT,
    senderType: 'bot',
    senderNickname: 'Order Desk',
    contentType: 'text',
    content: { text: 'Hello' },
    sendTime: AT + 500,
    commandName: '',
    commandId: 0,
    ...changes,
  };
  return v.parse(Listed, message);
}

/** Settles a delivery to one group that lists these messages, newest first. */
async function settleIn(
  list: Listed[],
  { delivery = {}, ...reading }: Partial<CheckOptions> & { delivery?: Partial<Delivery> } = {},
) {
  const status = new DeliveryStatus(deliveryOf(planBatches(groups('a'), 1), delivery), [{ batch: 0, attempt: 0 }]);
  const pages: unknown[] = [];
  const settled = await checkDelivery(
    status,
    {
      async list(_, page) {
        pages.push(page);
        if ('latest' in page) return list.slice(0, page.latest);
        const at = list.findIndex((entry) => entry.readable && entry.message.msgId === page.anchor);
        return list.slice(at, at + 1 + (page.before ?? 0));
      },
      isFromOther: () => false,
      isAmbiguous: () => false,
      ...reading,
    },
    new AbortController().signal,
    () => {},
  );
  return { ...settled, pages };
}

const ARRIVED = [{ type: 'group', id: 'a', msgId: 'm' }];
const ABSENT = [{ type: 'group', id: 'a' }];
const UNCLEAR = [{ recipient: { type: 'group', id: 'a' } }];

describe('What is unknown of a delivery', () => {
  it('is settled by the message in the chat', async () => {
    const others = listed('n', { senderId: '1', senderType: 'user' });
    assert.deepEqual((await settleIn([others, listed('m')])).found, ARRIVED);
  });

  it('is settled where the chat has no such message', async () => {
    for (const list of [[], [listed('n', { senderId: '7' })], [listed('n', { content: { text: 'Hullo' } })]]) {
      assert.deepEqual((await settleIn(list)).found, ABSENT);
    }
  });

  it('is not settled by the same message of an earlier day, or of another delivery', async () => {
    assert.deepEqual((await settleIn([listed('m', { sendTime: AT - 25 * 60 * MINUTE })])).found, ABSENT);
    assert.deepEqual((await settleIn([listed('m')], { isFromOther: (msgId) => msgId === 'm' })).found, ABSENT);
  });

  it('bears with a clock of the service that goes some minutes behind', async () => {
    assert.deepEqual((await settleIn([listed('m', { sendTime: AT - 5 * MINUTE })])).found, ARRIVED);
  });

  it('is left to the person where the same message is older, for a clock may be wrong by hours', async () => {
    for (const minutes of [11, 60, 23 * 60]) {
      const { found, unclear } = await settleIn([listed('m', { sendTime: AT - minutes * MINUTE })]);
      assert.deepEqual([found, unclear], [[], UNCLEAR], `${minutes} minutes`);
    }
    const earlier = listed('m', { sendTime: AT - 60 * MINUTE });
    assert.deepEqual((await settleIn([earlier], { isFromOther: (msgId) => msgId === 'm' })).found, ABSENT);
  });

  it('bears with line ends and blanks that the service changed', async () => {
    const delivery = { message: { contentType: 'text', content: { text: 'One\r\nTwo\n' } } } as const;
    assert.deepEqual((await settleIn([listed('m', { content: { text: 'One\nTwo' } })], { delivery })).found, ARRIVED);
  });

  it('is looked for further back, as long as messages are of that time', async () => {
    const others = Array.from({ length: 120 }, (_, index) => listed(`n${index}`, { senderId: '1' }));
    const { found, pages } = await settleIn([...others, listed('m')]);
    assert.deepEqual(found, ARRIVED);
    assert.deepEqual(pages, [{ latest: 50 }, { anchor: 'n49', before: 50 }, { anchor: 'n99', before: 50 }]);
  });

  it('is looked for further back where the service gives fewer at once than it was asked for', async () => {
    const others = Array.from({ length: 30 }, (_, index) => listed(`n${index}`, { senderId: '1' }));
    const all = [...others, listed('m')];
    const list: CheckOptions['list'] = async (_, page) => {
      const at = 'latest' in page ? 0 : all.findIndex((one) => one.readable && one.message.msgId === page.anchor);
      return all.slice(at, at + 20);
    };
    assert.deepEqual((await settleIn([], { list })).found, ARRIVED);
  });

  it('is looked for no further back than the delivery by any clock', async () => {
    const said = (minutes: number, length: number) =>
      Array.from({ length }, (_, index) => listed(`n${index}`, { senderId: '1', sendTime: AT - minutes * MINUTE }));
    const { found, pages } = await settleIn([...said(25 * 60, 120), listed('m')]);
    assert.deepEqual([found, pages.length], [ABSENT, 1]);
    const hidden = listed('m', { sendTime: AT - 61 * MINUTE });
    assert.deepEqual((await settleIn([...said(60, 120), hidden])).unclear, UNCLEAR);
    // In a chat where so much is said, no clock is that wrong.
    assert.deepEqual((await settleIn(said(60, 600))).found, ABSENT);
  });

  it('is left to the person where too much was said since', async () => {
    const others = Array.from({ length: 600 }, (_, index) => listed(`n${index}`, { senderId: '1' }));
    assert.deepEqual((await settleIn(others)).unclear, UNCLEAR);
  });

  it('is left to the person where another delivery of the same is unknown as well', async () => {
    const { unclear, pages } = await settleIn([listed('m')], { isAmbiguous: () => true });
    assert.deepEqual([unclear, pages], [UNCLEAR, []]);
  });

  it('is left to the person where a message cannot be read', async () => {
    assert.deepEqual((await settleIn([v.parse(Listed, { msgId: 7 })])).unclear, UNCLEAR);
  });

  it('is left to the person where the bot may not read the chat, and says why', async () => {
    const error = new ServiceError({ kind: 'rejected', code: 1003, text: 'no', status: 200 });
    const { unclear } = await settleIn([], { list: () => Promise.reject(error) });
    assert.deepEqual(unclear, [{ ...UNCLEAR[0], error }]);
  });

  it('stays so where the person does not wait', async () => {
    const { found, unclear } = await settleIn([], {
      list: () => Promise.reject(new ServiceError({ kind: 'cancelled' })),
    });
    assert.deepEqual([found, unclear], [[], []]);
  });

  it('knows a file by its name, and a picture by its key where that is listed', async () => {
    const file = {
      message: { contentType: 'file', content: { fileName: 'a.pdf', fileUrl: 'https://f.test/a' } },
    } as const;
    const sent = listed('m', {
      contentType: 'file',
      content: { fileName: 'a.pdf', fileUrl: 'https://cdn.test/1', etag: 'x' },
    });
    assert.deepEqual((await settleIn([sent], { delivery: file })).found, ARRIVED);
    const image = { message: { contentType: 'image', content: { imageKey: 'k' } } } as const;
    const settleBy = (content: object) =>
      settleIn([listed('m', { contentType: 'image', content })], { delivery: image });
    assert.deepEqual((await settleBy({ imageKey: 'k' })).found, ARRIVED);
    assert.deepEqual((await settleBy({ imageKey: 'l' })).found, ABSENT);
    assert.deepEqual((await settleBy({ imageUrl: 'https://cdn.test/k' })).unclear, UNCLEAR);
  });
});
