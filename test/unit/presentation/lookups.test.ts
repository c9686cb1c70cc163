import assert from 'node:assert/strict';
import type { ProgressOptions, window } from 'vscode';
import { shownText } from '../../../src/markup/safeText.ts';
import type { Service } from '../../../src/platform/service.ts';
import { isMissing, lookUp, lookUpChats, lookUpNames } from '../../../src/presentation/lookups.ts';
import { isOutage } from '../../../src/service/errors.ts';
import type { Kind } from '../../../src/service/model.ts';
import { answer, restore } from '../answers.ts';
import { heldClock } from '../clocks.ts';
import { settled } from '../deferred.ts';
import { broken, held, MINUTE, missing, withGroup } from '../directory/held-directory.ts';

const serviceOf = ({ directory }: Pick<ReturnType<typeof held>, 'directory'>) => ({ directory }) as Service;
const people = (count: number) => Array.from({ length: count }, (_, at) => ({ kind: 'user' as const, id: `${at}` }));
/** A clock that stands still, so that nothing waits for the next time slice. */
const { clock } = heldClock();
/** People to look up. */
const wanted = (...ids: string[]) => ids.map((id) => ({ id, kinds: ['user'] as const }));

/** Answers every lookup as it's made, until all have ended. */
async function answerAll({ asked }: Pick<ReturnType<typeof held>, 'asked'>, ended: Promise<unknown>) {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (!isOver) {
    for (const { resolve, what } of asked) resolve(what);
    await settled();
  }
}

describe('Lookups of names', () => {
  it('make no request for what is remembered, even if it’s old, nor again for what didn’t exist just now', async () => {
    const known = await withGroup();
    known.clock.now = 11 * MINUTE;
    await lookUpNames([{ kind: 'group', id: '1' }], serviceOf(known));
    const gone = await withGroup(missing('group', '1'));
    gone.clock.now = MINUTE - 1;
    await lookUpNames([{ kind: 'group', id: '1' }], serviceOf(gone));
    assert.deepEqual([known.requests(), gone.requests()], [['group 1'], ['group 1']]);
  });

  it('ask again for what didn’t exist a while ago', async () => {
    const all = await withGroup(missing('group', '1'));
    all.clock.now = MINUTE;
    const ended = lookUpNames([{ kind: 'group', id: '1' }], serviceOf(all), { clock });
    await all.answer('The shop');
    await ended;
    assert.deepEqual(all.requests(), ['group 1', 'group 1']);
    assert.deepEqual(all.directory.peek('group', '1')?.raw, { groupId: '1', name: 'The shop' });
  });

  it('are at most 200, or as many as the caller allows', async () => {
    for (const [max, requests] of [
      [undefined, 200],
      [3, 3],
      [Number.POSITIVE_INFINITY, 1_000],
    ]) {
      const all = held();
      await answerAll(all, lookUpNames(people(1_000), serviceOf(all), { ...(max && { max }) }));
      assert.equal(all.requests().length, requests);
      assert.equal(new Set(all.requests()).size, requests);
    }
  });

  it('begin with the first ones, and say when each has ended', async () => {
    const all = held();
    const ended: (string | undefined)[] = [];
    void lookUpNames(people(300), serviceOf(all), { onEnded: (results) => ended.push(results[0]?.id), clock });
    await settled();
    assert.deepEqual(
      all.requests(),
      ['0', '1', '2', '3', '4', '5', '6', '7'].map((id) => `user ${id}`),
    );
    all.asked[1]?.resolve('Ana');
    await settled();
    all.asked[0]?.reject(broken());
    await settled();
    assert.deepEqual(ended, ['1', '0']);
    all.directory.dispose();
  });

  it('end when they are canceled, and ask nothing more', async () => {
    const all = held();
    const abort = new AbortController();
    const ended = lookUpNames(people(300), serviceOf(all), { signal: abort.signal, clock });
    await settled();
    abort.abort();
    await ended;
    assert.equal(all.requests().length, 8);
    assert.ok(all.asked.every(({ signal }) => signal.aborted));
  });

  it('end after the longest wait that the caller allows', async () => {
    const [all, { clock, pass, sleeping }] = [held(), heldClock()];
    let isOver = false;
    const ended = lookUpNames(people(1), serviceOf(all), { maxWait: 10_000, clock }).then(() => {
      isOver = true;
    });
    await pass(9_999);
    assert.equal(isOver, false);
    await pass(1);
    await ended;
    assert.equal(all.asked[0]?.signal.aborted, true);
    const others = lookUpNames(people(1), serviceOf(all), { maxWait: 10_000, clock });
    await all.answer('Ana');
    await others;
    assert.equal(sleeping(), 0);
  });

  it('continue if the service can’t be reached, unless the caller gives up then', async () => {
    const outcomes = [];
    const error = broken();
    for (const stopsAt of [() => false, isOutage]) {
      const all = held();
      const ended = lookUpNames(people(9), serviceOf(all), { stopsAt, clock });
      await settled();
      all.asked[0]?.reject(missing('user', '0'));
      await settled();
      all.asked[1]?.reject(error);
      await settled();
      outcomes.push(all.asked.filter(({ signal }) => signal.aborted).length);
      all.directory.dispose();
      await ended;
    }
    assert.deepEqual(outcomes, [0, 7]);
  });
});

