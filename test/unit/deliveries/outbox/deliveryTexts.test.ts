import assert from 'node:assert/strict';
import { DeliveryStatus } from '../../../../src/deliveries/outbox/deliveryStatus.ts';
import {
  checkedText,
  detailOf,
  dueText,
  headingOf,
  headline,
  headlineOf,
  interruptedText,
  movedTexts,
  notesOf,
  noticeHeading,
  originOf,
  plannedTexts,
  scheduledText,
  scheduleOf,
  shortHeading,
  stateTitle,
  testTexts,
  unpickedTexts,
  unreadableText,
} from '../../../../src/deliveries/outbox/deliveryTexts.ts';
import type { OutboxEntry } from '../../../../src/deliveries/outbox/outboxEntry.ts';
import { DamagedError, type Delivery, type JournalLine } from '../../../../src/deliveries/outbox/record.ts';
import { UserFacingError } from '../../../../src/presentation/errorText.ts';
import { formatDateTime } from '../../../../src/presentation/formats.ts';
import { AT, answered, deliveryOf, failed, groups, planBatches, runningEntry, storedEntry } from './testDeliveries.ts';

const NOW = formatDateTime(AT);

const BANNED = { kind: 'rejected', code: 1005, text: 'no', status: 200 } as const;

const RESET = { kind: 'unreachable', reason: 'ECONNRESET' } as const;

/** A delivery to the groups with these one-letter IDs, one in a batch. */
const statusOf = (ids: string, lines: JournalLine[] = [], changes: Partial<Delivery> = {}) =>
  new DeliveryStatus(deliveryOf(planBatches(groups(...ids), 1), changes), [], lines);

const withText = (text: string, changes: Partial<Delivery> = {}) =>
  deliveryOf([], { message: { contentType: 'text', content: { text } }, ...changes });

describe('The heading of a delivery', () => {
  it('is the first line that people see of its message, or else the name of its document', () => {
    const image = { contentType: 'image', content: { imageKey: 'key' } } as const;
    const markdown = (text: string) => ({ contentType: 'markdown', content: { text } }) as const;
    const cases: [Partial<Delivery>, string][] = [
      [{ message: markdown('\n---\n\n# **Winter** hours\n\nWe open at nine.') }, 'Winter hours'],
      [{ message: markdown('# Hello {{name}}'), variables: ['name'] }, 'Hello {{name}}'],
      [{ message: markdown('***'), name: 'a\u202Eb\u200Fc.md' }, 'abc.md'],
      [{ message: image }, 'announcement.md'],
      [withText('[.点赞]'), '👍'],
      [withText('？？？'), '？？？'],
      [withText('x'.repeat(121)), `${'x'.repeat(120)}…`],
    ];
    for (const [changes, heading] of cases) assert.equal(headingOf(deliveryOf([], changes)), heading);
  });

  it('is cut off where it is wider than 20 letters, or 10 wide ones', () => {
    for (const [text, short] of [
      ['What we changed in town', 'What we changed in t…'],
      ['What we changed in to', 'What we changed in t…'],
      ['What we changed in t', 'What we changed in t'],
      ['What we changed now every day', 'What we changed now…'],
      ['Dampfschifffahrtsge\u00ADsellschaft', 'Dampfschifffahrtsge\u00AD…'],
      ['河畔小镇本周末的停水', '河畔小镇本周末的停水'],
      ['河畔小镇本周末的停水通知', '河畔小镇本周末的停水…'],
      [`Hi ${'👨‍👩‍👧 '.repeat(12)}`, `Hi ${'👨‍👩‍👧 '.repeat(5)}👨‍👩‍👧…`],
    ] as const)
      assert.equal(shortHeading(withText(text)), short);
  });

  it('is without the end of a sentence in a notification, and cut in the middle, so that what happened is seen', () => {
    for (const [text, heading] of [
      ['See you there.', 'See you there'],
      ['周六见。', '周六见'],
      ['Wait...', 'Wait...'],
      ['Who comes?', 'Who comes?'],
      [`Opening hours of ${'all our shops and '.repeat(5)}cafés`, 'Opening hours of all… our shops and cafés'],
    ] as const)
      assert.equal(noticeHeading(withText(text)), heading);
  });
});

