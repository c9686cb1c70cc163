import assert from 'node:assert/strict';
import * as v from 'valibot';
import {
  type CheckOptions,
  checkDelivery,
  listThrough,
  sumUpChecks,
} from '../../../../src/deliveries/outbox/deliveryCheck.ts';
import { DeliveryStatus } from '../../../../src/deliveries/outbox/deliveryStatus.ts';
import type { OutboxEntry } from '../../../../src/deliveries/outbox/outboxEntry.ts';
import type { Delivery, JournalLine } from '../../../../src/deliveries/outbox/record.ts';
import type { Service } from '../../../../src/platform/service.ts';
import { type Failure, ServiceError } from '../../../../src/service/errors.ts';
import { Listed, type Outgoing, type OutgoingButton } from '../../../../src/service/message.ts';
import type { Chat } from '../../../../src/service/model.ts';
import { AT, answered, BOT, deliveryOf, groups, idOf, planBatches, runningEntry } from './testDeliveries.ts';

const MINUTE = 60_000;

/** A listed message (contract 2.6): the delivered one by default. */
const listed = (msgId: string, changes: object = {}) =>
  v.parse(Listed, {
    msgId,
    senderId: BOT,
    contentType: 'text',
    content: { text: 'Hello' },
    sendTime: AT + 500,
    ...changes,
  });

/** A delivery to one group, and what became of its call. */
const deliveryWith = (lines: JournalLine[], changes: Partial<Delivery> = {}): OutboxEntry => {
  const delivery = deliveryOf(planBatches(groups('a'), 1), changes);
  const status = new DeliveryStatus(delivery, [{ batch: 0, attempt: 0, at: AT }], lines);
  return runningEntry(status);
};

/** The same message, sent once more, or another one. */
const another = (lines: JournalLine[], message: Partial<Pick<Delivery, 'message'>> = {}) =>
  deliveryWith(lines, { id: idOf('another'), ...message });

const REACHED: JournalLine = { ...answered(0), reached: [{ recvId: 'a', msgId: 'm' }] };

/** Checks a delivery to one group that lists these messages, newest first. */
async function checkIn(
  list: Listed[],
  {
    delivery = {},
    lines = [],
    others = [],
    ...options
  }: Partial<CheckOptions> & { delivery?: Partial<Delivery>; lines?: JournalLine[]; others?: OutboxEntry[] } = {},
) {
  const checked = deliveryWith(lines, delivery);
  const pages: unknown[] = [];
  const check = await checkDelivery(
    checked.status,
    {
      now: () => AT + MINUTE,
      async list(_, page) {
        pages.push(page);
        if ('latest' in page) return list.slice(0, page.latest);
        const at = list.findIndex((entry) => entry.readable && entry.message.msgId === page.anchor);
        return list.slice(at, at + 1 + (page.before ?? 0));
      },
      all: async () => [checked, ...others],
      ...options,
    },
    new AbortController().signal,
    () => {},
  );
  return { ...check, pages };
}

const ARRIVED = [{ kind: 'group', id: 'a', msgId: 'm' }];

const ABSENT = [{ kind: 'group', id: 'a' }];

const UNCLEAR = [{ recipient: { kind: 'group', id: 'a' } }];

