import assert from 'node:assert/strict';
import * as v from 'valibot';
import { Uri, window, workspace } from 'vscode';
import { AudienceEditor } from '../../../src/audiences/audienceEditor.ts';
import { HistoryCommands } from '../../../src/chats/history/commands/historyCommands.ts';
import type { HistoryPanels } from '../../../src/chats/history/historyPanels.ts';
import { headingOf } from '../../../src/chats/history/participants.ts';
import { listed, NO_RULES } from '../../../src/deliveries/draft/leaveOut.ts';
import { openNewDraft } from '../../../src/deliveries/draft/newDraft.ts';
import { unpickedText } from '../../../src/deliveries/draft/preview/draftView.ts';
import { DeliveryStatus } from '../../../src/deliveries/outbox/deliveryStatus.ts';
import { BatchPlan } from '../../../src/deliveries/plan/deliveryPlan.ts';
import { leftOutLines, recipientText, senderText } from '../../../src/deliveries/plan/planText.ts';
import { recipientItem } from '../../../src/deliveries/plan/recipientItems.ts';
import { namedBot, namedRecipients } from '../../../src/deliveries/plan/recipientNames.ts';
import { repliesCsv } from '../../../src/deliveries/replies/replyList.ts';
import { ReplyRecord } from '../../../src/deliveries/replies/replyStore.ts';
import { unpickedRows } from '../../../src/deliveries/send/steps.ts';
import { csvOf, reportOf } from '../../../src/deliveries/view/report.ts';
import { findRecipients, rowsOf } from '../../../src/deliveries/view/reportList.ts';
import type { Connection, Service } from '../../../src/platform/service.ts';
import { chatItems } from '../../../src/presentation/chatItems.ts';
import { nameOrId } from '../../../src/presentation/describe.ts';
import { Listed } from '../../../src/service/message.ts';
import { temporaryPath } from '../../host/temporary.ts';
import { answer, restore } from '../answers.ts';
import { BOT, deliveryOf, planBatches, storedEntry } from '../deliveries/outbox/testDeliveries.ts';
import { newHost } from '../test-host.ts';
import { configure, newConnection, useService } from '../test-service.ts';
import { closeDocuments } from '../vscode-editors.ts';

const ALICE = { kind: 'user', id: '7058314' } as const;