describe('The times of a delivery', () => {
  const through = 'Order Desk through service.test';

  it('say when it is to be sent, and that it is late from that moment on', () => {
    const confirmed = `Scheduled for ${NOW}: “Hello”. A VS Code window must be open then.`;
    assert.equal(scheduledText(deliveryOf([]), AT), confirmed);
    assert.equal(scheduleOf(deliveryOf([]), AT), `Scheduled for ${NOW}, to be sent by ${through}`);
    assert.deepEqual([dueText(AT, AT - 1), dueText(AT, AT)], [`scheduled for ${NOW}`, `was due on ${NOW}`]);
  });

  it('say when it was confirmed and planned, of one that waited', () => {
    const due = AT + 86_400_000;
    const planned = [`Confirmed: ${NOW}. Scheduled for: ${formatDateTime(due)}.`];
    assert.deepEqual(plannedTexts({ at: AT }, { begunDue: due }), planned);
    assert.deepEqual(plannedTexts({ at: AT }, { begunDue: undefined, canceledDue: due }), planned);
    assert.deepEqual(plannedTexts({ at: AT }, { begunDue: undefined }), []);
  });

  it('say when it was sent, unless nothing of it was', () => {
    assert.equal(originOf(statusOf('ab', [answered(0, 'a')])), `${NOW}, sent by ${through}`);
    assert.equal(originOf(statusOf('ab')), `Confirmed on ${NOW}, to be sent by ${through}`);
    assert.equal(originOf(statusOf('')), `${NOW}, sent by ${through}`);
  });

  it('say since when another computer may have it, too, as long as somebody is left', () => {
    const moved: JournalLine = { what: 'moved', at: AT };
    const text = `It was copied to a file on ${NOW}, so another computer may have it, too. Send it from only one of them.`;
    assert.deepEqual(movedTexts(statusOf('a', [moved])), [text]);
    assert.deepEqual(movedTexts(statusOf('a', [moved, answered(0, 'a')])), []);
    assert.deepEqual(movedTexts(statusOf('a')), []);
  });
});

