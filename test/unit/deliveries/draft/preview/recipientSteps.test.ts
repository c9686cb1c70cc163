import assert from 'node:assert/strict';
import { RecipientSteps } from '../../../../../src/deliveries/draft/preview/recipientSteps.ts';
import type { Chat } from '../../../../../src/service/model.ts';

describe('The steps through the recipients of a draft', () => {
  const people = (ids: string): Chat[] => [...ids].map((id) => ({ kind: 'user', id }));
  const stepsOf = (ids: string, troubled: number[] = []) => {
    const steps = new RecipientSteps();
    steps.use(people(ids), troubled);
    return steps;
  };
  /** Such as `b 2/3`, and `!` if only those with problems are shown. */
  const shown = ({ step }: RecipientSteps) =>
    step && `${step.chat.id} ${step.position}/${step.total}${step.onlyTroubled ? '!' : ''}`;

  it('go to the next and the previous one, and end', () => {
    const steps = stepsOf('abc');
    assert.equal(shown(steps), 'a 1/3');
    steps.by(-1);
    assert.equal(shown(steps), 'a 1/3');
    for (const expected of ['b 2/3', 'c 3/3', 'c 3/3']) {
      steps.by(1);
      assert.equal(shown(steps), expected);
    }
    steps.by(-1);
    assert.equal(shown(steps), 'b 2/3');
  });

  it('go to a recipient, whose ID another one may have', () => {
    const steps = new RecipientSteps();
    const group: Chat = { kind: 'group', id: 'b' };
    steps.use([...people('ab'), group], []);
    steps.goTo({ kind: 'group', id: 'b' });
    assert.equal(shown(steps), 'b 3/3');
    steps.goTo({ kind: 'user', id: 'x' });
    assert.equal(shown(steps), 'b 3/3');
  });

  it('don’t lead anywhere without recipients', () => {
    const steps = stepsOf('');
    steps.by(1);
    steps.onlyTroubled = true;
    assert.equal(steps.step, undefined);
    steps.use(people('ab'), [1]);
    assert.equal(shown(steps), 'a 1/2');
  });

  it('stay with a recipient while the list changes', () => {
    const steps = stepsOf('abcd');
    steps.by(1);
    steps.use(people('xyabcd'), []);
    assert.equal(shown(steps), 'b 4/6');
    // The name of the file is being typed.
    steps.use([], []);
    assert.equal(shown(steps), undefined);
    steps.use(people('cba'), []);
    assert.equal(shown(steps), 'b 2/3');
    steps.use(people('ca'), []);
    assert.equal(shown(steps), 'a 2/2');
    steps.by(-1);
    steps.use(people('abc'), []);
    assert.equal(shown(steps), 'c 3/3');
  });

  it('are those with problems on request', () => {
    const steps = stepsOf('abcdefg', [1, 4, 5]);
    steps.by(1);
    steps.by(1);
    steps.onlyTroubled = true;
    assert.equal(shown(steps), 'e 2/3!');
    steps.by(1);
    steps.by(1);
    assert.equal(shown(steps), 'f 3/3!');
    steps.onlyTroubled = false;
    assert.equal(shown(steps), 'f 6/7');
    steps.goTo({ kind: 'user', id: 'g' });
    steps.onlyTroubled = true;
    assert.equal(shown(steps), 'f 3/3!');
    steps.goTo({ kind: 'user', id: 'b' });
    assert.equal(shown(steps), 'b 1/3!');
  });

  it('lead to a recipient without problems if the user asks for it', () => {
    const steps = stepsOf('abc', [0]);
    steps.onlyTroubled = true;
    steps.goTo({ kind: 'user', id: 'c' });
    assert.equal(shown(steps), 'c 3/3');
  });

  it('go on to the next problem once one is solved, and to all when none is left', () => {
    const steps = stepsOf('abcd', [1, 3]);
    steps.onlyTroubled = true;
    assert.equal(shown(steps), 'b 1/2!');
    steps.use(people('abcd'), [3]);
    assert.equal(shown(steps), 'd 1/1!');
    steps.use(people('abcd'), []);
    assert.equal(shown(steps), 'd 4/4');
    // A default that is being typed is complete or not.
    steps.use(people('abcd'), [1]);
    assert.equal(shown(steps), 'b 1/1!');
    steps.use(people('abcd'), []);
    steps.by(-1);
    steps.use(people('abcd'), [1, 3]);
    assert.equal(shown(steps), 'a 1/4');
  });
});
