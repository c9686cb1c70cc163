import assert from 'node:assert/strict';
import { findRecipients, RecipientSteps } from '../../../../../src/deliveries/draft/preview/previewRecipients.ts';
import { systemClock } from '../../../../../src/service/clock.ts';
import type { Chat } from '../../../../../src/service/model.ts';
import { TimeSlices } from '../../../../../src/service/timeSlices.ts';
import { heldClock } from '../../../clocks.ts';

describe('The steps through the recipients of a draft', () => {
  const people = (ids: string): Chat[] => [...ids].map((id) => ({ kind: 'user', id }));
  const stepsOf = (ids: string, withProblems: number[] = []) => {
    const steps = new RecipientSteps();
    steps.use(people(ids), withProblems);
    return steps;
  };
  /** Such as `b 2/3`, and `!` if only those with problems are shown. */
  const shown = ({ step }: RecipientSteps) =>
    step && `${step.chat.id} ${step.position}/${step.total}${step.onlyWithProblems ? '!' : ''}`;

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
    steps.onlyWithProblems = true;
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
    steps.onlyWithProblems = true;
    assert.equal(shown(steps), 'e 2/3!');
    steps.by(1);
    steps.by(1);
    assert.equal(shown(steps), 'f 3/3!');
    steps.onlyWithProblems = false;
    assert.equal(shown(steps), 'f 6/7');
    steps.goTo({ kind: 'user', id: 'g' });
    steps.onlyWithProblems = true;
    assert.equal(shown(steps), 'f 3/3!');
    steps.goTo({ kind: 'user', id: 'b' });
    assert.equal(shown(steps), 'b 1/3!');
  });

  it('lead to a recipient without problems if the user asks for it', () => {
    const steps = stepsOf('abc', [0]);
    steps.onlyWithProblems = true;
    steps.goTo({ kind: 'user', id: 'c' });
    assert.equal(shown(steps), 'c 3/3');
  });

  it('go on to the next problem once one is solved, and to all when none is left', () => {
    const steps = stepsOf('abcd', [1, 3]);
    steps.onlyWithProblems = true;
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

describe('Recipients to go to', () => {
  const names: Record<string, string> = { '7': 'Joanne', '17': 'Ann Lee', '170': 'Émile', '99': '张伟' };
  const chats: Chat[] = Object.keys(names).map((id) => ({ kind: 'user', id }));
  const find = async (text: string) => {
    const found = await findRecipients(chats, text, ({ id }) => [names[id] ?? ''], new TimeSlices());
    return found.chats.map(({ id }) => id);
  };

  it('are found by a part of a name, in any case and without accents', async () => {
    assert.deepEqual(await find('LEE'), ['17']);
    assert.deepEqual(await find(' emile '), ['170']);
    assert.deepEqual(await find('伟'), ['99']);
    assert.deepEqual(await find('nobody'), []);
    assert.deepEqual(await find(' '), []);
  });

  it('are first the one with this ID, then those that begin with the text', async () => {
    assert.deepEqual(await find('ann'), ['17', '7']);
    assert.deepEqual(await find('17'), ['17', '170']);
    assert.deepEqual(await find('7'), ['7', '17', '170']);
  });

  it('are at most 20 of a hundred thousand', async () => {
    const many: Chat[] = Array.from({ length: 100_000 }, (_, at) => ({ kind: 'user', id: `${100_000 + at}` }));
    const search = (text: string) =>
      findRecipients(many, text, () => ['Ann'], new TimeSlices(undefined, heldClock().clock));
    const { chats, hasMore } = await search('00000');
    assert.deepEqual(
      chats.map(({ id }) => id),
      ['100000'],
    );
    assert.equal(hasMore, false);
    const all = await search('ann');
    assert.equal(all.chats.length, 20);
    assert.equal(all.chats[0]?.id, '100000');
    assert.equal(all.hasMore, true);
    assert.deepEqual((await search('199999')).chats, [{ kind: 'user', id: '199999' }]);
  });

  it('are no longer searched for once something else is typed', async () => {
    const many: Chat[] = Array.from({ length: 10 }, (_, at) => ({ kind: 'user', id: `${at}` }));
    const abort = new AbortController();
    let now = 0;
    // Each recipient takes a second.
    const slow = { ...systemClock, now: () => (now += 1000) };
    const searching = findRecipients(many, '7', () => ['Ann'], new TimeSlices(abort.signal, slow));
    abort.abort();
    await assert.rejects(searching, /cancelled/i);
  });
});
