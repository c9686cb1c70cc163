import assert from 'node:assert/strict';
import test from 'node:test';
import { commands } from 'vscode';
import { MissingTokenError } from '../../../../src/deliveries/outbox/deliveryAccess.ts';
import { headline } from '../../../../src/deliveries/outbox/deliveryTexts.ts';
import { isScheduled } from '../../../../src/deliveries/outbox/outboxEntry.ts';
import {
  dueSender,
  resumeDelivery,
  runDelivery,
  sendDeliveryNow,
} from '../../../../src/deliveries/outbox/runDelivery.ts';
import type { Recipient } from '../../../../src/deliveries/plan/deliveryPlan.ts';
import type { NeverList } from '../../../../src/platform/neverList.ts';
import type { Service } from '../../../../src/platform/service.ts';
import { formatDateTime } from '../../../../src/presentation/formats.ts';
import type { Client } from '../../../../src/service/client.ts';
import { type Failure, ServiceError } from '../../../../src/service/errors.ts';
import { chatKey } from '../../../../src/service/model.ts';
import { onMessages, onModals, restore } from '../../answers.ts';
import { useWallClock } from '../../clocks.ts';
import { useService } from '../../test-service.ts';
import { withoutDelays } from '../../withoutDelays.ts';
import { AT, atRest, BOT, deliveryOf, groups, planBatches, runningEntry, TOKEN } from './testDeliveries.ts';
import { onProgress, openOutbox, RECIPIENTS, text } from './testOutbox.ts';

