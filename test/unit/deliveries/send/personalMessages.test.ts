import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TextDocument, Uri, type window } from 'vscode';
import { DraftReader } from '../../../../src/deliveries/draft/draftReader.ts';
import { resumeDelivery } from '../../../../src/deliveries/outbox/runDelivery.ts';
import { DraftSender } from '../../../../src/deliveries/send/draftSender.ts';
import { csvOf, reportOf } from '../../../../src/deliveries/view/report.ts';
import { writtenMessage } from '../../../../src/markup/markdownVariables.ts';
import type { Outgoing } from '../../../../src/service/message.ts';
import { answer, type Modal, onMessages, onModals, restore } from '../../answers.ts';
import { useService } from '../../test-service.ts';
import { BOT } from '../outbox/testDeliveries.ts';
import { openOutbox } from '../outbox/testOutbox.ts';

interface Call {
  recvIds: string[];
  contentType: string;
  content: { text?: string; buttons?: Outgoing['content']['buttons'] };
}

describe('Sending messages with the values of their recipients', () => {
  const service = useService({ people: ['7058314'], 'service.callsPerSecond': 1000 });
  let open: Awaited<ReturnType<typeof openOutbox>>;
  let sender: DraftSender;
  let calls: Call[];
  let asked: Modal[];

  beforeEach(async () => {
    open = await openOutbox(service);
    await mkdir(open.folder, { recursive: true });
    sender = new DraftSender(open.host, open.controller, new DraftReader(open.host));
    calls = [];
    service.instead = (request) => {
      if (request.url.includes('batch_send'))
        void request
          .clone()
          .json()
          .then((call) => calls.push(call as Call));
      return undefined;
    };
  });

  afterEach(async () => {
    restore();
    await open.close();
  });

  const confirm = (...answers: string[]) => {
    onMessages();
    asked = onModals((_, at) => answers[at]);
  };

  const document = (text: string) => {
    const uri = Uri.file(join(open.folder, 'order.md'));
    return { uri, isUntitled: false, languageId: 'markdown', getText: () => text } as TextDocument;
  };
  const draftOf = (text: string) => new DraftReader(open.host).draftIn(document(text));
  const csv = (...lines: string[]) => writeFile(join(open.folder, 'customers.csv'), lines.join('\n'));
  const BLOCK = '---\nchat:\n  recipients: customers.csv\n  kind: person\n---\n\n';
  const texts = () => calls.map(({ recvIds, content }) => [recvIds.join(), content.text]);

  it('sends each recipient of a file their own text, and says so before', async () => {
    await csv('id,name,order', '7058314,Ann,17', '7102649,张*伟*,', '7230581,Tom,19', '7315926,Tom,19');
    confirm('Send');
    await sender.sendDraft(await draftOf(`${BLOCK}Dear {{name}}, order {{order}} is here.`));
    assert.deepEqual(texts(), [
      ['7058314', 'Dear Ann, order 17 is here.'],
      ['7102649', 'Dear 张\\*伟\\*, order  is here.'],
      ['7230581,7315926', 'Dear Tom, order 19 is here.'],
    ]);
    assert.equal(
      asked[0]?.detail,
      [
        '⚠ {{order}} is empty for 张*伟* (7102649).',
        `Bot: Order Desk (${BOT})\nService: ${service.sandbox.openApiUrl}`,
        'To:\n• Ann (7058314)\n• 张*伟* (7102649)\n• Tom (7230581)\n• Tom (7315926)',
        '3 different messages, in 3 calls',
        '张*伟* (7102649) gets:\n│ Dear 张\\*伟\\*, order is here.',
        'Ann (7058314) gets:\n│ Dear Ann, order 17 is here.',
        'Tom (7230581) gets:\n│ Dear Tom, order 19 is here.',
      ].join('\n\n'),
    );
  });

  it('shows the preview instead of sending on request', async () => {
    await csv('id,name', '7058314,Ann');
    const ran: unknown[] = [];
    open.host.commands.run = async (...command) => void ran.push(...command.map(String));
    confirm('Show Preview');
    await sender.sendDraft(await draftOf(`${BLOCK}Dear {{name}}`));
    assert.deepEqual([calls, ran], [[], ['preview', `${document('').uri}`]]);
    assert.equal(asked.length, 1);
  });

  it('looks up what the file doesn’t say', async () => {
    confirm('Send');
    const draft = await draftOf('---\nchat:\n  people: [7058314, 7521170]\n---\n\n{{name}} {{isVip}} {{onLineDay}}');
    await sender.sendDraft(draft);
    assert.deepEqual(texts(), [
      ['7058314', 'Alice Fernhollow 0 1204'],
      ['7521170', 'Owen Pikestaff 1 1101'],
    ]);
  });

  it('percent-encodes values in the addresses of buttons', async () => {
    await csv('id,q,link', '7058314,a b&c,https://shop.test/?x=1&y=2');
    confirm('Send');
    const rows = [
      '    - text: Hi {{q}}',
      '      opens: https://a.test/?q={{q}}',
      '    - text: Open',
      '      opens: "{{link}}"',
    ];
    await sender.sendDraft(
      await draftOf(
        `---\nchat:\n  recipients: customers.csv\n  kind: person\n  buttons:\n${rows.join('\n')}\n---\n\nHi`,
      ),
    );
    assert.deepEqual(calls[0]?.content.buttons, [
      [
        { text: 'Hi a b&c', actionType: 1, url: 'https://a.test/?q=a%20b%26c' },
        { text: 'Open', actionType: 1, url: 'https://shop.test/?x=1&y=2' },
      ],
    ]);
  });

  it('tests with one chat first, which gets the text of the first recipient', async () => {
    await csv('id,name', '7102649,Bo', '7230581,Cy');
    confirm('Test…', 'Send to This Chat', 'Send');
    answer('showQuickPick', (async (items: { chats?: { id: string }[] }[]) =>
      items.find(({ chats }) => chats?.[0]?.id === '7058314')) as unknown as typeof window.showQuickPick);
    await sender.sendDraft(await draftOf(`${BLOCK}Dear {{name}}`));
    assert.deepEqual(texts(), [
      ['7058314', 'Dear Bo'],
      ['7102649', 'Dear Bo'],
      ['7230581', 'Dear Cy'],
    ]);
  });

  it('resumes and resends what was confirmed, whatever the file says now', async () => {
    await csv('id,name', '7058314,Ann', '7102649,Bo', '7230581,Cy', '7850437,Dee');
    confirm('Send', 'Resume', 'Send');
    const draft = await draftOf(`${BLOCK}Dear {{name}}`);
    service.instead = async (request) => {
      if (!request.url.includes('batch_send')) return undefined;
      calls.push((await request.clone().json()) as Call);
      return calls.length === 1 ? Response.json({ code: 1003, msg: 'no' }) : undefined;
    };
    await sender.sendDraft(draft);
    await csv('id,name', '7058314,X', '7102649,X', '7230581,X', '7850437,X');
    const [entry] = await open.outbox.all();
    const { id, message, variables, batches } = entry?.status.delivery ?? assert.fail();
    assert.deepEqual(
      [message.contentType, variables, batches.map(({ values }) => values)],
      ['markdown', ['name'], [['Ann'], ['Bo'], ['Cy'], ['Dee']]],
    );
    assert.ok(batches.every(({ digest }) => /^[\da-f]{32}$/.test(digest ?? '')));
    await resumeDelivery(id, open.controller, open.host);
    const ran: unknown[] = [];
    open.host.commands.run = async (...command) => void ran.push(...command);
    confirm('Open Report');
    await sender.resend(id);
    assert.deepEqual(ran, ['openReport', id]);
    confirm('Resend');
    await sender.resend(id);
    const sent = new Map<string, string[]>();
    for (const { recvIds, content } of calls)
      for (const one of recvIds) sent.set(one, [...(sent.get(one) ?? []), content.text ?? '']);
    for (const [one, name] of Object.entries({ 7058314: 'Ann', 7102649: 'Bo', 7230581: 'Cy', 7850437: 'Dee' }))
      assert.deepEqual(new Set(sent.get(one)), new Set([`Dear ${name}`]), one);
  });

  it('reports what each recipient got', async () => {
    await csv('id,name', '7058314,Ann', '7102649,=Bo');
    confirm('Send');
    await sender.sendDraft(await draftOf(`${BLOCK}Dear\n{{name}}`));
    const [entry] = await open.outbox.all();
    assert.ok(entry);
    const rows = (await reportOf(entry)).split('\n').filter((line) => line.startsWith('|'));
    assert.match(rows[0] ?? '', /\| Details \| Text \|$/);
    assert.match(rows[2] ?? '', /^\| Ann \| 7058314 \| reached \| .* \| Dear Ann \|$/);
    const lines = (await csvOf(entry.status)).split('\r\n');
    assert.equal(lines[0], '"Recipient","Type","ID","Result","Details","name"');
    assert.match(lines[1] ?? '', /^"Ann","person","7058314","reached",".*","Ann"$/);
    assert.match(lines[2] ?? '', /,"'=Bo"$/);
  });

  it('finds unknown variables that YAML puts together, and columns that are only in code or escaped', async () => {
    await csv('id,name', '7058314,Ann');
    const button = '  buttons:\n    - text: Hi {{first\n        name}}\n      copies: x\n';
    await assert.rejects(
      draftOf(BLOCK.replace('---\n\n', `${button}---\n\n{{name}}`)),
      /Unknown variable \{\{first name\}\}\./,
    );
    await assert.rejects(draftOf(`${BLOCK}Hi \`{{name}}\``), /Variables in code stay as they are: \{\{name\}\}\./);
    const { problems } = await draftOf(`${BLOCK}Hi {{name}}, C:\\{{name}}`);
    assert.deepEqual(problems, ['Because of the backslash, {{name}} stays as it is.']);
  });

  it('can be edited again as they were written', async () => {
    for (const text of ['Hi `{{a}}` \\{{b}} {{name}}', 'Hi `{{a}}` \\{{b}}']) {
      const { message, variables = [] } = await draftOf(text);
      const written = writtenMessage(message, variables.length > 0);
      assert.deepEqual(written.content, { text }, text);
    }
  });

  it('sends no value that contains the token', async () => {
    await csv('id,name', `7058314,${service.sandbox.token(BOT)}`);
    confirm('Send');
    for (const text of ['Dear {{name}}', 'Dear all'])
      await assert.rejects(sender.sendDraft(await draftOf(BLOCK + text)), /contains the bot's token/);
    assert.deepEqual(calls, []);
  });
});
