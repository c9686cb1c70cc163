import assert from 'node:assert/strict';
import { CHECK_INTERVAL, GRACE } from '../../../../src/deliveries/outbox/deliveryScheduler.ts';
import { stateOf } from '../../../../src/deliveries/outbox/outboxEntry.ts';
import { AT, atRest, idOf } from './testDeliveries.ts';
import { DUE, ID, MINUTE, scheduledDelivery, TestComputer, type TestWindow } from './testSchedules.ts';

const ALL = ['ab 60', 'c 60'];

describe('Delivery scheduler', () => {
  let computer: TestComputer;
  let window: TestWindow;

  beforeEach(async () => {
    computer = new TestComputer();
    window = computer.openWindow();
    await window.outbox.schedule(scheduledDelivery());
    await window.settle();
  });

  const stateOfDelivery = async () => {
    const entry = await window.outbox.get(ID);
    return entry && stateOf(entry);
  };

  /** Both clocks go on meanwhile. */
  const sleep = (ms: number) => {
    computer.jump(ms);
    computer.steady += ms;
  };

  it('sends a delivery when it is due, and not before', async () => {
    await computer.pass(60 * MINUTE - 1);
    assert.deepEqual(computer.sent, []);
    await computer.pass(1);
    assert.deepEqual(computer.sent, ALL);
    assert.equal(await stateOfDelivery(), 'delivered');
    await computer.pass(60 * MINUTE);
    assert.deepEqual([computer.sent, window.asked, window.errors], [ALL, [], []]);
  });

  it('shows what is scheduled, the next one first', async () => {
    const soon = { id: idOf('soon'), due: AT + MINUTE };
    await window.outbox.schedule(scheduledDelivery(soon));
    await window.settle();
    const shown = () => window.shown.map(({ status }) => status.delivery.id);
    assert.deepEqual(shown(), [soon.id, ID]);
    await computer.pass(2 * MINUTE);
    assert.deepEqual(shown(), [ID]);
    await computer.pass(60 * MINUTE);
    assert.deepEqual(shown(), []);
    assert.deepEqual(await computer.files.names('scheduled'), []);
  });

  it('asks about a delivery that was due while no window was open, once in each window', async () => {
    window.close();
    await computer.pass(70 * MINUTE);
    const later = computer.openWindow();
    await later.settle();
    assert.deepEqual(later.asked, [{ id: ID, blocker: { why: 'unseen' } }]);
    await computer.pass(60 * MINUTE);
    assert.equal(later.asked.length, 1);
    const another = computer.openWindow();
    await another.settle();
    assert.deepEqual(another.reasons, ['unseen']);
    assert.deepEqual(computer.sent, []);
  });

  for (const [title, prepare, wait] of [
    [
      'the clock jumps past the time, or the computer sleeps until then',
      () => computer.jump(120 * MINUTE),
      CHECK_INTERVAL,
    ],
    ['the clock jumped before', () => computer.jump(30 * MINUTE), 30 * MINUTE + GRACE],
    ['both clocks went on while the computer slept', () => sleep(30 * MINUTE), 30 * MINUTE + GRACE],
    [
      'both clocks went on while the computer slept more than once, each time briefly',
      async () => {
        sleep(100_000);
        await computer.pass(CHECK_INTERVAL);
        sleep(100_000);
      },
      60 * MINUTE,
    ],
  ] as const)
    it(`asks when the time has come if ${title}`, async () => {
      await prepare();
      if (computer.wall < DUE) await computer.pass(DUE - computer.wall - 1);
      assert.deepEqual(window.asked, []);
      await computer.pass(wait);
      assert.deepEqual([computer.sent, window.reasons], [[], ['skipped']]);
      assert.equal(await stateOfDelivery(), 'scheduled');
    });

  it('sends later if the clock is set back', async () => {
    await computer.pass(59 * MINUTE);
    computer.jump(-30 * MINUTE);
    await computer.pass(31 * MINUTE - 1);
    assert.deepEqual(computer.sent, []);
    await computer.pass(1);
    assert.deepEqual([computer.sent, window.asked], [ALL, []]);
  });

  it('asks again at the right time if a jump was a mistake', async () => {
    computer.jump(120 * MINUTE);
    await computer.pass(CHECK_INTERVAL);
    computer.jump(-120 * MINUTE);
    await computer.pass(60 * MINUTE);
    assert.deepEqual([computer.sent, window.reasons], [[], ['skipped', 'skipped']]);
  });

  it('ignores adjustments of the clock by seconds', async () => {
    computer.jump(20_000);
    await computer.pass(60 * MINUTE);
    assert.deepEqual([computer.sent.length, window.asked], [2, []]);
  });

  it('sends once if several windows are open', async () => {
    const others = [computer.openWindow(), computer.openWindow()];
    await computer.settle();
    await computer.pass(70 * MINUTE);
    assert.deepEqual(computer.sent, ALL);
    for (const one of [window, ...others]) assert.deepEqual([one.asked, one.errors, one.shown], [[], [], []]);
  });

  it('notices within its interval what another window scheduled', async () => {
    window.close();
    const other = computer.openWindow();
    await other.settle();
    const soon = { id: idOf('soon'), due: AT + MINUTE };
    await window.outbox.schedule(scheduledDelivery(soon));
    await computer.pass(MINUTE);
    assert.deepEqual(computer.sent, ['ab 1', 'c 1']);
  });

  describe('whose message is being edited at its time', () => {
    const asked = () => computer.windows.flatMap(({ reasons }) => reasons);

    beforeEach(async () => {
      await window.outbox.beginEdit(await window.entry());
      await computer.settle();
    });

    it('is asked about at its time, once, whichever windows are open then and later', async () => {
      computer.openWindow();
      // Its time isn't one at which the schedule is read anyway.
      await computer.pass(10_000);
      await computer.settle();
      await computer.pass(60 * MINUTE - 10_001);
      assert.deepEqual(asked(), []);
      await computer.pass(1);
      assert.deepEqual(asked(), ['edited']);
      computer.openWindow();
      await computer.pass(60 * MINUTE);
      assert.deepEqual([asked(), computer.sent], [['edited'], []]);
    });

    it('is asked about by the next window if none is open then', async () => {
      window.close();
      await computer.pass(70 * MINUTE);
      computer.openWindow();
      await computer.settle();
      assert.deepEqual(asked(), ['edited']);
    });

    it('is asked about again if it gets another time, and is edited then, too', async () => {
      await computer.pass(60 * MINUTE);
      const late = atRest(await window.outbox.get(ID));
      assert.equal(await window.outbox.reschedule(late, DUE + 60 * MINUTE), true);
      await window.outbox.beginEdit(await window.entry());
      await computer.pass(60 * MINUTE);
      assert.deepEqual([asked(), computer.sent], [['edited', 'edited'], []]);
    });

    it('is asked about again at the right time if a jump of the clock was a mistake', async () => {
      computer.jump(120 * MINUTE);
      await computer.pass(CHECK_INTERVAL);
      assert.deepEqual(asked(), ['edited']);
      computer.jump(-120 * MINUTE);
      await computer.pass(60 * MINUTE);
      assert.deepEqual(asked(), ['edited', 'edited']);
    });

    it('is sent as it was, if somebody wants that', async () => {
      await computer.pass(60 * MINUTE);
      await window.outbox.sendScheduled(atRest(await window.outbox.get(ID)), window.sender);
      assert.deepEqual(computer.sent, ALL);
      assert.equal(await stateOfDelivery(), 'delivered');
    });

    it('isn’t asked about once it’s canceled', async () => {
      await window.outbox.reschedule(atRest(await window.outbox.get(ID)), null);
      await computer.pass(70 * MINUTE);
      assert.deepEqual([asked(), computer.sent], [[], []]);
    });
  });

  it('sends at the new time if another window changes it, even at the last moment', async () => {
    const other = computer.openWindow();
    await other.settle();
    await computer.pass(60 * MINUTE - 1);
    window.prepare = async () => {
      await other.outbox.reschedule(await other.entry(), DUE + 10 * MINUTE);
    };
    other.prepare = () => Promise.reject(new Error('no token'));
    await computer.pass(5 * MINUTE);
    assert.deepEqual([computer.sent, window.asked], [[], []]);
    for (const one of [window, other]) one.prepare = async () => {};
    await computer.pass(5 * MINUTE + 1);
    assert.deepEqual(computer.sent, ['ab 70', 'c 70']);
  });

  it('asks with the reason if it can’t be sent', async () => {
    const error = new Error('no token');
    window.prepare = () => Promise.reject(error);
    await computer.pass(60 * MINUTE + GRACE);
    assert.deepEqual(window.asked, [{ id: ID, blocker: { why: 'failed', error } }]);
    assert.deepEqual(window.errors, [error]);
    assert.equal(await stateOfDelivery(), 'scheduled');
  });

  it('leaves it to a window that can send', async () => {
    const other = computer.openWindow();
    await other.settle();
    window.prepare = () => Promise.reject(new Error('another service'));
    await computer.pass(70 * MINUTE);
    assert.deepEqual([computer.sent, window.asked, other.asked], [ALL, [], []]);
  });

  it('asks if the window that took it died before it sent anything', async () => {
    const other = computer.openWindow();
    await other.settle();
    other.close();
    window.prepare = async () => {
      assert.ok(await other.outbox.take(await other.entry()));
    };
    await computer.pass(60 * MINUTE + GRACE);
    assert.deepEqual([computer.sent, window.reasons], [[], ['abandoned']]);
  });

  it('does nothing any more once its window is closed, also while it reads the outbox', async () => {
    const { names } = computer.files;
    let reads = 0;
    window.shown = [];
    computer.files.names = (folder) => {
      reads++;
      window.scheduler.dispose();
      return names.call(computer.files, folder);
    };
    await window.scheduler.check();
    assert.deepEqual([reads > 0, window.shown, window.timer], [true, [], undefined]);
    reads = 0;
    await window.scheduler.check();
    assert.equal(reads, 0);
  });

  it('goes on if something cannot be shown', async () => {
    const { show } = window;
    window.show = () => assert.fail('no status bar');
    await window.settle();
    window.show = show;
    await computer.pass(60 * MINUTE);
    assert.deepEqual([computer.sent.length, window.errors.length > 0], [2, true]);
  });

  it('reads the outbox no more often than usual while it cannot be read', async () => {
    const { names } = computer.files;
    await computer.pass(60 * MINUTE - 1);
    let reads = 0;
    Object.assign(computer.files, { names: () => (reads++ < 100 ? Promise.reject(new Error('no disk')) : []) });
    await computer.pass(CHECK_INTERVAL);
    assert.ok(reads < 5, `${reads}`);
    Object.assign(computer.files, { names });
  });

  it('sends at its time although the outbox could not be read just before', async () => {
    const { names } = computer.files;
    await computer.pass(60 * MINUTE - 1);
    Object.assign(computer.files, { names: () => Promise.reject(new Error('no disk')) });
    await window.settle();
    assert.ok(window.errors.length > 0);
    Object.assign(computer.files, { names });
    await computer.pass(1);
    assert.deepEqual(computer.sent, ALL);
  });

  it('asks about a delivery whose file could not be read at its time', async () => {
    const { read } = computer.files;
    Object.assign(computer.files, { read: () => Promise.reject(new Error('in use')) });
    // A change by another window, so that it's read again.
    await computer.files.create(`deliveries/${ID}/act-0`, '');
    await computer.pass(70 * MINUTE);
    assert.deepEqual(window.asked, []);
    Object.assign(computer.files, { read });
    await computer.files.remove(`deliveries/${ID}/act-0`);
    await computer.pass(CHECK_INTERVAL);
    assert.deepEqual([computer.sent, window.reasons], [[], ['unseen']]);
  });
});