describe('The headline of a delivery', () => {
  it('has how many were reached, why it stopped, and what went wrong', () => {
    assert.equal(headline(statusOf('ab', [answered(0, 'a'), answered(1, 'b')])), 'Sent: 2 of 2 reached.');
    const missing = "0 of 1 reached. Where the service didn't confirm delivery, the message may have arrived anyway.";
    assert.equal(headline(statusOf('a', [answered(0)])), missing);
    assert.equal(
      headline(statusOf('ab', [failed(0, 'rejected', BANNED)]), { why: 'token' }),
      '0 of 2 reached. Not sent to 1. The service refused the token, so sending stopped. ' +
        'The service returned error 1005: “no”. The chat is banned.',
    );
    assert.equal(
      headline(statusOf('ab', [answered(0, 'a'), failed(1, 'unknown', RESET)])),
      '1 of 2 reached. The connection was interrupted (ECONNRESET). The message may have been delivered anyway.',
    );
  });

  it("doesn't say any more why a delivery stopped before that is sent now, or later", () => {
    const status = statusOf('a', [{ what: 'stopped', at: AT, why: 'canceled' }], { due: AT });
    const saysWhy = (entry: OutboxEntry) => headlineOf(entry).includes('Canceled');
    assert.equal(saysWhy(storedEntry(status, { canceledDue: AT })), true);
    for (const entry of [
      storedEntry(status, { due: AT }),
      storedEntry(status, { editedDue: AT }),
      runningEntry(status),
    ])
      assert.equal(saysWhy(entry), false);
  });

  it('has how many recipients each of several causes is about', () => {
    const refusals = [2, 4].map((batch) => failed(batch, 'rejected', BANNED));
    const others = [answered(0, 'a'), answered(1), answered(3), answered(6, 'g')];
    const status = statusOf('abcdefg', [...others, ...refusals, failed(5, 'unknown', RESET)]);
    const parts = (status: DeliveryStatus) => headline(status).split(/ (?=\d+ recipients?:)/);
    assert.deepEqual(parts(status), [
      '2 of 7 reached.',
      "2 recipients: The service didn't confirm delivery, so the message may have arrived anyway.",
      '2 recipients: The service returned error 1005: “no”. The chat is banned.',
      '1 recipient: The connection was interrupted (ECONNRESET). The message may have been delivered anyway.',
    ]);
    status.apply({ what: 'read', at: AT, found: ['b', 'd', 'f'].map((id) => ({ kind: 'group', id })) });
    assert.deepEqual(parts(status).slice(1), [
      "3 recipients: The message isn't in the chat.",
      '2 recipients: The service returned error 1005: “no”. The chat is banned.',
    ]);
  });

  it('counts those together who have the same cause, however many outcomes there are, up to three causes', () => {
    const batches = planBatches(groups(...Array.from({ length: 250 }, (_, at) => `${at}`)), 1);
    // Each is read by itself.
    const lines = batches.map((_, batch) =>
      failed(batch, batch % 2 ? 'rejected' : 'unknown', { kind: 'timedOut', after: 1000 }),
    );
    assert.equal(headline(new DeliveryStatus(deliveryOf(batches), [], lines)).match(/125 recipients: /g)?.length, 2);
    const codes = [1, 2, 3, 4].map((code, batch) => failed(batch, 'rejected', { ...BANNED, code }));
    assert.equal(headline(statusOf('abcd', codes)).match(/1 recipient: /g)?.length, 3);
  });

  it('says why a delivery stopped that had no problem with the service', () => {
    const shown = new UserFacingError('The list is gone.');
    const full = new Error('full');
    for (const [why, error, reason] of [
      ['canceled', undefined, 'Canceled. You can resume it.'],
      ['token', undefined, 'The service refused the token, so sending stopped.'],
      ['noToken', undefined, "The bot's token could no longer be sent, so sending stopped."],
      ['noToken', shown, 'The list is gone. Sending stopped.'],
      ['failed', undefined, 'The service had a problem, so sending stopped.'],
      ['disk', full, "The outbox couldn't be saved (full), so sending stopped."],
      ['disk', undefined, "The outbox couldn't be saved (…), so sending stopped."],
      ['never', undefined, "Your Do Not Send list couldn't be read, so sending stopped."],
      ['never', shown, 'The list is gone. Sending stopped.'],
      [
        'changed',
        undefined,
        "A message can't be made again exactly as you confirmed it, so sending stopped. Send the document again to those it hasn't reached.",
      ],
      [
        'taken',
        undefined,
        'Another window is sending this message or has changed the delivery, so sending stopped here.',
      ],
      ['deleted', undefined, 'This delivery was deleted from the outbox, so sending stopped.'],
    ] as const)
      assert.equal(headline(statusOf('a'), { why, error }), `0 of 1 reached. Not sent to 1. ${reason}`);
  });

  it('says that the outbox doesn’t show a result that couldn’t be saved, even if everyone was reached', () => {
    const status = statusOf('a', [answered(0, 'a')]);
    const sent = 'Sent: 1 of 1 reached.';
    for (const [error, what] of [
      [new Error('full'), 'full'],
      [undefined, '…'],
    ] as const)
      assert.equal(
        headline(status, { why: 'disk', error }),
        `${sent} The outbox couldn't be saved (${what}), so it doesn't show this result.`,
      );
    assert.equal(headline(status, { why: 'canceled' }), sent);
  });

  it('speaks of resuming only if a delivery offers that', () => {
    const canceled = (changes: Partial<Delivery>, ...lines: JournalLine[]) =>
      headline(statusOf('ab', lines, changes), { why: 'canceled' }).replace(/^.*?(?=Canceled)/, '');
    assert.equal(canceled({}), 'Canceled. You can resume it.');
    assert.equal(canceled({}, failed(0)), 'Canceled. You can resume it.');
    assert.equal(canceled({}, failed(0), failed(1)), 'Canceled.');
    assert.equal(canceled({ due: AT }), 'Canceled.');
    assert.equal(canceled({ due: AT }, failed(0)), 'Canceled. You can resume it.');
  });

  it('says why others weren’t reached, however many were left out, and how many that is', () => {
    const people = Array.from({ length: 300 }, (_, at) => {
      return { kind: 'group' as const, id: `${at}`, name: `${at}`, by: 'never' as const, note: `${at}` };
    });
    const leftOut: JournalLine = { what: 'leftOut', batch: 1, attempt: 0, at: AT, leftOut: [{ id: 'b' }] };
    const lines = [failed(0, 'rejected', BANNED), leftOut];
    const status = statusOf('abc', lines, { leftOut: { people, rows: 7 } });
    assert.match(headline(status), /^0 of 2 reached\. Not sent to 1\. Also left out: 308\. .*1005/);
    assert.equal(headline(statusOf('')), 'Sent: 0 of 0 reached.');
    const nobodyLeft = new DeliveryStatus(deliveryOf(planBatches(groups('b'), 1)), [], [{ ...leftOut, batch: 0 }]);
    assert.equal(headline(nobodyLeft), 'Nothing was sent: everyone was left out.');
  });

  it('says if the response does not match the request, even if everyone was reached', () => {
    const odd = { ...answered(0, 'a', 'a', 'z'), unreadable: ['odd'] };
    const note = "The service's response doesn't match the request. See the report.";
    assert.equal(headline(statusOf('a', [odd])), `Sent: 1 of 1 reached. ${note}`);
    assert.equal(headline(statusOf('ab', [odd])), `1 of 2 reached. Not sent to 1. ${note}`);
  });
});

