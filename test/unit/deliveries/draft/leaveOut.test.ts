import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type LeavesOut, listed, NO_RULES, noted, Rules } from '../../../../src/deliveries/draft/leaveOut.ts';
import { type Chat, chatKey } from '../../../../src/service/model.ts';

const user = (id: string): Chat => ({ kind: 'user', id });
const notes = (ids: string, note = '') => new Map([...ids].map((id) => [chatKey(user(id)), note]));
const keys = (ids: string) => new Set(notes(ids).keys());
/** A rule that names those who get the message. */
const allBut = (ids: string): LeavesOut => ({ noteOf: (key) => (keys(ids).has(key) ? undefined : '') });

describe('Who is left out of a delivery', () => {
  const rules = new Rules({
    never: noted(notes('abcd', 'asked')),
    except: noted(notes('abef', 'past.csv')),
    where: listed(keys('aceg')),
    needless: listed(keys('aegh')),
  });

  it('is decided by the strongest rule: never, then except, then where, then needless; nobody else is', async () => {
    const { kept, leftOut } = await rules.divide([...'abcdefghi'].map(user));
    assert.deepEqual(
      leftOut.map(({ id, by, note, also = [] }) =>
        [id, by, note, ...also.map((one) => one.by)].filter(Boolean).join(' '),
      ),
      [
        'a never asked except where needless',
        'b never asked except',
        'c never asked where',
        'd never asked',
        'e except past.csv where needless',
        'f except past.csv',
        'g where needless',
        'h needless',
      ],
    );
    assert.deepEqual(kept, [user('i')]);
    assert.deepEqual(await rules.count(leftOut, notes('aceg')), { never: 4, except: 2, where: 1, needless: 1 });
    // The rows that aren't picked count even if nobody chose them, each by the strongest rule.
    assert.deepEqual(await rules.count([], notes('aceg')), { never: 2, except: 1, where: 1, needless: 0 });
  });

  it('is of one kind: a group with the ID of a person on the list gets the message', () => {
    const never = NO_RULES.with('never', noted(notes('7')));
    assert.deepEqual(never.reasonFor(user('7')), { by: 'never', note: '' });
    assert.equal(never.reasonFor({ kind: 'group', id: '7' }), undefined);
  });

  it('is nobody without rules', async () => {
    const chosen = [user('a')];
    assert.deepEqual(await NO_RULES.divide(chosen), { kept: chosen, leftOut: [] });
  });

  it('is who is on the list or under except: where somebody needn’t be a recipient, in a trial and in a resend', async () => {
    const all = [...'abcdefghi'].map(user);
    const { leftOut } = await rules.divide(all);
    for (const one of [rules.forAnybody, Rules.excluding(leftOut)])
      assert.deepEqual(
        (await one.divide(all)).leftOut.map(({ id, by, note }) => `${id} ${by} ${note}`),
        [...[...'abcd'].map((id) => `${id} never asked`), 'e except past.csv', 'f except past.csv'],
      );
    // It may be on the list no more.
    const later = Rules.excluding(leftOut).with('never', noted(new Map()));
    assert.deepEqual((await later.divide(all)).leftOut.map(({ id }) => id).join(''), 'abef');
  });

  it('and who gets the message are together those who were chosen, in their order, however a rule says it', () => {
    const ids = fc.array(fc.constantFrom(...'abcdef')).map((all) => all.join(''));
    const sets = fc.record({ chosen: ids, never: ids, except: ids, where: ids, needless: ids });
    return fc.assert(
      fc.asyncProperty(sets, fc.boolean(), async ({ chosen, never, except, where, needless }, isAllBut) => {
        const some = new Rules({
          never: noted(notes(never)),
          except: isAllBut ? allBut(except) : noted(notes(except)),
          where: listed(keys(where)),
          needless: listed(keys(needless)),
        });
        const all = [...chosen].map(user);
        const { kept, leftOut } = await some.divide(all);
        const isOut = ({ id }: Chat) => (never + where + needless).includes(id) || except.includes(id) !== isAllBut;
        const out = all.filter(isOut);
        assert.deepEqual(
          kept,
          all.filter((one) => !isOut(one)),
        );
        assert.deepEqual(
          leftOut.map(({ kind, id }) => ({ kind, id })),
          out,
        );
        const table = new Map(all.map((one) => [chatKey(one), one.id]));
        assert.deepEqual([...some.among(table)].toSorted(), [...new Set(out.map(({ id }) => id))].toSorted());
      }),
    );
  });
});
