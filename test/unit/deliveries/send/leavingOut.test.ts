import assert from 'node:assert/strict';
import { dueSender } from '../../../../src/deliveries/outbox/runDelivery.ts';
import { csvOf } from '../../../../src/deliveries/view/report.ts';
import { NeverListError } from '../../../../src/presentation/neverSend.ts';
import { type Modal, onLists, onMessages, onPicker } from '../../answers.ts';
import { configure } from '../../test-service.ts';
import { TOKEN } from '../outbox/testDeliveries.ts';
import { onChoice, useSending } from './testSending.ts';

/** The lines of a question that say who is left out. */
const linesOf = (asked: Modal | undefined) => asked?.detail.match(/^⊘ .*/gm) ?? [];

const never = (...people: unknown[]) => configure({ 'sending.never': { people } });

describe('Sending leaves out', () => {
  const sending = useSending({ people: ['7058314', '7102649'] });
  afterEach(() => configure({ 'sending.never': undefined, audiences: undefined }));

  it('who is on the Do Not Send list, even if named by hand, and says so before', async () => {
    await never({ id: '7102649', note: 'asked to stop' }, '1', '2', '3', '4');
    const asked = sending.press('Send');
    await sending.sender.sendDraft(await sending.draftWith('people: [7058314, 7102649, 1, 2, 3, 4]'));
    assert.deepEqual(linesOf(asked[0]), [
      '⊘ Left out, on your Do Not Send list (5): 闻山禾 (7102649) (asked to stop), 1, 2, … and 2 more',
    ]);
    assert.deepEqual(sending.sentTo, ['7058314']);
    const csv = (await csvOf((await sending.last()).status)).split('\r\n');
    assert.equal(csv[2], '"闻山禾","person","7102649","left out","On your Do Not Send list: asked to stop"');
    assert.equal(csv.length, 8);
  });

  it('who is under except:, in audiences and in files, too, and rows that where: doesn’t pick', async () => {
    await never('5', '6');
    await configure({ audiences: { team: { people: ['2', '7058314'] } } });
    await sending.write('all.csv', 'id,city', '1,Berlin', '2,Berlin', '3,Berlin', '4,Rome', '5,Rome', '6,Berlin');
    await sending.write('past.csv', 'id,when', '3,May', '3,June', '9,May');
    const asked = sending.press('Send');
    await sending.sender.sendDraft(
      await sending.draftWith(
        'people: [7058314, 4]',
        'recipients: all.csv',
        'kind: person',
        'where: { city: Berlin }',
        'except: { people: ["6"], audiences: [team], recipients: past.csv, kind: person }',
      ),
    );
    assert.deepEqual(sending.sentTo, ['1']);
    assert.deepEqual(linesOf(asked[0]), [
      '⊘ Left out, on your Do Not Send list (2): 6, 5',
      '⊘ Left out by except (3): Alice Fernhollow (7058314) (team), 2 (team), 3 (past.csv)',
      '⊘ Left out by where (1): 4',
    ]);
    const { people, rows } = (await sending.last()).status.delivery.leftOut ?? assert.fail();
    assert.deepEqual(
      people.map(({ id, by, also = [] }) => [id, by, ...also.map((one) => one.by)].join(' ')),
      ['7058314 except', '4 where', '2 except', '3 except', '6 never except', '5 never where'],
    );
    assert.equal(rows, 0);
  });

  it('rows of a file, of which it names the first', async () => {
    const rows = Array.from({ length: 10 }, (_, at) => `${at + 1},${at < 5 ? 'Berlin' : 'Rome'}`);
    await sending.write('all.csv', 'id,city', ...rows);
    const asked = sending.press('Send');
    await sending.sender.sendDraft(
      await sending.draftWith('recipients: all.csv', 'kind: person', 'where: { city: Berlin }'),
    );
    assert.deepEqual(sending.sentTo, ['1', '2', '3', '4', '5']);
    assert.deepEqual(linesOf(asked[0]), ['⊘ Left out by where (5): 6, 7, 8, … and 2 more']);
    assert.deepEqual((await sending.last()).status.delivery.leftOut, { people: [], rows: 5 });
  });

  it('nobody silently: if everyone is left out, it says who and sends nothing', async () => {
    await never('7058314');
    await assert.rejects(
      sending.sender.sendDraft(await sending.draftWith('people: [7058314]')),
      /^UserFacingError: Nothing is sent: everyone is left out\. ⊘ Left out, on your Do Not Send list \(1\): .*7058314/,
    );
    await configure({ audiences: { staff: { people: [] } } });
    await sending.write('few.csv', 'id,kind,city', '7102649,person,');
    const lists = onLists('escape');
    await assert.rejects(
      sending.sender.sendDraft(
        await sending.draftWith('audiences: [staff]', 'recipients: few.csv', 'where: { city: present }'),
      ),
      /^UserFacingError: Nothing is sent: everyone is left out\. ⊘ Left out by where \(1\): .*7102649/,
    );
    await never('a b');
    await assert.rejects(sending.draftWith('people: [7058314]'), NeverListError);
    assert.deepEqual([sending.sentTo, lists], [[], []]);
  });

  it('nobody with a note that contains the token, which is never stored', async () => {
    await never({ id: '7102649', note: `not ${TOKEN}` });
    sending.press('Send');
    await assert.rejects(
      sending.sender.sendDraft(await sending.draftWith('people: [7058314, 7102649]')),
      /contains the bot's token/,
    );
    assert.deepEqual([sending.sentTo, await sending.open.outbox.all()], [[], []]);
  });

  it('everyone if the list can’t be read after the confirmation, and offers to open it', async () => {
    let offered: readonly string[] = [];
    sending.press(async () => {
      await never('a b');
      onMessages((_, buttons) => {
        offered = buttons;
        return undefined;
      });
      return 'Send';
    });
    await sending.sender.sendDraft(await sending.draftWith('people: [7058314, 7102649]'));
    assert.deepEqual(sending.sentTo, []);
    assert.ok(offered.includes('Open List'), String(offered));
  });

  it('who is put on the list before a message is sent later', async () => {
    const { host, outbox } = sending.open;
    sending.press('Later…');
    onPicker(async ([first]) => first);
    await sending.sender.sendDraft(await sending.draftWith('people: [7058314, 7102649]'));
    const entry = await sending.scheduled();
    await configure({ 'sending.never': { people: 7 } });
    const send = dueSender(outbox, host);
    await assert.rejects(
      send(entry, () => assert.fail('taken')),
      NeverListError,
    );
    assert.ok(await sending.scheduled());
    await never('7102649');
    await send(entry, () => outbox.take(entry));
    assert.deepEqual(sending.sentTo, ['7058314']);
  });

  for (const [how, block, line] of [
    [
      'even if the list was the reason',
      ['people: [7058314, 7102649]', 'except: { people: [7102649] }'],
      /^⊘ Left out by except \(1\): 闻山禾 \(7102649\)$/,
    ],
    [
      'even if they were no recipients',
      ['people: [7058314]', 'except: { recipients: no.csv }'],
      /^⊘ Left out by except \(1\): .*7102649.* \(no\.csv\)$/,
    ],
  ] as const)
    it(`who is under except: in resends as well, if they are chosen there, ${how}`, async () => {
      await sending.write('no.csv', 'id,kind', '7102649,person');
      await never('7102649');
      sending.answerCall = async () => Response.json({ code: 1005, msg: 'no' });
      sending.press('Send');
      await sending.sender.sendDraft(await sending.draftWith(...block));
      sending.answerCall = async () => undefined;
      await never();
      onLists(({ description = '' }) => /7058314|7102649/.test(description));
      const asked = sending.press('Change Recipients…', 'Resend');
      await sending.sender.resend((await sending.last()).status.delivery.id);
      assert.match(linesOf(asked[1]).join(), line);
      assert.deepEqual(sending.sentTo, ['7058314', '7058314']);
    });

  it('a chat that a message is tried with', async () => {
    await never('7058314');
    let lists = 0;
    onChoice((items, at) => {
      lists++;
      return at === 0 ? items.find(({ description }) => description?.includes('7058314')) : undefined;
    });
    sending.press('Test…');
    await sending.sender.sendDraft(await sending.draftWith('people: [7102649]'));
    assert.deepEqual([lists, sending.sentTo], [2, []]);
    assert.match(sending.said.join(), /Left out, on your Do Not Send list \(1\): .*7058314/);
  });
});
