import assert from 'node:assert/strict';
import { headingOf } from '../../../src/chats/history/participants.ts';
import { DeliveryStatus } from '../../../src/deliveries/outbox/deliveryStatus.ts';
import { BatchPlan } from '../../../src/deliveries/plan/batches.ts';
import { recipientText } from '../../../src/deliveries/plan/planText.ts';
import { recipientItem } from '../../../src/deliveries/plan/recipientItems.ts';
import { namedRecipients } from '../../../src/deliveries/plan/recipientNames.ts';
import { csvOf, reportOf } from '../../../src/deliveries/view/report.ts';
import { ReportList } from '../../../src/deliveries/view/reportList.ts';
import type { Connection, Service } from '../../../src/platform/service.ts';
import { candidateItems, lookupItem } from '../../../src/presentation/candidates.ts';
import { cardOf } from '../../../src/presentation/card.ts';
import { chatItems } from '../../../src/presentation/chatItems.ts';
import { nameOrId, namesAt } from '../../../src/presentation/describe.ts';
import { deliveryOf, planBatches, storedEntry } from '../deliveries/outbox/testDeliveries.ts';
import { configure, newConnection, type TestService, useService } from '../test-service.ts';

const ALICE = { kind: 'user', id: '7058314' } as const;

describe('A person whom the user has renamed', () => {
  let sandbox: TestService;
  let connection: Connection;
  let service: Service;

  before(async () => {
    sandbox = await useService({ people: [{ id: ALICE.id, label: 'Mum' }] });
    connection = newConnection();
    service = await connection.open();
    await service.directory.get('user', ALICE.id);
  });
  after(async () => {
    connection.dispose();
    await sandbox.close();
  });

  const found = () => service.directory.peek('user', ALICE.id) ?? assert.fail();
  const textOf = ({ label = '', description = '' } = {}) => `${label} ${description}`;
  const recipient = async () => (await namedRecipients([ALICE], service))[0] ?? assert.fail();
  const status = new DeliveryStatus(deliveryOf(planBatches([{ ...ALICE, name: 'Alice Fernhollow' }], 1)), [], []);
  const listed = async (text: string) =>
    (await ReportList.find(1, status, { results: [], text }, service.directory, () => true))?.more(status);
  const noArchive = { namesOf: async () => undefined };
  const here = () => ({ service: service.address, botId: '30481126', ...ALICE });

  /** What each place shows, in which both names are found, if it tells people apart. */
  const places: Record<string, [show: () => Promise<string>, shown: RegExp]> = {
    'a list of chats': [async () => textOf(chatItems([ALICE], service).at(-1)), /Mum Alice \w+ · 7058314/],
    'a list of recipients': [async () => textOf(recipientItem(await recipient(), service)), /Mum Alice \w+ · 7058314/],
    'a confirmation': [async () => recipientText(await recipient()), /^Mum \(7058314\)$/],
    'looked-up IDs': [
      async () => textOf(candidateItems([{ ...ALICE, found: found() }], service.directory).at(-1)),
      /Mum Alice \w+ · 7058314/,
    ],
    'IDs to add': [
      async () => textOf(lookupItem({ chat: ALICE, found: found() }, service.directory)),
      /Mum Alice \w+ · 7058314/,
    ],
    'a hover': [async () => cardOf(found(), { known: service.directory }).value, /\*\*Mum &#183;|\*\*Mum · Alice/],
    'the heading of a history': [
      async () => {
        const { name, summary } = await headingOf(async () => service, here(), noArchive);
        return `${name} ${summary}`;
      },
      /^Mum Alice \w+/,
    ],
    'a report': [async () => reportOf(storedEntry(status), service.directory), /\| Mum \| 7058314 /],
    'a report as CSV': [async () => csvOf(status, service.directory), /\n"Mum","person","7058314",/],
  };
  for (const [place, [show, shown]] of Object.entries(places))
    it(`has that name in ${place}`, async () => assert.match(await show(), shown));

  it('is found in a report by either name', async () => {
    for (const text of ['mum', 'fernhollow'])
      assert.deepEqual(
        (await listed(text))?.map(({ name }) => name),
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

  it('has it only at the connected service', async () => {
    assert.equal(await namesAt(connection, 'https://other.example'), undefined);
    assert.equal(await namesAt(connection, service.address), service.directory);
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
