import assert from 'node:assert/strict';
import { offerActions, outdated } from '../../../../src/deliveries/outbox/deliveryNotice.ts';
import { DeliveryStatus } from '../../../../src/deliveries/outbox/deliveryStatus.ts';
import type { DeliveryAction, OutboxEntry } from '../../../../src/deliveries/outbox/outboxEntry.ts';
import type { Delivery, JournalLine } from '../../../../src/deliveries/outbox/record.ts';
import { shownText } from '../../../../src/markup/safeText.ts';
import { UserFacingError } from '../../../../src/presentation/errorText.ts';
import { onDialogs, restore } from '../../answers.ts';
import {
  answered,
  BOT,
  deliveryOf,
  failed,
  groups,
  idOf,
  planBatches,
  runningEntry,
  storedEntry,
} from './testDeliveries.ts';

const REACHED = [answered(0, 'a'), answered(1, 'b')];
const REFUSED = [failed(0), failed(1)];

describe('What is said of a delivery', () => {
  afterEach(restore);

  /** How it is said, the buttons, and the commands that run if one of them is pressed. */
  async function said(
    lines: JournalLine[],
    {
      actions = [],
      press,
      ...more
    }: { actions?: DeliveryAction[]; press?: string } & Parameters<typeof offerActions>[4] = {},
    changes: Partial<Delivery> = {},
  ) {
    const status = new DeliveryStatus(deliveryOf(planBatches(groups('a', 'b'), 1), changes), [], lines);
    const dialogs = onDialogs(() => press);
    const ran: unknown[] = [];
    const commands = { run: async (...command: unknown[]) => void ran.push(command) };
    await offerActions(shownText`Sent.`, status, actions, commands as never, more);
    const [{ how, buttons } = assert.fail()] = dialogs;
    return { shown: [how, ...buttons], ran };
  }

  it('offers the chat and the replies once everyone was reached', async () => {
    assert.deepEqual((await said(REACHED)).shown, ['Information', 'Open Report', 'Open History', 'Find Replies']);
    assert.deepEqual((await said(REFUSED)).shown, ['Warning', 'Open Report']);
    assert.deepEqual((await said(REACHED, {}, { isTest: true })).shown, ['Information', 'Open Report', 'Open History']);
  });

  it('is a warning as long as something is left, and offers what helps, a check first', async () => {
    const actions: DeliveryAction[] = ['check', 'resume', 'remove'];
    const { shown } = await said(REACHED.slice(0, 1), { actions });
    assert.deepEqual(shown, ['Warning', 'Check Delivery', 'Open Report', 'Resume…']);
  });

  it('offers a token or the Do Not Send list only if that has to be set right', async () => {
    for (const [needs, press, ...command] of [
      [{ needsToken: true }, 'Set Bot Token…', 'setToken', { id: BOT }],
      [{ needsList: true }, 'Open List', 'editNeverList'],
    ] as const) {
      const { shown, ran } = await said([], { actions: ['resume'], ...needs, press });
      assert.deepEqual(shown, ['Warning', 'Open Report', press, 'Resume…']);
      assert.deepEqual(ran, [command]);
    }
  });

  it('opens the history of the first chat that was reached, at the message', async () => {
    const { ran } = await said(REACHED, { press: 'Open History' });
    const place = { kind: 'group', id: 'a', service: 'https://service.test', botId: BOT, msgId: 'to a' };
    assert.deepEqual(ran, [['openMessage', place]]);
  });

  it('runs what is chosen for this delivery, and nothing if it is closed', async () => {
    const actions: DeliveryAction[] = ['check', 'resume', 'resend'];
    const pressed = async (press?: string) => (await said(REACHED, { actions, ...(press && { press }) })).ran;
    const id = idOf('a');
    assert.deepEqual(await pressed('Check Delivery'), [['checkDelivery', id]]);
    assert.deepEqual(await pressed('Open Report'), [['openReport', id]]);
    assert.deepEqual(await pressed('Find Replies'), [['findReplies', id]]);
    assert.deepEqual(await pressed('Resume…'), [['resumeDelivery', id]]);
    assert.deepEqual(await pressed('Resend to Missing Only…'), [['resendDelivery', id]]);
    assert.deepEqual(await pressed(), []);
    const canceled = await said([], { actions: ['sendNow'], press: 'Send Now…' });
    assert.deepEqual(canceled, { shown: ['Warning', 'Open Report', 'Send Now…'], ran: [['sendDeliveryNow', id]] });
  });

  it('shows the whole text of an error that is too long for it', async () => {
    const long = new UserFacingError('x'.repeat(5_000));
    assert.deepEqual((await said([], { error: long })).shown, ['Warning', 'Open Report', 'Show Whole Text']);
    assert.deepEqual((await said([], { error: new UserFacingError('x') })).shown, ['Warning', 'Open Report']);
  });

  it('is what it is now if it changed after something was confirmed', async () => {
    const status = new DeliveryStatus(deliveryOf([]));
    const textIf = async (get: () => Promise<OutboxEntry | undefined>) => (await outdated(idOf('a'), { get })).message;
    assert.equal(await textIf(async () => undefined), 'This delivery is no longer in the outbox.');
    assert.equal(
      await textIf(async () => storedEntry(status)),
      '“Hello” has changed. Check the outbox to see what you can do now.',
    );
    const sending = 'This message is being sent, in this window or another.';
    assert.equal(await textIf(async () => runningEntry(status)), sending);
    assert.equal(await textIf(() => Promise.reject(new Error('EIO'))), sending);
  });
});
