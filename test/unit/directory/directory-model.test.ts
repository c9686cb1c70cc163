import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Kind } from '../../../src/service/model.ts';
import { settled } from '../deferred.ts';
import { type Accept, type Answer, endOf, Model, real } from './directory-model.ts';
import { MINUTE } from './held-directory.ts';

type Step =
  | { do: 'ask'; kind: Kind; id: string; accept: Accept; signal: 'none' | 'own' | 'aborted' }
  | { do: 'answer'; which: number; with: Answer }
  | { do: 'leave'; which: number }
  | { do: 'wait'; ms: number };

const kind = fc.constantFrom<Kind[]>('group', 'bot', 'user');
const accept = fc.constantFrom<Accept[]>('remembered', 'fresh', 'new');
const answers = fc.constantFrom<Answer[]>('found', 'found', 'missing', 'broken');
/** Few IDs, so that lookups coincide, or many, so that they wait. */
const asksOf = (ids: number) =>
  fc.record({
    do: fc.constant('ask' as const),
    kind,
    id: fc.nat({ max: ids }).map(String),
    accept,
    signal: fc.constantFrom('none' as const, 'own' as const, 'own' as const, 'own' as const, 'aborted' as const),
  });
const answering = fc.record({ do: fc.constant('answer' as const), which: fc.nat(), with: answers });
const leaving = fc.record({ do: fc.constant('leave' as const), which: fc.nat() });
const times = fc.constantFrom(1, MINUTE - 1, MINUTE, 9 * MINUTE, 10 * MINUTE, -1, -5 * MINUTE);
const waiting = fc.record({ do: fc.constant('wait' as const), ms: times });
const stepsOf = (ids: number) => {
  const step = fc.oneof<fc.MaybeWeightedArbitrary<Step>[]>(
    { weight: 8, arbitrary: asksOf(ids) },
    { weight: 4, arbitrary: answering },
    { weight: 3, arbitrary: leaving },
    { weight: 2, arbitrary: waiting },
  );
  return fc.array(step, { maxLength: 70, size: 'max' });
};
const runs = fc.record({ steps: fc.oneof(stepsOf(1), stepsOf(15)), dispose: fc.boolean() });

/** Runs a step in the directory and the model. `aborts` cancel the calls that can be canceled. */
function take(step: Step, directory: ReturnType<typeof real>, model: Model, aborts: (AbortController | undefined)[]) {
  switch (step.do) {
    case 'ask': {
      const abort = step.signal === 'none' ? undefined : new AbortController();
      if (step.signal === 'aborted') abort?.abort();
      aborts.push(abort);
      directory.ask(step.kind, step.id, step.accept, abort?.signal);
      return model.ask(step.kind, step.id, step.accept, step.signal === 'aborted');
    }
    case 'answer': {
      const at = step.which % model.flying.length;
      const lookUp = model.flying[at];
      if (!lookUp) return;
      const end = endOf(step.with, lookUp.kind, lookUp.id);
      directory.calls()[at]?.end(end);
      return model.answer(lookUp, end, step.with !== 'broken');
    }
    case 'leave': {
      const able = [...model.ends.keys()].filter((number) => model.ends[number] === 'pending' && aborts[number]);
      const number = able[step.which % able.length];
      if (number === undefined) return;
      aborts[number]?.abort();
      return model.leave(number);
    }
    case 'wait':
      directory.clock.now += step.ms;
      model.now += step.ms;
  }
}

const ids = (lookUps: readonly { kind: Kind; id: string }[]) => lookUps.map(({ kind, id }) => `${kind} ${id}`);

function assertAlike({ directory, ends, changes, calls }: ReturnType<typeof real>, model: Model): void {
  assert.deepEqual(ids(calls()), ids(model.flying));
  assert.ok(calls().length <= 8);
  assert.equal(ends.length, model.ends.length);
  for (const [number, end] of ends.entries()) assert.equal(end, model.ends[number], `asking ${number}`);
  assert.deepEqual(directory.entries(), model.entries);
  for (const kind of ['group', 'bot', 'user'] as const) {
    for (const id of ['0', '1', '7']) assert.equal(directory.peek(kind, id), model.peek(kind, id));
  }
  assert.deepEqual(changes, model.changes);
}

describe('Directory in any sequence of events', () => {
  it('behaves like its model', () =>
    fc.assert(
      fc.asyncProperty(runs, async ({ steps, dispose }) => {
        const [directory, model, aborts] = [real(), new Model(), []];
        for (const step of steps) {
          take(step, directory, model, aborts);
          await settled();
          assertAlike(directory, model);
        }
        if (dispose) {
          directory.directory.dispose();
          model.dispose();
          await settled();
          assertAlike(directory, model);
        }
        while (model.flying.length > 0) {
          take({ do: 'answer', which: 0, with: 'found' }, directory, model, aborts);
          await settled();
          assertAlike(directory, model);
        }
        assert.ok(!directory.ends.includes('pending'));
      }),
    ));

  it('never runs two lookups of an ID or more than eight in all, and settles every call', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(asksOf(3), answers, fc.nat(9), fc.nat(12)), { maxLength: 25 }),
        async (asks) => {
          const directory = real();
          const check = () => {
            const flying = ids(directory.calls());
            assert.equal(new Set(flying).size, flying.length, `${flying}`);
            assert.ok(flying.length <= 8);
          };
          const afterTicks = async (ticks: number, act: () => void) => {
            for (let tick = 0; tick < ticks; tick++) await undefined;
            act();
            check();
          };
          const all = asks.map(async ([{ kind, id, accept, signal }, answer, start, later]) => {
            const abort = new AbortController();
            if (signal === 'aborted') abort.abort();
            await afterTicks(start, () =>
              directory.ask(kind, id, accept, signal === 'none' ? undefined : abort.signal),
            );
            const call = directory.calls().find((one) => one.kind === kind && one.id === id);
            await afterTicks(later, () => call?.end(endOf(answer, kind, id)));
            await afterTicks(later, () => abort.abort());
          });
          await Promise.all(all);
          for (await settled(); directory.calls().length > 0; await settled()) {
            check();
            for (const call of directory.calls()) call.end(endOf('broken', call.kind, call.id));
          }
          assert.ok(!directory.ends.includes('pending'));
        },
      ),
    ));
});
