import assert from 'node:assert/strict';
import { NO_RULES, noted } from '../../../../../src/deliveries/draft/leaveOut.ts';
import { NameLookups } from '../../../../../src/deliveries/draft/preview/nameLookups.ts';
import { PersonalMessage } from '../../../../../src/deliveries/draft/preview/personalMessage.ts';
import {
  findRecipients,
  PreviewRecipients,
  RecipientSteps,
} from '../../../../../src/deliveries/draft/preview/previewRecipients.ts';
import { parseRecipientTable } from '../../../../../src/deliveries/draft/recipients/recipientTable.ts';
import type { Service } from '../../../../../src/platform/service.ts';
import { systemClock } from '../../../../../src/service/clock.ts';
import type { Chat } from '../../../../../src/service/model.ts';
import { TimeSlices } from '../../../../../src/service/timeSlices.ts';
import { heldClock } from '../../../clocks.ts';
import { settled } from '../../../deferred.ts';
import { held, missing } from '../../../directory/held-directory.ts';

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

describe('What is shown of a recipient whose message varies', () => {
  /** The people in a file, who get this text. */
  async function peopleIn(csv: readonly string[], text: string, service?: Service, rules = NO_RULES) {
    const table = await parseRecipientTable(csv.join('\n'), 'user');
    const recipients = new PreviewRecipients(new NameLookups(() => {}));
    const message = new PersonalMessage({ contentType: 'markdown', content: { text } }, table);
    const chats = Array.from(table.rows.values(), ({ chat }) => chat);
    await recipients.use(message, chats, service?.directory, rules);
    return { recipients, stepOf: () => recipients.current(service)?.step ?? assert.fail() };
  }

  it('is what is wrong with each value', async () => {
    const rows = [
      '1,"Main Street\n1",https://a.test',
      '2,Bern,"https://a.test\nb"',
      '3,,https://b.test',
      '4,Rome,none',
      '5,Oslo,https://a.test',
      '6,#N/A,https://a.test',
    ];
    const { recipients, stepOf } = await peopleIn(['id,address,url', ...rows], '**{{address}}** [x]({{url}})');
    recipients.steps.onlyWithProblems = true;
    for (const [at, problem] of [
      '{{address}} has line breaks. Spaces are sent instead.',
      "{{url}} isn't a web address.",
      '{{address}} is empty. The marks around it are sent: ****',
      "{{url}} isn't a web address.",
      '{{address}} is a spreadsheet error.',
    ].entries()) {
      assert.equal(stepOf().position, at + 1);
      assert.equal(stepOf().total, 5);
      assert.deepEqual(stepOf().problems, [problem]);
      recipients.steps.by(1);
    }
  });

  it('is what the service says of them, unless they get nothing', async () => {
    const { directory, answer } = held();
    for (const [id, name] of [
      ['1', 'Ann'],
      ['2', ''],
      ['3', missing('user', '3')],
      ['4', missing('user', '4')],
    ] as const) {
      directory.get('user', id).catch(() => {});
      await answer(name);
    }
    const rules = NO_RULES.with('never', noted(new Map([['user 4', 'asked to stop']])));
    const service = { directory } as Service;
    const { recipients, stepOf } = await peopleIn(['id', '1', '2', '3', '4', '5'], '{{nickname}}', service, rules);
    for (const [id, leftOut, ...problems] of [
      ['1', undefined],
      ['2', undefined, '{{nickname}} is empty.'],
      ['3', undefined, "Person 3 doesn't exist.", '{{nickname}} is empty.'],
      ['4', 'On your Do Not Send list: asked to stop'],
      // Nothing is known of this one yet.
      ['5', undefined],
    ] as const) {
      const step = stepOf();
      assert.equal(step.id, id);
      assert.equal(step.leftOut, leftOut);
      assert.deepEqual(step.problems, problems);
      assert.equal(step.withProblems, 2);
      assert.equal(step.leftOutCount, 1);
      assert.equal(step.unchecked, undefined);
      recipients.steps.by(1);
    }
  });

  it('is looked up for all, or for the one of very many who is shown', async () => {
    const few = held();
    const two = await peopleIn(['id,name', '1,Ann', '2,Bo'], '{{name}}', { directory: few.directory } as Service);
    two.stepOf();
    await settled();
    assert.deepEqual(few.requests(), ['user 1', 'user 2']);
    const many = held();
    const rows = Array.from({ length: 202 }, (_, at) => `${at + 1},Ann`);
    const { recipients, stepOf } = await peopleIn(['id,name', ...rows], '{{name}}', many as unknown as Service);
    assert.equal((await peopleIn(['id,name', ...rows], '{{name}}')).stepOf().unchecked, undefined);
    for (let times = 0; times < 2; times++) {
      assert.equal(stepOf().unchecked, "202 recipients weren't looked up and might not exist.");
      await settled();
    }
    assert.deepEqual(many.requests(), ['user 1']);
    assert.equal(many.asked[0]?.signal.aborted, false);
    recipients.steps.by(1);
    stepOf();
    await settled();
    assert.deepEqual(many.requests(), ['user 1', 'user 2']);
    assert.equal(many.asked[0]?.signal.aborted, true);
  });

  it('can be found by the name in the file, or else in the directory, or by the ID', async () => {
    const { directory, answer } = held();
    directory.get('user', '2').catch(() => {});
    await answer('Annika');
    const service = { directory } as Service;
    const { recipients } = await peopleIn(['id,name', '1,Ann', '2,', '3,'], '{{name}}', service);
    const namesOf = async (text: string) => (await recipients.find(text, service))?.recipients.map(({ name }) => name);
    assert.deepEqual(await namesOf('ann'), ['Ann', 'Annika']);
    assert.deepEqual(await namesOf('3'), ['3']);
    await recipients.use(undefined, [], directory, NO_RULES);
    assert.equal(await namesOf('ann'), undefined);
  });
});
