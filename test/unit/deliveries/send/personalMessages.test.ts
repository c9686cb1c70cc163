import assert from 'node:assert/strict';
import { resumeDelivery } from '../../../../src/deliveries/outbox/runDelivery.ts';
import { csvOf, reportOf } from '../../../../src/deliveries/view/report.ts';
import { TOKEN } from '../outbox/testDeliveries.ts';
import { onChoice, useSending } from './testSending.ts';

const BLOCK = '---\nchat:\n  recipients: customers.csv\n  kind: person\n---\n\n';

describe('Sending messages with the values of their recipients', () => {
  const sending = useSending({ people: ['7058314'] });

  const csv = (...lines: string[]) => sending.write('customers.csv', ...lines);
  const send = async (text: string) => sending.sender.sendDraft(await sending.draftIn(text));
  const texts = () => sending.calls.map(({ recvIds, content }) => [recvIds.join(), content.text]);

  it('sends each recipient of a file their own text, and says so before', async () => {
    await csv('id,name,order', '7058314,Ann,17', '7102649,张*伟*,', '7230581,Tom,19', '7315926,Tom,19');
    const asked = sending.press('Send');
    await send(`${BLOCK}Dear {{name}}, order {{order}} is here.`);
    assert.deepEqual(texts(), [
      ['7058314', 'Dear Ann, order 17 is here.'],
      ['7102649', 'Dear 张\\*伟\\*, order  is here.'],
      ['7230581,7315926', 'Dear Tom, order 19 is here.'],
    ]);
    assert.deepEqual(asked[0]?.detail.split('\n\n').toSpliced(1, 1), [
      '⚠ {{order}} is empty for 张*伟* (7102649).',
      'To:\n• Ann (7058314)\n• 张*伟* (7102649)\n• Tom (7230581)\n• Tom (7315926)',
      '3 different messages, in 3 calls',
      '张*伟* (7102649) gets:\n│ Dear 张\\*伟\\*, order is here.',
      'Ann (7058314) gets:\n│ Dear Ann, order 17 is here.',
      'Tom (7230581) gets:\n│ Dear Tom, order 19 is here.',
    ]);
  });

  it('shows the preview instead of sending on request', async () => {
    await csv('id,name', '7058314,Ann');
    const asked = sending.press('Show Preview');
    const draft = await sending.draftIn(`${BLOCK}Dear {{name}}`);
    await sending.sender.sendDraft(draft);
    const ran = sending.open.ran.map((command) => String(command));
    assert.deepEqual([sending.calls, ran, asked.length], [[], [`preview,${draft.source}`], 1]);
  });

  it('looks up what the file doesn’t say', async () => {
    sending.press('Send');
    await send('---\nchat:\n  people: [7058314, 7521170]\n---\n\n{{name}} {{isVip}} {{onLineDay}}');
    assert.deepEqual(texts(), [
      ['7058314', 'Alice Fernhollow 0 1204'],
      ['7521170', 'Owen Pikestaff 1 1101'],
    ]);
  });

  it('tests with one chat first, which gets the text of the first recipient', async () => {
    await csv('id,name', '7102649,Bo', '7230581,Cy');
    sending.press('Test…', 'Send to This Chat', 'Send');
    onChoice((items) => items.find(({ description }) => description?.includes('7058314')));
    await send(`${BLOCK}Dear {{name}}`);
    assert.deepEqual(texts(), [
      ['7058314', 'Dear Bo'],
      ['7102649', 'Dear Bo'],
      ['7230581', 'Dear Cy'],
    ]);
  });

  it('resumes and resends what was confirmed, whatever the file says now', async () => {
    const { controller, host, outbox, ran } = sending.open;
    await csv('id,name', '7058314,Ann', '7102649,Bo', '7230581,Cy', '7850437,Dee');
    const draft = await sending.draftIn(`${BLOCK}Dear {{name}}`);
    sending.answerCall = async () =>
      sending.calls.length === 1 ? Response.json({ code: 1003, msg: 'no' }) : undefined;
    sending.press('Send');
    await sending.sender.sendDraft(draft);
    await csv('id,name', '7058314,X', '7102649,X', '7230581,X', '7850437,X');
    const { id } = (await sending.last()).status.delivery;
    sending.press('Resume');
    await resumeDelivery(id, controller, host);
    sending.press('Open Report');
    await sending.sender.resend(id);
    assert.deepEqual(ran, [['openReport', id]]);
    sending.press('Resend');
    await sending.sender.resend(id);
    assert.equal((await outbox.all()).length, 2);
    assert.deepEqual(
      new Set(texts().map((call) => call.join())),
      new Set(['7058314,Dear Ann', '7102649,Dear Bo', '7230581,Dear Cy', '7850437,Dear Dee']),
    );
  });

  it('reports what each recipient got', async () => {
    await csv('id,name', '7058314,Ann', '7102649,=Bo');
    sending.press('Send');
    await send(`${BLOCK}Dear\n{{name}}`);
    const entry = await sending.last();
    const rows = (await reportOf(entry)).split('\n').filter((line) => line.startsWith('|'));
    assert.match(rows[0] ?? '', /\| Details \| Text \|$/);
    assert.match(rows[2] ?? '', /^\| Ann \| 7058314 \| reached \| .* \| Dear Ann \|$/);
    const lines = (await csvOf(entry.status)).split('\r\n');
    assert.equal(lines[0], '"Recipient","Type","ID","Result","Details","name"');
    assert.match(lines[1] ?? '', /^"Ann","person","7058314","reached",".*","Ann"$/);
    assert.match(lines[2] ?? '', /,"'=Bo"$/);
  });

  it('sends no value that contains the token', async () => {
    await csv('id,name', `7058314,${TOKEN}`);
    sending.press('Send');
    for (const text of ['Dear {{name}}', 'Dear all'])
      await assert.rejects(send(BLOCK + text), /contains the bot's token/);
    assert.deepEqual(sending.calls, []);
  });
});
