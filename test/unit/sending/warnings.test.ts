import assert from 'node:assert/strict';
import type { Recipient } from '../../../src/outbox/batches.ts';
import { DeliveryStatus, type OutcomeState } from '../../../src/outbox/deliveryStatus.ts';
import type { Delivery, JournalLine } from '../../../src/outbox/record.ts';
import { findWarnings, type MessageToCheck } from '../../../src/sending/warnings.ts';
import { AT, BOT, deliveryOf, groups } from '../outbox/testDeliveries.ts';

const ADDRESS = 'https://service.test';
const SOURCE = 'file:///announcement.md';
const text = { contentType: 'markdown', content: { text: 'Hello' } } as const;

/** An earlier delivery, in which each of these groups is in such a state. */
function sent(states: Record<string, OutcomeState>, changes: Partial<Delivery> = {}, isRunning = false) {
  const batches = groups(...Object.keys(states)).map((one) => ({ recvType: one.type, recipients: [one] }));
  const lines = Object.values(states).flatMap((state, batch): JournalLine[] => {
    const one = { batch, attempt: 0, at: AT };
    if (state === 'notSent') return [];
    if (state === 'rejected' || state === 'unknown') return [{ what: 'failed', ...one, state }];
    const reached = state === 'reached' ? [{ recvId: Object.keys(states)[batch] as string, msgId: 'm' }] : [];
    return [{ what: 'answered', ...one, reached, unreadable: [] }];
  });
  const delivery = deliveryOf(batches, { digest: 'same', source: SOURCE, message: text, ...changes });
  return { status: new DeliveryStatus(delivery, [], lines), isRunning };
}

const unusual = (changes: Partial<MessageToCheck>) =>
  findWarnings({
    draft: { source: SOURCE, message: text },
    digest: 'same',
    bot: { id: BOT },
    address: ADDRESS,
    recipients: groups('a', 'b', 'c'),
    earlier: [],
    uncertain: [],
    membersOf: () => undefined,
    ...changes,
  });

