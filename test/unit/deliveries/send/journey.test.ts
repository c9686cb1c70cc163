import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Recipient } from '../../../../src/deliveries/plan/deliveryPlan.ts';
import { begin, type Event, type Nobody, reduce, type State } from '../../../../src/deliveries/send/journey.ts';
import { type ShownText, shownText } from '../../../../src/markup/safeText.ts';
import { chatKey } from '../../../../src/service/model.ts';
import { deliveryOf, groups } from '../outbox/testDeliveries.ts';
import { addressingOf, plannedOf, resendOf } from './testJourney.ts';

const planned = plannedOf();
const nobody: Nobody = {
  ...addressingOf(),
  from: addressingOf(),
  leftOut: groups('a', 'b', 'c').map((one) => ({ ...one, by: 'never' as const, note: '' })),
};
const result = { error: new Error('The disk is full.') };

const EVENTS: { readonly [E in Event['type']]: Extract<Event, { type: E }> } = {
  canceled: { type: 'canceled' },
  chose: { type: 'chose', recipients: groups('x') },
  planned: { type: 'planned', planned },
  nobody: { type: 'nobody', nobody },
  changeRecipients: { type: 'changeRecipients' },
  leaveOut: { type: 'leaveOut', needless: new Set(['group a']) },
  tryFirst: { type: 'tryFirst' },
  tried: { type: 'tried', result: shownText`✓ Tested.` },
  send: { type: 'send' },
  later: { type: 'later' },
  schedule: { type: 'schedule', due: 1_800_000_000_000 },
  check: { type: 'check' },
  compare: { type: 'compare', id: '000000000000001-delivery' },
  outdated: { type: 'outdated' },
  recorded: { type: 'recorded', result },
};

const confirming: State = { type: 'confirming', planned };
const STATES: { readonly [S in State['type']]: State } = {
  choosing: { type: 'choosing', addressing: addressingOf() },
  planning: { type: 'planning', addressing: addressingOf() },
  confirming,
  trying: { type: 'trying', planned },
  timing: { type: 'timing', planned },
  recording: reduce(confirming, EVENTS.send),
  ended: { type: 'ended', how: 'canceled' },
};

/** What each event leads to; what isn't here stays as it is. */
const TABLE: { readonly [S in State['type']]: { readonly [E in Event['type']]?: string } } = {
  choosing: { canceled: 'ended: canceled', chose: 'planning' },
  planning: { planned: 'confirming', nobody: 'ended: nobody' },
  confirming: {
    canceled: 'ended: canceled',
    changeRecipients: 'choosing',
    leaveOut: 'planning',
    tryFirst: 'trying',
    send: 'recording: at once',
    later: 'timing',
    schedule: 'recording: 1800000000000',
    check: 'ended: "check"',
    compare: 'ended: {"compare":"000000000000001-delivery"}',
  },
  trying: { tried: 'planning' },
  timing: { canceled: 'planning', schedule: 'recording: 1800000000000' },
  recording: { outdated: 'planning', recorded: 'ended: recorded' },
  ended: {},
};

function nameOf(state: State): string {
  if (state.type === 'recording') return `recording: ${state.confirmed.due ?? 'at once'}`;
  if (state.type !== 'ended') return state.type;
  return state.how === 'elsewhere' ? `ended: ${JSON.stringify(state.to)}` : `ended: ${state.how}`;
}

const idsOf = (recipients: readonly Recipient[]) => recipients.map(({ id }) => id).join('');

/** What was chosen, wherever the message is by now. */
function chosenIn(state: State): string | undefined {
  if ('addressing' in state) return idsOf(state.addressing.chosen);
  if ('planned' in state) return idsOf(state.planned.chosen);
  return 'confirmed' in state ? idsOf(state.confirmed.planned.chosen) : undefined;
}

