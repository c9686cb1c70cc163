import assert from 'node:assert/strict';
import * as v from 'valibot';
import type { RecipientTable } from '../../../../src/deliveries/draft/recipients/recipientTable.ts';
import { DeliveryStatus, type OutcomeState } from '../../../../src/deliveries/outbox/deliveryStatus.ts';
import { EditedDocuments } from '../../../../src/deliveries/outbox/editedDocuments.ts';
import type { Delivery, JournalLine } from '../../../../src/deliveries/outbox/record.ts';
import type { Recipient } from '../../../../src/deliveries/plan/deliveryPlan.ts';
import { findWarnings } from '../../../../src/deliveries/send/warnings.ts';
import { shownText } from '../../../../src/markup/safeText.ts';
import { formatDateTime, formatTimestamp } from '../../../../src/presentation/formats.ts';
import { chatKey, Group, type Kind } from '../../../../src/service/model.ts';
import { useWallClock } from '../../clocks.ts';
import { inBrowser } from '../../inBrowser.ts';
import { memento } from '../../memory.ts';
import { AT, BOT, deliveryOf, groups, runningEntry, storedEntry } from '../outbox/testDeliveries.ts';
import { plannedOf, resendOf } from './testJourney.ts';

const ADDRESS = 'https://service.test';

const SOURCE = 'file:///announcement.md';

const text = { contentType: 'markdown', content: { text: 'Hello' } } as const;

/** An earlier delivery with a state for each group. */
function sent(states: Record<string, OutcomeState>, changes: Partial<Delivery> = {}) {
  const batches = groups(...Object.keys(states)).map((one) => ({ recvType: one.kind, recipients: [one] }));
  const lines = Object.values(states).flatMap((state, batch): JournalLine[] => {
    const one = { batch, attempt: 0, at: AT };
    if (state === 'notSent') return [];
    if (state === 'rejected' || state === 'unknown') return [{ what: 'failed', ...one, state }];
    const reached = state === 'reached' ? [{ recvId: Object.keys(states)[batch] as string, msgId: 'm' }] : [];
    return [{ what: 'answered', ...one, reached, unreadable: [] }];
  });
  const nobody = batches
    .filter((_, batch) => Object.values(states)[batch] === 'absent')
    .flatMap((one) => one.recipients);
  if (nobody.length > 0) lines.push({ what: 'read', at: AT, found: nobody.map(({ kind, id }) => ({ kind, id })) });
  const delivery = deliveryOf(batches, { digest: 'same', source: SOURCE, message: text, ...changes });
  return storedEntry(new DeliveryStatus(delivery, [], lines));
}

/** A service that knows these groups by their numbers of members; `missing` were looked up and not found. */
const serviceWith = (members: Record<string, number>, missing: readonly string[] = []) => ({
  address: ADDRESS,
  directory: {
    has: (_: Kind, id: string) => missing.includes(id),
    peek: (kind: Kind, id: string) =>
      kind === 'group' && id in members
        ? ({ kind, resource: v.parse(Group, { groupId: id, headcount: members[id] }), raw: {} } as const)
        : undefined,
  },
});

const warningsOf = (given: Parameters<typeof plannedOf>[0]) =>
  findWarnings(plannedOf({ draft: { source: SOURCE, message: text }, ...given }), new EditedDocuments(memento()));

const textsOf = async (changes: Parameters<typeof warningsOf>[0]) =>
  (await warningsOf(changes)).map(({ text }) => text);

const HOUR = 3_600_000;

/** A time (Unix ms), as a warning has it. */
const time = (ms: number) => formatTimestamp(ms / 1000, AT, '');

/** That it was sent: the text, and the groups that are known to have it. */
const sentTo = (text: string, ...reached: string[]) => ({ text, needless: new Set(groups(...reached).map(chatKey)) });