describe('What is unusual about a message', () => {
  it('is nothing when it goes to a few for the first time', async () => {
    assert.deepEqual(await unusual({ membersOf: () => 999 }), []);
  });

  it('is that it goes to 500 or more', async () => {
    const many = (length: number) => groups(...Array.from({ length }, (_, index) => `${index}`));
    assert.deepEqual(await unusual({ recipients: many(499) }), []);
    assert.deepEqual(await unusual({ recipients: many(500) }), [{ kind: 'many', count: 500 }]);
  });

  it('is that groups have 1,000 members or more, the largest first, with the sum of theirs', async () => {
    const members: Record<string, number> = { a: 1_000, b: 999, c: 182_340 };
    const person: Recipient = { type: 'user', id: 'c', name: 'Somebody' };
    assert.deepEqual(
      await unusual({ recipients: [...groups('a', 'b', 'c', 'd'), person], membersOf: (id) => members[id] }),
      [{ kind: 'huge', groups: ['group c', 'group a'], members: 183_340 }],
    );
  });

  it('is that it went to some of them before: reached, not confirmed or unknown, the last time then', async () => {
    const later = sent({ b: 'unknown', stranger: 'reached' }, { at: AT + 2 });
    const first = sent({ a: 'reached', b: 'missing', c: 'rejected' }, { at: AT + 1 });
    const others = sent({ stranger: 'reached', c: 'notSent' }, { at: AT + 3 });
    assert.deepEqual(await unusual({ earlier: [others, later, first] }), [{ kind: 'again', count: 2, at: AT + 2 }]);
  });

  it('is not that another message went to them, or this one by another bot or through another service', async () => {
    const before = [
      sent({ a: 'reached' }, { digest: 'other', source: 'file:///other.md' }),
      sent({ a: 'reached' }, { bot: { id: '9', name: 'Other' } }),
      sent({ a: 'reached' }, { service: 'https://other.test' }),
    ];
    assert.deepEqual(await unusual({ earlier: before }), []);
  });

  it('counts those whom a delivery under way has yet to come to', async () => {
    const states = { a: 'notSent', b: 'notSent', c: 'rejected' } as const;
    assert.deepEqual(await unusual({ earlier: [sent(states, {}, true)] }), [{ kind: 'again', count: 2, at: AT }]);
    assert.deepEqual(await unusual({ earlier: [sent(states, {}, false)] }), []);
  });

  it('keeps a group and a person with the same ID apart', async () => {
    const recipients: Recipient[] = [{ type: 'user', id: 'a', name: 'A' }];
    assert.deepEqual(await unusual({ recipients, earlier: [sent({ a: 'reached' })] }), []);
  });

  it('is that some may have it, who are not told of a second time', async () => {
    const before = [sent({ a: 'unknown', b: 'missing', c: 'reached' })];
    assert.deepEqual(await unusual({ earlier: before, uncertain: groups('a', 'b', 'stranger') }), [
      { kind: 'uncertain', count: 2 },
      { kind: 'again', count: 1, at: AT },
    ]);
  });

  it('is that the document is not what it was when it was last sent', async () => {
    const older = sent({ x: 'reached' }, { digest: 'older', at: AT + 1 });
    const same = sent({ x: 'reached' }, { digest: 'same', at: AT + 2 });
    assert.deepEqual(await unusual({ earlier: [older] }), [{ kind: 'changed', at: AT + 1 }]);
    assert.deepEqual(await unusual({ earlier: [same, older] }), []);
    assert.deepEqual(await unusual({ earlier: [{ ...older }, same] }), [{ kind: 'changed', at: AT + 1 }]);
  });

  it('is not that another document was sent, or this one as another kind or through another service', async () => {
    const before = [
      sent({ x: 'reached' }, { digest: 'other', source: 'file:///other.md' }),
      sent({ x: 'reached' }, { digest: 'other', message: { contentType: 'text', content: { text: 'Hello' } } }),
      sent({ x: 'reached' }, { digest: 'other', service: 'https://other.test' }),
    ];
    assert.deepEqual(await unusual({ earlier: before }), []);
    for (const source of [SOURCE, undefined]) {
      const one = sent({ x: 'reached' }, { digest: 'other', source });
      assert.deepEqual(await unusual({ draft: { message: text }, earlier: [one] }), []);
    }
  });

  it('is not that another file or image is sent than the last time', async () => {
    const message = { contentType: 'file', content: { fileName: 'a.pdf', fileUrl: 'https://a.test/a.pdf' } } as const;
    const before = [sent({ x: 'reached' }, { digest: 'other', message })];
    assert.deepEqual(await unusual({ draft: { source: SOURCE, message }, earlier: before }), []);
  });

  it('is that the fields of HTML are not documented', async () => {
    const message = { contentType: 'html', content: { text: '<p>Hello' } } as const;
    assert.deepEqual(await unusual({ draft: { message } }), [{ kind: 'undocumented' }]);
  });

  it('is that deliveries cannot be read, which may have sent it before', async () => {
    const before = [{ id: 'x', error: new Error('damaged') }, sent({ a: 'reached' })];
    const found = await unusual({ earlier: before, recipients: groups('b') });
    assert.deepEqual(found, [{ kind: 'unreadable', count: 1 }]);
  });

  it('is found within slices of a few milliseconds, however many like deliveries there are', async () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => `${index}`);
    const states = Object.fromEntries(ids.slice(0, 2_000).map((id) => [id, 'reached' as const]));
    const before = Array.from({ length: 20 }, () => sent(states));
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const found = await unusual({ earlier: before, recipients: groups(...ids) });
    clearInterval(timer);
    assert.deepEqual(found[0], { kind: 'again', count: 2_000, at: AT });
    assert.ok(turns > 0);
  });
});
