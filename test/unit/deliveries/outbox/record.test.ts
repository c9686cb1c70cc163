import assert from 'node:assert/strict';
import {
  Claim,
  checkedId,
  creationTimeOf,
  DamagedError,
  type Delivery,
  digestOf,
  JournalLine,
  newDeliveryId,
  parseDelivery,
  serializeDelivery,
} from '../../../../src/deliveries/outbox/record.ts';
import { addChecksum, verifyChecksum, verifyLines } from '../../../../src/platform/checkedLines.ts';
import { AT, deliveryOf, groups, idOf, planBatches } from './testDeliveries.ts';

const ID = idOf('one');

/** The same, but one of the fields in turn has a value that it can't have. */
const spoiled = (whole: object, ...except: string[]) =>
  Object.keys(whole)
    .filter((name) => !except.includes(name))
    .map((name) => ({ ...whole, [name]: {} }));

const lineOf = async (line: object) => (await verifyLines([await addChecksum(line)], JournalLine))[0];

const parsed = async (delivery: object) => parseDelivery(ID, await serializeDelivery(delivery as Delivery));

describe('The files of the outbox', () => {
  it('have IDs of their time, and take nothing for one that could leave the folder of the outbox', () => {
    assert.equal(checkedId(ID), ID);
    assert.equal(creationTimeOf(checkedId(newDeliveryId(AT))), AT);
    const odd = ['', '..', `${ID}/../other`, `../${ID}`, `${ID}x`, `x${ID}`, ID.toUpperCase().replace('ONE', 'o/e')];
    for (const id of odd) assert.throws(() => checkedId(id), /no delivery/, id);
  });

  it('have a digest of each message that is sent, and its type', async () => {
    const digest = (contentType: 'text' | 'markdown', text: string) => digestOf({ contentType, content: { text } });
    const all = [await digest('text', 'a'), await digest('text', 'b'), await digest('markdown', 'a')];
    assert.equal(new Set([...all, await digest('text', 'a')]).size, 3);
    for (const one of all) assert.match(one, /^[\da-f]{32}$/);
  });

  it('have only lines of a journal that can be shown, whatever the file of another computer says', async () => {
    const attempt = { batch: 0, attempt: 1, at: AT, leftOut: [{ id: 'a', note: 'asked' }] };
    const chat = { kind: 'user', id: 'a' };
    const lines = [
      { what: 'answered', ...attempt, reached: [{ recvId: 'a', msgId: 'm' }], unreadable: [7], successCount: 1 },
      { what: 'failed', ...attempt, state: 'notSent' },
      { what: 'leftOut', ...attempt },
      { what: 'read', at: AT, found: [{ ...chat, msgId: 'm' }], early: [chat], unanswered: [{ batch: 0, attempt: 0 }] },
      ...['canceled', 'token', 'noToken', 'failed', 'disk', 'changed', 'never'].map((why) => ({
        what: 'stopped',
        at: AT,
        why,
      })),
      { what: 'moved', at: AT, move: 'm' },
    ];
    for (const line of lines) {
      assert.deepEqual(await lineOf(line), line);
      for (const one of spoiled(line)) assert.equal(await lineOf(one), undefined, JSON.stringify(one));
    }
    const [first] = lines;
    for (const odd of [
      { batch: -1 },
      { attempt: 0.5 },
      { at: 9e15 },
      { reached: [{ recvId: 'a' }] },
      { leftOut: [{}] },
    ])
      assert.equal(await lineOf({ ...first, ...odd }), undefined, JSON.stringify(odd));
    for (const odd of [{ found: [{ id: 'a' }] }, { early: [{ kind: 'bot', id: 'a' }] }, { unanswered: [{ batch: 0 }] }])
      assert.equal(await lineOf({ ...lines[3], ...odd }), undefined, JSON.stringify(odd));
  });

  it('have only failures that can be shown: what another one is the cause of counts without it', async () => {
    const failed = { what: 'failed', batch: 0, attempt: 0, at: AT, state: 'rejected' } as const;
    const unreadable = { kind: 'unreadable', path: 'a' };
    const failures = [
      { kind: 'cancelled', unsent: true },
      { kind: 'timedOut', after: 1 },
      { kind: 'unreachable', reason: 'ECONNRESET', inBrowser: true },
      { kind: 'redirected' },
      { kind: 'insecure' },
      { kind: 'tooLarge', bound: 1, of: 'values' },
      { kind: 'tooLarge', bound: 1, of: 'elements' },
      { kind: 'http', status: 503, retryAfter: 1, excerpt: 'x' },
      { kind: 'notEnvelope', status: 200, excerpt: 'x' },
      ...['missing', 'malformed', 'mismatch'].map((problem) => ({ ...unreadable, problem })),
      { ...unreadable, problem: { expected: 'a', actual: 'b' } },
      { kind: 'rejected', status: 200, code: 1, text: 'x' },
      ...['group', 'bot', 'user'].map((what) => ({ kind: 'notFound', what, id: '7', code: 1, text: 'x' })),
    ];
    for (const failure of failures) {
      assert.deepEqual(await lineOf({ ...failed, failure }), { ...failed, failure });
      for (const one of [...spoiled(failure), { ...failure, kind: 'new' }])
        assert.deepEqual(
          await lineOf({ ...failed, failure: one }),
          { ...failed, failure: undefined },
          JSON.stringify(one),
        );
    }
  });

  it('have only claims that say something', async () => {
    const claimOf = async (claim: object) => verifyChecksum(await addChecksum(claim), Claim);
    const claims = [
      { batch: 0, attempt: 0, at: AT, leftOut: [{ id: 'a' }] },
      { resentBy: ID },
      { due: null, movedBy: ID },
      { due: AT, edited: true },
      { resends: ID },
      { removed: true },
    ];
    for (const claim of claims) {
      assert.deepEqual(await claimOf(claim), claim);
      for (const one of spoiled(claim)) assert.equal(await claimOf(one), undefined, JSON.stringify(one));
    }
    for (const odd of [{ removed: false }, { due: AT, edited: false }, { due: -9e15 }])
      assert.equal(await claimOf(odd), undefined);
  });

  it('have only deliveries that can be shown and sent', async () => {
    const [batch] = planBatches(groups('a'), 1);
    const delivery = deliveryOf([{ ...batch, values: ['Ann'], digest: 'd' } as Delivery['batches'][number]], {
      id: ID,
      due: AT,
      source: 'file:///a.md',
      document: 'Hi',
      variables: ['name'],
      resends: 'r',
      follows: 'f',
      isTest: true,
    });
    assert.deepEqual(await parsed(delivery), delivery);
    for (const one of spoiled(delivery, 'batches'))
      await assert.rejects(parsed(one), DamagedError, JSON.stringify(one));
    const recipient = { kind: 'group', id: 'a', name: 'A' };
    for (const odd of [
      { recvType: 'bot' },
      { recipients: [{ kind: 'group', id: 'a' }] },
      { recipients: [{ ...recipient, mayHaveIt: false }] },
      { values: [5] },
      { digest: 5 },
    ])
      await assert.rejects(parsed({ ...delivery, batches: [{ ...batch, ...odd }] }), DamagedError, JSON.stringify(odd));
    const leftOut = (one: object) => parsed({ ...delivery, leftOut: { people: [{ ...recipient, ...one }], rows: 0 } });
    for (const odd of [{}, { by: 'other', note: '' }, { by: 'never', note: '', kind: 'bot' }])
      await assert.rejects(leftOut(odd), DamagedError, JSON.stringify(odd));
    assert.equal((await leftOut({ by: 'never', note: 5 })).leftOut?.people[0]?.note, '');
  });

  it('have who was left out, hundreds a line, and are damaged if a line is missing, or there are others', async () => {
    const people = Array.from({ length: 501 }, (_, at) => {
      return { kind: 'user', id: `p${at}`, name: `P ${at}`, by: 'never', note: at % 2 ? '' : '要求停发' } as const;
    });
    const delivery = { ...deliveryOf(planBatches(groups('a', 'b'), 1), { id: ID }), leftOut: { people, rows: 99_000 } };
    assert.deepEqual(await parsed(delivery), delivery);
    const lines = (await serializeDelivery(delivery)).split('\n');
    assert.equal(lines.length, 7);
    const [header = '', first = '', ...others] = lines;
    for (const odd of [
      [''],
      ['{'],
      ['null'],
      [JSON.stringify(delivery)],
      [await addChecksum({ id: ID })],
      [header],
      [header, ...others],
      lines.slice(0, -1),
      lines.toSpliced(-2, 1),
      [header, first, first, ...others],
      [header, first, 'damaged', ...others],
      [
        await addChecksum({ ...delivery, batches: 2, leftOut: { people: 501, rows: 0 }, id: idOf('other') }),
        first,
        ...others,
      ],
    ])
      await assert.rejects(parseDelivery(ID, odd.join('\n')), DamagedError, odd.join('\n').slice(0, 200));
  });

  it('of earlier versions say who was under except:, too, and those of later ones what is not known here', async () => {
    const listed = { kind: 'user', id: 'p', name: 'P', by: 'never', note: 'asked' };
    const also = ['later', 'where'].map((by) => ({ by, note: '' }));
    const people = [
      { ...listed, isExcepted: true },
      { ...listed, also },
    ];
    const { leftOut } = await parsed({ ...deliveryOf([], { id: ID }), leftOut: { people, rows: 0 } });
    assert.deepEqual(leftOut?.people, [
      { ...listed, also: [{ by: 'except', note: '' }] },
      { ...listed, also: [{ by: 'where', note: '' }] },
    ]);
  });

  it('have only messages that can be shown', async () => {
    const button = { text: 'a', actionType: 9 };
    const messageOf = async (message: object) => (await parsed({ ...deliveryOf([], { id: ID }), message })).message;
    const contents = {
      text: { text: 'a' },
      markdown: { text: 'a', buttons: [[{ ...button, url: 'u', value: 'v' }], [button]] },
      html: { text: 'a' },
      image: { imageKey: 'k' },
      file: { fileName: 'a', fileUrl: 'u' },
    };
    const buttons = [...spoiled(button), { ...button, url: 5 }, { ...button, value: 5 }];
    for (const [contentType, content] of Object.entries(contents)) {
      assert.deepEqual(await messageOf({ contentType, content }), { contentType, content });
      const odd = [
        ...spoiled(content),
        ...[button, ...buttons.map((one) => [one])].map((row) => ({ ...content, buttons: [row] })),
      ];
      for (const one of odd)
        await assert.rejects(messageOf({ contentType, content: one }), DamagedError, JSON.stringify(one));
    }
    await assert.rejects(messageOf({ contentType: 'other', content: { text: '' } }), DamagedError);
  });

  it('have short lines, whatever is inserted in each message, and however many recipients there are', async () => {
    const linesOf = async (batches: Delivery['batches']) => (await serializeDelivery(deliveryOf(batches))).split('\n');
    const valued = (count: number, size: number, length = 1) =>
      planBatches(groups(...Array.from({ length: count }, (_, at) => `${at}`)), size).map((batch) => {
        return { ...batch, values: ['x'.repeat(length)] };
      });
    const lengths = async (length: number) =>
      (await linesOf(valued(3, 1, length))).map((line) => Math.floor(line.length / 500_000));
    assert.deepEqual(await lengths(600_000), [0, 1, 1, 1, 0]);
    assert.deepEqual(await lengths(500_000), [0, 2, 1, 0]);
    const counts = async (batches: Delivery['batches']) =>
      (await linesOf(batches)).map((line) => line.split('recvType').length - 1);
    assert.deepEqual(await counts(valued(101, 1)), [0, 100, 1, 0]);
    assert.deepEqual(await counts(valued(200, 100)), [0, 2, 0]);
    assert.deepEqual(await counts(valued(201, 100)), [0, 2, 1, 0]);
    assert.deepEqual(await counts(planBatches(groups('a', 'b'), 1)), [0, 1, 1, 0]);
  });
});