describe('What the report says of a delivery', () => {
  it('has what is odd in the answers, up to 50 of each', () => {
    const odd = { unreadable: [{ at: 1 }, 'odd'], successCount: 7 };
    assert.deepEqual(notesOf(statusOf('a', [{ ...answered(0, 'a', 'a', 'y', 'z'), ...odd }])), [
      'Recipients counted by the service: 7. Listed: 6.',
      "The service listed recipients you didn't send to: y, z",
      'The service listed recipients more than once: a',
      'The service listed an entry without a recipient: {"at":1}',
      'The service listed an entry without a recipient: odd',
    ]);
    assert.deepEqual(notesOf(statusOf('a', [answered(0, 'a')])), []);
    const strangers = Array.from({ length: 51 }, (_, at) => `s${at}`);
    const lines = strangers.map((_, batch) => {
      return { ...answered(batch, ...strangers), unreadable: ['odd'], successCount: 0 };
    });
    const notes = notesOf(statusOf('a', lines));
    assert.deepEqual([notes.length, notes[50]?.split(', ').length], [101, 50]);
  });

  it('has a word for each result, and how many others have it', () => {
    const people = [{ kind: 'user', id: 'p', name: 'P', by: 'except', note: '' } as const];
    const found: JournalLine = { what: 'read', at: AT, found: [{ kind: 'group', id: 'd' }] };
    const lines = [answered(0, 'a'), answered(1), failed(2), answered(3), found, failed(5, 'unknown')];
    const text = interruptedText(statusOf('abcdef', lines, { leftOut: { people, rows: 0 } }));
    const others = 'Unknown: 1. Refused: 1. Not confirmed: 1. Not reached: 1. Not sent: 1. Left out: 1.';
    assert.equal(text, `Interrupted, 1 of 6 reached: “Hello”. ${others}`);
    assert.equal(stateTitle('reached'), 'Reached');
  });

  it('has the details of each result', () => {
    const early = "The message isn't listed in the chat yet. Check again in a minute.";
    for (const [outcome, detail] of [
      [{ state: 'reached', msgId: 'm' }, 'Message m'],
      [{ state: 'leftOut', by: 'except', note: '' }, 'Under except: in the document'],
      [{ state: 'absent' }, "The message isn't in the chat."],
      [{ state: 'absent', failure: { kind: 'notFound', what: 'user', id: '7' } }, "Person 7 doesn't exist."],
      [{ state: 'rejected', failure: BANNED }, 'The service returned error 1005: “no”. The chat is banned.'],
      [{ state: 'rejected', failure: undefined }, ''],
      [{ state: 'notSent', failure: RESET }, 'The connection was interrupted (ECONNRESET).'],
      [{ state: 'unknown' }, 'The message may have been delivered anyway.'],
      [
        { state: 'unknown', failure: RESET },
        'The connection was interrupted (ECONNRESET). The message may have been delivered anyway.',
      ],
      [{ state: 'unknown', wasEarly: true }, early],
      [{ state: 'unconfirmed' }, "The service didn't confirm delivery to this recipient, who may have the message."],
      [{ state: 'unconfirmed', wasEarly: true }, early],
    ] as const)
      assert.equal(detailOf(outcome), detail);
  });

  it('has that it was a test, and how many rows were not picked', () => {
    const test = 'A test in one chat before the message is sent to all its recipients.';
    assert.deepEqual([testTexts({ isTest: true }), testTexts({})], [[test], []]);
    const unpicked = (rows: number) => unpickedTexts({ leftOut: { people: [], rows } });
    assert.deepEqual(unpicked(7), ["Rows of the recipient file that don't match “where”: 7."]);
    assert.deepEqual([unpicked(0), unpickedTexts({})], [[], []]);
  });

  it('has what a check has found', () => {
    const counts = { checked: 2_000, reached: 1_500, absent: 400, unknown: 100, early: 7 };
    const words = 'Checked 2,000 of 3,000 recipients, and found 1,500 reached, 400 not reached. Still unknown: 100.';
    const early = "Messages that aren't listed yet: 7. Check again in a minute.";
    const text = checkedText({ counts, error: new UserFacingError('Offline.') }, 3_000);
    assert.equal(text, `${words} ${early} Offline.`);
  });

  it('has why it can’t be read', () => {
    assert.equal(unreadableText(new DamagedError()), "This delivery can't be read: its file is damaged.");
    assert.equal(unreadableText(new Error('EIO')), "This delivery can't be read (EIO).");
  });
});