describe('A person whom the user has renamed', () => {
  useService({
    people: [{ id: ALICE.id, label: 'Mum' }],
    bots: [{ id: BOT, label: 'My bot' }],
    audiences: { team: { people: [ALICE.id] } },
  });
  let connection: Connection;
  let service: Service;

  before(async () => {
    connection = newConnection();
    service = await connection.open();
    await service.directory.get('user', ALICE.id);
    await service.directory.get('bot', BOT);
  });
  afterEach(() => {
    restore();
    closeDocuments();
  });
  after(() => connection.dispose());

  const textOf = ({ label = '', description = '' } = {}) => `${label} ${description}`;
  const recipient = async () => (await namedRecipients([ALICE], service))[0] ?? assert.fail();
  const status = new DeliveryStatus(deliveryOf(planBatches([{ ...ALICE, name: 'Alice Fernhollow' }], 1)), [], []);
  const listOf = async (text: string) =>
    rowsOf((await findRecipients(status, { results: [], text }, service.directory, () => true)) ?? [], status);
  const noArchive = { namesOf: async () => undefined };
  const unmatched = new Map([['user 7058314', { chat: ALICE, cells: ['7058314', 'Alice'], line: 2 }]]);
  const table = { columns: ['id', 'name'], rows: new Map(), problems: [], counts: { group: 0, user: 0 }, unmatched };
  const rules = NO_RULES.with('where', listed(unmatched));
  const here = () => ({ service: service.address, botId: BOT, ...ALICE });

  /** What each place shows, in which both names are found, if it tells people apart. */
  const places: Record<string, [show: () => Promise<string>, shown: RegExp]> = {
    'a list of chats': [async () => textOf(chatItems([ALICE], service).at(-1)), /Mum Alice \w+ · 7058314/],
    'a list of recipients': [async () => textOf(recipientItem(await recipient(), service)), /Mum Alice \w+ · 7058314/],
    'a confirmation': [async () => recipientText(await recipient()), /^Mum \(7058314\)$/],
    'its sender': [async () => senderText(await namedBot(service, BOT), service.address), /^Bot: My bot \(30481126\)/],
    'a row that isn’t picked, in a preview': [
      async () => unpickedText({ table, rules: rules }, 1, service),
      /^Left out by where \(1\): Mum$/,
    ],
    'a row that isn’t picked, in a confirmation': [
      async () => {
        const { rows } = await unpickedRows({ chats: [], table }, rules, service.directory);
        return leftOutLines([], rows).join();
      },
      /^⊘ Left out by where \(1\): Mum \(7058314\)$/,
    ],
    'the heading of a history': [
      async () => {
        const { name, summary } = await headingOf(async () => service, here(), noArchive);
        return `${name} ${summary}`;
      },
      /^Mum Alice \w+/,
    ],
  };
  for (const [place, [show, shown]] of Object.entries(places))
    it(`has that name in ${place}`, async () => assert.match(await show(), shown));

  const host = () => {
    const made = newHost({ connection });
    made.commands.run = async () => {};
    return made;
  };
  const opened = () => (window.activeTextEditor ?? assert.fail('no editor')).document.getText();
  const message = v.parse(Listed, { msgId: 'm', contentType: 'text', content: { text: 'Hello' } });
  const reached = async () => [{ recipient: await recipient(), msgId: 'm', others: new Set<string>() }];

  /** What is passed on from each place. */
  const documents: Record<string, [write: () => Promise<string>, written: RegExp]> = {
    'a new draft': [
      async () => {
        await openNewDraft(host(), [ALICE]);
        return opened();
      },
      /- "7058314" # Alice Fernhollow\n/,
    ],
    'a draft with the text of a message': [
      async () => {
        const panel = { botChat: here(), name: 'Mum', entry: () => message };
        await new HistoryCommands({ active: () => panel } as object as HistoryPanels, host()).useAsDraft({
          message: 'm',
        });
        return opened();
      },
      /- "7058314" # Alice Fernhollow\n/,
    ],
    'an audience as CSV': [
      async () => {
        const file = Uri.file(`${temporaryPath('audience')}.csv`);
        answer('showSaveDialog', async () => file);
        const { audiences, ...others } = host();
        await new AudienceEditor(audiences, others).exportCsv('team', service);
        return `${Buffer.from(await workspace.fs.readFile(file))}`;
      },
      /"person","7058314","Alice Fernhollow"/,
    ],
    'a report': [async () => reportOf(storedEntry(status)), /\| Alice Fernhollow \| 7058314 /],
    'a report as CSV': [async () => csvOf(status), /\n"Alice Fernhollow","person","7058314",/],
    'replies as CSV': [
      async () => repliesCsv(await reached(), { record: new ReplyRecord(), errorOf: () => undefined }),
      /\n"Alice Fernhollow","person","7058314",/,
    ],
    'what is recorded of a bot': [async () => (await namedBot(service, BOT)).name, /^Order Desk$/],
  };
  for (const [place, [write, written]] of Object.entries(documents))
    it(`has the service's name, which others may read, in ${place}`, async () => {
      const text = await write();
      assert.match(text, written);
      assert.doesNotMatch(text, /Mum|My bot/);
    });

  it('is found in a report by either name', async () => {
    for (const text of ['mum', 'fernhollow'])
      assert.deepEqual(
        (await listOf(text)).map(({ name }) => name),
        ['Mum'],
        text,
      );
  });

  it("isn't recorded under that name, which others could get", async () => {
    const plan = new BatchPlan(1);
    const planned = await recipient();
    plan.add(planned);
    assert.equal(planned.label, 'Mum');
    const [
      {
        recipients: [recorded],
      } = assert.fail(),
    ] = plan.batches;
    assert.deepEqual(recorded, { ...ALICE, name: planned.name });
    assert.match(planned.name, /^Alice/);
  });

  it('has another one as soon as the settings have, also without a lookup', async () => {
    const changed: string[] = [];
    const stop = service.directory.onDidChange((kind, id) => changed.push(`${kind} ${id}`));
    await configure({ people: [{ id: '1', label: 'One' }, ALICE.id] });
    stop();
    assert.deepEqual(changed.sort(), ['user 1', 'user 7058314']);
    assert.deepEqual(
      [nameOrId(service.directory, 'user', '1'), nameOrId(service.directory, 'group', '1')],
      ['One', '1'],
    );
    assert.match(nameOrId(service.directory, 'user', ALICE.id), /^Alice/);
  });
});