describe('Lookups of IDs', () => {
  it('fail with the error that has stopped them', async () => {
    const all = held();
    const ended = lookUp(wanted('1', '2', '3'), serviceOf(all), { stopsAt: isOutage, clock });
    await settled();
    const error = broken();
    all.asked[0]?.resolve('Ana');
    await settled();
    all.asked[1]?.reject(error);
    assert.deepEqual(
      (await ended).flat().map((one) => one.found?.kind ?? one.error),
      ['user', error, error],
    );
  });

  it('tell what doesn’t exist from what couldn’t be looked up', async () => {
    const all = held();
    const ended = lookUp(wanted('1', '2', '3'), serviceOf(all), { clock });
    await settled();
    all.asked[0]?.resolve('Ana');
    all.asked[1]?.reject(missing('user', '2'));
    all.asked[2]?.reject(broken());
    const results = (await ended).flat();
    assert.deepEqual(
      results.map((one) => [one.id, one.found?.kind, isMissing(one)]),
      [
        ['1', 'user', false],
        ['2', undefined, true],
        ['3', undefined, false],
      ],
    );
    assert.equal(results[2]?.error instanceof Error, true);
  });

  it('try every kind for an ID of any', async () => {
    const all = held();
    const ended = lookUp([{ id: '1' }, { id: '2' }], serviceOf(all), { clock });
    for (const kind of ['user', 'bot', 'group'] as const) {
      await settled();
      const isFound = (what: string) => what === 'bot 1';
      for (const { what, resolve, reject } of all.asked.filter((one) => one.what.startsWith(kind)))
        isFound(what) ? resolve('Order Desk') : reject(missing(kind, what));
    }
    const [[one] = [], [other] = []] = await ended;
    assert.deepEqual(
      [one?.found?.kind, other && [isMissing(other), other.error]],
      ['bot' satisfies Kind, [true, undefined]],
    );
  });

  it('ask again for what isn’t fresh if it has to be, as it has for chats', async () => {
    const one = { id: '1', kinds: ['group'] as const };
    for (const ask of [
      (service: Service) => lookUp([one], service, { accept: 'fresh', clock }),
      (service: Service) => lookUpChats([{ id: '1', kind: 'group' }], service),
    ]) {
      const all = await withGroup();
      all.clock.now = 11 * MINUTE;
      const ended = ask(serviceOf(all));
      await all.answer('Two');
      assert.deepEqual((await ended).flat()[0]?.found?.raw, { groupId: '1', name: 'Two' });
    }
  });

  it('of chats are made as a group and as a person, unless their type is known', async () => {
    const all = held();
    const ended = lookUpChats([{ id: '1' }, { id: '2', kind: 'user' }], serviceOf(all));
    await answerAll(all, ended);
    assert.deepEqual(
      (await ended).map((each) => each.map(({ chat, found }) => [chat, found?.kind])),
      [
        [
          [{ kind: 'group', id: '1' }, 'group'],
          [{ kind: 'user', id: '1' }, 'user'],
        ],
        [[{ kind: 'user', id: '2' }, 'user']],
      ],
    );
    assert.equal(all.requests().length, 3);
  });

  it('are made once each, however many they are', async () => {
    const all = held();
    const ids = Array.from({ length: 500 }, (_, at) => `${at}`);
    const ended = lookUp(wanted(...ids), serviceOf(all));
    await answerAll(all, ended);
    assert.deepEqual(
      (await ended).map(([one]) => one?.id),
      ids,
    );
    assert.equal(all.requests().length, 500);
  });
});

describe('The progress of lookups', () => {
  let shown: { title: string | undefined; steps: unknown[] }[];
  let cancel: () => void;
  beforeEach(() => {
    shown = [];
    answer('withProgress', ((options: ProgressOptions, task: (...given: unknown[]) => unknown) => {
      const steps: unknown[] = [];
      shown.push({ title: options.title, steps });
      const token = { onCancellationRequested: (listener: () => void) => (cancel = listener) };
      return task({ report: (step: unknown) => steps.push(step) }, token as never);
    }) as unknown as typeof window.withProgress);
  });
  afterEach(restore);

  it('shows only if they take long', async () => {
    const [all, { clock, pass, sleeping }] = [held(), heldClock()];
    const ended = lookUp(wanted('1', '2'), serviceOf(all), { title: shownText`Looking up`, clock });
    await pass(299);
    assert.deepEqual(shown, []);
    all.asked[0]?.resolve('Ana');
    await pass(1);
    all.asked[1]?.resolve('Ben');
    await ended;
    const steps = ['1 of 2', '2 of 2'].map((message) => ({ message, increment: 50 }));
    assert.deepEqual(shown, [{ title: 'Looking up', steps }]);
    await lookUp(wanted('1', '2'), serviceOf(all), { title: shownText`Looking up`, clock });
    assert.deepEqual([shown.length, sleeping()], [1, 0]);
  });

  it('lets the user cancel, and what was found until then is kept', async () => {
    const [all, { clock, pass }] = [held(), heldClock()];
    const ended = lookUp(wanted('1', '2'), serviceOf(all), { title: shownText`Looking up`, clock });
    await pass(300);
    all.asked[0]?.resolve('Ana');
    await settled();
    cancel();
    await pass(0);
    const [one, other] = (await ended).flat();
    assert.ok(one?.found);
    assert.ok(other && !isMissing(other) && other.error);
  });

  it('doesn’t show if nobody waits for them', async () => {
    const [all, { clock, pass }] = [held(), heldClock()];
    const ended = lookUpNames(people(1), serviceOf(all), { clock });
    await pass(60_000);
    await all.answer('Ana');
    await pass(0);
    await ended;
    assert.deepEqual(shown, []);
  });
});