describe('The questions before a message is sent', () => {
  for (const from of Object.keys(STATES) as State['type'][])
    it(`lead on from ${from}`, () => {
      const lead: Record<string, string> = {};
      for (const event of Object.values(EVENTS)) {
        const next = reduce(STATES[from], event);
        if (next !== STATES[from]) lead[event.type] = nameOf(next);
      }
      assert.deepEqual(lead, TABLE[from]);
    });

  it('are asked again, with the reason, if everyone is left out whom the user chose in the list', () => {
    const addressing = addressingOf({ chosenBy: 'user' });
    assert.deepEqual(reduce({ type: 'planning', addressing }, EVENTS.nobody), {
      type: 'choosing',
      addressing,
      nobody,
    });
  });

  it('are asked about those who were left out as needless if nobody else is there: they may exist by now', () => {
    const needless = new Set(['group a']);
    const state: State = { type: 'planning', addressing: addressingOf({ needless }) };
    const [a] = groups('a');
    const leftOut = [{ ...(a ?? assert.fail()), by: 'needless' as const, note: '' }];
    const all = reduce(state, { type: 'nobody', nobody: { ...nobody, needless, leftOut } });
    assert.deepEqual(all, { type: 'planning', addressing: addressingOf() });
    const others = reduce(state, { type: 'nobody', nobody: { ...nobody, needless } });
    assert.equal(nameOf(others), 'ended: nobody');
  });

  it('offer to change the recipients where they were chosen', () => {
    const leadTo = (given: Parameters<typeof plannedOf>[0]) =>
      reduce({ type: 'confirming', planned: plannedOf(given) }, EVENTS.changeRecipients);
    for (const chosenBy of ['file', 'report'] as const) assert.equal(nameOf(leadTo({ chosenBy })), 'ended: "origin"');
    for (const chosenBy of ['draft', 'user'] as const) {
      const next = leadTo({ chosenBy, needless: new Set(['group b']) });
      assert.ok(next.type === 'choosing');
      // Those who were left out as needless aren't selected; if they are chosen again, they get it.
      assert.equal(idsOf(next.addressing.chosen), 'ac');
      assert.equal(next.addressing.needless.size, 0);
    }
  });

  it('leave out more of those who needn’t get it each time', () => {
    const left = reduce(
      { type: 'confirming', planned: plannedOf({ needless: new Set(['group b']) }) },
      EVENTS.leaveOut,
    );
    assert.ok(left.type === 'planning');
    assert.deepEqual(left.addressing.needless, new Set(['group b', 'group a']));
  });

  it('have the results of all trials', () => {
    const one = plannedOf({ trials: [shownText`✓ one`] });
    const trialsAfter = (result: ShownText | undefined) => {
      const next = reduce({ type: 'trying', planned: one }, { type: 'tried', result });
      return next.type === 'planning' ? next.addressing.trials : undefined;
    };
    assert.deepEqual(trialsAfter(shownText`⚠ two`), ['✓ one', '⚠ two']);
    assert.deepEqual(trialsAfter(undefined), ['✓ one']);
  });

  it('send only what was shown last and confirmed, and lose nothing that was chosen, in whatever order they are answered', () => {
    const someGroups = fc.shuffledSubarray(groups('a', 'b', 'c', 'd', 'e'), { minLength: 1 });
    const answers = fc.oneof(
      fc.constantFrom(...Object.values(EVENTS)),
      someGroups.map((recipients): Event => ({ type: 'chose', recipients })),
      someGroups.map((some): Event => ({ type: 'leaveOut', needless: new Set(some.map(chatKey)) })),
    );
    const purposes = [
      { type: 'new' as const },
      { type: 'trial' as const, recipients: groups('a') },
      resendOf(deliveryOf([])),
    ];
    const begins = fc.record({
      purpose: fc.constantFrom(...purposes),
      chosenBy: fc.constantFrom('draft' as const, 'file' as const, 'user' as const),
      chosen: someGroups,
    });
    fc.assert(
      fc.property(begins, fc.array(answers, { maxLength: 40 }), (given, events) => {
        let state = begin(addressingOf(given)) as State;
        let chosen = idsOf(given.chosen);
        let trials = 0;
        for (const event of events) {
          const before = state;
          // Only what is planned of what was chosen is shown.
          const next: Event =
            before.type === 'planning' && event.type === 'planned'
              ? { type: 'planned', planned: plannedOf({ ...before.addressing, recipients: before.addressing.chosen }) }
              : event;
          state = reduce(before, next);
          if (before.type === 'choosing' && next.type === 'chose') chosen = idsOf(next.recipients);
          if (before.type === 'confirming' && state.type === 'choosing')
            chosen = idsOf(before.planned.chosen.filter((one) => !before.planned.needless.has(chatKey(one))));
          if (before.type === 'trying' && next.type === 'tried') trials++;
          assert.equal(chosenIn(state) ?? chosen, chosen);
          if ('addressing' in state) assert.equal(state.addressing.trials.length, trials);
          if (state.type === 'recording' && before.type !== 'recording') {
            assert.ok(before.type === 'confirming' || before.type === 'timing');
            assert.ok(next.type === 'send' || next.type === 'schedule');
            assert.equal(state.confirmed.planned, before.planned);
          }
          if (state.type === 'timing' && before.type !== 'timing') {
            assert.ok(before.type === 'confirming' && next.type === 'later');
            assert.equal(state.planned, before.planned);
          }
        }
      }),
    );
  });
});