describe('An unknown outcome', () => {
  it('is resolved if the message is in the chat', async () => {
    const others = listed('n', { senderId: '1', senderType: 'user' });
    assert.deepEqual((await checkIn([others, listed('m')])).found, ARRIVED);
  });

  it('is resolved if the message is not in the chat', async () => {
    for (const other of [{ senderId: '7' }, { content: { text: 'Hullo' } }, { contentType: 'markdown' }])
      assert.deepEqual((await checkIn([listed('n', other)])).found, ABSENT);
    assert.deepEqual((await checkIn([])).found, ABSENT);
  });

  it('stays as it is within a minute of the answer, or else of the call: the message may be listed late', async () => {
    const one = { batch: 0, attempt: 0, at: AT + 10_000 };
    const cases: JournalLine[][] = [
      [],
      [{ what: 'failed', ...one, state: 'unknown' }],
      [{ what: 'answered', ...one, reached: [], unreadable: [] }],
    ];
    for (const lines of cases) {
      const [{ at } = { at: AT }] = lines;
      const early = await checkIn([], { lines, now: () => at + MINUTE - 1 });
      assert.deepEqual([early.found, early.early, early.unclear], [[], ABSENT, []]);
      assert.deepEqual((await checkIn([listed('m')], { lines, now: () => at })).found, ARRIVED);
      const later = await checkIn([], { lines, now: () => at + MINUTE });
      assert.deepEqual([later.found, later.early], [ABSENT, []]);
    }
  });

  it('is not resolved by the same message from an earlier day or another delivery', async () => {
    assert.deepEqual((await checkIn([listed('m', { sendTime: AT - 25 * 60 * MINUTE })])).found, ABSENT);
    assert.deepEqual((await checkIn([listed('m')], { others: [another([REACHED])] })).found, ABSENT);
  });

  it('stays unclear if the same message is older, because a clock may be wrong by hours', async () => {
    for (const minutes of [11, 60, 23 * 60]) {
      const { found, unclear } = await checkIn([listed('m', { sendTime: AT - minutes * MINUTE })]);
      assert.deepEqual([found, unclear], [[], UNCLEAR], `${minutes} minutes`);
    }
    assert.deepEqual((await checkIn([listed('m', { sendTime: AT - 10 * MINUTE })])).found, ARRIVED);
    const since = AT + 60 * MINUTE;
    const listedAt = (sendTime: number) => checkIn([listed('m', { sendTime })], { since });
    assert.deepEqual((await listedAt(AT + 50 * MINUTE)).found, ARRIVED);
    assert.deepEqual((await listedAt(AT + 50 * MINUTE - 1)).unclear, UNCLEAR);
    const earlier = listed('m', { sendTime: AT - 60 * MINUTE });
    assert.deepEqual((await checkIn([earlier], { others: [another([REACHED])] })).found, ABSENT);
  });

  it('takes older pages into account, as long as their messages are recent enough', async () => {
    const others = Array.from({ length: 120 }, (_, index) => listed(`n${index}`, { senderId: '1' }));
    const { found, pages } = await checkIn([...others, listed('m')]);
    assert.deepEqual(found, ARRIVED);
    assert.deepEqual(pages, [{ latest: 50 }, { anchor: 'n49', before: 50 }, { anchor: 'n99', before: 50 }]);
  });

  it('takes older pages into account if the service returns short pages', async () => {
    const others = Array.from({ length: 30 }, (_, index) => listed(`n${index}`, { senderId: '1' }));
    const all = [...others, listed('m')];
    const list: CheckOptions['list'] = async (_, page) => {
      const at = 'latest' in page ? 0 : all.findIndex((one) => one.readable && one.message.msgId === page.anchor);
      return all.slice(at, at + 20);
    };
    assert.deepEqual((await checkIn([], { list })).found, ARRIVED);
  });

  it('ignores messages from before the delivery, by any clock', async () => {
    const said = (minutes: number, length: number) =>
      Array.from({ length }, (_, index) => listed(`n${index}`, { senderId: '1', sendTime: AT - minutes * MINUTE }));
    const { found, pages } = await checkIn([...said(25 * 60, 120), listed('m')]);
    assert.deepEqual([found, pages.length], [ABSENT, 1]);
    assert.deepEqual((await checkIn([...said(24 * 60, 120), listed('m')])).found, ARRIVED);
    const hidden = listed('m', { sendTime: AT - 61 * MINUTE });
    assert.deepEqual((await checkIn([...said(60, 120), hidden])).unclear, UNCLEAR);
    // In a busy chat, only the ordinary clock difference is considered.
    assert.deepEqual((await checkIn(said(60, 600))).found, ABSENT);
  });

  it('stays unclear if too many messages followed', async () => {
    const others = Array.from({ length: 600 }, (_, index) => listed(`n${index}`, { senderId: '1' }));
    assert.deepEqual((await checkIn(others)).unclear, UNCLEAR);
    assert.deepEqual((await checkIn([...others.slice(0, 499), listed('m')])).found, ARRIVED);
    assert.deepEqual((await checkIn([...others.slice(0, 500), listed('m')])).unclear, UNCLEAR);
  });

  it('stays unclear if another delivery has sent such a message while it was looked for', async () => {
    for (const lines of [[REACHED], []]) {
      let reads = 0;
      const all = async () => [deliveryWith([]), ...(reads++ > 0 ? [another(lines)] : [])];
      const { found, unclear } = await checkIn([listed('m')], { all });
      assert.deepEqual([found, unclear], [[], UNCLEAR]);
      reads = 0;
      assert.deepEqual((await checkIn([], { all })).found, ABSENT);
      assert.equal(reads, 1);
    }
  });

  it('is resolved whatever another bot sent, or this one through another service', async () => {
    const id = idOf('another');
    for (const changes of [{ bot: { id: '7', name: 'Another' } }, { service: 'https://other.test' }])
      for (const lines of [[REACHED], []])
        assert.deepEqual(
          (await checkIn([listed('m')], { others: [deliveryWith(lines, { id, ...changes })] })).found,
          ARRIVED,
        );
  });

  it('is resolved for one recipient after the other, until that is canceled', async () => {
    const begun = [0, 1].map((batch) => ({ batch, attempt: 0, at: AT }));
    const status = new DeliveryStatus(deliveryOf(planBatches(groups('a', 'b'), 1)), begun);
    const checkUntil = async (end: string) => {
      const abort = new AbortController();
      const progress: unknown[] = [];
      const list: CheckOptions['list'] = async ({ id }) => {
        if (id === end) abort.abort();
        return [];
      };
      const options = { now: () => AT + MINUTE, list, all: async () => [] };
      const { found } = await checkDelivery(status, options, abort.signal, (...of) => void progress.push(of));
      return [found.map(({ id }) => id).join(), ...progress];
    };
    assert.deepEqual(await checkUntil(''), ['a,b', [1, 2], [2, 2]]);
    assert.deepEqual(await checkUntil('a'), ['a', [1, 2]]);
  });

  it('stays unclear if the message may be from an identical delivery, unless there is none', async () => {
    assert.deepEqual((await checkIn([listed('m')], { others: [another([])] })).unclear, UNCLEAR);
    assert.deepEqual((await checkIn([], { others: [another([])] })).found, ABSENT);
  });

  it('stays unclear if the message may be from a delivery that a list shows alike', async () => {
    const buttons = [[{ text: 'Yes', actionType: 3, value: 'yes' }]];
    const file = (fileUrl: string): Outgoing => ({ contentType: 'file', content: { fileName: 'a.pdf', fileUrl } });
    const text = (text: string, buttons?: OutgoingButton[][]): Outgoing => ({
      contentType: 'text',
      content: { text, ...(buttons && { buttons }) },
    });
    const cases: [own: Outgoing, other: Outgoing, isAlike: boolean][] = [
      [text('One\nTwo'), text('One\r\nTwo'), true],
      [text('One\r\nTwo'), text('One\nTwo\n\n'), true],
      [text('One'), text('One', buttons), true],
      [file('https://f.test/1'), file('https://f.test/2'), true],
      [text('One\nTwo'), text('One\n\nTwo'), false],
      [text('One'), { contentType: 'markdown', content: { text: 'One' } }, false],
    ];
    for (const [own, other, isAlike] of cases) {
      const list = [listed('m', own)];
      const check = await checkIn(list, { delivery: { message: own }, others: [another([], { message: other })] });
      assert.deepEqual([check.found, check.unclear], isAlike ? [[], UNCLEAR] : [ARRIVED, []], JSON.stringify(other));
    }
  });

  it('stays unclear if the message may be from an identical delivery that another window took over from this one', async () => {
    const runningIn = (...ids: string[]): OutboxEntry => {
      const delivery = deliveryOf(planBatches(groups(...ids), 1), { id: idOf('another') });
      return runningEntry(new DeliveryStatus(delivery));
    };
    assert.deepEqual((await checkIn([listed('m')], { others: [runningIn('b', 'a')] })).unclear, UNCLEAR);
    assert.deepEqual((await checkIn([listed('m')], { others: [runningIn('b', 'c')] })).found, ARRIVED);
  });

  it('is resolved by a message that none of its resends has, as long as there is one', async () => {
    const resend = (lines: JournalLine[]) =>
      deliveryWith(lines, { id: idOf('resend'), resends: deliveryWith([]).status.delivery.id });
    const both = [listed('m2'), listed('m')];
    assert.deepEqual((await checkIn(both, { others: [resend([REACHED])] })).found, [
      { kind: 'group', id: 'a', msgId: 'm2' },
    ]);
    assert.deepEqual((await checkIn([listed('m')], { others: [resend([REACHED])] })).found, ARRIVED);
    assert.deepEqual((await checkIn(both, { others: [resend([])] })).found, ARRIVED);
  });

  it('stays as it is if only a resend has a message, as long as its own may be listed late', async () => {
    const resend = deliveryWith([REACHED], { id: idOf('resend'), resends: deliveryWith([]).status.delivery.id });
    const early = await checkIn([listed('m')], { others: [resend], now: () => AT + MINUTE - 1 });
    assert.deepEqual([early.found, early.early, early.unclear], [[], ABSENT, []]);
    const own = await checkIn([listed('m2'), listed('m')], { others: [resend], now: () => AT });
    assert.deepEqual(own.found, [{ kind: 'group', id: 'a', msgId: 'm2' }]);
  });

  it("stays unclear if a message can't be read", async () => {
    assert.deepEqual((await checkIn([v.parse(Listed, { msgId: 7 })])).unclear, UNCLEAR);
  });

  it("is resolved if the service says that the group doesn't exist, and of nothing else that it refuses", async () => {
    const refusing = (code: number, text: string, status = 200) => {
      const failure = { kind: 'rejected' as const, code, text, status };
      return { failure, list: () => Promise.reject(new ServiceError(failure)) };
    };
    const group = refusing(-1, '群(ID:a)不存在。');
    assert.deepEqual((await checkIn([], group)).found, [{ ...ABSENT[0], failure: group.failure }]);
    assert.deepEqual((await checkIn([], { ...group, now: () => AT })).found.length, 1);
    for (const { failure, list } of [
      refusing(-1, '群(ID:a)中未添加当前机器人(ID: 3)。'),
      refusing(-1, '消息不存在或无权限修改'),
      refusing(-1, '接口不存在'),
      refusing(1002, 'token不存在'),
      refusing(-1, '群(ID:a)不存在。', 502),
    ]) {
      const { found, unclear } = await checkIn([], { list });
      assert.deepEqual([found, unclear], [[], [{ ...UNCLEAR[0], error: new ServiceError(failure) }]]);
    }
  });

  describe('for a person whose chat the service does not list', () => {
    const person = { kind: 'user' as const, id: '7' };
    const refusal = { kind: 'rejected' as const, code: -1, text: 'x', status: 200 };
    /** What a check says after the service gave these answers, and whom it looked up. */
    const check = async (listing: Failure, lookup: Failure | undefined, recipient: Chat = person) => {
      const batches = planBatches([{ ...recipient, name: 'Ann' }], 1);
      const status = new DeliveryStatus(deliveryOf(batches), [{ batch: 0, attempt: 0, at: AT }]);
      const lookedUp: unknown[] = [];
      const list = listThrough(
        {
          client: { messages: () => Promise.reject(new ServiceError(listing)) },
          directory: {
            get: async (...of: unknown[]) => {
              lookedUp.push(of.slice(0, 2));
              if (lookup) throw new ServiceError(lookup);
            },
          },
        } as unknown as Service,
        't',
      );
      const options = { now: () => AT, list, all: async () => [] };
      const { found, unclear } = await checkDelivery(status, options, new AbortController().signal, () => {});
      return { found, unclear: unclear.map(({ error }) => error instanceof ServiceError && error.failure), lookedUp };
    };
    const missing: Failure = { kind: 'notFound', what: 'user', id: '7' };

    it('is resolved if there is no such person', async () => {
      const lookedUp = [['user', '7']];
      assert.deepEqual(await check(refusal, missing), {
        found: [{ ...person, failure: missing }],
        unclear: [],
        lookedUp,
      });
      for (const unclear of [undefined, { kind: 'unreachable' as const, reason: 'ECONNRESET' }])
        assert.deepEqual(await check(refusal, unclear), { found: [], unclear: [refusal], lookedUp });
      assert.deepEqual(await check(refusal, { kind: 'cancelled' }), { found: [], unclear: [], lookedUp });
    });

    it('stays unclear, and nobody is looked up, if something else may be why', async () => {
      const others: Failure[] = [
        { kind: 'unreachable', reason: 'ECONNREFUSED' },
        { kind: 'rejected', code: 1007, text: 'x', status: 200 },
        { kind: 'rejected', code: 1003, text: '非法token', status: 200 },
        { kind: 'rejected', code: -1, text: 'x', status: 502 },
      ];
      for (const other of others)
        assert.deepEqual(await check(other, missing), { found: [], unclear: [other], lookedUp: [] });
      const group = { kind: 'group', id: '7' } as const;
      assert.deepEqual(await check(refusal, missing, group), { found: [], unclear: [refusal], lookedUp: [] });
    });
  });

  it('stays unknown if the check is canceled', async () => {
    const { found, unclear } = await checkIn([], {
      list: () => Promise.reject(new ServiceError({ kind: 'cancelled' })),
    });
    assert.deepEqual([found, unclear], [[], []]);
  });

  it('is resolved by the name of a file, or by the key of an image if it is listed', async () => {
    const file = {
      message: { contentType: 'file', content: { fileName: 'a.pdf', fileUrl: 'https://f.test/a' } },
    } as const;
    const sent = listed('m', {
      contentType: 'file',
      content: { fileName: 'a.pdf', fileUrl: 'https://cdn.test/1', etag: 'x' },
    });
    assert.deepEqual((await checkIn([sent], { delivery: file })).found, ARRIVED);
    const other = listed('m', { contentType: 'file', content: { fileName: 'b.pdf' } });
    assert.deepEqual((await checkIn([other], { delivery: file })).found, ABSENT);
    const image = { message: { contentType: 'image', content: { imageKey: 'k' } } } as const;
    const checkWith = (content: object) =>
      checkIn([listed('m', { contentType: 'image', content })], { delivery: image });
    assert.deepEqual((await checkWith({ imageKey: 'k' })).found, ARRIVED);
    assert.deepEqual((await checkWith({ imageKey: 'l' })).found, ABSENT);
    assert.deepEqual((await checkWith({ imageUrl: 'https://cdn.test/k' })).unclear, UNCLEAR);
  });

  it('counts once, also if a resend is checked, too, and as reached only if the message was found', () => {
    const [a = assert.fail(), b = assert.fail(), c = assert.fail()] = groups('a', 'b', 'c');
    const all = { recipients: [a, b, c], uncertain: [a, b, c] };
    const failure: Failure = { kind: 'notFound', what: 'group', id: 'b' };
    const first = { found: [{ ...a, msgId: 'm' }], early: [b], unclear: [] };
    const second = { found: [{ ...b, failure }], early: [], unclear: [{ recipient: c }] };
    const { messages, counts, error } = sumUpChecks([first, second], all, { uncertain: [c] });
    assert.deepEqual(messages, ARRIVED);
    assert.deepEqual(counts, { checked: 3, reached: 1, absent: 1, unknown: 1, early: 1 });
    assert.deepEqual(error, new ServiceError(failure));
    const offline = { found: [], early: [], unclear: [{ recipient: c, error: 'offline' }] };
    assert.equal(sumUpChecks([first, offline, second], all, { uncertain: [c] }).error, 'offline');
  });
});
