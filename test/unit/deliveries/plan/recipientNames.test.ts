import assert from 'node:assert/strict';
import type { ProgressOptions, window } from 'vscode';
import type { RecipientTable } from '../../../../src/deliveries/draft/recipients/recipientTable.ts';
import { lookUpValues, namedBot, namedRecipients } from '../../../../src/deliveries/plan/recipientNames.ts';
import type { Service } from '../../../../src/platform/service.ts';
import { timers } from '../../../../src/service/clock.ts';
import { chatKey } from '../../../../src/service/model.ts';
import { answer, restore } from '../../answers.ts';
import { settled } from '../../deferred.ts';
import { held, missing } from '../../directory/held-directory.ts';
import { withoutDelays } from '../../withoutDelays.ts';

const people = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ kind: 'user' as const, id: `${at}`, name: `${at}` }));

const serviceOf = ({ directory }: ReturnType<typeof held>) => ({ directory }) as Service;

/** Answers each lookup with its kind and ID as the name, until all have ended. */
async function answered<T>({ asked }: ReturnType<typeof held>, looking: Promise<T>): Promise<T> {
  let isOver = false;
  void looking.then(() => {
    isOver = true;
  });
  while (!isOver) {
    for (const { what, resolve } of asked) resolve(what);
    await settled();
  }
  return looking;
}

/** A file that has the names of these. */
const fileWith = (...chats: ReturnType<typeof people>) =>
  ({
    columns: ['name'],
    rows: new Map(chats.map((chat) => [chatKey(chat), { cells: [`File ${chat.id}`] }])),
  }) as unknown as RecipientTable;

describe('Lookups before a message is sent', () => {
  const titles: (string | undefined)[] = [];
  let userCancels: boolean;
  withoutDelays();
  beforeEach(() => {
    titles.splice(0);
    userCancels = false;
    answer('withProgress', ((options: ProgressOptions, task: (...given: unknown[]) => unknown) => {
      titles.push(options.title);
      const onCancellationRequested = (cancel: () => void) => userCancels && setImmediate(cancel);
      return task({ report() {} }, { onCancellationRequested });
    }) as unknown as typeof window.withProgress);
  });
  afterEach(() => {
    restore();
  });

  it('find some names, except those in the file', async () => {
    const all = held();
    const chats = people(300);
    const named = await answered(all, namedRecipients(chats, serviceOf(all), fileWith(...chats.slice(0, 50))));
    assert.equal(all.requests().length, 200);
    assert.deepEqual(
      [named[49]?.name, named[50]?.name, named[249]?.name, named[250]?.name],
      ['File 49', 'user 50', 'user 249', '250'],
    );
  });

  it('find out who doesn’t exist, also of those with a name in the file', async () => {
    const all = held();
    const chats = people(250);
    await answered(all, namedRecipients(chats, serviceOf(all), fileWith(...chats.slice(0, 249))));
    assert.equal(all.requests()[0], 'user 249');
    assert.equal(all.requests().length, 200);
    const [one, [chat]] = [held(), people(1)];
    assert.ok(chat);
    const named = namedRecipients([chat], serviceOf(one), fileWith(chat));
    await one.answer(missing('user', '0'));
    assert.equal((await named)[0]?.name, 'File 0');
    await namedRecipients([chat], serviceOf(one), fileWith(chat));
    assert.deepEqual(one.requests(), ['user 0']);
  });

  it('find the values of everyone whose row doesn’t have them', async () => {
    const all = held();
    const chats = people(300);
    const table = fileWith(...chats.slice(0, 50));
    await answered(all, lookUpValues({ variables: ['id', 'name'], table }, chats, serviceOf(all)));
    assert.equal(all.requests().length, 250);
    assert.ok(!all.requests().includes('user 49'));
    await lookUpValues({ variables: ['id'], table }, chats, serviceOf(held()));
  });

  it('end after ten seconds: IDs stand for names', async () => {
    const all = held();
    const { after } = timers;
    let end = () => {};
    // Until `withoutDelays` restores it.
    timers.after = (ms, run) => {
      if (ms !== 10_000) return after(ms, run);
      end = run;
      return () => {};
    };
    const named = namedRecipients(people(1), serviceOf(all));
    while (all.asked.length === 0) await settled();
    end();
    assert.equal((await named)[0]?.name, '0');
  });

  it('end when the user cancels: IDs stand for names, and values stay empty', async () => {
    const all = held();
    userCancels = true;
    assert.equal((await namedBot(serviceOf(all), '30481126')).name, '30481126');
    await lookUpValues({ variables: ['name'] }, people(2), serviceOf(all));
    assert.deepEqual(titles, [
      'Looking up names (cancel to continue with IDs)',
      'Looking up recipients (cancel to continue without)',
    ]);
    assert.ok(all.asked.every(({ signal }) => signal.aborted));
  });
});