describe('Sending a delivery', () => {
  const service = useService({ 'service.callsPerSecond': 1000 });
  const clock = useWallClock(AT);
  let open: Awaited<ReturnType<typeof openOutbox>>;
  withoutDelays();

  beforeEach(async () => {
    open = await openOutbox(service, clock);
  });
  afterEach(() => {
    test.mock.restoreAll();
    restore();
    open.close();
  });

  /** A delivery to these recipients, one in a batch, which isn't stored yet. */
  const newDelivery = async (recipients = RECIPIENTS) =>
    deliveryOf(planBatches(recipients, 1), {
      id: open.newId(),
      service: (await open.connection.open()).address,
      ...text('Hello'),
    });

  /** Sends a new delivery to all recipients. Resolves to how many calls that took. */
  const run = async (batchSend?: Client['batchSend'], host = open.host, changes: Partial<Service> = {}) => {
    const delivery = await newDelivery();
    const connected = await open.connection.open();
    const client = batchSend ? ({ batchSend } as Client) : connected.client;
    service.requests.splice(0);
    const access = { service: { ...connected, client, ...changes }, token: TOKEN };
    await runDelivery(delivery, access, open.outbox, host, (...how) => open.outbox.start(delivery, ...how));
    return open.sends().length;
  };

  /** A host on whose *Do Not Send* list these are. */
  const listing = (...chats: Recipient[]) => {
    const notes = new Map(chats.map((one) => [chatKey(one), 'asked']));
    const never = { read: () => ({ chats, notes, unusable: [] }) };
    return { ...open.host, never: never as unknown as NeverList };
  };
  const NOBODY = "There's no one to send “Hello” to: everyone who is left is on your Do Not Send list.";
  /** Commands of VS Code are noted, too. */
  const noteCommands = () =>
    test.mock.method(commands, 'executeCommand', async (...command: unknown[]) => void open.ran.push(command));

  /** The messages that are shown, and the buttons of each. */
  const onOffers = () => {
    const offers: (readonly string[])[] = [];
    const shown = onMessages((_, buttons) => {
      offers.push(buttons);
      return undefined;
    });
    return { shown, offers };
  };

  it('remembers whether the service took its token, and once it has reached somebody', async () => {
    noteCommands();
    const refusalAfter = async (...faults: object[]) => {
      service.sandbox.setFaults({ faults } as never);
      await run();
      return open.host.tokens.refusal(await open.connection.open(), BOT);
    };
    const refusing = (msg: string) => refusalAfter({ on: 'batch_send', fault: 'code', code: 1003, msg });
    assert.equal(await refusing('unauthorised'), undefined);
    assert.deepEqual(await refusing('非法token'), { status: 200, code: 1003, text: '非法token' });
    assert.deepEqual(open.ran, []);
    assert.equal(await refusalAfter(), undefined);
    assert.deepEqual(open.ran, [['setContext', 'botChats.hasSent', true]]);
  });

  it('says who doesn’t exist of those who may have the message, as far as lookups say so', async () => {
    const failures: Record<string, Failure> = {
      518204736: { kind: 'notFound', what: 'group', id: '518204736', code: -1, text: '群(ID:518204736)不存在。' },
      // That code has other causes, too.
      big: { kind: 'notFound', what: 'group', id: 'big', code: -1, text: 'busy' },
      7850437: { kind: 'notFound', what: 'user', id: '7850437' },
    };
    const missing = (_: string, id: string) => failures[id] && new ServiceError(failures[id]);
    const words = onMessages();
    const nobodyReached = async () => ({ reached: [], unreadable: [], successCount: 0 });
    const counted = async () => {
      await run(nobodyReached, open.host, { directory: { missing } as unknown as Service['directory'] });
      const [entry] = await open.outbox.all();
      return [entry?.status.counts.absent, entry?.status.counts.unconfirmed];
    };
    assert.deepEqual(await counted(), [2, 1]);
    assert.match(words.at(-1) ?? '', /^0 of 3 reached\..*Person 7850437 doesn't exist\./);
    failures[7850437] = { kind: 'timedOut', after: 1 };
    assert.deepEqual(await counted(), [1, 2]);
  });

  it('shows its progress, and tells histories what was sent and where more may have arrived', async () => {
    const reports: unknown[] = [];
    onProgress(({ message, increment = 0 }) => reports.push([message, Math.round(increment)]));
    const sent: unknown[] = [];
    open.host.chatEvents.onDidSend(({ messages }) => sent.push(...messages.map(({ kind, id }) => [kind, id])));
    const arrived: unknown[] = [];
    open.host.chatEvents.onDidArrive(async (_, chats) => arrived.push(...chats.map(({ id }) => id)));
    await run();
    assert.deepEqual(reports, [
      ['1 of 3', 33],
      ['2 of 3', 33],
      ['3 of 3', 33],
    ]);
    assert.deepEqual(sent, [
      ['group', '518204736'],
      ['group', 'big'],
    ]);
    // The last one isn't confirmed.
    assert.deepEqual(arrived, ['518204736', 'big', '7850437']);
  });

  it('reports the result even if an open history fails', async () => {
    const shown = onMessages();
    open.host.chatEvents.onDidArrive(() => Promise.reject(new Error('no history')));
    await assert.rejects(run(), /no history/);
    assert.match(shown.at(-1) ?? '', /^2 of 3 reached\./);
  });

  it('reports the result even if it can’t be remembered whether the service took the token, and asks for another one', async () => {
    const { shown, offers } = onOffers();
    test.mock.method(open.host.tokens, 'answered', () => Promise.reject(new Error('keyring locked')));
    service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'code', code: 1003, msg: '非法token' }] });
    await run();
    assert.match(shown.at(-1) ?? '', /^0 of 3 reached\..*refused the token/);
    assert.deepEqual(offers.at(-1), ['Open Report', 'Set Bot Token…', 'Resume…']);
  });

  it('ends once its token is removed or may no longer be sent, and says so', async () => {
    const connected = await open.connection.open();
    const { shown: words, offers } = onOffers();
    const removed = await run(async (...call) => {
      const result = await connected.client.batchSend(...call);
      await open.host.tokens.remove(connected, BOT);
      return result;
    });
    assert.equal(removed, 1);
    assert.equal(words.at(-1), '1 of 3 reached. Not sent to 2. No token is saved for Order Desk. Sending stopped.');
    assert.deepEqual(offers.at(-1), ['Open Report', 'Set Bot Token…', 'Resume…']);
    assert.equal(await open.outbox.unseen(), 1);
    await open.host.tokens.set(connected, BOT, TOKEN);
    assert.equal(await run(async () => Promise.reject(new ServiceError({ kind: 'insecure' }))), 0);
    assert.match(words.at(-1) ?? '', /^0 of 3 reached\. Not sent to 3\. Over plain http, .* Sending stopped\.$/);
    const [{ status } = assert.fail()] = await open.outbox.all();
    assert.equal(
      headline(status),
      "0 of 3 reached. Not sent to 3. The bot's token could no longer be sent, so sending stopped.",
    );
  });

  it('reaches nobody if it’s canceled while its token is read', async () => {
    const tokens = Object.assign(Object.create(open.host.tokens), {
      get: async () => {
        open.outbox.runs.cancel(open.changed[0] ?? assert.fail());
        return TOKEN;
      },
      answered: async () => {},
    });
    const words = onMessages();
    assert.equal(await run(undefined, { ...open.host, tokens }), 0);
    assert.equal(words.at(-1), '0 of 3 reached. Not sent to 3. Canceled. You can resume it.');
    assert.equal(atRest((await open.outbox.all())[0]).claimCount, 0);
  });

  it('offers nothing, once it ends here, that fails because another window goes on with it', async () => {
    service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'code', code: 1003, msg: 'unauthorised' }] });
    const status = await open.deliver();
    const { delivery } = status;
    const access = { service: await open.connection.open(), token: 't' };
    const { shown: words, offers } = onOffers();
    const get = async () => runningEntry(status);
    const taken = async () => ({ status, stopped: { why: 'taken' } }) as const;
    await runDelivery(delivery, access, { get, markUnseen: async () => {} }, open.host, taken);
    assert.match(words.at(-1) ?? '', /Another window is sending this message or has changed the delivery/);
    assert.deepEqual(offers.at(-1), ['Open Report']);
  });

  describe('that has stopped', () => {
    /** A delivery that has stopped, because its token was refused before anything was sent. */
    const stopped = async () => {
      service.sandbox.setFaults({ faults: [{ on: 'batch_send', fault: 'code', code: 1003, msg: 'unauthorised' }] });
      const { delivery, stopped } = await open.deliver();
      assert.equal(stopped, 'token');
      service.sandbox.setFaults(undefined);
      service.requests.splice(0);
      return delivery.id;
    };
    const resume = (id: string) => resumeDelivery(id, open.controller, open.host);

    it('needs a confirmation, whose first button opens the report', async () => {
      const id = await stopped();
      const answers = ['Open Report', 'Resume'];
      const asked = onModals(() => answers.shift());
      await resume(id);
      assert.deepEqual([open.sends(), open.ran], [[], [['openReport', id]]]);
      await resume(id);
      assert.equal(asked[1]?.message, 'Resume sending “Hello” as Order Desk to 3 chats (groups: 2, people: 1)?');
      assert.deepEqual(asked[1]?.buttons, ['Open Report', 'Resume']);
      assert.equal(open.sends().length, 3);
      assert.equal((await open.outbox.get(id))?.status.counts.reached, 2);
    });

    for (const [when, sent] of [
      ['before it is known whether another window sends it', 0],
      ['at the first progress', 1],
    ] as const)
      it(`ends if it is canceled ${when}`, async () => {
        const id = await stopped();
        const shown = onMessages((_, offered) => offered.find((button) => button === 'Resume'));
        onProgress(
          (_, cancel) => cancel(),
          (cancel) => sent === 0 && cancel(),
        );
        await resume(id);
        assert.equal(open.sends().length, sent);
        assert.match(shown.at(-1) ?? '', /Canceled\./);
      });

    it('says that it was deleted while the user was asked', async () => {
      const id = await stopped();
      onModals(async () => {
        await open.outbox.remove(id);
        return 'Resume';
      });
      await assert.rejects(resume(id), /no longer in the outbox/);
    });

    it('says before who may have the message, who is left out, and the first of the others', async () => {
      const [shop = assert.fail(), , nora = assert.fail()] = RECIPIENTS;
      const dying = { token: 't', never: () => new Map(), send: () => Promise.reject(new Error('killed')) };
      const detailTo = async (...recipients: Recipient[]) => {
        const delivery = await newDelivery(recipients);
        await open.outbox.start(delivery, dying);
        const asked = onModals(() => undefined);
        await resumeDelivery(delivery.id, open.controller, listing(nora));
        return asked[0]?.detail.split('\n\n');
      };
      const others = groups(...'abcdefghij');
      const sender = `Bot: Order Desk (30481126)\nService: ${service.sandbox.openApiUrl}`;
      assert.deepEqual(await detailTo({ ...shop, mayHaveIt: true }, nora, ...others), [
        '⊘ Left out, on your Do Not Send list (1): [Nora](command:x) (7850437) (asked)',
        sender,
        '⚠ 1 recipient may already have this message. At worst, they get it twice.\n• The shop (518204736)',
        'No one below has received it yet.\n• group a (a)\n• group b (b)\n• group c (c)\n… and 7 more',
      ]);
      const uncertain = await detailTo({ ...shop, mayHaveIt: true });
      assert.equal(uncertain?.length, 2);
      const [, below] = (await detailTo(...others)) ?? [];
      assert.equal(below?.split('\n').at(-2), '• group h (h)');
      assert.deepEqual(open.ran, []);
    });

    it('is sent to nobody if everyone who is left is on the Do Not Send list, which it says and opens', async () => {
      const id = await stopped();
      noteCommands();
      const choices = ['Open List', 'Open Report', undefined];
      const asked = onModals((_, at) => choices[at]);
      for (const _ of choices) await resumeDelivery(id, open.controller, listing(...RECIPIENTS));
      assert.deepEqual([open.ran, open.sends()], [[['botChats.editNeverList'], ['openReport', id]], []]);
      const [{ message, detail, buttons } = assert.fail()] = asked;
      assert.deepEqual([message, buttons], [NOBODY, ['Open Report', 'Open List']]);
      assert.match(
        detail,
        /^⊘ Left out, on your Do Not Send list \(3\): The shop .+\n\nBot: Order Desk \(30481126\)\n/,
      );
    });
  });

  describe('that is scheduled', () => {
    const scheduled = () => open.outbox.scheduled();
    const schedule = async () => {
      await open.outbox.schedule({ ...(await newDelivery(RECIPIENTS.slice(0, 1))), due: AT + 3_600_000 });
      const [entry = assert.fail()] = await scheduled();
      return entry;
    };
    const sendNow = (id: string) => sendDeliveryNow(id, open.controller, open.host);

    describe('at its time', () => {
      it('takes the saved token, shows which message it was and its result, and asks for nothing', async () => {
        const entry = await schedule();
        const shown = onMessages();
        await dueSender(open.outbox, open.host)(entry, () => open.outbox.take(entry));
        assert.deepEqual(shown, ['Sent: 1 of 1 reached. Scheduled message: “Hello”.']);
        assert.equal(open.sends().length, 1);
      });

      it('is silent if another window sends it', async () => {
        const entry = await schedule();
        const shown = onMessages();
        await dueSender(open.outbox, open.host)(entry, async () => undefined);
        assert.deepEqual([shown, open.sends()], [[], []]);
      });

      it('leaves it scheduled without a saved token', async () => {
        const entry = await schedule();
        await open.host.tokens.remove(await open.connection.open(), BOT);
        const send = dueSender(open.outbox, open.host);
        await assert.rejects(
          send(entry, () => assert.fail('taken')),
          MissingTokenError,
        );
        assert.equal((await scheduled()).length, 1);
      });
    });

    describe('after that was canceled', () => {
      const cancel = async () => {
        const entry = await schedule();
        assert.equal(await open.outbox.reschedule(entry, null), true);
        return { id: entry.status.delivery.id, due: entry.due };
      };

      it('says when it was to be sent, and that it is sent now, and offers to schedule it again', async () => {
        const { id, due } = await cancel();
        const answers = ['Schedule…', 'Send Now'];
        const asked = onModals(() => answers.shift());
        await sendNow(id);
        const [{ message, detail, buttons } = assert.fail()] = asked;
        assert.equal(message, 'Send “Hello” as Order Desk to 1 group now?');
        assert.equal(
          detail.split('\n')[0],
          `It was scheduled for ${formatDateTime(due)}, and isn't sent by itself anymore. If you confirm, it's sent now.`,
        );
        assert.deepEqual(buttons, ['Open Report', 'Schedule…', 'Send Now']);
        assert.deepEqual([open.ran, open.sends()], [[['rescheduleDelivery', id]], []]);
        await sendNow(id);
        assert.equal(open.sends().length, 1);
      });

      it('can be done again, instead of resuming it, if it ends before anything went out', async () => {
        const { id } = await cancel();
        // The list is read before the first call.
        const read = () => {
          open.outbox.runs.cancel(id);
          return open.host.never.read();
        };
        let offered: readonly string[] = [];
        const shown = onMessages((_, buttons) => {
          offered = buttons;
          return buttons.find((one) => one === 'Send Now');
        });
        await sendDeliveryNow(id, open.controller, { ...open.host, never: { read } as NeverList });
        assert.deepEqual([shown.at(-1), open.sends()], ['0 of 1 reached. Not sent to 1. Canceled.', []]);
        assert.deepEqual(offered, ['Open Report', 'Send Now…']);
      });
    });

    it('says before that it is sent as it was before it was edited, if it was', async () => {
      const entry = await schedule();
      assert.ok(await open.outbox.beginEdit(entry));
      const asked = onModals(() => undefined);
      await sendNow(entry.status.delivery.id);
      const [time, edited] = asked[0]?.detail.split('\n\n') ?? [];
      assert.equal(time, `It was scheduled for ${formatDateTime(entry.due)}. If you confirm, it's sent now.`);
      assert.equal(edited, "It's sent as it was before you edited it.");
      assert.deepEqual([open.ran, open.sends()], [[], []]);
    });

    describe('earlier than planned', () => {
      it('needs a confirmation, which says for when it is, and offers the report or another time instead', async () => {
        const { status, due } = await schedule();
        const { id } = status.delivery;
        const answers = ['Open Report', 'Change Time…', 'Send Now'];
        const asked = onModals(() => answers.shift());
        for (const _ of [1, 2]) await sendNow(id);
        const ran = [
          ['openReport', id],
          ['rescheduleDelivery', id],
        ];
        assert.deepEqual([open.ran, open.sends()], [ran, []]);
        await sendNow(id);
        const [{ message, detail, buttons } = assert.fail()] = asked;
        assert.equal(message, 'Send “Hello” as Order Desk to 1 group now?');
        const planned = `It was scheduled for ${formatDateTime(due)}. If you confirm, it's sent now.`;
        assert.equal(detail.split('\n')[0], planned);
        assert.deepEqual(buttons, ['Open Report', 'Change Time…', 'Send Now']);
        assert.deepEqual([open.sends().length, await scheduled()], [1, []]);
        await assert.rejects(sendNow(id), /has changed/);
      });

      it('reaches nobody if everyone is on the Do Not Send list, which it says and opens', async () => {
        const { id } = (await schedule()).status.delivery;
        noteCommands();
        const choices = ['Open List', 'Change Time…', 'Open Report', undefined];
        const asked = onModals((_, at) => choices[at]);
        for (const _ of choices) await sendDeliveryNow(id, open.controller, listing(...RECIPIENTS));
        const ran = [['botChats.editNeverList'], ['rescheduleDelivery', id], ['openReport', id]];
        assert.deepEqual([open.ran, open.sends()], [ran, []]);
        const [{ message, buttons } = assert.fail()] = asked;
        assert.deepEqual([message, buttons], [NOBODY, ['Open Report', 'Change Time…', 'Open List']]);
      });

      it('reaches nobody if it is canceled meanwhile', async () => {
        const { id } = (await schedule()).status.delivery;
        onModals(async () => {
          const entry = await open.controller.entry(id);
          if (isScheduled(entry)) await open.outbox.reschedule(entry, null);
          return 'Send Now';
        });
        await assert.rejects(sendNow(id), /has changed/);
        assert.deepEqual(open.sends(), []);
      });
    });
  });
});