describe('Warnings about a message', () => {
  useWallClock(AT);

  it('are none when it is sent to a few recipients for the first time', async () => {
    assert.deepEqual(await warningsOf({ service: serviceWith({ a: 999, b: 999 }) }), []);
  });

  it('include that it is scheduled, or another version of its document, which counts as not sent', async () => {
    const scheduled = (changes: Partial<Delivery>) =>
      textsOf({ earlier: [{ ...sent({ a: 'notSent' }, changes), due: AT }] });
    const due = formatDateTime(AT);
    assert.deepEqual(await scheduled({ source: undefined }), [`This message is already scheduled for ${due}.`]);
    assert.deepEqual(await scheduled({ digest: 'other' }), [
      `Another version of this document is scheduled for ${due}.`,
    ]);
    assert.deepEqual(await scheduled({ digest: 'other', source: 'file:///other.md' }), []);
  });

  it('include 500 recipients or more', async () => {
    const many = (length: number) => groups(...Array.from({ length }, (_, index) => `${index}`));
    assert.deepEqual(await warningsOf({ recipients: many(499) }), []);
    assert.deepEqual(await textsOf({ recipients: many(500) }), ['Large number of recipients: 500.']);
  });

  it('include that a browser may repeat a call, but not one to the sandbox', async () => {
    const [text = ''] = await inBrowser(() => textsOf({}));
    assert.match(text, /^If a connection breaks, the browser may repeat a call by itself/);
    const sandbox = { ...serviceWith({}), address: 'sandbox:' };
    assert.deepEqual(await inBrowser(() => warningsOf({ service: sandbox })), []);
  });

  it('include groups of 1,000 members or more, largest first, with their total', async () => {
    const members: Record<string, number> = { a: 1_000, b: 999, c: 182_340 };
    const person: Recipient = { kind: 'user', id: 'c', name: 'Somebody' };
    assert.deepEqual(
      await textsOf({ recipients: [...groups('a', 'b', 'c', 'd'), person], service: serviceWith(members) }),
      ['Large number of members: 183,340, in group c, group a.'],
    );
  });

  it('include a bot and recipients that don’t exist, the first by ID', async () => {
    const service = serviceWith({}, ['a', 'b', 'c', 'd', BOT]);
    assert.deepEqual(await textsOf({ service, recipients: groups('x', 'a') }), [
      `Bot ${BOT} doesn't exist.`,
      "Group a doesn't exist.",
    ]);
    const [, second] = await textsOf({ service, recipients: groups('a', 'b', 'c', 'd') });
    assert.equal(second, "4 recipients don't exist: a, b, c, d.");
    const [, many] = await textsOf({ service: serviceWith({}, [...'abcde', BOT]), recipients: groups(...'abcde') });
    assert.equal(many, "5 recipients don't exist: a, b, c, … and 2 more.");
  });

  it('include recipients without a name that weren’t looked up', async () => {
    const unnamed = (id: string): Recipient => ({ kind: 'group', id, name: id });
    const service = serviceWith({ known: 5 });
    const recipients = [unnamed('x'), unnamed('y'), unnamed('known'), ...groups('a')];
    assert.deepEqual(await textsOf({ service, recipients }), ["2 recipients weren't looked up and might not exist."]);
    const rows = new Map([...groups('a', 'known')].map((one) => [chatKey(one), {}]));
    const draft = { message: text, table: { rows } as unknown as RecipientTable };
    assert.deepEqual(await textsOf({ draft, service, recipients }), [
      "3 recipients weren't looked up and might not exist.",
    ]);
  });

  it('include recipients that may have received it before, and the last time', async () => {
    const later = sent({ b: 'unknown', stranger: 'reached' }, { at: AT + 2 * HOUR });
    const first = sent({ a: 'reached', b: 'unconfirmed', c: 'rejected' }, { at: AT + HOUR });
    const others = sent({ stranger: 'reached', c: 'notSent' }, { at: AT + 3 * HOUR });
    assert.deepEqual(await warningsOf({ earlier: [others, later, first] }), [
      sentTo(
        `This message was already sent to 2 of these recipients: ${time(AT + 2 * HOUR)}. Of 1 of them, it isn't known whether it arrived.`,
        'a',
      ),
    ]);
  });

  it('include those to whom another bot has sent it, with its name, after those to whom this one has', async () => {
    const gift = sent({ a: 'reached', b: 'unconfirmed' }, { bot: { id: '9', name: 'Gift Bot' }, at: AT + HOUR });
    const older = sent({ a: 'reached', c: 'reached' }, { bot: { id: '9', name: 'Gifts' } });
    assert.deepEqual(await warningsOf({ earlier: [gift, sent({ a: 'unknown' }), older] }), [
      sentTo(`This message was already sent to group a (a): ${time(AT)}. It isn't known whether it arrived.`),
      sentTo(
        `Gift Bot already sent this message to 3 of these recipients: ${time(AT + HOUR)}. Of 1 of them, it isn't known whether it arrived.`,
        'a',
        'c',
      ),
    ]);
    assert.deepEqual(await warningsOf({ recipients: groups('a'), earlier: [gift] }), [
      sentTo(`Gift Bot already sent this message to group a (a): ${time(AT + HOUR)}.`, 'a'),
    ]);
  });

  it('have the time when a scheduled message was sent, not when it was confirmed', async () => {
    const later = sent({ a: 'reached' }, { at: AT - HOUR, due: AT });
    assert.deepEqual(await warningsOf({ earlier: [later] }), [
      sentTo(`This message was already sent to group a (a): ${time(AT)}.`, 'a'),
    ]);
  });

  it('say of how many it is not known whether they have it', async () => {
    const states = { a: 'reached', b: 'unknown', c: 'unknown' } as const;
    const [text = ''] = await textsOf({ earlier: [sent(states)] });
    assert.match(text, /: .*\. Of 2 of them, it isn't known whether it arrived\.$/);
  });

  it('include that another computer may send it, too, unless it has reached everyone', async () => {
    const [unfinished, done] = [sent({ a: 'notSent' }), sent({ a: 'reached' })];
    for (const { status } of [unfinished, done]) status.apply({ what: 'moved', at: AT });
    const moved = shownText`It was copied to a file on ${formatDateTime(AT)}, so another computer may have it, too. Send it from only one of them.`;
    assert.ok((await textsOf({ earlier: [unfinished] })).includes(moved));
    assert.ok(!(await textsOf({ earlier: [done] })).includes(moved));
    const other = sent({ a: 'notSent' }, { digest: 'other', source: undefined as never });
    other.status.apply({ what: 'moved', at: AT });
    assert.ok(!(await textsOf({ earlier: [other] })).includes(moved));
    const purpose = resendOf(other.status.delivery);
    assert.ok((await textsOf({ earlier: [other], purpose })).includes(moved));
    const edit = { type: 'edit' as const, entry: { ...other, editedDue: AT } };
    assert.ok((await textsOf({ earlier: [edit.entry], purpose: edit })).includes(moved));
  });

  it('ignore other messages and services, and what is being edited, which is replaced', async () => {
    const before = [
      { ...sent({ a: 'unknown' }), editedDue: AT },
      sent({ a: 'reached' }, { digest: 'other', source: 'file:///other.md' }),
      sent({ a: 'reached' }, { service: 'https://other.test' }),
    ];
    assert.deepEqual(await warningsOf({ earlier: before }), []);
  });

  it('count the remaining recipients of a running delivery', async () => {
    const states = { a: 'notSent', b: 'notSent', c: 'rejected', d: 'absent' } as const;
    assert.match(
      (await textsOf({ earlier: [runningEntry(sent(states).status)], recipients: groups('a', 'b', 'c', 'd') })).join(),
      /already sent to 2 of these recipients/,
    );
    assert.deepEqual(await warningsOf({ earlier: [sent(states)] }), []);
  });

  it('distinguish a group and a user with the same ID', async () => {
    const recipients: Recipient[] = [{ kind: 'user', id: 'a', name: 'A' }];
    assert.deepEqual(await warningsOf({ recipients, earlier: [sent({ a: 'reached' })] }), []);
  });

  it('include uncertain recipients, counted only once', async () => {
    const before = [sent({ a: 'unknown', b: 'unconfirmed', c: 'reached' })];
    const uncertain = groups('a', 'b', 'stranger');
    const purpose = resendOf(before[0]?.status.delivery ?? assert.fail(), { uncertain });
    assert.deepEqual(await warningsOf({ earlier: before, purpose }), [
      { text: '2 recipients may already have this message. At worst, they get it twice.' },
      sentTo(`This message was already sent to group c (c): ${time(AT)}.`, 'c'),
    ]);
  });

  it('include a change of the document since it was last sent', async () => {
    const older = sent({ x: 'reached' }, { digest: 'older', at: AT + HOUR });
    const same = sent({ x: 'reached' }, { digest: 'same', at: AT + 2 * HOUR });
    const changed = {
      text: `The text has changed since this document was last sent: ${time(AT + HOUR)}. “Compare” opens both, and sends nothing.`,
      compare: older.status.delivery.id,
    };
    assert.deepEqual(await warningsOf({ earlier: [older] }), [changed]);
    assert.deepEqual(await warningsOf({ earlier: [same, older] }), []);
    assert.deepEqual(await warningsOf({ earlier: [{ ...older }, same] }), [changed]);
    // It was scheduled, and canceled.
    const unsent = sent({ x: 'notSent' }, { digest: 'newer', at: AT + 3 });
    assert.deepEqual(await warningsOf({ earlier: [unsent, older] }), [changed]);
    assert.deepEqual(await warningsOf({ earlier: [unsent] }), []);
    // A test in one chat isn't what the recipients have.
    const test = sent({ x: 'reached' }, { digest: 'same', at: AT + 3 * HOUR, isTest: true });
    assert.deepEqual(await warningsOf({ earlier: [test, older] }), [changed]);
  });

  it('ignore changes of other documents, content types and services', async () => {
    const before = [
      sent({ x: 'reached' }, { digest: 'other', source: 'file:///other.md' }),
      sent({ x: 'reached' }, { digest: 'other', message: { contentType: 'text', content: { text: 'Hello' } } }),
      sent({ x: 'reached' }, { digest: 'other', service: 'https://other.test' }),
    ];
    assert.deepEqual(await warningsOf({ earlier: before }), []);
    for (const source of [SOURCE, undefined]) {
      const one = sent({ x: 'reached' }, { digest: 'other', source });
      assert.deepEqual(await warningsOf({ draft: { message: text }, earlier: [one] }), []);
    }
  });

  it('ignore changes of files and images', async () => {
    const message = { contentType: 'file', content: { fileName: 'a.pdf', fileUrl: 'https://a.test/a.pdf' } } as const;
    const before = [sent({ x: 'reached' }, { digest: 'other', message })];
    assert.deepEqual(await warningsOf({ draft: { source: SOURCE, message }, earlier: before }), []);
  });

  it('include HTML, whose fields are undocumented', async () => {
    const message = { contentType: 'html', content: { text: '<p>Hello' } } as const;
    assert.deepEqual(await textsOf({ draft: { message } }), ['The service may refuse HTML, or show it differently.']);
  });

  it('include empty values, several hosts, many calls and long messages', async () => {
    const [first] = groups('a');
    assert.ok(first);
    const batches = Array.from({ length: 1_000 }, () => ({ recvType: 'group' as const, recipients: [first] }));
    const empty = [{ name: 'order', count: 3, first }];
    const hosts = new Map([
      ['shop', new Set(['shop.example'])],
      ['link', new Set(['a.example', 'b.example'])],
    ]);
    assert.deepEqual(await textsOf({ plan: { batches, empty, hosts, longest: 10_000 } }), [
      '{{order}} is empty for 3 recipients, such as group a (a).',
      'The links in {{link}} go to 2 hosts: a.example, b.example.',
      'Large number of calls: 1,000, which take about 2 minutes. Keep a window open until then.',
      'Long message: 10,000 characters.',
    ]);
  });

  it('count those as having a message with variables who got the same values', async () => {
    const [a, b, c] = groups('a', 'b', 'c');
    assert.ok(a && b && c);
    const batch = (recipient: typeof a, ...values: string[]) => ({
      recvType: recipient.kind,
      recipients: [recipient],
      values,
    });
    const earlier = sent({});
    const delivery = {
      ...earlier.status.delivery,
      variables: ['x'],
      batches: [batch(a, '1'), batch(b, '2'), batch(c, '3')],
    };
    const lines = [0, 1, 2].map(
      (at): JournalLine => ({ what: 'failed', batch: at, attempt: 0, at: AT, state: 'unknown' }),
    );
    const warnings = await warningsOf({
      draft: { source: SOURCE, message: { contentType: 'text', content: { text: 'Hi {{x|3}}' } }, variables: ['x'] },
      plan: { batches: [batch(a, '1'), batch(b, '3'), batch(c, '')], empty: [], hosts: new Map(), longest: 5 },
      earlier: [storedEntry(new DeliveryStatus(delivery, [], lines))],
    });
    assert.match(warnings[0]?.text ?? '', /already sent to 2 of these recipients/);
  });

  it('include deliveries that can’t be read', async () => {
    const before = [{ id: 'x', error: new Error('damaged') }, sent({ a: 'reached' })];
    const found = await textsOf({ earlier: before, recipients: groups('b') });
    assert.deepEqual(found, ["1 delivery in the outbox can't be read. It may have sent this message before."]);
  });

  it('never block for long, however many deliveries there are', async () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => `${index}`);
    const states = Object.fromEntries(ids.slice(0, 2_000).map((id) => [id, 'reached' as const]));
    const before = Array.from({ length: 20 }, () => sent(states));
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const found = await warningsOf({ earlier: before, recipients: groups(...ids) });
    clearInterval(timer);
    assert.equal(found[0]?.needless?.size, 2_000);
    assert.ok(turns > 0);
  });
});
