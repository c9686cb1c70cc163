import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type QuickPickItem, type TextDocument, Uri } from 'vscode';
import { DraftReader } from '../../../../src/deliveries/draft/draftReader.ts';
import type { OutboxController } from '../../../../src/deliveries/outbox/outboxController.ts';
import { dueSender, sendDeliveryNow } from '../../../../src/deliveries/outbox/runDelivery.ts';
import { DraftSender } from '../../../../src/deliveries/send/draftSender.ts';
import { csvOf } from '../../../../src/deliveries/view/report.ts';
import type { Host } from '../../../../src/platform/host.ts';
import { NeverListError } from '../../../../src/presentation/neverSend.ts';
import { answer, onLists, onMessages, onModals, onPicker, restore } from '../../answers.ts';
import { configure, useService } from '../../test-service.ts';
import { BOT } from '../outbox/testDeliveries.ts';
import { openOutbox } from '../outbox/testOutbox.ts';

describe('Sending leaves out', () => {
  const service = useService({ people: ['7058314', '7102649'], 'service.callsPerSecond': 1000 });
  let open: Awaited<ReturnType<typeof openOutbox>>;
  let host: Host;
  let sender: DraftSender;
  let controller: OutboxController;
  let sent: string[];
  const calls: Promise<unknown>[] = [];
  let asked: { message: string; detail: string; buttons: string[] }[];

  beforeEach(async () => {
    open = await openOutbox(service);
    ({ host, controller } = open);
    await mkdir(open.folder, { recursive: true });
    sender = new DraftSender(host, controller, new DraftReader(host));
    watchCalls();
  });
  afterEach(async () => {
    restore();
    service.instead = () => undefined;
    await open.close();
    await configure({ 'sending.never': undefined, 'sending.batchSize': undefined, audiences: undefined });
  });

  /** Answers the questions in turn, with a button or with what the function does before. */
  const confirm = (...answers: (string | (() => Promise<string>))[]) => {
    onMessages();
    asked = onModals((_, at) => {
      const next = answers[at];
      return typeof next === 'function' ? next() : next;
    });
  };
  const never = (...people: unknown[]) => configure({ 'sending.never': { people } });
  const write = (name: string, ...lines: string[]) => writeFile(join(open.folder, name), lines.join('\n'));
  const draftOf = (...block: string[]) => {
    const text = ['---', 'chat:', ...block.map((line) => `  ${line}`), '---', '', 'Hello'].join('\n');
    const uri = Uri.file(join(open.folder, 'news.md'));
    const document = { uri, isUntitled: false, languageId: 'markdown', getText: () => text } as TextDocument;
    return new DraftReader(host).draftIn(document);
  };
  /** Notes whom calls are to, which are answered by `answers`, or by the service. */
  const watchCalls = (answers: () => Response | undefined = () => undefined) => {
    sent = [];
    service.instead = (request) => {
      if (!request.url.includes('batch_send')) return undefined;
      calls.push(
        request
          .clone()
          .json()
          .then((call) => sent.push(...(call as { recvIds: string[] }).recvIds)),
      );
      const answered = answers();
      return answered && Promise.resolve(answered);
    };
  };
  const sentTo = async () => {
    await Promise.all(calls.splice(0));
    return sent;
  };
  const stored = async () => (await controller.outbox.all())[0] ?? assert.fail();
  const lines = () => asked.at(-1)?.detail.match(/^⊘ .*/gm) ?? [];

  it('who is on the Do Not Send list, even if named by hand, and says so before', async () => {
    await never({ id: '7102649', note: 'asked to stop' }, '1', '2', '3', '4');
    confirm('Send');
    await sender.sendDraft(await draftOf('people: [7058314, 7102649, 1, 2, 3, 4]'));
    assert.equal(asked[0]?.message, 'Send “news.md” as Order Desk to 1 person?');
    assert.deepEqual(lines(), [
      '⊘ Left out, on your Do Not Send list (5): 闻山禾 (7102649) (asked to stop), 1, 2, … and 2 more',
    ]);
    assert.deepEqual(await sentTo(), ['7058314']);
    const { status } = await stored();
    const csv = (await csvOf(status)).split('\r\n');
    assert.equal(csv[2], '"闻山禾","person","7102649","left out","On your Do Not Send list: asked to stop"');
    assert.equal(csv.length, 8);
  });

  it('who is under except:, in audiences and in files, too, and rows that where: doesn’t pick', async () => {
    await never('5', '6');
    await configure({ audiences: { team: { people: ['2', '7058314'] } } });
    await write(
      'all.csv',
      'id,city,plan',
      '1,Berlin,pro',
      '2,Berlin,team',
      '3,Berlin,pro',
      '4,Rome,pro',
      '5,Rome,pro',
      '6,Berlin,',
    );
    await write('past.csv', 'id,when', '3,May', '3,June', '9,May');
    confirm('Send');
    await sender.sendDraft(
      await draftOf(
        ...['people: [7058314, 4]', 'recipients: all.csv', 'kind: person', 'where:', '  city: Berlin'],
        ...['except:', '  people: ["6"]', '  audiences: [team]', '  recipients: past.csv', '  kind: person'],
      ),
    );
    assert.deepEqual(await sentTo(), ['1']);
    assert.deepEqual(lines(), [
      '⊘ Left out, on your Do Not Send list (2): 6, 5',
      '⊘ Left out by except (3): Alice Fernhollow (7058314) (team), 2 (team), 3 (past.csv)',
      '⊘ Left out by where (1): 4',
    ]);
    const { delivery } = (await stored()).status;
    assert.deepEqual(
      delivery.leftOut?.people.map(({ id, by, note, also }) =>
        [id, by, note, ...(also ?? []).map((one) => one.by)].join(' '),
      ),
      ['7058314 except team', '4 where ', '2 except team', '3 except past.csv', '6 never  except', '5 never  where'],
    );
    assert.equal(delivery.leftOut?.rows, 0);
  });

  it('rows of a file, of which it names the first', async () => {
    const rows = Array.from({ length: 10 }, (_, at) => `${at + 1},${at < 5 ? 'Berlin' : 'Rome'}`);
    await write('all.csv', 'id,city', ...rows);
    confirm('Send');
    await sender.sendDraft(await draftOf('recipients: all.csv', 'kind: person', 'where: { city: Berlin }'));
    assert.deepEqual(await sentTo(), ['1', '2', '3', '4', '5']);
    assert.deepEqual(lines(), ['⊘ Left out by where (5): 6, 7, 8, … and 2 more']);
    assert.deepEqual((await stored()).status.delivery.leftOut, { people: [], rows: 5 });
  });

  it('nobody silently: if everyone is left out, it says who and sends nothing', async () => {
    await never('7058314');
    confirm();
    await assert.rejects(
      sender.sendDraft(await draftOf('people: [7058314]')),
      /Nothing is sent: everyone is left out\. ⊘ Left out, on your Do Not Send list \(1\): .*\(7058314\)/,
    );
    await configure({ audiences: { staff: { people: [] } } });
    await write('few.csv', 'id,kind,city', '7102649,person,');
    const nobodyPicked = await draftOf('audiences: [staff]', 'recipients: few.csv', 'where:', '  city: present');
    onLists('escape');
    await assert.rejects(
      sender.sendDraft(nobodyPicked),
      /Nothing is sent: everyone is left out\. ⊘ Left out by where \(1\): .*\(?7102649\)?/,
    );
    await configure({ 'sending.never': { people: ['a b'] } });
    await assert.rejects(draftOf('people: [7058314]'), /entries that can't be read, so nothing is sent: "a b"/);
    await assert.rejects(draftOf('people: [7058314]'), NeverListError);
    assert.deepEqual(await sentTo(), []);
  });

  it('nobody with a note that contains the token, which is never stored', async () => {
    await never({ id: '7102649', note: `not ${service.sandbox.token(BOT)}` });
    confirm('Send');
    await assert.rejects(sender.sendDraft(await draftOf('people: [7058314, 7102649]')), /contains the bot's token/);
    assert.deepEqual([await sentTo(), await controller.outbox.all()], [[], []]);
  });

  it('everyone if the list can’t be read after the confirmation, and offers to open it', async () => {
    let offered: readonly string[] = [];
    confirm(async () => {
      await never('a b');
      onMessages((_, buttons) => {
        offered = buttons;
        return undefined;
      });
      return 'Send';
    });
    await sender.sendDraft(await draftOf('people: [7058314, 7102649]'));
    assert.deepEqual(await sentTo(), []);
    assert.ok(offered.includes('Open List'), String(offered));
  });

  it('who is put on the list before a message is sent later', async () => {
    confirm('Later…');
    onPicker(async ([first]) => first);
    await sender.sendDraft(await draftOf('people: [7058314, 7102649]'));
    const [entry = assert.fail()] = await controller.outbox.scheduled();
    await configure({ 'sending.never': { people: 7 } });
    await assert.rejects(
      dueSender(controller.outbox, host)(entry, () => assert.fail('taken')),
      /Do Not Send list has entries that can't be read/,
    );
    assert.equal((await controller.outbox.scheduled()).length, 1);
    await never('7102649');
    confirm('Open Report');
    host.commands.run = async () => {};
    await sendDeliveryNow(entry.status.delivery.id, controller, host);
    assert.deepEqual(lines(), ['⊘ Left out, on your Do Not Send list (1): 闻山禾 (7102649)']);
    await dueSender(controller.outbox, host)(entry, () => controller.outbox.take(entry));
    assert.deepEqual(await sentTo(), ['7058314']);
  });

  for (const [how, block, line] of [
    [
      'even if the list was the reason',
      ['people: [7058314, 7102649]', 'except:', '  people: [7102649]'],
      /\(1\): 闻山禾 \(7102649\)$/,
    ],
    [
      'even if they were no recipients',
      ['people: [7058314]', 'except:', '  recipients: no.csv'],
      /7102649.* \(no\.csv\)$/,
    ],
  ] as const)
    it(`who is under except: in resends as well, if they are chosen there, ${how}`, async () => {
      await write('no.csv', 'id,kind', '7102649,person');
      await never('7102649');
      watchCalls(() => new Response(JSON.stringify({ code: 1005, msg: 'no' })));
      confirm('Send');
      await sender.sendDraft(await draftOf(...block));
      await sentTo();
      watchCalls();
      await never();
      onLists(({ description = '' }) => /7058314|7102649/.test(description));
      confirm('Change Recipients…', 'Resend');
      await sender.resend((await stored()).status.delivery.id);
      assert.match(lines().join(), /^⊘ Left out by except \(1\)/);
      assert.match(lines().join(), line);
      assert.deepEqual(await sentTo(), ['7058314']);
    });

  it('a chat that a message is tried with', async () => {
    await never('7058314');
    let lists = 0;
    answer('showQuickPick', (async (items: QuickPickItem[]) =>
      lists++ === 0
        ? items.find(({ label, description }) => `${label} ${description}`.includes('7058314'))
        : undefined) as never);
    confirm('Test…', 'escape');
    const errors: string[] = [];
    answer('showErrorMessage', (async (text: string) => void errors.push(text)) as never);
    await sender.sendDraft(await draftOf('people: [7102649]'));
    assert.deepEqual([lists, await sentTo()], [2, []]);
    assert.match(errors.join(), /Left out, on your Do Not Send list \(1\): Alice Fernhollow \(7058314\)/);
  });
});
